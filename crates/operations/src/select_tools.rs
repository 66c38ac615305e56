//! Which tools fit these tasks?

use std::sync::Arc;
use std::time::Instant;

use handpick_domain::{Caller, Catalog, Surface, Tool, ToolSet};
use handpick_selection::{Explanation, Floor, Index, Tuning, Wording};
use handpick_store::{SelectionRecord, SelectionSource};
use serde_json::json;

use crate::limits::TEXT_CHARS;
use crate::runtime::now_ms;
use crate::{Runtime, Selector};

/// What was asked.
#[derive(Clone, Copy, Debug)]
pub struct Selection<'a> {
    /// Tasks, each one action; checked by the front.
    pub tasks: &'a [String],
    /// The situation.
    pub context: Option<&'a str>,
    /// Most tools per task.
    pub limit: usize,
    /// Another floor than the deployment's own: how rankings are looked at beyond what is returned.
    pub floor: Option<Floor>,
    /// How it was asked for.
    pub source: SelectionSource,
}

/// The answer to a whole request.
#[derive(Debug)]
pub struct Selected {
    /// Identifies the request; an execution may name it later (A15).
    pub query_id: String,
    /// One entry per task, in the order asked (A42).
    pub tasks: Vec<TaskOutcome>,
    /// By task, the probability that anything fits, before the floor; empty where it was not asked for.
    pub fits: Vec<f32>,
}

impl Selected {
    /// An answer under a fresh id.
    pub(crate) fn new(tasks: Vec<TaskOutcome>) -> Self {
        Self {
            query_id: uuid::Uuid::new_v4().to_string(),
            tasks,
            fits: Vec::new(),
        }
    }
}

/// The answer to one task.
#[derive(Debug)]
pub enum TaskOutcome {
    /// The lookup finished. No tool means that nothing fits.
    Found(Vec<Suggested>),
    /// The lookup did not finish; trying again may help.
    Unavailable,
}

/// One tool that fits.
#[derive(Clone, Debug)]
pub struct Suggested {
    /// The tool.
    pub tool: Arc<Tool>,
    /// Its model-facing name.
    pub rendered: Arc<str>,
    /// How well it fits, 0 to 1.
    pub score: f32,
    /// Why.
    pub explanation: Option<Explanation>,
}

/// Finds tools for each task among those the surface allows.
pub async fn select_tools(
    runtime: &Runtime,
    surface: &Surface,
    caller: &Caller,
    selection: Selection<'_>,
) -> Selected {
    let started = Instant::now();
    let answers = match &runtime.selector {
        Some(selector) => select_each(selector, surface, &selection).await,
        None => selection
            .tasks
            .iter()
            .map(|_| (TaskOutcome::Unavailable, 0.0))
            .collect(),
    };
    let (tasks, fits) = answers.into_iter().unzip();
    let selected = Selected {
        fits,
        ..Selected::new(tasks)
    };
    record(runtime, surface, caller, &selection, &selected, started);
    selected
}

/// By task, the outcome and the probability that anything fits.
pub(crate) async fn select_each(
    selector: &Selector,
    surface: &Surface,
    selection: &Selection<'_>,
) -> Vec<(TaskOutcome, f32)> {
    // Asked before the index is taken: an index is shown before it is said to be whole.
    let indexed = selector.progress().borrow().is_done();
    let index = selector.index();
    let allowed = allowed_in(&index, surface);
    let tuning = match selection.floor {
        Some(floor) => &Tuning {
            floor,
            ..selector.tuning().clone()
        },
        None => selector.tuning(),
    };
    let wordings: Vec<Wording> = selection
        .tasks
        .iter()
        .map(|task| Wording::read(&shortened(task), selector.is_multilingual()))
        .collect();
    let context = selection.context.map(shortened);
    let mut texts: Vec<String> = wordings.iter().flat_map(Wording::texts).cloned().collect();
    texts.extend(context.clone());
    let (vectors, complete) = match selector.encode(texts).await {
        Ok(vectors) => (vectors, true),
        Err(error) => {
            tracing::error!(%error, "a request cannot be encoded; it is answered by words alone");
            (Vec::new(), false)
        }
    };
    let mut rest = vectors.as_slice();
    let context_vector = context.as_ref().and(vectors.last()).map(Vec::as_slice);
    let context = context.as_deref().map(|text| (text, context_vector));
    wordings
        .iter()
        .map(|wording| {
            let (own, others) = rest.split_at(wording.texts().len().min(rest.len()));
            rest = others;
            let answer = wording.ask(own, context, |task| {
                handpick_selection::answer(&index, task, &allowed, selection.limit, tuning)
            });
            let whole = || {
                indexed
                    || index.is_lexical_only()
                    || allowed.iter().all(|position| index.has_vector(position))
            };
            if answer.suggestions.is_empty() && !(complete && whole()) {
                // Not every meaning was looked at, so nobody can say yet that nothing fits (A16).
                return (TaskOutcome::Unavailable, answer.fits);
            }
            let shown = answer.suggestions.into_iter().filter_map(|found| {
                let explanation = Some(found.explanation);
                on_surface(&index, surface, found.position, found.score, explanation)
            });
            (TaskOutcome::Found(shown.collect()), answer.fits)
        })
        .collect()
}

/// A tool of the index as the surface knows it. The index may be of a newer catalog, where the same tool
/// has another description or listed name; a caller can only use what its own surface has (P14).
pub(crate) fn on_surface(
    index: &Index,
    surface: &Surface,
    position: usize,
    score: f32,
    explanation: Option<Explanation>,
) -> Option<Suggested> {
    let name = &index.catalog().tools()[position].name;
    let position = surface.catalog.position(name)?;
    Some(suggested(&surface.catalog, position, score, explanation))
}

/// A catalog position as a suggestion.
pub(crate) fn suggested(
    catalog: &Catalog,
    position: usize,
    score: f32,
    explanation: Option<Explanation>,
) -> Suggested {
    Suggested {
        tool: Arc::clone(&catalog.tools()[position]),
        rendered: Arc::clone(catalog.rendered(position)),
        score,
        explanation,
    }
}

/// The surface's allowed tools as positions of the index. The two catalogs differ for a moment after
/// a change, and for as long as a session keeps an older surface.
pub(crate) fn allowed_in(index: &Index, surface: &Surface) -> ToolSet {
    let indexed = index.catalog();
    if indexed.generation() == surface.catalog.generation() {
        return surface.allowed.clone();
    }
    ToolSet::from_fn(indexed.tools().len(), |position| {
        surface
            .catalog
            .position(&indexed.tools()[position].name)
            .is_some_and(|position| surface.allowed.contains(position))
    })
}

/// The part of a text that matching reads (E16).
pub(crate) fn shortened(text: &str) -> String {
    text.chars().take(TEXT_CHARS).collect()
}

/// Notes what was asked for and what was found.
pub(crate) fn record(
    runtime: &Runtime,
    surface: &Surface,
    caller: &Caller,
    selection: &Selection<'_>,
    selected: &Selected,
    started: Instant,
) {
    let tools: Vec<_> = selected
        .tasks
        .iter()
        .map(|task| match task {
            TaskOutcome::Found(found) => found
                .iter()
                .map(|found| json!({"tool": found.tool.name.as_str(), "score": found.score}))
                .collect(),
            TaskOutcome::Unavailable => Vec::new(),
        })
        .collect();
    runtime.recorder.record_selection(SelectionRecord {
        query_id: selected.query_id.clone(),
        at_ms: now_ms(),
        key_id: caller.key_id.clone(),
        user_id: caller.user_id.clone(),
        gateway: surface.gateway.clone(),
        source: selection.source,
        tasks: selection.tasks.len() as u64,
        tasks_json: runtime
            .options
            .record_content
            .then(|| json!(selection.tasks).to_string()),
        tools_json: json!(tools).to_string(),
        latency_us: micros(started),
    });
}

pub(crate) fn micros(started: Instant) -> u64 {
    u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX)
}
