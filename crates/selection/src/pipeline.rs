//! How does a task become a short list of tools? The recipe, top to bottom.

use std::collections::BTreeMap;
use std::sync::Arc;

use handpick_domain::ToolSet;

use crate::answerability::{Answerability, Signals};
use crate::arrange::{Contender, arrange};
use crate::explanation::Explanation;
use crate::features::{self, Feature, Features, Task};
use crate::floor::Floor;
use crate::index::Index;
use crate::lexical::Question;
use crate::ranker::{self, Ranker};

/// What may be set about selection.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// How probable it is that a tool serves a task.
    pub ranker: Arc<Ranker>,
    /// How probable it is that anything does.
    pub answerability: Arc<Answerability>,
    /// What is no match.
    pub floor: Floor,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            ranker: Ranker::embedded(),
            answerability: Answerability::embedded(),
            floor: Floor::default(),
        }
    }
}

/// A tool that fits a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// Position in the catalog.
    pub position: usize,
    /// The probability that the tool serves the task, or one of the things the task asks for: 0 to 1.
    pub score: f32,
    /// Why it was suggested.
    pub explanation: Explanation,
}

/// What selection says to a task.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The probability that any allowed tool fits: 0 to 1. Whatever the context, and before the floor.
    pub fits: f32,
    /// The tools that fit best, as [`select`] returns them.
    pub suggestions: Vec<Suggestion>,
}

/// The tools that fit a task best, at most `limit`, best first. Empty when nothing fits.
///
/// A task that asks for several things gets the best tool of each before the second best of any, so the scores
/// need not fall from suggestion to suggestion.
///
/// Only tools of `allowed` are looked at, so that hidden ones take nobody's place (A19, A31). The same
/// arguments always give the same answer; equal scores are ordered by canonical name (A30).
pub fn select(
    index: &Index,
    task: &Task<'_>,
    allowed: &ToolSet,
    limit: usize,
    tuning: &Tuning,
) -> Vec<Suggestion> {
    answer(index, task, allowed, limit, tuning).suggestions
}

/// As [`select`], with the probability that anything fits.
pub fn answer(index: &Index, task: &Task<'_>, allowed: &ToolSet, limit: usize, tuning: &Tuning) -> Answer {
    let readings = readings(index, task, allowed);
    let mut contenders = contenders(&readings, &tuning.ranker);
    let fits = if contenders.iter().any(|contender| contender.named) {
        1.0
    } else if contenders.is_empty() {
        0.0
    } else {
        let signals = signals_of(index, &readings, &tuning.ranker);
        tuning.answerability.probability(&signals)
    };
    let best = contenders
        .iter()
        .map(|contender| contender.fit)
        .fold(0.0, f32::max);
    let least = tuning.floor.under(fits, best).unwrap_or(f32::INFINITY);
    contenders.retain(|contender| contender.named || contender.fit >= least);
    let arranged = arrange(contenders, limit);
    Answer {
        fits,
        suggestions: explained(index, &readings, arranged, &tuning.ranker),
    }
}

/// What the probability that anything fits is made of, for whoever fits it.
pub fn signals(index: &Index, task: &Task<'_>, allowed: &ToolSet, ranker: &Ranker) -> Signals {
    signals_of(index, &readings(index, task, allowed), ranker)
}

fn signals_of(index: &Index, readings: &[Reading<'_>], ranker: &Ranker) -> Signals {
    let features: Vec<_> = readings.iter().map(|reading| &reading.features).collect();
    Signals::of(&features, ranker, |position| index.apps().of(position))
}

/// One wording, the whole task or a clause of it, and what it says about the tools.
struct Reading<'a> {
    question: Question<'a>,
    features: BTreeMap<usize, Features>,
}

/// The whole task first, then its clauses.
fn readings<'a>(index: &Index, task: &Task<'a>, allowed: &ToolSet) -> Vec<Reading<'a>> {
    let clauses = task.clauses.iter().map(|clause| Task {
        text: clause.text,
        vector: clause.vector,
        clauses: &[],
        ..*task
    });
    std::iter::once(*task)
        .chain(clauses)
        .map(|part| {
            let (question, candidates) = features::gather(index, &part, task.text, allowed);
            let features = candidates
                .into_iter()
                .map(|candidate| (candidate.position, candidate.features))
                .collect();
            Reading { question, features }
        })
        .collect()
}

fn contenders(readings: &[Reading<'_>], ranker: &Ranker) -> Vec<Contender> {
    let mut contenders: BTreeMap<usize, Contender> = BTreeMap::new();
    for (number, reading) in readings.iter().enumerate() {
        for (&position, features) in &reading.features {
            let contender = contenders
                .entry(position)
                .or_insert_with(|| Contender::new(position, readings.len()));
            let log_odds = ranker.log_odds(features);
            contender.fits[number] = ranker::sigmoid(log_odds + ranker.context(features));
            contender.fit = contender.fit.max(ranker::sigmoid(log_odds));
            if contender.fits[number] > contender.fits[contender.reading] {
                contender.reading = number;
            }
            contender.named |= features.get(Feature::ExactName) == Some(1.0);
        }
    }
    let mut contenders: Vec<Contender> = contenders.into_values().collect();
    if contenders.iter().any(|contender| contender.named) {
        contenders.iter_mut().for_each(beside_a_name);
    }
    contenders
}

/// Whoever writes a tool's exact name means that tool, and hardly another.
fn beside_a_name(contender: &mut Contender) {
    let surer = |fit: f32| 0.95 + 0.05 * fit;
    let less = |fit: f32| 0.9 * fit;
    let change: &dyn Fn(f32) -> f32 = if contender.named { &surer } else { &less };
    contender.fit = change(contender.fit);
    for fit in &mut contender.fits {
        *fit = change(*fit);
    }
}

fn explained(
    index: &Index,
    readings: &[Reading<'_>],
    arranged: Vec<Contender>,
    ranker: &Ranker,
) -> Vec<Suggestion> {
    arranged
        .into_iter()
        .map(|contender| {
            let reading = &readings[contender.reading];
            let features = reading
                .features
                .get(&contender.position)
                .copied()
                .unwrap_or_default();
            let shared = index
                .lexical()
                .shared_words(&reading.question, contender.position);
            Suggestion {
                position: contender.position,
                score: contender.score(),
                explanation: Explanation {
                    features,
                    score: ranker.score(&features),
                    shared_words: shared.into_iter().map(str::to_owned).collect(),
                },
            }
        })
        .collect()
}

/// Sorts by score, best first, equal ones by position, and keeps at most `limit`.
pub(crate) fn keep_best<T>(items: &mut Vec<T>, limit: usize, key: impl Fn(&T) -> (f32, usize)) {
    let order = |a: &T, b: &T| {
        let ((score_a, position_a), (score_b, position_b)) = (key(a), key(b));
        score_b.total_cmp(&score_a).then(position_a.cmp(&position_b))
    };
    if limit == 0 {
        items.clear();
    } else if items.len() > limit {
        items.select_nth_unstable_by(limit - 1, order);
        items.truncate(limit);
    }
    items.sort_unstable_by(order);
}
