//! Which equalities does a request say, for a parameter that takes a free object: `with status "open"`?

use std::ops::Range;

use serde_json::{Map, Number, Value};

use crate::assign::asked::{Asked, Candidate};
use crate::kind::Kind;
use crate::meaning::Meaning;
use crate::words::{Break, Token, name_words};

/// `with status "open"`, `where plan is "gold" and seats = 5`: fields and their values for the one free object.
pub(crate) fn conditions(asked: &Asked<'_>) -> Option<Candidate> {
    let mut takers = asked
        .meanings
        .iter()
        .enumerate()
        .filter(|(_, meaning)| takes_conditions(meaning));
    let (Some((parameter, _)), None) = (takers.next(), takers.next()) else {
        return None;
    };
    let mut at = (0..asked.tokens.len()).find(|at| leads(asked, *at) && pair(asked, at + 1).is_some())? + 1;
    let mut fields = Map::new();
    let mut range: Option<Range<usize>> = None;
    loop {
        let Some((name, value, end)) = pair(asked, at) else {
            // A part of the conditions is worse than none: `and older than a week`.
            let goes_on = asked
                .token(at)
                .is_some_and(|token| !crate::intent::is_verb(token) && asked.break_before(at) == Break::None);
            if goes_on {
                return None;
            }
            break;
        };
        let start = asked.token(at)?.range.start;
        range = Some(range.map_or(start, |range| range.start)..asked.token(end.checked_sub(1)?)?.range.end);
        fields.insert(name, value);
        let and = asked
            .token(end)
            .is_some_and(|token| token.is_any(&["and", "und", "et", "y"]));
        if asked.break_before(end) > Break::Comma || (!and && asked.break_before(end) != Break::Comma) {
            break;
        }
        at = end + usize::from(and);
    }
    Some(asked.candidate(parameter, Value::Object(fields), range?, 0.84))
}

/// Whether a parameter takes an object of whatever fields the things asked for have.
fn takes_conditions(meaning: &Meaning) -> bool {
    let shape = &meaning.parameter.shape;
    let words = name_words(meaning.parameter.name());
    let named = words.iter().any(|word| {
        matches!(
            word.as_str(),
            "filter" | "filters" | "query" | "where" | "conditions" | "criteria" | "params" | "parameters"
        )
    });
    let object = meaning.kind == Kind::Opaque && !shape.string && !shape.number && !shape.boolean;
    object && named && shape.fields.is_empty() && !meaning.parameter.list && meaning.parameter.only.is_none()
}

fn leads(asked: &Asked<'_>, at: usize) -> bool {
    asked.token(at).is_some_and(|token| {
        token.is_any(&["with", "where", "whose", "having", "mit", "avec", "con"])
            && token.after == Break::None
            && !asked.is_opaque(&token.range)
    })
}

/// A field and its value, and where they end. The name of another parameter is no field.
fn pair(asked: &Asked<'_>, at: usize) -> Option<(String, Value, usize)> {
    let token = asked.token(at).filter(|token| !asked.is_opaque(&token.range))?;
    if let Some((name, value)) = token.text.split_once('=') {
        let whole = !name.is_empty() && !value.is_empty() && name.chars().all(is_of_name);
        return whole.then(|| (name.to_owned(), typed(value), at + 1));
    }
    let named = asked.hits.iter().any(|hit| hit.start == at);
    if named || token.is_common() || token.after > Break::None || !token.text.chars().all(is_of_name) {
        return None;
    }
    let is = |token: &Token<'_>| token.is_any(&["is", "=", "equals", "of", "ist", "est", "es"]);
    let value = at + 1 + usize::from(asked.token(at + 1).is_some_and(is));
    if let Some((span, text)) = asked.quoted_at(value) {
        let end = asked.at_byte(span.range.end).max(value + 1);
        return Some((token.text.to_owned(), Value::String(text.to_owned()), end));
    }
    let number = asked
        .token(value)
        .filter(|value| value.text.chars().all(|c| c.is_ascii_digit()))?;
    // `with around 5 hits` counts; behind a number of a field nothing is counted.
    let counted = number.after == Break::None
        && asked
            .token(value + 1)
            .is_some_and(|next| !next.is_common() && !asked.hits.iter().any(|hit| hit.start == value + 1));
    (!counted).then(|| (token.text.to_owned(), typed(number.text), value + 1))
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')
}

fn typed(written: &str) -> Value {
    match written {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => written
            .parse::<i64>()
            .ok()
            .filter(|number| number.to_string() == written)
            .map_or_else(
                || Value::String(written.to_owned()),
                |number| Value::Number(Number::from(number)),
            ),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::assign::rows::check;

    /// P19: equalities fill a free object; the values of parameters do not.
    #[test]
    fn p19_equalities_fill_a_free_object() {
        let count = json!({"type": "object", "properties": {
            "collection": {"type": "string", "description": "Collection name"},
            "limit": {"type": "number", "description": "How many to return at most"},
            "query": {"type": "object", "description": "A filter", "additionalProperties": {}}},
            "required": ["collection"]});
        check(
            "count Gets the number of documents in a collection",
            &count,
            &[
                (
                    "How many documents with status \"open\" does the collection claims have?",
                    json!({"collection": "claims", "query": {"status": "open"}}),
                ),
                (
                    "count the collection claims where tier is \"gold\" and seats = 5",
                    json!({"collection": "claims", "query": {"tier": "gold", "seats": 5}}),
                ),
                (
                    "count the collection claims where tier=gold",
                    json!({"collection": "claims", "query": {"tier": "gold"}}),
                ),
                (
                    "count the collection claims with a limit of 5",
                    json!({"collection": "claims", "limit": 5}),
                ),
                (
                    "count the collection claims with great care",
                    json!({"collection": "claims"}),
                ),
            ],
        );
    }
}
