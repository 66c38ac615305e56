//! What does the product answer? Asked as the server is asked, one request after the other.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use handpick_domain::{Caller, Scope};
use handpick_evaluation::answered::DEPTH;
use handpick_evaluation::{Answered, Query, Ranked, misses};
use handpick_operations::Runtime;
use handpick_operations::answer::suggestion;
use handpick_operations::limits::{SEARCH_DEFAULT, SELECT_DEFAULT};
use handpick_operations::open_surface::open_project;
use handpick_operations::search_tools::search_tools;
use handpick_operations::select_tools::{Selection, Suggested, TaskOutcome, select_tools};
use handpick_presentation::{direct, tokens};
use handpick_selection::Floor;
use handpick_store::SelectionSource;

use super::names::Names;
use crate::args::Profile;

/// Asked before anything is timed, so that no request pays for memory that is touched for the first time.
const WARM_UP: [&str; 3] = [
    "warm up",
    "ask for something before the clock is started",
    "a longer sentence, with more words than most of the requests that people write to an agent in one go, \
     because a longer text needs more memory to be read than a short one does",
];

/// Asks a gateway.
pub struct Asker<'a> {
    runtime: &'a Arc<Runtime>,
    names: &'a Names,
    profile: Profile,
    caller: Caller,
    /// Texts whose vectors the gateway may have kept: a second question would look faster than it is.
    heard: HashSet<String>,
    unavailable: usize,
}

/// What is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum View {
    /// What is returned: the shipped floor and limit.
    Answer,
    /// The order alone.
    Ranking,
}

impl<'a> Asker<'a> {
    /// Asks `runtime`, naming tools by `names`.
    pub fn new(runtime: &'a Arc<Runtime>, names: &'a Names, profile: Profile) -> Self {
        Self {
            runtime,
            names,
            profile,
            caller: Caller {
                scopes: [Scope::Read].into(),
                ..Caller::default()
            },
            heard: HashSet::new(),
            unavailable: 0,
        }
    }

    /// Asks something that counts for nothing.
    pub async fn warm_up(&self) {
        for text in WARM_UP {
            let query = Query {
                text: text.to_owned(),
                ..Query::default()
            };
            for view in [View::Answer, View::Ranking] {
                let _ = self.find(&query, view).await;
            }
        }
    }

    /// Both views of one request. Only the first, the real question, is timed.
    pub async fn ask(&mut self, query: &Query) -> Answered {
        let is_new = self.is_new(query);
        let started = Instant::now();
        let found = self.find(query, View::Answer).await;
        let elapsed = started.elapsed().as_secs_f64() * 1e3;
        self.unavailable += usize::from(found.is_none());
        let (answer, fits) = found.unwrap_or_default();
        let (ranked, _) = self.find(query, View::Ranking).await.unwrap_or_default();
        let token_count = |found: &Suggested| tokens::estimate(&suggestion(found).to_string());
        Answered {
            ranking: self.ranking(query, &ranked),
            tokens: answer.iter().map(token_count).sum(),
            answer: answer
                .iter()
                .map(|found| self.names.shown(&found.tool.name))
                .collect(),
            fits: fits.map(plain),
            latency_ms: is_new.then_some(elapsed),
        }
    }

    /// Requests whose lookup did not finish so far.
    pub fn unavailable(&self) -> usize {
        self.unavailable
    }

    /// What a model would read if it were handed every tool.
    pub fn catalog_tokens(&self) -> usize {
        let surface = open_project(self.runtime, &self.caller);
        let definitions = surface
            .tools()
            .map(|(position, _)| direct::definition(&surface, position));
        definitions
            .map(|definition| tokens::estimate(definition.get()))
            .sum()
    }

    /// Whether nothing of what is asked was asked before.
    fn is_new(&mut self, query: &Query) -> bool {
        let text_is_new = self.heard.insert(query.text.clone());
        let context = self.context(query).map(str::to_owned);
        let context_is_new = context.is_none_or(|context| self.heard.insert(context));
        text_is_new && context_is_new
    }

    fn context<'q>(&self, query: &'q Query) -> Option<&'q str> {
        query.context.as_deref().filter(|_| self.profile == Profile::Turn)
    }

    /// The tools the product finds, and how probable it holds that anything fits; `None` where the lookup did not
    /// finish.
    async fn find(&self, query: &Query, view: View) -> Option<(Vec<Suggested>, Option<f32>)> {
        let surface = open_project(self.runtime, &self.caller);
        if self.profile == Profile::Search {
            let limit = if view == View::Answer {
                SEARCH_DEFAULT
            } else {
                DEPTH
            };
            let found = search_tools(self.runtime, &surface, &self.caller, &query.text, limit);
            return Some((found.ok()?, None));
        }
        let (limit, floor) = match view {
            View::Answer => (SELECT_DEFAULT, None),
            View::Ranking => (DEPTH, Some(Floor::NONE)),
        };
        let selection = Selection {
            tasks: std::slice::from_ref(&query.text),
            context: self.context(query),
            limit,
            floor,
            source: SelectionSource::Select,
        };
        let mut selected = select_tools(self.runtime, &surface, &self.caller, selection).await;
        match selected.tasks.pop()? {
            TaskOutcome::Found(found) => Some((found, selected.fits.pop())),
            TaskOutcome::Unavailable => None,
        }
    }

    fn ranking(&self, query: &Query, found: &[Suggested]) -> Vec<Ranked> {
        let ranked = |found: &Suggested| Ranked {
            name: self.names.shown(&found.tool.name),
            score: plain(found.score),
            why: None,
        };
        let mut ranking: Vec<Ranked> = found.iter().map(ranked).collect();
        for (index, found) in found.iter().enumerate() {
            if misses::wants_reason(query, &ranking, index) {
                let explanation = found.explanation.as_ref();
                ranking[index].why = explanation.map(|explanation| explanation.in_words(&found.tool.name));
            }
        }
        ranking
    }
}

/// The same number with no more digits than tell it from its neighbours.
fn plain(score: f32) -> f64 {
    score.to_string().parse().unwrap_or(f64::from(score))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_keep_their_order_and_lose_their_tail() {
        assert_eq!(plain(0.83), 0.83);
        assert_eq!(plain(0.1 + 0.2), 0.3);
        assert!(plain(0.5f32.next_up()) > plain(0.5));
    }
}
