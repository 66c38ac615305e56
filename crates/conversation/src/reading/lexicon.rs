//! What kind of word or phrase is this, in one of the languages that are read?
//!
//! One file a language under `data/`: lists of entries by class, matched on folded words without apostrophes. An
//! entry that ends in `~` is a stem and takes each of the language's endings.

use std::collections::HashMap;
use std::sync::LazyLock;

use handpick_selection::words::fold;

use super::tokens;

/// Longest entry, in words.
pub const PHRASE_WORDS_MAX: usize = 6;

/// A language messages are read in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    /// English, and whatever no other language claims.
    English,
    /// Deutsch
    German,
    /// Español
    Spanish,
    /// Français
    French,
    /// Português
    Portuguese,
    /// Italiano
    Italian,
    /// Nederlands
    Dutch,
    /// Polski
    Polish,
    /// Русский
    Russian,
    /// 中文
    Chinese,
    /// 日本語
    Japanese,
}

impl Language {
    const ALL: [(Self, &'static str); 11] = [
        (Self::English, include_str!("../../data/en.txt")),
        (Self::German, include_str!("../../data/de.txt")),
        (Self::Spanish, include_str!("../../data/es.txt")),
        (Self::French, include_str!("../../data/fr.txt")),
        (Self::Portuguese, include_str!("../../data/pt.txt")),
        (Self::Italian, include_str!("../../data/it.txt")),
        (Self::Dutch, include_str!("../../data/nl.txt")),
        (Self::Polish, include_str!("../../data/pl.txt")),
        (Self::Russian, include_str!("../../data/ru.txt")),
        (Self::Chinese, include_str!("../../data/zh.txt")),
        (Self::Japanese, include_str!("../../data/ja.txt")),
    ];

    /// Those written in Latin letters, which only their words tell apart.
    pub const LATIN: [Self; 8] = [
        Self::English,
        Self::German,
        Self::Spanish,
        Self::French,
        Self::Portuguese,
        Self::Italian,
        Self::Dutch,
        Self::Polish,
    ];

    /// Whether the verb of an order may stand last: "die ältere bitte schicken".
    pub fn is_verb_last(self) -> bool {
        matches!(self, Self::German | Self::Dutch)
    }

    /// Whether nouns are capitalised, so that a capital names nothing.
    pub fn has_capital_nouns(self) -> bool {
        self == Self::German
    }

    /// Whether words follow each other without spaces.
    pub fn is_unspaced(self) -> bool {
        matches!(self, Self::Chinese | Self::Japanese)
    }

    /// Whether a question is told from a statement by its mark or a question word only.
    pub fn asks_by_mark(self) -> bool {
        matches!(
            self,
            Self::Spanish | Self::Portuguese | Self::Italian | Self::French | Self::Polish | Self::Russian
        )
    }
}

macro_rules! classes {
    ($($(#[$doc:meta])* $class:ident = $name:literal,)*) => {
        /// What an entry is used for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Class { $($(#[$doc])* $class,)* }

        impl Class {
            fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$class),)*
                    _ => None,
                }
            }
        }
    };
}

classes! {
    /// Hello.
    Greeting = "greeting",
    /// Thank you.
    Thanks = "thanks",
    /// Goodbye, that is all.
    Bye = "bye",
    /// Yes, go ahead, that one.
    Yes = "yes",
    /// No.
    No = "no",
    /// Received: ok, great.
    Ack = "ack",
    /// Laughs and sighs.
    Remark = "remark",
    /// Words a request may begin or end with.
    Filler = "filler",
    /// Please.
    Please = "please",
    /// Ties what follows to what stands before.
    Join = "join",
    /// Begins a question.
    Wh = "wh",
    /// A verb that begins a question when its subject follows.
    Aux = "aux",
    /// Can you.
    Can = "can",
    /// Can I.
    May = "may",
    /// What one wishes for who wants to know.
    Know = "know",
    /// Asks to be told.
    Ask = "ask",
    /// Asks to have something looked up, often the first step of more.
    Look = "look",
    /// An order.
    Verb = "verb",
    /// An order when an object follows, else a thing.
    NounVerb = "noun_verb",
    /// Wants, needs.
    Wish = "wish",
    /// Something is not as it should be.
    Trouble = "trouble",
    /// And for, what about.
    Repeat = "repeat",
    /// Leaves the topic.
    Switch = "switch",
    /// The other one.
    Other = "other",
    /// Takes back.
    Correct = "correct",
    /// Chooses.
    Pick = "pick",
    /// Stands for something named before.
    Pronoun = "pronoun",
    /// Begins an object.
    Det = "det",
    /// The subject of a statement.
    Subject = "subject",
    /// The verb of a statement.
    Finite = "finite",
    /// Days and times of day.
    Time = "time",
    /// Stands before the name of a person.
    Title = "title",
    /// Ties a name to what is asked about it.
    About = "about",
    /// Begins a condition of what is asked: "in excel", "without the fee".
    Prep = "prep",
    /// The assistant offers to do something.
    Offer = "offer",
    /// The assistant asks which.
    Which = "which",
    /// The assistant asks for the next request.
    Closing = "closing",
    /// Begins a condition or a reason.
    If = "if",
    /// Follows a noun that could be an order.
    Facet = "facet",
    /// An object pronoun before the verb.
    Clitic = "clitic",
    /// Draws a consequence: "the second one then".
    So = "so",
    /// Extends a request to one more: "the caterer too".
    Also = "also",
    /// How something stands: the last one, the current one.
    Latest = "latest",
    /// Begins what is to be made: a new one.
    Create = "create",
    /// Frequent words that tell a language.
    Function = "function",
}

/// A set of classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Classes(u64);

impl Classes {
    /// The set of these.
    pub const fn of(classes: &[Class]) -> Self {
        let mut bits = 0;
        let mut number = 0;
        while number < classes.len() {
            bits |= 1 << classes[number] as u64;
            number += 1;
        }
        Self(bits)
    }

    /// Whether any class is in both.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether a class is in it.
    pub fn has(self, class: Class) -> bool {
        self.meets(Self::of(&[class]))
    }

    /// Those in either.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those in both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The entries of one language.
#[derive(Debug, Default)]
pub struct Lexicon {
    entries: HashMap<String, Classes>,
    /// How many words the longest entry that begins with this word has.
    reach: HashMap<String, usize>,
}

/// Courtesies that are understood in a message of any language.
const EVERYWHERE: Classes = Classes::of(&[Class::Greeting, Class::Thanks, Class::Bye]);

static LEXICONS: LazyLock<Vec<Lexicon>> = LazyLock::new(|| {
    let mut lexicons: Vec<Lexicon> = Language::ALL
        .iter()
        .map(|(_, text)| Lexicon::parse(text))
        .collect();
    let shared: Vec<(String, Classes)> = lexicons
        .iter()
        .flat_map(|lexicon| &lexicon.entries)
        .filter(|(entry, classes)| entry.len() > 3 && classes.meets(EVERYWHERE))
        .map(|(entry, classes)| (entry.clone(), classes.and(EVERYWHERE)))
        .collect();
    for lexicon in &mut lexicons {
        let own = lexicon.reach.clone();
        for (entry, classes) in &shared {
            // What is a word of this language already keeps its meaning.
            let first = entry.split(' ').next().unwrap_or(entry);
            if !own.contains_key(first) {
                lexicon.insert(entry, *classes);
            }
        }
    }
    lexicons
});

/// Reads the word lists, so that no message has to wait for them.
pub fn warm() {
    LazyLock::force(&LEXICONS);
}

impl Lexicon {
    /// The entries of a language.
    pub fn of(language: Language) -> &'static Self {
        &LEXICONS[language as usize]
    }

    /// The classes of a phrase, its folded words joined by spaces.
    pub fn classes(&self, phrase: &str) -> Classes {
        self.entries.get(phrase).copied().unwrap_or_default()
    }

    /// How many words an entry that begins with this word may have; 0 when none does.
    pub fn reach(&self, word: &str) -> usize {
        self.reach.get(word).copied().unwrap_or_default()
    }

    fn parse(text: &str) -> Self {
        let mut sections: Vec<(Option<Class>, Vec<&str>)> = Vec::new();
        let mut endings = Vec::new();
        let mut in_endings = false;
        for line in text.lines().map(str::trim) {
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                in_endings = name == "ending";
                sections.push((Class::named(name), Vec::new()));
            } else if in_endings {
                endings.extend(line.split(',').map(str::trim));
            } else if let Some((_, entries)) = sections.last_mut() {
                entries.extend(line.split(',').map(str::trim).filter(|entry| !entry.is_empty()));
            }
        }
        let mut lexicon = Self::default();
        for (class, entries) in sections {
            let Some(class) = class else { continue };
            for entry in entries {
                lexicon.insert_entry(entry, &endings, Classes::of(&[class]));
            }
        }
        lexicon
    }

    fn insert_entry(&mut self, entry: &str, endings: &[&str], classes: Classes) {
        match entry.strip_suffix('~') {
            // "lad~ hoch" is a stem with a word after it: the stem alone is enough to know it.
            None => self.insert(&tokens::normal(&entry.replace('~', "")), classes),
            Some(stem) => {
                let stem = fold(stem);
                for ending in endings {
                    self.insert(&format!("{stem}{}", fold(ending)), classes);
                }
            }
        }
    }

    fn insert(&mut self, phrase: &str, classes: Classes) {
        let mut words = phrase.split(' ');
        let Some(first) = words.next().filter(|first| !first.is_empty()) else {
            return;
        };
        let count = 1 + words.count();
        let reach = self.reach.entry(first.to_owned()).or_default();
        *reach = count.max(*reach);
        let known = self.entries.entry(phrase.to_owned()).or_default();
        *known = known.with(classes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_is_a_known_class_and_no_entry_is_too_long() {
        for (language, text) in Language::ALL {
            for line in text.lines().filter(|line| line.starts_with('[')) {
                let name = line.trim_matches(['[', ']']);
                assert!(
                    name == "ending" || Class::named(name).is_some(),
                    "{language:?}: {name}"
                );
            }
            assert!(text.starts_with('#'), "{language:?} says where it comes from");
            let longest = Lexicon::of(language).reach.values().max().copied();
            assert!(longest <= Some(PHRASE_WORDS_MAX), "{language:?}: {longest:?}");
        }
    }
}
