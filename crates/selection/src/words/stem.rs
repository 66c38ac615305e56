//! Which forms of an English word are the same word? Plurals, `-ing` and `-ed`, nothing deeper.

use std::borrow::Cow;

/// Words whose ending looks like one of ours and is not, and short plurals that length alone would miss.
const IRREGULAR: &[(&str, &str)] = &[
    ("ids", "id"),
    ("prs", "pr"),
    ("vms", "vm"),
    ("dbs", "db"),
    ("apis", "api"),
    ("news", "news"),
    ("series", "series"),
    ("aliases", "alias"),
    ("statuses", "status"),
    ("analyses", "analysis"),
    ("indices", "index"),
    ("indexes", "index"),
    ("alias", "alias"),
    ("atlas", "atlas"),
    ("canvas", "canvas"),
    ("pandas", "pandas"),
    ("macos", "macos"),
    ("kubernetes", "kubernetes"),
    ("postgres", "postgres"),
    ("embed", "embed"),
    ("morning", "morning"),
    ("evening", "evening"),
    ("everything", "everything"),
    ("something", "something"),
    ("anything", "anything"),
    ("nothing", "nothing"),
];

/// The common form of a lower-case word. Words that are not plain ASCII letters stay as they are.
pub fn stem(word: &str) -> Cow<'_, str> {
    if word.len() < 3 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Cow::Borrowed(word);
    }
    if let Some((_, stem)) = IRREGULAR.iter().find(|(irregular, _)| *irregular == word) {
        return Cow::Borrowed(stem);
    }
    let singular = singular(word);
    let base = without_ending(&singular).unwrap_or(singular);
    Cow::Owned(without_final_e(base))
}

fn singular(word: &str) -> String {
    let keeps = ["ss", "us", "is"].iter().any(|ending| word.ends_with(ending));
    if word.len() < 4 || !word.ends_with('s') || keeps {
        return word.to_owned();
    }
    if let Some(root) = word.strip_suffix("ies") {
        return if root.len() > 1 {
            format!("{root}y")
        } else {
            format!("{root}ie")
        };
    }
    let hissing = ["sses", "shes", "ches", "xes", "zzes"]
        .iter()
        .any(|ending| word.ends_with(ending));
    word[..word.len() - if hissing { 2 } else { 1 }].to_owned()
}

/// Takes `-ing` or `-ed` off where a word is left over.
fn without_ending(word: &str) -> Option<String> {
    if word.ends_with("eed") {
        return None;
    }
    if let Some(root) = word.strip_suffix("ied") {
        return (root.len() > 1).then(|| format!("{root}y"));
    }
    let root = word.strip_suffix("ing").or_else(|| word.strip_suffix("ed"))?;
    if root.len() < 2 || !root.bytes().any(is_vowel) {
        return None;
    }
    Some(match root.as_bytes() {
        // `running` doubles what `run` ends with; `call` and `pass` end with two anyway.
        [.., a, b] if a == b && root.len() > 3 && !is_vowel(*b) && !matches!(b, b'l' | b's' | b'z') => {
            root[..root.len() - 1].to_owned()
        }
        // `using`, `noted`: a short root lost its `e`.
        [.., a, b] if root.len() < 4 && is_vowel(*a) && !is_vowel(*b) && !matches!(b, b'w' | b'x' | b'y') => {
            format!("{root}e")
        }
        [b'y' | b't', b'y' | b'p', b'p' | b'e'] => format!("{root}e"),
        _ => root.to_owned(),
    })
}

/// `create`, `created` and `creating` meet in `creat`; short words keep their `e` (`note` is not `not`).
fn without_final_e(word: String) -> String {
    match word.strip_suffix('e') {
        Some(root) if root.len() > 3 && !root.ends_with('e') => root.to_owned(),
        _ => word,
    }
}

fn is_vowel(byte: u8) -> bool {
    matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}
