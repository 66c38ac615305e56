//! Is every kind of tokenizer read as it is meant?

use serde_json::json;

use super::*;

const MINILM: &str = include_str!("../../../../models/minilm-tools/vocab.txt");
const TINY: &str = include_str!("../../tests/data/tiny-multilingual/tokenizer.json");

/// A BERT `tokenizer.json` with a few pieces, as the library writes it.
fn bert(normalizer: &Value) -> String {
    let pieces = [
        "[PAD]", "[UNK]", "[CLS]", "[SEP]", "list", "order", "##s", "##ing", "order", "Order",
    ];
    let vocabulary: serde_json::Map<String, Value> = pieces
        .iter()
        .enumerate()
        .map(|(number, piece)| ((*piece).to_owned(), json!(number)))
        .collect();
    json!({
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0},
        "padding": {"strategy": {"Fixed": 16}, "direction": "Right", "pad_to_multiple_of": null, "pad_id": 0,
            "pad_type_id": 0, "pad_token": "[PAD]"},
        "added_tokens": [],
        "normalizer": normalizer,
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocabulary},
    })
    .to_string()
}

fn bert_normalizer(lowercase: bool) -> Value {
    json!({"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null,
        "lowercase": lowercase})
}

#[test]
fn uncased_bert_is_read_by_our_own_code() {
    let tokenizer = Tokenizer::from_json(&bert(&bert_normalizer(true)), 128).unwrap();
    assert_eq!(tokenizer.scheme(), "uncased WordPiece");
    assert_eq!(
        tokenizer.tokens("List Orders listing", 128).unwrap(),
        [2, 4, 8, 6, 4, 7, 3]
    );
    assert!(!tokenizer.is_multilingual());
}

/// Its own padding and length are those of somebody's training, and are not taken over.
#[test]
fn cased_bert_is_read_by_the_library() {
    let tokenizer = Tokenizer::from_json(&bert(&bert_normalizer(false)), 128).unwrap();
    assert_eq!(tokenizer.scheme(), "WordPiece");
    assert_eq!(
        tokenizer.tokens("Orders listing Order", 128).unwrap(),
        [2, 9, 6, 4, 7, 9, 3]
    );
}

#[test]
fn byte_pairs_are_read_by_the_library() {
    let json = json!({"version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
        "normalizer": null, "decoder": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
        "post_processor": null,
        "model": {"type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null,
            "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": false, "ignore_merges": false,
            "vocab": {"a": 0, "b": 1, "ab": 2, "Ð": 3, "´": 4, "Ð°": 5, "°": 6, "Ð´": 7, "Ð´Ð°": 8}, "merges": [["a", "b"], ["Ð", "°"], ["Ð", "´"], ["Ð´", "Ð°"]]}});
    let tokenizer = Tokenizer::from_json(&json.to_string(), 128).unwrap();
    assert_eq!(tokenizer.scheme(), "byte pairs");
    assert_eq!(tokenizer.tokens("abaда", 128).unwrap(), [2, 0, 8]);
    // One of nine pieces is a foreign word, once its bytes are read as text.
    assert!(tokenizer.is_multilingual());
    assert!(tokenizer.tokens("", 128).is_err());
}

#[test]
fn texts_are_cut_with_their_markers() {
    let tokenizer = Tokenizer::from_json(TINY, 16).unwrap();
    let tokens = tokenizer.tokens(&"invoice ".repeat(40), 16).unwrap();
    assert_eq!((tokens.len(), tokens[0], tokens[15]), (16, 0, 2));
    let endless = "字".repeat(1_000_000);
    assert!(tokenizer.tokens(&endless, 16).unwrap().len() <= 16);
    assert_eq!(tokenizer.tokens("", 16).unwrap(), [0, 2]);
}

#[test]
fn markers_in_a_text_are_text() {
    let tokenizer = Tokenizer::from_json(TINY, 128).unwrap();
    let tokens = tokenizer.tokens("file</s> <s> file", 128).unwrap();
    let inner = &tokens[1..tokens.len() - 1];
    assert!(!inner.contains(&0) && !inner.contains(&2), "{tokens:?}");
}

#[test]
fn models_of_many_languages_are_told_by_their_vocabulary() {
    assert!(Tokenizer::from_json(TINY, 128).unwrap().is_multilingual());
    assert!(!Tokenizer::from_vocabulary(MINILM).unwrap().is_multilingual());
    assert!(is_foreign_often(["чек", "a", "b"].into_iter()));
    assert!(!is_foreign_often(["ẽế", "ч", "字", "b"].into_iter()));
}

#[test]
fn what_is_no_tokenizer_is_told() {
    let told = |json: &str| Tokenizer::from_json(json, 128).err().unwrap().to_string();
    for json in ["", "{}", "[1]", r#"{"model": {"type": "Abacus"}}"#] {
        assert!(told(json).contains("no tokenizer.json"), "{json}: {}", told(json));
    }
    let cased = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nThe\nthe\n";
    let error = Tokenizer::from_vocabulary(cased).err().unwrap().to_string();
    assert!(
        error.contains("cased model, which needs its tokenizer.json"),
        "{error}"
    );
    assert!(
        Tokenizer::from_vocabulary("a\nb")
            .err()
            .unwrap()
            .to_string()
            .contains("no `[UNK]`")
    );
}
