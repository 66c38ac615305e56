//! Which tools take each other's place, and how often?
//!
//! A tool's own first line is the task that should find it. The selector is given each of them, and what
//! it ranks first, or as good as first, instead of the tool itself competes with it.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use handpick_domain::{Catalog, Tool, ToolSet};
use handpick_selection::{Floor, Index, Task, Tuning, select};

use crate::finding::{Finding, Member, Severity};
use crate::{rules, sentences, words};

/// Tools looked at for each task.
const RANKED: usize = 10;

/// Logarithms of odds closer than this could as well be the other way round.
const HAIR: f32 = 0.05;

/// Rivals that are told of.
const RIVALS_TOLD: usize = 3;

/// What came back for the first line of one tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The tool, as a position in the catalog.
    pub position: usize,
    /// Its own place and score; `None` when it is not among the first ten.
    pub own: Option<Ranked>,
    /// The others ranked before it, or within a hair behind it, best first.
    pub rivals: Vec<Ranked>,
}

/// A tool in an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// Position in the catalog.
    pub position: usize,
    /// Place in the answer, from 1.
    pub place: usize,
    /// Its score, 0 to 1.
    pub score: f32,
}

/// The tasks to ask: the position of every tool with a first line, and that line without the names of tools.
/// Nobody who looks for a tool gives the name of its sibling.
pub fn tasks(catalog: &Catalog) -> Vec<(usize, String)> {
    let names: HashSet<&str> = catalog.tools().iter().map(|tool| tool.name.tool()).collect();
    let is_name = |word: &str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        bare.contains(['_', '-']) && names.contains(bare)
    };
    let tools = catalog.tools().iter().enumerate();
    tools
        .map(|(position, tool)| {
            let words: Vec<&str> = tool
                .first_line()
                .split(' ')
                .filter(|word| !is_name(word))
                .collect();
            (position, words.join(" "))
        })
        .filter(|(_, line)| !line.trim().is_empty())
        .collect()
}

/// Asks for a tool by its own first line. `vector` is that text as the encoder sees it.
pub fn ask(index: &Index, position: usize, text: &str, vector: &[f32]) -> Outcome {
    let task = Task {
        text,
        vector: Some(vector),
        ..Task::default()
    };
    let tuning = Tuning {
        floor: Floor::NONE,
        ..Tuning::default()
    };
    let everything = ToolSet::all(index.catalog().tools().len());
    let ranked: Vec<Ranked> = select(index, &task, &everything, RANKED, &tuning)
        .iter()
        .enumerate()
        .map(|(nth, suggestion)| Ranked {
            position: suggestion.position,
            place: nth + 1,
            score: suggestion.score,
        })
        .collect();
    Outcome::of(position, ranked)
}

impl Outcome {
    /// What an answer, best first, means for the tool it was asked for.
    fn of(position: usize, ranked: Vec<Ranked>) -> Self {
        let own = ranked.iter().find(|ranked| ranked.position == position).copied();
        let competes = |rival: &Ranked| {
            own.is_none_or(|own| rival.place < own.place || own.log_odds() - rival.log_odds() < HAIR)
        };
        let rivals = ranked
            .into_iter()
            .filter(|rival| rival.position != position && competes(rival));
        Self {
            position,
            own,
            rivals: rivals.collect(),
        }
    }
}

impl Ranked {
    /// The score as the logarithm of odds: what two scores near 1 differ by is invisible otherwise.
    fn log_odds(&self) -> f32 {
        let score = self.score.clamp(1e-6, 1.0 - 1e-6);
        (score / (1.0 - score)).ln()
    }
}

/// What the outcomes say against the tools' first lines.
pub fn findings(catalog: &Catalog, outcomes: &[Outcome]) -> Vec<Finding> {
    let same = same_lines(catalog);
    let by_position: HashMap<usize, &Outcome> = outcomes
        .iter()
        .map(|outcome| (outcome.position, outcome))
        .collect();
    let pairs = Pairs { catalog, by_position };
    outcomes
        .iter()
        .filter_map(|outcome| {
            let tool = &catalog.tools()[outcome.position];
            match same.get(&key(tool)).filter(|group| group.len() > 1) {
                Some(group) => Some(pairs.identical(outcome, group)),
                None => pairs.competing(outcome),
            }
        })
        .collect()
}

/// The server and the words of the first line: what tools with the same line share.
fn key(tool: &Tool) -> (String, Vec<String>) {
    (tool.name.app().to_owned(), words::words(tool.first_line()))
}

fn same_lines(catalog: &Catalog) -> HashMap<(String, Vec<String>), Vec<usize>> {
    let mut same: HashMap<_, Vec<usize>> = HashMap::new();
    for (position, _) in tasks(catalog) {
        same.entry(key(&catalog.tools()[position]))
            .or_default()
            .push(position);
    }
    same
}

struct Pairs<'c> {
    catalog: &'c Catalog,
    by_position: HashMap<usize, &'c Outcome>,
}

impl Pairs<'_> {
    fn tool(&self, position: usize) -> &Tool {
        &self.catalog.tools()[position]
    }

    fn identical(&self, outcome: &Outcome, group: &[usize]) -> Finding {
        let tool = self.tool(outcome.position);
        let others: Vec<usize> = group
            .iter()
            .copied()
            .filter(|other| *other != outcome.position)
            .collect();
        let told: Vec<String> = others
            .iter()
            .take(RIVALS_TOLD)
            .map(|other| format!("`{}`", self.tool(*other).name.tool()))
            .collect();
        let more = others.len().saturating_sub(RIVALS_TOLD);
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        let message = format!(
            "the first line of `description` is also that of {}{more}: {:?}{}",
            told.join(", "),
            sentences::shortened(tool.first_line(), 60),
            self.measured(outcome)
        );
        let mut finding = Finding::new(
            &rules::LINES_IDENTICAL,
            &tool.name,
            Member::Description,
            message,
            self.apart(outcome.position, others.first().copied()),
        );
        finding.related = others
            .iter()
            .map(|other| self.tool(*other).name.clone())
            .collect();
        finding
    }

    /// A finding where another tool comes first, or as good as first. Tools of another server are its
    /// author's business only in part: that is a note.
    fn competing(&self, outcome: &Outcome) -> Option<Finding> {
        let tool = self.tool(outcome.position);
        let is_sibling = |rival: &&Ranked| self.tool(rival.position).name.app() == tool.name.app();
        let is_before = |rival: &&Ranked| outcome.own.is_none_or(|own| rival.place < own.place);
        let before = || outcome.rivals.iter().filter(is_before);
        let (rival, severity) = before()
            .find(is_sibling)
            .map(|rival| (rival, Severity::Warning))
            .or_else(|| before().next().map(|rival| (rival, Severity::Note)))
            .or_else(|| {
                outcome
                    .rivals
                    .iter()
                    .find(is_sibling)
                    .map(|rival| (rival, Severity::Note))
            })?;
        let message = format!(
            "asked for in the words of its own first line, {:?}{}",
            sentences::shortened(tool.first_line(), 60),
            self.measured_against(outcome, rival)
        );
        let mut finding = Finding::new(
            &rules::LINES_COMPETE,
            &tool.name,
            Member::Description,
            message,
            self.apart(outcome.position, Some(rival.position)),
        );
        finding.severity = severity;
        finding.related = outcome
            .rivals
            .iter()
            .map(|rival| self.tool(rival.position).name.clone())
            .collect();
        Some(finding)
    }

    fn measured(&self, outcome: &Outcome) -> String {
        match outcome.rivals.first() {
            Some(rival) => self
                .measured_against(outcome, rival)
                .replacen(", ", "; asked with it, ", 1),
            None => "; asked with it, the tool itself comes first".to_owned(),
        }
    }

    /// How the rival fares against the tool, on the tool's own line and on the rival's.
    fn measured_against(&self, outcome: &Outcome, rival: &Ranked) -> String {
        let name = self.shown(outcome.position, rival.position);
        let Some(own) = outcome.own else {
            return format!(", {name} comes first and it is not among the first {RANKED}");
        };
        let odds = (rival.log_odds() - own.log_odds()).exp();
        let on_own = if rival.place > own.place {
            format!(", {name} is as good (odds {odds:.2} to 1)")
        } else if odds >= 1.005 {
            format!(", {name} comes before it, at odds of {odds:.2} to 1")
        } else {
            format!(", {name} comes before it")
        };
        let reverse = self.by_position.get(&rival.position).and_then(|reverse| {
            let own = reverse.own;
            let back = reverse
                .rivals
                .iter()
                .find(|ranked| ranked.position == outcome.position)?;
            Some(own.is_none_or(|own| back.place < own.place))
        });
        match reverse {
            Some(true) => format!("{on_own}; and in the words of {name}, this one comes before it"),
            _ => on_own,
        }
    }

    /// A tool as it is called beside another: in full where it belongs to another server.
    fn shown(&self, beside: usize, position: usize) -> String {
        let name = &self.tool(position).name;
        if name.app() == self.tool(beside).name.app() {
            format!("`{}`", name.tool())
        } else {
            format!("`{name}`")
        }
    }

    /// The tools of a tool's server.
    fn siblings<'t>(&'t self, tool: &'t Tool) -> impl Iterator<Item = &'t Tool> {
        let tools = self.catalog.tools().iter().map(std::convert::AsRef::as_ref);
        tools.filter(|sibling: &&Tool| sibling.name.app() == tool.name.app())
    }

    /// What sets a tool apart from its rival: words only its name has, parameters only it takes.
    fn apart(&self, position: usize, rival: Option<usize>) -> String {
        let tool = self.tool(position);
        let Some(rival) = rival.map(|rival| self.tool(rival)) else {
            return "say what only this tool does".to_owned();
        };
        if rival.name.app() != tool.name.app() {
            let server = crate::service::Service::of(tool.name.app(), self.siblings(tool));
            let is_known = server.is_named_in(tool.first_line()) || server.is_named_in(rival.name.app());
            return if is_known || !server.is_name {
                format!("say when to choose it over `{}`", rival.name)
            } else {
                format!("name the service, {}, in the first line", server.title)
            };
        }
        let [own, other] = [tool, rival].map(crate::instead::sentence);
        if let Some(own) = own.filter(|own| other.as_ref() != Some(own)) {
            return format!("write instead: \"{own}\" (a sentence from further down)");
        }
        let line: HashSet<String> = words::telling(tool.first_line()).into_iter().collect();
        let theirs: HashSet<String> =
            words::telling(&format!("{} {}", rival.name.tool(), rival.first_line()))
                .into_iter()
                .collect();
        let only_named: Vec<String> = words::words(tool.name.tool())
            .into_iter()
            .filter(|word| {
                let told = words::telling(word);
                told.first()
                    .is_some_and(|told| !line.contains(told) && !theirs.contains(told))
            })
            .collect();
        let only_taken: Vec<String> = parameters(tool)
            .difference(&parameters(rival))
            .take(2)
            .map(|name| format!("`{name}`"))
            .collect();
        let mut apart = Vec::new();
        if !only_named.is_empty() {
            apart.push(format!("\"{}\" (only its name says so)", only_named.join(" ")));
        }
        if !only_taken.is_empty() {
            apart.push(format!("{} (only it takes)", only_taken.join(" and ")));
        }
        if apart.is_empty() {
            format!(
                "say in both first lines when to choose which, `{}` or `{}`",
                tool.name.tool(),
                rival.name.tool()
            )
        } else {
            format!("say in the first line what sets it apart: {}", apart.join(", "))
        }
    }
}

/// The names of a tool's parameters.
fn parameters(tool: &Tool) -> std::collections::BTreeSet<String> {
    let schema: serde_json::Value = serde_json::from_str(tool.input_schema.get()).unwrap_or_default();
    let properties = schema["properties"].as_object().into_iter().flatten();
    properties.map(|(name, _)| name.clone()).collect()
}
