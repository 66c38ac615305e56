//! Which words could every description begin with?

use super::capitalised;

/// Openers that say nothing of the tool. What follows the longest that fits is the statement itself.
const OPENERS: &[&str] = &[
    "a function that",
    "a function to",
    "a helper to",
    "a tool for",
    "a tool that",
    "a tool to",
    "a utility to",
    "a wrapper around",
    "a wrapper for",
    "allows you to",
    "an mcp tool that",
    "an mcp tool to",
    "can be used to",
    "enables you to",
    "function that",
    "function to",
    "helper to",
    "is used for",
    "is used to",
    "lets you",
    "the tool",
    "this api",
    "this command",
    "this endpoint",
    "this function",
    "this method",
    "this operation",
    "this tool",
    "tool for",
    "tool that",
    "tool to",
    "use this api to",
    "use this as the primary tool to",
    "use this endpoint to",
    "use this function to",
    "use this to",
    "use this tool for",
    "use this tool only to",
    "use this tool to",
    "utility to",
    "wrapper around",
    "wrapper for",
];

/// What may stand between an opener and the verb.
const LINKS: &[&str] = &[
    "allows to",
    "allows you to",
    "can be used to",
    "can",
    "enables you to",
    "helps to",
    "helps you",
    "helps",
    "is designed to",
    "is for",
    "is intended to",
    "is used for",
    "is used to",
    "lets you",
    "should be used to",
    "to",
    "will",
];

/// Whether a text begins with words every tool could begin with.
pub fn opens_empty(text: &str) -> bool {
    let lower = text.to_lowercase();
    let opens = |opener: &&str| starts_with_words(&lower, opener);
    OPENERS.iter().any(opens)
        || [
            "this is a",
            "this is an",
            "this is the",
            "a helper",
            "a utility",
            "a wrapper",
            "use this",
        ]
        .iter()
        .any(opens)
}

/// A statement without its empty opener, beginning with a capital letter.
pub fn without_opener(text: &str) -> String {
    let mut rest = text.trim();
    let lower = rest.to_lowercase();
    let longest = |list: &[&str], lower: &str| {
        list.iter()
            .filter(|opener| starts_with_words(lower, opener))
            .map(|opener| opener.len())
            .max()
    };
    if lower.len() == rest.len()
        && let Some(length) = longest(OPENERS, &lower)
    {
        rest = rest[length..].trim_start();
        let lower = rest.to_lowercase();
        if let Some(length) = longest(LINKS, &lower) {
            rest = rest[length..].trim_start();
        }
    }
    capitalised(rest)
}

fn starts_with_words(text: &str, opener: &str) -> bool {
    text.strip_prefix(opener)
        .is_some_and(|rest| rest.is_empty() || !rest.starts_with(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openers_are_taken_off() {
        for (line, expected) in [
            ("This tool allows you to list boards", "List boards"),
            (
                "Use this as the primary tool to list the log names.",
                "List the log names.",
            ),
            (
                "A tool for performing static analysis",
                "Performing static analysis",
            ),
            ("Toolbox contents", "Toolbox contents"),
        ] {
            assert_eq!(without_opener(line), expected);
            assert_eq!(opens_empty(line), line != expected, "{line}");
        }
    }
}
