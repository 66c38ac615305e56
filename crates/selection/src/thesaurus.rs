//! Which words do tools use for what people say? "Kick off" is `run`, `start`, `trigger`.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::phrases;
use crate::words;

/// `people's phrase<TAB>tools' words`, likeliest first; verbs and idioms, then things and products.
const ENTRIES: [&str; 2] = [
    include_str!("../data/thesaurus_actions.tsv"),
    include_str!("../data/thesaurus_things.tsv"),
];

/// Most words of a phrase.
const PHRASE_WORDS_MAX: usize = 5;

/// The words that tools would use for a text, beyond the text's own. Longer phrases go before their parts.
pub fn hints(text: &str) -> String {
    let words: Vec<String> = words::words(text).into_iter().map(|word| word.term).collect();
    phrases::known(&words, PHRASE_WORDS_MAX, |phrase| THESAURUS.get(phrase).copied()).join(" ")
}

/// Phrases by their words' stems, so that every form of a word finds them.
static THESAURUS: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let lines = ENTRIES.iter().flat_map(|entries| entries.lines());
    let entries = lines.filter_map(|line| line.split_once('\t'));
    entries
        .map(|(phrase, hint)| {
            let stems: Vec<String> = words::words(phrase).into_iter().map(|word| word.term).collect();
            (stems.join(" "), hint)
        })
        .collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_say_it_otherwise() {
        for (text, hint) in [("Kick off the nightly build", "run"), ("kicking off", "trigger")] {
            assert!(
                hints(text).split(' ').any(|word| word == hint),
                "{text}: {}",
                hints(text)
            );
        }
        assert_eq!(hints(""), "");
    }

    #[test]
    fn entries_are_sound() {
        for line in ENTRIES.iter().flat_map(|entries| entries.lines()) {
            let (phrase, hint) = line.split_once('\t').unwrap();
            assert!(!phrase.is_empty() && !hint.is_empty(), "{line}");
            assert!(phrase.split(' ').count() <= PHRASE_WORDS_MAX, "{line}");
        }
    }
}
