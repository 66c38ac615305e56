//! What kind of turn is it: small talk, a question, a task, or both?

use handpick_domain::Message;

use crate::reading::{
    self, Asked, ClauseKind, Heard, Leaning, Mark, Pending, Reading, WordClass, WordClasses,
};

/// The kind of a turn (T34, T35).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TurnType {
    /// Greetings, thanks, acknowledgements: nothing is asked.
    Smalltalk,
    /// The user wants to know something.
    Knowledge,
    /// The user wants something changed or done.
    Action,
    /// Both.
    Mixed,
}

impl TurnType {
    /// Its name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Smalltalk => "SMALLTALK",
            Self::Knowledge => "KNOWLEDGE",
            Self::Action => "ACTION",
            Self::Mixed => "MIXED",
        }
    }
}

/// The kind of the turn that `message` opens after `history`.
pub fn turn_type(message: &str, history: &[Message], reading: &Reading) -> TurnType {
    let thread = reading::follow(history);
    let step = thread.step(message, history);
    let open = thread.open.as_ref().map(|open| open.kind);
    kind(&step.heard, reading.leaning, &step.pending, open)
}

/// The kind of a message whose leaning is known; `open` is the kind of the request that is being served.
pub(crate) fn kind(
    heard: &Heard<'_>,
    leaning: Leaning,
    pending: &Pending<'_>,
    open: Option<TurnType>,
) -> TurnType {
    match leaning {
        Leaning::Nothing => TurnType::Smalltalk,
        Leaning::Answers => of_answer(heard, pending, open),
        Leaning::Repeats if repeats_check(heard) => TurnType::Knowledge,
        Leaning::Repeats => match of_intents(heard, ClauseKind::Repeat).or(open) {
            Some(TurnType::Knowledge) => TurnType::Knowledge,
            _ => TurnType::Action,
        },
        Leaning::Own | Leaning::Refers => {
            of_intents(heard, ClauseKind::Courtesy).unwrap_or_else(|| of_words(heard, leaning, open))
        }
    }
}

/// What the clauses with an intent ask for. A look-up before an order is its first step, not a question.
fn of_intents(heard: &Heard<'_>, leaning_kind: ClauseKind) -> Option<TurnType> {
    let asks = heard.has(ClauseKind::Ask);
    // The mark of "and for Initech?" is no question of its own.
    let asks = asks && (leaning_kind != ClauseKind::Repeat || heard.has(ClauseKind::Repeat));
    // What someone wants is the occasion of the question: "he wants out, what would it cost?"
    let orders = heard.has(ClauseKind::Order) || heard.has(ClauseKind::Want) && !asks;
    match (asks, orders) {
        (true, true) => Some(TurnType::Mixed),
        (true, false) => Some(TurnType::Knowledge),
        (false, true) => Some(TurnType::Action),
        (false, false) if heard.has(ClauseKind::Look) => Some(TurnType::Knowledge),
        (false, false) => None,
    }
}

/// "same check for MV-20": names what is repeated, and that was a look-up.
fn repeats_check(heard: &Heard<'_>) -> bool {
    const TOLD: WordClasses = WordClasses::of(&[WordClass::Ask, WordClass::Look]);
    heard.content().next().is_some_and(|clause| {
        let words = heard.core(clause);
        let length = words[0].longest(WordClasses::of(&[WordClass::Repeat]));
        length > 0 && words.get(length).is_some_and(|noun| noun.classes().meets(TOLD))
    })
}

fn of_answer(heard: &Heard<'_>, pending: &Pending<'_>, open: Option<TurnType>) -> TurnType {
    let joins = heard
        .clauses
        .first()
        .is_some_and(|clause| clause.lead.has(WordClass::Join) && clause.kind == ClauseKind::Fragment);
    let served = match pending.asked {
        _ if accepts_one(heard) => TurnType::Action,
        // "and the one after": goes on with the request.
        Asked::Nothing if joins && open.is_some() => open.unwrap_or(TurnType::Action),
        Asked::OfferToDo => TurnType::Action,
        Asked::OfferToTell => TurnType::Knowledge,
        Asked::Nothing if heard.leads_with(WordClass::Yes) && heard.content().next().is_none() => {
            TurnType::Action
        }
        Asked::Nothing if !heard.contains(WordClass::Correct) && !is_number(heard) => TurnType::Action,
        _ => match open {
            Some(TurnType::Mixed | TurnType::Action) | None => TurnType::Action,
            Some(_) if !heard.contains(WordClass::Correct) && chooses_time(heard, pending) => {
                TurnType::Action
            }
            Some(kind) => kind,
        },
    };
    let accepts = heard.leads_with(WordClass::Yes);
    let declines = heard.leads_with(WordClass::No) && !accepts;
    if declines && heard.content().next().is_none() {
        return TurnType::Smalltalk;
    }
    match of_intents(heard, ClauseKind::Courtesy) {
        None => served,
        Some(TurnType::Knowledge)
            if (accepts || heard.has(ClauseKind::Fragment)) && served == TurnType::Action =>
        {
            TurnType::Mixed
        }
        Some(own) => own,
    }
}

/// "87": one of those found, which asks for no more than the search did.
fn is_number(heard: &Heard<'_>) -> bool {
    heard
        .content()
        .all(|clause| heard.core(clause).iter().all(|token| token.is_data()))
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// "leeds works", "friday is fine": takes what was offered.
fn accepts_one(heard: &Heard<'_>) -> bool {
    reading::accepts_one(heard)
}

/// Whether the answer takes one of the times that the assistant named: that is a booking.
fn chooses_time(heard: &Heard<'_>, pending: &Pending<'_>) -> bool {
    let time = WordClasses::of(&[WordClass::Time]);
    let names_time = heard.tokens.iter().any(|token| {
        // A month tells one of several records as well as a time.
        let is_month = heard.tokens.len() <= 2 && MONTHS.contains(&token.folded.as_str());
        token.classes().meets(time) && !is_month || is_clock(token.written)
    });
    let offered = pending.said.split_whitespace().any(is_clock);
    let picks = heard.contains(WordClass::Pick);
    names_time || offered && picks
}

/// `15:00`, `9:40,`
fn is_clock(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_ascii_digit());
    word.split_once([':', 'h']).is_some_and(|(hours, minutes)| {
        matches!(hours.len(), 1..=2)
            && minutes.len() == 2
            && hours
                .bytes()
                .chain(minutes.bytes())
                .all(|byte| byte.is_ascii_digit())
    })
}

/// A message without a word for its intent: what it names, and how.
fn of_words(heard: &Heard<'_>, leaning: Leaning, open: Option<TurnType>) -> TurnType {
    if heard.has(ClauseKind::Trouble) {
        return TurnType::Knowledge;
    }
    let states = heard.contains(WordClass::Latest);
    let names_first = heard
        .content()
        .next()
        .is_some_and(|clause| clause.kind == ClauseKind::Fragment);
    if heard.has(ClauseKind::State) && !(states && names_first && heard.contains(WordClass::Please)) {
        return TurnType::Action;
    }
    let polite = heard.contains(WordClass::Please) && !states;
    let concludes = heard
        .tokens
        .last()
        .is_some_and(|token| token.classes().has(WordClass::So))
        && !states;
    let creates = heard
        .content()
        .next()
        .is_some_and(|clause| heard.core(clause)[0].classes().has(WordClass::Create));
    if creates && heard.content().count() > 1 {
        return TurnType::Action;
    }
    if polite
        || concludes
        || is_ordered_for(heard)
        || gives_value(heard)
        || counts(heard)
        || heard.has(ClauseKind::Side)
    {
        return TurnType::Action;
    }
    let first = heard
        .content()
        .next()
        .map(|clause| heard.core(clause)[0].classes());
    let is_tied = first.is_some_and(|first| first.has(WordClass::Prep));
    let goes_on =
        is_tied || matches!(leaning, Leaning::Refers | Leaning::Own) && heard.leads_with(WordClass::Join);
    match open {
        Some(TurnType::Action | TurnType::Mixed) if goes_on => TurnType::Action,
        _ => TurnType::Knowledge,
    }
}

/// "taxi to the opera for them at 7": a thing for somebody, or for an hour, is ordered.
fn is_ordered_for(heard: &Heard<'_>) -> bool {
    heard.content().any(|clause| {
        let words = heard.core(clause);
        clause.mark != Mark::Question
            && words.len() > 2
            && words.windows(2).skip(1).any(|pair| {
                let hour =
                    pair[0].folded == "at" && pair[1].written.starts_with(|c: char| c.is_ascii_digit());
                let whom = pair[0].folded == "for"
                    && matches!(pair[1].folded.as_str(), "them" | "him" | "her" | "me" | "us");
                hour || whom
            })
    })
}

/// An address, a long number, or "reading of the meter: 412,7": something to be put down.
fn gives_value(heard: &Heard<'_>) -> bool {
    let words: usize = heard.content().map(|clause| heard.core(clause).len()).sum();
    let is_measure = |word: &str| is_number_like(word) && word.contains([',', '.']);
    words > 1
        && heard
            .content()
            .flat_map(|clause| heard.core(clause))
            .any(|token| {
                let digits = token.written.bytes().filter(u8::is_ascii_digit).count();
                token.written.contains('@')
                    || is_number_like(token.written) && digits >= 5
                    || is_measure(token.written)
            })
}

fn is_number_like(word: &str) -> bool {
    word.bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','))
}

/// "5 more", "two of them", "half".
fn counts(heard: &Heard<'_>) -> bool {
    heard.content().any(|clause| {
        let words = heard.core(clause);
        let first = words[0].written;
        let is_count = first.len() <= 3 && first.bytes().all(|byte| byte.is_ascii_digit())
            || matches!(words[0].folded.as_str(), "rest" | "remainder")
                && words[1..].iter().any(|word| word.folded == "on");
        words.len() > 1 && clause.mark != Mark::Question && is_count
    })
}
