//! What speaks for and against the arguments that were read, in numbers?

use crate::assign::asked::Candidate;
use crate::intent::{Asking, asks_for_action};
use crate::kind::Kind;
use crate::mapped::{Mapped, Origin};
use crate::meaning::Meaning;

/// A score below this one was earned by a weak cue.
const WEAK: f32 = 0.8;

/// Features of one mapping for a model that judges how sure it is. All lie between 0 and 1 but for the counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Sureness of the least sure required argument; 1 where nothing is required, 0 where one is missing.
    pub least_required: f32,
    /// Mean sureness of all arguments; 1 where there is none.
    pub mean_sureness: f32,
    /// Sureness of the least sure argument, optional ones included; 1 where there is none.
    pub least_sureness: f32,
    /// Share of the request's telling words that are explained.
    pub explained: f32,
    /// How many required arguments are missing.
    pub missing: f32,
    /// How many arguments are torn.
    pub torn: f32,
    /// Whether the request asks for an action now.
    pub asks: f32,
    /// Whether the request asks for several actions.
    pub several: f32,
    /// Share of optional arguments that weak cues gave.
    pub weak_optional: f32,
    /// Whether a text was taken up to the end of what was said.
    pub whole_text: f32,
    /// Whether an id of the request itself names what the tool works on.
    pub explicit_id: f32,
    /// Share of arguments that the context gave.
    pub from_context: f32,
    /// How many required arguments there are.
    pub required: f32,
    /// How many optional arguments were filled.
    pub optional: f32,
    /// How many values of the request (ids, times, amounts, quoted texts, …) no argument took.
    pub unread: f32,
}

impl Evidence {
    /// Names of the features, in the order of [`Evidence::values`].
    pub const NAMES: [&'static str; 15] = [
        "least_required",
        "mean_sureness",
        "least_sureness",
        "explained",
        "missing",
        "torn",
        "asks",
        "several",
        "weak_optional",
        "whole_text",
        "explicit_id",
        "from_context",
        "required",
        "optional",
        "unread",
    ];

    /// The features, in the order of [`Evidence::NAMES`].
    pub fn values(&self) -> [f32; 15] {
        [
            self.least_required,
            self.mean_sureness,
            self.least_sureness,
            self.explained,
            self.missing,
            self.torn,
            self.asks,
            self.several,
            self.weak_optional,
            self.whole_text,
            self.explicit_id,
            self.from_context,
            self.required,
            self.optional,
            self.unread,
        ]
    }
}

/// The evidence of a mapping.
pub(crate) fn of(mapped: &Mapped, text: &str, meanings: &[Meaning], chosen: &[Candidate]) -> Evidence {
    let asking = asks_for_action(text);
    let scores: Vec<f32> = mapped.sureness.values().copied().collect();
    let of_chosen = |required: bool| {
        chosen.iter().filter(move |candidate| {
            meanings
                .get(candidate.parameter)
                .is_some_and(|meaning| meaning.is_required() == required)
        })
    };
    let required = count(meanings.iter().filter(|meaning| meaning.is_required()).count());
    let optional = of_chosen(false).count();
    let weak = of_chosen(false)
        .filter(|candidate| candidate.score < WEAK)
        .count();
    let least_of_required = of_chosen(true)
        .map(|candidate| candidate.score)
        .fold(1.0, f32::min);
    let from_context = chosen
        .iter()
        .filter(|candidate| candidate.origin == Origin::Context)
        .count();
    Evidence {
        least_required: if mapped.missing.is_empty() {
            least_of_required
        } else {
            0.0
        },
        mean_sureness: if scores.is_empty() {
            1.0
        } else {
            scores.iter().sum::<f32>() / count(scores.len())
        },
        least_sureness: scores.iter().copied().fold(1.0, f32::min),
        explained: mapped.explained,
        missing: count(mapped.missing.len()),
        torn: count(mapped.torn.len()),
        asks: flag(matches!(asking, Asking::Yes)),
        several: flag(matches!(asking, Asking::Several)),
        weak_optional: if optional == 0 {
            0.0
        } else {
            count(weak) / count(optional)
        },
        whole_text: flag(chosen.iter().any(|candidate| candidate.whole)),
        explicit_id: flag(chosen.iter().any(|candidate| is_explicit_id(candidate, meanings))),
        from_context: if chosen.is_empty() {
            0.0
        } else {
            count(from_context) / count(chosen.len())
        },
        required,
        optional: count(optional),
        unread: 0.0,
    }
}

fn count(number: usize) -> f32 {
    f32::from(u16::try_from(number).unwrap_or(u16::MAX))
}

fn flag(is: bool) -> f32 {
    if is { 1.0 } else { 0.0 }
}

/// Whether an id of the request itself says surely what is worked on.
fn is_explicit_id(candidate: &Candidate, meanings: &[Meaning]) -> bool {
    candidate.origin == Origin::Request
        && candidate.score >= WEAK
        && meanings
            .get(candidate.parameter)
            .is_some_and(|meaning| meaning.kind == Kind::Id)
}
