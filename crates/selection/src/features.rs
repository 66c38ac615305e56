//! What speaks for a tool, one number each?

use handpick_domain::ToolSet;

use crate::index::Index;
use crate::lexical::Question;
use crate::words::{self, Word};

/// One request for tools.
#[derive(Clone, Copy, Debug, Default)]
pub struct Task<'a> {
    /// What the tool is needed for.
    pub text: &'a str,
    /// What else is known of the situation. It may change the order, never what is found (A30).
    pub context: Option<&'a str>,
    /// `text` as the encoder sees it; without it words alone decide.
    pub vector: Option<&'a [f32]>,
    /// `context` as the encoder sees it.
    pub context_vector: Option<&'a [f32]>,
}

/// Everything the score of one candidate depends on.
///
/// `Option` is `None` where the evidence does not exist, which is not the same as evidence against.
/// Relative values run from 0 (the weakest allowed tool) to 1 (the strongest).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Features {
    /// The task gives the tool's exact name.
    pub exact_name: bool,
    /// Share of the task's words, weighted by rarity, that the tool's text has: 0 to 1.
    pub coverage: f32,
    /// BM25 of the task, relative.
    pub words: f32,
    /// Cosine between task and tool: -1 to 1.
    pub cosine: Option<f32>,
    /// The cosine, relative.
    pub meaning: Option<f32>,
    /// How much of the app's name the task gives: 0 to 1.
    pub app: f32,
    /// The relative BM25 of the context, when there is one.
    pub context_words: Option<f32>,
    /// The relative cosine of the context.
    pub context_meaning: Option<f32>,
}

/// A tool that may be suggested.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Position in the catalog.
    pub position: usize,
    /// What speaks for it.
    pub features: Features,
}

/// A task read against an index: what the explanation of an answer needs besides the features.
#[derive(Debug)]
pub struct ReadTask<'a> {
    /// The task's words, looked up.
    pub question: Question<'a>,
}

/// The features of every allowed tool, in catalog order.
pub fn gather<'a>(index: &Index, task: &Task<'a>, allowed: &ToolSet) -> (ReadTask<'a>, Vec<Candidate>) {
    let words = words::question_words(task.text);
    let question = index.lexical().read(&words);
    let matches = index.lexical().matches(&question);
    let (own_words, own_meaning) = (
        relative_words(&matches.scores, allowed),
        index.semantic().cosines(task.vector, allowed),
    );
    let relative_meaning = relative(&own_meaning);
    let named = index.names().named_in(task.text, index.catalog().tools().len());
    let apps = index.apps().named_in(&words);
    let context = Context::read(index, task, allowed);
    let candidates = allowed
        .iter()
        .take_while(|&position| position < matches.scores.len())
        .enumerate()
        .map(|(nth, position)| Candidate {
            position,
            features: Features {
                exact_name: named.contains(position),
                coverage: matches.coverage[position].min(1.0),
                words: own_words[nth],
                cosine: own_meaning[nth],
                meaning: relative_meaning[nth],
                app: apps.get(index.apps().of(position)).copied().unwrap_or_default(),
                context_words: context.words.as_ref().map(|words| words[nth]),
                context_meaning: context.meaning.get(nth).copied().flatten(),
            },
        })
        .collect();
    (ReadTask { question }, candidates)
}

/// What the context says about every allowed tool, in catalog order.
struct Context {
    words: Option<Vec<f32>>,
    meaning: Vec<Option<f32>>,
}

impl Context {
    fn read(index: &Index, task: &Task<'_>, allowed: &ToolSet) -> Self {
        let words: Vec<Word<'_>> = task.context.map(words::question_words).unwrap_or_default();
        if words.is_empty() {
            return Self {
                words: None,
                meaning: Vec::new(),
            };
        }
        let scores = index.lexical().matches(&index.lexical().read(&words)).scores;
        Self {
            words: Some(relative_words(&scores, allowed)),
            meaning: relative(&index.semantic().cosines(task.context_vector, allowed)),
        }
    }
}

/// Scores of the allowed tools as shares of the best one. No shared word is zero whoever else matched.
fn relative_words(scores: &[f32], allowed: &ToolSet) -> Vec<f32> {
    let of = |position: usize| scores.get(position).copied().unwrap_or_default();
    let best = allowed.iter().map(of).fold(0.0, f32::max);
    allowed
        .iter()
        .map(|position| if best > 0.0 { of(position) / best } else { 0.0 })
        .collect()
}

/// Cosines stretched so that the lowest is 0 and the highest 1.
fn relative(cosines: &[Option<f32>]) -> Vec<Option<f32>> {
    let lowest = cosines.iter().flatten().copied().fold(f32::INFINITY, f32::min);
    let highest = cosines
        .iter()
        .flatten()
        .copied()
        .fold(f32::NEG_INFINITY, f32::max);
    let range = highest - lowest;
    cosines
        .iter()
        .map(|cosine| {
            cosine.map(|cosine| {
                if range > 0.0 {
                    (cosine - lowest) / range
                } else {
                    1.0
                }
            })
        })
        .collect()
}
