//! Are notes kept in order, found by their words, and shown to their owner alone?

use handpick_store::{Note, NoteFilter, Owner, Store};

/// More than any test here writes.
const MOST: u32 = 10_000;

fn owner() -> Owner {
    Owner::user("main", "ann")
}

async fn append(store: &Store, owner: &Owner, text: &str, tags: &[&str]) -> i64 {
    let tags: Vec<String> = tags.iter().map(|&tag| tag.to_owned()).collect();
    store.note_append(owner, text, &tags, 7, MOST).await.unwrap()
}

async fn ids(store: &Store, owner: &Owner, filter: NoteFilter<'_>) -> Vec<i64> {
    let notes = store.note_list(owner, filter, MOST).await.unwrap();
    notes.into_iter().map(|note| note.id).collect()
}

/// What is noted comes back as it was, newest first, page by page.
pub async fn notes_come_back_newest_first(store: &Store) {
    let owner = owner();
    let texts = ["one", " two\n\"quoted\" \u{0}\u{1F980} ", ""];
    for text in texts {
        append(store, &owner, text, &["Work", "2026 plan"]).await;
    }
    let all = store
        .note_list(&owner, NoteFilter::default(), MOST)
        .await
        .unwrap();
    let expected = |id: i64, text: &str| Note {
        id,
        at_ms: 7,
        text: text.to_owned(),
        tags: vec!["work".to_owned(), "2026 plan".to_owned()],
    };
    assert_eq!(
        all,
        [
            expected(3, texts[2]),
            expected(2, texts[1]),
            expected(1, texts[0])
        ]
    );
    let before = NoteFilter {
        before: Some(3),
        ..NoteFilter::default()
    };
    let page = store.note_list(&owner, before, 1).await.unwrap();
    assert_eq!(page, [expected(2, texts[1])]);
}

/// Every word must be there, in any case, and what a pattern would read otherwise is a letter like others.
pub async fn notes_are_found_by_their_words(store: &Store) {
    let owner = owner();
    append(
        store,
        &owner,
        "The Straße is closed at 100% of exits",
        &["Traffic"],
    )
    .await;
    append(store, &owner, "file_name in C:\\temp!", &["100"]).await;
    append(store, &owner, "filename; Äpfel", &[]).await;
    for (words, expected) in [
        (&["the"][..], &[1][..]),
        (&["STRASSE"], &[]),
        (&["STRAßE", "closed"], &[1]),
        (&["closed", "nowhere"], &[]),
        (&["100"], &[2, 1]),
        (&["100%"], &[1]),
        (&["file_name"], &[2]),
        (&["c:\\temp!"], &[2]),
        (&["äPFEL"], &[3]),
        (&["traffic", "exits"], &[1]),
        (&["%"], &[1]),
        (&[], &[3, 2, 1]),
    ] {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let filter = NoteFilter {
            words: &words,
            ..NoteFilter::default()
        };
        assert_eq!(ids(store, &owner, filter).await, expected, "{words:?}");
    }
    for (tag, expected) in [
        ("TRAFFIC", &[1][..]),
        ("traf", &[]),
        ("100", &[2]),
        ("1__", &[]),
        ("", &[]),
    ] {
        let filter = NoteFilter {
            tag: Some(tag),
            ..NoteFilter::default()
        };
        assert_eq!(ids(store, &owner, filter).await, expected, "{tag}");
    }
}

/// Where a note lies among many makes no difference: each is found once, in order, up to the limit, over gaps too.
pub async fn notes_are_found_among_many(store: &Store) {
    let (owner, other) = (owner(), Owner::user("main", "bob"));
    for number in 1..=600_i64 {
        let text = if number % 100 == 0 { "a hit" } else { "none" };
        append(
            store,
            &owner,
            text,
            &[if number % 150 == 0 { "hit" } else { "x" }],
        )
        .await;
        if number % 7 == 0 {
            append(store, &other, "a hit", &["hit"]).await;
        }
    }
    for id in 201..=398 {
        assert!(store.note_remove(&owner, id).await.unwrap());
    }
    let words = ["A".to_owned(), "HIT".to_owned()];
    let by_words = |before| NoteFilter {
        before,
        words: &words,
        ..NoteFilter::default()
    };
    assert_eq!(
        ids(store, &owner, by_words(None)).await,
        [600, 500, 400, 200, 100]
    );
    assert_eq!(ids(store, &owner, by_words(Some(500))).await, [400, 200, 100]);
    assert_eq!(ids(store, &owner, by_words(Some(1))).await, Vec::<i64>::new());
    let by_tag = NoteFilter {
        tag: Some("Hit"),
        ..NoteFilter::default()
    };
    assert_eq!(ids(store, &owner, by_tag).await, [600, 450, 150]);
    for limit in 0..=6 {
        let found = store.note_list(&owner, by_words(None), limit).await.unwrap();
        assert_eq!(found.len(), 5.min(limit as usize));
    }
    let all = ids(store, &owner, NoteFilter::default()).await;
    assert_eq!(all.len(), 402);
}

/// Nobody reads, erases or counts somebody else's.
pub async fn notes_belong_to_their_owner(store: &Store) {
    let owners = [
        Owner::user("main", "ann"),
        Owner::user("main", "Ann"),
        Owner::user("other", "ann"),
        Owner::key("main", "ann"),
    ];
    for owner in &owners {
        assert_eq!(append(store, owner, &owner.holder, &[]).await, 1);
    }
    assert!(store.note_remove(&owners[0], 1).await.unwrap());
    assert!(!store.note_remove(&owners[0], 1).await.unwrap());
    for owner in &owners[1..] {
        let notes = store.note_list(owner, NoteFilter::default(), MOST).await.unwrap();
        assert_eq!(notes.len(), 1);
        assert_eq!(notes[0].text, owner.holder);
    }
    assert_eq!(
        append(store, &owners[0], "x", &[]).await,
        2,
        "ids are not given twice"
    );
}

/// The oldest leave, those of this owner alone.
pub async fn the_oldest_notes_leave(store: &Store) {
    let (owner, other) = (owner(), Owner::key("main", "k"));
    append(store, &other, "x", &[]).await;
    for _ in 0..5 {
        store.note_append(&owner, "x", &[], 1, 3).await.unwrap();
    }
    assert_eq!(ids(store, &owner, NoteFilter::default()).await, [5, 4, 3]);
    assert!(store.note_remove(&owner, 4).await.unwrap());
    store.note_append(&owner, "x", &[], 1, 3).await.unwrap();
    assert_eq!(ids(store, &owner, NoteFilter::default()).await, [6, 5, 3]);
    assert_eq!(ids(store, &other, NoteFilter::default()).await, [1]);
}

/// Many at once, each with an id of its own.
pub async fn notes_of_concurrent_writers_are_all_kept(store: &Store) {
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..40 {
        let store = store.clone();
        tasks.spawn(async move { append(&store, &owner(), &number.to_string(), &[]).await });
    }
    let mut ids: Vec<i64> = tasks.join_all().await;
    ids.sort_unstable();
    assert_eq!(ids, (1..=40).collect::<Vec<_>>());
}
