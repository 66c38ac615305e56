//! How much does a request leave out at the beginning: `skip the first 10`, `from character 5000 on`?
//!
//! A number that is left out is no number of what is wanted: it is an offset, or nothing.

use crate::assign::asked::{Asked, Candidate, touches};
use crate::assign::numbers::{Count, counts, value};
use crate::meaning::Meaning;
use crate::words::{Break, name_words, stem};

/// Words that leave out what follows.
const SKIPPING: &[&str] = &[
    "skip",
    "skipping",
    "skipped",
    "omit",
    "omitting",
    "without",
    "after",
    "ignore",
    "ignoring",
    "past",
    "uberspringe",
    "uberspring",
    "ohne",
    "nach",
    "saute",
    "sautant",
    "sans",
    "salta",
    "saltando",
    "sin",
    "omite",
    "omitiendo",
    "excluding",
    "except",
];

/// Words between those and the number.
const BETWEEN: &[&str] = &[
    "the",
    "first",
    "over",
    "die",
    "ersten",
    "den",
    "les",
    "premiers",
    "premieres",
    "los",
    "las",
    "primeros",
    "primeras",
    "out",
    "leading",
    "initial",
];

/// Words for the beginning of what is counted.
const FIRST: &[&str] = &[
    "first",
    "ersten",
    "premiers",
    "premieres",
    "primeros",
    "primeras",
    "leading",
    "initial",
];

/// Words that begin at a number.
const BEGINNING: &[&str] = &[
    "from", "at", "ab", "a", "partir", "desde", "with", "bei", "depuis", "after", "offset", "index",
    "position",
];

/// Candidates for offsets, in place of whatever else was read from their numbers.
pub(crate) fn offsets(asked: &Asked<'_>, candidates: &mut Vec<Candidate>) {
    let counts = counts(asked);
    let targets: Vec<(usize, &Meaning)> = asked
        .meanings
        .iter()
        .enumerate()
        .filter(|(_, meaning)| takes_offset(meaning))
        .collect();
    for count in &counts {
        if count.number.fract() != 0.0 || count.number < 0.0 {
            continue;
        }
        let skips = is_skipped(asked, count);
        let target = match targets.as_slice() {
            [(parameter, meaning)] if skips || begins(asked, meaning, count) => Some((*parameter, *meaning)),
            _ => None,
        };
        if target.is_none() && !skips {
            continue;
        }
        // `limit` is said of none that is skipped.
        candidates.retain(|candidate| {
            let numeric = asked
                .meanings
                .get(candidate.parameter)
                .is_some_and(Meaning::is_numeric);
            let named = candidate.score >= 0.93;
            !(numeric && !named && touches(&candidate.range, &count.range))
        });
        if let Some((parameter, meaning)) = target
            && let Some(value) = value(meaning, count.number)
        {
            candidates.push(asked.candidate(parameter, value, count.range.clone(), 0.93));
        }
    }
}

/// `tagged billing, 15 max`: a number that bounds what is wanted is no item of a list of texts.
pub(crate) fn limits_alone(asked: &Asked<'_>, candidates: &mut Vec<Candidate>) {
    let bounds: Vec<std::ops::Range<usize>> = candidates
        .iter()
        .filter(|candidate| {
            candidate.score >= 0.92
                && asked.meanings.get(candidate.parameter).is_some_and(|meaning| {
                    meaning.kind == crate::kind::Kind::Count && !meaning.parameter.list
                })
        })
        .map(|candidate| candidate.range.clone())
        .collect();
    candidates.retain(|candidate| {
        let items = candidate.value.as_array().filter(|items| items.len() > 1);
        let of_texts = items.is_some_and(|items| items.iter().all(serde_json::Value::is_string));
        !(of_texts && bounds.iter().any(|range| touches(range, &candidate.range)))
    });
}

/// Whether a parameter says where to begin in what there is.
fn takes_offset(meaning: &Meaning) -> bool {
    if !meaning.is_numeric() || meaning.parameter.list {
        return false;
    }
    let name = name_words(meaning.parameter.name());
    let squeezed = name.concat();
    let about = meaning.parameter.description.to_lowercase();
    let named = matches!(
        squeezed.as_str(),
        "offset"
            | "skip"
            | "startat"
            | "startindex"
            | "startoffset"
            | "skipcount"
            | "firstresult"
            | "resultoffset"
            | "pageoffset"
            | "$skip"
            | "sysparmoffset"
    );
    let told = matches!(squeezed.as_str(), "start" | "from")
        && [
            "skip",
            "offset",
            "start index",
            "starting index",
            "index of the first",
            "pagination",
        ]
        .iter()
        .any(|said| about.contains(said));
    named || told
}

/// `skip the first 10`, `without the first ten results`.
fn is_skipped(asked: &Asked<'_>, count: &Count) -> bool {
    let mut place = count.at;
    let mut first = false;
    for _ in 0..4 {
        let Some(before) = place.checked_sub(1) else {
            return false;
        };
        let Some(token) = asked.token(before).filter(|token| token.after == Break::None) else {
            return false;
        };
        place = before;
        if token.is_any(SKIPPING) {
            // `skip 10` leaves out ten; `after 10` may be a time of day.
            let plain = token.is_any(&["skip", "skipping", "uberspringe", "saute", "salta"]);
            return first || plain;
        }
        first |= token.is_any(FIRST);
        if !token.is_any(BETWEEN) {
            // `leave the first 10 out`, `leave out the first 10`.
            return first && token.is_any(&["leave", "leaving", "lass"]);
        }
    }
    false
}

/// `from character 5000`, `starting at 200`, `offset of 20`: where the parameter's own noun or an index is said.
fn begins(asked: &Asked<'_>, meaning: &Meaning, count: &Count) -> bool {
    const NOUNS: &[&str] = &["index", "position", "offset", "zeichen", "caractere", "caracter"];
    const STARTING: &[&str] = &[
        "starting",
        "start",
        "beginning",
        "begin",
        "continue",
        "resume",
        "continuing",
        "resuming",
    ];
    let about = meaning.parameter.description.to_lowercase();
    let token = |back: usize| {
        count
            .at
            .checked_sub(back)
            .and_then(|at| asked.token(at))
            .filter(|token| token.after == Break::None)
    };
    let linked = |back: usize| token(back).is_some_and(|token| token.is_any(BEGINNING));
    // `character` of `starting output at this character index`.
    let noun = token(1).is_some_and(|token| {
        token.is_any(NOUNS)
            || (token.stem.len() > 4
                && !token.is_common()
                && about
                    .split(|c: char| !c.is_alphanumeric())
                    .any(|word| stem(word) == token.stem))
    });
    let started = |back: usize| token(back).is_some_and(|token| token.is_any(STARTING));
    (noun && linked(2)) || (linked(1) && started(2)) || (noun && linked(2) && started(3))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::assign::rows::check;

    /// P19: what is skipped is no limit.
    #[test]
    fn p19_what_is_skipped_is_an_offset() {
        let whole = json!({"type": "integer"});
        let schema = json!({"properties": {"limit": whole, "offset": whole}});
        check(
            "search_items Search items",
            &schema,
            &[
                (
                    "search items, 5 results, skip the first 10",
                    json!({"limit": 5, "offset": 10}),
                ),
                (
                    "search items, skipping the first ten, 5 results",
                    json!({"limit": 5, "offset": 10}),
                ),
                ("search items but leave out the first 20", json!({"offset": 20})),
                ("search items without the first 20", json!({"offset": 20})),
                (
                    "search items, offset 20, limit 5",
                    json!({"limit": 5, "offset": 20}),
                ),
                ("search items, starting at 40", json!({"offset": 40})),
                ("search items, skip 30", json!({"offset": 30})),
                ("the first 10 items", json!({"limit": 10})),
            ],
        );
        check(
            "search_items Search items",
            &json!({"properties": {"limit": whole}}),
            &[("search items, skip the first 10", json!({}))],
        );
        let page = json!({"properties": {
            "max_length": {"type": "integer", "description": "Maximum number of characters to return."},
            "start_index": {"type": "integer", "description": "Start the output at this character index, where more is needed."},
        }});
        check(
            "fetch Fetch a page",
            &page,
            &[
                (
                    "carry on reading from character 5000",
                    json!({"start_index": 5000}),
                ),
                (
                    "it was cut off at 5000, go on from character 5000",
                    json!({"start_index": 5000}),
                ),
                ("at most 900 characters", json!({"max_length": 900})),
            ],
        );
    }
}
