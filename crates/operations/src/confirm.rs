//! Does the person agree to this call?

use handpick_access::{Confirmation, Denial, Permit};
use handpick_domain::Tool;
use handpick_protocol::json::to_raw;
use handpick_upstream::{Client, Question, Unasked};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::Runtime;
use crate::shown::shown;

/// Characters of one argument that the person reads; of a longer one the beginning and the length.
const ARGUMENT_CHARS: usize = 400;
/// Characters of all arguments together; a call with more cannot be judged by anybody, and is not run.
const ARGUMENTS_CHARS: usize = 6_000;

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
    let Some(question) = question(waiting.tool(), arguments) else {
        return Err(waiting.too_large());
    };
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
fn question(tool: &Tool, arguments: &RawValue) -> Option<Question> {
    let what = match tool.annotations.destructive_hint {
        Some(true) => "It may change or delete something for good.",
        _ => "It does not say whether it changes or deletes something.",
    };
    let message = format!(
        "May the assistant run {}?\n{}\n{what}\n{}",
        tool.name,
        shown(tool.first_line()),
        told(arguments)?,
    );
    Some(Question {
        key: KEY.to_owned(),
        method: "elicitation/create".to_owned(),
        params: to_raw(&json!({
            "mode": "form",
            "message": message,
            "requestedSchema": {"type": "object", "properties": {}},
        })),
    })
}

/// Every argument on a line of its own, so that none hides behind another.
fn told(arguments: &RawValue) -> Option<String> {
    let read: Value = serde_json::from_str(arguments.get()).ok()?;
    let members = read.as_object()?;
    if members.is_empty() {
        return Some("It takes no arguments.".to_owned());
    }
    let mut text = "Arguments:".to_owned();
    for (name, value) in members {
        let value = value.to_string();
        let length = value.chars().count();
        let beginning: String = value.chars().take(ARGUMENT_CHARS).collect();
        let rest = match length > ARGUMENT_CHARS {
            true => format!("… ({length} characters in all)"),
            false => String::new(),
        };
        // As JSON, so that a name cannot pass for a line of its own.
        text.push_str(&format!("\n{}: {beginning}{rest}", Value::from(name.as_str())));
    }
    (text.chars().count() <= ARGUMENTS_CHARS).then_some(text)
}

fn accepts(reply: &RawValue) -> bool {
    #[derive(Deserialize)]
    struct Peek {
        action: String,
    }
    serde_json::from_str::<Peek>(reply.get()).is_ok_and(|peek| peek.action == "accept")
}

#[cfg(test)]
mod tests {
    use handpick_protocol::json::raw;

    use super::*;

    /// P4: what a person agrees to is all of it; a long argument hides no other.
    #[test]
    fn p4_every_argument_is_shown() {
        let long = "x".repeat(5_000);
        let arguments = json!({"memo": long, "to\nof": "a\nb", "amount": 99_999});
        let told = told(&raw(arguments.to_string())).unwrap();
        let lines: Vec<&str> = told.lines().collect();
        assert_eq!(lines.len(), 4, "{told}");
        assert!(lines[1].ends_with("… (5002 characters in all)"));
        assert_eq!(lines[2], r#""to\nof": "a\nb""#);
        assert_eq!(lines[3], r#""amount": 99999"#);
        let many: serde_json::Map<_, _> = (0..900)
            .map(|number| (format!("k{number}"), json!("value")))
            .collect();
        assert_eq!(super::told(&raw(Value::from(many).to_string())), None);
        assert_eq!(
            super::told(&raw("{}".to_owned())).unwrap(),
            "It takes no arguments."
        );
    }
}
