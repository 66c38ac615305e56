//! Which phrases of a list does a text contain? The longest at each place.

/// Words of a text that are looked at; a longer text says what it wants at its beginning.
const WORDS_MAX: usize = 256;

/// What `lookup` knows of the phrases of a text, in order: at each word the longest phrase of at most `longest`
/// words, then on after it.
pub fn known<T>(words: &[impl AsRef<str>], longest: usize, lookup: impl Fn(&str) -> Option<T>) -> Vec<T> {
    let words: Vec<&str> = words.iter().take(WORDS_MAX).map(AsRef::as_ref).collect();
    let mut known = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let lengths = (1..=longest.min(words.len() - at)).rev();
        let mut phrases = lengths.map(|length| (length, words[at..at + length].join(" ")));
        match phrases.find_map(|(length, phrase)| Some((length, lookup(&phrase)?))) {
            Some((length, found)) => {
                known.push(found);
                at += length;
            }
            None => at += 1,
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_phrase_wins_and_is_not_read_twice() {
        let list = ["a", "a b", "b c", "d"];
        let look = |text: &str| {
            let words: Vec<&str> = text.split_whitespace().collect();
            known(&words, 2, |phrase| {
                list.iter().find(|known| **known == phrase).copied()
            })
        };
        assert_eq!(look("a b c x d"), ["a b", "d"]);
        assert_eq!(look("a x b c"), ["a", "b c"]);
        assert_eq!(look(""), [""; 0]);
    }
}
