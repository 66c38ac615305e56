//! Are API keys kept as they were given, and revoked for good?

use std::collections::BTreeSet;

use handpick_domain::Scope;
use handpick_store::{KeyRow, NewKeyRow, Store, StoreError};

fn key(number: u8, created_at_ms: i64) -> NewKeyRow {
    NewKeyRow {
        hash: [number; 32],
        id: format!("key{number}"),
        label: format!("laptop of Zoë \" ' {number}"),
        scopes: [Scope::Read, Scope::Execute].into(),
        roles: ["ops, nights".to_owned(), "本番".to_owned()].into(),
        created_at_ms,
    }
}

fn listed(key: NewKeyRow, revoked_at_ms: Option<i64>) -> KeyRow {
    KeyRow {
        hash: key.hash,
        id: key.id,
        label: key.label,
        scopes: key.scopes,
        roles: key.roles,
        created_at_ms: key.created_at_ms,
        revoked_at_ms,
    }
}

pub async fn what_is_inserted_is_listed(store: &Store) {
    assert_eq!(store.key_list().await.unwrap(), []);
    let bare = NewKeyRow {
        label: String::new(),
        scopes: BTreeSet::new(),
        roles: BTreeSet::new(),
        ..key(3, 5)
    };
    let all_scopes = NewKeyRow {
        scopes: [Scope::Read, Scope::Execute, Scope::Admin].into(),
        ..key(1, 20)
    };
    for row in [all_scopes.clone(), key(2, 10), bare.clone()] {
        store.key_insert(row).await.unwrap();
    }
    let expected = [bare, key(2, 10), all_scopes].map(|key| listed(key, None));
    assert_eq!(store.key_list().await.unwrap(), expected);
}

pub async fn revoked_keys_stay_listed(store: &Store) {
    store.key_insert(key(1, 1)).await.unwrap();
    store.key_insert(key(2, 2)).await.unwrap();
    assert!(store.key_revoke("key1", 70).await.unwrap());
    assert!(!store.key_revoke("key1", 80).await.unwrap(), "revoked before");
    assert!(!store.key_revoke("nobody", 80).await.unwrap());
    assert!(!store.key_revoke("' OR 1 = 1 --", 80).await.unwrap());
    let expected = [listed(key(1, 1), Some(70)), listed(key(2, 2), None)];
    assert_eq!(store.key_list().await.unwrap(), expected);
}

pub async fn a_key_exists_once(store: &Store) {
    store.key_insert(key(1, 1)).await.unwrap();
    store.key_revoke("key1", 2).await.unwrap();
    let same_hash = NewKeyRow {
        id: "other".into(),
        ..key(1, 1)
    };
    let same_id = NewKeyRow {
        hash: [9; 32],
        ..key(1, 1)
    };
    for (again, id) in [(key(1, 1), "key1"), (same_hash, "other"), (same_id, "key1")] {
        let error = store.key_insert(again).await.unwrap_err();
        assert!(
            matches!(&error, StoreError::KeyExists { id: named } if named == id),
            "{error}"
        );
    }
    assert_eq!(store.key_list().await.unwrap().len(), 1);
}
