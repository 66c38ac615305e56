//! What speaks for a tool with its arguments being what was asked, one number each?

use std::collections::{BTreeMap, BTreeSet};

use handpick_mapping::{Mapped, Origin};
use handpick_selection::words::spelled_out;
use handpick_selection::{Explanation, Feature};

use super::deeds::{Asked, Named};
use super::harm::Harm;
use super::leftover::Leftover;
use super::rank::Ranked;

/// A required argument read less surely than this was read from a weak cue.
const WEAK: f32 = 0.7;

/// What parameters are called that take any text.
const TEXTS: [&str; 15] = [
    "name",
    "title",
    "label",
    "subject",
    "summary",
    "text",
    "message",
    "content",
    "body",
    "comment",
    "query",
    "path",
    "directory",
    "folder",
    "file",
];

macro_rules! signals {
    ($($(#[$doc:meta])* $variant:ident $name:literal,)*) => {
        /// A kind of evidence for one tool with its arguments.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Signal { $($(#[$doc])* $variant,)* }

        impl Signal {
            /// All of them, in the order of [`Signals`].
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// Its name in data files.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

signals! {
    /// Logarithm of the odds that the tool serves the request: -6 to 6.
    Tool "tool",
    /// How far these are above the best of the other tools': -6 to 6.
    Lead "lead",
    /// Logarithm of the odds that any tool does: -6 to 6.
    Fits "fits",
    /// 1 where the request gives the tool's exact name.
    ExactName "exact_name",
    /// How much the request names the tool's app, or its product: 0 to 1.
    AppNamed "app_named",
    /// Whether the verbs agree: 1 the same action, -1 the opposite, 0 unknown.
    Action "action",
    /// How far the cosine is below the best one: 0 for the best.
    CosineGap "cosine_gap",
    /// Share of the words of the tool's own name that the request has.
    NameFound "name_found",
    /// Share of the request's telling words that the tool or an argument explains: 0 to 1.
    Explained "explained",
    /// How far that share is above the best of the other tools': -1 to 1.
    ExplainedLead "explained_lead",
    /// Sureness of the argument that is least sure; 1 where there is none.
    LeastSure "least_sure",
    /// Mean sureness of the arguments; 1 where there is none.
    MeanSure "mean_sure",
    /// Sureness of the required argument that is least sure; 1 where there is none, 0 where one is missing.
    LeastRequired "least_required",
    /// How many required arguments there are, up to 4.
    Required "required",
    /// How many optional arguments were read, up to 4.
    Optional "optional",
    /// Share of the optional arguments that weak cues gave.
    WeakOptional "weak_optional",
    /// 1 where a required argument of a tool that changes something was read from a weak cue.
    WeakTarget "weak_target",
    /// 1 where a text was taken up to the end of what was said.
    WholeText "whole_text",
    /// 1 where an id of the request itself names what the tool works on.
    ExplicitId "explicit_id",
    /// Share of the arguments that the context gave.
    FromContext "from_context",
    /// 1 where nothing of the request had to fit the tool: it needs no argument, and none was read.
    NothingNeeded "nothing_needed",
    /// Arguments that several values fit, up to 3.
    Torn "torn",
    /// Required arguments that are not given, up to 3.
    Missing "missing",
    /// Words of the request that neither the tool nor an argument explains, up to 6.
    LeftWords "left_words",
    /// Of these, the words right behind a preposition, up to 3.
    LeftObjects "left_objects",
    /// Values of the request that are in no argument, up to 3.
    LeftValues "left_values",
    /// Parameters that the request names and the call does not give, up to 3.
    LeftNamed "left_named",
    /// Words that nothing explains and that stand in what is said of parameters the call does not give, up to 3.
    LeftDescribed "left_described",
    /// Words such as `only` and `without` before words that nothing explains, up to 3.
    LeftModifiers "left_modifiers",
    /// Arguments taken out of lists whose other members are in no argument, up to 2.
    LeftSiblings "left_siblings",
    /// 2 where an id went to a parameter for something else than it is said to be of, 1 where that may be.
    StrayId "stray_id",
    /// 1 where the tool does the opposite of what the request begins with.
    Opposed "opposed",
    /// 1 where the tool and its arguments explain all that the request says.
    AllSaid "all_said",
    /// Values that begin or end within a word of the request, or share words with another value, up to 3.
    TornOff "torn_off",
    /// Other ids of the context, where nothing says which one is meant, up to 2.
    LeftContext "left_context",
    /// How far the tool's log odds are above those of the best other tool that could run as well: -6 to 6.
    ReadyLead "ready_lead",
    /// Where no app is named: 1 where a tool of another app could run with the same values and explains as much, 2 where
    /// it explains more.
    Twin "twin",
    /// 1 where the name of a tool of another app says the same of what is asked, and no value tells the two apart.
    Kin "kin",
    /// 1 where the request begins with a verb that another tool is called after, and that this one knows nothing of.
    DoneElsewhere "done_elsewhere",
    /// 1 for a tool that takes away, replaces, pays or reaches people outside.
    Destroys "destroys",
    /// 1 for a tool that only looks something up.
    Reads "reads",
}

/// What a tool is to the others.
#[derive(Clone, Debug)]
pub(super) struct Rival {
    app: String,
    explained: f32,
    odds: f32,
    ready: bool,
    /// How much the request names its app.
    app_named: f32,
    left_words: f32,
    /// What was read from the request, in its words.
    read: BTreeSet<String>,
    /// Of this, what was read as a place in a file system.
    paths: BTreeSet<String>,
    /// What was read from the context.
    of_context: BTreeSet<String>,
    /// Its parameters that the context has by name.
    in_context: BTreeSet<String>,
    named: Named,
    /// The names of required arguments that are not given.
    missing: Vec<String>,
    is_torn: bool,
    /// Whether it is no rival but for its name.
    is_spare: bool,
}

/// Whether a parameter's name says that any text may be meant by it.
fn takes_any_text(name: &str) -> bool {
    let name = spelled_out(name.rsplit('.').next().unwrap_or(name));
    name.split(' ')
        .next_back()
        .is_some_and(|last| TEXTS.contains(&last))
}

/// The absolute paths that went to parameters for paths.
fn paths(mapped: &Mapped) -> BTreeSet<String> {
    let is_path = |words: &str| words.starts_with(['/', '~', '.']) || words.get(1..3) == Some(":\\");
    let takes_paths = |name: &str| {
        let name = spelled_out(name);
        name.split(' ')
            .any(|word| matches!(word, "path" | "paths" | "dir" | "directory" | "folder" | "file"))
    };
    mapped
        .sources
        .iter()
        .filter(|(name, source)| is_path(&source.words) && takes_paths(name))
        .map(|(_, source)| source.words.clone())
        .collect()
}

impl Rival {
    /// A tool that could run has all that it needs, and no value that fits twice.
    pub fn of(candidate: &super::decide::Candidate) -> Self {
        let read = |origin: Origin| {
            let sources = candidate.mapped.sources.values();
            sources
                .filter(|source| source.origin == origin)
                .map(|source| source.words.clone())
                .collect()
        };
        let missing = candidate.mapped.missing.iter();
        Self {
            app: candidate.tool.name.app().to_owned(),
            explained: candidate.mapped.explained,
            odds: candidate.signals.get(Signal::Tool),
            ready: candidate.mapped.missing.is_empty() && candidate.mapped.torn.is_empty(),
            app_named: candidate.signals.get(Signal::AppNamed),
            left_words: candidate.signals.get(Signal::LeftWords),
            read: read(Origin::Request),
            paths: paths(&candidate.mapped),
            of_context: read(Origin::Context),
            in_context: candidate.in_context.clone(),
            named: candidate.named.clone(),
            missing: missing.map(|missing| missing.name.clone()).collect(),
            is_spare: candidate.is_spare,
            is_torn: !candidate.mapped.torn.is_empty(),
        }
    }

    /// Whether the request says nothing that would tell the two apart.
    fn is_twin(&self, other: &Self) -> bool {
        self.app != other.app
            && other.ready
            && self.app_named <= other.app_named
            && other.explained >= self.explained - 0.01
            && other.left_words <= self.left_words
            && self.read == other.read
    }

    /// Whether the other's name says the same of what is asked, and no value tells the two apart. One that needs a name
    /// or a text may mean a value by it that this one took.
    fn is_kin(&self, other: &Self, asked: &Asked) -> bool {
        let could_take = || {
            let left = self.read.difference(&other.read).count();
            !other.is_torn
                && other.missing.len() <= left
                && other.missing.iter().all(|name| takes_any_text(name))
                && other.read.is_subset(&self.read)
        };
        // `project_id` beside nothing for the other says which is meant.
        let is_told_by_context = !self.of_context.is_subset(&other.of_context)
            && other.of_context.is_subset(&self.of_context)
            && other.in_context.is_subset(&self.in_context);
        // `get_customer_balance` beside `get_customer`: what is owed tells them apart.
        let is_as_plain = self.named.is_all_said(asked)
            || other.left_words <= self.left_words && other.explained >= self.explained - 0.01;
        // A place in a file system is no name.
        let is_place = !self.paths.is_subset(&other.paths);
        self.app_named <= other.app_named
            && !is_place
            && self.named.is_like(&other.named, asked)
            && !is_told_by_context
            && is_as_plain
            && if other.missing.is_empty() {
                // `in project web/shop` beside a tool that knows no projects tells the two apart.
                let otherwise = self.named.worded_otherwise(&other.named);
                other.ready
                    && self.read.is_subset(&other.read)
                    && other.left_words <= self.left_words + otherwise
            } else {
                could_take()
            }
    }
}

/// The evidence for one tool: one number for each of [`Signal::ALL`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signals([f32; Signal::ALL.len()]);

impl Default for Signals {
    fn default() -> Self {
        Self([0.0; Signal::ALL.len()])
    }
}

impl Signals {
    /// The number.
    pub fn get(&self, signal: Signal) -> f32 {
        self.0[signal as usize]
    }

    /// With one number set. What is no number counts as 0.
    #[must_use]
    pub fn with(mut self, signal: Signal, value: f32) -> Self {
        self.0[signal as usize] = if value.is_finite() { value } else { 0.0 };
        self
    }

    /// All of them by name, for whoever fits the model.
    pub fn by_name(&self) -> BTreeMap<&'static str, f32> {
        Signal::ALL
            .into_iter()
            .map(|signal| (signal.name(), self.get(signal)))
            .collect()
    }

    /// What the ranking says of a tool.
    pub(super) fn of_tool(ranked: &Ranked, fits: f32, harm: Harm) -> Self {
        let explanation = ranked.found.explanation.as_ref();
        let feature = |feature: Feature| {
            explanation.and_then(|explanation: &Explanation| explanation.features.get(feature))
        };
        // What the ranking did not find is far from the request.
        let gap = feature(Feature::CosineGap).unwrap_or(f32::from(ranked.is_spare));
        Self::default()
            .with(Signal::Tool, ranked.odds)
            .with(Signal::Lead, ranked.lead)
            .with(Signal::Fits, fits)
            .with(Signal::ExactName, feature(Feature::ExactName).unwrap_or_default())
            .with(
                Signal::AppNamed,
                feature(Feature::App)
                    .unwrap_or_default()
                    .max(feature(Feature::Vendor).unwrap_or_default()),
            )
            .with(Signal::Action, feature(Feature::Action).unwrap_or_default())
            .with(Signal::CosineGap, gap)
            .with(Signal::NameFound, feature(Feature::NameFound).unwrap_or_default())
            .with(Signal::Destroys, f32::from(harm == Harm::Destroys))
            .with(Signal::Reads, f32::from(harm == Harm::Reads))
    }

    /// With what the arguments say.
    #[must_use]
    pub(super) fn with_arguments(self, mapped: &Mapped) -> Self {
        let facts = mapped.evidence();
        let nothing_needed = facts.required < 0.5 && mapped.arguments.is_empty();
        self.with(Signal::Explained, facts.explained)
            .with(Signal::LeastSure, facts.least_sureness)
            .with(Signal::MeanSure, facts.mean_sureness)
            .with(Signal::LeastRequired, facts.least_required)
            .with(Signal::Required, facts.required.min(4.0))
            .with(Signal::Optional, facts.optional.min(4.0))
            .with(Signal::WeakOptional, facts.weak_optional)
            .with(
                Signal::WeakTarget,
                f32::from(facts.least_required < WEAK && self.get(Signal::Reads) == 0.0),
            )
            .with(Signal::WholeText, facts.whole_text)
            .with(Signal::ExplicitId, facts.explicit_id)
            .with(Signal::FromContext, facts.from_context)
            .with(Signal::NothingNeeded, f32::from(nothing_needed))
            .with(Signal::Torn, facts.torn.min(3.0))
            .with(Signal::Missing, facts.missing.min(3.0))
    }

    /// With how it stands among the others; `nth` is its own place there.
    #[must_use]
    pub(super) fn beside(self, all: &[Rival], nth: usize, asked: &Asked) -> Self {
        let all_others = || {
            all.iter()
                .enumerate()
                .filter(|(other, _)| *other != nth)
                .map(|(_, rival)| rival)
        };
        let others = || all_others().filter(|other| !other.is_spare);
        let best = others().map(|rival| rival.explained).fold(0.0, f32::max);
        let explained = self.get(Signal::Explained);
        // One that explains clearly less of the request is no rival, however near.
        let ready = others().filter(|rival| rival.ready && rival.explained >= explained - 0.15);
        let odds = ready.map(|rival| rival.odds).fold(-12.0, f32::max);
        let twins = || {
            let own = all.get(nth);
            others().filter(move |other| own.is_some_and(|own| own.is_twin(other)))
        };
        let outdone = twins().any(|twin| twin.explained > explained + 0.05);
        let twin = f32::from(twins().next().is_some()) + f32::from(outdone);
        let own = all.get(nth);
        let kin = all_others().any(|other| own.is_some_and(|own| own.is_kin(other, asked)));
        self.with(Signal::ExplainedLead, explained - best)
            .with(
                Signal::ReadyLead,
                (self.get(Signal::Tool) - odds).clamp(-6.0, 6.0),
            )
            .with(Signal::Twin, twin)
            .with(Signal::Kin, f32::from(kin))
    }

    /// With what the call leaves unsaid.
    #[must_use]
    pub(super) fn with_leftover(self, leftover: &Leftover) -> Self {
        let left = leftover.words + leftover.objects + leftover.values + leftover.named + leftover.strict();
        let all_said = left == 0.0 && self.get(Signal::Explained) >= 0.99;
        self.with(Signal::AllSaid, f32::from(all_said))
            .with(Signal::LeftWords, leftover.words.min(6.0))
            .with(Signal::LeftObjects, leftover.objects.min(3.0))
            .with(Signal::LeftValues, leftover.values.min(3.0))
            .with(Signal::LeftNamed, leftover.named.min(3.0))
            .with(Signal::LeftDescribed, leftover.described.min(3.0))
            .with(Signal::LeftModifiers, leftover.modifiers.min(3.0))
            .with(Signal::LeftSiblings, leftover.siblings.min(2.0))
            .with(Signal::StrayId, leftover.strays.min(2.0))
            .with(Signal::Opposed, leftover.opposed)
            .with(Signal::TornOff, leftover.torn_off.min(3.0))
            .with(Signal::LeftContext, leftover.context.min(2.0))
    }

    /// Whether something plain stands against a call, however sure the rest is (P20): a value was cut out of a word,
    /// the request names a parameter or a member of a list that the call does not give, an id is of something else, or
    /// the tool does the opposite of what was asked, or another one is called after it.
    pub fn forbid(&self) -> bool {
        [
            (Signal::TornOff, 0.0),
            (Signal::LeftNamed, 0.0),
            (Signal::LeftSiblings, 0.0),
            (Signal::StrayId, 1.0),
            (Signal::Opposed, 0.0),
            (Signal::DoneElsewhere, 0.0),
        ]
        .into_iter()
        .any(|(signal, most)| self.get(signal) > most)
    }

    /// As if every argument had been read without doubt: what the tool could come to.
    #[must_use]
    pub(super) fn with_ideal_arguments(self) -> Self {
        self.with(Signal::LeastSure, 1.0)
            .with(Signal::MeanSure, 1.0)
            .with(Signal::LeastRequired, 1.0)
            .with(Signal::WeakOptional, 0.0)
            .with(Signal::WeakTarget, 0.0)
            .with(Signal::WholeText, 0.0)
            .with(Signal::LeftWords, 0.0)
            .with(Signal::LeftObjects, 0.0)
            .with(Signal::LeftValues, 0.0)
            .with(Signal::LeftNamed, 0.0)
            .with(Signal::LeftDescribed, 0.0)
            .with(Signal::LeftModifiers, 0.0)
            .with(Signal::LeftSiblings, 0.0)
            .with(Signal::StrayId, 0.0)
            .with(Signal::AllSaid, 1.0)
            .with(Signal::TornOff, 0.0)
            .with(Signal::Explained, self.get(Signal::Explained).max(0.9))
            .with(Signal::ExplainedLead, self.get(Signal::ExplainedLead).max(0.0))
            .with(Signal::Torn, 0.0)
            .with(Signal::Missing, 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_places_agree() {
        let names: std::collections::BTreeSet<_> = Signal::ALL.map(Signal::name).into();
        assert_eq!(names.len(), Signal::ALL.len());
        for (place, signal) in Signal::ALL.into_iter().enumerate() {
            assert_eq!(signal as usize, place, "{}", signal.name());
        }
    }

    /// P20: what is plain forbids a call; what may be so does not by itself.
    #[test]
    fn p20_what_is_plain_forbids() {
        for (signal, value, expected) in [
            (Signal::LeftNamed, 1.0, true),
            (Signal::LeftSiblings, 1.0, true),
            (Signal::TornOff, 1.0, true),
            (Signal::Opposed, 1.0, true),
            (Signal::DoneElsewhere, 1.0, true),
            (Signal::StrayId, 2.0, true),
            (Signal::StrayId, 1.0, false),
            (Signal::LeftDescribed, 3.0, false),
            (Signal::LeftModifiers, 3.0, false),
        ] {
            assert_eq!(
                Signals::default().with(signal, value).forbid(),
                expected,
                "{}",
                signal.name()
            );
        }
    }

    #[test]
    fn nothing_that_is_no_number_is_kept() {
        let signals = Signals::default()
            .with(Signal::Tool, f32::NAN)
            .with(Signal::Lead, 2.0);
        assert_eq!((signals.get(Signal::Tool), signals.get(Signal::Lead)), (0.0, 2.0));
        assert_eq!(signals.by_name()["lead"], 2.0);
    }
}
