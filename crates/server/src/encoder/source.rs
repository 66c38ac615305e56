//! What does a setting name: a path here, or a model of a hub?

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The revision that is taken where none is named.
const REVISION_DEFAULT: &str = "main";

/// Longest part of a model's name.
const PART_CHARACTERS_MAX: usize = 96;

/// Where an encoder comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncoderSource {
    /// A folder with a model, or one model file of a folder.
    Path(PathBuf),
    /// A model of a hub.
    Hub(HubModel),
}

/// A model of a hub, as `owner/name`, `owner/name@revision` or `owner/name@revision/onnx/model.onnx`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HubModel {
    /// `owner/name`
    pub repository: String,
    /// A branch, a tag or a commit.
    pub revision: String,
    /// The model file, where one of several is meant.
    pub file: Option<String>,
}

impl FromStr for EncoderSource {
    type Err = String;

    /// What exists as a path is a path, whatever it looks like.
    fn from_str(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Err("must name a folder with a model, or a model of a hub as `owner/name`".to_owned());
        }
        let path = PathBuf::from(text);
        if path.exists() {
            return Ok(Self::Path(path));
        }
        HubModel::read(text).map(Self::Hub).ok_or_else(|| {
            format!(
                "must name a folder or a file that exists, or a model of a hub as `owner/name`; there is no `{text}`"
            )
        })
    }
}

impl HubModel {
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split('/');
        let owner = parts.next().filter(|part| is_part(part))?;
        let (name, revision) = match parts.next()?.split_once('@') {
            Some((name, revision)) => (name, revision),
            None => (text.split('/').nth(1)?, REVISION_DEFAULT),
        };
        let inner: Vec<&str> = parts.collect();
        if !is_part(name) || !is_part(revision) || !inner.iter().all(|part| is_part(part)) {
            return None;
        }
        let file = inner.join("/");
        if !(file.is_empty() || file.ends_with(".onnx")) {
            return None;
        }
        Some(Self {
            repository: format!("{owner}/{name}"),
            revision: revision.to_owned(),
            file: Some(file).filter(|file| !file.is_empty()),
        })
    }
}

/// Whether this can be part of a name, of a path on the hub, and of a path here: never `.` or `..`.
fn is_part(part: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    !part.is_empty()
        && part.len() <= PART_CHARACTERS_MAX
        && !part.starts_with('.')
        && part.chars().all(is_plain)
}

/// Whether a hub's name of a file may be used as a path below a folder of ours.
pub fn is_safe_file(name: &str) -> bool {
    name.split('/').all(is_part)
}

impl fmt::Display for EncoderSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => write!(f, "{}", path.display()),
            Self::Hub(model) => write!(f, "{model}"),
        }
    }
}

impl fmt::Display for HubModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.repository)?;
        if self.revision != REVISION_DEFAULT {
            write!(f, "@{}", self.revision)?;
        }
        match &self.file {
            Some(file) => write!(f, "/{file}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_exists_is_a_path() {
        let source: EncoderSource = "src/main.rs".parse().unwrap();
        assert_eq!(source, EncoderSource::Path(PathBuf::from("src/main.rs")));
    }

    #[test]
    fn hub_models_are_told_from_mistyped_paths() {
        for (text, expected) in [
            ("owner/name", Some(("owner/name", "main", None))),
            ("owner/name@v1.2", Some(("owner/name", "v1.2", None))),
            (
                "o/n@abc/onnx/model_O3.onnx",
                Some(("o/n", "abc", Some("onnx/model_O3.onnx"))),
            ),
            ("o/n/model.onnx", Some(("o/n", "main", Some("model.onnx")))),
            ("o/n/tokenizer.json", None),
            ("name", None),
            ("./models/absent", None),
            ("/models/absent", None),
            ("~/models", None),
            ("../a/b", None),
            ("a/..", None),
            ("a/b@../c", None),
            ("a/b/../c.onnx", None),
            ("a/b@", None),
            ("a b/c", None),
            ("a\\b/c", None),
        ] {
            let read = text.parse::<EncoderSource>();
            let expected = expected.map(|(repository, revision, file)| {
                EncoderSource::Hub(HubModel {
                    repository: repository.to_owned(),
                    revision: revision.to_owned(),
                    file: file.map(str::to_owned),
                })
            });
            assert_eq!(read.ok(), expected, "{text}");
        }
        let told = "./models/absent".parse::<EncoderSource>().unwrap_err();
        assert!(told.contains("there is no `./models/absent`"), "{told}");
        assert!(" ".parse::<EncoderSource>().unwrap_err().contains("owner/name"));
    }

    #[test]
    fn names_are_written_as_they_are_read() {
        for text in ["o/n", "o/n@v1", "o/n@v1/onnx/model.onnx", "o/n/model.onnx"] {
            assert_eq!(text.parse::<EncoderSource>().unwrap().to_string(), text);
        }
    }
}
