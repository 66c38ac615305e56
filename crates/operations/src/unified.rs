//! Which one tool does this request in words mean, with which arguments, and how sure is that?

use handpick_presentation::UnifiedRequest;

use crate::Runtime;
use crate::answer::{AgentCall, Answer};

/// Finds one tool for a request, reads its arguments out of the request and runs it where that is sure enough
/// (P19 to P22).
pub(crate) async fn unified(runtime: &Runtime, call: AgentCall<'_>, asked: UnifiedRequest) -> Answer {
    let _ = (runtime, call, asked);
    Answer::Result(handpick_presentation::result::failure("not yet"))
}
