//! Which model is this, whatever its files are called?

use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// Hexadecimal digits of a fingerprint: enough to tell models apart, short enough to read.
const DIGITS: usize = 12;

/// A short digest of the content of a model file, of the weight files beside it (those whose name
/// starts with the model's, in order) and of the files that go with it, such as its vocabulary.
///
/// # Errors
/// The file that cannot be read, and why.
pub fn fingerprint<'a>(
    model: &'a Path,
    others: impl IntoIterator<Item = &'a Path>,
) -> Result<String, (PathBuf, io::Error)> {
    let mut files = model_files(model).map_err(|error| (model.to_owned(), error))?;
    files.extend(others.into_iter().map(Path::to_owned));
    let mut digest = Sha256::new();
    for path in files {
        match content_digest(&path) {
            Ok(content) => digest.update(content),
            Err(error) => return Err((path, error)),
        }
    }
    let mut digits: String = digest
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    digits.truncate(DIGITS);
    Ok(digits)
}

fn content_digest(path: &Path) -> io::Result<[u8; 32]> {
    let mut content = Sha256::new();
    io::copy(&mut std::fs::File::open(path)?, &mut Writer(&mut content))?;
    Ok(content.finalize().into())
}

/// The model file and every file in its folder whose name continues its name.
fn model_files(model: &Path) -> io::Result<Vec<PathBuf>> {
    let name = model.file_name().unwrap_or_default();
    let folder = match model.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    std::fs::metadata(model)?; // a missing model is an error, not an empty list
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let starts_alike = path
            .file_name()
            .is_some_and(|other| other.as_encoded_bytes().starts_with(name.as_encoded_bytes()));
        if starts_alike && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Lets a digest be written to.
struct Writer<'digest>(&'digest mut Sha256);

impl io::Write for Writer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
