//! Which names of places does a request say?

use serde_json::Value;

use super::{Item, name_at};
use crate::assign::asked::{Asked, Candidate};
use crate::meaning::{Meaning, Role};
use crate::words::{Break, Token};

pub(super) fn is_place(meaning: &Meaning) -> bool {
    let things = [
        "city",
        "origin",
        "destination",
        "location",
        "place",
        "address",
        "country",
        "region",
        "town",
        "destin",
        "locat",
    ];
    meaning
        .thing
        .as_deref()
        .is_some_and(|thing| things.contains(&thing))
}

/// `from Delft to Lyon`, `in Leeds`: names behind the link that a place's part calls for.
pub(super) fn places(asked: &Asked<'_>, parameter: usize, meaning: &Meaning) -> Vec<Candidate> {
    let from = ["from", "von", "ab", "aus", "de", "depuis", "desde"];
    let to = [
        "to", "nach", "zu", "zum", "zur", "a", "vers", "jusqu'a", "hacia", "au",
    ];
    let within = ["in", "at", "near", "im", "bei", "en", "dans", "around"];
    let name = meaning.parameter.name();
    let is_origin = meaning.role == Role::From || name.contains("origin");
    let is_destination = meaning.role == Role::To;
    let mut candidates = Vec::new();
    for at in 1..asked.tokens.len() {
        let Some(before) = asked.token(at - 1) else {
            continue;
        };
        let article = usize::from(
            asked
                .token(at)
                .is_some_and(|token| token.is_any(&["the", "le", "la", "el", "der", "die", "das"])),
        );
        let Some(item) = name_at(asked, at + article)
            .map(|item| whole_place(asked, item))
            .filter(|item| before.after == Break::None && (article == 0 || item.end > item.start + 1))
        else {
            continue;
        };
        let at = at + article;
        let capital = asked.token(at).is_some_and(Token::is_capitalised);
        let score = match (is_origin, is_destination) {
            (true, _) if before.is_any(&from) => 0.93,
            (_, true) if before.is_any(&to) => 0.93,
            (_, true) if before.is_any(&within) => 0.6,
            (false, false) if before.is_any(&within) => 0.88,
            _ => continue,
        };
        // `in spring`: a region of a cloud is no place in the world.
        if !capital && !meaning.is_required() && meaning.thing.as_deref() == Some("region") {
            continue;
        }
        if let Some(range) = asked.bytes(item.start, item.end) {
            candidates.push(asked.candidate(
                parameter,
                Value::String(item.value),
                range,
                if capital { score } else { score - 0.15 },
            ));
        }
    }
    candidates
}

/// `King's Cross Station`: a name goes on behind its possessive.
fn whole_place(asked: &Asked<'_>, item: Item) -> Item {
    let mut end = item.end;
    while is_possessive(asked, end)
        && asked.token(end).is_some_and(Token::is_capitalised)
        && let Some(next) = name_at(asked, end)
    {
        end = next.end;
    }
    if end == item.end {
        return item;
    }
    Item {
        value: asked.slice(item.start, end).to_owned(),
        start: item.start,
        end,
    }
}

/// Whether the word before a place ends on a possessive.
fn is_possessive(asked: &Asked<'_>, at: usize) -> bool {
    at.checked_sub(1)
        .and_then(|before| asked.token(before))
        .and_then(|token| asked.text.get(token.range.end..))
        .is_some_and(|rest| rest.starts_with("'s ") || rest.starts_with("’s "))
}
