//! Where is a settings file wrong, and what would be right?

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

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

    /// A mistake at a key, given as the path to it; the line is looked up in the source.
    pub fn at_key(file: &Path, source: &str, key: &[&str], text: impl fmt::Display) -> Self {
        Self {
            file: file.to_owned(),
            line: line_of(source, key),
            text: format!("`{}` {text}", key.join(".")),
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

/// The line a key stands on, following tables inward as far as they exist.
fn line_of(source: &str, key: &[&str]) -> Option<usize> {
    let table = toml::de::DeTable::parse(source).ok()?.into_inner();
    let mut table = &table;
    let mut line = None;
    for part in key {
        let Some((found, value)) = table.iter().find(|(name, _)| name.get_ref().as_ref() == *part) else {
            break;
        };
        line = Some(line_at(source, &found.span()));
        match value.get_ref() {
            toml::de::DeValue::Table(inner) => table = inner,
            _ => break,
        }
    }
    line
}

/// Says `unknown key` and the nearest known one; names the key a value of the wrong type belongs to.
fn reworded(message: &str, source: &str, span: Option<Range<usize>>) -> String {
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    if message.starts_with("unknown field") && !quoted.is_empty() {
        let (unknown, known) = (quoted[0], &quoted[1..]);
        let nearest = known
            .iter()
            .max_by(|a, b| similarity(unknown, a).total_cmp(&similarity(unknown, b)));
        return match nearest {
            Some(nearest) if similarity(unknown, nearest) > 0.6 => {
                format!("unknown key `{unknown}`; did you mean `{nearest}`?")
            }
            _ => format!("unknown key `{unknown}`; known here: {}", known.join(", ")),
        };
    }
    let key = span.and_then(|span| key_on_line(source, span.start));
    match key {
        Some(key) if message.starts_with("invalid") || message.starts_with("unknown variant") => {
            format!("`{key}`: {message}")
        }
        _ => message.to_owned(),
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
