//! In which direction does a request want things sorted?

use crate::assign::asked::{Asked, Candidate};
use crate::kind::Kind;
use crate::words::Break;

const DOWN: &[&str] = &[
    "newest first",
    "latest first",
    "most recent first",
    "recent first",
    "newest to oldest",
    "newest at the top",
    "highest first",
    "largest first",
    "biggest first",
    "most expensive first",
    "longest first",
    "neueste zuerst",
    "neuesten zuerst",
    "die neuesten zuerst",
    "grosste zuerst",
    "hochste zuerst",
    "plus recents d'abord",
    "plus recentes d'abord",
    "plus recent d'abord",
    "mas recientes primero",
    "mas reciente primero",
    "mas nuevos primero",
    "in descending order",
    "in reverse order",
    "z to a",
    "descending",
    "absteigend",
    "descendente",
];

const UP: &[&str] = &[
    "oldest first",
    "earliest first",
    "oldest to newest",
    "oldest at the top",
    "lowest first",
    "smallest first",
    "cheapest first",
    "shortest first",
    "alteste zuerst",
    "altesten zuerst",
    "plus anciens d'abord",
    "plus anciennes d'abord",
    "mas antiguos primero",
    "mas antiguas primero",
    "in ascending order",
    "a to z",
    "alphabetically",
    "in alphabetical order",
    "alphabetisch",
    "alphabetiquement",
    "alfabeticamente",
    "ascending",
    "aufsteigend",
    "ascendente",
];

/// Directions that are said, for parameters that list an upward and a downward one.
pub(crate) fn orders(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (parameter, meaning) in asked.meanings.iter().enumerate() {
        if meaning.kind != Kind::Choice || meaning.parameter.list {
            continue;
        }
        let find = |names: &[&str]| {
            let mut fitting = meaning
                .spellings
                .iter()
                .filter(|choice| matches!(choice.words.as_slice(), [one] if names.contains(&one.as_str())));
            fitting
                .next()
                .filter(|_| fitting.next().is_none())
                .map(|choice| choice.value.clone())
        };
        let sides = (
            find(&["desc", "descending", "newest", "down"]),
            find(&["asc", "ascending", "oldest", "up"]),
        );
        let (Some(down), Some(up)) = sides else { continue };
        let said = match (place(asked, DOWN), place(asked, UP)) {
            (Some(range), None) => Some((down, range)),
            (None, Some(range)) => Some((up, range)),
            _ => None,
        };
        candidates.extend(said.map(|(value, range)| asked.candidate(parameter, value, range, 0.88)));
    }
    candidates
}

fn place(asked: &Asked<'_>, turns: &[&str]) -> Option<std::ops::Range<usize>> {
    turns.iter().find_map(|turn| {
        let words: Vec<&str> = turn.split(' ').collect();
        (0..asked.tokens.len()).find_map(|at| {
            // `d'abord` is two words.
            let mut place = at;
            for word in &words {
                let token = asked.token(place)?;
                let elided = word.split_once('\'').is_some_and(|(head, rest)| {
                    token.fold == format!("{head}'")
                        && asked.token(place + 1).is_some_and(|next| next.fold == rest)
                });
                if !elided && token.fold != *word {
                    return None;
                }
                if place > at && asked.break_before(place) != Break::None {
                    return None;
                }
                place += if elided { 2 } else { 1 };
            }
            let range = asked.bytes(at, place)?;
            (!asked.is_opaque(&range)).then_some(range)
        })
    })
}
