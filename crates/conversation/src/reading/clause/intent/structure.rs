//! What does the build of a clause say, whatever its verb is?

use crate::reading::clause::{Heard, Kind};
use crate::reading::lexicon::{Class, Classes, Language};
use crate::reading::tokens::{Mark, Token};

/// Verbs of asking in the mouth of others.
const REPORTED: [&str; 22] = [
    "tell",
    "asks",
    "asking",
    "asked",
    "wonders",
    "wondering",
    "fragt",
    "fragen",
    "pregunta",
    "preguntan",
    "pergunta",
    "perguntam",
    "demande",
    "demandent",
    "chiede",
    "chiedono",
    "vraagt",
    "vragen",
    "pyta",
    "pytaja",
    "спрашивает",
    "спрашивают",
];

/// Words before a question word that stands where its answer would.
const UNTIL: [&str; 12] = [
    "till", "until", "since", "for", "by", "at", "to", "from", "with", "on", "in", "of",
];

fn measures_or_when(token: &Token<'_>) -> bool {
    matches!(
        token.folded.as_str(),
        "when" | "what" | "whom" | "where" | "which" | "who"
    )
}

/// Prefixes that a German or Dutch verb leaves at the end of its clause.
const SEPARABLE: [&str; 22] = [
    "ab", "an", "auf", "aus", "ein", "fest", "frei", "her", "hin", "los", "mit", "nach", "um", "vor", "weg",
    "zu", "zuruck", "zusammen", "af", "op", "uit", "terug",
];

impl Heard<'_> {
    /// What the build of a clause says, whatever its verb is.
    pub(super) fn by_structure(&self, core: usize, end: usize, mark: Mark) -> Option<Kind> {
        let words = &self.tokens[core..end];
        let first = &words[0];
        let asks = |token: &Token<'_>| token.classes().has(Class::Wh) && !token.classes().has(Class::If);
        // "within how many days", "bis wann"
        let ties = Classes::of(&[Class::About, Class::Prep]);
        let measures =
            |token: &Token<'_>| matches!(token.folded.as_str(), "how" | "which" | "what" | "whose");
        let tied = first.classes().meets(ties) || first.folded == "within";
        if self.language == Language::English
            && tied
            && words.len() > 2
            && measures(&words[1])
            && asks(&words[1])
        {
            return Some(Kind::Ask);
        }
        // "the boiler is covered till when exactly"
        let ends_asking = (2..words.len())
            .rev()
            .take(3)
            .any(|at| measures_or_when(&words[at]) && UNTIL.contains(&words[at - 1].folded.as_str()));
        if self.language == Language::English && ends_asking {
            return Some(Kind::Ask);
        }
        // "she asks how much it is"
        let reports = words.windows(2).take(5).any(|pair| {
            REPORTED.contains(&pair[0].folded.as_str())
                && pair[0].mark == Mark::None
                && pair[1].classes().meets(Classes::of(&[Class::Wh, Class::If]))
        });
        if reports {
            return Some(Kind::Ask);
        }
        // "que no lo manden todavía"
        let clitic = |token: &Token<'_>| {
            matches!(
                token.folded.as_str(),
                "no" | "se" | "lo" | "la" | "le" | "les" | "los" | "las" | "me" | "nos"
            )
        };
        if self.language == Language::Spanish
            && mark != Mark::Question
            && first.written.eq_ignore_ascii_case("que")
            && words.len() > 2
            && clitic(&words[1])
        {
            return Some(Kind::Order);
        }
        // "uy no, que eran 64": no accent and no mark make no question.
        if self.language == Language::Spanish && mark != Mark::Question && first.written == "que" && core > 0
        {
            return Some(Kind::Side);
        }
        // "run 88307?"
        let noun = first.classes().has(Class::NounVerb) && words.len() == 2 && words[1].is_data();
        if noun && mark == Mark::Question {
            return Some(Kind::Ask);
        }
        // "can they pay that out?" asks for a rule, "can they be moved?" for a change.
        let others = matches!(first.folded.as_str(), "can" | "could")
            && words.len() > 2
            && matches!(words[1].folded.as_str(), "they" | "he" | "she")
            && !words
                .iter()
                .any(|token| matches!(token.folded.as_str(), "be" | "get" | "have" | "please"));
        if others && mark == Mark::Question {
            return Some(Kind::Ask);
        }
        if mark == Mark::Question || words.len() < 3 {
            return None;
        }
        // "pull the package so nobody installs it": what has a purpose is done.
        let purpose = words.windows(2).skip(1).any(|pair| {
            let whose = pair[1].classes().has(Class::Subject) || pair[1].folded == "that";
            pair[0].folded == "so" && whose
        });
        if self.language == Language::English && purpose && first.classes().has(Class::Look) {
            return Some(Kind::Order);
        }
        // "get Mirela on it"
        let put_on = first.folded == "get"
            && words.windows(2).any(|pair| {
                pair[0].folded == "on" && matches!(pair[1].folded.as_str(), "it" | "this" | "that")
            });
        if put_on {
            return Some(Kind::Order);
        }
        let last = words.iter().rfind(|token| !token.classes().has(Class::Please))?;
        let object = Classes::of(&[Class::Det, Class::Pronoun, Class::Title]);
        let has_object = words[1].classes().meets(object);
        if self.language.is_verb_last() {
            // "zahl ihr die 6300 aus"
            const AWAY: Classes = Classes::of(&[
                Class::Wh,
                Class::Det,
                Class::Subject,
                Class::Pronoun,
                Class::Finite,
            ]);
            let splits = SEPARABLE.contains(&last.folded.as_str());
            let is_verb = !first.classes().meets(AWAY) && !first.is_data() && first.written.len() > 2;
            let starts = core == 0 || !first.is_capital();
            return (splits && has_object && is_verb && starts).then_some(Kind::Order);
        }
        // "check him out", "pull that back"
        let away = matches!(
            (first.folded.as_str(), last.folded.as_str()),
            ("check", "out" | "in" | "off")
                | (
                    "pull" | "get" | "bring" | "track",
                    "back" | "down" | "out" | "off" | "over"
                )
        );
        let person = !matches!(words[1].folded.as_str(), "it" | "this" | "that") || first.folded != "check";
        (self.language == Language::English && away && has_object && person && words.len() <= 5)
            .then_some(Kind::Order)
    }

    /// "can my colleague get added to the list".
    pub(super) fn is_passive_request(&self, core: usize, end: usize) -> bool {
        let words = &self.tokens[core..end];
        matches!(words[0].folded.as_str(), "can" | "could")
            && words.windows(2).any(|pair| {
                matches!(pair[0].folded.as_str(), "be" | "get")
                    && (pair[1].folded.ends_with("ed") || pair[1].folded.ends_with("en"))
            })
    }
}
