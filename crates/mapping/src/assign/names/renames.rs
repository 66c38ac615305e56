//! What was a thing called, and what shall it be called: `rename oders to orders`, `copy January as February`?

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate, Hit};
use crate::kind::Kind;
use crate::meaning::Meaning;
use crate::words::{Break, name_words};

/// Verbs that give a thing another name.
const RENAMING: &[&str] = &[
    "rename",
    "renames",
    "renombra",
    "renomme",
    "umbenennen",
    "benenne",
    "nenne",
    "rebautiza",
];
/// Verbs that make a second thing, which `as` names.
const COPYING: &[&str] = &[
    "copy",
    "duplicate",
    "clone",
    "save",
    "kopiere",
    "kopier",
    "dupliziere",
    "copie",
    "duplique",
    "copia",
    "duplica",
];

/// The old and the new name, where the request says both around `to` or `as`.
pub(crate) fn renames(asked: &Asked<'_>) -> Vec<Candidate> {
    let Some(new) = position(asked, true) else {
        return Vec::new();
    };
    let Some(verb) = asked
        .tokens
        .iter()
        .position(|token| token.is_any(RENAMING) || token.is_any(COPYING))
    else {
        return Vec::new();
    };
    let renames = asked.token(verb).is_some_and(|token| token.is_any(RENAMING));
    let links: &[&str] = if renames {
        &["to", "into", "as", "in", "zu", "als", "en", "a"]
    } else {
        &["as", "als", "comme", "como", "named", "called", "namens", "to"]
    };
    // The last link, with one word behind it up to the end of the clause.
    let Some(target) = (verb + 2..asked.tokens.len()).rev().find(|at| {
        let linked = asked
            .token(at - 1)
            .is_some_and(|link| link.is_any(links) && link.after == Break::None);
        let ends =
            asked.token(*at).is_some_and(|token| token.after > Break::None) || at + 1 == asked.tokens.len();
        // `copy it to Backup` is a place where no new name is needed.
        let needed = renames
            || asked.meanings.get(new).is_some_and(Meaning::is_required)
            || !asked.token(at - 1).is_some_and(|link| link.is_any(&["to"]));
        linked && ends && needed && is_name(asked, *at)
    }) else {
        return Vec::new();
    };
    let mut candidates: Vec<Candidate> = one(asked, new, target, 0.92).into_iter().collect();
    let old = position(asked, false).filter(|_| renames);
    if let Some(old) = old
        && let Some(at) = (verb + 1..target - 1).find(|at| is_old_name(asked, [old, new], verb, *at))
    {
        candidates.extend(one(asked, old, at, 0.92));
    }
    candidates
}

/// The only parameter that takes a name, the new or the present one.
fn position(asked: &Asked<'_>, new: bool) -> Option<usize> {
    let mut found = asked.meanings.iter().enumerate().filter(|(_, meaning)| {
        let words = name_words(meaning.parameter.name());
        let has_new = words
            .iter()
            .any(|word| matches!(word.as_str(), "new" | "destination" | "target" | "copy"));
        let named = words.last().is_some_and(|word| word == "name" || word == "title");
        let typed = meaning.parameter.shape.string && !meaning.parameter.list;
        let kind = matches!(meaning.kind, Kind::Slug | Kind::Title);
        let exact = if new {
            words == ["new", "name"]
                || words == ["new", "title"]
                || (words.len() == 3 && words.first().is_some_and(|word| word == "new"))
        } else {
            words == ["name"] || words == ["old", "name"] || words == ["current", "name"]
        };
        typed && kind && named && has_new == new && exact
    });
    let first = found.next()?.0;
    // `new_name` and `new_namespace_name`: the plain one.
    let plain = asked
        .meanings
        .iter()
        .position(|meaning| name_words(meaning.parameter.name()) == ["new", "name"]);
    if new {
        Some(plain.unwrap_or(first))
    } else {
        Some(first)
    }
}

fn is_name(asked: &Asked<'_>, at: usize) -> bool {
    asked.token(at).is_some_and(|token| {
        !token.is_common()
            && !crate::assign::names::narrowed::is_manner(token)
            && !asked.is_opaque(&token.range)
            && !token.text.contains('/')
            && !token.text.contains('@')
    })
}

/// Right behind the verb, or behind the thing that is renamed.
fn is_old_name(asked: &Asked<'_>, both: [usize; 2], verb: usize, at: usize) -> bool {
    let [old, _] = both;
    let behind_thing = asked
        .hits_of(old)
        .any(|hit: &Hit| hit.end == at && hit.start > verb);
    let free = !asked
        .hits
        .iter()
        .any(|hit| hit.start == at || (!both.contains(&hit.parameter) && hit.end == at));
    is_name(asked, at)
        && free
        && (at == verb + 1 || behind_thing)
        && !asked.token(at).is_some_and(|token| asked.is_tool_word(token))
}

fn one(asked: &Asked<'_>, parameter: usize, at: usize, score: f32) -> Option<Candidate> {
    let token = asked.token(at)?;
    Some(asked.candidate(
        parameter,
        Value::String(token.text.to_owned()),
        token.range.clone(),
        score,
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::assign::rows;

    fn read(text: &str, words: &str, names: &[&str]) -> Value {
        let about = |name: &str| match name {
            "name" | "new_name" => "The name of the table",
            _ => "",
        };
        let described: Vec<(&str, &str)> = names.iter().map(|name| (*name, about(name))).collect();
        rows::read(text, words, &rows::texts(&described, names))
    }

    /// P19: the new name stands behind `to` or `as`, the old one behind the thing.
    #[test]
    fn p19_old_and_new_names_are_told() {
        let rename = "rename_table Rename a table";
        let copy = "copy_sheet Copy a sheet";
        for (text, words, names, expected) in [
            (
                "Rename the table oders in namespace sales to orders",
                rename,
                &["namespace", "name", "new_name"][..],
                json!({"namespace": "sales", "name": "oders", "new_name": "orders"}),
            ),
            (
                "Rename oders to orders",
                rename,
                &["name", "new_name"],
                json!({"name": "oders", "new_name": "orders"}),
            ),
            (
                "Copy sheet January of /data/sales.xlsx as February",
                copy,
                &["path", "sheet", "new_name"],
                json!({"path": "/data/sales.xlsx", "sheet": "January", "new_name": "February"}),
            ),
            (
                "Rename the table oders",
                rename,
                &["name", "new_name"],
                json!({"name": "oders"}),
            ),
        ] {
            assert_eq!(read(text, words, names), expected, "{text}");
        }
    }
}
