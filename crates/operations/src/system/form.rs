//! What does the person say to these fields?

mod fields;
mod secrets;

use handpick_protocol::json::to_raw;
use handpick_upstream::{Question, Unasked};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use tokio::time::timeout;

use super::{Answered, SystemCall, no_such_tool};
use crate::Runtime;
use crate::limits::{FORM_FIELDS_MAX, FORM_MESSAGE_CHARS, FORM_OPTIONS_MAX};
use crate::shown::shown;
use fields::{Field, Form};

/// The key of the question among those of one round.
const KEY: &str = "form";

/// What the model should do where the person cannot be asked by a form.
const IN_WORDS: &str = "ask the person in your own words instead and wait for the answer";

pub(super) fn definitions() -> Vec<Value> {
    vec![json!({
        "name": "ask",
        "title": "Ask the person",
        "description": format!(
            "Ask the person you work for to fill in a short form, and wait for the answer.\nUse it when you need values \
             or a choice that nothing else tells you: 1 to {FORM_FIELDS_MAX} fields of text, numbers, yes or no, or one \
             of several options. The person may decline or close it; do not ask the same again then. Never ask for \
             passwords, keys or card numbers: such fields are refused. Works only where the person's program can show \
             forms."
        ),
        "inputSchema": {
            "type": "object",
            "properties": {
                "message": {"type": "string", "minLength": 1, "maxLength": FORM_MESSAGE_CHARS, "description": "What you need and what for, said to the person."},
                "fields": {
                    "type": "array",
                    "minItems": 1,
                    "maxItems": FORM_FIELDS_MAX,
                    "items": {
                        "type": "object",
                        "properties": {
                            "name": {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]{0,63}$", "description": "The key of the answer, such as `due_date`."},
                            "title": {"type": "string", "maxLength": 200, "description": "What the person reads above the field."},
                            "description": {"type": "string", "maxLength": 1000, "description": "What the person reads beside it."},
                            "type": {"type": "string", "enum": ["string", "number", "integer", "boolean", "enum"], "description": "`enum` is one of `options`."},
                            "options": {"type": "array", "minItems": 1, "maxItems": FORM_OPTIONS_MAX, "items": {"type": "string", "minLength": 1, "maxLength": 200}, "description": "What an `enum` can be."},
                            "required": {"type": "boolean", "default": false, "description": "Whether the person must fill it in."},
                            "format": {"type": "string", "enum": ["email", "uri", "date", "date-time"], "description": "What a `string` must look like."}
                        },
                        "required": ["name", "type"],
                        "additionalProperties": false
                    }
                }
            },
            "required": ["message", "fields"],
            "additionalProperties": false
        },
        "annotations": {"readOnlyHint": true, "idempotentHint": false, "openWorldHint": true}
    })]
}

#[derive(Deserialize)]
struct Ask {
    message: String,
    fields: Vec<Field>,
}

pub(super) async fn run(runtime: &Runtime, call: &SystemCall<'_>) -> Answered {
    match call.tool() {
        "ask" => ask(runtime, call).await,
        _ => Err(no_such_tool(call)),
    }
}

async fn ask(runtime: &Runtime, call: &SystemCall<'_>) -> Answered {
    let Ask { message, fields } = call.read()?;
    let length = message.chars().count();
    if message.trim().is_empty() || length > FORM_MESSAGE_CHARS {
        return Err(format!(
            "invalid arguments: `message` must be 1 to {FORM_MESSAGE_CHARS} characters, not {length}"
        ));
    }
    let form = Form::new(&fields).map_err(|told| format!("invalid arguments: {told}"))?;
    let question = Question {
        key: KEY.to_owned(),
        method: "elicitation/create".to_owned(),
        params: to_raw(&json!({"mode": "form", "message": message, "requestedSchema": form.schema()})),
    };
    let cannot = || format!("not asked: the person's program cannot show forms; {IN_WORDS}");
    let Some(client) = call
        .client
        .filter(|client| client.capabilities().offers(&question.method, &question.params))
    else {
        return Err(cannot());
    };
    let wait = runtime.options.person_wait;
    match timeout(wait, client.ask(vec![question])).await {
        Err(_) => Err(format!(
            "no answer: the person did not answer within {} seconds; go on without it, or {IN_WORDS}",
            wait.as_secs()
        )),
        Ok(Err(Unasked::NotOffered)) => Err(cannot()),
        Ok(Err(Unasked::Gone)) => {
            Err("no answer: the person's program went away before it answered".to_owned())
        }
        Ok(Ok(replies)) => match replies.into_iter().next() {
            Some(Ok(reply)) => said(&form, &reply),
            Some(Err(error)) => Err(format!(
                "not asked: the person's program answered with an error ({}); {IN_WORDS}",
                shown(&error.message)
            )),
            None => Err(cannot()),
        },
    }
}

/// Reads what the person did with the form; what they filled in must fit it.
fn said(form: &Form, reply: &RawValue) -> Answered {
    #[derive(Deserialize)]
    struct Reply {
        action: String,
        #[serde(default)]
        content: Option<Map<String, Value>>,
    }
    let odd = || "no answer: the person's program sent one that cannot be read".to_owned();
    let reply: Reply = serde_json::from_str(reply.get()).map_err(|_| odd())?;
    match reply.action.as_str() {
        "accept" => {
            let content = form.check(reply.content.unwrap_or_default()).map_err(|told| {
                format!("no usable answer: what came back does not fit the form: {told}; {IN_WORDS}")
            })?;
            Ok(json!({"action": "accept", "content": content}))
        }
        action @ ("decline" | "cancel") => Ok(json!({"action": action})),
        _ => Err(odd()),
    }
}
