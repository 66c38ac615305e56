//! What did real servers say when their tool lists were recorded?

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::value::RawValue;

/// One server's tool list as it was recorded: `shared/catalogs/NAME.json`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Recorded {
    /// The file's name without its ending, unique among the recordings.
    pub server: String,
    /// The revision that was spoken.
    pub protocol_version: String,
    /// What the server said about its use, if anything.
    #[serde(default)]
    pub instructions: Option<String>,
    /// The tools, byte for byte.
    pub tools: Vec<Box<RawValue>>,
}

/// Why a recording cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the recording {path}: {reason}")]
pub struct RecordingError {
    path: PathBuf,
    reason: String,
}

impl Recorded {
    /// Reads one recording.
    pub fn read(path: &Path) -> Result<Self, RecordingError> {
        let fail = |reason: String| RecordingError {
            path: path.to_owned(),
            reason,
        };
        let text = std::fs::read_to_string(path).map_err(|error| fail(error.to_string()))?;
        serde_json::from_str(&text).map_err(|error| fail(error.to_string()))
    }

    /// Reads every recording of a shared folder, sorted by server.
    pub fn read_all(shared: &Path) -> Result<Vec<Self>, RecordingError> {
        let folder = shared.join("catalogs");
        let entries = std::fs::read_dir(&folder).map_err(|error| RecordingError {
            path: folder.clone(),
            reason: error.to_string(),
        })?;
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
        paths.sort();
        paths.iter().map(|path| Self::read(path)).collect()
    }
}

/// The folder of recorded catalogs and query sets: `HANDPICK_SHARED`, or `shared` beside the repository.
pub fn shared_folder() -> Option<PathBuf> {
    let folder = match std::env::var_os("HANDPICK_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .nth(3)?
            .join("shared"),
    };
    folder.join("catalogs").is_dir().then_some(folder)
}

/// The same; where there is none it says in one line that `test` was skipped.
pub fn shared_folder_or_skip(test: &str) -> Option<PathBuf> {
    let folder = shared_folder();
    if folder.is_none() {
        eprintln!("skipped: {test}: no `shared` folder beside the repository and HANDPICK_SHARED is not set");
    }
    folder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recording_is_read_whole() {
        let Some(shared) = shared_folder_or_skip("every_recording_is_read_whole") else {
            return;
        };
        let recordings = Recorded::read_all(&shared).unwrap();
        let tools: usize = recordings.iter().map(|recorded| recorded.tools.len()).sum();
        assert_eq!((recordings.len(), tools), (87, 3207));
        assert!(recordings.is_sorted_by(|a, b| a.server < b.server));
    }
}
