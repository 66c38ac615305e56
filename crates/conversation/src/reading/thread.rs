//! What has the conversation come to: which request is open, and which messages belong to the matter at hand?

use handpick_domain::{Message, Role};
use handpick_selection::words;

use super::Leaning;
use super::clause::{self, Heard, Kind};
use super::leaning;
use super::lexicon::{Class, Classes, Language};
use super::question::{self, Pending};
use super::subject::{self, Seen};
use super::tokens;
use crate::turn_type::{self, TurnType};

/// Messages of the history that are read (T22).
pub const MESSAGES_MAX: usize = 10;

/// Words taken from the last exchange to say what a pronoun stands for.
const NOUNS_MAX: usize = 8;

/// A request that is being served.
#[derive(Clone, Debug, PartialEq)]
pub struct Open {
    /// Its words.
    pub text: String,
    /// What kind of request it is.
    pub kind: TurnType,
}

/// The conversation before a message.
#[derive(Debug, Default)]
pub struct Thread {
    /// The request that is being served.
    pub open: Option<Open>,
    /// Numbers of the messages that belong to the matter at hand.
    pub matter: Vec<usize>,
    /// The language spoken so far.
    pub language: Option<Language>,
    /// Everything said.
    pub seen: Seen,
    /// Number of the first message of the last exchange.
    pub exchange: usize,
    /// What the last exchange was about.
    nouns: Vec<String>,
}

/// A message read with what stands before it.
#[derive(Debug)]
pub struct Step<'m, 'h> {
    /// Its clauses.
    pub heard: Heard<'m>,
    /// The question it may answer.
    pub pending: Pending<'h>,
    /// How it leans.
    pub leaning: Leaning,
    /// Whether the thing talked about changes.
    pub new_subject: bool,
    /// Whether it has to do with the matter at hand.
    pub is_tied: bool,
}

/// Follows a conversation from its oldest message that counts.
pub fn follow(history: &[Message]) -> Thread {
    let mut thread = Thread::default();
    let from = history.len().saturating_sub(MESSAGES_MAX);
    for (number, message) in history.iter().enumerate().skip(from) {
        match message.role {
            Role::User => thread.hear(number, &message.content, &history[from..number]),
            Role::Assistant => {
                thread.matter.push(number);
                thread.add_tools(message);
            }
        }
        thread.seen.add(number, message);
    }
    thread
}

impl Thread {
    /// Reads a message that follows.
    pub fn step<'m, 'h>(&self, message: &'m str, history: &'h [Message]) -> Step<'m, 'h> {
        let heard = clause::hear(message, self.language);
        let pending = question::pending(history, self.language);
        let leaning = leaning::of(&heard, &pending, self);
        let new_subject = self.open.is_some() && self.changes_subject(&heard, leaning);
        let is_tied = leaning != Leaning::Own || !new_subject && self.ties(&heard);
        Step {
            heard,
            pending,
            leaning,
            new_subject,
            is_tied,
        }
    }

    /// What a pronoun of the new message stands for, in a few words.
    pub fn nouns(&self) -> &[String] {
        &self.nouns
    }

    fn hear(&mut self, number: usize, message: &str, history: &[Message]) {
        let step = self.step(message, history);
        self.exchange = number;
        if step.heard.tokens.len() > 1 || self.language.is_none() {
            self.language = Some(step.heard.language);
        }
        if !step.is_tied {
            self.matter.clear();
        }
        self.matter.push(number);
        let kind = turn_type::kind(
            &step.heard,
            step.leaning,
            &step.pending,
            self.open.as_ref().map(|open| open.kind),
        );
        let text = match step.leaning {
            Leaning::Nothing => return,
            Leaning::Answers if kind == TurnType::Smalltalk => return,
            Leaning::Answers if step.pending.is_offer() => step.pending.text.to_owned(),
            Leaning::Answers => {
                if let Some(open) = &mut self.open {
                    open.kind = kind;
                }
                return;
            }
            Leaning::Repeats => super::with_context(&step, self),
            Leaning::Own | Leaning::Refers => super::own(&step.heard),
        };
        self.nouns.clear();
        for word in super::telling_words(&step.heard)
            .into_iter()
            .take(NOUNS_MAX / 2 + 1)
        {
            self.add_noun(word);
        }
        self.open = Some(Open { text, kind });
    }

    fn add_tools(&mut self, message: &Message) {
        const ACTS: Classes = Classes::of(&[Class::Ask, Class::Look, Class::Verb, Class::NounVerb]);
        for call in message.tool_calls.iter().take(NOUNS_MAX) {
            let name = words::spelled_out(words::truncate(&call.name));
            let heard = clause::hear(&name, Some(Language::English));
            for (at, token) in heard.tokens.iter().enumerate() {
                // What the tool does says less about the thing than what it does it to.
                let classes = token.classes();
                let acts = classes.meets(ACTS) && (at == 0 || !classes.has(Class::NounVerb));
                if classes.has(Class::Function) || acts && heard.tokens.len() > 1 {
                    continue;
                }
                self.add_noun(token.written.to_owned());
            }
        }
    }

    fn add_noun(&mut self, word: String) {
        if self.nouns.len() < NOUNS_MAX && !self.nouns.iter().any(|noun| noun.eq_ignore_ascii_case(&word)) {
            self.nouns.push(word);
        }
    }

    fn changes_subject(&self, heard: &Heard<'_>, leaning: Leaning) -> bool {
        let another = || subject::names_another(heard, &self.seen, self.exchange);
        let moves_on = heard.leads_with(Class::Switch) || other_record(heard);
        match leaning {
            Leaning::Nothing => false,
            Leaning::Repeats => moves_on || repeats_for_another(heard),
            // A correction keeps to its matter unless it names another record.
            Leaning::Answers => {
                heard.contains(Class::Correct) && another_id(heard, &self.seen, self.exchange)
            }
            Leaning::Own => {
                moves_on || another() || subject::returns_to_name(heard, &self.seen, self.exchange)
            }
            Leaning::Refers => {
                heard.leads_with(Class::Switch) && another()
                    || other_record(heard)
                    || subject::numbers_another(heard, &self.seen)
                    || subject::returns_to_name(heard, &self.seen, self.exchange)
            }
        }
    }

    /// Whether a message that stands for itself still has to do with the matter: it goes on, or shares words with it.
    fn ties(&self, heard: &Heard<'_>) -> bool {
        if heard.leads_with(Class::Switch) {
            return false;
        }
        let Some(&first) = self.matter.first() else {
            return false;
        };
        subject::first_anaphor(heard).is_some()
            || heard.leads_with(Class::Join)
            || super::telling_words(heard).iter().any(|word| {
                let folded = words::fold(word);
                self.seen.last(&folded).is_some_and(|last| last >= first)
            })
    }
}

/// "the next customer", "el otro": another record of the kind that is talked about.
fn other_record(heard: &Heard<'_>) -> bool {
    let other = Classes::of(&[Class::Other]);
    let is_bare = heard.content().all(|clause| {
        matches!(clause.kind, Kind::Fragment | Kind::Repeat)
            || clause.kind == Kind::Ask && !leaning::opens_question(heard, clause)
    });
    heard.content().next().is_some_and(|clause| {
        (clause.core..clause.end).any(|at| {
            let length = heard.tokens[at].longest(other);
            let follows = heard.tokens[..clause.end].get(at + length);
            let sets_apart = at == clause.core
                && length > 1
                && matches!(clause.kind, Kind::Fragment | Kind::State | Kind::Repeat);
            length > 0
                && (sets_apart
                    || follows.is_some_and(|next| next.classes().has(Class::Title))
                    || is_bare && at < clause.core + 2 && heard.telling(clause) <= 2)
        })
    })
}

/// "and for Initech" is about another, "and to her", "and on friday" is not.
fn repeats_for_another(heard: &Heard<'_>) -> bool {
    const SAME: [&str; 12] = [
        "to", "at", "on", "in", "by", "with", "a", "en", "au", "am", "im", "op",
    ];
    heard.content().next().is_some_and(|clause| {
        let start = super::repeated(heard, clause);
        let words = &heard.tokens[start..clause.end];
        let tie = words[0].folded.as_str();
        // The words that repeat may end with the tie: "and to".
        let tie = match start.checked_sub(1).filter(|&before| before > clause.core) {
            Some(before) if !SAME.contains(&tie) && !words.iter().any(tokens::Token::is_capital) => {
                heard.tokens[before].folded.as_str()
            }
            _ => tie,
        };
        let names = words.iter().any(|token| {
            !token.classes().meets(Classes::of(&[
                Class::Time,
                Class::Function,
                Class::About,
                Class::Det,
                Class::Pronoun,
            ]))
        });
        names && !(words.len() > 1 && SAME.contains(&tie))
    })
}

fn another_id(heard: &Heard<'_>, seen: &Seen, exchange: usize) -> bool {
    heard
        .tokens
        .iter()
        .any(|token| subject::id_kind(&token.folded).is_some())
        && subject::names_another(heard, seen, exchange)
}
