//! Are vectors kept by encoder and content, whole batches at a time?

use std::collections::{HashMap, HashSet};

use handpick_store::Store;

fn digest(number: u32) -> [u8; 32] {
    let mut digest = [0; 32];
    digest[..4].copy_from_slice(&number.to_be_bytes());
    digest
}

pub async fn encoders_are_kept_apart(store: &Store) {
    store.vectors_save("a", &[]).await.unwrap();
    assert!(store.vectors_load("a").await.unwrap().is_empty());
    let every_byte: Vec<u8> = (0..=255).collect();
    store
        .vectors_save("a", &[(digest(1), every_byte.clone()), (digest(2), Vec::new())])
        .await
        .unwrap();
    store.vectors_save("b", &[(digest(1), vec![7])]).await.unwrap();
    // Saved again, also within one batch: the last one counts.
    let twice = [(digest(2), vec![1]), (digest(2), vec![2])];
    store.vectors_save("a", &twice).await.unwrap();
    let a = HashMap::from([(digest(1), every_byte), (digest(2), vec![2])]);
    assert_eq!(store.vectors_load("a").await.unwrap(), a);
    assert_eq!(
        store.vectors_load("b").await.unwrap(),
        HashMap::from([(digest(1), vec![7])])
    );
    assert!(store.vectors_load("A").await.unwrap().is_empty());
}

pub async fn many_are_saved_and_pruned(store: &Store) {
    let many: Vec<_> = (0..2_000)
        .map(|number| (digest(number), number.to_le_bytes().repeat(100)))
        .collect();
    store.vectors_save("a", &many).await.unwrap();
    store.vectors_save("b", &many[..3]).await.unwrap();
    assert_eq!(
        store.vectors_load("a").await.unwrap(),
        many.iter().cloned().collect()
    );
    let keep: HashSet<_> = (0..2_000)
        .step_by(3)
        .map(digest)
        .chain([digest(999_999)])
        .collect();
    assert_eq!(store.vectors_prune("a", &keep).await.unwrap(), 2_000 - 667);
    assert_eq!(store.vectors_prune("a", &keep).await.unwrap(), 0);
    let left = store.vectors_load("a").await.unwrap();
    assert_eq!(left.len(), 667);
    assert!(left.keys().all(|digest| keep.contains(digest)));
    assert_eq!(
        store.vectors_load("b").await.unwrap().len(),
        3,
        "another encoder's stay"
    );
    assert_eq!(store.vectors_prune("a", &HashSet::new()).await.unwrap(), 667);
}

pub async fn concurrent_writers_all_succeed(store: &Store) {
    let writers = (0..16_u32).map(|writer| {
        let store = store.clone();
        tokio::spawn(async move {
            for batch in 0..5_u32 {
                let vectors: Vec<_> = (0..50_u32)
                    .map(|number| (digest(writer * 1_000 + batch * 50 + number), vec![1; 40]))
                    .collect();
                store.vectors_save("shared", &vectors).await.unwrap();
                store.vectors_load("shared").await.unwrap();
            }
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    assert_eq!(store.vectors_load("shared").await.unwrap().len(), 16 * 5 * 50);
}
