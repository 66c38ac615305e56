//! Which words of a question say nothing about the tool it needs?

/// Lower-case, in alphabetical order. Kept short: a verb such as `get` or `set` is part of many names.
const STOP_WORDS: &[&str] = &[
    "a", "about", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by",
    "can", "could", "d", "did", "do", "does", "for", "from", "had", "has", "have", "hello", "her", "hey",
    "hi", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just", "let", "like", "ll", "m",
    "may", "me", "my", "need", "no", "not", "now", "of", "ok", "okay", "on", "or", "our", "please", "pls",
    "re", "s", "shall", "she", "should", "so", "some", "t", "than", "thanks", "that", "the", "their", "them",
    "then", "there", "these", "they", "this", "those", "to", "too", "us", "ve", "very", "want", "was", "we",
    "were", "what", "when", "where", "which", "who", "whom", "whose", "why", "will", "with", "would", "yes",
    "you", "your",
];

/// Whether a word, as written, is one of them.
pub fn is_stop_word(written: &str) -> bool {
    let lower = written.to_ascii_lowercase();
    STOP_WORDS.binary_search(&lower.as_str()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(STOP_WORDS.is_sorted());
        assert!(is_stop_word("The") && !is_stop_word("get"));
    }
}
