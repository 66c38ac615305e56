//! What does a request in another language say, in English words?
//!
//! Tools are described in English. A request in one of seven other languages is turned into English words, in
//! its own order, so that it shares words with the descriptions and means something to the encoder. It is no
//! translation: names, numbers, code and quoted text stay as they are, and so does what no glossary knows.

mod bearing;
mod detect;
mod forms;
mod glossary;
mod latin;
mod pieces;
mod script;
mod spaced;
mod unspaced;
mod written;

use crate::words;
use glossary::Glossary;

/// A language that requests are read in besides English.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// Deutsch
    German,
    /// Español
    Spanish,
    /// Français
    French,
    /// Português
    Portuguese,
    /// Русский
    Russian,
    /// 中文
    Chinese,
    /// 日本語
    Japanese,
}

impl Language {
    /// Every language.
    pub const ALL: [Self; 7] = [
        Self::German,
        Self::Spanish,
        Self::French,
        Self::Portuguese,
        Self::Russian,
        Self::Chinese,
        Self::Japanese,
    ];

    /// Its ISO 639-1 code.
    pub fn code(self) -> &'static str {
        match self {
            Self::German => "de",
            Self::Spanish => "es",
            Self::French => "fr",
            Self::Portuguese => "pt",
            Self::Russian => "ru",
            Self::Chinese => "zh",
            Self::Japanese => "ja",
        }
    }
}

/// A request in English words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gloss {
    /// The language the request is in.
    pub language: Language,
    /// English words in the order of the request. Never blank.
    pub english: String,
}

/// Reads a request that is in one of the [`Language`]s. `None` when it is in English or in some other language,
/// when it is too short to tell, and when it says nothing but courtesies.
pub fn gloss(text: &str) -> Option<Gloss> {
    let text = words::truncate(text);
    let pieces = pieces::pieces(text);
    let language = detect::language(&pieces)?;
    let glossary = Glossary::of(language);
    let english = match language {
        Language::Chinese | Language::Japanese => unspaced::english(text, &pieces, glossary),
        _ => spaced::english(&pieces, glossary),
    };
    (!english.is_empty()).then_some(Gloss { language, english })
}

#[cfg(test)]
mod tests;
