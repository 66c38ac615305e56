//! What counts as a letter, and which letters count as the same?

use std::borrow::Cow;

/// Letters and digits of every script, and the marks that are written on or between them.
pub fn is_word_character(c: char) -> bool {
    c.is_alphanumeric() || (!c.is_ascii() && is_mark(c))
}

/// Letters of scripts that put no spaces between words.
pub fn is_unspaced_letter(c: char) -> bool {
    !c.is_ascii()
        && matches!(u32::from(c),
            0x0E00..=0x0EFF // Thai, Lao
            | 0x1000..=0x109F // Burmese
            | 0x1780..=0x17FF // Khmer
            | 0x3005..=0x3007 | 0x3041..=0x30FF | 0x31F0..=0x31FF | 0xFF66..=0xFF9F // kana
            | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF // Han
            | 0x1100..=0x11FF | 0x3130..=0x318F | 0xAC00..=0xD7AF // Hangul: endings are glued to the words
        )
}

/// Whether a run (of one kind of script) is written without spaces.
pub fn is_unspaced(run: &str) -> bool {
    run.chars().next().is_some_and(is_unspaced_letter)
}

/// Lower case, accents of Latin letters and combining marks removed: `É`, `e` + U+0301 and `e` agree.
pub fn fold(text: &str) -> Cow<'_, str> {
    if text
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    {
        return Cow::Borrowed(text);
    }
    let mut folded = String::with_capacity(text.len());
    for lower in text.chars().flat_map(char::to_lowercase) {
        match without_accent(lower) {
            Some(plain) => folded.push_str(plain),
            None if is_accent(lower) => {}
            None => folded.push(lower),
        }
    }
    Cow::Owned(folded)
}

/// Marks that are no letters by themselves. Ranges are generous: a stray sign inside a word is harmless.
fn is_mark(c: char) -> bool {
    is_accent(c)
        || matches!(u32::from(c),
            0x0591..=0x05BD | 0x05BF | 0x05C1..=0x05C7 // Hebrew points
            | 0x064B..=0x065F | 0x0670 | 0x06D6..=0x06DC // Arabic vowels
            | 0x0900..=0x0963 | 0x0971..=0x0DF3 // Indic vowels and joiners
            | 0x0E31..=0x0E3A | 0x0E47..=0x0E4E | 0x0EB1..=0x0ECD // Thai, Lao
            | 0x102B..=0x103E | 0x17B4..=0x17D3 // Burmese, Khmer
            | 0x3099..=0x309A | 0x30FC // kana
        )
}

/// Combining accents and the joiners that steer only how letters are drawn.
fn is_accent(c: char) -> bool {
    matches!(u32::from(c), 0x0300..=0x036F | 0x200C | 0x200D | 0xFE00..=0xFE0F)
}

fn without_accent(lower: char) -> Option<&'static str> {
    Some(match lower {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => "e",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'ĥ' | 'ħ' => "h",
        'ì' | 'í' | 'î' | 'ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => "i",
        'ĵ' => "j",
        'ķ' => "k",
        'ĺ' | 'ļ' | 'ľ' | 'ł' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ŏ' | 'ő' => "o",
        'œ' => "oe",
        'ŕ' | 'ŗ' | 'ř' => "r",
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => "s",
        'ß' => "ss",
        'ţ' | 'ť' | 'ț' => "t",
        'ù' | 'ú' | 'û' | 'ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => "u",
        'ŵ' => "w",
        'ý' | 'ÿ' | 'ŷ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        'ς' => "σ",
        _ => return None,
    })
}
