//! Why could a model not be loaded?

use std::path::{Path, PathBuf};

use crate::files::FilesMissing;
use crate::tokenizer::TokenizerError;

/// Why a model could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A file could not be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// The folder does not hold what an encoder needs.
    #[error("`{}` is no encoder: {reason}", folder.display())]
    Incomplete {
        /// The folder.
        folder: PathBuf,
        /// What it lacks.
        reason: FilesMissing,
    },
    /// A file that tells how the model is used does not serve.
    #[error("`{}` {reason}", path.display())]
    Recipe {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The tokenizer does not serve.
    #[error("`{}` cannot be used: {reason}", path.display())]
    Tokenizer {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: TokenizerError,
    },
    /// The model does not load or is no sentence encoder.
    #[error("the model cannot be used: {0}")]
    Model(String),
}

/// That a file or folder could not be read.
pub(crate) fn unreadable(path: &Path, source: std::io::Error) -> LoadError {
    LoadError::Unreadable {
        path: path.to_owned(),
        source,
    }
}
