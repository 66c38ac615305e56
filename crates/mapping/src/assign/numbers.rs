//! Which numbers of a request belong where, and in which unit?

pub(crate) mod bounds;
pub(crate) mod changes;
pub(crate) mod limits;
pub(crate) mod measures;
pub(crate) mod offsets;
pub(crate) mod ordered;
pub(crate) mod pairs;
pub(crate) mod points;

use std::ops::Range;

use serde_json::{Number, Value};

use crate::assign::asked::{Asked, Candidate, Hit, touches};
use crate::assign::numbers::bounds::{is_end_word, said_side, side_of};
use crate::assign::records::enumeration::next_item;
use crate::kind::Kind;
use crate::meaning::{Meaning, sense_of};
use crate::span::What;
use crate::words::{Break, name_words};

/// A number that stands for itself: no part of a date, an amount, an id.
pub(crate) struct Count {
    pub at: usize,
    pub end: usize,
    pub range: Range<usize>,
    pub number: f64,
}

/// Candidates for numbers, amounts of money and shares.
pub(crate) fn numbers(asked: &Asked<'_>) -> Vec<Candidate> {
    let counts = counts(asked);
    let mut candidates = Vec::new();
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        if meaning.parameter.list {
            candidates.extend(number_list(asked, parameter, meaning, &counts));
            continue;
        }
        match meaning.kind {
            Kind::Money(cents) => candidates.extend(money(asked, parameter, meaning, cents, &counts)),
            Kind::Currency => candidates.extend(currency(asked, parameter)),
            Kind::Choice if meaning.thing.as_deref() == Some("currency") => {
                candidates.extend(currency_choice(asked, parameter, meaning));
            }
            Kind::Percent => candidates.extend(percent(asked, parameter, meaning, &counts)),
            Kind::Slug if meaning.is_required() && meaning.parameter.name().eq_ignore_ascii_case("value") => {
                candidates.extend(set_value(asked, parameter, &counts));
            }
            Kind::Count | Kind::Number | Kind::Length(_) => {
                candidates.extend(plain(asked, parameter, meaning, &counts));
            }
            _ => {}
        }
    }
    candidates.extend(crate::assign::numbers::limits::limits(asked, &counts));
    candidates.extend(crate::assign::numbers::bounds::bounds(asked, &counts));
    candidates.extend(crate::assign::numbers::pairs::pairs(asked, &counts));
    let measured = crate::assign::numbers::measures::measures(asked, &counts);
    // `2 km` is 2000 of a parameter in metres, and not 2.
    candidates.retain(|candidate: &Candidate| {
        !measured
            .iter()
            .any(|other| other.parameter == candidate.parameter && touches(&other.range, &candidate.range))
    });
    candidates.extend(measured);
    candidates
}

pub(crate) fn counts(asked: &Asked<'_>) -> Vec<Count> {
    let other = |range: &Range<usize>| {
        asked.spans.iter().any(|span| {
            let longer = span.range.end - span.range.start > range.end - range.start;
            let names = matches!(span.what, What::Number(_) | What::Name(_) | What::Quoted(_));
            (longer && !names && touches(&span.range, range))
                || (matches!(span.what, What::Quoted(_)) && touches(&span.range, range))
        })
    };
    let mut found: Vec<Count> = Vec::new();
    for span in &asked.spans {
        let What::Number(number) = span.what else { continue };
        if asked.is_opaque(&span.range) || other(&span.range) {
            continue;
        }
        let at = asked.at_byte(span.range.start);
        let Some(token) = asked.token(at) else { continue };
        // `4` within `v4` or `INV-4` is part of a word.
        if token.range.start != span.range.start || token.range.end > span.range.end {
            continue;
        }
        let end = asked.at_byte(span.range.end).max(at + 1);
        found.push(Count {
            at,
            end,
            range: span.range.clone(),
            number,
        });
    }
    found
}

/// Whether the schema allows a number.
pub(crate) fn within(meaning: &Meaning, number: f64) -> bool {
    let shape = &meaning.parameter.shape;
    shape.minimum.is_none_or(|least| number >= least) && shape.maximum.is_none_or(|most| number <= most)
}

/// A number as JSON, whole where it is whole; `None` where the schema forbids it.
pub(crate) fn value(meaning: &Meaning, number: f64) -> Option<Value> {
    if !within(meaning, number) || !number.is_finite() {
        return None;
    }
    let whole = number.fract() == 0.0 && number.abs() < 9.0e15;
    if meaning.parameter.shape.integer && !whole {
        return None;
    }
    let spelled = if whole {
        Some(Number::from(number as i64))
    } else {
        Number::from_f64(number)
    }?;
    if meaning.parameter.shape.number {
        Some(Value::Number(spelled))
    } else {
        Some(Value::String(spelled.to_string()))
    }
}

/// `set the key max_items to 25`: the text of a value may be a number.
fn set_value(asked: &Asked<'_>, parameter: usize, counts: &[Count]) -> Option<Candidate> {
    let [count] = counts else { return None };
    let ends = asked
        .token(count.end - 1)
        .is_some_and(|token| token.after > Break::None || count.end == asked.tokens.len())
        || asked.token(count.end).is_some_and(|token| token.is_common());
    let written = asked.text.get(count.range.clone())?;
    let plain = written
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '.' | '-'));
    (is_set_to(asked, count.at) && ends && plain).then(|| {
        asked.candidate(
            parameter,
            Value::String(written.to_owned()),
            count.range.clone(),
            0.82,
        )
    })
}

/// Numbers by the parameter's name beside them, by the noun they count, or because both are alone.
fn plain(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, counts: &[Count]) -> Vec<Candidate> {
    counts
        .iter()
        .filter_map(|count| {
            let score = plain_score(asked, parameter, meaning, counts, count)?;
            Some(asked.candidate(
                parameter,
                value(meaning, count.number)?,
                count.range.clone(),
                score,
            ))
        })
        .collect()
}

fn plain_score(
    asked: &Asked<'_>,
    parameter: usize,
    meaning: &Meaning,
    counts: &[Count],
    count: &Count,
) -> Option<f32> {
    let named = asked
        .hits_of(parameter)
        .filter(|hit| asked.value_start(hit).is_some_and(|(start, _)| start == count.at))
        .filter(|hit| !is_qualified_for_another(asked, hit) && !names_one_of(asked, meaning, hit))
        .map(|hit| hit.weight)
        .fold(0.0, f32::max);
    if is_other_end(asked, meaning, count.at, count.end, named) {
        return None;
    }
    if named > 0.0 {
        return Some(0.94 * named.max(0.85));
    }
    // `scale the deployment web in shop to 4`: the verb is what is set.
    let behind = (count.end..count.end + 2).any(|place| {
        let unbroken =
            (count.end - 1..place).all(|at| asked.token(at).is_some_and(|token| token.after == Break::None));
        unbroken && asked.hits_of(parameter).any(|hit| hit.start == place)
    });
    if asked.is_claimed(count.at, parameter, 1) {
        return None;
    }
    if behind && meaning.kind != Kind::Count {
        return Some(0.9);
    }
    if meaning.kind == Kind::Count {
        return None;
    }
    let set = asked
        .hits_of(parameter)
        .any(|hit| hit.end < count.at && is_set_to(asked, count.at));
    if set {
        return Some(0.84);
    }
    // Whether a change is up or down is not said by a number.
    let signed = meaning.parameter.shape.minimum.is_some_and(|least| least < 0.0);
    let alone = counts.len() == 1 && lone_required_number(asked) && !signed;
    (meaning.is_required() && alone).then_some(0.62)
}

/// `destination port 5432`: of parameters of one noun the word in front of it tells which.
fn is_qualified_for_another(asked: &Asked<'_>, hit: &Hit) -> bool {
    let Some(before) = hit.start.checked_sub(1).and_then(|at| asked.token(at)) else {
        return false;
    };
    if before.after != Break::None || before.is_common() || before.is_coded() {
        return false;
    }
    let bears = |parameter: usize| {
        asked.meanings.get(parameter).is_some_and(|meaning| {
            let said = format!("{} {}", meaning.parameter.name(), meaning.parameter.description);
            name_words(&said)
                .iter()
                .any(|word| before.is(&sense_of(word)) || *word == before.fold)
        })
    };
    !bears(hit.parameter)
        && asked.hits.iter().any(|other| {
            other.parameter != hit.parameter
                && other.end == hit.end
                && other.start <= hit.start
                && bears(other.parameter)
        })
}

/// `step 2` says which step, not how many there are: `totalSteps`, `stepCount`.
fn names_one_of(asked: &Asked<'_>, meaning: &Meaning, hit: &Hit) -> bool {
    let words = name_words(meaning.parameter.name());
    let amount = words.len() > 1
        && words
            .iter()
            .any(|word| matches!(word.as_str(), "total" | "count" | "totals"));
    let said = asked
        .token(hit.start)
        .is_some_and(|token| token.is_any(&["total", "count", "amount"]));
    amount && hit.end == hit.start + 1 && !said
}

/// Whether two bounds are of one thing: `min_stars` and `max_stars`.
fn same_measure(one: &Meaning, other: &Meaning) -> bool {
    let rest = |meaning: &Meaning| -> Vec<String> {
        name_words(meaning.parameter.name())
            .into_iter()
            .filter(|word| !is_end_word(word))
            .collect()
    };
    rest(one) == rest(other)
}

/// `at least 4` is none of a maximum, and a plain `4` neither a least nor a most where the schema has both.
pub(crate) fn is_other_end(asked: &Asked<'_>, meaning: &Meaning, at: usize, end: usize, named: f32) -> bool {
    let Some(side) = side_of(meaning) else {
        return false;
    };
    match said_side(asked, at, end) {
        Some(said) => said != side,
        None => {
            named < 1.0
                && asked.meanings.iter().any(|other| {
                    side_of(other).is_some_and(|other| other != side) && same_measure(other, meaning)
                })
        }
    }
}

fn is_set_to(asked: &Asked<'_>, at: usize) -> bool {
    at.checked_sub(1)
        .and_then(|before| asked.token(before))
        .is_some_and(|token| token.is_any(&["to", "auf", "at", "=", "sur", "zu"]))
}

fn lone_required_number(asked: &Asked<'_>) -> bool {
    asked
        .meanings
        .iter()
        .filter(|meaning| meaning.is_numeric() && meaning.is_required())
        .count()
        == 1
}

/// `3, 5, 2 and 4`: several numbers for one list.
fn number_list(
    asked: &Asked<'_>,
    parameter: usize,
    meaning: &Meaning,
    counts: &[Count],
) -> Option<Candidate> {
    if !meaning.is_numeric() || !matches!(meaning.kind, Kind::Number | Kind::Count | Kind::Money(_)) {
        return None;
    }
    let start = counts.iter().position(|count| {
        let named = asked
            .hits_of(parameter)
            .any(|hit| hit.end <= count.at && count.at - hit.end <= 5);
        let goes_on =
            next_item(asked, count.end - 1).is_some_and(|next| counts.iter().any(|other| other.at == next));
        goes_on || named
    })?;
    let mut values = Vec::new();
    let mut at = counts.get(start)?.at;
    let mut end = at;
    while let Some(count) = counts.iter().find(|count| count.at == at) {
        values.push(value(meaning, count.number)?);
        end = count.end;
        match next_item(asked, count.end - 1) {
            Some(next) => at = next,
            None => break,
        }
    }
    let range = asked.bytes(counts.get(start)?.at, end)?;
    let named = asked.hits_of(parameter).next().is_some();
    let score = if named { 0.93 } else { 0.82 };
    Some(asked.candidate(parameter, Value::Array(values), range, score))
}

/// Amounts of money, in the unit and the currency of the schema.
fn money(
    asked: &Asked<'_>,
    parameter: usize,
    meaning: &Meaning,
    cents: bool,
    counts: &[Count],
) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    let amounts: Vec<(Range<usize>, f64, Option<&'static str>)> = asked
        .spans
        .iter()
        .filter(|span| !asked.is_opaque(&span.range))
        .filter_map(|span| match span.what {
            What::Money(number, code) => Some((span.range.clone(), number, code)),
            _ => None,
        })
        .collect();
    let alike = asked
        .meanings
        .iter()
        .filter(|other| matches!(other.kind, Kind::Money(_)))
        .count();
    for (range, number, code) in &amounts {
        if code.is_some_and(|code| is_other_currency(asked, meaning, code)) {
            continue;
        }
        let at = asked.at_byte(range.start);
        let end = asked.at_byte(range.end).max(at + 1);
        if is_other_end(asked, meaning, at, end, 0.0) {
            continue;
        }
        let named = asked
            .hits_of(parameter)
            .any(|hit| asked.value_start(hit).is_some_and(|(start, _)| start == at));
        let number = if cents { (number * 100.0).round() } else { *number };
        let score = match (named, amounts.len(), alike) {
            (true, ..) => 0.96,
            (_, 1, 1) => 0.93,
            (_, 1, _) if meaning.is_required() => 0.8,
            _ => 0.6,
        };
        if let Some(value) = value(meaning, number) {
            candidates.push(asked.candidate(parameter, value, range.clone(), score));
        }
    }
    if amounts.is_empty() {
        candidates.extend(counts.iter().filter_map(|count| {
            let named = asked
                .hits_of(parameter)
                .any(|hit| asked.value_start(hit).is_some_and(|(start, _)| start == count.at));
            // Whether a bare number counts whole units or cents is not said.
            let priced = meaning.is_required() && alike == 1 && counts.len() == 1 && has_cents(asked, count);
            ((named || priced) && !cents)
                .then(|| {
                    let score = if named { 0.9 } else { 0.82 };
                    Some(asked.candidate(
                        parameter,
                        value(meaning, count.number)?,
                        count.range.clone(),
                        score,
                    ))
                })
                .flatten()
        }));
    }
    candidates
}

/// `212.40`: two decimals are written of money.
fn has_cents(asked: &Asked<'_>, count: &Count) -> bool {
    asked
        .text
        .get(count.range.clone())
        .and_then(|written| written.rsplit_once(['.', ',']))
        .is_some_and(|(_, cents)| cents.len() == 2 && cents.chars().all(|c| c.is_ascii_digit()))
}

/// Whether the schema counts in another currency than the request, and takes no currency beside it.
fn is_other_currency(asked: &Asked<'_>, meaning: &Meaning, code: &str) -> bool {
    let takes_currency = asked
        .meanings
        .iter()
        .any(|other| other.kind == Kind::Currency || other.thing.as_deref() == Some("currency"));
    let about = meaning.parameter.description.to_lowercase();
    let said = [
        ("euro", "EUR"),
        ("dollar", "USD"),
        ("usd", "USD"),
        ("eur", "EUR"),
        ("pound", "GBP"),
        ("gbp", "GBP"),
        ("chf", "CHF"),
        ("yen", "JPY"),
    ];
    let wanted: Vec<&str> = said
        .iter()
        .filter(|(word, _)| about.contains(word))
        .map(|(_, code)| *code)
        .collect();
    !takes_currency && !wanted.is_empty() && !wanted.contains(&code)
}

fn code_said(asked: &Asked<'_>) -> Option<(Range<usize>, &'static str)> {
    let mut codes = asked
        .spans
        .iter()
        .filter(|span| !asked.is_opaque(&span.range))
        .filter_map(|span| match span.what {
            What::Money(_, Some(code)) => Some((span.range.clone(), code)),
            _ => None,
        });
    let first = codes.next()?;
    codes.all(|(_, code)| code == first.1).then_some(first)
}

fn currency(asked: &Asked<'_>, parameter: usize) -> Option<Candidate> {
    let (range, code) = code_said(asked)?;
    let meaning = asked.meanings.get(parameter)?;
    let lower = meaning
        .parameter
        .shape
        .examples
        .iter()
        .any(|example| example.chars().all(|c| c.is_ascii_lowercase()))
        || meaning.parameter.description.contains("lowercase");
    let text = if lower {
        code.to_lowercase()
    } else {
        code.to_owned()
    };
    let mut candidate = asked.candidate(parameter, Value::String(text), range, 0.92);
    candidate.taking = false;
    Some(candidate)
}

fn currency_choice(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Option<Candidate> {
    let (range, code) = code_said(asked)?;
    let choice = meaning.parameter.shape.choices.iter().find(|choice| {
        choice
            .as_str()
            .is_some_and(|text| text.eq_ignore_ascii_case(code))
    })?;
    let mut candidate = asked.candidate(parameter, choice.clone(), range, 0.92);
    candidate.taking = false;
    Some(candidate)
}

fn percent(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, counts: &[Count]) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = asked
        .spans
        .iter()
        .filter(|span| !asked.is_opaque(&span.range))
        .filter_map(|span| match span.what {
            What::Percent(number) => {
                Some(asked.candidate(parameter, value(meaning, number)?, span.range.clone(), 0.93))
            }
            _ => None,
        })
        .collect();
    if candidates.is_empty() {
        candidates = plain(asked, parameter, meaning, counts);
    }
    candidates
}

#[cfg(test)]
mod tests;
