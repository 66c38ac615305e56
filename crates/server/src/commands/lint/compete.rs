//! Which tools take each other's place? Asks the selector for each tool by its own first line.

use std::num::NonZeroUsize;
use std::sync::Arc;

use handpick_lint::Finding;
use handpick_lint::compete::{Outcome, ask, findings, tasks};
use handpick_operations::Selector;
use handpick_selection::Index;

use super::source::Source;
use crate::commands::catalog_file::open_listing;
use crate::encoder::EncoderSource;
use crate::terminal::progress_bar;

/// A tool's position, its first line, and that line's vector.
type Asked = ((usize, String), Vec<f32>);

/// First lines encoded at a time.
const BATCH: usize = 64;

/// What the measurement says against the tools' first lines. Nothing where the program has no selection.
pub async fn measure(source: &Source, encoder: Option<&EncoderSource>) -> anyhow::Result<Vec<Finding>> {
    let gateway = open_listing(&source.listing(), encoder, true).await?;
    let outcomes = match &gateway.runtime.selector {
        Some(selector) => outcomes(selector).await?,
        None => Vec::new(),
    };
    gateway.close().await;
    Ok(findings(&source.catalog, &outcomes))
}

async fn outcomes(selector: &Selector) -> anyhow::Result<Vec<Outcome>> {
    let index = selector.index();
    let tasks = tasks(index.catalog());
    let bar = progress_bar(tasks.len(), "asking for each tool in its own words");
    let mut outcomes = Vec::with_capacity(tasks.len());
    for batch in tasks.chunks(BATCH) {
        let lines = batch.iter().map(|(_, line)| line.clone()).collect();
        let vectors = selector.encode(lines).await?;
        let asked = batch.iter().cloned().zip(vectors).collect();
        outcomes.extend(ask_all(&index, asked).await?);
        bar.inc(batch.len() as u64);
    }
    bar.finish_and_clear();
    Ok(outcomes)
}

/// Asks for several tools, on as many threads as there are processors.
async fn ask_all(index: &Arc<Index>, asked: Vec<Asked>) -> anyhow::Result<Vec<Outcome>> {
    let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let asked = Arc::new(asked);
    let share = asked.len().div_ceil(threads).max(1);
    let workers: Vec<_> = (0..threads)
        .map(|worker| {
            let (index, asked) = (Arc::clone(index), Arc::clone(&asked));
            tokio::task::spawn_blocking(move || {
                let mine = asked.iter().skip(worker * share).take(share);
                mine.map(|((position, line), vector)| ask(&index, *position, line, vector))
                    .collect::<Vec<Outcome>>()
            })
        })
        .collect();
    let mut outcomes = Vec::with_capacity(asked.len());
    for worker in workers {
        outcomes.extend(worker.await?);
    }
    Ok(outcomes)
}
