//! Which MCP methods are answered, and how?

use std::sync::Arc;
use std::time::Duration;

use handpick_domain::Caller;
use handpick_operations::answer::{AgentCall, Answer, answer};
use handpick_operations::{Client, Joined, Opened, Runtime};
use handpick_presentation::{Mode, Promoted, list_page};
use handpick_protocol::json::{raw, to_raw, with_member};
use handpick_protocol::version::META_SNAPSHOT;
use handpick_protocol::{ClientCapabilities, Era, RpcError};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::mpsc;

use crate::error::{invalid_params, unknown_method, unknown_tool};
use crate::front::LIST_TTL;
use crate::greeting;
use crate::ongoing::Retry;
use crate::params::{AnyParams, CallParams, Meta};
use crate::suspended::Binding;

/// What a request is answered from, whatever carried it.
#[derive(Clone)]
pub struct View {
    /// The era the client speaks.
    pub era: Era,
    /// Who asks.
    pub caller: Arc<Caller>,
    /// What they see.
    pub opened: Arc<Opened>,
    /// The on-demand tools that have joined.
    pub joined: Arc<Joined>,
    /// Whether they stand in the list, too: only a session's list may grow (R15, R16).
    pub list_grows: bool,
    /// How long a stateless client may keep lists.
    pub ttl: Duration,
}

/// How long a list made from now on may be kept. Ask before opening its surface: while servers are still
/// missing it is about to grow.
pub(crate) fn list_ttl(runtime: &Runtime) -> Duration {
    if runtime.is_settled() {
        LIST_TTL
    } else {
        Duration::ZERO
    }
}

/// Answers every request except `tools/call` and those that open a connection or a stream.
pub fn respond(view: &View, method: &str, params: Option<&RawValue>) -> Result<Box<RawValue>, RpcError> {
    match (method, view.era) {
        ("ping", Era::Legacy) => Ok(raw("{}".to_owned())),
        ("tools/list", _) => list_tools(view, params),
        ("server/discover", Era::Modern) => Ok(greeting::discover_result(&view.opened, view.ttl)),
        _ => Err(unknown_method(method)),
    }
}

fn list_tools(view: &View, params: Option<&RawValue>) -> Result<Box<RawValue>, RpcError> {
    let bad_cursor = || invalid_params("`cursor` is not one that tools/list gave out");
    let cursor: Option<String> = AnyParams::read(params)
        .cursor
        .map(|cursor| serde_json::from_str(cursor.get()).map_err(|_| bad_cursor()))
        .transpose()?;
    let opened = &*view.opened;
    let promoted = match view.list_grows {
        true => view.joined.promoted(),
        false => Promoted::default(),
    };
    let page = list_page(
        &opened.surface,
        opened.mode,
        &opened.gateway,
        &promoted,
        cursor.as_deref(),
    );
    let page = page.map_err(|_| bad_cursor())?;
    let mut result = json!({"tools": page.tools});
    if let Some(cursor) = page.next_cursor {
        result["nextCursor"] = json!(cursor);
    }
    if view.era == Era::Modern {
        result["resultType"] = json!("complete");
        result["ttlMs"] = json!(view.ttl.as_millis());
        result["cacheScope"] = json!("private");
        result["_meta"] = json!({META_SNAPSHOT: opened.snapshot()});
    }
    Ok(to_raw(&result))
}

/// A `tools/call`, read and ready to run.
pub struct PreparedCall {
    name: String,
    arguments: Option<Arc<RawValue>>,
    meta: Option<Box<RawValue>>,
    /// What a stateless client declared with it.
    pub(crate) capabilities: ClientCapabilities,
    /// What a stateless client that was asked brings back.
    pub(crate) retry: Option<Retry>,
    /// The caller's progress token, as raw JSON.
    pub progress_token: Option<Box<RawValue>>,
}

impl PreparedCall {
    /// Reads the parameters of a `tools/call`, as the era knows them.
    pub fn read(params: Option<&RawValue>, era: Era) -> Result<Self, RpcError> {
        let params = CallParams::read(params)?;
        let retry = match era {
            Era::Modern => params.retry()?,
            Era::Legacy => None,
        };
        let meta = Meta::read(params.meta);
        Ok(Self {
            name: params.name.into_owned(),
            arguments: params.arguments.map(|arguments| arguments.to_owned().into()),
            meta: meta.forwarded,
            capabilities: meta.capabilities,
            retry,
            progress_token: meta.progress_token,
        })
    }

    /// What a retry of this call must have in common with it.
    pub(crate) fn binding(&self, view: &View) -> Binding {
        Binding {
            gateway: view.opened.gateway.name.clone(),
            key_id: view.caller.key_id.clone(),
            user_id: view.caller.user_id.clone(),
            name: self.name.clone(),
            arguments: self.arguments.clone(),
        }
    }

    /// Bytes of the metadata that it takes along.
    pub(crate) fn meta_bytes(&self) -> usize {
        self.meta.as_ref().map_or(0, |meta| meta.get().len())
    }

    /// Runs the call. Progress of the tool goes to `progress`, questions of it to `client`; dropping the future
    /// cancels the call.
    pub async fn run(
        self,
        runtime: Arc<Runtime>,
        view: View,
        progress: Option<mpsc::UnboundedSender<Box<RawValue>>>,
        client: Option<Arc<dyn Client>>,
    ) -> Result<Box<RawValue>, RpcError> {
        let call = AgentCall {
            opened: &view.opened,
            joined: &view.joined,
            caller: &view.caller,
            name: &self.name,
            arguments: self.arguments.as_deref(),
            meta: self.meta,
            progress,
            client,
        };
        match answer(&runtime, call).await {
            Answer::Result(result) => Ok(for_era(result, view.era)),
            Answer::Found(result) if view.era == Era::Modern => {
                Ok(for_era(with_snapshot(&result, view.opened.snapshot()), view.era))
            }
            Answer::Found(result) => Ok(result),
            Answer::Rpc(error) => Err(error),
            Answer::UnknownTool(name) => Err(unknown_tool(&name, calling_hint(view.opened.mode))),
        }
    }
}

/// What to do instead of calling a tool by its own name.
fn calling_hint(mode: Mode) -> Option<&'static str> {
    match mode {
        Mode::Direct | Mode::Recommend => None,
        Mode::Discovery => Some("tools found with discover_tools are run with execute_tool"),
        Mode::Unified => Some("say what you want done with unified_tool"),
        Mode::Progressive => Some("tools found with arc_search_tools are run with arc_call_tool"),
    }
}

/// A result of our own, with the snapshot it was found in (P14).
fn with_snapshot(result: &RawValue, snapshot: &str) -> Box<RawValue> {
    let meta = json!({META_SNAPSHOT: snapshot}).to_string();
    with_member(result.get(), "_meta", &meta).unwrap_or_else(|| result.to_owned())
}

/// A modern client wants to be told that a result is complete. Everything else stays as the tool's
/// server spelled it.
pub(crate) fn for_era(result: Box<RawValue>, era: Era) -> Box<RawValue> {
    #[derive(Deserialize)]
    struct Peek<'a> {
        #[serde(borrow, default, rename = "resultType")]
        result_type: Option<&'a RawValue>,
    }
    if era == Era::Legacy {
        return result;
    }
    let text = result.get();
    let told = text.contains("\"resultType\"")
        && serde_json::from_str::<Peek<'_>>(text).is_ok_and(|peek| peek.result_type.is_some());
    match text.strip_prefix('{') {
        Some(rest) if !told => {
            let comma = if rest.trim_start().starts_with('}') {
                ""
            } else {
                ","
            };
            raw(format!(r#"{{"resultType":"complete"{comma}{rest}"#))
        }
        _ => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(result: &str, era: Era, expected: &str) {
        assert_eq!(for_era(raw(result.to_owned()), era).get(), expected);
    }

    #[test]
    fn results_are_marked_complete_for_modern_clients_only() {
        check(
            r#"{"content":[], "x":1.0}"#,
            Era::Modern,
            r#"{"resultType":"complete","content":[], "x":1.0}"#,
        );
        check("{ }", Era::Modern, r#"{"resultType":"complete" }"#);
        check(
            r#"{"resultType":"input_required"}"#,
            Era::Modern,
            r#"{"resultType":"input_required"}"#,
        );
        check(
            r#"{"content":[{"text":"\"resultType\""}]}"#,
            Era::Modern,
            r#"{"resultType":"complete","content":[{"text":"\"resultType\""}]}"#,
        );
        check(r#"{"content":[]}"#, Era::Legacy, r#"{"content":[]}"#);
    }
}
