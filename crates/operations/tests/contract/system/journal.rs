//! Are notes kept, found and forgotten, for their owner alone?

use super::*;

async fn append(deployment: &Deployment, agent: &Agent, text: &str, tags: &[&str]) -> i64 {
    let said = agent.ask(deployment, "journal_append", json!({"text": text, "tags": tags}));
    said.await.good()["id"].as_i64().unwrap()
}

/// The ids of an answer, and whether more follow.
fn ids(value: &Value) -> (Vec<i64>, bool) {
    let notes = value["notes"].as_array().unwrap();
    let ids = notes.iter().map(|note| note["id"].as_i64().unwrap()).collect();
    (ids, value["more"].as_bool().unwrap())
}

#[tokio::test]
async fn notes_are_read_newest_first_and_page_by_page() {
    let (deployment, ann) = (deployment().await, Agent::ann());
    for (text, tags) in [
        ("Ann likes tea", vec!["Ann", " drinks "]),
        ("The build runs on Mondays", vec![]),
        ("Tea is in the left drawer", vec!["drinks", "DRINKS"]),
    ] {
        append(&deployment, &ann, text, &tags).await;
    }
    let all = ann.ask(&deployment, "journal_read", json!({})).await.good();
    assert_eq!(ids(&all), (vec![3, 2, 1], false));
    let note = &all["notes"][0];
    assert_eq!(
        (&note["text"], &note["tags"]),
        (&json!("Tea is in the left drawer"), &json!(["drinks"]))
    );
    assert!(note["at"].as_str().unwrap().ends_with('Z'), "{note}");
    for (arguments, expected) in [
        (json!({"limit": 2}), (vec![3, 2], true)),
        (json!({"limit": 2, "before": 2}), (vec![1], false)),
        (json!({"before": 1}), (vec![], false)),
        (json!({"tag": "Drinks"}), (vec![3, 1], false)),
        (json!({"tag": "drink"}), (vec![], false)),
    ] {
        let read = ann
            .ask(&deployment, "journal_read", arguments.clone())
            .await
            .good();
        assert_eq!(ids(&read), expected, "{arguments}");
    }
    for (arguments, expected) in [
        (json!({"query": "TEA"}), (vec![3, 1], false)),
        (json!({"query": "tea drawer"}), (vec![3], false)),
        (json!({"query": "tea ann"}), (vec![1], false)),
        (json!({"query": "drinks", "limit": 1}), (vec![3], true)),
        (json!({"query": "coffee"}), (vec![], false)),
    ] {
        let found = ann
            .ask(&deployment, "journal_search", arguments.clone())
            .await
            .good();
        assert_eq!(ids(&found), expected, "{arguments}");
    }
    let deleted = ann
        .ask(&deployment, "journal_delete", json!({"id": 2}))
        .await
        .good();
    assert_eq!(deleted, json!({"deleted": 2}));
    let told = ann
        .ask(&deployment, "journal_delete", json!({"id": 2}))
        .await
        .bad();
    assert!(told.contains("no note has the id 2"), "{told}");
    let all = ann.ask(&deployment, "journal_read", json!({})).await.good();
    assert_eq!(ids(&all).0, [3, 1]);
}

/// Each bound is told with what would be right.
#[tokio::test]
async fn bad_notes_are_refused() {
    let (deployment, ann) = (deployment().await, Agent::ann());
    let many: Vec<String> = (0..17).map(|number| number.to_string()).collect();
    for (tool, arguments, told) in [
        ("journal_append", json!({}), "\"text\" is a required property"),
        (
            "journal_append",
            json!({"text": " \n"}),
            "`text` must hold something",
        ),
        (
            "journal_append",
            json!({"text": "é".repeat(8_193)}),
            "`text` must be 16384 bytes at most, not 16386",
        ),
        (
            "journal_append",
            json!({"text": "a\u{0}b"}),
            "`text` must hold no NUL",
        ),
        ("journal_append", json!({"text": "x", "tags": many}), "tags: "),
        (
            "journal_append",
            json!({"text": "x", "tags": ["a", "b\nc"]}),
            "`tags[1]` must be 1 to 64 characters",
        ),
        (
            "journal_append",
            json!({"text": "x", "tags": [" "]}),
            "`tags[0]` must be",
        ),
        ("journal_append", json!({"text": "x", "tag": "y"}), "tag"),
        (
            "journal_read",
            json!({"limit": 0}),
            "limit: 0 is less than the minimum of 1",
        ),
        (
            "journal_read",
            json!({"limit": 101}),
            "limit: 101 is greater than the maximum of 100",
        ),
        (
            "journal_search",
            json!({"query": " "}),
            "`query` must be 1 to 32 words",
        ),
        (
            "journal_search",
            json!({"query": "x ".repeat(33)}),
            "`query` must be 1 to 32 words",
        ),
        ("journal_delete", json!({"id": "1"}), "id: "),
    ] {
        let said = ann.ask(&deployment, tool, arguments.clone()).await.bad();
        assert!(said.contains(told), "{tool} {arguments}: {said}");
    }
    append(&deployment, &ann, &"é".repeat(8_192), &[]).await;
    let all = ann.ask(&deployment, "journal_read", json!({})).await.good();
    assert_eq!(ids(&all).0, [1], "only what fits was kept");
}

/// Nobody reads, finds or deletes somebody else's notes: not another user, not the key, not through another gateway.
#[tokio::test]
async fn notes_belong_to_user_and_gateway() {
    let deployment = deployment().await;
    let mut other_key = Agent::of("all", None);
    other_key.caller.key_id = "ann".to_owned();
    let agents = [
        Agent::ann(),
        Agent::of("all", Some("bob")),
        Agent::of("all", Some("")),
        Agent::of("all", Some("k")),
        Agent::of("all", None),
        Agent::of("other", Some("ann")),
        other_key,
    ];
    append(&deployment, &agents[0], "mine", &["mine"]).await;
    for agent in &agents[1..] {
        for (tool, arguments) in [
            ("journal_read", json!({})),
            ("journal_read", json!({"tag": "mine"})),
            ("journal_search", json!({"query": "mine"})),
        ] {
            let read = agent.ask(&deployment, tool, arguments).await.good();
            assert_eq!(ids(&read).0, Vec::<i64>::new());
        }
        agent
            .ask(&deployment, "journal_delete", json!({"id": 1}))
            .await
            .bad();
    }
    for (index, agent) in agents[1..].iter().enumerate() {
        assert_eq!(append(&deployment, agent, &index.to_string(), &[]).await, 1);
    }
    let read = agents[0].ask(&deployment, "journal_read", json!({})).await.good();
    assert_eq!(read["notes"][0]["text"], "mine");
    // Any key that names the same user speaks for them.
    let mut again = Agent::ann();
    again.caller.key_id = "another".to_owned();
    let read = again.ask(&deployment, "journal_read", json!({})).await.good();
    assert_eq!(read["notes"][0]["text"], "mine");
}

/// Notes outlive the process.
#[tokio::test]
async fn notes_outlive_the_gateway() {
    let store = Store::in_memory().await.unwrap();
    let before = plan(&lab()).store(&store).start().await;
    append(&before, &Agent::ann(), "still here", &[]).await;
    drop(before);
    let after = plan(&lab()).store(&store).start().await;
    let read = Agent::ann().ask(&after, "journal_read", json!({})).await.good();
    assert_eq!(read["notes"][0]["text"], "still here");
}

/// One answer does not fill a model's context, and says that more follow.
#[tokio::test]
async fn answers_are_bounded() {
    let (deployment, ann) = (deployment().await, Agent::ann());
    for _ in 0..20 {
        append(&deployment, &ann, &"x".repeat(16 * 1024), &[]).await;
    }
    let first = ann
        .ask(&deployment, "journal_read", json!({"limit": 20}))
        .await
        .good();
    assert_eq!(ids(&first), ((13..=20).rev().collect(), true));
    let rest = ann
        .ask(&deployment, "journal_read", json!({"limit": 20, "before": 13}))
        .await
        .good();
    assert_eq!(ids(&rest).0[0], 12);
}
