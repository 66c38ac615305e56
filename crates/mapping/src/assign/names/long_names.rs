//! Which name of several words stands right behind its noun: `the simulator iPhone 16 Pro`?

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate, LINKS};
use crate::assign::shapes::digits;
use crate::kind::Kind;
use crate::meaning::Meaning;
use crate::span::What;
use crate::words::Break;

/// `the simulator iPhone 16 Pro`: a name of several words right behind its noun, as [`long_names`] reads it.
pub(crate) fn is_within_name(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, at: usize) -> bool {
    (at.saturating_sub(3)..=at)
        .any(|start| name_end(asked, parameter, meaning, start).is_some_and(|end| end > at))
}

/// Where a name of several words ends that begins right behind the noun of its parameter.
fn name_end(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, start: usize) -> Option<usize> {
    let takes =
        meaning.kind == Kind::Slug && !meaning.parameter.list && meaning.parameter.shape.pattern.is_none();
    let named = takes
        && asked
            .hits_of(parameter)
            .any(|hit| hit.end == start && hit.weight > 0.9 && asked.break_before(start) == Break::None);
    if !named {
        return None;
    }
    let part = |at: usize, first: bool| {
        asked.token(at).is_some_and(|token| {
            let lead = token.text.chars().next();
            let inner = token.text.chars().skip(1).any(char::is_uppercase);
            let begins = lead.is_some_and(char::is_uppercase) || (first && inner);
            let spelled = token.text.chars().all(char::is_alphanumeric);
            let number = !first && digits(token.text);
            let hit = asked.hits.iter().any(|hit| hit.start == at);
            spelled && (begins || number) && !hit && !token.is_common() && !asked.is_opaque(&token.range)
        })
    };
    let dated = |at: usize| {
        asked
            .spans_at(at)
            .any(|span| !matches!(span.what, What::Name(_) | What::Number(_) | What::Id(_)))
    };
    let mut end = start;
    while end < start + 4 && part(end, end == start) && !dated(end) {
        end += 1;
        if asked
            .token(end - 1)
            .is_some_and(|token| token.after > Break::None)
        {
            break;
        }
    }
    let goes_on = asked.break_before(end) == Break::None
        && asked
            .token(end)
            .is_some_and(|next| !next.is_common() && !LINKS.contains(&next.fold.as_str()));
    let words = (start..end)
        .filter(|at| asked.token(*at).is_some_and(|token| !digits(token.text)))
        .count();
    (end > start + 1 && !goes_on && words > 0 && asked.token(end - 1).is_some()).then_some(end)
}

/// Names of several words in capitals, each right behind the noun of its parameter.
pub(crate) fn long_names(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Vec<Candidate> {
    (0..asked.tokens.len())
        .filter_map(|start| {
            let end = name_end(asked, parameter, meaning, start)?;
            let words = Value::String(asked.slice(start, end).to_owned());
            Some(asked.candidate(parameter, words, asked.bytes(start, end)?, 0.9))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::{Now, Request, map_arguments};

    /// P19: a name in capitals goes on up to the next link, sign or noun.
    #[test]
    fn p19_long_names_are_read_whole() {
        for (text, expected) in [
            (
                "Use simulator iPhone 16 Pro, configuration Release",
                json!({"simulator": "iPhone 16 Pro", "configuration": "Release"}),
            ),
            ("Use simulator Pixel for tests", json!({"simulator": "Pixel"})),
            (
                "Use configuration Release Monday",
                json!({"configuration": "Release"}),
            ),
        ] {
            let schema = json!({"type": "object", "properties": {"simulator": {"type": "string"}, "configuration": {"type": "string"}}});
            let request = Request {
                text,
                context: None,
                now: Now::utc("2026-11-30T10:00:00Z".parse().unwrap_or_default()),
            };
            let read = map_arguments(&request, "set_defaults Set defaults", &schema);
            assert_eq!(Value::Object(read.arguments), expected, "{text}");
        }
    }
}
