//! Which sentence of a description says best what the tool does?

mod openers;
mod paragraphs;

pub use openers::{opens_empty, without_opener};

use self::paragraphs::statements;
use crate::words;

/// Most characters of a proposed sentence; a longer one is cut at a word.
const CHARS_MAX: usize = 200;

/// Words with which a sentence begins that tells the caller how to behave.
const ORDERS: &str = "always avoid call do don ensure for if make must never note only please prefer remember requires \
    returns see should this when you";

/// Verbs with which descriptions begin, besides those that tools share.
const DEEDS: &str = "analyze archive assign attach authenticate batch build calculate cancel capture clone collect \
    compare compute configure connect convert copy count crawl deploy detach detect determine disable \
    discover download draw enable enhance enumerate establish estimate evaluate explain explore export \
    extract filter format generate grant identify import initialize inspect install link lists lock log \
    map mark measure merge monitor move navigate orchestrate parse pause permanently poll preview \
    produce publish queue record register rename render reply report rerun reset restore resume retry \
    review revoke scan schedule scrape split stream subscribe summarize switch sync take track transfer \
    transform translate trigger unlink upload verify wait";

/// The sentence of a text that says best what a tool of this name does, without markup and without openers
/// that say nothing: the first of at least `least` telling words that begins with a verb and shares a word with
/// the name. `None` where none does.
pub fn telling(text: &str, name: &str, least: usize) -> Option<String> {
    let named = words::telling(name);
    let begins_with_verb = |sentence: &String| {
        let first = words::words(sentence).into_iter().next().unwrap_or_default();
        // `call_this(x)` and `Take someId from there` tell the caller what to do.
        let is_code = |word: &str| {
            let is_camel = word.starts_with(char::is_lowercase) && word.contains(char::is_uppercase);
            word.contains(['_', '(', '=']) || is_camel
        };
        let is_order = sentence.contains("->") || sentence.split(' ').take(2).any(is_code);
        !is_order
            && (words::is_verb(&first)
                || DEEDS.split(' ').any(|deed| words::same(deed, &first))
                || words::telling(&first)
                    .iter()
                    .any(|word| named.first() == Some(word)))
    };
    statements(text)
        .iter()
        .flat_map(|statement| sentences(statement))
        .filter_map(|sentence| worth(&sentence, least))
        .filter(|sentence| words::telling(sentence).iter().any(|word| named.contains(word)))
        .find(begins_with_verb)
}

/// The text with its first letter as a capital.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// The text cut at a word to at most `chars` characters, with an ellipsis where something is missing.
pub fn shortened(text: &str, chars: usize) -> String {
    if text.chars().count() <= chars {
        return text.to_owned();
    }
    let cut: String = text.chars().take(chars.saturating_sub(1)).collect();
    let end = cut
        .rfind(' ')
        .filter(|end| *end > cut.len() / 2)
        .unwrap_or(cut.len());
    format!("{}…", cut[..end].trim_end_matches([' ', ',', ';', ':', '(']))
}

/// Sentences of one paragraph. A dot inside a word, or behind a short form, ends nothing.
pub fn sentences(text: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    for (nth, &(at, letter)) in letters.iter().enumerate() {
        let next = letters.get(nth + 1).map(|&(_, next)| next);
        let ends = match letter {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => {
                next.is_none_or(char::is_whitespace) && !ends_with_short_form(&text[start..at])
            }
            _ => false,
        };
        if ends {
            let end = at + letter.len_utf8();
            sentences.push(text[start..end].trim().to_owned());
            start = end;
        }
    }
    let last = text[start..].trim();
    if !last.is_empty() {
        sentences.push(last.to_owned());
    }
    sentences
}

fn ends_with_short_form(text: &str) -> bool {
    let last = text.rsplit([' ', '(']).next().unwrap_or_default().to_lowercase();
    matches!(
        last.as_str(),
        "e.g" | "i.e" | "etc" | "vs" | "approx" | "incl" | "no"
    )
}

/// The sentence as a first line, where it says enough.
fn worth(sentence: &str, least: usize) -> Option<String> {
    let statement = without_opener(sentence);
    let first = words::words(&statement).into_iter().next()?;
    let enough = words::telling(&statement).len() >= least;
    let orders = ORDERS.split(' ').any(|order| order == first);
    let shouts = !statement.contains(char::is_lowercase) && statement.contains(char::is_uppercase);
    (enough && !orders && !shouts).then(|| {
        let short = shortened(&statement, CHARS_MAX);
        if short.ends_with(['.', '!', '?', '…', '。']) {
            short
        } else {
            format!("{}.", short.trim_end_matches([':', ',', ';', ' ']))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, description: &str, expected: &str) {
        assert_eq!(
            telling(description, name, 4).unwrap_or_default(),
            expected,
            "{description}"
        );
    }

    #[test]
    fn the_sentence_that_says_what_it_does() {
        check(
            "get_pricing",
            "\n    Get detailed pricing information from AWS Price List API\n    with optional filters.\n",
            "Get detailed pricing information from AWS Price List API with optional filters.",
        );
        check(
            "get_latest_pipeline_status",
            "\n  This tool retrieves the status of the latest pipeline for a project.",
            "Retrieves the status of the latest pipeline for a project.",
        );
        check(
            "batch-create-objects",
            "🛡️ Guardrails:\n  1. Data Modification Warning: This tool modifies HubSpot data.\n\n🎯 Purpose:\n  1. Creates multiple HubSpot objects of one type in a single call.",
            "Creates multiple HubSpot objects of one type in a single call.",
        );
        check(
            "create-chat",
            "💡 TIP: Creates a new 1:1 or group Teams chat. Body: {a: 1}",
            "Creates a new 1:1 or group Teams chat.",
        );
        check(
            "delete_team",
            "Args:\n  team_id: The ID of the team to delete from the account",
            "",
        );
        check(
            "web_search",
            "## Overview\n\nSearches web pages (e.g. news) by words. More.",
            "Searches web pages (e.g. news) by words.",
        );
        check(
            "download_usage_api_data",
            "\n  MANDATORY OUTPUT FOR AI AGENTS:\n  1. Omitting the usage data is a critical error of the agent.\n\n  Downloads usage data from the CircleCI Usage API\n  for an organization.",
            "Downloads usage data from the CircleCI Usage API for an organization.",
        );
        check(
            "accept-event",
            "Set sendResponse to false to accept an event silently. Accepts an event of a calendar and tells the organizer.",
            "Accepts an event of a calendar and tells the organizer.",
        );
        check(
            "list-items",
            "The list of the account is kept for later readers. Lists the rows of a list with columns and authors.",
            "Lists the rows of a list with columns and authors.",
        );
    }
}
