//! What is left of a text for an uncased model? No case, accents or control characters; spaced ideographs.

use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::UnicodeNormalization;

/// The characters of `text` as the vocabulary knows them. Lazy: stop early and the rest costs nothing.
pub fn normalized(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars()
        .filter(|&character| !is_dropped(character))
        .flat_map(spaced)
        .nfd()
        .filter(|&character| get_general_category(character) != GeneralCategory::NonspacingMark)
        .flat_map(char::to_lowercase)
}

/// Whether `character` is a word of its own.
pub fn is_punctuation(character: char) -> bool {
    use GeneralCategory::{
        ClosePunctuation, ConnectorPunctuation, DashPunctuation, FinalPunctuation, InitialPunctuation,
        OpenPunctuation, OtherPunctuation,
    };
    // In ASCII also the symbols count: `$`, `+`, `<`, `^`, `|` and so on.
    character.is_ascii_punctuation()
        || matches!(
            get_general_category(character),
            ClosePunctuation
                | ConnectorPunctuation
                | DashPunctuation
                | FinalPunctuation
                | InitialPunctuation
                | OpenPunctuation
                | OtherPunctuation
        )
}

/// Invisible characters and the replacement character: the words around them join.
fn is_dropped(character: char) -> bool {
    use GeneralCategory::{Control, Format, PrivateUse, Surrogate};
    match character {
        '\t' | '\n' | '\r' => false,
        char::REPLACEMENT_CHARACTER => true,
        _ => matches!(
            get_general_category(character),
            Control | Format | PrivateUse | Surrogate
        ),
    }
}

/// `character`, with a space on both sides when it is an ideograph: each is a word.
fn spaced(character: char) -> impl Iterator<Item = char> {
    let space = is_ideograph(character).then_some(' ');
    space.into_iter().chain([character]).chain(space)
}

/// The blocks the original tokenizer takes for ideographs; kana and hangul are not among them.
fn is_ideograph(character: char) -> bool {
    matches!(
        u32::from(character),
        0x3400..=0x4DBF
            | 0x4E00..=0x9FFF
            | 0xF900..=0xFAFF
            | 0x2_0000..=0x2_A6DF
            | 0x2_A700..=0x2_B73F
            | 0x2_B740..=0x2_B81F
            | 0x2_B820..=0x2_CEAF
            | 0x2_F800..=0x2_FA1F
    )
}
