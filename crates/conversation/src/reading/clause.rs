//! What does each clause of a message do: greet, ask, order, tell, or name something?

mod intent;

use super::lexicon::{Class, Classes, Language};
use super::tokens::{self, Mark, Token};

/// What a clause does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Courtesies and filler only.
    Courtesy,
    /// Wants to know.
    Ask,
    /// Wants something looked up; often the first step of more.
    Look,
    /// Wants something done.
    Order,
    /// Says what someone wants: "she needs a taxi".
    Want,
    /// The last intent for another thing: "and for Initech".
    Repeat,
    /// Says how things are.
    State,
    /// Says that something is not as it should be.
    Trouble,
    /// A condition or a reason.
    Side,
    /// Names something and says no more: "the german one", "B-300".
    Fragment,
}

/// One clause.
#[derive(Clone, Copy, Debug)]
pub struct Clause {
    /// Its first word.
    pub start: usize,
    /// The first word after its courtesies and connectives.
    pub core: usize,
    /// One past its last word.
    pub end: usize,
    /// What stands after it.
    pub mark: Mark,
    /// What it does.
    pub kind: Kind,
    /// The classes of what stands before the core, and of the whole where it is a courtesy.
    pub lead: Classes,
}

/// A message cut into clauses.
#[derive(Clone, Debug)]
pub struct Heard<'t> {
    /// The message as far as it is read.
    pub text: &'t str,
    /// The language it is in.
    pub language: Language,
    /// Its words.
    pub tokens: Vec<Token<'t>>,
    /// Its clauses.
    pub clauses: Vec<Clause>,
}

/// What may stand before the core of a clause.
pub(super) const LEAD: Classes = Classes::of(&[
    Class::Filler,
    Class::Join,
    Class::Greeting,
    Class::Thanks,
    Class::Ack,
    Class::Yes,
    Class::No,
    Class::Remark,
    Class::Please,
    Class::Switch,
]);

/// What a clause of courtesies consists of.
const COURTESY: Classes = LEAD.with(Classes::of(&[Class::Bye]));

/// What begins an intent.
pub(super) const STRONG: Classes = Classes::of(&[
    Class::Wh,
    Class::Aux,
    Class::Can,
    Class::May,
    Class::Ask,
    Class::Look,
    Class::Verb,
    Class::NounVerb,
    Class::Wish,
    Class::Repeat,
    Class::If,
]);

/// What waits for its verb.
const ASKED: Classes = Classes::of(&[Class::Can, Class::May, Class::Wish]);

/// Cuts a message into clauses and says what each of them does.
pub fn hear(text: &str, before: Option<Language>) -> Heard<'_> {
    let (language, tokens) = tokens::read(text, before);
    let mut heard = Heard {
        text: tokens::truncate(text),
        language,
        tokens,
        clauses: Vec::new(),
    };
    let mut clauses = Vec::new();
    let mut start = 0;
    for at in 0..heard.tokens.len() {
        let mark = heard.tokens[at].mark;
        if mark != Mark::None || at + 1 == heard.tokens.len() {
            heard.split(start, at + 1, mark, &mut clauses);
            start = at + 1;
        }
    }
    ask_by_tag(&mut clauses);
    heard.subordinate(&mut clauses);
    heard.clauses = clauses;
    heard
}

/// "it went out, right?": the courtesy with the question mark makes a question of what stands before it.
fn ask_by_tag(clauses: &mut [Clause]) {
    for at in 1..clauses.len() {
        let is_tag = clauses[at].kind == Kind::Courtesy && clauses[at].mark == Mark::Question;
        let told = &mut clauses[at - 1];
        if is_tag
            && told.mark == Mark::Comma
            && matches!(told.kind, Kind::State | Kind::Fragment | Kind::Trouble)
        {
            told.kind = Kind::Ask;
        }
    }
}

impl Heard<'_> {
    /// The clauses that are more than courtesies.
    pub fn content(&self) -> impl Iterator<Item = &Clause> + Clone {
        self.clauses.iter().filter(|clause| clause.kind != Kind::Courtesy)
    }

    /// Whether a clause does this.
    pub fn has(&self, kind: Kind) -> bool {
        self.clauses.iter().any(|clause| clause.kind == kind)
    }

    /// Whether a courtesy of this class, or such a word before the core of a clause, is in the message.
    pub fn leads_with(&self, class: Class) -> bool {
        self.clauses.iter().any(|clause| clause.lead.has(class))
    }

    /// Whether any phrase of this class is in the message.
    pub fn contains(&self, class: Class) -> bool {
        let class = Classes::of(&[class]);
        self.tokens.iter().any(|token| token.longest(class) > 0)
    }

    /// The words of a clause from its core on.
    pub fn core(&self, clause: &Clause) -> &[Token<'_>] {
        &self.tokens[clause.core..clause.end]
    }

    /// How many words say something by themselves.
    pub fn telling(&self, clause: &Clause) -> usize {
        const EMPTY: Classes = Classes::of(&[
            Class::Function,
            Class::Pronoun,
            Class::Det,
            Class::Filler,
            Class::Verb,
            Class::Please,
            Class::Pick,
        ]);
        let telling = |token: &&Token<'_>| token.is_data() || !token.classes().meets(EMPTY);
        self.core(clause).iter().filter(telling).count()
    }

    /// Where a comma stands before every subordinate clause, "sag ihr, wann jemand kommt" asks nothing.
    fn subordinate(&self, clauses: &mut [Clause]) {
        if !matches!(
            self.language,
            Language::German | Language::Polish | Language::Russian
        ) {
            return;
        }
        for at in 1..clauses.len() {
            let main = clauses[at - 1];
            let told = &mut clauses[at];
            let is_main = matches!(main.kind, Kind::Order | Kind::Ask) && main.mark == Mark::Comma;
            if is_main && told.kind == Kind::Ask && told.mark != Mark::Question && !told.lead.has(Class::Join)
            {
                told.kind = Kind::Side;
            }
        }
    }

    /// Cuts at an `and` after which another intent begins.
    fn split(&self, start: usize, end: usize, mark: Mark, clauses: &mut Vec<Clause>) {
        let mut from = start;
        for at in start + 1..end.saturating_sub(1) {
            // "could you also give me" is one request.
            let opened = from + self.tokens[from].longest(ASKED);
            let is_joined = at > from && at != opened && self.tokens[at].classes().has(Class::Join);
            if is_joined && self.begins_another(at + 1, end, mark) {
                clauses.push(self.judge(from, at, Mark::Comma));
                from = at;
            }
        }
        clauses.push(self.judge(from, end, mark));
    }

    fn begins_another(&self, at: usize, end: usize, mark: Mark) -> bool {
        let (core, _) = self.core_of(at, end);
        let token = &self.tokens[core];
        let length = token.longest(STRONG);
        let classes = token.phrase(length);
        if classes.meets(Classes::of(&[Class::Can, Class::May, Class::Wish, Class::If])) {
            return true;
        }
        if self.language.asks_by_mark() && classes.has(Class::Wh) && token.classes().has(Class::Finite) {
            return false;
        }
        if classes.has(Class::Wh) {
            return true;
        }
        let opens = self.opener(core, end, mark);
        match opens {
            Some(Kind::Ask) => true,
            Some(Kind::Order | Kind::Look) => {
                core + length >= end || length > 1 || self.is_object(core + length)
            }
            _ => false,
        }
    }

    /// Where the core begins after courtesies and connectives, and the classes of those.
    fn core_of(&self, start: usize, end: usize) -> (usize, Classes) {
        let mut core = start;
        let mut lead = Classes::default();
        while core + 1 < end {
            let token = &self.tokens[core];
            let length = token.longest(LEAD);
            if length == 0 || core + length >= end || token.longest(STRONG) >= length {
                break;
            }
            let classes = token.phrase(length);
            // "next week" leaves no topic.
            if classes.has(Class::Switch) && self.tokens[core + length].classes().has(Class::Time) {
                break;
            }
            // "right eye" is no "right, ...".
            if classes.has(Class::Pick)
                && self.tokens[core + length].longest(STRONG) == 0
                && !classes.has(Class::Filler)
            {
                break;
            }
            lead = lead.with(classes.and(LEAD));
            core += length;
        }
        (core, lead)
    }

    fn judge(&self, start: usize, end: usize, mark: Mark) -> Clause {
        let (core, lead) = self.core_of(start, end);
        let mut clause = Clause {
            start,
            core,
            end,
            mark,
            kind: Kind::Fragment,
            lead,
        };
        if let Some(covered) = self.courtesies(start, end, mark) {
            clause.lead = covered;
            clause.kind = Kind::Courtesy;
            clause.core = start;
            return clause;
        }
        // "ok will pass it on": what the user is about to do.
        let says_will = self.language == Language::English
            && end - core > 1
            && self.tokens[core].folded == "will"
            && mark != Mark::Question
            && self.tokens[core + 1].classes().meets(Classes::of(&[
                Class::Verb,
                Class::NounVerb,
                Class::Look,
            ]));
        if says_will {
            clause.kind = Kind::Courtesy;
            clause.lead = lead.with(Classes::of(&[Class::Ack]));
            return clause;
        }
        clause.kind = self.kind(core, end, mark);
        if matches!(clause.kind, Kind::Fragment | Kind::State | Kind::Repeat)
            && self.is_long_courtesy(start, end)
        {
            clause.kind = Kind::Courtesy;
            clause.lead = clause
                .lead
                .with(self.tokens[start].classes().and(COURTESY))
                .with(Classes::of(&[Class::Bye]));
        }
        clause
    }

    /// "that's all for her", "thanks for calling back".
    fn is_long_courtesy(&self, start: usize, end: usize) -> bool {
        let bye = self.tokens[start].longest(Classes::of(&[Class::Bye]));
        let thanks = self.tokens[start].longest(Classes::of(&[Class::Thanks]));
        let tied = |after: usize| {
            self.tokens[..end]
                .get(after)
                .is_some_and(|next| next.classes().has(Class::About))
        };
        bye > 1 && (start + bye == end || tied(start + bye)) && end - start - bye <= 4
            || thanks > 0 && tied(start + thanks)
    }

    /// The classes of a clause that consists of courtesies.
    fn courtesies(&self, start: usize, end: usize, mark: Mark) -> Option<Classes> {
        let mut covered = Classes::default();
        let mut at = start;
        while at < end {
            let length = self.tokens[at].longest(COURTESY);
            if length == 0 {
                return None;
            }
            covered = covered.with(self.tokens[at].phrase(length).and(COURTESY));
            at += length;
        }
        let first = &self.tokens[start];
        let whole = first.phrase(end - start);
        let is_plain = Classes::of(&[
            Class::Ack,
            Class::Yes,
            Class::No,
            Class::Thanks,
            Class::Bye,
            Class::Greeting,
        ]);
        // "first" chooses, "why" asks, "do it" orders.
        if !covered.meets(is_plain) && whole.meets(Classes::of(&[Class::Pick, Class::Verb, Class::Wh])) {
            return None;
        }
        if mark == Mark::Question && covered == covered.and(Classes::of(&[Class::Filler, Class::Join])) {
            return None;
        }
        Some(covered)
    }
}
