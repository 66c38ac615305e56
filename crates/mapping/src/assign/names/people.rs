//! Who is meant by an address, a handle, or a name that the request merely speaks of?

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate};
use crate::kind::Kind;
use crate::meaning::Meaning;
use crate::span::What;
use crate::words::{Break, Token};

/// Verbs and nouns that bring somebody in.
const BRINGING: &[&str] = &[
    "assign",
    "assigned",
    "assignee",
    "assignees",
    "reassign",
    "invite",
    "reviewer",
    "reviewers",
    "review",
    "mention",
    "notify",
    "hand",
    "give",
    "zuweisen",
    "weise",
    "assigne",
    "asigna",
    "share",
    "add",
];

/// `assign it to nina@leafworks.example`, `to dana-w`: an address or a handle behind the link that leads to people.
pub(crate) fn by_address_or_handle(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Vec<Candidate> {
    let about = meaning.parameter.description.to_lowercase();
    let by_address = about.contains("email") || about.contains("e-mail") || about.contains("mail address");
    (1..asked.tokens.len())
        .filter_map(|at| {
            let token = asked.token(at).filter(|token| !asked.is_opaque(&token.range))?;
            let mailed = asked.spans_at(at).find_map(|span| match &span.what {
                What::Email(address) => Some(address.clone()),
                _ => None,
            });
            let value = match mailed {
                Some(address) if by_address => address,
                None if is_handle(token.text) && asked.is_code(at) => {
                    token.text.trim_start_matches('@').to_owned()
                }
                _ => return None,
            };
            let link = asked.token(at - 1).filter(|link| link.after == Break::None)?;
            let linked = link.is_any(&["to", "an", "a", "by", "from", "with", "mit", "con", "avec", "for"]);
            let brought = (2..=5)
                .map_while(|back| at.checked_sub(back).and_then(|place| asked.token(place)))
                .any(|token| token.is_any(BRINGING))
                || asked
                    .tokens
                    .iter()
                    .take(at)
                    .any(|token| token.is_any(&["assign", "reassign", "zuweisen", "assigne", "asigna"]));
            let claimed = asked.is_claimed(at, parameter, 2)
                || crate::assign::addresses::marks::form(token.text).is_some();
            if !linked || !brought || claimed || asked.is_ruled_out(at) || !is_theirs(asked, parameter, at) {
                return None;
            }
            let range = token.range.clone();
            let value = if meaning.parameter.list {
                Value::Array(vec![Value::String(value)])
            } else {
                Value::String(value)
            };
            Some(asked.candidate(parameter, value, range, 0.86))
        })
        .collect()
}

/// Whether the verb before is that of this parameter where a tool takes several kinds of people.
fn is_theirs(asked: &Asked<'_>, parameter: usize, at: usize) -> bool {
    let kinds = asked
        .meanings
        .iter()
        .filter(|other| other.kind == Kind::Person)
        .count();
    kinds == 1
        || asked
            .hits_of(parameter)
            .any(|hit| hit.end <= at && at - hit.end < 4)
}

/// `dana-w`, `hana.m`, `kofi_b`: small letters with signs within, and no file.
fn is_handle(word: &str) -> bool {
    let bare = word.trim_start_matches('@');
    let letters = bare
        .chars()
        .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c));
    let begins = bare.chars().next().is_some_and(|c| c.is_ascii_lowercase());
    let digits = bare.chars().filter(char::is_ascii_digit).count();
    letters && begins && digits <= 2 && bare.len() < 30
}

/// `the trips of Jonah`, `what has Maud got on Thursday`: the one name of a question, for the only parameter that
/// narrows it down by a name.
pub(crate) fn spoken_of(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Option<Candidate> {
    if meaning.is_required() || meaning.parameter.list || !asked.reads {
        return None;
    }
    let alone = !asked.meanings.iter().enumerate().any(|(other, rival)| {
        other != parameter
            && matches!(rival.kind, Kind::Person | Kind::Slug | Kind::Query | Kind::Title)
            && rival.parameter.shape.string
    });
    let mut names = asked.spans.iter().filter(|span| {
        matches!(span.what, What::Name(_)) && !asked.is_opaque(&span.range) && span.range.start > 0 && {
            let at = asked.at_byte(span.range.start);
            asked.is_unexplained(at)
        }
    });
    let span = names.next().filter(|_| alone && names.next().is_none())?;
    let What::Name(name) = &span.what else { return None };
    let at = asked.at_byte(span.range.start);
    let before = asked
        .token(at.checked_sub(1)?)
        .filter(|token| token.after == Break::None)?;
    let end = asked.at_byte(span.range.end).max(at + 1);
    let of = before.is_any(&["of", "von", "de", "for", "fur"])
        && (end == asked.tokens.len() || asked.break_before(end) > Break::None)
        && at
            .checked_sub(2)
            .and_then(|noun| asked.token(noun))
            .is_some_and(|noun: &Token<'_>| asked.is_tool_word(noun));
    let asks = before.is_any(&["has", "does", "did", "hat", "is", "tiene"])
        && asked.tokens.first().is_some_and(|first| {
            first.is_any(&[
                "what", "which", "when", "where", "was", "welche", "wann", "que", "has", "does",
            ])
        })
        && at < 6;
    (of || asks).then(|| asked.candidate(parameter, Value::String(name.clone()), span.range.clone(), 0.76))
}

/// `pending with clara`: with whom a thing lies.
pub(crate) fn is_held_by(asked: &Asked<'_>, meaning: &Meaning, at: usize) -> bool {
    let word = |back: usize| {
        at.checked_sub(back)
            .and_then(|place| asked.token(place))
            .filter(|token| token.after == Break::None)
    };
    let holder = matches!(meaning.thing.as_deref(), Some("assignee" | "owner"));
    holder
        && word(1).is_some_and(|token| token.is_any(&["with", "bei", "chez", "con"]))
        && word(2).is_some_and(|token| {
            token.is_any(&[
                "pending",
                "waiting",
                "open",
                "lies",
                "lie",
                "lying",
                "sits",
                "sitting",
                "sit",
                "stuck",
                "are",
                "is",
                "currently",
                "still",
                "liegt",
                "liegen",
                "offen",
                "parked",
                "left",
            ])
        })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::{Now, Request, map_arguments};

    /// P19: an address, a handle or the one name of a question is somebody.
    #[test]
    fn p19_people_are_found_by_what_leads_to_them() {
        let issue =
            json!({"title": {"type": "string"}, "assignees": {"type": "array", "items": {"type": "string"}}});
        let jira = json!({"summary": {"type": "string", "description": "Summary/title of the issue"}, "assignee": {"type": "string", "description": "Email, display name, or account ID"}});
        let trips = json!({"traveller": {"type": "string"}, "limit": {"type": "integer"}});
        for (text, words, properties, expected) in [
            (
                "Create the issue \"Dark mode\", assign it to dana-w",
                "create_issue Create a new issue",
                &issue,
                json!({"title": "Dark mode", "assignees": ["dana-w"]}),
            ),
            (
                "Create the issue \"Dark mode\", assign it to nina@leafworks.example",
                "create_issue Create a new issue",
                &jira,
                json!({"summary": "Dark mode", "assignee": "nina@leafworks.example"}),
            ),
            (
                "Show the trips of Jonah",
                "list_trips List trips",
                &trips,
                json!({"traveller": "Jonah"}),
            ),
            (
                "Show the trips of March",
                "list_trips List trips",
                &trips,
                json!({}),
            ),
        ] {
            let schema = json!({"type": "object", "properties": properties});
            let request = Request {
                text,
                context: None,
                now: Now::utc("2026-11-30T10:00:00Z".parse().unwrap_or_default()),
            };
            let read = map_arguments(&request, words, &schema);
            assert_eq!(serde_json::Value::Object(read.arguments), expected, "{text}");
        }
    }
}
