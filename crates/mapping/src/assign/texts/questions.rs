//! Which words of a request are a question for a parameter that takes one?

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate};
use crate::assign::texts::queries::{is, one_of};
use crate::meaning::Meaning;
use crate::words::Break;

/// Words that begin a question.
const ASKING: &str = "how what why where when which who can does do is are should wie was warum wo wann welche welcher comment pourquoi quel quelle como que cual";

/// Whether a parameter takes a question as it is asked.
fn is_question(meaning: &Meaning) -> bool {
    let words = crate::words::name_words(meaning.parameter.name());
    let about = meaning.parameter.description.to_lowercase();
    let first = about.split('.').next().unwrap_or_default();
    let asked_of = |word: &String| matches!(word.as_str(), "question");
    words.iter().any(asked_of)
        || words == ["user", "query"]
        || words == ["user", "prompt"]
        || [
            "question",
            "user query",
            "user's query",
            "natural language query",
            "natural-language query",
        ]
        .iter()
        .any(|said| first.contains(said))
}

/// `How do I set up module federation?`, `ask the docs how to retry`: a question for a parameter that takes one.
pub(crate) fn questions(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Option<Candidate> {
    let documents = asked.reads
        && meaning.is_required()
        && [
            "doc",
            "docs",
            "document",
            "documentation",
            "knowledg",
            "knowledge",
            "faq",
            "guid",
            "guide",
        ]
        .iter()
        .any(|word| asked.tool.contains(*word));
    let open = is_question(meaning);
    if meaning.parameter.list || !(open || documents) {
        return None;
    }
    let starts: Vec<usize> = (0..asked.tokens.len())
        .filter(|at| *at == 0 || asked.break_before(*at) == Break::Stop)
        .collect();
    let whole: Vec<(usize, usize)> = starts
        .iter()
        .enumerate()
        .filter_map(|(number, start)| {
            let end = starts.get(number + 1).copied().unwrap_or(asked.tokens.len());
            let range = asked.bytes(*start, end)?;
            let mark = asked.text.get(range.end..)?.trim_start().starts_with('?');
            let you = is(asked, start + 1, "you i we") && is(asked, *start, "can could");
            (mark && !you && is(asked, *start, ASKING)).then_some((*start, end))
        })
        .collect();
    if let [(start, end)] = whole.as_slice()
        && open
    {
        let range = asked.bytes(*start, *end)?;
        let mark = asked.text.get(range.end..)?.find('?')? + 1;
        let range = range.start..range.end + mark;
        let words = asked
            .text
            .get(range.clone())
            .filter(|_| !asked.is_opaque(&range))?;
        return Some(asked.candidate(parameter, Value::String(words.to_owned()), range, 0.84));
    }
    let at = (1..asked.tokens.len()).find(|at| {
        is(
            asked,
            *at,
            "how why whether what where wie warum comment pourquoi como",
        ) && asked.break_before(*at) <= Break::Comma
            && asked.token(at + 2).is_some()
    })?;
    let end = (at + 1..asked.tokens.len())
        .find(|place| asked.break_before(*place) == Break::Stop || is(asked, *place, "please bitte"))
        .unwrap_or(asked.tokens.len());
    let end = without_place(asked, at, end);
    let range = asked.bytes(at, end).filter(|range| !asked.is_opaque(range))?;
    Some(asked.candidate(
        parameter,
        Value::String(asked.slice(at, end).to_owned()),
        range,
        0.8,
    ))
}

/// Before `in the Postman docs` at the end of a question: where it is asked.
fn without_place(asked: &Asked<'_>, start: usize, end: usize) -> usize {
    let place = (start + 3..end).rev().find(|at| is(asked, *at, "in on from"));
    let own = |at: usize| {
        asked
            .token(at)
            .is_some_and(|token| asked.is_tool_word(token) || one_of(token, "the our my"))
    };
    place
        .filter(|at| at + 1 < end && (at + 1..end).all(own))
        .unwrap_or(end)
}
