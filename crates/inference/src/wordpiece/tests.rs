//! Are the tokens those of the reference tokenizer?

use proptest::prelude::*;
use serde_json::Value;

use super::*;

const VOCABULARY: &str = include_str!("../../../../models/minilm-tools/vocab.txt");

/// Written by `models/reference.py` with the reference tokenizer.
const REFERENCE: &str = include_str!("../../reference/tokens.json");

fn wordpiece() -> WordPiece {
    WordPiece::new(VOCABULARY).unwrap()
}

#[test]
fn tokens_are_those_of_the_reference() {
    let words = wordpiece();
    let cases: Vec<Value> = serde_json::from_str(REFERENCE).unwrap();
    assert!(cases.len() >= 300);
    for case in cases {
        let text = case["text"].as_str().unwrap();
        let expected: Vec<i32> = serde_json::from_value(case["tokens"].clone()).unwrap();
        assert_eq!(words.tokens(text, 128), expected, "{text:?}");
    }
}

#[test]
fn a_cut_text_is_the_beginning_of_the_whole() {
    let words = wordpiece();
    let text =
        "Create a pull request, then re-run antidisestablishmentarianism checks: 第一 naïveté! ".repeat(20);
    let whole = words.tokens(&text, usize::MAX);
    assert!(whole.len() > 400);
    for tokens_max in (0..200).chain([whole.len() - 1, whole.len(), whole.len() + 1]) {
        let cut = words.tokens(&text, tokens_max);
        assert_eq!(cut.len(), tokens_max.clamp(2, whole.len()), "{tokens_max}");
        assert_eq!(cut.first(), whole.first());
        assert_eq!(cut.last(), whole.last());
        assert_eq!(cut[..cut.len() - 1], whole[..cut.len() - 1]);
    }
}

#[test]
fn markers_in_a_text_are_text() {
    let words = wordpiece();
    let tokens = words.tokens("[SEP] [CLS]", 128);
    let marker = |name: &str| words.initial[name];
    assert_eq!(
        tokens.iter().filter(|&&token| token == marker("[SEP]")).count(),
        1
    );
    assert_eq!(
        tokens.iter().filter(|&&token| token == marker("[CLS]")).count(),
        1
    );
}

#[test]
fn a_vocabulary_without_markers_is_refused() {
    let missing = |vocabulary| WordPiece::new(vocabulary).unwrap_err();
    assert_eq!(missing(""), VocabularyError::MarkerMissing("[UNK]"));
    assert_eq!(
        missing("[UNK]\n[CLS]\na"),
        VocabularyError::MarkerMissing("[SEP]")
    );
    assert_eq!(
        missing("{}").to_string(),
        "the vocabulary has no `[UNK]`: expected one token a line, as in vocab.txt of an uncased BERT model"
    );
}

#[test]
fn windows_line_ends_do_not_matter() {
    let words = WordPiece::new("[UNK]\r\n[CLS]\r\n[SEP]\r\nab\r\n##c\r\n").unwrap();
    assert_eq!(words.tokens("abc abd AB", 9), [1, 3, 4, 0, 3, 2]);
}

proptest! {
    #[test]
    fn any_text_has_tokens_of_the_vocabulary(text in any::<String>(), tokens_max in 2_usize..200) {
        static WORDS: std::sync::LazyLock<WordPiece> = std::sync::LazyLock::new(wordpiece);
        let tokens = WORDS.tokens(&text, tokens_max);
        prop_assert!((2..=tokens_max).contains(&tokens.len()));
        prop_assert_eq!(tokens.first(), Some(&WORDS.start));
        prop_assert_eq!(tokens.last(), Some(&WORDS.end));
        let count = i32::try_from(VOCABULARY.lines().count()).unwrap();
        prop_assert!(tokens.iter().all(|token| (0..count).contains(token)));
    }
}
