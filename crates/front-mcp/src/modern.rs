//! How are stateless clients of 2026-07-28 served?

use std::sync::Arc;

use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::{StreamExt as _, stream};
use handpick_operations::shown::shown;
use handpick_protocol::version::{META_SUBSCRIPTION_ID, MODERN};
use handpick_protocol::{Era, Message, RpcError, notification};
use serde_json::json;
use serde_json::value::RawValue;

use crate::error::{
    header_mismatch, invalid_params, missing_metadata, modern_status, not_a_request, unsupported_version,
};
use crate::http::{self, Asked, PROTOCOL_VERSION};
use crate::list_changes::ListChanges;
use crate::methods::respond;
use crate::params::AnyParams;
use crate::reply;

/// Answers one message of a modern client.
pub(crate) async fn receive(asked: Asked, message: Message<'_>) -> Response {
    let Some(method) = message.method.as_deref() else {
        let error = not_a_request("responses are not accepted; input goes into a retried request");
        return reply::rpc_error(StatusCode::BAD_REQUEST, message.id, &error);
    };
    let Some(id) = message.request_id() else {
        return reply::empty(StatusCode::ACCEPTED);
    };
    let params = AnyParams::read(message.params);
    if let Err(error) = check_metadata(&asked.headers, method, &params) {
        return reply::rpc_error(StatusCode::BAD_REQUEST, Some(id), &error);
    }
    let Some(view) = http::open_view(&asked, Era::Modern) else {
        return reply::empty(StatusCode::NOT_FOUND);
    };
    match method {
        "tools/call" => http::call(&asked, view, id, message.params, None).await,
        "subscriptions/listen" => subscribe(asked, id, &params),
        _ => {
            let outcome = respond(&view, method, message.params);
            let status = outcome.as_ref().err().map_or(StatusCode::OK, modern_status);
            reply::json(status, reply::response_text(id, &outcome))
        }
    }
}

/// What the revision requires of each request: its metadata, and headers that say the same.
fn check_metadata(headers: &HeaderMap, method: &str, params: &AnyParams<'_>) -> Result<(), RpcError> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let Some((version, complete)) = params.modern_version() else {
        return Err(missing_metadata());
    };
    match text(PROTOCOL_VERSION) {
        Some(header) if header == version => {}
        Some(header) => {
            return Err(header_mismatch(&format!(
                "MCP-Protocol-Version is `{header}`, the body says `{}`",
                shown(&version)
            )));
        }
        None => return Err(header_mismatch("MCP-Protocol-Version is missing")),
    }
    if version != MODERN {
        return Err(unsupported_version(&version));
    }
    if !complete {
        return Err(missing_metadata());
    }
    match text("mcp-method") {
        Some(header) if header == method => {}
        Some(header) => {
            return Err(header_mismatch(&format!(
                "Mcp-Method is `{header}`, the body says `{}`",
                shown(method)
            )));
        }
        None => return Err(header_mismatch("Mcp-Method is missing")),
    }
    if method == "tools/call" {
        check_name(text("mcp-name"), params.name)
    } else {
        Ok(())
    }
}

fn check_name(header: Option<&str>, name: Option<&RawValue>) -> Result<(), RpcError> {
    let name: String = name
        .and_then(|name| serde_json::from_str(name.get()).ok())
        .ok_or_else(|| invalid_params("`name` must be a string naming a tool"))?;
    let header = header.ok_or_else(|| header_mismatch("Mcp-Name is missing"))?;
    match decode(header) {
        Some(decoded) if decoded == name => Ok(()),
        _ => Err(header_mismatch(&format!(
            "Mcp-Name is `{header}`, the body says `{}`",
            shown(&name)
        ))),
    }
}

/// A header value, out of the base64 wrapping that text beyond ASCII travels in.
fn decode(value: &str) -> Option<String> {
    match value
        .strip_prefix("=?base64?")
        .and_then(|rest| rest.strip_suffix("?="))
    {
        None => Some(value.to_owned()),
        Some(encoded) => String::from_utf8(STANDARD.decode(encoded).ok()?).ok(),
    }
}

/// `subscriptions/listen`: a stream that tells when the tool list changed.
fn subscribe(asked: Asked, id: &RawValue, params: &AnyParams<'_>) -> Response {
    let wanted = wants_tool_changes(params.notifications);
    let acknowledged = acknowledgement(id, wanted);
    let id = id.to_owned();
    let runtime = Arc::clone(&asked.front.runtime);
    let current = http::open(&asked);
    let changes = ListChanges::new(&runtime, current.as_deref(), None, move || http::open(&asked));
    let rest = stream::unfold((changes, id), move |(mut changes, id)| async move {
        if !wanted {
            std::future::pending::<()>().await;
        }
        let changed = changes.next().await;
        changed.then(|| (list_changed(&id), (changes, id)))
    });
    reply::events(stream::iter([acknowledged]).chain(rest))
}

/// Whether a subscription filter asks for tool list changes.
pub(crate) fn wants_tool_changes(filter: Option<&RawValue>) -> bool {
    filter
        .and_then(|filter| serde_json::from_str::<serde_json::Value>(filter.get()).ok())
        .is_some_and(|filter| filter["toolsListChanged"] == true)
}

/// The first message of a subscription: what will be delivered.
pub(crate) fn acknowledgement(id: &RawValue, tool_changes: bool) -> String {
    let notifications = if tool_changes {
        json!({"toolsListChanged": true})
    } else {
        json!({})
    };
    let params = json!({"_meta": {META_SUBSCRIPTION_ID: id}, "notifications": notifications});
    notification(
        "notifications/subscriptions/acknowledged",
        Some(&params.to_string()),
    )
}

/// The message that the tool list changed, under its subscription.
pub(crate) fn list_changed(id: &RawValue) -> String {
    let params = json!({"_meta": {META_SUBSCRIPTION_ID: id}});
    notification("notifications/tools/list_changed", Some(&params.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_header_values_are_unwrapped() {
        assert_eq!(decode("app_tool").as_deref(), Some("app_tool"));
        assert_eq!(
            decode("=?base64?SGVsbG8sIOS4lueVjA==?=").as_deref(),
            Some("Hello, 世界")
        );
        assert_eq!(decode("=?base64?***?="), None);
    }
}
