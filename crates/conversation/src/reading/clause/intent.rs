//! What does a clause want, by the words it begins with, or ends with, or holds?

use super::super::lexicon::{Class, Classes, Language};
use super::super::tokens::{Mark, Token};
use super::{Heard, Kind, LEAD, STRONG};

/// Words of wanting to be told.
const TOLD: Classes = Classes::of(&[Class::Ask, Class::Look, Class::Know]);
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

/// Words of wanting something done.
const DONE: Classes = Classes::of(&[Class::Verb, Class::NounVerb]);

impl Heard<'_> {
    /// What a clause does, its courtesies put aside.
    pub(super) fn kind(&self, core: usize, end: usize, mark: Mark) -> Kind {
        if self.language.is_unspaced() {
            return self.kind_anywhere(core, end, mark);
        }
        if let Some(kind) = self.opener(core, end, mark) {
            return kind;
        }
        let words = || self.tokens[core..end].iter();
        for at in core..end {
            let wish = self.tokens[at].longest(Classes::of(&[Class::Wish]));
            if wish > 0 {
                let wished = self.wish(at + wish, end);
                return if wished == Kind::Order { Kind::Want } else { wished };
            }
        }
        if self.language.is_verb_last()
            && let Some(kind) = self.final_verb(core, end)
        {
            return if mark == Mark::Question { Kind::Ask } else { kind };
        }
        if mark == Mark::Question {
            return Kind::Ask;
        }
        if self.finds(core, end, Class::Trouble) {
            return Kind::Trouble;
        }
        // A verb that does not come first is no order: "Herr Maier kündigt zum 31.3."
        if self.language.is_verb_last()
            && words()
                .skip(1)
                .any(|token| token.classes().has(Class::Verb) && !token.is_capital())
        {
            return Kind::State;
        }
        if self.language.has_capital_nouns() && self.is_told_of_noun(core, end) {
            return Kind::State;
        }
        let says = Classes::of(&[Class::Subject, Class::Finite]);
        let is_said = |token: &Token<'_>| {
            token.classes().meets(says) || token.folded.ends_with('s') && token.written.contains(['\'', '’'])
        };
        // "Doyle's last mark": whose, and nothing is said.
        let is_owner = |at: usize| {
            let token = &self.tokens[at];
            let next = (at + 1 < end).then(|| &self.tokens[at + 1]);
            let goes_on = |next: &Token<'_>| {
                let classes = next.classes();
                let said = classes.has(Class::Function) && !classes.has(Class::Latest);
                !said && !next.folded.ends_with("ing") && !next.folded.ends_with("ed")
            };
            token.is_capital() && !token.classes().meets(says) && next.is_some_and(goes_on)
        };
        let starts_as_thing = self.tokens[core].classes().has(Class::Pick);
        if end - core > 1
            && !starts_as_thing
            && (core..end).any(|at| is_said(&self.tokens[at]) && !is_owner(at))
            || end - core > 8
        {
            return Kind::State;
        }
        Kind::Fragment
    }

    /// "Frau Weber hält die Rede nicht": after a noun, an unknown word that is spelled like a verb.
    fn is_told_of_noun(&self, core: usize, end: usize) -> bool {
        self.tokens[core..end].windows(2).any(|pair| {
            let spelled =
                pair[1].folded.ends_with('t') && !pair[1].is_capital() && pair[1].classes().is_empty();
            (pair[0].is_capital() || pair[0].is_data()) && spelled
        })
    }

    /// What the verb at the end of a clause asks for: "die ältere bitte schicken".
    fn final_verb(&self, core: usize, end: usize) -> Option<Kind> {
        let words = &self.tokens[core..end];
        let last = words.iter().rfind(|token| !token.classes().meets(LEAD))?;
        let classes = last.classes();
        if classes.meets(TOLD) {
            return Some(Kind::Ask);
        }
        let is_told = words.iter().any(|token| {
            token
                .classes()
                .meets(Classes::of(&[Class::Subject, Class::Finite]))
        });
        // An infinitive nobody knows: "inserieren".
        let is_infinitive =
            classes.is_empty() && !last.is_capital() && last.folded.ends_with("en") && words.len() > 2;
        (words.len() > 1 && (classes.has(Class::Verb) || is_infinitive && !is_told)).then_some(Kind::Order)
    }

    fn finds(&self, start: usize, end: usize, class: Class) -> bool {
        let class = Classes::of(&[class]);
        self.tokens[start..end]
            .iter()
            .any(|token| token.longest(class) > 0)
    }

    /// What a clause does that begins with one of the words for it.
    pub(super) fn opener(&self, core: usize, end: usize, mark: Mark) -> Option<Kind> {
        let token = &self.tokens[core];
        if let Some(kind) = self.by_structure(core, end, mark) {
            return Some(kind);
        }
        let length = token.longest(STRONG);
        if length == 0 {
            return self.unknown_order(core, end, mark);
        }
        let classes = token.phrase(length);
        let after = core + length;
        let asked = mark == Mark::Question;
        if classes.has(Class::Repeat) {
            return self.repeat(after, end, mark);
        }
        if classes.has(Class::Can) {
            return Some(self.wanted(after, end, Kind::Order));
        }
        if classes.has(Class::May) {
            return Some(self.allowed(after, end));
        }
        if classes.has(Class::If) && !(classes.has(Class::Wh) && self.is_question(core, after, end, asked)) {
            return Some(self.condition(after, end));
        }
        if classes.has(Class::Wish) {
            // "¿tengo que llevar algo?"
            if asked && self.language.asks_by_mark() {
                return Some(Kind::Ask);
            }
            return Some(self.wish(after, end));
        }
        if classes.has(Class::Wh) && self.is_passive_request(core, end) {
            return Some(Kind::Order);
        }
        if classes.has(Class::Wh) {
            let is_verb = length == 1 && self.language.asks_by_mark() && token.classes().has(Class::Finite);
            return (!is_verb || asked).then_some(Kind::Ask);
        }
        if classes.has(Class::Aux) {
            let subject = Classes::of(&[Class::Subject, Class::Det, Class::Pronoun]);
            let follows = self.tokens[..end].get(after);
            let inverted =
                length > 1 || follows.is_some_and(|next| next.classes().meets(subject) || next.is_capital());
            return (asked || inverted).then_some(Kind::Ask);
        }
        if classes.has(Class::Ask) && !self.is_noun_of(core, after, end) {
            return Some(Kind::Ask);
        }
        if classes.has(Class::Look) && !self.is_noun_of(core, after, end) {
            return Some(Kind::Look);
        }
        let single = end == after;
        if single && asked && (length == 1 && classes.has(Class::NounVerb)) {
            return Some(Kind::Ask);
        }
        if self.is_noun_of(core, after, end) {
            return None;
        }
        let ordered = if classes.has(Class::NounVerb) {
            single && classes.has(Class::Verb)
                || self.is_object(after) && after < end
                || classes.has(Class::Verb) && !asked && !single
        } else {
            classes.has(Class::Verb)
        };
        ordered.then_some(Kind::Order)
    }

    /// What the build of a clause says, whatever its verb is.
    fn by_structure(&self, core: usize, end: usize, mark: Mark) -> Option<Kind> {
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
    fn is_passive_request(&self, core: usize, end: usize) -> bool {
        let words = &self.tokens[core..end];
        matches!(words[0].folded.as_str(), "can" | "could")
            && words.windows(2).any(|pair| {
                matches!(pair[0].folded.as_str(), "be" | "get")
                    && (pair[1].folded.ends_with("ed") || pair[1].folded.ends_with("en"))
            })
    }

    /// `order status`, `factura de marzo`: a noun that is spelled like an order.
    fn is_noun_of(&self, core: usize, after: usize, end: usize) -> bool {
        if after != core + 1 || after >= end {
            return false;
        }
        let (token, next) = (&self.tokens[core], &self.tokens[after]);
        match self.language {
            Language::English => token.classes().has(Class::NounVerb) && next.classes().has(Class::Facet),
            Language::Spanish | Language::Portuguese | Language::Italian | Language::French => {
                next.classes().has(Class::About)
                    && matches!(next.folded.as_str(), "de" | "del" | "di" | "do" | "da" | "du")
                    && !token.folded.ends_with('r')
            }
            _ => false,
        }
    }

    /// "when can you deliver" asks, "when it is done" does not.
    fn is_question(&self, core: usize, after: usize, end: usize, asked: bool) -> bool {
        let turned = Classes::of(&[Class::Aux, Class::Can, Class::May, Class::Finite]);
        asked
            || self.tokens[core].folded.len() > 4
                && self.tokens[core].classes().has(Class::Wh)
                && !self.tokens[core].classes().has(Class::If)
            || self.tokens[..end]
                .get(after)
                .is_some_and(|next| next.longest(turned) > 0)
    }

    /// `fold it in`: a word nobody knows with an object after it.
    fn unknown_order(&self, core: usize, end: usize, mark: Mark) -> Option<Kind> {
        const KNOWN: Classes = Classes::of(&[
            Class::Function,
            Class::Subject,
            Class::Pronoun,
            Class::Det,
            Class::Finite,
            Class::Time,
            Class::Pick,
            Class::Title,
            Class::About,
            Class::Trouble,
        ]);
        let token = &self.tokens[core];
        let is_word = token.written.chars().all(char::is_alphabetic) && token.written.len() > 2;
        let clitic = token.classes().has(Class::Clitic) && core + 1 < end;
        if clitic
            && self.tokens[core + 1]
                .classes()
                .meets(DONE.with(Classes::of(&[Class::Can, Class::May])))
        {
            return self.opener(core + 1, end, mark);
        }
        let plain = self.language == Language::English && is_word && mark != Mark::Question;
        (plain
            && !token.classes().meets(KNOWN)
            && !token.folded.ends_with("ed")
            && !token.folded.ends_with("ing")
            && self.tokens[..end].get(core + 1).is_some_and(|next| {
                next.classes().has(Class::Det)
                    && !next.classes().meets(Classes::of(&[Class::About, Class::Pick]))
            }))
        .then_some(Kind::Order)
    }

    pub(super) fn is_object(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| {
            let object = Classes::of(&[Class::Det, Class::Pronoun, Class::Title, Class::Time]);
            token.is_data() || token.classes().meets(object) || token.is_capital() || token.folded == "to"
        })
    }

    /// What is wanted after "can you".
    fn wanted(&self, start: usize, end: usize, otherwise: Kind) -> Kind {
        let wanted = |at: &usize| {
            let token = &self.tokens[*at];
            // "sum up", "explain"
            if *at == start && token.longest(Classes::of(&[Class::Wh])) > token.longest(DONE) {
                return Some(Kind::Ask);
            }
            let length = token.longest(TOLD.with(DONE));
            let classes = token.phrase(length);
            if length == 0 {
                None
            } else if classes.meets(TOLD) {
                Some(Kind::Ask)
            } else if length == 1 && !classes.has(Class::Verb) && !self.is_object(at + 1) {
                None
            } else {
                Some(Kind::Order)
            }
        };
        let range = start..end.min(start + 7);
        if self.language.is_verb_last() {
            return (start..end).rev().find_map(|at| wanted(&at)).unwrap_or(otherwise);
        }
        range.into_iter().find_map(|at| wanted(&at)).unwrap_or(otherwise)
    }

    /// What is wanted after "can I": to get something is to have it done.
    fn allowed(&self, start: usize, end: usize) -> Kind {
        let gets = self.tokens[start..end.min(start + 3)]
            .iter()
            .any(|token| token.classes().has(Class::Look) && !token.classes().has(Class::Know));
        let oneself = self.tokens[start..end]
            .iter()
            .any(|token| matches!(token.folded.as_str(), "myself" | "ourselves"));
        if gets && !oneself {
            Kind::Order
        } else {
            self.wanted(start, end.min(start + 7), Kind::Ask)
        }
    }

    fn wish(&self, start: usize, end: usize) -> Kind {
        let near = self.tokens[start..end.min(start + 5)].iter();
        // "we need someone to look at it", "I need a second monitor": who wants to be told says so at once.
        let is_late = |at: usize| {
            self.language == Language::English && at > usize::from(self.tokens[start].folded == "to")
        };
        let told = near.clone().enumerate().any(|(at, token)| {
            let classes = token.classes();
            let is_told = classes.meets(TOLD) && !classes.has(Class::Verb);
            is_told
                && (!is_late(at) || classes.has(Class::Know) && !classes.meets(Classes::of(&[Class::Look])))
        });
        let told_last =
            self.language.is_verb_last() && end > start && self.tokens[end - 1].classes().meets(TOLD);
        let get = near
            .clone()
            .next()
            .is_some_and(|token| token.classes().has(Class::Verb))
            || near
                .clone()
                .nth(1)
                .is_some_and(|token| token.classes().has(Class::Verb))
                && near.clone().next().is_some_and(|token| token.folded == "to");
        if (told && !get) || told_last {
            Kind::Ask
        } else {
            Kind::Order
        }
    }

    /// "if it went up drop them a voucher" holds an order.
    fn condition(&self, start: usize, end: usize) -> Kind {
        for at in start + 1..end {
            let length = self.tokens[at].longest(Classes::of(&[Class::Verb]));
            let before = &self.tokens[at - 1];
            let is_free = !before
                .classes()
                .meets(Classes::of(&[Class::Subject, Class::About]));
            if length > 0 && is_free && self.is_object(at + length) && at + length < end {
                return Kind::Order;
            }
        }
        Kind::Side
    }

    fn repeat(&self, after: usize, end: usize, mark: Mark) -> Option<Kind> {
        if self.language.is_verb_last()
            && after < end
            && let Some(kind) = self.final_verb(after - 1, end)
        {
            return Some(kind);
        }
        for at in after..end {
            let token = &self.tokens[at];
            let length = token.longest(Classes::of(&[Class::Wish, Class::Can]));
            let classes = token.phrase(length);
            // "e gli servono": an article before a verb is a pronoun.
            if length > 0 && (at > after || self.language.asks_by_mark()) {
                return Some(if classes.meets(TOLD) {
                    Kind::Ask
                } else {
                    Kind::Order
                });
            }
        }
        let says = self.tokens[after..end]
            .iter()
            .any(|token| token.classes().has(Class::Finite) && token.classes().has(Class::Function));
        if says && self.language == Language::English {
            return (mark == Mark::Question).then_some(Kind::Ask);
        }
        Some(if after < end { Kind::Repeat } else { Kind::Fragment })
    }

    /// Where words follow each other without spaces, the intent may stand anywhere.
    fn kind_anywhere(&self, core: usize, end: usize, mark: Mark) -> Kind {
        let finds = |class| self.finds(core, end, class);
        let told = finds(Class::Ask) || finds(Class::Look);
        let asks = finds(Class::Wh) || mark == Mark::Question;
        if finds(Class::Can) || finds(Class::Please) && !asks {
            return if told && !finds(Class::Verb) || finds(Class::Ask) {
                Kind::Ask
            } else {
                Kind::Order
            };
        }
        if finds(Class::Ask) {
            return Kind::Ask;
        }
        if finds(Class::Wish) {
            return if finds(Class::Know) {
                Kind::Ask
            } else {
                Kind::Order
            };
        }
        if finds(Class::Verb) && !asks {
            return Kind::Order;
        }
        if asks || told {
            return Kind::Ask;
        }
        if finds(Class::Trouble) {
            return Kind::Trouble;
        }
        if end - core > 6 {
            Kind::State
        } else {
            Kind::Fragment
        }
    }
}
