//! Which labels with their numbers become a list of objects: `wind 42, solar 31 and gas 27`?
//!
//! Read only where the schema leaves no doubt: each object needs one text and one number, and at least two of them
//! stand in a row.

use serde_json::{Map, Number, Value};

use crate::assign::asked::{Asked, Candidate, LINKS};
use crate::meaning::Meaning;
use crate::schema::Parameter;
use crate::span::What;
use crate::words::Break;

/// Most words of a label.
const LABEL_MAX: usize = 5;

/// A label with its number, and where its words lie.
struct Pair {
    label: String,
    number: Number,
    start: usize,
    end: usize,
}

/// The text and the number of an object that needs nothing else.
fn columns(fields: &[Parameter]) -> Option<(&Parameter, &Parameter)> {
    let needed: Vec<&Parameter> = fields.iter().filter(|field| field.own_required).collect();
    let fields = if needed.is_empty() {
        fields.iter().collect()
    } else {
        needed
    };
    let [one, other] = fields.as_slice() else {
        return None;
    };
    let text = |field: &Parameter| {
        field.shape.string && !field.shape.number && field.shape.choices.is_empty() && !field.list
    };
    let number = |field: &Parameter| field.shape.number && !field.shape.string && !field.list;
    match (text(one) && number(other), number(one) && text(other)) {
        (true, _) => Some((one, other)),
        (_, true) => Some((other, one)),
        _ => None,
    }
}

/// Labels with numbers, as a list of objects.
pub(crate) fn labelled_numbers(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Option<Candidate> {
    let (label, number) = columns(&meaning.parameter.shape.fields)?;
    let mut found = runs(asked, parameter);
    found.retain(|run| run.len() > 1);
    if found.is_empty() {
        found.extend(numbers_first(asked));
    }
    let [run] = found.as_slice() else { return None };
    let (first, last) = (run.first()?, run.last()?);
    let whole = number.shape.integer;
    if whole
        && run
            .iter()
            .any(|pair| pair.number.as_f64().is_some_and(|number| number.fract() != 0.0))
    {
        return None;
    }
    let values = run
        .iter()
        .map(|pair| {
            let mut fields = Map::new();
            fields.insert(label.name().to_owned(), Value::String(pair.label.clone()));
            fields.insert(number.name().to_owned(), Value::Number(pair.number.clone()));
            Value::Object(fields)
        })
        .collect();
    let range = asked.bytes(first.start, last.end)?;
    Some(asked.candidate(parameter, Value::Array(values), range, 0.88))
}

/// Rows of pairs with nothing but commas or `and` between.
fn runs(asked: &Asked<'_>, parameter: usize) -> Vec<Vec<Pair>> {
    let mut runs: Vec<Vec<Pair>> = Vec::new();
    let mut at = 0;
    while at < asked.tokens.len() {
        let Some(mut pair) = first_pair(asked, at) else {
            at += 1;
            continue;
        };
        let mut run = Vec::new();
        loop {
            let end = pair.end;
            run.push(pair);
            at = end;
            let joined = asked
                .token(end)
                .is_some_and(|token| token.is_any(&["and", "und", "et", "y", "&"]));
            let next = match asked.break_before(end) {
                Break::Comma | Break::Stop => end + usize::from(joined),
                Break::None if joined => end + 1,
                _ => break,
            };
            match pair_from(asked, next, parameter) {
                Some(more) => pair = more,
                None => {
                    // Half of the rows are worse than none.
                    if is_cut_short(asked, next, parameter) {
                        run.clear();
                    }
                    break;
                }
            }
        }
        runs.push(run);
    }
    runs
}

/// The pair whose number is at a word, its label as far back as it is one.
fn first_pair(asked: &Asked<'_>, at: usize) -> Option<Pair> {
    let (number, end) = number_at(asked, at)?;
    let mut start = at;
    while let Some(before) = start.checked_sub(1) {
        let token = asked.token(before)?;
        let fits = asked.break_before(start) == Break::None
            || (start == at && asked.break_before(start) == Break::Colon);
        let named = start == at && token.is_capitalised();
        let small = (token.is_common() && !named) || LINKS.contains(&token.fold.as_str());
        // `area chart 2018 91.9`: what is drawn is no part of a label.
        let own = start < at && asked.is_tool_word(token);
        if !fits || small || own || at - before > LABEL_MAX || asked.is_opaque(&token.range) {
            break;
        }
        start = before;
    }
    // `the visits Jan 120`: what the numbers are of belongs to no label.
    let proper = |place: usize| {
        asked
            .token(place)
            .is_some_and(crate::words::Token::is_capitalised)
    };
    if asked.break_before(start) == Break::None && start + 1 < at && !proper(start) && proper(at - 1) {
        start = at - 1;
    }
    let label = labelled(asked, start, at)?;
    Some(Pair {
        label,
        number,
        start,
        end,
    })
}

/// `45% coal, 30% gas`: rows where the number stands first.
fn numbers_first(asked: &Asked<'_>) -> Option<Vec<Pair>> {
    let mut run: Vec<Pair> = Vec::new();
    let mut at = (0..asked.tokens.len()).find(|at| number_before(asked, *at).is_some())?;
    while let Some(pair) = number_before(asked, at) {
        let end = pair.end;
        run.push(pair);
        match crate::assign::records::enumeration::next_item(asked, end - 1) {
            Some(next) => at = next,
            None => break,
        }
        if number_before(asked, at).is_none() && digits_at(asked, at).is_some() {
            return None;
        }
    }
    (run.len() > 1).then_some(run)
}

/// A number and its label behind it, up to the next comma.
fn number_before(asked: &Asked<'_>, at: usize) -> Option<Pair> {
    let (number, next) = digits_at(asked, at)?;
    let start = next
        + usize::from(
            asked
                .token(next)
                .is_some_and(|token| token.is_any(&["of", "for", "x"])),
        );
    if asked.break_before(next) != Break::None {
        return None;
    }
    let end = (start + 1..asked.tokens.len())
        .find(|place| {
            asked.break_before(*place) >= Break::Comma
                || asked
                    .token(*place)
                    .is_some_and(|token| token.is_any(&["and", "und", "et", "y", "&"]))
        })
        .unwrap_or(asked.tokens.len());
    let single = end == start + 1
        && asked
            .token(start)
            .is_some_and(|token| !LINKS.contains(&token.fold.as_str()) && token.fold.len() > 3);
    let words = (start..end).all(|place| {
        asked.token(place).is_some_and(|token| {
            (single || !token.is_common()) && !token.text.chars().any(|c| c.is_ascii_digit())
        })
    });
    (words && end - start <= 3).then(|| Pair {
        label: asked.slice(start, end).to_owned(),
        number,
        start: at,
        end,
    })
}

/// The pair that begins at a word and ends with a number.
fn pair_from(asked: &Asked<'_>, start: usize, parameter: usize) -> Option<Pair> {
    let named = asked.hits.iter().any(|hit| {
        hit.start == start
            && hit.parameter != parameter
            && hit.weight > 0.78
            && asked
                .meanings
                .get(hit.parameter)
                .is_some_and(|meaning| meaning.is_numeric())
    });
    if named {
        return None;
    }
    for at in start + 1..(start + 1 + LABEL_MAX).min(asked.tokens.len()) {
        let before = asked.break_before(at);
        if before > Break::Colon || before == Break::Comma {
            return None;
        }
        if let Some((number, end)) = number_at(asked, at)
            && ends(asked, end)
        {
            let label = labelled(asked, start, at)?;
            return Some(Pair {
                label,
                number,
                start,
                end,
            });
        }
    }
    None
}

/// Whether one more row seems to follow that could not be read: a label first and a number behind it.
fn is_cut_short(asked: &Asked<'_>, next: usize, parameter: usize) -> bool {
    let named = asked
        .hits
        .iter()
        .any(|hit| hit.start == next && hit.parameter != parameter && hit.weight > 0.78);
    let end = (next + 1..asked.tokens.len())
        .find(|at| asked.break_before(*at) >= Break::Comma)
        .unwrap_or(asked.tokens.len());
    !named && digits_at(asked, next).is_none() && (next + 1..end).any(|at| digits_at(asked, at).is_some())
}

fn ends(asked: &Asked<'_>, end: usize) -> bool {
    asked.break_before(end) >= Break::Comma
        || asked.token(end).is_none_or(|token| {
            token.is_any(&[
                "and", "und", "et", "y", "&", "please", "bitte", "as", "with", "in", "titled", "called",
            ])
        })
}

fn labelled(asked: &Asked<'_>, start: usize, at: usize) -> Option<String> {
    if start >= at {
        return None;
    }
    if let Some((_, text)) = asked.quoted_at(start) {
        return Some(text.to_owned());
    }
    let linked = at - start > 1
        && asked.token(at - 1).is_some_and(|token| {
            token.is_any(&[
                "is", "are", "at", "with", "has", "=", "ist", "est", "es", "mit", "was",
            ])
        });
    let words = asked.slice(start, if linked { at - 1 } else { at });
    (!words.is_empty()).then(|| words.to_owned())
}

/// A number in digits that nothing follows.
fn number_at(asked: &Asked<'_>, at: usize) -> Option<(Number, usize)> {
    digits_at(asked, at).filter(|(_, end)| ends(asked, *end))
}

/// A number in digits at a word, a share or an amount included.
fn digits_at(asked: &Asked<'_>, at: usize) -> Option<(Number, usize)> {
    let token = asked.token(at)?;
    let digits = token
        .text
        .trim_start_matches(['$', '€', '£', '-', '='])
        .chars()
        .next()
        .is_some_and(|c| c.is_ascii_digit());
    if !digits || asked.is_opaque(&token.range) {
        return None;
    }
    // `900 €` and `45 %` have more than their digits.
    let measured = asked.spans_at(at).find_map(|span| match span.what {
        What::Percent(number) | What::Money(number, _) => Some((number, span.range.end)),
        _ => None,
    });
    let plain = || {
        token
            .text
            .parse::<f64>()
            .ok()
            .map(|number| (number, token.range.end))
    };
    let read = || {
        asked.spans_at(at).find_map(|span| match span.what {
            What::Number(number) => Some((number, span.range.end)),
            _ => None,
        })
    };
    let (number, place) = measured.or_else(plain).or_else(read)?;
    let end = asked.at_byte(place).max(at + 1);
    let number = if number.fract() == 0.0 && number.abs() < 1e15 {
        Some(Number::from(number as i64))
    } else {
        Number::from_f64(number)
    }?;
    Some((number, end))
}
