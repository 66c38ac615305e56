//! Which of two values of one kind goes to which of two parameters that only differ in their part: `run_id_a` and
//! `run_id_b`, `project_id` and `target_project_id`, `from_version` and `to_version`?
//!
//! People say them in order: the first before the second, the source before the target. Only `to B from A` turns
//! them round.

use serde_json::{Number, Value};

use crate::assign::asked::{Asked, Candidate};
use crate::assign::shapes::digits;
use crate::kind::Kind;
use crate::meaning::{Meaning, sense_of};
use crate::words::{Break, name_words};

/// What the name of the first of two says of its part.
const FIRST: &[&str] = &[
    "a", "1", "one", "first", "source", "src", "from", "old", "left", "original", "origin", "baseline",
    "before", "current", "base",
];
/// What the name of the second says.
const SECOND: &[&str] = &[
    "b",
    "2",
    "two",
    "second",
    "target",
    "dest",
    "destination",
    "dst",
    "to",
    "new",
    "right",
    "compare",
    "other",
    "after",
    "candidate",
];

/// What a value looks like, as far as two of a kind look alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Digits,
    Path,
    Code,
}

/// Two parameters of one kind, the first one first.
struct Pair {
    first: usize,
    second: usize,
    /// What both are of: `run`, `issue`.
    nouns: Vec<String>,
}

/// Candidates for parameters that come in twos, where the request has exactly two values for them.
pub(crate) fn twins(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for pair in pairs(asked.meanings) {
        for look in [Look::Digits, Look::Path, Look::Code] {
            candidates.extend(of_pair(asked, &pair, look));
        }
    }
    candidates
}

fn pairs(meanings: &[Meaning]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (first, one) in meanings.iter().enumerate() {
        for (second, other) in meanings.iter().enumerate() {
            let (Some(left), Some(right)) = (stripped(one, FIRST), stripped(other, SECOND)) else {
                continue;
            };
            let parted = left.1 || right.1;
            if first == second || left.0 != right.0 || left.0.is_empty() || !parted || !right.1 {
                continue;
            }
            let around = |meaning: &Meaning| {
                let path = &meaning.parameter.path;
                path.get(..path.len().saturating_sub(1)).map(<[String]>::to_vec)
            };
            if around(one) == around(other) {
                let nouns = left.0.iter().map(|word| sense_of(word)).collect();
                pairs.push(Pair { first, second, nouns });
            }
        }
    }
    pairs
}

/// The words of a name without those for its part, and whether it has one.
fn stripped(meaning: &Meaning, parts: &[&str]) -> Option<(Vec<String>, bool)> {
    let takes = matches!(meaning.kind, Kind::Id | Kind::Slug | Kind::Number) && !meaning.parameter.list;
    let words = name_words(meaning.parameter.name());
    let rest: Vec<String> = words
        .iter()
        .filter(|word| !parts.contains(&word.as_str()))
        .cloned()
        .collect();
    let has_part = rest.len() < words.len();
    // The base of a branch is not said first: `from feature into main`.
    let of_branch = words.iter().any(|word| matches!(word.as_str(), "branch" | "ref"));
    let takes = takes && !(of_branch && words.iter().any(|word| word == "base"));
    (takes && meaning.parameter.only.is_none()).then_some((rest, has_part))
}

fn of_pair(asked: &Asked<'_>, pair: &Pair, look: Look) -> Vec<Candidate> {
    let (Some(one), Some(other)) = (asked.meanings.get(pair.first), asked.meanings.get(pair.second)) else {
        return Vec::new();
    };
    // Two paths are two projects only where both are needed: one of them may be a branch.
    if look == Look::Path && !(one.is_required() && other.is_required()) {
        return Vec::new();
    }
    if !fits(asked, one, look) || !fits(asked, other, look) {
        return Vec::new();
    }
    let places: Vec<usize> = (0..asked.tokens.len())
        .filter(|at| looks(asked, *at) == Some(look) && (look == Look::Path || is_named(asked, pair, *at)))
        .collect();
    let [left, right] = places.as_slice() else {
        return Vec::new();
    };
    let link = |at: usize, words: &[&str]| {
        (1..=2).any(|back| {
            at.checked_sub(back)
                .and_then(|before| asked.token(before))
                .is_some_and(|token| token.is_any(words))
        })
    };
    let to = ["to", "into", "onto", "nach", "zu", "vers", "hacia"];
    let turned = link(*left, &to) && link(*right, &["from", "von", "de", "depuis", "desde"]);
    let (left, right) = if turned { (*right, *left) } else { (*left, *right) };
    [(pair.first, one, left), (pair.second, other, right)]
        .into_iter()
        .filter_map(|(parameter, meaning, at)| {
            let token = asked.token(at)?;
            let text = token.text.trim_start_matches('#');
            let value = if meaning.is_numeric() {
                Value::Number(Number::from(text.parse::<u64>().ok()?))
            } else {
                Value::String(text.to_owned())
            };
            Some(asked.candidate(parameter, value, token.range.clone(), 0.98))
        })
        .collect()
}

fn fits(asked: &Asked<'_>, meaning: &Meaning, look: Look) -> bool {
    let words = name_words(meaning.parameter.name());
    let by_path = words
        .iter()
        .any(|word| matches!(word.as_str(), "project" | "repo" | "repository"));
    match look {
        Look::Digits => {
            let counted = ["id", "iid", "number", "version", "revision"];
            meaning.kind != Kind::Slug || words.iter().any(|word| counted.contains(&word.as_str()))
        }
        Look::Path => {
            let slashed = asked
                .tokens
                .iter()
                .filter(|token| token.text.contains('/'))
                .count();
            by_path && !meaning.is_numeric() && slashed == 2
        }
        Look::Code => !meaning.is_numeric(),
    }
}

/// Whether a word is a code of letters, and no path and no number.
pub(super) fn is_lone_code(asked: &Asked<'_>, at: usize) -> bool {
    looks(asked, at) == Some(Look::Code)
}

fn looks(asked: &Asked<'_>, at: usize) -> Option<Look> {
    let token = asked.token(at).filter(|token| !asked.is_opaque(&token.range))?;
    let text = token.text.trim_start_matches('#');
    if digits(text) {
        return Some(Look::Digits);
    }
    let mut parts = text.split('/');
    let plain = |part: &str| {
        !part.is_empty()
            && !part.contains('.')
            && part.chars().all(|c| c.is_alphanumeric() || "-_".contains(c))
    };
    if text.contains('/') {
        return (parts.clone().count() >= 2 && parts.all(plain)).then_some(Look::Path);
    }
    let dated = asked.spans_at(at).any(|span| {
        !matches!(
            span.what,
            crate::span::What::Id(_) | crate::span::What::Name(_) | crate::span::What::Number(_)
        )
    });
    (asked.is_code(at) && !dated && !text.contains("://")).then_some(Look::Code)
}

/// Whether the thing that both are of is said before a value, or before the one that it is told with: `runs 12 and
/// 17`, `run 12 with run 17`, `issue 12 to 17`.
fn is_named(asked: &Asked<'_>, pair: &Pair, at: usize) -> bool {
    const JOINING: &[&str] = &[
        "and", "with", "to", "against", "vs", "versus", "und", "mit", "et", "avec", "y", "con", "from", "or",
    ];
    const FILLING: &[&str] = &["id", "number", "no", "from", "between", "the", "nr"];
    let noun = |at: usize| {
        asked
            .token(at)
            .is_some_and(|token| token.after < Break::Comma && pair.nouns.iter().any(|noun| token.is(noun)))
    };
    let mut before = at.checked_sub(1);
    while let Some(place) = before {
        let Some(token) = asked.token(place) else { break };
        if noun(place) {
            return true;
        }
        if token.after > Break::Comma || !token.is_any(FILLING) {
            break;
        }
        before = place.checked_sub(1);
    }
    let joined = at
        .checked_sub(2)
        .filter(|_| asked.token(at - 1).is_some_and(|token| token.is_any(JOINING)));
    joined.is_some_and(|place| looks(asked, place) == looks(asked, at) && is_named(asked, pair, place))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::assign::rows;

    fn read(text: &str, words: &str, names: &[&str]) -> Value {
        rows::read(text, words, &rows::named(names, names))
    }

    /// P19: two values of one kind go to the parameters of their parts.
    #[test]
    fn p19_twins_are_told_in_order() {
        let runs = ["run_id_a", "run_id_b"];
        let issues = ["project_id", "issue_iid", "target_project_id", "target_issue_iid"];
        let compare = "compare_runs Compares two runs";
        let link = "create_issue_link Links two issues";
        for (text, words, names, expected) in [
            (
                "Compare run 4417382 with run 4419077",
                compare,
                &runs[..],
                json!({"run_id_a": "4417382", "run_id_b": "4419077"}),
            ),
            (
                "Compare runs r-77a1 and r-81c0",
                compare,
                &runs,
                json!({"run_id_a": "r-77a1", "run_id_b": "r-81c0"}),
            ),
            (
                "Link issue 12 of team/api to issue 40 of team/web",
                link,
                &issues,
                json!({"project_id": "team/api", "issue_iid": "12", "target_project_id": "team/web", "target_issue_iid": "40"}),
            ),
            (
                "Move the lines to ledger 70012 from ledger 70001",
                "move_lines Moves lines between ledgers",
                &["source_ledger_id", "target_ledger_id"],
                json!({"source_ledger_id": "70001", "target_ledger_id": "70012"}),
            ),
            // One value is not two, and three are no pair.
            ("Compare run 4417382", compare, &runs, json!({})),
        ] {
            assert_eq!(read(text, words, names), expected, "{text}");
        }
    }
}
