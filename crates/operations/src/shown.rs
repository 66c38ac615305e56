//! How much of somebody's own text is said back to them?

use std::borrow::Cow;

use handpick_access::Denial;

/// Characters of one text that are said back.
pub const SHOWN_CHARS: usize = 300;

/// The beginning of a text: whole where it is short, marked where it was cut. An error never grows with
/// what caused it.
pub fn shown(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(SHOWN_CHARS) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
    }
}

/// The same refusal, naming no more of the tool than is shown.
pub(crate) fn shown_denial(denial: Denial) -> Denial {
    match denial {
        Denial::NotFound { name } => Denial::NotFound {
            name: shown(&name).into_owned(),
        },
        Denial::Ambiguous { name } => Denial::Ambiguous {
            name: shown(&name).into_owned(),
        },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(shown("short"), "short");
        assert_eq!(shown(&"€".repeat(SHOWN_CHARS)), "€".repeat(SHOWN_CHARS));
        assert_eq!(
            shown(&"€".repeat(SHOWN_CHARS + 1)),
            format!("{}…", "€".repeat(SHOWN_CHARS))
        );
    }
}
