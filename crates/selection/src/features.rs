//! What speaks for a tool, one number each?

use handpick_domain::ToolSet;

use crate::actions::Action;
use crate::index::Index;
use crate::lexical::Question;
use crate::text::MatchedText;
use crate::thesaurus;
use crate::vendors::Vendors;
use crate::words;

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
    /// The separate things the text asks for; empty when it asks for one.
    pub clauses: &'a [Clause<'a>],
}

/// One of several things a task asks for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clause<'a> {
    /// The words.
    pub text: &'a str,
    /// The words as the encoder sees them.
    pub vector: Option<&'a [f32]>,
}

macro_rules! features {
    ($($(#[$doc:meta])* $variant:ident $name:literal,)*) => {
        /// A kind of evidence. Its number is `NaN` where the evidence does not exist, which is not the same as
        /// evidence against.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Feature { $($(#[$doc])* $variant,)* }

        impl Feature {
            /// All of them, in the order of [`Features`].
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// Its name in data files and answers.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

features! {
    /// Cosine between task and tool: -1 to 1.
    Cosine "cosine",
    /// How far the cosine is below the best one: 0 for the best.
    CosineGap "cosine_gap",
    /// How far the cosine is above the mean of all tools.
    CosineLift "cosine_lift",
    /// How far the best cosine is above the second best; for the best tool only, 0 for others.
    CosineMargin "cosine_margin",
    /// Natural logarithm of how many tools have a cosine within [`CROWD`] of this one's or above.
    Crowd "crowd",
    /// BM25, relative to the best tool: 0 to 1.
    Words "words",
    /// Share of the task's words, weighted by rarity, that the tool has: 0 to 1.
    Coverage "coverage",
    /// How far the coverage is below the best one.
    CoverageGap "coverage_gap",
    /// Share of the words of the tool's own name that the task has, weighted by rarity.
    NameFound "name_found",
    /// Longest stretch of the tool's own name in the task, as a share of its words.
    NameRun "name_run",
    /// Share of all the tool's words that the task has, weighted by rarity.
    ToolFound "tool_found",
    /// How rare the rarest shared word is: 0 in every tool or none shared, 1 in one tool.
    Rarest "rarest",
    /// BM25 of the words that tools use for what the task says, relative to the best tool: 0 to 1.
    Hints "hints",
    /// Share of those words, weighted by rarity, that the tool has: 0 to 1.
    HintsFound "hints_found",
    /// 1 when the task gives the tool's exact name.
    ExactName "exact_name",
    /// How much of the app's name the task gives: 0 to 1.
    App "app",
    /// How much more of another app's name the task gives: 0 to 1.
    OtherApp "other_app",
    /// 1 for a tool of a product that the task names, -1 for one of another, 0 where no product is named.
    Vendor "vendor",
    /// Whether the verbs agree: 1 the same action, -1 the opposite, 0 unknown or neither.
    Action "action",
    /// Share of the task's words, weighted by rarity, that no tool has: 0 to 1.
    Unknown "unknown",
    /// Natural logarithm of the task's number of words.
    Length "length",
    /// Natural logarithm of the number of tools it was chosen from.
    Tools "tools",
    /// How far the context's cosine is above the mean of all tools.
    ContextLift "context_lift",
    /// The context's BM25, relative to the best tool.
    ContextWords "context_words",
    /// How much of the app's name the context gives.
    ContextApp "context_app",
    /// 1 for a tool of a product that the context names, -1 for one of another, 0 where no product is named.
    ContextVendor "context_vendor",
    /// Whether the context's verb and the tool's agree: 1 the same action, -1 the opposite, 0 unknown or neither.
    ContextAction "context_action",
}

/// Tools whose cosines differ by less crowd each other.
pub const CROWD: f32 = 0.03;

/// Tools that are looked at closely; the others are hopeless beside them.
pub const SHORTLIST: usize = 64;

/// Everything the score of one candidate depends on: one number for each of [`Feature::ALL`].
#[derive(Clone, Copy, Debug)]
pub struct Features([f32; Feature::ALL.len()]);

impl Default for Features {
    fn default() -> Self {
        Self([f32::NAN; Feature::ALL.len()])
    }
}

impl PartialEq for Features {
    fn eq(&self, other: &Self) -> bool {
        Feature::ALL
            .into_iter()
            .all(|feature| self.get(feature) == other.get(feature))
    }
}

impl Features {
    /// The number, or `None` where the evidence does not exist.
    pub fn get(&self, feature: Feature) -> Option<f32> {
        Some(self.0[feature as usize]).filter(|value| !value.is_nan())
    }

    /// Sets one number.
    pub fn set(&mut self, feature: Feature, value: f32) {
        self.0[feature as usize] = value;
    }

    /// With one number set.
    #[must_use]
    pub fn with(mut self, feature: Feature, value: f32) -> Self {
        self.set(feature, value);
        self
    }
}

/// A tool that may be suggested.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Position in the catalog.
    pub position: usize,
    /// What speaks for it.
    pub features: Features,
}

/// What one wording says about every allowed tool.
struct Scan<'a> {
    question: Question<'a>,
    action: Option<Action>,
    /// BM25 relative to the best, in the order of `allowed`.
    words: Vec<f32>,
    coverage: Vec<f32>,
    /// The same for the words that tools use for what the text says.
    hints: Vec<f32>,
    hints_found: Vec<f32>,
    cosines: Vec<Option<f32>>,
    named: ToolSet,
    /// The products named.
    vendors: Vendors,
    /// The share of each app's name that is given.
    apps: Vec<f32>,
}

/// The features of the tools worth a closer look, in catalog order: at most [`SHORTLIST`] and those named.
///
/// `whole` is the task's full text where `text` is one clause of it: apps named anywhere count everywhere.
pub fn gather<'a>(
    index: &Index,
    task: &Task<'a>,
    whole: &str,
    allowed: &ToolSet,
) -> (Question<'a>, Vec<Candidate>) {
    let scan = Scan::read(index, task.text, task.vector, whole, allowed);
    let context = task
        .context
        .map(|context| Scan::read(index, context, task.context_vector, context, allowed));
    let tools = scan.words.len();
    let cosine_stats = Stats::of(&scan.cosines);
    let context_stats = context.as_ref().map(|context| Stats::of(&context.cosines));
    let best_coverage = scan.coverage.iter().copied().fold(0.0, f32::max);
    let best_app = scan.apps.iter().copied().fold(0.0, f32::max);
    let unknown = scan.question.unknown();
    let candidates = scan
        .shortlist(allowed, &cosine_stats)
        .into_iter()
        .map(|(nth, position)| {
            let text = MatchedText::of(&index.catalog().tools()[position]);
            let overlap = index.lexical().overlap(&scan.question, position);
            let mut features = Features::default()
                .with(Feature::Words, scan.words[nth])
                .with(Feature::Coverage, scan.coverage[nth])
                .with(Feature::CoverageGap, best_coverage - scan.coverage[nth])
                .with(Feature::NameFound, overlap.name)
                .with(Feature::NameRun, overlap.name_run)
                .with(Feature::ToolFound, overlap.tool)
                .with(Feature::Rarest, overlap.rarest)
                .with(Feature::Vendor, scan.vendors.agreement(text))
                .with(Feature::Hints, scan.hints[nth])
                .with(Feature::HintsFound, scan.hints_found[nth])
                .with(
                    Feature::ExactName,
                    f32::from(u8::from(scan.named.contains(position))),
                )
                .with(Feature::App, scan.app(index, position))
                .with(Feature::OtherApp, (best_app - scan.app(index, position)).max(0.0))
                .with(Feature::Action, agreement(scan.action, index.action(position)))
                .with(Feature::Unknown, unknown)
                .with(Feature::Length, (scan.question.len().max(1) as f32).ln())
                .with(Feature::Tools, (tools.max(1) as f32).ln());
            if let Some(cosine) = scan.cosines[nth] {
                let gap = cosine_stats.best - cosine;
                features.set(Feature::Cosine, cosine);
                features.set(Feature::CosineGap, gap);
                features.set(Feature::CosineLift, cosine - cosine_stats.mean);
                let margin = if gap > 0.0 {
                    0.0
                } else {
                    cosine_stats.best - cosine_stats.second
                };
                features.set(Feature::CosineMargin, margin);
                features.set(Feature::Crowd, cosine_stats.crowd(cosine));
            }
            if let (Some(context), Some(stats)) = (&context, &context_stats) {
                features.set(Feature::ContextWords, context.words[nth]);
                features.set(Feature::ContextApp, context.app(index, position));
                features.set(Feature::ContextVendor, context.vendors.agreement(text));
                let action = agreement(context.action, index.action(position));
                features.set(Feature::ContextAction, action);
                if let Some(cosine) = context.cosines[nth] {
                    features.set(Feature::ContextLift, cosine - stats.mean);
                }
            }
            Candidate { position, features }
        })
        .collect();
    (scan.question, candidates)
}

impl<'a> Scan<'a> {
    fn read(index: &Index, text: &'a str, vector: Option<&[f32]>, whole: &str, allowed: &ToolSet) -> Self {
        let words = words::question_words(text);
        let question = index.lexical().read(&words);
        let hints = thesaurus::hints(text);
        let (scores, coverage) = matches(index, &question, allowed);
        let (hints, hints_found) = matches(index, &index.lexical().read(&words::words(&hints)), allowed);
        let mut cosines = index.semantic().cosines(vector, allowed);
        cosines.truncate(scores.len());
        Self {
            action: Action::of(&words::words(text)),
            question,
            words: scores,
            coverage,
            hints,
            hints_found,
            cosines,
            named: index.names().named_in(text, index.catalog().tools().len()),
            vendors: Vendors::named_in(whole),
            apps: index.apps().named_in(&words::question_words(whole)),
        }
    }

    fn app(&self, index: &Index, position: usize) -> f32 {
        self.apps
            .get(index.apps().of(position))
            .copied()
            .unwrap_or_default()
    }

    /// The tools worth a closer look, as place among the allowed ones and position in the catalog.
    fn shortlist(&self, allowed: &ToolSet, cosines: &Stats) -> Vec<(usize, usize)> {
        let range = (cosines.best - cosines.lowest).max(f32::EPSILON);
        let promise = |nth: usize, position: usize| {
            let meaning =
                self.cosines[nth].map_or(self.words[nth], |cosine| (cosine - cosines.lowest) / range);
            let named = if self.named.contains(position) { 2.0 } else { 0.0 };
            0.3 * self.words[nth] + 0.7 * meaning + 0.1 * self.hints[nth] + named
        };
        let mut listed: Vec<(f32, usize, usize)> = allowed
            .iter()
            .take(self.words.len())
            .enumerate()
            .map(|(nth, position)| (promise(nth, position), nth, position))
            .collect();
        let named = self.named.iter().count();
        let keep = SHORTLIST.max(named);
        if listed.len() > keep {
            listed.select_nth_unstable_by(keep - 1, |a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
            listed.truncate(keep);
        }
        let mut shortlist: Vec<(usize, usize)> = listed
            .into_iter()
            .map(|(_, nth, position)| (nth, position))
            .collect();
        shortlist.sort_unstable();
        shortlist
    }
}

/// BM25 relative to the best and the share of words found, of every allowed tool.
fn matches(index: &Index, question: &Question<'_>, allowed: &ToolSet) -> (Vec<f32>, Vec<f32>) {
    let matches = index.lexical().matches(question);
    let of = |values: &[f32]| -> Vec<f32> {
        let known = allowed.iter().take_while(|&position| position < values.len());
        known.map(|position| values[position]).collect()
    };
    let mut scores = of(&matches.scores);
    let best = scores.iter().copied().fold(0.0, f32::max);
    for score in &mut scores {
        *score = if best > 0.0 { *score / best } else { 0.0 };
    }
    let found = of(&matches.coverage)
        .into_iter()
        .map(|share| share.min(1.0))
        .collect();
    (scores, found)
}

/// The cosines of all allowed tools at a glance.
struct Stats {
    best: f32,
    second: f32,
    lowest: f32,
    mean: f32,
    /// Highest first, as many as can crowd a tool of the shortlist.
    highest: Vec<f32>,
}

impl Stats {
    fn of(cosines: &[Option<f32>]) -> Self {
        let mut known: Vec<f32> = cosines.iter().flatten().copied().collect();
        let count = known.len();
        let mean = known.iter().sum::<f32>() / count.max(1) as f32;
        let lowest = known.iter().copied().fold(f32::INFINITY, f32::min);
        let most = 2 * SHORTLIST;
        if count > most {
            known.select_nth_unstable_by(most - 1, |a, b| b.total_cmp(a));
            known.truncate(most);
        }
        known.sort_unstable_by(|a, b| b.total_cmp(a));
        let best = known.first().copied().unwrap_or_default();
        Self {
            best,
            second: known.get(1).copied().unwrap_or(lowest.min(best)),
            lowest: lowest.min(best),
            mean,
            highest: known,
        }
    }

    fn crowd(&self, cosine: f32) -> f32 {
        let near = self.highest.partition_point(|&other| other > cosine - CROWD);
        (near.max(1) as f32).ln()
    }
}

fn agreement(wanted: Option<Action>, offered: Option<Action>) -> f32 {
    match (wanted, offered) {
        (Some(wanted), Some(offered)) => wanted.agreement(offered),
        _ => 0.0,
    }
}
