//! Whose is a quotation that an id's noun stands before, a field's name, or `as`?

use std::ops::Range;

use crate::assign::asked::{Asked, Candidate, Hit};
use crate::kind::Kind;
use crate::meaning::Meaning;
use crate::words::{Break, is_coded, name_words};

/// Words that make something new.
const MAKING: &[&str] = &[
    "create", "creates", "make", "add", "new", "start", "open", "set", "build", "draft", "lege", "leg",
    "erstelle", "neu", "neue", "neues", "neuen", "cree", "creer", "nouveau", "nouvelle", "ajoute", "crea",
    "crear", "nuevo", "nueva", "anade", "register", "define",
];
/// Verbs behind whose object `as` says what somebody writes.
const WRITING: &[&str] = &[
    "reply",
    "replies",
    "answer",
    "post",
    "write",
    "comment",
    "describe",
    "described",
    "describing",
    "note",
    "say",
    "log",
    "send",
    "text",
    "message",
    "submit",
];
/// Verbs behind whose object `as` says what it is called.
const KEEPING: &[&str] = &[
    "copy",
    "duplicate",
    "clone",
    "save",
    "store",
    "export",
    "keep",
    "upload",
    "register",
    "publish",
    "rename",
    "create",
    "make",
    "add",
    "import",
    "kopiere",
    "speichere",
    "enregistre",
    "copie",
    "copia",
    "guarda",
];

/// `create a label "Suppliers"`: a quoted title is no id where a name is free. Tells whose it is instead, and whether
/// beyond doubt.
pub(crate) fn title_for_id(asked: &Asked<'_>, hit: &Hit, text: &str) -> Option<(usize, bool)> {
    let meaning = asked.meanings.get(hit.parameter)?;
    let by_name = meaning.parameter.description.to_lowercase().contains("name");
    let said_id = asked
        .token(hit.end.checked_sub(1)?)
        .is_some_and(|token| token.is_any(&["id", "ids", "uid", "uuid", "key", "number", "identifier"]));
    let like_id = is_coded(text) && !text.contains([' ', '/']) && text.chars().any(|c| c.is_ascii_digit());
    if meaning.kind != Kind::Id || by_name || said_id || like_id {
        return None;
    }
    let free = |(at, other): &(usize, &Meaning)| {
        let words = name_words(other.parameter.name());
        let called = words.last().is_some_and(|word| word == "name" || word == "title");
        let of_it = words.len() == 1 || (words.len() == 2 && other.thing == meaning.thing);
        let said = asked
            .hits_of(*at)
            .any(|own| asked.is_loaded(own) && own.start != hit.start);
        called && of_it && !said && other.parameter.shape.string && !other.parameter.list
    };
    let mut found = asked.meanings.iter().enumerate().filter(free);
    let (title, _) = found.next()?;
    let makes = asked
        .tokens
        .get(..hit.start)
        .unwrap_or_default()
        .iter()
        .any(|token| token.is_any(MAKING));
    found.next().is_none().then_some((title, makes))
}

/// Quotations that an id and a title take about equally: neither may be ruled out, so that it is asked back.
pub(crate) fn rivals(asked: &Asked<'_>, candidates: &[Candidate]) -> Vec<Range<usize>> {
    let of = |candidate: &Candidate, kind: Kind| {
        asked
            .meanings
            .get(candidate.parameter)
            .is_some_and(|meaning| meaning.kind == kind)
    };
    candidates
        .iter()
        .filter(|id| of(id, Kind::Id) && asked.is_opaque(&id.range))
        .filter(|id| {
            candidates.iter().any(|title| {
                of(title, Kind::Title) && title.range == id.range && (title.score - id.score).abs() < 0.01
            })
        })
        .map(|id| id.range.clone())
        .collect()
}

/// `documents with status "open"`: what a field of the things asked for has, and the name of nothing.
pub(crate) fn is_of_field(asked: &Asked<'_>, at: usize) -> bool {
    let word = |place: usize| asked.token(place).filter(|token| token.after == Break::None);
    let Some(mut field) = at.checked_sub(1) else {
        return false;
    };
    while field > 0
        && word(field).is_some_and(|token| {
            token.is_any(&["is", "=", "equals", "equal", "to", "of", "ist", "est", "es"])
        })
    {
        field -= 1;
    }
    let led = field.checked_sub(1).and_then(word).is_some_and(|token| {
        token.is_any(&[
            "with", "where", "whose", "having", "mit", "deren", "dont", "avec", "con", "cuyo", "cuya", "wo",
            "ou",
        ])
    });
    let named = asked
        .hits
        .iter()
        .any(|hit| hit.end == field + 1 && hit.weight > 0.78 && asked.is_loaded(hit));
    led && !named && word(field).is_some_and(|token| !token.is_common())
}

/// What `as` before a quotation says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum As {
    /// What something is called.
    Title,
    /// What somebody writes.
    Prose,
    /// Either.
    Open,
}

/// `copy the card as "Booth"` calls it so, `reply as "…"` writes it.
pub(crate) fn said_as(asked: &Asked<'_>, at: usize) -> As {
    let before = asked.tokens.get(..at).unwrap_or_default();
    let has = |words: &[&str]| before.iter().any(|token| token.is_any(words));
    match (has(KEEPING), has(WRITING)) {
        (true, false) => As::Title,
        (false, true) => As::Prose,
        _ => As::Open,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::assign::rows::check;

    /// P19: what is made gets a name and no id.
    #[test]
    fn p19_a_quoted_title_is_no_id() {
        let label = json!({"type": "object", "properties": {
            "action": {"enum": ["create", "update", "delete"], "type": "string"},
            "name": {"type": "string", "description": "Label name"},
            "label_id": {"type": "string", "description": "Label ID"}}, "required": ["action"]});
        check(
            "manage_label Manages labels: create, update, or delete labels.",
            &label,
            &[
                (
                    "Create a label \"Suppliers/Late\"",
                    json!({"action": "create", "name": "Suppliers/Late"}),
                ),
                (
                    "please create the new label \"Own things\"",
                    json!({"action": "create", "name": "Own things"}),
                ),
                (
                    "delete the label \"Label_17\"",
                    json!({"action": "delete", "label_id": "Label_17"}),
                ),
                // The name of what is there may be meant by either.
                ("delete the label \"Own things\"", json!({"action": "delete"})),
            ],
        );
    }

    /// P19: the value of a field of what is asked for names nothing.
    #[test]
    fn p19_a_quoted_value_of_a_field_is_no_name() {
        let count = json!({"type": "object", "properties": {
            "database": {"type": "string", "description": "Database name"},
            "collection": {"type": "string", "description": "Collection name"}},
            "required": ["database", "collection"]});
        check(
            "count Gets the number of documents in a collection",
            &count,
            &[
                (
                    "How many documents with status \"open\" does the collection claims have?",
                    json!({"collection": "claims"}),
                ),
                (
                    "How many documents does the collection \"claims\" of database \"insure\" have?",
                    json!({"database": "insure", "collection": "claims"}),
                ),
            ],
        );
    }

    /// P19: a copy is called by what stands behind `as`.
    #[test]
    fn p19_as_calls_a_copy() {
        let copy = json!({"type": "object", "properties": {
            "card_id": {"type": "string", "description": "ID of the card"},
            "name": {"type": "string", "description": "Name of the copied card"},
            "description": {"type": "string", "description": "Description of the copied card"}},
            "required": ["card_id"]});
        check(
            "copy_card Copy a card",
            &copy,
            &[
                (
                    "copy card 64cc09aa as \"Booth 2027\"",
                    json!({"card_id": "64cc09aa", "name": "Booth 2027"}),
                ),
                (
                    "copy card 64cc09aa with the description \"For May\"",
                    json!({"card_id": "64cc09aa", "description": "For May"}),
                ),
            ],
        );
    }
}
