//! Which keys open the gateway, and as whom?

use handpick_access::NewKey;
use handpick_domain::Scope;
use handpick_operations::{KeyRing, authenticate};
use handpick_store::NewKeyRow;

use crate::deployment::{KEY, OFFICER_KEY, Plan, READ_KEY};

/// A key gives its scopes and roles; the user is whom the caller names.
#[tokio::test]
async fn keys_give_scopes_and_roles() {
    let runtime = Plan::new().start().await.runtime;
    let admin = authenticate(&runtime, KEY, None).unwrap();
    assert!(admin.may(Scope::Execute) && admin.roles.is_empty() && admin.user_id.is_none());
    let officer = authenticate(&runtime, OFFICER_KEY, Some("u-1")).unwrap();
    assert!(officer.roles.contains("officer") && !officer.may(Scope::Admin));
    assert_eq!(officer.user_id.as_deref(), Some("u-1"));
    assert!(
        !authenticate(&runtime, READ_KEY, None)
            .unwrap()
            .may(Scope::Execute)
    );
    for wrong in ["", " ", "test-ke", "test-key ", "TEST-KEY", "officer", "\u{0}"] {
        assert!(authenticate(&runtime, wrong, None).is_none(), "{wrong:?}");
    }
}

/// A revoked key is out after the next look, a new one is in, and fixed keys stay whatever is stored.
#[tokio::test]
async fn keys_come_and_go() {
    let runtime = Plan::new().start().await.runtime;
    let key = NewKey::from_secret([7; 32]);
    let row = NewKeyRow {
        hash: key.hash.0,
        id: key.hash.id(),
        label: String::new(),
        scopes: [Scope::Read].into(),
        roles: Default::default(),
        created_at_ms: 0,
    };
    runtime.store.key_insert(row).await.unwrap();
    assert!(authenticate(&runtime, &key.text, None).is_none());
    runtime.keys.refresh(&runtime.store).await.unwrap();
    assert!(authenticate(&runtime, &key.text, None).is_some());
    runtime.store.key_revoke(&key.hash.id(), 1).await.unwrap();
    runtime.keys.refresh(&runtime.store).await.unwrap();
    assert!(authenticate(&runtime, &key.text, None).is_none());
    assert!(authenticate(&runtime, KEY, None).is_some());
}

/// A store that cannot be read keeps the keys known before.
#[tokio::test]
async fn a_closed_store_locks_nobody_out() {
    let runtime = Plan::new().start().await.runtime;
    runtime.store.close().await;
    assert!(runtime.keys.refresh(&runtime.store).await.is_err());
    assert!(authenticate(&runtime, OFFICER_KEY, None).is_some());
    assert!(!runtime.keys.is_empty());
    assert!(KeyRing::new(&[]).is_empty());
}
