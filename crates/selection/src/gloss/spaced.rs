//! What do the words of a language with spaces say in English?

use super::Language;
use super::forms;
use super::glossary::{Entry, Glossary, KEY_WORDS_MAX};
use super::pieces::{Kind, Piece};
use super::written::English;

/// The request in English words.
pub fn english(pieces: &[Piece<'_>], glossary: Glossary) -> String {
    let parted = match glossary.language {
        Language::German => parted_verbs(pieces, glossary),
        _ => Vec::new(),
    };
    let is_word = |piece: &Piece<'_>| is_word(piece, glossary.language);
    let mut english = English::default();
    let mut at = 0;
    while let Some(piece) = pieces.get(at) {
        let is_it = glossary.language == Language::German && piece.follows_apostrophe() && piece.text == "s";
        if is_it {
            at += 1;
        } else if let Some(verb) = parted.iter().find(|verb| verb.stem == at || verb.prefix == at) {
            if verb.stem == at {
                english.push_gloss(verb.entry, piece.text);
            }
            at += 1;
        } else if !is_word(piece) {
            english.push_kept(piece);
            at += 1;
        } else if let Some((entry, words)) = phrase(&pieces[at..], glossary) {
            english.push_gloss(entry, piece.text);
            at += words;
        } else {
            match forms::glosses(&piece.text.to_lowercase(), glossary) {
                Some(entries) => entries.for_each(|entry| english.push_gloss(entry, piece.text)),
                None => english.push_kept(piece),
            }
            at += 1;
        }
    }
    english.finish()
}

/// Whether a piece is looked up. Names are not, but German nouns look like names, and Cyrillic names say nothing
/// to an English reader.
fn is_word(piece: &Piece<'_>, language: Language) -> bool {
    let reads_names = matches!(language, Language::German | Language::Russian);
    piece.kind == Kind::Word && (reads_names || !piece.is_name)
}

/// The longest key that the words here begin with, and how many of them it takes.
fn phrase(pieces: &[Piece<'_>], glossary: Glossary) -> Option<(Entry, usize)> {
    let mut words = String::new();
    for piece in pieces
        .iter()
        .take_while(|piece| is_word(piece, glossary.language))
        .take(KEY_WORDS_MAX)
    {
        words.push_str(&piece.text.to_lowercase());
        words.push(' ');
    }
    let entry = glossary.longest(&words, |key| words[key.len()..].starts_with(' '))?;
    Some((entry, entry.key.split(' ').count()))
}

/// A German verb in two parts: `leg … an` is `anlegen`.
struct PartedVerb {
    stem: usize,
    prefix: usize,
    entry: Entry,
}

const PREFIXES: &[&str] = &[
    "ab", "an", "auf", "aus", "bei", "dar", "durch", "ein", "fest", "fort", "frei", "her", "herunter", "hin",
    "hinzu", "hoch", "los", "mit", "nach", "raus", "rein", "runter", "um", "vor", "weg", "weiter", "wieder",
    "zu", "zurück", "zusammen",
];
/// How many words into a sentence its verb may stand.
const VERB_PLACES: usize = 3;

/// One a sentence at most: the prefix ends it.
fn parted_verbs(pieces: &[Piece<'_>], glossary: Glossary) -> Vec<PartedVerb> {
    let mut found = Vec::new();
    let mut start = 0;
    for sentence in pieces.split_inclusive(|piece| piece.kind == Kind::Mark) {
        found.extend(parted_verb(sentence, glossary).map(|verb| PartedVerb {
            stem: start + verb.stem,
            prefix: start + verb.prefix,
            ..verb
        }));
        start += sentence.len();
    }
    found
}

fn parted_verb(sentence: &[Piece<'_>], glossary: Glossary) -> Option<PartedVerb> {
    let prefix = sentence.iter().rposition(|piece| piece.kind != Kind::Mark)?;
    let spelled = sentence[prefix].text.to_lowercase();
    if !PREFIXES.contains(&spelled.as_str()) {
        return None;
    }
    let words = (0..prefix).filter(|&at| sentence[at].kind == Kind::Word);
    words.take(VERB_PLACES).find_map(|stem| {
        let whole = format!("{spelled}{}", sentence[stem].text.to_lowercase());
        let entry = forms::of_verb(&whole, glossary)?;
        Some(PartedVerb { stem, prefix, entry })
    })
}
