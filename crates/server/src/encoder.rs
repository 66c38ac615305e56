//! Which encoder turns texts into vectors: the embedded one, a folder's, or one that a hub offers?
//!
//! `source` reads what is written, `hub` asks a hub, `download` keeps what it gives.

mod download;
mod hub;
mod source;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use handpick_inference::{CachedEncoder, MiniLm, SentenceEncoder};
use handpick_selection::Encoder;

pub use source::EncoderSource;

/// Recent queries whose vectors are kept.
const QUERIES_CACHED: usize = 2_048;

/// What marks the folder of a model.
const TOKENIZERS: [&str; 2] = ["tokenizer.json", "vocab.txt"];

/// Another encoder than the embedded one.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// Where it comes from.
    pub source: EncoderSource,
    /// The data folder, where what a hub gives is kept.
    pub data: PathBuf,
}

/// Loads the embedded encoder or another one, fetching it first where it lies on a hub and was not fetched yet.
///
/// # Errors
/// What is missing or wrong, and where it was looked for.
pub async fn load(chosen: Option<Chosen>) -> anyhow::Result<Arc<dyn Encoder>> {
    let Some(chosen) = chosen else {
        return blocking(|| {
            let encoder = MiniLm::load().context("the embedded model cannot be loaded")?;
            Ok(Arc::new(CachedEncoder::new(encoder, QUERIES_CACHED)))
        })
        .await;
    };
    let (folder, model) = match &chosen.source {
        EncoderSource::Path(path) => place(path)?,
        EncoderSource::Hub(model) => (download::fetched(model, &chosen.data).await?, model.file.clone()),
    };
    blocking(move || {
        let (encoder, summary) = SentenceEncoder::from_folder(&folder, model.as_deref())
            .with_context(|| format!("the encoder `{}` cannot be loaded", chosen.source))?;
        tracing::info!(folder = %folder.display(), "encoder: {summary}");
        Ok(Arc::new(CachedEncoder::new(encoder, QUERIES_CACHED)))
    })
    .await
}

/// Loading computes and reads for a while: off the async threads.
async fn blocking<E: Encoder + 'static>(
    load: impl FnOnce() -> anyhow::Result<Arc<E>> + Send + 'static,
) -> anyhow::Result<Arc<dyn Encoder>> {
    let encoder = tokio::task::spawn_blocking(load).await;
    Ok(encoder.context("the encoder's thread ended")??)
}

/// The folder of a model, and the file in it where one was named: beside the tokenizer or one folder below it, as
/// exporters put it.
fn place(path: &Path) -> anyhow::Result<(PathBuf, Option<String>)> {
    if path.is_dir() {
        return Ok((path.to_owned(), None));
    }
    if path.extension().is_none_or(|ending| ending != "onnx") {
        bail!(
            "the encoder `{}` is neither a folder nor a file that ends in .onnx",
            path.display()
        );
    }
    let name = |path: &Path| {
        path.file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    let path = std::path::absolute(path)?;
    let folder = path.parent().unwrap_or(Path::new("/"));
    let has_tokenizer = |folder: &Path| TOKENIZERS.iter().any(|file| folder.join(file).is_file());
    match folder.parent() {
        Some(above) if !has_tokenizer(folder) && has_tokenizer(above) => Ok((
            above.to_owned(),
            Some(format!("{}/{}", name(folder), name(&path))),
        )),
        _ => Ok((folder.to_owned(), Some(name(&path)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_stands_for_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir(root.join("onnx")).unwrap();
        for file in ["tokenizer.json", "own.onnx", "onnx/model_O3.onnx", "weights.bin"] {
            std::fs::write(root.join(file), "").unwrap();
        }
        let model = |name: &str| Some(name.to_owned());
        assert_eq!(place(root).unwrap(), (root.to_owned(), None));
        assert_eq!(
            place(&root.join("own.onnx")).unwrap(),
            (root.to_owned(), model("own.onnx"))
        );
        let inner = place(&root.join("onnx/model_O3.onnx")).unwrap();
        assert_eq!(inner, (root.to_owned(), model("onnx/model_O3.onnx")));
        let error = place(&root.join("weights.bin")).unwrap_err().to_string();
        assert!(
            error.contains("neither a folder nor a file that ends in .onnx"),
            "{error}"
        );
    }
}
