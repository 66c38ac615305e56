//! Does the description fit where clients put it?

use crate::finding::{Finding, Member};
use crate::listing::Listed;
use crate::rules;

/// Characters of a `function.description` that OpenAI's Chat Completions API takes.
pub const CHARS_MAX: usize = 1_024;

/// What is wrong with a description as a whole.
pub fn check(listed: &Listed<'_>) -> Option<Finding> {
    let count = listed.tool.description.chars().count();
    if count <= CHARS_MAX {
        return None;
    }
    let message = format!(
        "`description` has {count} characters, {} over 1,024",
        count - CHARS_MAX
    );
    let instead =
        "keep what the tool does and when to choose it; move the rest into the parameters' descriptions";
    Some(Finding::new(
        &rules::DESCRIPTION_LONG,
        &listed.tool.name,
        Member::Description,
        message,
        instead.to_owned(),
    ))
}
