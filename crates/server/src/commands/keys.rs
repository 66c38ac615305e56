//! `handpick keys`: which keys open the gateway?

use anyhow::bail;
use handpick_operations::runtime::now_ms;
use handpick_store::{KeyRow, Store};
use serde_json::json;

use crate::args::{KeysAction, KeysArgs};
use crate::terminal::{Paint, say};
use crate::wire::{create_key, data_folder};

/// Makes, lists or revokes keys in the data folder; a running gateway notices within seconds.
pub async fn run(args: KeysArgs) -> anyhow::Result<()> {
    let store = Store::open(&data_folder(args.data.as_deref(), None)?).await?;
    match args.action {
        KeysAction::Create { label, scopes, roles } => {
            let (id, text) = create_key(&store, &label, scopes, &roles).await?;
            if args.json {
                say(json!({"id": id, "key": text}));
            } else {
                say(&text);
                crate::terminal::note(format!("key {id}: shown only now, stored only as a hash"));
            }
        }
        KeysAction::List => list(&store.key_list().await?, args.json),
        KeysAction::Revoke { id } => {
            if !store.key_revoke(&id, now_ms()).await? {
                bail!("no key has the id `{id}`, or it is revoked already; `handpick keys list` shows them");
            }
            if args.json {
                say(json!({"id": id, "revoked": true}));
            } else {
                say(format!("key {id} is revoked"));
            }
        }
    }
    store.close().await;
    Ok(())
}

fn list(keys: &[KeyRow], as_json: bool) {
    if as_json {
        let rows: Vec<_> = keys
            .iter()
            .map(|key| {
                json!({"id": key.id, "label": key.label, "scopes": key.scopes, "roles": key.roles,
                       "created_at_ms": key.created_at_ms, "revoked_at_ms": key.revoked_at_ms})
            })
            .collect();
        return say(json!({"keys": rows}));
    }
    let paint = Paint::for_stdout();
    if keys.is_empty() {
        return say("no keys yet: `handpick keys create` makes one");
    }
    for key in keys {
        let scopes: Vec<String> = key
            .scopes
            .iter()
            .map(|scope| format!("{scope:?}").to_lowercase())
            .collect();
        let roles = key.roles.iter().cloned().collect::<Vec<_>>().join(",");
        let state = if key.revoked_at_ms.is_some() {
            paint.red("revoked")
        } else {
            paint.green("good   ")
        };
        let roles = if roles.is_empty() {
            String::new()
        } else {
            format!("roles {roles}")
        };
        say(format!(
            "{}  {state}  {:20} {}  {roles}",
            paint.cyan(&key.id),
            scopes.join(","),
            key.label
        ));
    }
}
