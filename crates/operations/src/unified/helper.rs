//! Does a model read the arguments better than rules do?
//!
//! Optional: a model of the operator's, or the caller's own by `sampling/createMessage`. Whatever it answers is checked
//! value by value against the request, the context and the schema; what has no evidence there is dropped. A model that
//! is slow, refuses or answers nonsense changes nothing but a note.

mod chat;
mod evidence;
mod prompt;
mod sampling;

use handpick_mapping::{Asking, Mapped, Now};
use handpick_presentation::UnifiedRequest;
use handpick_presentation::unified::CONFIDENCE_NEEDED;
use handpick_upstream::Client;
use tokio::time::timeout;

use self::prompt::Prompt;
use super::decide::{Candidate, Decision, schema};
use super::leftover::Said;
use super::success::Reader;
use crate::Runtime;

/// Who can be asked.
enum Helper<'a> {
    Model(&'a super::ChatModel),
    Client(&'a dyn Client),
}

impl Helper<'_> {
    fn name(&self) -> &'static str {
        match self {
            Self::Model(_) => "model",
            Self::Client(_) => "sampling",
        }
    }
}

/// Lets a model read the arguments of the tool that is most probably meant, where there is one and it may matter.
pub(super) async fn improve(
    runtime: &Runtime,
    client: Option<&dyn Client>,
    decision: &mut Decision,
    asked: &UnifiedRequest,
    now: Now,
) -> Reader {
    let words = Reader {
        mapper: "words",
        note: None,
    };
    let options = &runtime.options.unified;
    let Some(helper) = helper(runtime, client) else {
        return words;
    };
    if decision.too_long || decision.asking != Asking::Yes {
        return words;
    }
    let best = decision.candidates.first_mut();
    let Some(candidate) = best.filter(|best| best.potential() >= CONFIDENCE_NEEDED) else {
        return words;
    };
    let Some(prompt) = Prompt::new(&candidate.tool, asked, now) else {
        return words;
    };
    let asking = async {
        match &helper {
            Helper::Model(model) => chat::complete(model, &prompt).await,
            Helper::Client(client) => sampling::complete(*client, &prompt).await,
        }
    };
    let answer = match timeout(options.timeout, asking).await {
        Ok(answer) => answer.and_then(|text| prompt::read_reply(&text)),
        Err(_) => Err(format!(
            "did not answer within {} s",
            options.timeout.as_secs_f64()
        )),
    };
    let heeded = match answer {
        Ok(arguments) => heed(runtime, candidate, arguments, asked, now).await,
        Err(reason) => Err(reason),
    };
    decision.weigh();
    match heeded {
        Ok(()) => Reader {
            mapper: helper.name(),
            note: None,
        },
        Err(reason) => {
            tracing::info!(reason, helper = helper.name(), "a model read no arguments");
            Reader {
                note: Some(format!("the model {reason}")),
                ..words
            }
        }
    }
}

fn helper<'a>(runtime: &'a Runtime, client: Option<&'a dyn Client>) -> Option<Helper<'a>> {
    let options = &runtime.options.unified;
    if let Some(model) = &options.model {
        return Some(Helper::Model(model));
    }
    let client = client.filter(|client| options.sampling && client.capabilities().sampling)?;
    Some(Helper::Client(client))
}

/// Takes over what the model read as far as it has evidence. What the tool's schema refuses is dropped too; where it
/// still refuses the rest, what was read before stands.
async fn heed(
    runtime: &Runtime,
    candidate: &mut Candidate,
    answered: evidence::Arguments,
    asked: &UnifiedRequest,
    now: Now,
) -> Result<(), String> {
    let before = candidate.mapped.clone();
    let schema = schema(&candidate.tool);
    let said = Said::new(&asked.request, asked.context.as_ref(), now);
    let tool = std::sync::Arc::clone(&candidate.tool);
    let leftover = |mapped: &Mapped| said.leftover(&tool, &schema, mapped);
    let checked = evidence::check(answered, &schema, asked, now, &before);
    let left = leftover(&checked);
    candidate.take(runtime, checked.clone(), left).await;
    if candidate.errors.is_empty() {
        return Ok(());
    }
    let refused: Vec<String> = candidate.errors.iter().map(|error| top(&error.path)).collect();
    let mut rest: Mapped = checked;
    for name in refused {
        evidence::drop_argument(&mut rest, &schema, &name);
    }
    let left = leftover(&rest);
    candidate.take(runtime, rest, left).await;
    if candidate.errors.is_empty() {
        return Ok(());
    }
    let left = leftover(&before);
    candidate.take(runtime, before, left).await;
    Err("gave arguments that the tool does not take".to_owned())
}

/// The argument that a path leads into.
fn top(path: &str) -> String {
    path.split(['.', '[']).next().unwrap_or_default().to_owned()
}
