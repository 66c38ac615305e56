//! Which sentence behind a text is no part of it, since it says another parameter's value?

use crate::assign::asked::Asked;
use crate::assign::texts::tails::Marked;
use crate::kind::Kind;
use crate::words::{Break, Token};

/// Whether the sentence that begins at a word speaks for another parameter than the text before it.
pub(crate) fn speaks_for_other(asked: &Asked<'_>, at: usize, parameter: usize) -> bool {
    asked.break_before(at) == Break::Stop
        && (is_labelled(asked, at, parameter)
            || adds_text(asked, at, parameter)
            || tells_choice(asked, at, parameter))
}

/// Whether the text before a word is a sentence that ended of itself.
pub(crate) fn is_closed_before(asked: &Asked<'_>, at: usize, parameter: usize) -> bool {
    asked.break_before(at) == Break::Stop
        && (adds_text(asked, at, parameter) || tells_choice(asked, at, parameter))
}

/// `described as Firing schedules`: what a thing is described by, for the one parameter that takes a description.
pub(crate) fn described(asked: &Asked<'_>, marked: &[Marked]) -> Option<Marked> {
    let mut found = asked.meanings.iter().enumerate().filter(|(_, meaning)| {
        let words = crate::words::name_words(meaning.parameter.name());
        let named = words
            .last()
            .is_some_and(|word| matches!(word.as_str(), "description" | "desc"));
        named && words.len() == 1 && meaning.kind == Kind::Prose && !meaning.parameter.list
    });
    let (Some((parameter, _)), None) = (found.next(), found.next()) else {
        return None;
    };
    let at = (1..asked.tokens.len()).find(|at| {
        let is = |place: usize, words: &[&str]| asked.token(place).is_some_and(|token| token.is_any(words));
        is(
            at - 1,
            &[
                "described",
                "beschrieben",
                "decrit",
                "decrite",
                "descrito",
                "descrita",
            ],
        ) && is(*at, &["as", "als", "comme", "como"])
            && asked.break_before(*at) == Break::None
            && !asked
                .token(*at)
                .is_some_and(|token| asked.is_opaque(&token.range))
    })?;
    let start = at + 1;
    let known = marked
        .iter()
        .any(|text| text.parameter == parameter || (text.start..text.end).contains(&at));
    let follows = asked.token(start).is_some() && asked.quoted_at(start).is_none();
    (follows && !known).then(|| Marked {
        parameter,
        start,
        end: crate::assign::names::titles::title_end(asked, start, parameter),
        score: 0.82,
        with_stop: false,
    })
}

/// Another text that nothing has named yet.
fn has_open_text(asked: &Asked<'_>, parameter: usize, required: bool) -> bool {
    asked.meanings.iter().enumerate().any(|(other, meaning)| {
        let named = asked
            .hits_of(other)
            .any(|hit| asked.break_before(hit.end) == Break::Colon);
        other != parameter
            && matches!(meaning.kind, Kind::Prose | Kind::Title)
            && !meaning.parameter.list
            && (meaning.is_required() || !required)
            && !named
    })
}

/// `What they said: …`: a few words with a colon, where a text is still needed.
fn is_labelled(asked: &Asked<'_>, at: usize, parameter: usize) -> bool {
    let colon = (at..at + 5).find(|place| asked.token(*place).is_none_or(|token| token.after > Break::None));
    let labels = colon.is_some_and(|place| {
        asked
            .token(place)
            .is_some_and(|token| token.after == Break::Colon)
            && asked.token(place + 1).is_some()
    });
    labels && has_open_text(asked, parameter, true)
}

/// `And add that …`, `Also note: …`
fn adds_text(asked: &Asked<'_>, at: usize, parameter: usize) -> bool {
    let is = |place: usize, words: &[&str]| asked.token(place).is_some_and(|token| token.is_any(words));
    let mut verb = at;
    while verb < at + 3
        && is(
            verb,
            &[
                "and", "also", "then", "please", "plus", "und", "auch", "et", "aussi", "y",
            ],
        )
    {
        verb += 1;
    }
    let says = is(
        verb,
        &[
            "add", "note", "comment", "mention", "say", "write", "remark", "schreib", "notiere", "ajoute",
            "note", "anade", "comenta",
        ],
    );
    let that = is(verb + 1, &["that", "dass", "que"])
        || asked.token(verb).is_some_and(|token| token.after == Break::Colon)
        || (is(verb + 1, &["as", "in", "the", "a"])
            && asked
                .hits
                .iter()
                .any(|hit| (verb + 1..verb + 4).contains(&hit.start) && hit.parameter != parameter));
    says && that && has_open_text(asked, parameter, false)
}

/// `It's being watched now.`: a short last sentence about the thing itself, in a word that a choice takes.
fn tells_choice(asked: &Asked<'_>, at: usize, parameter: usize) -> bool {
    let rest = asked.tokens.get(at..).unwrap_or_default();
    let last = rest
        .split_last()
        .is_some_and(|(_, before)| before.iter().all(|token| token.after == Break::None));
    let points = rest.first().is_some_and(|token| {
        token.is_any(&["it", "it's", "its", "that's", "es", "c'est", "status", "state"])
    });
    let open = |(other, choices): (usize, &crate::meaning::Meaning)| {
        let spelled = |token: &Token<'_>| crate::assign::choices::spelled(choices, token).is_some();
        let said_before = asked.tokens.get(..at).unwrap_or_default().iter().any(spelled);
        other != parameter && choices.kind == Kind::Choice && !said_before && rest.iter().skip(1).any(spelled)
    };
    last && points && rest.len() <= 6 && asked.meanings.iter().enumerate().any(open)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::assign::rows::check;

    /// P19: a sentence that says another value ends a text; other sentences belong to it.
    #[test]
    fn p19_texts_end_before_sentences_of_others() {
        let ticket = json!({"type": "object", "properties": {
            "subject": {"type": "string", "description": "What it is about"},
            "text": {"type": "string", "description": "What the customer said"}}, "required": ["subject", "text"]});
        check(
            "create_ticket Open a ticket",
            &ticket,
            &[(
                "Open a ticket. Subject: Wrong seeds. What they said: We got beans instead of peas.",
                json!({"subject": "Wrong seeds", "text": "We got beans instead of peas."}),
            )],
        );
        let update = json!({"type": "object", "properties": {
            "text": {"type": "string", "description": "What happened"},
            "state": {"type": "string", "enum": ["looking", "found", "watching", "resolved"]}},
            "required": ["text"]});
        check(
            "post_incident_update Post an update on an incident",
            &update,
            &[
                (
                    "Update on that incident: Search index rebuilt, we keep an eye on it. It's resolved now.",
                    json!({"text": "Search index rebuilt, we keep an eye on it.", "state": "resolved"}),
                ),
                (
                    "Update on that incident: Search index rebuilt. It took an hour.",
                    json!({"text": "Search index rebuilt. It took an hour."}),
                ),
            ],
        );
    }

    /// P19: several questions are several items.
    #[test]
    fn p19_sentences_for_a_list_are_its_items() {
        let survey = json!({"type": "object", "properties": {
            "title": {"type": "string", "description": "What it is called"},
            "questions": {"type": "array", "items": {"type": "string"}, "description": "What to ask"}},
            "required": ["title", "questions"]});
        check(
            "create_survey Draft a survey",
            &survey,
            &[
                (
                    "Draft a survey \"Canteen\" asking: Is the food good? Is there enough time? Is it warm?",
                    json!({"title": "Canteen",
                        "questions": ["Is the food good?", "Is there enough time?", "Is it warm?"]}),
                ),
                (
                    "Draft a survey \"Canteen\" with the questions: 1. Is the food good, all in all? 2. Is it warm?",
                    json!({"title": "Canteen", "questions": ["Is the food good, all in all?", "Is it warm?"]}),
                ),
            ],
        );
    }
}
