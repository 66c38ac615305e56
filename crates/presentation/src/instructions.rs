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
        Mode::Unified => Some(
            "One tool, unified_tool, does whatever can be done here: say in a sentence what you want done, with every \
             value it needs."
                .to_owned(),
        ),
        Mode::Progressive => Some(
            "Tools are found on demand: arc_search_tools searches, arc_describe_tool shows one, arc_call_tool runs it. \
             What you use joins your own tool list; where your list does not grow, go on with arc_call_tool."
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
