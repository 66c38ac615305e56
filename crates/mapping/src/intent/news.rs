//! Does a clause say what others have done or will do?
//!
//! It counts only where no other clause asks for anything; the caller sees to that.

use super::said::{is_done, is_verb, opened};
use super::talk::is_question;
use crate::words::Token;

/// What is told to have it written down: `the customer paid 200 euros`.
const FACTS: &[&str] = &[
    "paid",
    "transferred",
    "ordered",
    "called",
    "fixed",
    "finished",
    "asked",
    "booked",
    "answered",
    "replied",
    "mailed",
    "found",
    "accepted",
    "committed",
    "planned",
    "reported",
    "bezahlt",
    "uberwiesen",
    "angerufen",
    "bestellt",
    "zugesagt",
    "abgesagt",
    "geantwortet",
    "pagado",
    "llamado",
    "pedido",
];

/// Whether a clause says what somebody else, or nobody in particular, has done or will do.
pub(crate) fn tells_of_others(clause: &[Token<'_>]) -> bool {
    let said = opened(clause);
    !is_question(clause)
        && (0..said.len()).any(|at| {
            told_passive(said, at) || told_active(said, at) || told_plan(said, at) || told_abroad(said, at)
        })
}

fn is_deed(token: &Token<'_>) -> bool {
    (is_done(token) || token.is_any(&["dropped", "synced", "drained", "applied", "rolled", "retried"]))
        && !token.is_any(FACTS)
        && !token.is_any(&["has", "been", "put", "did", "made", "gave"])
}

const SMALL: &[&str] = &[
    "already",
    "just",
    "finally",
    "also",
    "accidentally",
    "all",
    "then",
    "really",
    "schon",
    "bereits",
    "gerade",
    "deja",
    "ya",
    "bien",
    "wohl",
];

/// The next word that is not a small one.
fn beyond(said: &[Token<'_>], from: usize) -> usize {
    from + said
        .get(from..)
        .unwrap_or_default()
        .iter()
        .take_while(|token| token.is_any(SMALL))
        .count()
}

/// `The build was cancelled`.
fn told_passive(said: &[Token<'_>], at: usize) -> bool {
    let is = |at: usize, words: &[&str]| said.get(at).is_some_and(|token| token.is_any(words));
    let simple = is(at, &["was", "were"]);
    let perfect = is(at, &["has", "have", "had"]);
    let been = beyond(said, at + 1);
    let verb = if simple {
        been
    } else if perfect && is(been, &["been"]) {
        beyond(said, been + 1)
    } else {
        return false;
    };
    // `the releases that were rolled back` is a thing.
    let relative = said
        .iter()
        .take(at)
        .any(|token| token.is_any(&["that", "what", "which", "who", "if", "because", "saying", "when"]));
    let not = said.iter().any(|token| token.is_any(&["not", "never"]));
    at > 0 && !relative && !not && said.get(verb).is_some_and(is_deed)
}

/// `Jonah removed the user`, `somebody closed TIC-1`: a person, a verb in the past, and what it was done to.
fn told_active(said: &[Token<'_>], at: usize) -> bool {
    const PERSONS: &[&str] = &[
        "somebody",
        "someone",
        "colleague",
        "team",
        "boss",
        "intern",
        "customer",
        "supplier",
        "she",
        "he",
        "they",
        "guys",
        "people",
        "admin",
        "manager",
        "neighbour",
        "bot",
    ];
    if at == 0 || at > 3 {
        return false;
    }
    let Some(subject) = said.get(at - 1) else {
        return false;
    };
    let person = subject.is_any(PERSONS)
        || (at == 1
            && subject.text.chars().all(|c| c.is_alphabetic() || c == '-')
            && subject.sense.is_none()
            && subject.is_capitalised()
            && !subject.fold.ends_with('s')
            && !is_verb(subject));
    let first = at == 1
        || said
            .first()
            .is_some_and(|first| first.is_any(&["the", "our", "my", "a", "their"]));
    let has = said
        .get(at)
        .is_some_and(|token| token.is_any(&["has", "have", "had"]));
    let verb = beyond(said, at + usize::from(has));
    let object = said.get(verb + 1).is_some_and(|next| {
        next.is_coded()
            || next.is_capitalised()
            || next.is_any(&[
                "the",
                "it",
                "them",
                "that",
                "this",
                "my",
                "our",
                "your",
                "his",
                "her",
                "a",
                "all",
                "every",
                "everything",
            ])
    });
    person && first && object && said.get(verb).is_some_and(is_deed)
}

/// `Maud will cancel it tomorrow`, `we are going to delete it`.
fn told_plan(said: &[Token<'_>], at: usize) -> bool {
    let is = |at: usize, words: &[&str]| said.get(at).is_some_and(|token| token.is_any(words));
    let joined = is(at, &["i'll", "we'll", "he'll", "she'll", "they'll"]);
    let will = at > 0
        && at < 4
        && is(at, &["will", "wird", "werde", "werden"])
        && !is(at - 1, &["you", "it", "that", "this"]);
    let going =
        at > 0 && at < 4 && is(at + 1, &["going"]) && is(at + 2, &["to"]) && is(at, &["is", "are", "am"]);
    let va = at > 0 && at < 4 && is(at, &["va", "vais", "voy"]);
    let mut verb = beyond(said, at + if going { 3 } else { 1 });
    if va && is(verb, &["a"]) {
        verb += 1;
    }
    let does = |token: &Token<'_>| {
        is_verb(token)
            && !token.is_any(&[
                "pay", "call", "order", "transfer", "leave", "call", "answer", "open", "start", "end", "run",
            ])
    };
    let german = will && is(at, &["wird", "werde", "werden"]) && said.last().is_some_and(does);
    ((joined || will || going || va) && said.get(verb).is_some_and(does)) || german
}

/// `Jonah hat … gelöscht`, `wurde storniert`, `a supprimé`, `ha borrado`, `fue cancelado`.
fn told_abroad(said: &[Token<'_>], at: usize) -> bool {
    const STEMS: &[&str] = &[
        "losch",
        "stornier",
        "schick",
        "sand",
        "send",
        "erstell",
        "schloss",
        "schieb",
        "schob",
        "fern",
        "buch",
        "start",
        "stopp",
        "zog",
        "setz",
        "archivier",
        "merg",
        "teil",
        "ander",
        "schalt",
        "supprim",
        "annul",
        "envoy",
        "cree",
        "ajout",
        "ferm",
        "deplac",
        "archiv",
        "renomm",
        "rembours",
        "effac",
        "publi",
        "desactiv",
        "borr",
        "elimin",
        "cancel",
        "envi",
        "cread",
        "anad",
        "cerra",
        "cerro",
        "movi",
        "reembols",
        "desinstal",
        "install",
    ];
    let text = |at: usize| said.get(at).map_or("", |token| token.text);
    let is = |at: usize, words: &[&str]| said.get(at).is_some_and(|token| token.is_any(words));
    let deed = |token: &Token<'_>, ends: &[&str]| {
        ends.iter().any(|end| token.text.to_lowercase().ends_with(end))
            && STEMS.iter().any(|stem| token.fold.contains(stem))
    };
    let german = at > 0
        && is(at, &["hat", "haben", "hatte", "wurde", "wurden", "ist", "sind"])
        && said.last().is_some_and(|last| {
            let last = if last.is_any(&["worden"]) {
                said.get(said.len().saturating_sub(2)).unwrap_or(last)
            } else {
                last
            };
            deed(last, &["t", "en"]) && (last.fold.contains("ge") || last.fold.ends_with("iert"))
        });
    let after = beyond(said, at + 1);
    let after = if is(after, &["ete", "sido"]) {
        beyond(said, after + 1)
    } else {
        after
    };
    let french = at > 0
        && (text(at) == "a" || is(at, &["ont"]))
        && said
            .get(after)
            .is_some_and(|token| deed(token, &["é", "ée", "és", "ées", "yé"]));
    let spanish = at > 0
        && (is(at, &["ha", "han", "fue", "fueron"]))
        && said
            .get(after)
            .is_some_and(|token| deed(token, &["ado", "ada", "ados", "adas", "ido", "ida"]));
    let preterite = at > 0 && said.get(at).is_some_and(|token| deed(token, &["ó"]));
    german || french || spanish || preterite
}
