//! Which of two like things is which: where it comes from, or where it goes to?

use crate::assign::asked::{Asked, Hit, LINKS};
use crate::assign::references::plain_word;
use crate::assign::shapes::{abbreviates, digits, prefix};
use crate::kind::Kind;
use crate::meaning::{Meaning, Role};
use crate::words::{Break, Token};

/// Ids of one kind for several parameters: where they stand tells which is which.
pub(crate) fn by_role(asked: &Asked<'_>, meaning: &Meaning, at: usize, prefix: &str) -> Option<f32> {
    let matches = |other: &Meaning| {
        other.kind == Kind::Id
            && (other
                .parameter
                .shape
                .examples
                .iter()
                .any(|example| self::prefix(example).as_deref() == Some(prefix))
                || abbreviates(prefix, other))
    };
    let rivals: Vec<&Meaning> = asked
        .meanings
        .iter()
        .filter(|other| matches(other) && other.is_required())
        .collect();
    if rivals.len() < 2 || meaning.parameter.list {
        return Some(0.95);
    }
    let places: Vec<usize> = (0..asked.tokens.len())
        .filter(|at| {
            asked.token(*at).is_some_and(|token| {
                self::prefix(token.text).as_deref() == Some(prefix) && !asked.is_opaque(&token.range)
            })
        })
        .collect();
    part(asked, meaning, &rivals, &places, at)
}

/// Which of two parameters a word in a row of like values belongs to.
fn part(
    asked: &Asked<'_>,
    meaning: &Meaning,
    rivals: &[&Meaning],
    places: &[usize],
    at: usize,
) -> Option<f32> {
    if rivals.iter().all(|rival| rival.role == Role::Plain) {
        return Some(0.7);
    }
    let own = match meaning.role {
        Role::Plain if rivals.iter().any(|rival| rival.role == Role::From) => Role::To,
        Role::Plain => Role::From,
        role => role,
    };
    if let Some(score) = of_another(asked, meaning, rivals, places, at) {
        return Some(score);
    }
    let between = places
        .first()
        .and_then(|first| first.checked_sub(1))
        .and_then(|before| asked.token(before))
        .is_some_and(|token| token.is_any(&["between", "from", "zwischen", "entre", "von", "de"]));
    let goes_to = |place: &usize| {
        place
            .checked_sub(1)
            .and_then(|before| asked.token(before))
            .is_some_and(|token| {
                token.is_any(&[
                    "to", "into", "under", "in", "nach", "zu", "vers", "onto", "a", "hacia",
                ])
            })
    };
    let linked = places.iter().position(goes_to);
    let second = linked.unwrap_or(1);
    let index = places.iter().position(|place| *place == at)?;
    let told = if index == second {
        Role::To
    } else if index == usize::from(second == 0) {
        Role::From
    } else {
        return None;
    };
    // Order alone tells little: who manages whom?
    let sure = if linked.is_some() || between { 0.93 } else { 0.72 };
    Some(if told == own { sure } else { 0.3 })
}

/// `EMP-101 the manager of EMP-108`, `TIC-511 is the duplicate`, `the new manager is EMP-104`: what is said to play a
/// part takes it, and the other one the other.
fn of_another(
    asked: &Asked<'_>,
    meaning: &Meaning,
    rivals: &[&Meaning],
    places: &[usize],
    at: usize,
) -> Option<f32> {
    if places.len() != 2 {
        return None;
    }
    let (named, place) = asked.hits.iter().find_map(|hit| {
        let named = asked.meanings.get(hit.parameter)?;
        let is_rival = rivals
            .iter()
            .any(|rival| rival.parameter.path == named.parameter.path);
        let place = said_to_be(asked, hit, places).filter(|_| is_rival && named.role != Role::Plain)?;
        Some((named, place))
    })?;
    let own = named.parameter.path == meaning.parameter.path;
    Some(if (at == place) == own { 0.94 } else { 0.2 })
}

/// The id that a word for a part is said of: before it with `is` or a mere article between, or behind it with `is`.
fn said_to_be(asked: &Asked<'_>, hit: &Hit, places: &[usize]) -> Option<usize> {
    const ARTICLES: &[&str] = &[
        "the", "a", "an", "as", "new", "der", "die", "das", "ein", "le", "la", "un", "une", "el",
    ];
    const BEING: &[&str] = &["is", "ist", "est", "es", "=", "becomes", "wird"];
    let is = |at: usize, words: &[&str]| asked.token(at).is_some_and(|token| token.is_any(words));
    if is(hit.end, BEING) && places.contains(&(hit.end + 1)) {
        return Some(hit.end + 1);
    }
    let mut before = hit.start.checked_sub(1)?;
    while is(before, ARTICLES) {
        before = before.checked_sub(1)?;
    }
    let stated = is(before, BEING) || before + 1 < hit.start;
    if is(before, BEING) {
        before = before.checked_sub(1)?;
    }
    (stated && places.contains(&before)).then_some(before)
}

/// `from main`, `into tools`: the link that the parameter's part calls for, before a name.
pub(crate) fn by_link(asked: &Asked<'_>, meaning: &Meaning, at: usize) -> Option<f32> {
    let token = asked.token(at)?;
    if meaning.role == Role::Plain
        || meaning.kind != Kind::Slug
        || meaning.is_numeric()
        || meaning.parameter.list
    {
        return None;
    }
    let named = at
        .checked_sub(1)
        .and_then(|before| asked.token(before))
        .is_some_and(|before| {
            before.after == Break::None
                && !is_link_of(meaning, before)
                && meaning
                    .cues
                    .iter()
                    .any(|cue| cue.phrase.last().is_some_and(|word| before.is(word)))
        });
    let link = at
        .checked_sub(if named { 2 } else { 1 })
        .and_then(|place| asked.token(place))
        .filter(|token| token.after == Break::None)?;
    let fits = is_link_of(meaning, link);
    let name = asked.is_code(at) || (plain_word(token) && !token.is_common() && !asked.is_tool_word(token));
    let ends = token.after > Break::None
        || asked
            .token(at + 1)
            .is_none_or(|next| LINKS.contains(&next.fold.as_str()) || next.is_common())
        || asked.hits.iter().any(|hit| hit.start == at + 1);
    let path = token.text.contains('/')
        && !crate::assign::names::revisions::is_known(token.text)
        && !meaning.parameter.name().to_lowercase().contains("branch");
    (fits && name && ends && !path).then_some(if named { 0.94 } else { 0.86 })
}

/// Whether a word leads to what a parameter's part calls for.
pub(crate) fn is_link_of(meaning: &Meaning, link: &Token<'_>) -> bool {
    match meaning.role {
        Role::From => link.is_any(&[
            "from", "von", "vom", "aus", "de", "depuis", "desde", "off", "between",
        ]),
        Role::To => link.is_any(&[
            "to", "into", "onto", "nach", "against", "zu", "vers", "hacia", "gegen",
        ]),
        Role::Plain => false,
    }
}

/// Numbers for two parameters of the same thing: `story 8812 blocks 8840`.
pub(crate) fn by_numeral_role(
    asked: &Asked<'_>,
    parameter: usize,
    meaning: &Meaning,
    at: usize,
) -> Option<f32> {
    if !meaning.is_numeric() || meaning.kind != Kind::Id || !meaning.is_required() {
        return None;
    }
    let rivals: Vec<&Meaning> = asked
        .meanings
        .iter()
        .filter(|other| {
            other.kind == Kind::Id
                && other.is_numeric()
                && other.is_required()
                && other.thing == meaning.thing
        })
        .collect();
    if rivals.len() != 2 {
        return None;
    }
    let named = |place: usize| {
        asked.hits.iter().any(|hit| {
            asked
                .meanings
                .get(hit.parameter)
                .is_some_and(|named| named.thing == meaning.thing)
                && asked.value_start(hit).is_some_and(|(start, _)| start == place)
        })
    };
    let places: Vec<usize> = (0..asked.tokens.len())
        .filter(|place| {
            asked.token(*place).is_some_and(|token| {
                digits(token.text.trim_start_matches('#'))
                    && token.text.len() > 1
                    && !asked.is_opaque(&token.range)
            })
        })
        .collect();
    let _ = parameter;
    if places.len() != 2 || !places.iter().any(|place| named(*place)) {
        return None;
    }
    part(asked, meaning, &rivals, &places, at)
}
