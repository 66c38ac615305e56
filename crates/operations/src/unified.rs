//! Which one tool does this request in words mean, with which arguments, and how sure is that?
//!
//! `decide` ranks the caller's tools (`rank`), adds those that do the same by their names (`deeds`), reads the arguments of the best (`handpick_mapping`) and tells how
//! probable each is (`signals`, `confidence`); nothing runs there, and the evaluation asks the same function. Where a
//! model may help, `helper` lets it. What is sure enough runs through the same door as every call and comes back with
//! metadata (`success`); the rest is asked back (`clarify`).

mod clarify;
mod confidence;
mod context;
pub mod decide;
mod deeds;
mod harm;
mod helper;
mod leftover;
mod options;
mod rank;
pub mod signals;
mod success;

use std::sync::Arc;

use handpick_presentation::UnifiedRequest;
use handpick_presentation::result::failure;
use handpick_protocol::json::to_raw;

use self::decide::{Decision, Verdict, Why, decide};
use crate::answer::{AgentCall, Answer, refuse, run};
use crate::call_tool::CallFailure;
use crate::exactly::only;
use crate::{Opened, Runtime};

pub use harm::{Harm, harm};
pub use options::{ChatModel, MODEL_WAIT, UnifiedOptions};

/// Finds one tool for a request, reads its arguments out of the request and runs it where that is sure enough
/// (P19 to P22).
pub(crate) async fn unified(runtime: &Runtime, call: AgentCall<'_>, asked: UnifiedRequest) -> Answer {
    let now = runtime.options.unified.now();
    let decided = decide(runtime, &call.opened.surface, call.caller, &asked, now).await;
    let Ok(mut decision) = decided else {
        return Answer::Result(failure(
            "tool discovery is temporarily unavailable, a retry may succeed",
        ));
    };
    let reader = helper::improve(runtime, call.client.as_deref(), &mut decision, &asked, now).await;
    match decision.verdict() {
        Verdict::Run => run_first(runtime, call, decision, &reader).await,
        Verdict::Ask(why) => Answer::Result(clarify::clarification(&decision, why, reader.note.as_deref())),
    }
}

/// Runs the first candidate through the door of every call (P24). What its schema refuses is asked back.
async fn run_first(
    runtime: &Runtime,
    call: AgentCall<'_>,
    mut decision: Decision,
    reader: &success::Reader,
) -> Answer {
    let Some(best) = decision.candidates.first_mut() else {
        return Answer::Result(clarify::clarification(&decision, Why::Nothing, None));
    };
    let name = best.tool.name.to_string();
    let arguments = to_raw(&best.mapped.arguments);
    let query_id = Some(decision.query_id.clone());
    let surface = Arc::new(only(&call.opened.surface, &name));
    let opened = Opened::new(surface, call.opened.mode, call.opened.gateway.clone());
    let call = AgentCall {
        opened: &opened,
        ..call
    };
    match run(runtime, call, &name, Some(arguments), query_id).await {
        Ok(called) => {
            let metadata = success::metadata(best, reader);
            Answer::Result(success::with_metadata(&called.result, &metadata))
        }
        Err(CallFailure::Arguments { errors, .. }) => {
            best.errors = errors;
            decision.weigh();
            Answer::Result(clarify::clarification(
                &decision,
                Why::Invalid,
                reader.note.as_deref(),
            ))
        }
        Err(failed) => refuse(failed, &name, true),
    }
}
