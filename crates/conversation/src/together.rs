//! How does what one tool needs speak for another?

use std::collections::BTreeMap;

use handpick_selection::ranker::sigmoid;

use crate::evidence::Evidence;
use crate::prepared::Prepared;

/// Names of the numbers that come on top of [`Evidence`].
const MORE: [&str; 8] = [
    "alone_odds",
    "alone_gap",
    "alone_rank",
    "supplies_need",
    "supplies_rank",
    "supplies_sure",
    "follows_likely",
    "beside_likely",
];

/// The numbers of the second model by name: those of [`Evidence`], then what other tools add.
pub(crate) fn names() -> Vec<&'static str> {
    Evidence::NAMES.into_iter().chain(MORE).collect()
}

/// For each tool of `allowed` the numbers of the second model, given what the first one says of each (`alone`, logarithms
/// of odds).
pub(crate) fn numbers(
    turn: &Prepared<'_>,
    allowed: &[usize],
    evidence: &[Evidence],
    alone: &[f32],
) -> Vec<Vec<f32>> {
    let place: BTreeMap<usize, usize> = allowed
        .iter()
        .enumerate()
        .map(|(nth, &position)| (position, nth))
        .collect();
    let probable: Vec<f32> = alone.iter().map(|&odds| sigmoid(odds)).collect();
    let mut order: Vec<f32> = alone.to_vec();
    order.sort_by(|a, b| b.total_cmp(a));
    let best = order.first().copied().unwrap_or_default();
    let mut supplies = vec![Supply::default(); allowed.len()];
    let mut follows = vec![0.0_f32; allowed.len()];
    let mut beside = vec![0.0_f32; allowed.len()];
    for (nth, &position) in allowed.iter().enumerate() {
        let mut providers: BTreeMap<_, Vec<(usize, f32)>> = BTreeMap::new();
        for edge in turn.agent.graph().into_tool(position) {
            if !turn.resolved.lacks(&edge.name) || edge.provider == position {
                continue;
            }
            if let Some(&provider) = place.get(&edge.provider) {
                providers
                    .entry(&edge.name)
                    .or_default()
                    .push((provider, edge.confidence));
            }
        }
        for mut providers in providers.into_values() {
            let promise = |&(provider, sure): &(usize, f32)| probable[provider] * sure;
            providers.sort_by(|a, b| promise(b).total_cmp(&promise(a)).then(a.0.cmp(&b.0)));
            for (rank, (provider, sure)) in providers.into_iter().enumerate() {
                supplies[provider].take(probable[nth] * sure, rank, sure);
            }
        }
        for (next, share) in turn.agent.graph().follows(position) {
            if let Some(&next) = place.get(&next).filter(|&&next| next != nth) {
                follows[next] = follows[next].max(probable[nth] * share);
            }
        }
        for (other, share) in turn.agent.graph().beside(position) {
            if let Some(&other) = place.get(&other).filter(|&&other| other != nth) {
                beside[other] = beside[other].max(probable[nth] * share);
            }
        }
    }
    evidence
        .iter()
        .enumerate()
        .map(|(nth, evidence)| {
            let rank = order.partition_point(|&other| other > alone[nth]);
            let supply = supplies[nth];
            let more = [
                alone[nth],
                best - alone[nth],
                rank as f32,
                supply.need,
                supply.rank,
                supply.sure,
                follows[nth],
                beside[nth],
            ];
            evidence.numbers().into_iter().chain(more).collect()
        })
        .collect()
}

/// How much a tool is wanted for an id it supplies.
#[derive(Clone, Copy)]
struct Supply {
    /// Probability that a tool is needed which lacks the id, times how sure the link is.
    need: f32,
    /// How many other providers of that id are more probable.
    rank: f32,
    sure: f32,
}

impl Default for Supply {
    fn default() -> Self {
        Self {
            need: 0.0,
            rank: f32::NAN,
            sure: 0.0,
        }
    }
}

impl Supply {
    fn take(&mut self, need: f32, rank: usize, sure: f32) {
        if need > self.need {
            *self = Self {
                need,
                rank: rank as f32,
                sure,
            };
        }
    }
}
