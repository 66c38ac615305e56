//! Which word is a value because an option of a command line or a verb of setting says so: `--namespace staging`,
//! `set the severity to major`?

use crate::assign::asked::Asked;
use crate::kind::Kind;
use crate::meaning::Meaning;
use crate::words::{Break, Token, fold};

/// `-n staging`, `--namespace staging`: a value behind an option of a command line.
pub(crate) fn as_option(asked: &Asked<'_>, meaning: &Meaning, at: usize) -> Option<f32> {
    let flag = asked
        .token(at.checked_sub(1)?)
        .filter(|flag| crate::assign::references::is_flag_sign(flag))?;
    let name = flag.text.trim_start_matches('-').to_lowercase();
    let own = fold(meaning.parameter.name());
    let spelled_right = flag.text.starts_with("--") == (name.len() > 1);
    if spelled_right && name == own {
        return Some(0.95);
    }
    (spelled_right && name.len() == 1 && own.starts_with(&name)).then_some(0.8)
}

/// `set the severity of incident inc-204 to major`: what a named parameter is set to, at the end of the clause.
pub(crate) fn is_set_to(asked: &Asked<'_>, parameter: usize, at: usize) -> bool {
    const SETTING: &[&str] = &[
        "set", "change", "update", "switch", "setze", "setz", "andere", "mets", "cambia", "pon",
    ];
    let verb = asked.tokens.iter().position(|token| token.is_any(SETTING));
    let is_link = |token: &Token<'_>| token.is_any(&["to", "auf", "sur", "a"]);
    let linked = at
        .checked_sub(1)
        .and_then(|before| asked.token(before))
        .is_some_and(is_link);
    let ends = asked.token(at).is_some_and(|token| token.after > Break::None) || at + 1 == asked.tokens.len();
    let before = asked.tokens.get(..at).unwrap_or_default();
    let only_once = before.iter().filter(|token| is_link(token)).count() == 1;
    let is_id = |other: usize| {
        asked
            .meanings
            .get(other)
            .is_some_and(|meaning| meaning.kind == Kind::Id)
    };
    let mut named = false;
    for hit in asked.hits.iter().filter(|hit| hit.end < at && hit.weight > 0.9) {
        if hit.parameter == parameter {
            named = true;
        } else if !is_id(hit.parameter) {
            return false;
        }
    }
    verb.is_some_and(|verb| verb < at) && linked && ends && only_once && named
}
