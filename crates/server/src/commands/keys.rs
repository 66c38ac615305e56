//! `handpick keys`: which keys open the gateway?

use std::path::{Path, PathBuf};

use anyhow::bail;
use handpick_operations::runtime::now_ms;
use handpick_store::{KeyRow, Store};
use serde_json::json;

use crate::args::{KeysAction, KeysArgs};
use crate::settings::resolve;
use crate::terminal::{Paint, say};
use crate::wire::{create_key, data_folder};

/// Makes, lists or revokes keys in the data folder; a running gateway notices within seconds.
pub async fn run(args: KeysArgs) -> anyhow::Result<()> {
    let configured = match &args.data {
        Some(folder) => Some(folder.clone()),
        None => configured_folder(args.config.as_deref())?,
    };
    let folder = data_folder(configured.as_deref(), None)?;
    let store = Store::open(&folder).await?;
    match args.action {
        KeysAction::Create { label, scopes, roles } => {
            let (id, text) = create_key(&store, &label, scopes, &roles).await?;
            if args.json {
                say(json!({"id": id, "key": text}));
            } else {
                say(&text);
                // A key made in another folder than the gateway's opens nothing.
                crate::terminal::note(format!(
                    "key {id} of {}: shown only now, stored only as a hash; a running gateway knows it within seconds",
                    folder.display()
                ));
            }
        }
        KeysAction::List => list(&store.key_list().await?, &folder, args.json),
        KeysAction::Revoke { id } => {
            if !store.key_revoke(&id, now_ms()).await? {
                bail!(
                    "no good key in {} has the id `{id}`; `handpick keys list` shows them",
                    folder.display()
                );
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

/// The data folder that the settings name: keys made elsewhere would open nothing.
fn configured_folder(config: Option<&Path>) -> anyhow::Result<Option<PathBuf>> {
    let default = Path::new(resolve::FILE_DEFAULT);
    match config.or_else(|| default.exists().then_some(default)) {
        Some(file) => Ok(resolve::read_toml(file)?.0.data),
        None => Ok(None),
    }
}

fn list(keys: &[KeyRow], folder: &Path, as_json: bool) {
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
        return say(format!(
            "no keys in {} yet: `handpick keys create` makes one",
            folder.display()
        ));
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
        let line = format!(
            "{}  {state}  {:20} {}  {roles}",
            paint.cyan(&key.id),
            scopes.join(","),
            key.label
        );
        say(line.trim_end());
    }
}
