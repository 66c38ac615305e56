//! Is an agent kept whole, replaced whole and erased whole?

use std::collections::{HashMap, HashSet};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use handpick_store::{AgentConversation, Store};

fn digest(number: u8) -> [u8; 32] {
    [number; 32]
}

fn conversation(id: &str, json: &str) -> AgentConversation {
    AgentConversation {
        id: id.to_owned(),
        json: json.to_owned(),
    }
}

async fn conversations(store: &Store, agent: &str) -> Vec<(String, String)> {
    let loaded = store.agent_conversations_load(agent).await.unwrap();
    loaded.into_iter().map(|one| (one.id, one.json)).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |&(id, json): &(&str, &str)| (id.to_owned(), json.to_owned());
    expected.iter().map(owned).collect()
}

/// T8, T24: the last published catalog counts, byte for byte, and ids differ by case.
pub async fn t24_catalogs_survive_byte_for_byte(store: &Store) {
    assert_eq!(store.agent_catalog_load("a").await.unwrap(), None);
    let long = format!(r#"{{"tools":[{}]}}"#, vec![r#"{"name":"x"}"#; 100_000].join(", "));
    for json in [
        r#"{ "tools" : [ ], "later":1.0e2, "x":"\u0000 línea 読取 🦀"}"#,
        "{\"tools\":[]}\n",
        &long,
    ] {
        store.agent_catalog_save("a", json, 7).await.unwrap();
        assert!(store.agent_catalog_load("a").await.unwrap().as_deref() == Some(json));
        assert_eq!(store.agent_catalog_load("A").await.unwrap(), None);
    }
}

/// T16, T20: conversations outlive a publish; one with a known id replaces it and is the newest.
pub async fn t20_conversations_are_replaced_by_id(store: &Store) {
    let first = [
        conversation("x", "1"),
        conversation("y", "2"),
        conversation("x", "3"),
    ];
    assert!(!store.agent_conversations_save("a", &first, &[], 1).await.unwrap());
    assert_eq!(conversations(store, "a").await, []);
    for agent in ["a", "b"] {
        store.agent_catalog_save(agent, "{}", 1).await.unwrap();
    }
    assert!(store.agent_conversations_save("a", &first, &[], 1).await.unwrap());
    assert_eq!(conversations(store, "a").await, pairs(&[("y", "2"), ("x", "3")]));
    let second = [conversation("y", "4"), conversation("z", "5")];
    let forgotten = ["x".to_owned(), "unknown".to_owned()];
    assert!(
        store
            .agent_conversations_save("a", &second, &forgotten, 2)
            .await
            .unwrap()
    );
    store.agent_catalog_save("a", "{ }", 2).await.unwrap();
    assert_eq!(conversations(store, "a").await, pairs(&[("y", "4"), ("z", "5")]));
    assert!(store.agent_conversations_save("a", &[], &[], 3).await.unwrap());
    assert_eq!(conversations(store, "a").await.len(), 2);
    assert_eq!(conversations(store, "b").await, [], "another agent's are its own");
}

/// Thousands at once, forgotten at once.
pub async fn many_conversations_keep_their_order(store: &Store) {
    store.agent_catalog_save("a", "{}", 1).await.unwrap();
    let many: Vec<_> = (0..1_500)
        .map(|number| conversation(&format!("c{}", number * 7_919 % 1_500), &number.to_string()))
        .collect();
    store.agent_conversations_save("a", &many, &[], 1).await.unwrap();
    assert!(store.agent_conversations_load("a").await.unwrap() == many);
    let forgotten: Vec<String> = many[..1_000].iter().map(|one| one.id.clone()).collect();
    store
        .agent_conversations_save("a", &[], &forgotten, 2)
        .await
        .unwrap();
    assert!(store.agent_conversations_load("a").await.unwrap() == many[1_000..]);
}

/// T6: vectors belong to one agent and one encoder.
pub async fn t6_vectors_are_kept_by_agent(store: &Store) {
    let vectors = [(digest(1), vec![1]), (digest(2), vec![2]), (digest(2), vec![3])];
    assert!(!store.agent_vectors_save("a", "e", &vectors).await.unwrap());
    for agent in ["a", "b"] {
        store.agent_catalog_save(agent, "{}", 1).await.unwrap();
    }
    assert!(store.agent_vectors_save("a", "e", &vectors).await.unwrap());
    assert!(store.agent_vectors_save("a", "old", &vectors).await.unwrap());
    assert!(store.agent_vectors_save("b", "e", &vectors).await.unwrap());
    let kept = HashMap::from([(digest(1), vec![1]), (digest(2), vec![3])]);
    assert_eq!(store.agent_vectors_load("a", "e").await.unwrap(), kept);
    assert_eq!(store.agent_vectors_load("a", "E").await.unwrap(), HashMap::new());

    let keep = HashSet::from([digest(2), digest(9)]);
    assert_eq!(store.agent_vectors_prune("a", "e", &keep).await.unwrap(), 3);
    assert_eq!(store.agent_vectors_prune("a", "e", &keep).await.unwrap(), 0);
    let left = HashMap::from([(digest(2), vec![3])]);
    assert_eq!(store.agent_vectors_load("a", "e").await.unwrap(), left);
    assert_eq!(
        store.agent_vectors_load("a", "old").await.unwrap(),
        HashMap::new()
    );
    assert_eq!(store.agent_vectors_load("b", "e").await.unwrap(), kept);
}

/// T26: nothing of an agent outlives it, and the one that comes after starts empty.
pub async fn t26_removal_leaves_nothing(store: &Store) {
    for agent in ["a", "b"] {
        store.agent_catalog_save(agent, "{}", 1).await.unwrap();
        store
            .agent_conversations_save(agent, &[conversation("x", "1")], &[], 1)
            .await
            .unwrap();
        store
            .agent_vectors_save(agent, "e", &[(digest(1), vec![1])])
            .await
            .unwrap();
    }
    assert!(store.agent_remove("a").await.unwrap());
    assert!(!store.agent_remove("a").await.unwrap());
    assert_eq!(store.agent_catalog_load("a").await.unwrap(), None);
    store.agent_catalog_save("a", "{}", 2).await.unwrap();
    assert_eq!(conversations(store, "a").await, []);
    assert_eq!(store.agent_vectors_load("a", "e").await.unwrap(), HashMap::new());
    assert_eq!(conversations(store, "b").await.len(), 1);
    assert_eq!(store.agent_vectors_load("b", "e").await.unwrap().len(), 1);
}

/// Writers of one agent and readers of another do not fail each other.
pub async fn concurrent_writers_all_succeed(store: &Store) {
    store.agent_catalog_save("shared", "{}", 0).await.unwrap();
    let writers = (0..12_u8).map(|writer| {
        let store = store.clone();
        tokio::spawn(async move {
            let own = conversation(&format!("c{writer}"), "{}");
            store.agent_catalog_save("shared", "{ }", 1).await.unwrap();
            assert!(
                store
                    .agent_conversations_save("shared", &[own], &[], 1)
                    .await
                    .unwrap()
            );
            let vectors = [(digest(writer), vec![writer; 40])];
            assert!(store.agent_vectors_save("shared", "e", &vectors).await.unwrap());
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    assert_eq!(conversations(store, "shared").await.len(), 12);
    assert_eq!(store.agent_vectors_load("shared", "e").await.unwrap().len(), 12);
}

/// T26: what was erased cannot be found in the files either, while the store is open and after.
#[tokio::test]
async fn t26_erased_texts_are_not_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    let secret = "the-customer-said-this".repeat(500);
    store.agent_catalog_save("a", &secret, 1).await.unwrap();
    let told = [
        conversation("x", &secret),
        conversation("the-customer-said-this", "1"),
    ];
    store.agent_conversations_save("a", &told, &[], 1).await.unwrap();
    store.agent_remove("a").await.unwrap();
    let is_found = |file: &str| {
        let bytes = std::fs::read(folder.path().join(file)).unwrap_or_default();
        bytes.windows(22).any(|bytes| bytes == b"the-customer-said-this")
    };
    // Not only once the server ends, which may be in a year, or be killed.
    assert!(!is_found("handpick.db-wal"));
    assert!(!is_found("handpick.db"));
    store.close().await;
    assert!(!is_found("handpick.db"));
}

/// Names the folder that a child process fills until it is killed.
const CHILD_FOLDER: &str = "HANDPICK_TEST_KILLED_IN";

/// T8, T18: what was acknowledged survives a process that is killed right after.
#[tokio::test]
async fn t8_a_killed_process_loses_nothing_acknowledged() {
    if let Some(folder) = std::env::var_os(CHILD_FOLDER) {
        return fill_until_killed(folder.as_ref()).await;
    }
    let folder = tempfile::tempdir().unwrap();
    for round in 1..=3 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "agents::t8_a_killed_process_loses_nothing_acknowledged",
                "--exact",
                "--nocapture",
            ])
            .env(CHILD_FOLDER, folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let acknowledged = lines.find(|line| line.as_ref().unwrap().contains("acknowledged"));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(acknowledged.is_some());
        let store = Store::open(folder.path()).await.unwrap();
        let json = store.agent_catalog_load("killed").await.unwrap().unwrap();
        assert_eq!(json.len(), 2_000_000);
        assert_eq!(conversations(&store, "killed").await.len(), round);
        assert_eq!(
            store.agent_vectors_load("killed", "e").await.unwrap().len(),
            round
        );
        store.close().await;
    }
}

async fn fill_until_killed(folder: &std::path::Path) {
    let store = Store::open(folder).await.unwrap();
    let nth = u8::try_from(conversations(&store, "killed").await.len()).unwrap();
    store
        .agent_catalog_save("killed", &"x".repeat(2_000_000), 1)
        .await
        .unwrap();
    let vectors = [(digest(nth), vec![nth])];
    store.agent_vectors_save("killed", "e", &vectors).await.unwrap();
    let told = [conversation(&nth.to_string(), &"y".repeat(300_000))];
    store
        .agent_conversations_save("killed", &told, &[], 1)
        .await
        .unwrap();
    let mut output = std::io::stdout();
    writeln!(output, "acknowledged").unwrap();
    std::thread::sleep(std::time::Duration::from_secs(60));
}
