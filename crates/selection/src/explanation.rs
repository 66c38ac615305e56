//! Why was a tool suggested?

use handpick_domain::ToolName;

use crate::features::{Feature, Features};
use crate::ranker::Score;

/// From this share of the log odds on, evidence is worth a word.
const TELLING: f32 = 0.25;

/// Words named at most.
const WORDS_MAX: usize = 6;

/// Each kind of evidence for one suggestion, and its share of the score.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explanation {
    /// The evidence itself.
    pub features: Features,
    /// What it adds up to, and what each part of it adds.
    pub score: Score,
    /// The task's words that the tool has, as the task writes them.
    pub shared_words: Vec<String>,
}

/// Evidence of one kind, for people: several features may tell of the same thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The exact name.
    Name,
    /// Shared words.
    Words,
    /// Closeness in meaning.
    Meaning,
    /// The app.
    App,
    /// What is to be done.
    Action,
    /// What the task itself is like, and how many tools there are.
    Task,
    /// The context.
    Context,
}

impl Reason {
    /// All of them, in the order they are told.
    pub const ALL: [Self; 7] = [
        Self::Name,
        Self::Words,
        Self::Meaning,
        Self::App,
        Self::Action,
        Self::Context,
        Self::Task,
    ];

    /// One word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Words => "words",
            Self::Meaning => "meaning",
            Self::App => "app",
            Self::Action => "action",
            Self::Task => "task",
            Self::Context => "context",
        }
    }

    /// What a feature tells of.
    pub fn of(feature: Feature) -> Self {
        match feature {
            Feature::ExactName => Self::Name,
            Feature::Words
            | Feature::Coverage
            | Feature::CoverageGap
            | Feature::NameFound
            | Feature::NameRun
            | Feature::ToolFound
            | Feature::Rarest
            | Feature::Hints
            | Feature::HintsFound => Self::Words,
            Feature::Cosine
            | Feature::CosineGap
            | Feature::CosineLift
            | Feature::CosineMargin
            | Feature::Crowd => Self::Meaning,
            Feature::App | Feature::OtherApp | Feature::Vendor => Self::App,
            Feature::Action => Self::Action,
            Feature::Unknown | Feature::Length | Feature::Tools => Self::Task,
            Feature::ContextLift
            | Feature::ContextWords
            | Feature::ContextApp
            | Feature::ContextVendor
            | Feature::ContextAction => Self::Context,
        }
    }
}

impl Explanation {
    /// What each kind of evidence adds to the logarithm of the odds, beside an average candidate.
    pub fn shares(&self) -> Vec<(Reason, f32)> {
        Reason::ALL
            .into_iter()
            .filter_map(|reason| {
                let of_reason = self
                    .score
                    .shares
                    .iter()
                    .filter(|(feature, _)| Reason::of(*feature) == reason);
                let (count, sum) =
                    of_reason.fold((0, 0.0), |(count, sum), (_, share)| (count + 1, sum + share));
                (count > 0).then_some((reason, sum))
            })
            .collect()
    }

    /// One line for people, such as "shares the words `create`, `issue`; close in meaning; the task names
    /// the app `github`".
    pub fn in_words(&self, tool: &ToolName) -> String {
        let shares = self.shares();
        let share = |reason| {
            shares
                .iter()
                .find(|(of, _)| *of == reason)
                .map_or(0.0, |(_, share)| *share)
        };
        let value = |feature| self.features.get(feature).unwrap_or_default();
        let mut reasons = Vec::new();
        if value(Feature::ExactName) > 0.0 {
            reasons.push("the task gives its name".to_owned());
        }
        if !self.shared_words.is_empty() {
            let words: Vec<String> = self
                .shared_words
                .iter()
                .take(WORDS_MAX)
                .map(|word| format!("`{word}`"))
                .collect();
            let plural = if words.len() == 1 { "" } else { "s" };
            reasons.push(format!("shares the word{plural} {}", words.join(", ")));
        }
        match self.features.get(Feature::Cosine) {
            None => reasons.push("its meaning is not known yet".to_owned()),
            Some(_) if value(Feature::CosineGap) == 0.0 => reasons.push("the closest in meaning".to_owned()),
            Some(_) if share(Reason::Meaning) >= 3.0 * TELLING => reasons.push("close in meaning".to_owned()),
            Some(_) if share(Reason::Meaning) >= TELLING => reasons.push("related in meaning".to_owned()),
            Some(_) => {}
        }
        if value(Feature::App) >= 0.5 {
            reasons.push(format!("the task names the app `{}`", tool.app()));
        } else if value(Feature::OtherApp) >= 0.5 {
            reasons.push("though the task names another app".to_owned());
        }
        if value(Feature::Action) < 0.0 && share(Reason::Action) <= -TELLING {
            reasons.push("though it does something else than asked".to_owned());
        }
        if share(Reason::Context) >= TELLING {
            reasons.push("the context points to it".to_owned());
        }
        if reasons.is_empty() {
            reasons.push("nothing speaks for it but that others fit less".to_owned());
        }
        reasons.join("; ")
    }
}
