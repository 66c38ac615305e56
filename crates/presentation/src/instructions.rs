//! What does the model read about the gateway before its first call?

use handpick_domain::Gateway;

use crate::Mode;
use crate::recommend::RecommendTool;

/// The gateway's own text, followed by how to work in this mode.
pub fn instructions(gateway: &Gateway, mode: Mode) -> Option<String> {
    let how = match mode {
        Mode::Direct => None,
        Mode::Discovery => Some(
            "Tools are found on demand: discover_tools searches, get_tool_schema shows one tool's arguments, \
             execute_tool runs it."
                .to_owned(),
        ),
        Mode::Recommend => Some(format!(
            "Tools are found on demand: {} takes the tasks you want to do and returns the tools that fit, {} runs one.",
            RecommendTool::SelectTools.rendered(&gateway.namespace),
            RecommendTool::UseTool.rendered(&gateway.namespace),
        )),
    };
    match (gateway.instructions.clone(), how) {
        (Some(own), Some(how)) => Some(format!("{own}\n\n{how}")),
        (own, how) => own.or(how),
    }
}
