//! Which tokens is a text made of, for a model whose folder says so?
//!
//! Uncased WordPiece is our own code, as for the embedded model; every other scheme (the Unigram of XLM-R, the
//! byte pairs of many others, cased WordPiece) is read from `tokenizer.json` by the library that defines it.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;
use tokenizers::{Decoder as _, TruncationParams};

use crate::wordpiece::{VocabularyError, WordPiece};

/// More characters than a text of full length has: the rest is not even looked at.
const TEXT_CHARACTERS_MAX: usize = 4096;

/// From this share of pieces in other scripts than the Latin one on, a model is read as multilingual. English
/// ones have less than a twentieth, multilingual ones a third and more.
const FOREIGN_SHARE: f64 = 0.1;

/// Pieces looked at, evenly, to find that share.
const PIECES_SAMPLED: usize = 8192;

/// Splits texts into the tokens of one model.
pub enum Tokenizer {
    /// Uncased BERT.
    WordPiece(WordPiece),
    /// Everything else.
    Library(Box<Library>),
}

/// A tokenizer of the library.
pub struct Library {
    tokenizer: tokenizers::Tokenizer,
    /// What it puts before and behind every text.
    markers: Vec<String>,
}

/// Why a tokenizer cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TokenizerError {
    /// The vocabulary does not serve.
    #[error(transparent)]
    Vocabulary(#[from] VocabularyError),
    /// It is described in a way that the library does not know.
    #[error("it is no tokenizer.json as the `tokenizers` library writes it: {0}")]
    Unknown(String),
}

/// What decides who reads a `tokenizer.json`; large parts of it are passed over.
#[derive(Deserialize)]
struct Description {
    model: Model,
    normalizer: Option<Value>,
    pre_tokenizer: Option<Value>,
    post_processor: Option<Value>,
}

#[derive(Deserialize)]
struct Model {
    #[serde(rename = "type")]
    kind: Option<String>,
    unk_token: Option<String>,
    continuing_subword_prefix: Option<String>,
}

/// The vocabulary of a WordPiece `tokenizer.json`.
#[derive(Deserialize)]
struct Vocabulary {
    model: Pieces,
}

#[derive(Deserialize)]
struct Pieces {
    vocab: HashMap<String, i32>,
}

impl Tokenizer {
    /// Reads a `vocab.txt`: one WordPiece token a line.
    pub fn from_vocabulary(vocabulary: &str) -> Result<Self, TokenizerError> {
        let is_cased = |line: &&str| !line.starts_with('[') && line.chars().any(char::is_uppercase);
        if vocabulary.lines().filter(is_cased).count() > vocabulary.lines().count() / 100 {
            return Err(VocabularyError::Cased.into());
        }
        Ok(Self::WordPiece(WordPiece::new(vocabulary)?))
    }

    /// Reads a `tokenizer.json`. Texts are cut at `tokens_max` tokens, markers included.
    pub fn from_json(json: &str, tokens_max: usize) -> Result<Self, TokenizerError> {
        let unknown = |error: serde_json::Error| TokenizerError::Unknown(error.to_string());
        let description: Description = serde_json::from_str(json).map_err(unknown)?;
        if description.is_uncased_bert() {
            let vocabulary: Vocabulary = serde_json::from_str(json).map_err(unknown)?;
            let pieces = &vocabulary.model.vocab;
            let numbered = pieces.iter().map(|(piece, &number)| (piece.as_str(), number));
            return Ok(Self::WordPiece(WordPiece::from_numbered(numbered)?));
        }
        let unknown = |error: tokenizers::Error| TokenizerError::Unknown(error.to_string());
        let mut library: tokenizers::Tokenizer = json.parse().map_err(unknown)?;
        let truncation = TruncationParams {
            max_length: tokens_max,
            ..TruncationParams::default()
        };
        // Files come with the padding and the length of somebody's training.
        library.with_padding(None);
        library.with_truncation(Some(truncation)).map_err(unknown)?;
        library.set_encode_special_tokens(true);
        let markers = library.encode_fast("", true).map_err(unknown)?;
        let markers = markers
            .get_ids()
            .iter()
            .filter_map(|&marker| library.id_to_token(marker));
        Ok(Self::Library(Box::new(Library {
            markers: markers.filter(|marker| !marker.is_empty()).collect(),
            tokenizer: library,
        })))
    }

    /// The token numbers of `text`, at most `tokens_max`; never none.
    pub fn tokens(&self, text: &str, tokens_max: usize) -> Result<Vec<i32>, String> {
        match self {
            Self::WordPiece(words) => Ok(words.tokens(text, tokens_max)),
            Self::Library(library) => library.tokens(text),
        }
    }

    /// Whether its vocabulary is of many languages: one of a few alphabets is spent on letters, not on words.
    pub fn is_multilingual(&self) -> bool {
        match self {
            Self::WordPiece(words) => is_foreign_often(words.pieces()),
            Self::Library(library) => {
                let texts: Vec<String> = library.pieces().collect();
                is_foreign_often(texts.iter().map(String::as_str))
            }
        }
    }

    /// The word for its scheme.
    pub fn scheme(&self) -> &'static str {
        use tokenizers::ModelWrapper;
        match self {
            Self::WordPiece(_) => "uncased WordPiece",
            Self::Library(library) => match library.tokenizer.get_model() {
                ModelWrapper::BPE(_) => "byte pairs",
                ModelWrapper::WordPiece(_) => "WordPiece",
                ModelWrapper::WordLevel(_) => "words",
                ModelWrapper::Unigram(_) => "Unigram",
            },
        }
    }
}

impl Library {
    fn tokens(&self, text: &str) -> Result<Vec<i32>, String> {
        let end = text.char_indices().nth(TEXT_CHARACTERS_MAX);
        let mut text = Cow::Borrowed(end.map_or(text, |(end, _)| &text[..end]));
        for marker in &self.markers {
            // A description cannot smuggle the model's own markers in: taken apart, they are text.
            if text.contains(marker.as_str()) {
                let (first, rest) = marker.split_at(marker.ceil_char_boundary(1));
                text = Cow::Owned(text.replace(marker.as_str(), &format!("{first} {rest}")));
            }
        }
        let encoding = self.tokenizer.encode_fast(&*text, true);
        let encoding = encoding.map_err(|error| error.to_string())?;
        let tokens: Vec<i32> = encoding
            .get_ids()
            .iter()
            .map(|token| token.cast_signed())
            .collect();
        if tokens.is_empty() {
            return Err("the tokenizer finds no token in a text and adds none".to_owned());
        }
        Ok(tokens)
    }

    /// Pieces of its vocabulary as text, evenly chosen.
    fn pieces(&self) -> impl Iterator<Item = String> {
        let size = self.tokenizer.get_vocab_size(false);
        let step = size.div_ceil(PIECES_SAMPLED).max(1);
        let numbers = (0..u32::try_from(size).unwrap_or(u32::MAX)).step_by(step);
        let pieces = numbers.filter_map(|number| self.tokenizer.id_to_token(number));
        pieces.map(|piece| match self.tokenizer.get_decoder() {
            // Pieces of bytes are no text before they are decoded.
            Some(decoder) => decoder.decode(vec![piece.clone()]).unwrap_or(piece),
            None => piece,
        })
    }
}

impl Description {
    /// Whether this is exactly what [`WordPiece`] does.
    fn is_uncased_bert(&self) -> bool {
        let kind = |part: &Option<Value>, expected: &[&str]| {
            let kind = part.as_ref().and_then(|part| part["type"].as_str());
            kind.is_some_and(|kind| expected.contains(&kind))
        };
        // Absent and null mean the same as true here.
        let is_on = |key: &str| {
            let switch = self
                .normalizer
                .as_ref()
                .and_then(|normalizer| normalizer.get(key));
            switch.is_none_or(|switch| switch != &Value::Bool(false))
        };
        self.model.kind.as_deref() == Some("WordPiece")
            && self.model.unk_token.as_deref() == Some("[UNK]")
            && self.model.continuing_subword_prefix.as_deref() == Some("##")
            && kind(&self.normalizer, &["BertNormalizer"])
            && ["lowercase", "strip_accents", "clean_text", "handle_chinese_chars"]
                .into_iter()
                .all(is_on)
            && kind(&self.pre_tokenizer, &["BertPreTokenizer"])
            && kind(&self.post_processor, &["BertProcessing", "TemplateProcessing"])
            && self.has_bert_markers()
    }

    fn has_bert_markers(&self) -> bool {
        let processor = self.post_processor.as_ref().unwrap_or(&Value::Null);
        if processor["type"] == "BertProcessing" {
            return processor["sep"][0] == "[SEP]" && processor["cls"][0] == "[CLS]";
        }
        let part = |part: &Value| {
            let id = part["SpecialToken"]["id"].as_str();
            id.or_else(|| part["Sequence"]["id"].as_str()).map(str::to_owned)
        };
        let template = processor["single"].as_array().into_iter().flatten();
        template
            .map(part)
            .eq(["[CLS]", "A", "[SEP]"].map(|part| Some(part.to_owned())))
    }
}

/// Whether many pieces are of several letters that are not Latin. Single letters are in every vocabulary.
fn is_foreign_often<'a>(pieces: impl Iterator<Item = &'a str>) -> bool {
    let (mut all, mut foreign) = (0_u32, 0_u32);
    for piece in pieces {
        all += 1;
        let is_foreign = |letter: &char| letter.is_alphabetic() && *letter >= '\u{370}';
        // Extensions of the Latin alphabet lie beyond, too.
        let is_latin = |letter: &char| matches!(letter, '\u{1e00}'..='\u{1eff}' | '\u{2c60}'..='\u{2c7f}');
        let letters = piece
            .chars()
            .filter(|letter| is_foreign(letter) && !is_latin(letter));
        foreign += u32::from(letters.take(2).count() == 2);
    }
    f64::from(foreign) >= FOREIGN_SHARE * f64::from(all.max(1))
}

#[cfg(test)]
mod tests;
