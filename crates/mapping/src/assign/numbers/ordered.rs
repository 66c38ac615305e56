//! Which number does a request say by its place or its step: `the third question`, `tab 3`, `2 levels deep`, or by what
//! it stands for: `40=Maintainer`?

use serde_json::{Number, Value};

use crate::assign::asked::{Asked, Candidate, is_slip};
use crate::assign::numbers::{Count, counts, value};
use crate::meaning::Meaning;
use crate::words::{Break, fold, name_words, stem};

/// Words for places in a row; of each place in four languages.
const ORDINALS: &[&[&str]] = &[
    &[
        "first", "1st", "erste", "ersten", "premier", "premiere", "primer", "primera",
    ],
    &[
        "second", "2nd", "zweite", "zweiten", "deuxieme", "segundo", "segunda",
    ],
    &[
        "third",
        "3rd",
        "dritte",
        "dritten",
        "troisieme",
        "tercer",
        "tercera",
    ],
    &[
        "fourth",
        "4th",
        "vierte",
        "vierten",
        "quatrieme",
        "cuarto",
        "cuarta",
    ],
    &[
        "fifth",
        "5th",
        "funfte",
        "funften",
        "cinquieme",
        "quinto",
        "quinta",
    ],
    &["sixth", "6th", "sechste", "sechsten", "sixieme", "sexto", "sexta"],
    &["seventh", "7th", "siebte", "siebten", "septieme", "septimo"],
    &["eighth", "8th", "achte", "achten", "huitieme", "octavo"],
    &["ninth", "9th", "neunte", "neunten", "neuvieme", "noveno"],
    &["tenth", "10th", "zehnte", "zehnten", "dixieme", "decimo"],
];

/// Candidates of all these kinds.
pub(crate) fn ordered(asked: &Asked<'_>) -> Vec<Candidate> {
    let counts = counts(asked);
    let mut candidates = Vec::new();
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        if !meaning.parameter.shape.number || meaning.parameter.list {
            continue;
        }
        candidates.extend(nth(asked, parameter, meaning));
        candidates.extend(indexed(asked, parameter, meaning, &counts));
        candidates.extend(levels(asked, parameter, meaning, &counts));
        candidates.extend(described(asked, parameter, meaning, &counts));
        candidates.extend(legend(asked, parameter, meaning));
    }
    candidates
}

/// From what a parameter counts, where that is told.
fn counted_from(meaning: &Meaning) -> Option<i64> {
    let about = meaning.parameter.description.to_lowercase();
    let says = |listed: &[&str]| listed.iter().any(|said| about.contains(said));
    if says(&[
        "0-based",
        "zero-based",
        "0-indexed",
        "zero-indexed",
        "starting from 0",
        "starting at 0",
        "counted from 0",
        "starts at 0",
        "0 = first",
        "0=first",
    ]) {
        return Some(0);
    }
    let one = says(&[
        "1-based",
        "one-based",
        "1-indexed",
        "starting from 1",
        "starting at 1",
        "counted from 1",
        "starts at 1",
        "counting from 1",
    ]);
    (one || meaning.parameter.shape.minimum == Some(1.0)).then_some(1)
}

/// What a parameter numbers: `question`, the `table` of `table_index`, the `tab` of an index described as `Tab index`.
fn numbered(meaning: &Meaning) -> Vec<String> {
    const NUMBERS: &[&str] = &["index", "number", "idx", "position", "nr", "no", "num"];
    let name = name_words(meaning.parameter.name());
    match name.as_slice() {
        [one] if NUMBERS.contains(&one.as_str()) => {
            let about = fold(&meaning.parameter.description);
            let words: Vec<&str> = about
                .split(|c: char| !c.is_alphanumeric())
                .filter(|word| {
                    !word.is_empty() && !matches!(*word, "the" | "a" | "an" | "zero" | "0" | "based" | "1")
                })
                .take(5)
                .collect();
            let near = words.windows(2).find_map(|pair| match pair {
                [noun, word] if *word == one => Some(*noun),
                _ => None,
            });
            let of = words.windows(3).find_map(|three| match three {
                [word, "of", noun] if *word == one => Some(*noun),
                _ => None,
            });
            of.or(near).map(|noun| vec![stem(noun)]).unwrap_or_default()
        }
        [noun @ .., last] if NUMBERS.contains(&last.as_str()) => {
            noun.last().map(|noun| vec![stem(noun)]).unwrap_or_default()
        }
        [one] => vec![stem(one)],
        _ => Vec::new(),
    }
}

/// `the third question`: where it is told from what the parameter counts.
fn nth(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Option<Candidate> {
    let nouns = numbered(meaning);
    let from = counted_from(meaning)?;
    let (at, place) = (0..asked.tokens.len()).find_map(|at| {
        let token = asked
            .token(at)
            .filter(|token| token.after == Break::None && !asked.is_opaque(&token.range))?;
        let place = ORDINALS.iter().position(|words| token.is_any(words))?;
        let next = asked.token(at + 1)?;
        (nouns.contains(&next.stem)
            && !next.fold.ends_with("ss")
            && next.fold.len() <= next.stem.len() + 1
            && !is_plural(next))
        .then_some((at, place))
    })?;
    let number = i64::try_from(place).ok()?.checked_add(from)?;
    let value = value(meaning, number as f64)?;
    Some(asked.candidate(parameter, value, asked.bytes(at, at + 2)?, 0.9))
}

/// `the first questions` are several.
fn is_plural(token: &crate::words::Token<'_>) -> bool {
    token.fold != token.stem && token.fold.ends_with('s')
}

/// `close tab 3` of a parameter `index` that is described as the index of a tab.
fn indexed(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, counts: &[Count]) -> Option<Candidate> {
    let name = name_words(meaning.parameter.name());
    if !matches!(name.as_slice(), [one] if matches!(one.as_str(), "index" | "idx" | "position")) {
        return None;
    }
    // Whether people count from nothing is not known.
    if counted_from(meaning) == Some(0) {
        return None;
    }
    let nouns = numbered(meaning);
    let mut found = counts.iter().filter(|count| {
        count
            .at
            .checked_sub(1)
            .and_then(|before| asked.token(before))
            .is_some_and(|token| token.after == Break::None && nouns.contains(&token.stem))
    });
    let (count, None) = (found.next()?, found.next()) else {
        return None;
    };
    let value = value(meaning, count.number)?;
    Some(asked.candidate(parameter, value, count.range.clone(), 0.88))
}

/// `2 levels deep`, `three levels down`, `one hop`.
fn levels(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, counts: &[Count]) -> Option<Candidate> {
    let name = name_words(meaning.parameter.name());
    let deep = name
        .iter()
        .any(|word| matches!(word.as_str(), "depth" | "levels" | "hops"));
    let alike = asked
        .meanings
        .iter()
        .filter(|other| {
            other.is_numeric()
                && name_words(other.parameter.name())
                    .iter()
                    .any(|word| matches!(word.as_str(), "depth" | "levels" | "hops"))
        })
        .count();
    if !deep || alike != 1 {
        return None;
    }
    let count = counts.iter().find(|count| {
        let unbroken = asked
            .token(count.end - 1)
            .is_some_and(|token| token.after == Break::None);
        let word = asked.token(count.end).filter(|_| unbroken);
        let unit = word.is_some_and(|token| {
            token.is_any(&[
                "level", "levels", "hop", "hops", "layers", "ebenen", "ebene", "niveaux", "niveles", "niveau",
            ])
        });
        let next = asked
            .token(count.end + 1)
            .filter(|_| word.is_some_and(|word| word.after == Break::None));
        let far = next.is_some_and(|token| {
            token.is_any(&[
                "deep",
                "down",
                "in",
                "tief",
                "abwarts",
                "below",
                "of",
                "profundidad",
                "away",
            ])
        });
        let ends = word.is_some_and(|word| word.after >= Break::Comma) || next.is_none();
        let deep = word.is_some_and(|token| token.is_any(&["deep"]));
        (unit && (far || ends)) || deep
    })?;
    let value = value(meaning, count.number)?;
    Some(asked.candidate(parameter, value, count.range.clone(), 0.9))
}

/// `a CPU slowdown of 4`, where one description alone has `CPU slowdown factor`.
fn described(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, counts: &[Count]) -> Option<Candidate> {
    let pairs = |meaning: &Meaning| -> Vec<(String, String)> {
        let about = fold(&meaning.parameter.description);
        let first = about
            .split(['.', '(', ';', '\n'])
            .next()
            .unwrap_or_default()
            .to_owned();
        let words: Vec<String> = first
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(stem)
            .collect();
        words
            .windows(2)
            .filter_map(|pair| match pair {
                [a, b] if a.len() > 2 && b.len() > 3 => Some((a.clone(), b.clone())),
                _ => None,
            })
            .collect()
    };
    let own = pairs(meaning);
    let count = counts.iter().find(|count| {
        let mut at = count.at;
        while let Some(before) = at.checked_sub(1).and_then(|before| asked.token(before)) {
            let small = before.is_any(&["of", "to", "by", "at", "=", "is", "von", "de", "auf", "factor"]);
            if !small || before.after > Break::Colon || before.after == Break::Comma || count.at - at >= 2 {
                break;
            }
            at -= 1;
        }
        let (Some(first), Some(second)) = (
            at.checked_sub(2).and_then(|place| asked.token(place)),
            at.checked_sub(1).and_then(|place| asked.token(place)),
        ) else {
            return false;
        };
        let said = (first.stem.clone(), second.stem.clone());
        let plain = !first.is_common()
            && !second.is_common()
            && first.after == Break::None
            && second.after != Break::Comma
            && second.after != Break::Stop;
        let others = asked
            .meanings
            .iter()
            .enumerate()
            .any(|(other, meaning)| other != parameter && pairs(meaning).contains(&said));
        plain && own.contains(&said) && !others
    })?;
    let value = value(meaning, count.number)?;
    Some(asked.candidate(parameter, value, count.range.clone(), 0.86))
}

/// What numbers stand for: `(0=No access, 30=Developer, 40=Maintainer)`.
fn stands_for(meaning: &Meaning) -> Vec<(i64, String)> {
    let about = fold(&meaning.parameter.description);
    let mut found = Vec::new();
    for part in about.split(['(', ')', ',', ';', '\n', '.']) {
        let Some((number, label)) = part.split_once(['=', ':']) else {
            continue;
        };
        let number = number.trim().rsplit(' ').next().unwrap_or_default();
        let label = label.trim();
        if let Ok(number) = number.parse::<i64>()
            && label.len() > 2
            && label.chars().all(|c| c.is_alphabetic() || c == ' ' || c == '-')
        {
            found.push((number, label.to_owned()));
        }
    }
    if found.len() > 1 { found } else { Vec::new() }
}

/// `pushing for maintainers`, `priority high`: the label of a number, close behind the parameter's own word.
fn legend(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Option<Candidate> {
    let labels = stands_for(meaning);
    if labels.is_empty() {
        return None;
    }
    let name = name_words(meaning.parameter.name());
    let others: Vec<Vec<String>> = asked
        .meanings
        .iter()
        .enumerate()
        .filter(|(other, meaning)| *other != parameter && !stands_for(meaning).is_empty())
        .map(|(_, meaning)| name_words(meaning.parameter.name()))
        .collect();
    // Of `push_access_level` and `merge_access_level`, what tells them apart.
    let own: Vec<String> = name
        .iter()
        .filter(|word| others.iter().all(|other| !other.contains(word)))
        .map(|word| stem(word))
        .collect();
    let at = (0..asked.tokens.len()).find(|at| {
        asked
            .token(*at)
            .is_some_and(|token| own.contains(&token.stem) && !asked.is_opaque(&token.range))
    })?;
    let other_named = |place: usize| {
        asked.token(place).is_some_and(|token| {
            others
                .iter()
                .flatten()
                .any(|word| !name.contains(word) && stem(word) == token.stem)
        })
    };
    let mut found: Vec<(usize, i64)> = Vec::new();
    for place in (at + 1..at + 6).take_while(|place| !other_named(*place)) {
        if asked.break_before(place) == Break::Stop {
            break;
        }
        let Some(token) = asked.token(place) else { break };
        let fitting: Vec<i64> = labels
            .iter()
            .filter(|(_, label)| {
                stem(label) == token.stem || *label == token.fold || is_slip(&token.fold, label)
            })
            .map(|(number, _)| *number)
            .collect();
        if let [one] = fitting.as_slice()
            && !crate::assign::choices::is_negated(asked, place)
        {
            found.push((place, *one));
        }
    }
    let [(place, number)] = found.as_slice() else {
        return None;
    };
    crate::assign::numbers::within(meaning, *number as f64).then_some(())?;
    let mut candidate = asked.candidate(
        parameter,
        Value::Number(Number::from(*number)),
        asked.bytes(*place, place + 1)?,
        0.88,
    );
    candidate.taking = false;
    Some(candidate)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::assign::rows::check;

    /// P19: places in a row, levels and the numbers that labels stand for.
    #[test]
    fn p19_places_levels_and_labels() {
        let schema = json!({"properties": {"question": {"type": "integer", "minimum": 1, "description": "Which question, counted from 1"}}});
        check(
            "chart_question Draw a chart",
            &schema,
            &[
                ("Chart the third question", json!({"question": 3})),
                ("Chart question 2", json!({"question": 2})),
                ("Zeichne die zweite Frage", json!({})),
                ("Chart the first questions", json!({})),
            ],
        );
        let table = json!({"properties": {"table_index": {"type": "integer", "description": "Which table (0-based)"}}});
        check(
            "read_table Read a table",
            &table,
            &[("Read the second table", json!({"table_index": 1}))],
        );
        let unknown =
            json!({"properties": {"table_index": {"type": "integer", "description": "Which table"}}});
        check(
            "read_table Read a table",
            &unknown,
            &[("Read the second table", json!({}))],
        );
        let tabs =
            json!({"properties": {"index": {"type": "number", "description": "Tab index, used to close"}}});
        check(
            "close_tab Close a tab",
            &tabs,
            &[("close tab 3", json!({"index": 3})), ("close 3 tabs", json!({}))],
        );
        let depth = json!({"properties": {
            "max_depth": {"type": "integer", "description": "How far from the base the crawler can go"},
            "limit": {"type": "integer", "description": "Total number of links"},
        }});
        check(
            "crawl Crawl a site",
            &depth,
            &[
                ("crawl it, 2 levels deep", json!({"max_depth": 2})),
                ("crawl two levels down", json!({"max_depth": 2})),
                ("crawl it 3 deep", json!({"max_depth": 3})),
            ],
        );
        let level = |what: &str| json!({"type": "integer", "description": format!("Access level for {what} (0=No access, 30=Developer, 40=Maintainer)")});
        let access = json!({"properties": {"push_access_level": level("pushing"), "merge_access_level": level("merging")}});
        check(
            "protect_branch Protect a branch",
            &access,
            &[
                (
                    "Protect it, pushing for maintainers, merging for developers",
                    json!({"push_access_level": 40, "merge_access_level": 30}),
                ),
                (
                    "Protect it, pushing only for maintainers",
                    json!({"push_access_level": 40}),
                ),
                ("Protect it for maintainers", json!({})),
            ],
        );
        let cpu = json!({"properties": {
            "cpuThrottlingRate": {"type": "number", "description": "Represents the CPU slowdown factor."},
            "pageId": {"type": "number", "description": "Targets a page"},
        }});
        check(
            "emulate Emulate features",
            &cpu,
            &[
                ("emulate a CPU slowdown of 4", json!({"cpuThrottlingRate": 4})),
                ("emulate slowdown", json!({})),
            ],
        );
    }
}
