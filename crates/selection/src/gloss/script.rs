//! Which script is a letter of?

/// As far as it decides the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    Latin,
    Cyrillic,
    Han,
    Kana,
    Other,
}

impl Script {
    /// `None` for what is no letter: digits, marks, space.
    pub fn of(c: char) -> Option<Self> {
        if c.is_ascii() {
            return c.is_ascii_alphabetic().then_some(Self::Latin);
        }
        match u32::from(c) {
            0x3005..=0x3007 | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF => {
                Some(Self::Han)
            }
            // The middle dot of 30FB parts words.
            0x3041..=0x309F | 0x30A1..=0x30FA | 0x30FC..=0x30FF | 0x31F0..=0x31FF | 0xFF66..=0xFF9F => {
                Some(Self::Kana)
            }
            0x0400..=0x052F => Some(Self::Cyrillic),
            // Accents written as marks of their own belong to the letter before them.
            0x00C0..=0x024F | 0x1E00..=0x1EFF | 0x0300..=0x036F if c != '×' && c != '÷' => {
                Some(Self::Latin)
            }
            _ => c.is_alphabetic().then_some(Self::Other),
        }
    }

    /// Whether its words are written without spaces.
    pub fn is_unspaced(self) -> bool {
        matches!(self, Self::Han | Self::Kana)
    }
}

/// Whether a character is a Han character or kana.
pub fn is_unspaced(c: char) -> bool {
    Script::of(c).is_some_and(Script::is_unspaced)
}
