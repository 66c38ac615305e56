//! Where are the files of a hub's model kept, and how do they get there whole?

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use handpick_inference::EncoderFiles;
use http_body_util::BodyExt as _;
use indicatif::{DecimalBytes, ProgressBar};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tokio::fs;
use tokio::io::AsyncWriteExt as _;

use super::hub::{Hub, ListedFile, SILENCE_MAX};
use super::source::{HubModel, is_safe_file};
use crate::terminal::{byte_bar, note};

/// The folder below the data folder.
const FOLDER: &str = "encoders";

/// Written last, so that a folder with it is complete.
const RECEIPT: &str = "received.json";

/// What was fetched.
#[derive(Debug, Deserialize, Serialize)]
struct Receipt {
    model: String,
    revision: String,
    commit: String,
    files: Vec<Received>,
}

/// One fetched file.
#[derive(Debug, Deserialize, Serialize)]
struct Received {
    name: String,
    bytes: u64,
    sha256: String,
}

/// The folder with the files of `model`, below `data`. What was fetched once is used without asking anyone.
pub async fn fetched(model: &HubModel, data: &Path) -> anyhow::Result<PathBuf> {
    let owned = data.join(FOLDER).join(model.repository.replace('/', "--"));
    let folder = owned.join(&model.revision);
    if is_complete(&folder, model).await {
        return Ok(folder);
    }
    let hub = Hub::of_environment()?;
    let partial = owned.join(format!(".{}.partial", model.revision));
    match fetch(&hub, model, &partial, &folder).await {
        Ok(()) => Ok(folder),
        // Another process was faster, and took the partial folder with it.
        Err(_) if is_complete(&folder, model).await => Ok(folder),
        Err(error) => Err(error.context(format!(
            "there is no folder `{model}`, and the model of that name cannot be fetched from {}",
            hub.endpoint()
        ))),
    }
}

/// Whether everything that is listed in the receipt is there.
async fn is_complete(folder: &Path, model: &HubModel) -> bool {
    let Ok(text) = fs::read(folder.join(RECEIPT)).await else {
        return false;
    };
    let Ok(receipt) = serde_json::from_slice::<Receipt>(&text) else {
        return false;
    };
    for file in &receipt.files {
        let found = fs::metadata(folder.join(&file.name)).await;
        if !found.is_ok_and(|found| found.len() == file.bytes) {
            return false;
        }
    }
    let wanted = model.file.as_ref();
    wanted.is_none_or(|wanted| receipt.files.iter().any(|file| file.name == *wanted))
}

async fn fetch(hub: &Hub, model: &HubModel, partial: &Path, folder: &Path) -> anyhow::Result<()> {
    let listing = hub.listing(model).await?;
    let names: Vec<String> = listing.files.iter().map(|file| file.name.clone()).collect();
    let chosen = EncoderFiles::choose(&names, model.file.as_deref())?;
    let files: Vec<&ListedFile> = chosen
        .all()
        .filter_map(|name| listing.files.iter().find(|file| file.name == name))
        .collect();
    if let Some(file) = files.iter().find(|file| !is_safe_file(&file.name)) {
        bail!("it lists a file `{}`, which cannot be kept", file.name);
    }
    // Every file of one commit, whatever is published meanwhile.
    let commit = listing.sha.unwrap_or_else(|| model.revision.clone());
    let total: u64 = files.iter().filter_map(|file| file.size).sum();
    note(format!(
        "fetching `{model}` (commit {commit}) from {}: {} files, {}, once, into {}",
        hub.endpoint(),
        files.len(),
        DecimalBytes(total),
        folder.display()
    ));
    fs::create_dir_all(partial)
        .await
        .with_context(|| format!("cannot make the folder `{}`", partial.display()))?;
    let bar = byte_bar(total, "fetching");
    let mut received = Vec::with_capacity(files.len());
    for file in files {
        let target = partial.join(&file.name);
        let done = match kept(file, &target).await {
            Some(done) => {
                bar.inc(done.bytes);
                done
            }
            None => fetch_file(hub, model, &commit, file, &target, &bar).await?,
        };
        received.push(done);
    }
    bar.finish_and_clear();
    for file in &received {
        note(format!(
            "  {}, {}, sha256 {}",
            file.name,
            DecimalBytes(file.bytes),
            file.sha256
        ));
    }
    let receipt = Receipt {
        model: model.repository.clone(),
        revision: model.revision.clone(),
        commit,
        files: received,
    };
    let text = serde_json::to_vec_pretty(&receipt)?;
    fs::write(partial.join(RECEIPT), text).await?;
    if folder.exists() {
        fs::remove_dir_all(folder).await?;
    }
    fs::rename(partial, folder)
        .await
        .with_context(|| format!("cannot move the files to `{}`", folder.display()))
}

/// A file that an interrupted run fetched whole.
async fn kept(file: &ListedFile, target: &Path) -> Option<Received> {
    let content = fs::read(target).await.ok()?;
    let done = Received {
        name: file.name.clone(),
        bytes: content.len() as u64,
        sha256: hex(&Sha256::digest(&content)),
    };
    check(file, None, &done).is_ok().then_some(done)
}

/// Fetches one file, under another name until it is whole.
async fn fetch_file(
    hub: &Hub,
    model: &HubModel,
    commit: &str,
    file: &ListedFile,
    target: &Path,
    bar: &ProgressBar,
) -> anyhow::Result<Received> {
    let response = hub.file(model, commit, &file.name).await?;
    let length = response.headers().get(http::header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse().ok());
    let parent = target.parent().unwrap_or(Path::new("."));
    let unfinished = parent.join(format!(
        "unfinished-{}-{}",
        std::process::id(),
        target.file_name().unwrap_or_default().to_string_lossy()
    ));
    let written = async {
        fs::create_dir_all(parent).await?;
        let mut output = fs::File::create(&unfinished).await?;
        let mut body = response.into_body();
        let mut digest = Sha256::new();
        let mut bytes = 0_u64;
        while let Some(frame) = tokio::time::timeout(SILENCE_MAX, body.frame())
            .await
            .context("the hub fell silent")?
        {
            let frame = frame.map_err(|error| anyhow!("the connection broke: {error}"))?;
            let Ok(data) = frame.into_data() else { continue };
            output.write_all(&data).await?;
            digest.update(&data);
            bytes += data.len() as u64;
            bar.inc(data.len() as u64);
        }
        output.sync_all().await?;
        let done = Received {
            name: file.name.clone(),
            bytes,
            sha256: hex(&digest.finalize()),
        };
        check(file, length, &done)?;
        fs::rename(&unfinished, target).await?;
        anyhow::Ok(done)
    }
    .await;
    if written.is_err() {
        // Whatever came is of no use, and whether it can be removed changes nothing.
        let _ = fs::remove_file(&unfinished).await;
    }
    written.with_context(|| format!("the file `{}` was not received", file.name))
}

/// Whether what came is what was announced.
fn check(file: &ListedFile, length: Option<u64>, done: &Received) -> anyhow::Result<()> {
    for announced in [file.size, length].into_iter().flatten() {
        if announced != done.bytes {
            bail!("{} bytes came of {announced}", done.bytes);
        }
    }
    match file.sha256() {
        Some(announced) if !announced.eq_ignore_ascii_case(&done.sha256) => {
            bail!("its sha256 is {}, not {announced}", done.sha256)
        }
        _ => Ok(()),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
