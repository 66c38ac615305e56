//! What is said where nothing runs?

use handpick_mapping::Asking;
use handpick_mapping::intent::Reason;
use handpick_presentation::result::structured;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::decide::{Candidate, Decision, Why};
use crate::limits::UNIFIED_CHARS;
use crate::shown::shown;

/// Tools that are told.
const TOLD: usize = 3;
/// A tool less sure than this is not told, unless it is the first.
const TELLING: f32 = 0.05;

/// Asks back: nothing ran, and what would help (P20, P21).
pub(super) fn clarification(decision: &Decision, why: Why, note: Option<&str>) -> Box<RawValue> {
    let told = told(decision);
    let candidates: Vec<Value> = told
        .iter()
        .map(|candidate| json!({"tool": &*candidate.rendered, "confidence": shown_confidence(candidate)}))
        .collect();
    let missing: Vec<Value> = match decision.candidates.first() {
        Some(best) if why == Why::Missing => best
            .mapped
            .missing
            .iter()
            .map(|missing| json!({"name": missing.name, "description": missing.description}))
            .collect(),
        _ => Vec::new(),
    };
    let mut answer = json!({
        "needs_clarification": true,
        "message": message(decision, &told, why),
        "candidates": candidates,
        "missing": missing,
    });
    if let Some(note) = note {
        answer["mapper_note"] = json!(note);
    }
    structured(&answer)
}

fn told(decision: &Decision) -> Vec<&Candidate> {
    let is_kin = decision.candidates.first().is_some_and(Candidate::is_kin);
    let telling = decision.candidates.iter().enumerate().filter(|(nth, candidate)| {
        *nth == 0 || candidate.confidence >= TELLING || is_kin && candidate.is_kin()
    });
    telling.map(|(_, candidate)| candidate).take(TOLD).collect()
}

/// Two digits; never rounded up to the line.
pub(super) fn shown_confidence(candidate: &Candidate) -> f64 {
    // A hundredth too much for what single precision lost, not for more.
    let hundredths = (f64::from(candidate.confidence) * 100.0 + 1e-4).floor();
    hundredths / 100.0
}

/// One sentence for a model: what to add, or what to choose between.
fn message(decision: &Decision, told: &[&Candidate], why: Why) -> String {
    let best = told.first();
    let name = best.map_or("", |best| &*best.rendered);
    match why {
        Why::TooLong => format!("The request is longer than {UNIFIED_CHARS} characters; say it shorter."),
        Why::NotAsked => {
            let what = match decision.asking {
                Asking::No(Reason::Negation) => "says what is not to be done",
                Asking::No(Reason::Supposition) => "only supposes something",
                Asking::No(Reason::Report) => "reports what was done",
                Asking::No(Reason::Question) => "asks about something",
                _ => "does not ask for something to be done",
            };
            format!("The request {what}; say in one sentence what is to be done now.")
        }
        Why::Several => "This asks for several things; ask for one at a time.".to_owned(),
        Why::Nothing => {
            "No tool here clearly does that; say it in other words, naming the service and the object."
                .to_owned()
        }
        Why::Missing => {
            let names = best.map_or_else(String::new, |best| {
                let names = best
                    .mapped
                    .missing
                    .iter()
                    .map(|missing| format!("`{}`", missing.name));
                listed(&names.collect::<Vec<_>>(), "and")
            });
            format!("`{name}` needs {names}; say it in `request` or give it in `context`.")
        }
        Why::Torn => {
            let names = best.map_or_else(String::new, |best| {
                let names = best.mapped.torn.iter().map(|name| format!("`{name}`"));
                listed(&names.collect::<Vec<_>>(), "and")
            });
            format!("Several values fit {names} of `{name}`; say which is meant, naming the argument.")
        }
        Why::Invalid => {
            let errors = best.map_or_else(String::new, |best| {
                let errors = best.errors.iter().map(ToString::to_string);
                errors.collect::<Vec<_>>().join("; ")
            });
            format!(
                "`{name}` does not take what the request says: {}.",
                shown(&errors)
            )
        }
        Why::Ambiguous => {
            let rivals: Vec<String> = told
                .iter()
                .filter(|candidate| {
                    candidate.is_rival()
                        || Some(candidate.confidence) >= best.map(|best| best.confidence / 2.0)
                })
                .map(|candidate| format!("`{}`", candidate.rendered))
                .collect();
            format!(
                "{} may be meant; say which, naming the app or the object.",
                listed(&rivals, "and")
            )
        }
        Why::Unsure => unsure(decision, name),
    }
}

/// What is said of a tool that may be meant: which words it does not take up, or how to say it more plainly.
fn unsure(decision: &Decision, name: &str) -> String {
    let may = format!("`{name}` may be meant, but it is not sure enough");
    match decision.candidates.first() {
        Some(best) if !best.unsaid.is_empty() => {
            let words: Vec<String> = best
                .unsaid
                .iter()
                .map(|word| format!("`{}`", shown(word)))
                .collect();
            let words = listed(&words, "and");
            format!(
                "{may}: nothing there takes up {words}; name the argument before each value, or leave these out."
            )
        }
        Some(best) if best.mapped.arguments.is_empty() => {
            format!("{may}; say more exactly what is to be done with what.")
        }
        _ => format!("{may}; name the argument before each value, and put texts in quotation marks."),
    }
}

/// `a`, `a and b`, `a, b and c`.
fn listed(names: &[String], word: &str) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed() {
        let names = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(listed(&names[..1], "and"), "a");
        assert_eq!(listed(&names[..2], "or"), "a or b");
        assert_eq!(listed(&names, "and"), "a, b and c");
    }
}
