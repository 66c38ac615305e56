//! Where is a settings file wrong, and what would be right?

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// One mistake in one settings file.
#[derive(Debug)]
pub struct Mistake {
    file: PathBuf,
    line: Option<usize>,
    text: String,
}

impl Mistake {
    /// A mistake in the file as a whole.
    pub fn in_file(file: &Path, text: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            line: None,
            text: text.into(),
        }
    }

    /// A mistake on one line.
    pub fn on_line(file: &Path, line: usize, text: impl Into<String>) -> Self {
        Self {
            line: Some(line),
            ..Self::in_file(file, text)
        }
    }

    /// A mistake at a key, given as the path to it; a number is a place in a list. The line is looked up in
    /// the source.
    pub fn at_key(file: &Path, source: &str, key: &[&str], text: impl fmt::Display) -> Self {
        Self {
            file: file.to_owned(),
            line: line_of(source, key),
            text: format!("`{}` {text}", dotted(key)),
        }
    }

    /// What the TOML reader found.
    pub fn from_toml(file: &Path, source: &str, error: &toml::de::Error) -> Self {
        let span = error.span();
        let line = span.as_ref().map(|span| line_at(source, span));
        Self {
            file: file.to_owned(),
            line,
            text: reworded(error.message(), source, span),
        }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.text)
    }
}

impl std::error::Error for Mistake {}

fn line_at(source: &str, span: &Range<usize>) -> usize {
    source
        .get(..span.start)
        .map_or(1, |before| before.matches('\n').count() + 1)
}

/// A path as people write it: `restrictions[1].roles`.
fn dotted(key: &[&str]) -> String {
    let mut text = String::new();
    for part in key {
        if part.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty() {
            text.push_str(&format!("[{part}]"));
        } else {
            if !text.is_empty() {
                text.push('.');
            }
            text.push_str(part);
        }
    }
    text
}

/// The line a key stands on, following tables and lists inward as far as they exist.
fn line_of(source: &str, key: &[&str]) -> Option<usize> {
    let document = DeTable::parse(source).ok()?.into_inner();
    let document = DeValue::Table(document);
    let (mut value, mut line) = (&document, None);
    for part in key {
        let found = match value {
            DeValue::Table(table) => table
                .iter()
                .find(|(name, _)| name.get_ref().as_ref() == *part)
                .map(|(name, inner)| (name.span(), inner)),
            DeValue::Array(array) => part
                .parse::<usize>()
                .ok()
                .and_then(|index| array.get(index))
                .map(|inner| (inner.span(), inner)),
            _ => None,
        };
        let Some((span, inner)) = found else { break };
        line = Some(line_at(source, &span));
        value = inner.get_ref();
    }
    line
}

/// The path of the key or value that stands at a position.
fn key_at(source: &str, position: usize) -> Option<String> {
    let document = DeTable::parse(source).ok()?.into_inner();
    let mut path = Vec::new();
    find_in_table(&document, position, &mut path);
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    (!path.is_empty()).then(|| dotted(&path))
}

fn find_in_table(table: &DeTable<'_>, position: usize, path: &mut Vec<String>) -> bool {
    table.iter().any(|(name, value)| {
        path.push(name.get_ref().to_string());
        let found = find_in_value(value, position, path) || name.span().contains(&position);
        if !found {
            path.pop();
        }
        found
    })
}

fn find_in_value(value: &Spanned<DeValue<'_>>, position: usize, path: &mut Vec<String>) -> bool {
    // The span of a table written under a `[header]` is the header alone, so look inside first.
    let inside = match value.get_ref() {
        DeValue::Table(table) => find_in_table(table, position, path),
        DeValue::Array(array) => array.iter().enumerate().any(|(index, value)| {
            path.push(index.to_string());
            let found = find_in_value(value, position, path);
            if !found {
                path.pop();
            }
            found
        }),
        _ => false,
    };
    inside || value.span().contains(&position)
}

/// What the TOML reader says, in a person's words: which key, what it must be, what it is instead.
fn reworded(message: &str, source: &str, span: Option<Range<usize>>) -> String {
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    if message.starts_with("unknown field") && !quoted.is_empty() {
        return unknown_key(quoted[0], &quoted[1..]);
    }
    if message == "duplicate key" {
        let key = span.and_then(|span| source.get(span)).unwrap_or_default();
        return format!("`{}` is written twice", key.trim());
    }
    let key = span.and_then(|span| {
        key_at(source, span.start).or_else(|| key_on_line(source, span.start).map(str::to_owned))
    });
    let Some(key) = key else {
        return message.to_owned();
    };
    if let Some(missing) = message.strip_prefix("missing field ") {
        return format!("`{key}` needs {missing}");
    }
    match message.split_once(", expected ") {
        Some((found, wanted)) if message.starts_with("invalid") || message.starts_with("unknown variant") => {
            let found = found.split_once(": ").map_or(found, |(_, found)| found);
            let found = found.strip_prefix("unknown variant ").unwrap_or(found);
            format!("`{key}` must be {}, not {found}", in_words(wanted))
        }
        _ => format!("`{key}`: {message}"),
    }
}

fn unknown_key(unknown: &str, known: &[&str]) -> String {
    let nearest = known
        .iter()
        .max_by(|a, b| similarity(unknown, a).total_cmp(&similarity(unknown, b)));
    match nearest {
        Some(nearest) if similarity(unknown, nearest) > 0.6 => {
            format!("unknown key `{unknown}`; did you mean `{nearest}`?")
        }
        _ => format!("unknown key `{unknown}`; known here: {}", known.join(", ")),
    }
}

/// A type of the program as a person would name it.
fn in_words(wanted: &str) -> &str {
    match wanted {
        "a string" | "path string" => "a text in quotes",
        "a sequence" => "a list such as [\"a\", \"b\"]",
        "a boolean" => "true or false",
        "f64" | "f32" => "a number",
        "i64" => "a whole number",
        "u32" => "a whole number from 0 to 4294967295",
        _ if wanted == "a map" || wanted.starts_with("struct ") => "a table",
        _ => wanted,
    }
}

fn similarity(a: &str, b: &str) -> f64 {
    strsim::jaro_winkler(a, b)
}

fn key_on_line(source: &str, position: usize) -> Option<&str> {
    let start = source
        .get(..position)?
        .rfind('\n')
        .map_or(0, |newline| newline + 1);
    let line = source.get(start..)?.lines().next()?;
    let (key, _) = line.split_once('=')?;
    Some(key.trim())
}
