//! How much does a message lean on what was said before?

use super::Leaning;
use super::clause::{Clause, Heard, Kind};
use super::lexicon::{Class, Classes};
use super::question::{Asked, Pending};
use super::subject;
use super::thread::Thread;
use super::tokens::{Mark, Token};

/// Words of a fragment that is no more than an answer.
const ANSWER_WORDS_MAX: usize = 12;

/// Decides how a message leans.
pub fn of(heard: &Heard<'_>, pending: &Pending<'_>, thread: &Thread) -> Leaning {
    let has_before = thread.open.is_some() || !pending.said.is_empty();
    let Some(first) = heard.content().next() else {
        return courtesy(heard, pending, thread);
    };
    if !has_before {
        return if is_farewell(heard) {
            Leaning::Nothing
        } else {
            Leaning::Own
        };
    }
    if is_answer(heard, pending) || !pending.said.is_empty() && accepts_one(heard) {
        return Leaning::Answers;
    }
    if is_farewell(heard) || is_relief(heard, pending) {
        return Leaning::Nothing;
    }
    if repeats(heard, first, thread) {
        return Leaning::Repeats;
    }
    if has_intent(heard) {
        return with_intent(heard);
    }
    let fragments = heard.content().all(|clause| clause.kind == Kind::Fragment);
    // "no, am Markt 12" takes back what was said.
    let denies = heard
        .clauses
        .first()
        .is_some_and(|clause| clause.kind == Kind::Courtesy && clause.lead.has(Class::No));
    if is_correction(heard) || fragments && denies || fragments && picks(heard, pending, thread) {
        return Leaning::Answers;
    }
    if fragments && is_bare_id(heard, first) && thread.open.is_some() {
        let another = subject::names_another(heard, &thread.seen, thread.exchange);
        return if another { Leaning::Repeats } else { Leaning::Own };
    }
    if heard
        .content()
        .any(|clause| subject::names_something(heard, clause))
        && subject::first_anaphor(heard).is_none()
    {
        return Leaning::Own;
    }
    let telling: usize = heard.content().map(|clause| heard.telling(clause)).sum();
    if subject::first_anaphor(heard).is_some() || telling <= 2 || heard.leads_with(Class::Join) {
        Leaning::Refers
    } else {
        Leaning::Own
    }
}

/// A message of courtesies accepts what was offered, or asks for nothing.
fn courtesy(heard: &Heard<'_>, pending: &Pending<'_>, thread: &Thread) -> Leaning {
    let next = heard.leads_with(Class::Switch) && heard.contains(Class::Other);
    if next && thread.open.is_some() {
        return Leaning::Repeats;
    }
    let answers = [Class::Yes, Class::No, Class::Ack, Class::Please]
        .iter()
        .any(|&class| heard.leads_with(class));
    let leaves = heard.leads_with(Class::Bye);
    // "go ahead" goes ahead even where nothing was asked.
    let proceeds = thread.open.is_some() && heard.leads_with(Class::Yes) && heard.contains(Class::Verb);
    if proceeds && !leaves && pending.asked != Asked::Closing {
        return Leaning::Answers;
    }
    if pending.is_open() && answers && !leaves {
        Leaning::Answers
    } else {
        Leaning::Nothing
    }
}

/// "lunch time, brb", "lol thanks, that bugged me for ages": what is told along with a farewell asks for nothing.
fn is_farewell(heard: &Heard<'_>) -> bool {
    let leaves = heard.clauses.iter().any(|clause| {
        clause.kind == Kind::Courtesy && (clause.lead.has(Class::Bye) || clause.lead.has(Class::Thanks))
            || clause.lead.has(Class::Thanks)
    });
    leaves
        && heard
            .content()
            .all(|clause| matches!(clause.kind, Kind::State | Kind::Side | Kind::Fragment))
        && !heard.content().any(|clause| {
            subject::names_something(heard, clause) || heard.core(clause).iter().any(|token| token.is_data())
        })
}

/// "damn that was easy", "brilliant, she's relieved": a remark and no more.
fn is_relief(heard: &Heard<'_>, pending: &Pending<'_>) -> bool {
    let Some(first) = heard.clauses.first() else {
        return false;
    };
    let opens = &heard.tokens[first.start];
    let praise = first.kind == Kind::Courtesy
        && first.lead.has(Class::Ack)
        && !matches!(
            opens.folded.as_str(),
            "ok" | "okay" | "k" | "fine" | "right" | "alright" | "oke"
        );
    let is_remark = |clause: &Clause| {
        let is_short = heard.telling(clause) <= 1 && heard.core(clause).len() <= 2;
        clause.lead.has(Class::Remark) && clause.kind == Kind::Fragment && is_short
    };
    let remarked = heard.content().all(is_remark);
    if remarked && !pending.is_open() && !heard.contains(Class::Correct) && !heard.contains(Class::Pick) {
        return true;
    }
    praise
        && !pending.is_open()
        && heard.content().all(|clause| {
            clause.kind == Kind::State
                && clause.end - clause.core
                    <= if is_praise_of(&heard.tokens[clause.core]) {
                        8
                    } else {
                        4
                    }
                && heard.tokens[clause.core].classes().has(Class::Subject)
                && !heard.core(clause).iter().any(Token::is_data)
        })
}

/// "you saved me an hour", "that was easy".
fn is_praise_of(subject: &Token<'_>) -> bool {
    matches!(
        subject.folded.as_str(),
        "you" | "that" | "thats" | "youre" | "youve"
    )
}

/// "leeds works", "friday is fine": takes what was offered.
pub fn accepts_one(heard: &Heard<'_>) -> bool {
    const SUITS: [&str; 9] = [
        "works", "suits", "fits", "passt", "geht", "vale", "va bene", "convient", "past",
    ];
    let mut content = heard.content();
    let (Some(clause), None) = (content.next(), content.next()) else {
        return false;
    };
    let words = heard.core(clause);
    let Some(last) = words.iter().rfind(|token| !token.classes().has(Class::Function)) else {
        return false;
    };
    let fine = words.len() > 2
        && matches!(last.folded.as_str(), "fine" | "ok" | "okay" | "good" | "perfect")
        && words
            .iter()
            .any(|token| matches!(token.folded.as_str(), "is" | "would" | "be"));
    let first = &words[0];
    let refers = first
        .classes()
        .meets(Classes::of(&[Class::Subject, Class::Pronoun]));
    matches!(clause.kind, Kind::Fragment | Kind::State)
        && clause.mark != Mark::Question
        && (2..=6).contains(&words.len())
        && !refers
        && (SUITS.contains(&last.folded.as_str()) || fine)
}

fn has_intent(heard: &Heard<'_>) -> bool {
    heard.content().any(|clause| {
        matches!(
            clause.kind,
            Kind::Ask | Kind::Look | Kind::Order | Kind::Want | Kind::Trouble
        )
    })
}

fn with_intent(heard: &Heard<'_>) -> Leaning {
    if subject::first_anaphor(heard).is_some() {
        return Leaning::Refers;
    }
    let leans = heard.content().all(|clause| match clause.kind {
        Kind::Ask => heard.telling(clause) <= if opens_question(heard, clause) { 0 } else { 2 },
        Kind::Order | Kind::Want | Kind::Look => {
            heard.telling(clause) <= usize::from(has_definite(heard, clause))
        }
        _ => heard.telling(clause) == 0,
    });
    let names = heard
        .content()
        .any(|clause| subject::names_something(heard, clause));
    let words: usize = heard.content().map(|clause| clause.end - clause.core).sum();
    if leans && !names && words <= 6 {
        Leaning::Refers
    } else {
        Leaning::Own
    }
}

/// "close the ticket": the one that is talked about.
fn has_definite(heard: &Heard<'_>, clause: &Clause) -> bool {
    let determined = Classes::of(&[Class::Det]);
    heard.core(clause).iter().any(|token| {
        token.classes().meets(determined) && token.classes().has(Class::Function) && token.folded.len() > 1
    })
}

/// Whether the message does what the assistant's question asks for.
fn is_answer(heard: &Heard<'_>, pending: &Pending<'_>) -> bool {
    if !pending.is_open() {
        return false;
    }
    let Some(first) = heard.clauses.first() else {
        return false;
    };
    let decides = Classes::of(&[Class::Yes, Class::No]);
    let decided = first.lead.meets(decides)
        || heard.tokens[first.start]
            .phrase(first.end - first.start)
            .meets(decides);
    let intents = || {
        heard
            .content()
            .filter(|clause| matches!(clause.kind, Kind::Ask | Kind::Look | Kind::Order | Kind::Want))
    };
    if decided {
        // "no, show me the invoices of Globex" stands for itself.
        let declined = first.lead.has(Class::No) && !first.lead.has(Class::Yes);
        return !declined || intents().next().is_none();
    }
    // "robotics! and does he need a uniform": the answer, then a question.
    let named = heard.content().next().is_some_and(|clause| {
        clause.kind == Kind::Fragment && clause.mark != Mark::Comma && clause.end - clause.core <= 4
    });
    if named
        && pending.asked == Asked::Which
        && intents().all(|clause| clause.kind == Kind::Ask)
        && intents().next().is_some()
    {
        return true;
    }
    let words: usize = heard.content().map(|clause| clause.end - clause.core).sum();
    let waits = heard.contains(Class::Correct) && has_intent(heard);
    intents().next().is_none()
        && !waits
        && words <= ANSWER_WORDS_MAX
        && !heard.leads_with(Class::Switch)
        && heard.content().all(|clause| clause.mark != Mark::Question)
        && (pending.asked != Asked::OfferToDo || heard.content().any(|clause| clause.kind != Kind::Repeat))
}

/// "and for Initech?", "same for cyberdyne", "¿y el otro?"
fn repeats(heard: &Heard<'_>, first: &Clause, thread: &Thread) -> bool {
    if thread.open.is_none() {
        return false;
    }
    if heard
        .content()
        .any(|clause| matches!(clause.kind, Kind::Order | Kind::Want | Kind::Look | Kind::Trouble))
    {
        return false;
    }
    let other = Classes::of(&[Class::Other]);
    let names_other = (first.core..first.end).any(|at| heard.tokens[at].longest(other) > 0);
    let asks = heard.content().filter(|clause| clause.kind == Kind::Ask).count();
    let telling = heard.telling(first);
    let is_name = subject::names_something(heard, first)
        || (first.core..first.end).all(|at| heard.tokens[at].is_data());
    // "the caterer too": the last request for one more.
    let count = heard.tokens.len();
    let also = (1..=2).any(|words| {
        let from = count.checked_sub(words).map(|at| &heard.tokens[at]);
        from.is_some_and(|token| token.phrase(words).has(Class::Also))
    });
    if also && first.kind == Kind::Fragment && heard.content().count() == 1 && telling > 0 {
        return true;
    }
    if first.kind == Kind::Repeat {
        // "e il saldo?" asks for something else about the same.
        let length = heard.tokens[first.core].longest(Classes::of(&[Class::Repeat]));
        let tie = &heard.tokens[(first.core + length).saturating_sub(1)];
        let is_article = length > 1 && tie.classes().has(Class::Det) && !tie.classes().has(Class::About);
        return asks == 0 && (!is_article || is_name || names_other);
    }
    let is_marked = asks == 1 && first.kind == Kind::Ask && !opens_question(heard, first);
    let is_bare = asks == 0 && first.kind == Kind::Fragment || is_marked;
    if names_other && is_bare && telling <= 2 {
        return true;
    }
    let joined = first.lead.has(Class::Join) && heard.content().count() == 1;
    let is_time = heard
        .core(first)
        .iter()
        .all(|token| token.classes().has(Class::Time));
    joined && is_bare && (is_time || is_name && telling <= 3 || first.kind == Kind::Fragment && is_name)
}

/// Whether a clause that asks has a word for it, and not only a mark.
pub fn opens_question(heard: &Heard<'_>, clause: &Clause) -> bool {
    const OPENERS: Classes = Classes::of(&[
        Class::Wh,
        Class::Aux,
        Class::Can,
        Class::May,
        Class::Ask,
        Class::Wish,
    ]);
    heard.tokens[clause.core].longest(OPENERS) > 0
}

/// "A6 not A5"
fn contrasts(heard: &Heard<'_>) -> bool {
    heard.tokens.windows(3).any(|three| {
        let denies = matches!(
            three[1].folded.as_str(),
            "not" | "nicht" | "no" | "pas" | "non" | "niet" | "nao" | "nie"
        );
        three[0].is_data() && denies && three[2].is_data()
    })
}

fn is_correction(heard: &Heard<'_>) -> bool {
    (heard.contains(Class::Correct) || contrasts(heard))
        && heard.content().all(|clause| {
            matches!(
                clause.kind,
                Kind::Fragment | Kind::State | Kind::Side | Kind::Repeat
            )
        })
}

/// "the later", "sat", "87" after a list: chooses among what the assistant said.
fn picks(heard: &Heard<'_>, pending: &Pending<'_>, thread: &Thread) -> bool {
    if pending.said.is_empty() {
        return false;
    }
    let picked = Classes::of(&[Class::Pick, Class::Time]);
    // What follows the choice only qualifies it: "wed, back to back".
    heard.content().next().is_some_and(|clause| {
        let words = heard.core(clause);
        let said = |token: &&Token<'_>| {
            thread
                .seen
                .last(&token.folded)
                .is_some_and(|last| last > thread.exchange)
        };
        let telling = words
            .iter()
            .filter(|token| !token.classes().has(Class::Function))
            .count()
            .max(1);
        // "last order" asks for one, "the last" takes one.
        let states = words.len() > 1
            && words[0].classes().has(Class::Latest)
            && !words.iter().skip(1).any(|token| said(&token));
        words.len() <= 6
            && !states
            && (heard.tokens[clause.core].longest(picked) > 0
                || words.iter().any(|token| token.classes().meets(picked))
                || words.len() == 1 && words[0].written.bytes().all(|byte| byte.is_ascii_digit())
                || words.iter().filter(said).count() * 2 > telling && words.len() <= 4)
    })
}

fn is_bare_id(heard: &Heard<'_>, first: &Clause) -> bool {
    heard.content().count() == 1 && heard.core(first).iter().all(Token::is_data)
}
