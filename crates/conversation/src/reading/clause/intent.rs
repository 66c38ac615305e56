//! What does a clause want, by the words it begins with, or ends with, or holds?

mod structure;
mod wanted;

use super::super::lexicon::{Class, Classes, Language};
use super::super::tokens::{Mark, Token};
use super::{Heard, Kind, LEAD, STRONG};

/// Words of wanting to be told.
const TOLD: Classes = Classes::of(&[Class::Ask, Class::Look, Class::Know]);

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
