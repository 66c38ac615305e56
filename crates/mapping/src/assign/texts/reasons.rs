//! Why is something done, and what is it for, where no colon says so: `because of the renewal`, `for the late delivery`?

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate};
use crate::assign::names::titles::goes_on;
use crate::kind::Kind;
use crate::words::{Break, name_words};

/// Reasons and purposes behind the words that lead to them.
pub(crate) fn reasons(asked: &Asked<'_>) -> Vec<Candidate> {
    let of = |names: &[&str]| {
        let mut found = asked.meanings.iter().enumerate().filter(|(_, meaning)| {
            let words = name_words(meaning.parameter.name());
            meaning.kind == Kind::Prose
                && !meaning.parameter.list
                && words.iter().any(|word| names.contains(&word.as_str()))
        });
        match (found.next(), found.next()) {
            (Some((at, meaning)), None) => Some((at, meaning.is_required())),
            _ => None,
        }
    };
    let mut candidates = Vec::new();
    if let Some((parameter, required)) = of(&["reason", "justification"])
        && let Some((start, score)) = reason(asked, parameter, required)
    {
        candidates.extend(taken(asked, parameter, start, score));
    }
    if let Some((parameter, true)) = of(&["resolution", "reason", "cause", "outcome"])
        && let Some(start) = clause(asked)
    {
        candidates.extend(taken(asked, parameter, start, 0.74));
    }
    if let Some((parameter, _)) = of(&["purpose"])
        && let Some(start) = purpose(asked)
    {
        candidates.extend(taken(asked, parameter, start, 0.82));
    }
    if let Some((parameter, _)) = of(&["description", "desc", "summary", "about"])
        && let Some(start) = (0..asked.tokens.len())
            .find(|at| is(asked, *at, "described") && is(asked, at + 1, "as"))
            .map(|at| at + 2)
            .filter(|start| asked.quoted_at(*start).is_none())
    {
        candidates.extend(taken(asked, parameter, start, 0.86));
    }
    candidates
}

fn is(asked: &Asked<'_>, at: usize, words: &str) -> bool {
    asked.token(at).is_some_and(|token| {
        words.split(' ').any(|word| word == token.fold) && !asked.is_opaque(&token.range)
    })
}

/// Where a reason begins, and how surely it is one.
fn reason(asked: &Asked<'_>, parameter: usize, required: bool) -> Option<(usize, f32)> {
    let named = asked.hits_of(parameter).find_map(|hit| {
        let opens = asked.break_before(hit.start) >= Break::Comma;
        let follows = asked.break_before(hit.end) == Break::None
            && asked.token(hit.end).is_some()
            && !is(asked, hit.end, "is for to unknown why of that");
        (opens && follows && hit.weight > 0.9 && hit.start > 0).then_some(hit.end)
    });
    if let Some(start) = named {
        return Some((start, 0.86));
    }
    let led = (1..asked.tokens.len()).find_map(|at| {
        if is(asked, at, "because due owing") && is(asked, at + 1, "of to") {
            return Some(at + 2);
        }
        // `since the lid was cracked` gives a reason, `since Monday` a day.
        let clause = is(asked, at, "since")
            && is(
                asked,
                at + 1,
                "the it we they he she our their his her this that a an i",
            )
            && asked.spans_at(at).chain(asked.spans_at(at + 1)).all(|span| {
                matches!(
                    span.what,
                    crate::span::What::Name(_) | crate::span::What::Number(_)
                )
            });
        (is(asked, at, "wegen") || (clause && required)).then_some(at + 1)
    });
    if let Some(start) = led {
        return Some((start, 0.84));
    }
    if !required {
        return None;
    }
    // `for the late delivery`, `for being late`: the last thing said, and nobody and nothing known.
    let at = (1..asked.tokens.len())
        .rev()
        .find(|at| is(asked, *at, "for fur pour por"))?;
    let article = is(
        asked,
        at + 1,
        "the a an their our his her die den das le la el los las",
    );
    let being = is(asked, at + 1, "being having");
    let start = at + 1 + usize::from(article);
    let first = asked.token(start)?;
    let last = (start..asked.tokens.len()).all(|place| {
        let known = asked
            .token(place)
            .is_some_and(|token| token.text.chars().any(|c| c.is_ascii_digit()) || token.is_capitalised());
        !known && (place == start || asked.break_before(place) == Break::None)
    });
    let thing = asked.tokens.len() == start + 1 && asked.is_tool_word(first);
    let several = asked.tokens.len() - start > 1;
    let own = asked
        .hits
        .iter()
        .any(|hit| hit.start >= start && hit.weight > 0.9);
    ((article || being) && last && several && !thing && !own).then_some((start, 0.74))
}

/// `close INC-12, the cache was cleared`: what happened, as the last thing said, where a call needs to hear it.
fn clause(asked: &Asked<'_>) -> Option<usize> {
    let start = (1..asked.tokens.len())
        .rev()
        .find(|at| asked.break_before(*at) == Break::Comma)?;
    let opens = is(asked, start, "the it we they he she our their a an");
    let past = (start + 1..asked.tokens.len()).any(|at| is(asked, at, "was were has had have"));
    let said = asked
        .tokens
        .get(start..)
        .unwrap_or_default()
        .iter()
        .all(|token| !token.text.chars().any(|c| c.is_ascii_digit()));
    (opens && past && said && asked.tokens.len() - start >= 4).then_some(start)
}

/// `a channel for planning the fair`: what something new is for.
fn purpose(asked: &Asked<'_>) -> Option<usize> {
    (1..asked.tokens.len()).find_map(|at| {
        let next = asked.token(at + 1)?;
        let doing = next.fold.ends_with("ing") && next.fold.len() > 5 && !next.is_common();
        (is(asked, at, "for") && doing && asked.break_before(at + 1) == Break::None).then_some(at + 1)
    })
}

fn taken(asked: &Asked<'_>, parameter: usize, start: usize, score: f32) -> Option<Candidate> {
    let end = (start + 1..asked.tokens.len())
        .find(|at| {
            asked.break_before(*at) >= Break::Comma
                || is(asked, *at, "please bitte thanks")
                || goes_on(asked, *at, parameter)
        })
        .unwrap_or(asked.tokens.len());
    let range = asked.bytes(start, end).filter(|range| !asked.is_opaque(range))?;
    let words = asked.slice(start, end).to_owned();
    Some(asked.candidate(parameter, Value::String(words), range, score))
}
