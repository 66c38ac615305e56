//! Does an unquoted title end before a code, a size or a product that it is only followed by?

use serde_json::Value;

use crate::assign::asked::{Asked, Candidate, LINKS};
use crate::kind::Kind;
use crate::meaning::Meaning;
use crate::words::{Break, Token, name_words};

/// Whether something else of the request begins at a word: `of #cart-summary`, `at 1280 by 900`, `in Microsoft To Do`.
pub(crate) fn begins_other(asked: &Asked<'_>, at: usize, parameter: usize) -> bool {
    let Some(token) = asked.token(at) else { return true };
    let linked = LINKS.contains(&token.fold.as_str()) || token.is_any(&["of", "inside", "within", "using"]);
    let value = if linked && token.after == Break::None {
        at + 1
    } else {
        at
    };
    is_size(asked, value) || (linked && (is_of_other(asked, value, parameter) || is_product(asked, value)))
}

/// Whether a code by its sign can only be another parameter's: a selector, a path or an address.
fn is_of_other(asked: &Asked<'_>, at: usize, parameter: usize) -> bool {
    let Some(token) = asked.token(at).filter(|token| token.is_coded()) else {
        return false;
    };
    asked.meanings.iter().enumerate().any(|(other, meaning)| {
        other != parameter && meaning.parameter.only.is_none() && takes_sign(meaning, token.text)
    })
}

fn takes_sign(meaning: &Meaning, code: &str) -> bool {
    let about = meaning.parameter.description.to_lowercase();
    let words = name_words(meaning.parameter.name());
    let selects = about.contains("selector") || words.iter().any(|word| word == "selector");
    let selector = code.starts_with(['#', '.', '[']) && code.len() > 2;
    let address = code.contains("://");
    let path = code.starts_with(['/', '~']) && code.len() > 2;
    (selects && selector)
        || (meaning.kind == Kind::Url && address)
        || (meaning.kind == Kind::Path && path && !address)
}

/// `of #cart-summary`: the element that is told by its sign, for the one parameter that takes a selector.
pub(crate) fn selectors(asked: &Asked<'_>) -> Vec<Candidate> {
    let mut found = asked.meanings.iter().enumerate().filter(|(_, meaning)| {
        let told = meaning.parameter.description.to_lowercase().contains("selector");
        let named = name_words(meaning.parameter.name())
            .iter()
            .any(|word| word == "selector");
        (told || named) && meaning.parameter.shape.string && !meaning.parameter.list
    });
    let (Some((parameter, _)), None) = (found.next(), found.next()) else {
        return Vec::new();
    };
    asked
        .tokens
        .iter()
        .filter(|token| {
            let mut signs = token.text.chars();
            let marked = matches!(signs.next(), Some('#' | '.'));
            let begins = signs
                .next()
                .is_some_and(|c| c.is_alphabetic() || c == '_' || c == '-');
            marked && begins && !asked.is_opaque(&token.range)
        })
        .map(|token| {
            asked.candidate(
                parameter,
                Value::String(token.text.to_owned()),
                token.range.clone(),
                0.88,
            )
        })
        .collect()
}

/// `1280x900`, `1280 by 900`: what a width and a height take.
fn is_size(asked: &Asked<'_>, at: usize) -> bool {
    let sized = |name: &str| {
        asked.meanings.iter().any(|meaning| {
            meaning.is_numeric()
                && name_words(meaning.parameter.name())
                    .iter()
                    .any(|word| word == name)
        })
    };
    let number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let Some(token) = asked.token(at) else {
        return false;
    };
    let glued = token
        .fold
        .split_once(['x', '×'])
        .is_some_and(|(wide, high)| number(wide) && number(high));
    let apart = number(token.text)
        && asked
            .token(at + 1)
            .is_some_and(|sign| sign.is_any(&["x", "×", "by", "mal", "sur", "por"]))
        && asked.token(at + 2).is_some_and(|high| number(high.text));
    (glued || apart) && sized("width") && sized("height")
}

/// `in Microsoft To Do`: capitals up to the end whose last words, written as one, the tool is called by.
fn is_product(asked: &Asked<'_>, at: usize) -> bool {
    let behind = at
        .checked_sub(1)
        .and_then(|before| asked.token(before))
        .is_some_and(|link| link.is_any(&["in", "on", "at", "via", "using", "auf", "dans", "sur", "en"]));
    let rest = asked.tokens.get(at..).unwrap_or_default();
    let length = rest
        .iter()
        .position(|token| token.after > Break::None)
        .map_or(rest.len(), |last| last + 1);
    let run = rest.get(..length).unwrap_or_default();
    let capitals = run.iter().all(Token::is_capitalised) && (1..=4).contains(&run.len());
    let called = (0..run.len()).any(|from| {
        let words: String = run
            .get(from..)
            .unwrap_or_default()
            .iter()
            .map(|token| token.fold.as_str())
            .collect();
        words.len() > 3 && asked.name.contains(&words)
    });
    behind && capitals && called
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::assign::rows::check;

    /// P19: a name ends where a selector, a size or the product follows, and goes on where none can.
    #[test]
    fn p19_titles_end_before_codes_of_others() {
        let shot = json!({"type": "object", "properties": {
            "name": {"type": "string", "description": "Name for the screenshot"},
            "selector": {"type": "string", "description": "CSS selector for element to screenshot"},
            "width": {"type": "number", "description": "Width in pixels"},
            "height": {"type": "number", "description": "Height in pixels"}}, "required": ["name"]});
        check(
            "screenshot Take a screenshot of the current page or a specific element",
            &shot,
            &[
                (
                    "Take a screenshot named basket of #cart-summary, 1280 by 900",
                    json!({"name": "basket", "selector": "#cart-summary", "width": 1280, "height": 900}),
                ),
                (
                    "screenshot called shop window of .teaser-row",
                    json!({"name": "shop window", "selector": ".teaser-row"}),
                ),
                (
                    "Take a screenshot named basket at 1280x900",
                    json!({"name": "basket", "width": 1280, "height": 900}),
                ),
                (
                    "Take a screenshot named state of play",
                    json!({"name": "state of play"}),
                ),
            ],
        );
        let note = json!({"type": "object", "properties": {
            "title": {"type": "string", "description": "Title of the note"}}, "required": ["title"]});
        check(
            "create_note Create a note",
            &note,
            &[(
                "Create a note titled Review of PR-12",
                json!({"title": "Review of PR-12"}),
            )],
        );
    }
}
