//! Which state does the verb of a request bring about: `Acknowledge A and B` for `status: acknowledged`?
//!
//! A tool that changes things takes the new state as a parameter; people say it with the verb that leads to it.

use crate::assign::asked::{Asked, Candidate};
use crate::assign::choices::is_negated;
use crate::assign::choices::likeness::{Likeness, Spelling, one_word};
use crate::kind::Kind;
use crate::lexicon;
use crate::meaning::Meaning;
use crate::words::{Break, name_words, stem};

/// Verbs, and the states that they lead to, the nearest first.
const LEADS_TO: &[(&str, &str)] = &[
    ("acknowledge ack quittiere acquitte", "acknowledged"),
    ("resolve solve fix lose resous resuelve", "resolved solved fixed"),
    ("close schliesse ferme cierra", "closed"),
    ("reopen", "reopened reopen open opened unresolved active"),
    ("cancel storniere annule cancela", "cancelled canceled"),
    ("complete", "completed complete done finished"),
    ("finish", "finished done completed complete"),
    ("archive archiviere archiva", "archived"),
    ("approve genehmige approuve aprueba", "approved accepted"),
    ("accept akzeptiere accepte acepta", "accepted approved"),
    ("reject rechaza", "rejected declined denied"),
    ("decline", "declined rejected denied"),
    ("deny", "denied rejected declined"),
    ("publish veroffentliche publie publica", "published"),
    ("pause pausiere", "paused suspended"),
    ("suspend", "suspended paused"),
    (
        "activate enable aktiviere active activa",
        "active enabled activated",
    ),
    (
        "deactivate disable deaktiviere desactive desactiva",
        "inactive disabled deactivated",
    ),
    ("ignore ignoriere", "ignored"),
    ("dismiss", "dismissed"),
    ("mute", "muted"),
    ("snooze", "snoozed"),
    ("lock", "locked"),
    ("unlock", "unlocked"),
    ("hide", "hidden"),
];

/// Candidates for states that no other word of the request says.
pub(crate) fn verb_states(asked: &Asked<'_>, said: &[Candidate]) -> Vec<Candidate> {
    if asked.reads {
        return Vec::new();
    }
    let verbs: Vec<usize> = (0..asked.tokens.len())
        .filter(|at| is_asked_for(asked, *at))
        .collect();
    let mut found = Vec::new();
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        let told = said
            .iter()
            .any(|candidate| candidate.parameter == parameter && candidate.score >= 0.7);
        if told || !is_state(meaning) {
            continue;
        }
        for at in &verbs {
            found.extend(state(asked, parameter, meaning, *at));
        }
    }
    found
}

/// Whether a parameter says what becomes of a thing.
fn is_state(meaning: &Meaning) -> bool {
    let named = name_words(meaning.parameter.name()).iter().any(|word| {
        matches!(
            word.as_str(),
            "status" | "state" | "stage" | "resolution" | "decision" | "verdict" | "outcome"
        )
    });
    meaning.kind == Kind::Choice && !meaning.parameter.list && meaning.parameter.only.is_none() && named
}

/// Whether a word is the verb that a request begins with, or one that it goes on with: `… and resolve it`.
fn is_asked_for(asked: &Asked<'_>, at: usize) -> bool {
    let Some(token) = asked.token(at).filter(|token| !asked.is_opaque(&token.range)) else {
        return false;
    };
    let before = asked.tokens.get(..at).unwrap_or_default();
    let opens = before.iter().all(|token| {
        (token.is_common() && token.after < Break::Stop && !token.is_any(&["i", "we", "they", "he", "she"]))
            || lexicon::COURTESIES.contains(&token.fold.as_str())
    });
    let joined = at
        .checked_sub(1)
        .and_then(|before| asked.token(before))
        .is_some_and(|before| {
            before.is_any(&["and", "then", "und", "et", "y"]) && before.after == Break::None
        });
    let points = asked
        .token(at + 1)
        .is_none_or(|next| next.is_any(&["it", "them", "this", "that", "these", "those", "both", "all"]));
    // What is only reported or quoted is not asked for.
    let reported = before.iter().any(|token| {
        token.is_any(&[
            "that", "to", "saying", "says", "if", "when", "why", "whether", "dass", "que", "should",
        ]) || token.after >= Break::Colon
    });
    (opens
        && !asked
            .token(at + 1)
            .is_some_and(|next| token.after == Break::None && next.is_any(&["is", "are", "was"])))
        || (joined
            && token.after == Break::None
            && points
            && !reported
            && before.first().is_some_and(crate::intent::is_verb))
}

fn state(asked: &Asked<'_>, parameter: usize, meaning: &Meaning, at: usize) -> Option<Candidate> {
    let token = asked.token(at)?;
    // What the tool is called by, it does anyway.
    if asked.name.contains(&token.stem) || is_negated(asked, at) {
        return None;
    }
    let formed = |word: &str| stem(word) == token.stem && word.ends_with("ed") && token.fold != word;
    let led: Vec<&str> = LEADS_TO
        .iter()
        .filter(|(verbs, _)| verbs.split(' ').any(|verb| verb == token.fold))
        .flat_map(|(_, states)| states.split(' '))
        .collect();
    let first = |choice: &Spelling, word: &str| choice.words.first().is_some_and(|own| own == word);
    let whole = |choice: &&Spelling| is_all_said(asked, choice, at);
    let mut fitting: Vec<&Spelling> = meaning
        .spellings
        .iter()
        .filter(|choice| choice.words.first().is_some_and(|word| formed(word)))
        .filter(whole)
        .collect();
    if fitting.is_empty() {
        fitting = led
            .iter()
            .map(|word| {
                meaning
                    .spellings
                    .iter()
                    .filter(|choice| first(choice, word))
                    .filter(whole)
                    .collect::<Vec<_>>()
            })
            .find(|found| !found.is_empty())
            .unwrap_or_default();
    }
    if fitting.is_empty() && !led.is_empty() {
        fitting = meaning
            .spellings
            .iter()
            .filter(|choice| {
                one_word(choice, token, false).is_some_and(|likeness| likeness >= Likeness::Synonym)
            })
            .collect();
    }
    // `resolved in next release` says more than `resolved`.
    fitting.sort_by_key(|choice| std::cmp::Reverse(choice.words.len()));
    let value = match fitting.as_slice() {
        [one] => one.value.clone(),
        [one, other, ..] if one.words.len() > other.words.len() => one.value.clone(),
        _ => return None,
    };
    let score = if meaning.is_required() { 0.82 } else { 0.8 };
    let mut candidate = asked.candidate(parameter, value, asked.bytes(at, at + 1)?, score);
    candidate.taking = false;
    Some(candidate)
}

/// Whether the words of a state behind its first are said, too: `in next release`.
fn is_all_said(asked: &Asked<'_>, choice: &Spelling, at: usize) -> bool {
    choice.words.iter().skip(1).all(|word| {
        asked
            .tokens
            .iter()
            .skip(at + 1)
            .any(|token| (token.fold == *word || token.stem == stem(word)) && !asked.is_opaque(&token.range))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::assign::rows::check;

    /// P20: the verb of a request is the state that a tool for all changes is to bring about.
    #[test]
    fn p20_verbs_lead_to_states() {
        let schema = json!({"properties": {
            "status": {"type": "string", "enum": ["acknowledged", "resolved", "resolvedInNextRelease", "unresolved", "ignored"]},
            "urgency": {"type": "string", "enum": ["high", "low"]},
        }});
        let status = |status: &str| json!({"status": status});
        check(
            "manage_incidents Change incidents",
            &schema,
            &[
                ("Acknowledge the incident", status("acknowledged")),
                ("ack the incident", status("acknowledged")),
                ("Please acknowledge Q2XK81", status("acknowledged")),
                (
                    "Acknowledge the incidents Q2XK81 and Q2XK95 and set their urgency to low",
                    json!({"status": "acknowledged", "urgency": "low"}),
                ),
                (
                    "Set the urgency to low and resolve it",
                    json!({"status": "resolved", "urgency": "low"}),
                ),
                ("Could you resolve WEB-1?", status("resolved")),
                (
                    "resolve WEB-1 in the next release",
                    status("resolvedInNextRelease"),
                ),
                ("Ignore WEB-1", status("ignored")),
                ("reopen WEB-1", status("unresolved")),
                // What is only told is not done.
                (
                    "Set the urgency to low so that we can resolve it",
                    json!({"urgency": "low"}),
                ),
                (
                    "Set the urgency to low, they should check and resolve it",
                    json!({"urgency": "low"}),
                ),
                (
                    "She wants to resolve it, so set the urgency to low",
                    json!({"urgency": "low"}),
                ),
                ("Don't resolve WEB-1", json!({})),
                ("Set the urgency to low", json!({"urgency": "low"})),
            ],
        );
        let filter = json!({"properties": {"status": {"type": "string", "enum": ["resolved", "open"]}}});
        check(
            "resolve_incident Resolve an incident",
            &filter,
            &[("Resolve the incident Q2XK81", json!({}))],
        );
    }
}
