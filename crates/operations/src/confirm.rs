//! Does the person agree to this call?

use handpick_access::{Confirmation, Denial, Permit};
use handpick_domain::Tool;
use handpick_protocol::json::to_raw;
use handpick_upstream::{Client, Question, Unasked};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::time::timeout;

use crate::Runtime;
use crate::shown::shown;

/// The key of the question among those of one round.
const KEY: &str = "confirm";

/// Asks the person behind `client` whether this call may run (P4). No word within
/// [`person_wait`](crate::Options::person_wait) is no.
pub(crate) async fn confirm(
    runtime: &Runtime,
    waiting: Confirmation,
    arguments: &RawValue,
    client: Option<&dyn Client>,
) -> Result<Permit, Denial> {
    let question = question(waiting.tool(), arguments);
    let Some(client) =
        client.filter(|client| client.capabilities().offers(&question.method, &question.params))
    else {
        return Err(waiting.nobody_to_ask());
    };
    match timeout(runtime.options.person_wait, client.ask(vec![question])).await {
        Err(_) | Ok(Err(Unasked::Gone)) => Err(waiting.unanswered()),
        Ok(Err(Unasked::NotOffered)) => Err(waiting.nobody_to_ask()),
        Ok(Ok(replies)) => match replies.into_iter().next() {
            Some(Ok(reply)) if accepts(&reply) => Ok(waiting.agreed()),
            Some(Ok(_)) => Err(waiting.declined()),
            Some(Err(_)) | None => Err(waiting.nobody_to_ask()),
        },
    }
}

/// A form without fields: what counts is whether it is sent off.
fn question(tool: &Tool, arguments: &RawValue) -> Question {
    let what = match tool.annotations.destructive_hint {
        Some(true) => "It may change or delete something for good.",
        _ => "It does not say whether it changes or deletes something.",
    };
    let message = format!(
        "May the assistant run {}?\n{}\n{what}\nArguments: {}",
        tool.name,
        shown(tool.first_line()),
        shown(arguments.get()),
    );
    Question {
        key: KEY.to_owned(),
        method: "elicitation/create".to_owned(),
        params: to_raw(&json!({
            "mode": "form",
            "message": message,
            "requestedSchema": {"type": "object", "properties": {}},
        })),
    }
}

fn accepts(reply: &RawValue) -> bool {
    #[derive(Deserialize)]
    struct Peek {
        action: String,
    }
    serde_json::from_str::<Peek>(reply.get()).is_ok_and(|peek| peek.action == "accept")
}
