//! What is copied, and what is the copy called: `clone the VM build-01, the copy should be called build-02`?

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate};
use crate::assign::names::twins::is_lone_code;
use crate::meaning::Meaning;
use crate::words::name_words;

const COPYING: &[&str] = &[
    "clone",
    "copy",
    "duplicate",
    "klone",
    "klon",
    "kopiere",
    "kopier",
    "dupliziere",
    "clona",
    "copia",
    "duplica",
    "duplique",
    "copie",
    "cloner",
    "copier",
    "dupliquer",
    "clonar",
    "copiar",
    "duplicar",
];
/// Words that the copy's name stands behind.
const NAMING: &[&str] = &[
    "called", "named", "as", "to", "into", "name", "be", "call", "is", "als", "namens", "nach", "genannt",
    "heissen", "nomme", "nommee", "appelle", "sous", "vers", "llamada", "llamado", "llama", "como", "llame",
];

/// The source and the copy, where the request names exactly two things of which the second is told as the copy.
pub(crate) fn copies(asked: &Asked<'_>) -> Vec<Candidate> {
    let verb = asked
        .tokens
        .iter()
        .position(|token| token.is_any(COPYING) && !asked.is_opaque(&token.range));
    let Some(verb) = verb else { return Vec::new() };
    let (Some(first), Some(second)) = (
        only(asked, &["source", "src", "from", "original", "old"], true),
        only(
            asked,
            &["target", "new", "dest", "destination", "copy", "clone", "to"],
            false,
        ),
    ) else {
        return Vec::new();
    };
    // What another parameter's name stands in front of is that one's.
    let places: Vec<usize> = (verb + 1..asked.tokens.len())
        .filter(|at| is_lone_code(asked, *at))
        .filter(|at| {
            !asked
                .hits
                .iter()
                .any(|hit| hit.end == *at && hit.weight > 0.9 && ![first, second].contains(&hit.parameter))
        })
        .collect();
    let [source, copy] = places.as_slice() else {
        return Vec::new();
    };
    let named = (source + 1..*copy)
        .rev()
        .take(2)
        .any(|at| asked.token(at).is_some_and(|token| token.is_any(NAMING)));
    if !named {
        return Vec::new();
    }
    [(first, *source), (second, *copy)]
        .into_iter()
        .filter_map(|(parameter, at)| {
            let token = asked.token(at)?;
            let value = Value::String(token.text.to_owned());
            Some(asked.candidate(parameter, value, token.range.clone(), 0.96))
        })
        .collect()
}

/// The one required name that says only this part, or also none.
fn only(asked: &Asked<'_>, parts: &[&str], plain: bool) -> Option<usize> {
    let fits = |meaning: &Meaning| {
        let words = name_words(meaning.parameter.name());
        let named = words.last().is_some_and(|word| word == "name");
        let part = match words.as_slice() {
            [_] => plain,
            [part, ..] => parts.contains(&part.as_str()),
            [] => false,
        };
        let shape = &meaning.parameter.shape;
        named && part && shape.string && !meaning.parameter.list && meaning.is_required()
    };
    let mut found = asked
        .meanings
        .iter()
        .enumerate()
        .filter(|(_, meaning)| fits(meaning));
    match (found.next(), found.next()) {
        (Some((at, _)), None) => Some(at),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::assign::rows::check;

    /// P20: the copy is not what is copied.
    #[test]
    fn p20_the_copy_is_told_from_its_source() {
        let schema = json!({"required": ["name", "targetName"], "properties": {
            "name": {"type": "string", "description": "The name of the source virtual machine to clone"},
            "targetName": {"type": "string", "description": "The name for the new cloned virtual machine"}}});
        let told = json!({"name": "build-01", "targetName": "build-02"});
        check(
            "vm_clone Clone a virtual machine",
            &schema,
            &[
                (
                    "clone the VM build-01, the copy should be called build-02",
                    told.clone(),
                ),
                ("Please clone build-01 as build-02", told.clone()),
                ("clone the VM build-01 and call it build-02", told.clone()),
                ("Klone die VM build-01 als build-02", told),
            ],
        );
    }
}
