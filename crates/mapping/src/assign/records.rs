//! Which rows of a request become a list of objects: `3 KIT-BALCONY and 10 POT-TERRA`?
//!
//! Read only where the shape leaves no doubt: each row has a number and a code or a name, and every field that the
//! schema requires of a row is there.

pub(crate) mod conditions;
pub(crate) mod enumeration;
pub(crate) mod exclusions;
pub(crate) mod labelled_numbers;
pub(crate) mod lists;
pub(crate) mod parts;

use serde_json::{Map, Number, Value};

use crate::assign::asked::{Asked, Candidate};
use crate::assign::records::enumeration::{is_cut_short, next_item};
use crate::assign::shapes::prefix;
use crate::kind::{Kind, kind};
use crate::meaning::Meaning;
use crate::schema::Parameter;
use crate::span::What;
use crate::words::Break;

/// The fields of a row: how many, of what, and for how much each.
struct Columns<'p> {
    quantity: &'p Parameter,
    thing: &'p Parameter,
    price: Option<&'p Parameter>,
}

/// Lists of objects that the request enumerates.
pub(crate) fn records(asked: &Asked<'_>) -> Vec<Candidate> {
    asked
        .meanings
        .iter()
        .enumerate()
        .filter(|(_, meaning)| meaning.kind == Kind::Records)
        .filter_map(|(parameter, meaning)| {
            rows(asked, parameter, meaning).or_else(|| {
                crate::assign::records::labelled_numbers::labelled_numbers(asked, parameter, meaning)
            })
        })
        .collect()
}

fn columns(fields: &[Parameter]) -> Option<Columns<'_>> {
    let required: Vec<&Parameter> = fields.iter().filter(|field| field.own_required).collect();
    let of = |fits: fn(&Parameter) -> bool| {
        let mut found = required.iter().filter(|field| fits(field));
        match (found.next(), found.next()) {
            (Some(one), None) => Some(*one),
            _ => None,
        }
    };
    let quantity = of(|field| {
        let name = field.name().to_lowercase();
        field.shape.number && ["quantity", "qty", "count", "amount", "number"].contains(&name.as_str())
    })?;
    let thing = of(|field| field.shape.string && !field.shape.number && field.shape.choices.is_empty())?;
    let price = of(|field| {
        matches!(kind(field), Kind::Money(false)) && !["quantity", "amount"].contains(&field.name())
    });
    let covered = 2 + usize::from(price.is_some());
    (required.len() == covered).then_some(Columns {
        quantity,
        thing,
        price,
    })
}

fn rows(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Option<Candidate> {
    let columns = columns(&meaning.parameter.shape.fields)?;
    let mut at = (0..asked.tokens.len()).find(|at| row(asked, &columns, *at).is_some())?;
    let first = at;
    let mut values = Vec::new();
    let mut end = at;
    while let Some((value, after)) = row(asked, &columns, at) {
        values.push(value);
        end = after;
        match next_item(asked, after - 1) {
            Some(next) => at = next,
            None => break,
        }
    }
    // Half an order is worse than none: no code of the kind stays outside, and no `and` leads on.
    let is_thing = |at: usize| {
        asked.token(at).is_some_and(|token| {
            let code = token.text.contains(['-', '_']) && token.is_coded() && prefix(token.text).is_none();
            code && !asked.is_opaque(&token.range)
        })
    };
    let outside = (0..asked.tokens.len()).any(|at| !(first..end).contains(&at) && is_thing(at));
    if outside || is_cut_short(asked, end) {
        return None;
    }
    let range = asked.bytes(first, end)?;
    Some(asked.candidate(parameter, Value::Array(values), range, 0.86))
}

/// One row from a word on, and where it ends.
fn row(asked: &Asked<'_>, columns: &Columns<'_>, at: usize) -> Option<(Value, usize)> {
    let (number, mut next) = count_at(asked, at)?;
    if asked.break_before(next) != Break::None || asked.is_opaque(&asked.token(at)?.range) {
        return None;
    }
    if asked
        .token(next)
        .is_some_and(|token| token.is_any(&["x", "×", "of", "mal", "times"]))
    {
        next += 1;
    }
    let (thing, after) = thing_at(asked, columns, next)?;
    let mut fields = Map::new();
    fields.insert(columns.thing.name().to_owned(), Value::String(thing));
    fields.insert(
        columns.quantity.name().to_owned(),
        Value::Number(Number::from(number as i64)),
    );
    let Some(price) = columns.price else {
        return Some((Value::Object(fields), after));
    };
    let linked = asked
        .token(after)
        .is_some_and(|token| token.is_any(&["at", "@", "for", "zu", "a", "je", "par", "por"]));
    let place = if linked { after + 1 } else { after };
    // A number behind `at` may be read with it: `at 9.50`.
    let (amount, mut end) = asked
        .spans_at(place)
        .chain(asked.spans_at(after))
        .find_map(|span| match span.what {
            What::Money(amount, _) => Some((amount, asked.at_byte(span.range.end).max(place + 1))),
            What::Number(amount) if linked && amount > 0.0 => {
                Some((amount, asked.at_byte(span.range.end).max(place + 1)))
            }
            _ => None,
        })?;
    if asked
        .token(end)
        .is_some_and(|token| token.is_any(&["each", "apiece", "je", "chacun", "stuck", "cada"]))
    {
        end += 1;
    }
    let whole = amount.fract() == 0.0;
    let number = if whole {
        Some(Number::from(amount as i64))
    } else {
        Number::from_f64(amount)
    }?;
    fields.insert(price.name().to_owned(), Value::Number(number));
    Some((Value::Object(fields), end))
}

/// How many: a number, or an article in front of a code.
fn count_at(asked: &Asked<'_>, at: usize) -> Option<(f64, usize)> {
    let number = asked.spans_at(at).find_map(|span| match span.what {
        What::Number(number) if number > 0.0 && number.fract() == 0.0 => {
            Some((number, asked.at_byte(span.range.end).max(at + 1)))
        }
        _ => None,
    });
    number.or_else(|| {
        let one = asked
            .token(at)?
            .is_any(&["one", "a", "an", "ein", "eine", "einen", "un", "une", "una"]);
        (one && asked.is_code(at + 1)).then_some((1.0, at + 1))
    })
}

/// What a row is of: a code, or words up to the price or the next row.
fn thing_at(asked: &Asked<'_>, columns: &Columns<'_>, at: usize) -> Option<(String, usize)> {
    if let Some((span, text)) = asked.quoted_at(at) {
        return Some((text.to_owned(), asked.at_byte(span.range.end).max(at + 1)));
    }
    let token = asked.token(at)?;
    if token.is_coded() {
        let fits = prefix(token.text).is_none()
            || columns
                .thing
                .shape
                .examples
                .iter()
                .any(|example| prefix(example) == prefix(token.text));
        return fits.then(|| (token.text.to_owned(), at + 1));
    }
    let codes = columns
        .thing
        .shape
        .examples
        .iter()
        .any(|example| !example.contains(' ') && example.contains(['-', '_']));
    if codes || token.is_common() {
        return None;
    }
    // Words without a price behind them could go on with anything.
    columns.price?;
    let mut end = at + 1;
    while end < asked.tokens.len() && asked.break_before(end) == Break::None {
        let next = asked.token(end)?;
        if next.is_any(&["at", "for", "zu", "and", "und", "et", "y", "je"])
            || asked
                .spans_at(end)
                .any(|span| matches!(span.what, What::Money(..)))
        {
            break;
        }
        end += 1;
    }
    Some((asked.slice(at, end).to_owned(), end))
}
