//! What is the message about: itself, or what was said before?
//!
//! "yes, that one", "and for Initech?" and "B-300" say little alone and are read with the turns before them; a message
//! that opens a topic of its own is not dragged back by them.
//!
//! A message is cut into [`clause`]s, told apart by word lists of its language ([`lexicon`]). [`thread`] follows the
//! history to the request that is still open, [`leaning`] decides how the message relates to it.

mod clause;
mod leaning;
mod lexicon;
mod question;
mod subject;
mod thread;
mod tokens;

use handpick_domain::Message;

use clause::Kind;
use lexicon::{Class, Classes};
use thread::{Step, Thread};

pub(crate) use clause::Heard;
pub(crate) use clause::Kind as ClauseKind;
pub(crate) use leaning::accepts_one;
pub(crate) use lexicon::{Class as WordClass, Classes as WordClasses};
pub(crate) use question::{Asked, Pending};
pub(crate) use thread::follow;
pub(crate) use tokens::Mark;

/// Bytes of each text that is put together with others.
const PART_BYTES_MAX: usize = 400;

/// How much a message leans on what was said before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaning {
    /// It asks for something of its own.
    Own,
    /// It has an intent of its own about something named before ("what's the amount on it").
    Refers,
    /// It repeats the last intent for another thing ("and for Initech?", "same for cyberdyne").
    Repeats,
    /// It accepts, answers or corrects what the assistant asked or did ("yes", "the german one", "B-300", "no,
    /// friday").
    Answers,
    /// It asks for nothing.
    Nothing,
}

/// The new message read with the turns before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// How it leans.
    pub leaning: Leaning,
    /// Whether the thing talked about changes, though the intent may stay: ids of the old one mislead.
    pub new_subject: bool,
    /// The message alone, without greetings, thanks and filler around it.
    pub own: String,
    /// The message with what it leans on, as one text to match; equal to `own` where it leans on nothing.
    pub with_context: String,
    /// The request of the history that is still being served: its last user message with an intent of its own, or
    /// what the assistant offered and the user accepted. `None` where the new message opens a matter of its own.
    pub open_request: Option<String>,
    /// Numbers of the history's messages that belong to the matter at hand, oldest first.
    pub matter: Vec<usize>,
    /// Words by which it describes a thing that was not heard of before: `hydrangea` of "the care sheet of the
    /// hydrangea".
    pub described: Vec<String>,
    /// Nouns that it points at: `scene` of "that scene".
    pub pointed: Vec<String>,
    /// Nouns that it takes for known: `ticket` of "close the ticket".
    pub definite: Vec<String>,
    /// The word before each new name, as `trainer` of "trainer Joao".
    pub titles: Vec<String>,
    /// Whether it speaks of a thing, and no person, as of one that is known.
    pub points_at_thing: bool,
    /// Whether it says that it goes back to something.
    pub returns: bool,
}

/// Reads the word lists ahead of the first message, which takes some milliseconds. Learning an agent does so, too.
pub fn warm() {
    lexicon::warm();
}

/// Reads a message. Of the history only the last ten messages count (T22).
pub fn read(message: &str, history: &[Message]) -> Reading {
    let thread = follow(history);
    let step = thread.step(message, history);
    let with_context = with_context(&step, &thread);
    let described = subject::described(&step.heard, &thread.seen);
    let pointed = subject::pointed(&step.heard);
    let titles = subject::titles(&step.heard, &thread.seen);
    let is_left = step.leaning == Leaning::Own && step.new_subject;
    Reading {
        leaning: step.leaning,
        new_subject: step.new_subject,
        own: own(&step.heard),
        with_context,
        open_request: thread.open.filter(|_| !is_left).map(|open| open.text),
        matter: if step.is_tied { thread.matter } else { Vec::new() },
        described,
        pointed,
        definite: subject::definite(&step.heard),
        titles,
        points_at_thing: subject::points_at_thing(&step.heard),
        returns: subject::returns(&step.heard),
    }
}

/// The message without the courtesies around it.
fn own(heard: &Heard<'_>) -> String {
    const TAIL: Classes = Classes::of(&[Class::Please, Class::Thanks, Class::So, Class::Remark]);
    let mut content = heard.content();
    let Some(first) = content.next() else {
        return heard.text.trim().to_owned();
    };
    let last = content.last().unwrap_or(first);
    let start = if first.kind == Kind::Repeat {
        repeated(heard, first)
    } else {
        first.core
    };
    let mut end = last.end;
    while end > start.max(last.core) + 1
        && (1..=4).any(|words| end > start + words && heard.tokens[end - words].phrase(words).meets(TAIL))
    {
        end -= 1;
    }
    heard.text[heard.tokens[start].start..heard.tokens[end - 1].end()].to_owned()
}

/// Where the new object of a repeated request begins: at its preposition.
fn repeated(heard: &Heard<'_>, clause: &clause::Clause) -> usize {
    let length = heard.tokens[clause.core].longest(Classes::of(&[Class::Repeat]));
    let after = clause.core + length;
    if after >= clause.end || length == 0 {
        return clause.core;
    }
    let tie = &heard.tokens[after - 1];
    if tie.classes().has(Class::About) && tie.folded != "about" || tie.classes().has(Class::Det) {
        after - 1
    } else {
        after
    }
}

/// The message with what it leans on.
fn with_context(step: &Step<'_, '_>, thread: &Thread) -> String {
    let own = own(&step.heard);
    let own = part(&own, tokens::MESSAGE_BYTES_MAX);
    let open = thread.open.as_ref().map(|open| part(&open.text, PART_BYTES_MAX));
    match step.leaning {
        Leaning::Own | Leaning::Nothing => own.to_owned(),
        Leaning::Repeats => match open {
            Some(open) => format!("{open}, {own}"),
            None => own.to_owned(),
        },
        Leaning::Answers => answered(step, own, open),
        Leaning::Refers => {
            let known = |noun: &&String| !own.to_lowercase().contains(&noun.to_lowercase());
            let nouns: Vec<&str> = thread.nouns().iter().filter(known).map(String::as_str).collect();
            if nouns.is_empty() {
                own.to_owned()
            } else {
                format!("{own} ({})", nouns.join(" "))
            }
        }
    }
}

/// Question, answer and request as one text. What is accepted comes first, what is asked back for comes last.
fn answered(step: &Step<'_, '_>, own: &str, open: Option<&str>) -> String {
    let question = part(step.pending.text, PART_BYTES_MAX);
    let answer = step.heard.content().next().map(|_| own);
    let parts = if step.pending.is_offer() {
        [Some(question), answer, open]
    } else {
        [open, Some(question), answer]
    };
    let parts: Vec<&str> = parts
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .collect();
    if parts.is_empty() {
        own.to_owned()
    } else {
        parts.join("; ")
    }
}

fn part(text: &str, bytes_max: usize) -> &str {
    text[..text.floor_char_boundary(bytes_max)].trim()
}

/// The words of a message that say what it is about.
fn telling_words(heard: &Heard<'_>) -> Vec<String> {
    const EMPTY: Classes = Classes::of(&[
        Class::Function,
        Class::Pronoun,
        Class::Det,
        Class::Filler,
        Class::Verb,
        Class::Ask,
        Class::Look,
        Class::Wh,
        Class::Wish,
        Class::Subject,
        Class::Finite,
        Class::Pick,
        Class::Time,
        Class::Please,
    ]);
    let tells = |token: &&tokens::Token<'_>| {
        token.is_data() || !token.classes().meets(EMPTY) && token.written.chars().count() > 1
    };
    heard
        .content()
        .flat_map(|clause| heard.core(clause))
        .filter(tells)
        .map(|token| token.written.to_owned())
        .collect()
}
