//! Do cached catalogs come back byte for byte?

use handpick_store::{CachedCatalog, Store};

fn catalog(server: &str, tools_json: &str) -> CachedCatalog {
    CachedCatalog {
        server: server.into(),
        settings_digest: "digest".into(),
        era: None,
        transport: None,
        tools_json: tools_json.into(),
        server_info_json: None,
        fetched_at_ms: 1,
    }
}

pub async fn bytes_survive(store: &Store) {
    assert_eq!(store.catalog_load_all().await.unwrap(), []);
    let texts = [
        "[]".to_owned(),
        String::new(),
        r#"[ {"name":"t", "inputSchema":{"x":1.0e2,"x":2},"z":"\u0000 \ud83d\ude00"} ]"#.to_owned(),
        "[{\"description\":\"línea\\n読取 🦀\u{feff}\"}]\n".to_owned(),
        format!("[{}]", vec![r#"{"name":"long"}"#; 200_000].join(",")),
    ];
    let mut expected = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let saved = catalog(&format!("server-{index}"), text);
        store.catalog_save(&saved).await.unwrap();
        expected.push(saved);
    }
    assert!(store.catalog_load_all().await.unwrap() == expected);
}

pub async fn the_last_save_counts(store: &Store) {
    store.catalog_save(&catalog("b", "[1]")).await.unwrap();
    store.catalog_save(&catalog("a", "[2]")).await.unwrap();
    let full = CachedCatalog {
        server: "b".into(),
        settings_digest: "another".into(),
        era: Some("2026-07-28".into()),
        transport: Some("sse".into()),
        tools_json: "[3]".into(),
        server_info_json: Some(r#"{"name":"b"}"#.into()),
        fetched_at_ms: 99,
    };
    store.catalog_save(&full).await.unwrap();
    let both = [catalog("a", "[2]"), full];
    assert_eq!(store.catalog_load_all().await.unwrap(), both);
    // What is no longer known is forgotten, not left over from the save before.
    store.catalog_save(&catalog("b", "[4]")).await.unwrap();
    let both = [catalog("a", "[2]"), catalog("b", "[4]")];
    assert_eq!(store.catalog_load_all().await.unwrap(), both);
}

pub async fn removal_is_told(store: &Store) {
    store.catalog_save(&catalog("a", "[]")).await.unwrap();
    assert!(store.catalog_remove("a").await.unwrap());
    assert!(!store.catalog_remove("a").await.unwrap());
    assert!(!store.catalog_remove("A").await.unwrap());
    assert_eq!(store.catalog_load_all().await.unwrap(), []);
}
