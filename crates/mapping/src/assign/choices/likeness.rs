//! How well do words of a request say one of a parameter's listed values?

use serde_json::Value;

use crate::assign::asked::{Asked, is_slip};
use crate::lexicon;
use crate::schema::Parameter;
use crate::words::{Token, fold, name_words, stem};

/// How well a word says a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Likeness {
    /// Its word with one letter wrong: `erorrs`.
    Slip,
    /// Another word of its family: `flakiest` of `flakiness`.
    Derived,
    /// A word that means it, in any of the languages.
    Synonym,
    /// Another form of its word: `close` is `closed`.
    Form,
    /// Its own word.
    Own,
}

/// A listed value as people would say it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spelling {
    /// As it is sent.
    pub value: Value,
    /// As it is written, in lower case without accents.
    pub plain: String,
    /// Its words without those that all values of the list share: `cycling` of `mapbox/cycling`.
    pub words: Vec<String>,
    /// Whether words were left out.
    pub is_cut: bool,
}

/// The listed values of a parameter, told apart by their words.
pub(crate) fn spellings(parameter: &Parameter, listed: &[String]) -> Vec<Spelling> {
    let values: Vec<Value> = if parameter.shape.choices.is_empty() {
        listed.iter().cloned().map(Value::String).collect()
    } else {
        parameter.shape.choices.clone()
    };
    let mut spellings: Vec<Spelling> = values
        .into_iter()
        .filter_map(|value| {
            let text = match &value {
                Value::String(text) => text.clone(),
                Value::Number(number) => number.to_string(),
                _ => return None,
            };
            Some(Spelling {
                plain: fold(&text),
                words: name_words(&text).iter().map(|word| fold(word)).collect(),
                is_cut: false,
                value,
            })
        })
        .collect();
    without_shared(&mut spellings);
    spellings
}

/// Takes away the words that all values begin or end with.
fn without_shared(spellings: &mut [Spelling]) {
    for from_end in [false, true] {
        loop {
            let edge = |spelling: &Spelling| {
                let word = if from_end {
                    spelling.words.last()
                } else {
                    spelling.words.first()
                };
                word.filter(|_| spelling.words.len() > 1).cloned()
            };
            let Some(shared) = spellings.first().and_then(edge) else {
                break;
            };
            let all = spellings.len() > 1
                && spellings
                    .iter()
                    .all(|spelling| edge(spelling).as_ref() == Some(&shared));
            if !all {
                break;
            }
            for spelling in spellings.iter_mut() {
                spelling.is_cut = true;
                if from_end {
                    spelling.words.pop();
                } else {
                    spelling.words.remove(0);
                }
            }
        }
    }
}

/// How well a word says a choice of one word, if it does. `Starte … neu` is no start but a restart.
pub(crate) fn one_word(choice: &Spelling, token: &Token<'_>, is_begun_anew: bool) -> Option<Likeness> {
    if choice.plain == token.fold || choice.plain.replace(['_', ' '], "-") == token.fold {
        return Some(Likeness::Own);
    }
    let [word] = choice.words.as_slice() else {
        return None;
    };
    if *word == token.fold && token.stem.len() > 2 {
        return Some(Likeness::Form);
    }
    if stem(word) == token.stem && token.stem.len() > 2 {
        return Some(Likeness::Form);
    }
    let mut meant = meanings_of(&token.fold);
    if meant.is_empty() && !token.is_common() {
        meant = lexicon::choices(&token.stem);
    }
    if word == "start" && is_begun_anew {
        return None;
    }
    if word == "restart" && is_begun_anew && meant.contains(&"start") {
        return Some(Likeness::Own);
    }
    // What is opened again is more than open, and a bus is no train.
    let own: &[&str] = match lexicon::choices(word) {
        _ if word == "reopen" => &[],
        ["transit"] => &[],
        own => own,
    };
    let same = |listed: &&str| *listed == word || stem(listed) == stem(word) || own.contains(listed);
    if meant.iter().any(same) || (token.sense == Some(word) && word.len() > 3) {
        return Some(Likeness::Synonym);
    }
    if token.is_common() {
        return None;
    }
    if is_family(&token.fold, word) {
        return Some(Likeness::Derived);
    }
    // One letter for another makes other words: `spring` is no `string`.
    let slips = |meant: &str| {
        let letters = |word: &str| {
            let mut letters: Vec<char> = word.chars().collect();
            letters.sort_unstable();
            letters
        };
        is_slip(&token.fold, meant)
            && (token.fold.len() != meant.len() || letters(&token.fold) == letters(meant))
    };
    (slips(word) || slips(&format!("{word}s"))).then_some(Likeness::Slip)
}

/// The choices that a word means, as it is written or without the ending of its case and number.
fn meanings_of(word: &str) -> &'static [&'static str] {
    let meant = lexicon::choices(word);
    if !meant.is_empty() || word.len() < 6 {
        return meant;
    }
    ["en", "er", "es", "em", "e", "s", "as", "os"]
        .iter()
        .filter_map(|ending| word.strip_suffix(ending))
        .map(lexicon::choices)
        .find(|meant| !meant.is_empty())
        .unwrap_or_default()
}

/// Whether two English words are built on the same root: `flakiest` and `flakiness`, `cyclist` and `cycling`.
fn is_family(word: &str, other: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "iness", "iest", "ness", "ures", "ions", "ists", "ers", "ing", "ist", "est", "ure", "ion", "ies",
        "ed", "er", "es", "s", "y",
    ];
    fn root(word: &str) -> &str {
        ENDINGS
            .iter()
            .filter_map(|ending| word.strip_suffix(ending))
            .find(|root| root.len() >= 4)
            .unwrap_or(word)
    }
    let ascii = word
        .bytes()
        .chain(other.bytes())
        .all(|byte| byte.is_ascii_lowercase());
    // `runner` is no `running`: doubled letters are forms of a verb, and who does it is somebody else.
    let shared = root(word);
    let doubled = shared
        .as_bytes()
        .windows(2)
        .last()
        .is_some_and(|pair| pair.first() == pair.last() && pair != b"ss");
    ascii && shared.len() >= 4 && !doubled && shared == root(other)
}

/// Whether the words from a place on are those of a choice of several words, and where they end.
pub(crate) fn several_words(choice: &Spelling, asked: &Asked<'_>, at: usize) -> Option<usize> {
    if choice.words.len() < 2 {
        return None;
    }
    let same = |words: &mut dyn Iterator<Item = &String>| {
        words.enumerate().all(|(offset, word)| {
            asked
                .token(at + offset)
                .is_some_and(|token| says_word(token, word, offset > 0))
        })
    };
    let backwards = choice.words.len() == 2 && same(&mut choice.words.iter().rev());
    (same(&mut choice.words.iter()) || (backwards && !choice.is_cut)).then_some(at + choice.words.len())
}

/// Whether a word is one of a choice's words: itself, its stem, the long form of a short one, or a word for the
/// same change.
fn says_word(token: &Token<'_>, word: &str, may_vary: bool) -> bool {
    const CHANGES: &[&[&str]] = &[
        &["update", "change", "edit", "modify", "modification"],
        &["delete", "remove", "deletion", "removal"],
        &["create", "add", "creation", "addition"],
    ];
    if token.fold == word || token.stem == stem(word) {
        return true;
    }
    let short = token.fold.len() >= 4 && token.fold.len() + 3 <= word.len() && word.starts_with(&token.fold);
    let among = |row: &&&[&str]| {
        row.iter()
            .any(|own| *own == token.fold || stem(own) == token.stem)
            && row.iter().any(|own| *own == word || stem(own) == stem(word))
    };
    short || (may_vary && CHANGES.iter().any(|row| among(&row)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::meaning::meanings;
    use crate::words::tokens;

    fn said(choices: &Value, word: &str) -> Option<Value> {
        let meanings = meanings(&json!({"properties": {"x": {"type": "string", "enum": choices}}}));
        let words = tokens(word);
        crate::assign::choices::spelled(meanings.first()?, words.first()?)
    }

    #[test]
    fn words_of_one_family_say_a_choice() {
        let tests = json!([
            "duration",
            "executions",
            "failures",
            "flakiness",
            "passes",
            "title"
        ]);
        let travel = json!([
            "mapbox/driving-traffic",
            "mapbox/driving",
            "mapbox/cycling",
            "mapbox/walking"
        ]);
        let levels = json!(["Critical", "Error", "Informational", "Verbose", "Warning"]);
        let priorities = json!(["low", "normal", "high", "urgent"]);
        for (choices, word, expected) in [
            (&tests, "flakiest", Some("flakiness")),
            (&tests, "failing", Some("failures")),
            (&tests, "executed", Some("executions")),
            (&tests, "flat", None),
            (&tests, "titan", None),
            (&travel, "cyclist", Some("mapbox/cycling")),
            (&travel, "bike", Some("mapbox/cycling")),
            (&travel, "foot", Some("mapbox/walking")),
            (&travel, "mapbox", None),
            (&levels, "erorrs", Some("Error")),
            (&levels, "warnings", Some("Warning")),
            (&levels, "terror", None),
            (&json!(["string", "number", "bool"]), "spring", None),
            (&priorities, "dringenden", Some("urgent")),
            (&priorities, "urgentes", Some("urgent")),
            (&priorities, "lower", None),
        ] {
            assert_eq!(said(choices, word), expected.map(|text| json!(text)), "{word}");
        }
    }
}
