//! How well are the tools of a gateway found by what they say of themselves?

use std::collections::BTreeSet;

use handpick_domain::{Surface, Tool};
use handpick_selection::words::{question_words, words};
use handpick_store::SelectionSource;

use crate::Selector;
use crate::limits::{ADVICE_QUESTIONS_MAX, SELECT_DEFAULT};
use crate::search_tools::Unavailable;
use crate::select_tools::{Selection, TaskOutcome, select_each};

/// Words that a question has at least; with fewer nobody could tell what is meant.
const WORDS_MIN: usize = 3;

/// Questions encoded together, so that requests of others come in between.
const BATCH: usize = 16;

/// How selection did on the tools of one surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// Tools that were asked for.
    pub asked: usize,
    /// Of these, how many came first.
    pub first: usize,
    /// Of these, how many were among the five that a task gets.
    pub in_five: usize,
    /// Questions that got no tool at all.
    pub nothing: usize,
}

impl Measured {
    /// A count as a share of what was asked; 0 where nothing was.
    pub fn share(&self, count: usize) -> f64 {
        if self.asked == 0 {
            return 0.0;
        }
        count as f64 / self.asked as f64
    }
}

/// Asks for up to [`ADVICE_QUESTIONS_MAX`] tools, spread evenly over the list, each by its own first line without the
/// words of its name and its app. A tool that is not found by that is one whose description says too little, or the
/// same as another's. The same catalog always gives the same outcome; nothing is recorded.
pub(super) async fn measure(selector: &Selector, surface: &Surface) -> Result<Measured, Unavailable> {
    let questions = questions(surface);
    let mut measured = Measured::default();
    for batch in questions.chunks(BATCH) {
        let tasks: Vec<String> = batch.iter().map(|(_, question)| question.clone()).collect();
        let selection = Selection {
            tasks: &tasks,
            context: None,
            limit: SELECT_DEFAULT,
            floor: None,
            source: SelectionSource::Select,
        };
        let answers = select_each(selector, surface, &selection).await;
        for ((tool, _), (outcome, _)) in batch.iter().zip(answers) {
            let TaskOutcome::Found(found) = outcome else {
                return Err(Unavailable);
            };
            let place = found.iter().position(|found| found.tool.name == tool.name);
            measured.asked += 1;
            measured.first += usize::from(place == Some(0));
            measured.in_five += usize::from(place.is_some());
            measured.nothing += usize::from(found.is_empty());
        }
        tokio::task::yield_now().await;
    }
    Ok(measured)
}

/// Tools with a question for each.
fn questions(surface: &Surface) -> Vec<(&Tool, String)> {
    let tools: Vec<&Tool> = surface.tools().map(|(_, tool)| &**tool).collect();
    spread(tools.len(), ADVICE_QUESTIONS_MAX)
        .filter_map(|place| {
            let tool = *tools.get(place)?;
            Some((tool, question(tool)?))
        })
        .collect()
}

/// At most `most` places below `length`, as far apart as can be.
fn spread(length: usize, most: usize) -> impl Iterator<Item = usize> {
    let count = length.min(most);
    (0..count).map(move |number| number * length / count)
}

/// The first line of a tool without every word of its name and its app; `None` where hardly anything is left.
fn question(tool: &Tool) -> Option<String> {
    let name = words(tool.name.as_str());
    let own: BTreeSet<&str> = name.iter().flat_map(|word| word.terms()).collect();
    let line = tool.first_line();
    let telling = question_words(line);
    let telling = telling
        .iter()
        .filter(|word| !word.terms().any(|term| own.contains(term)));
    if telling.count() < WORDS_MIN {
        return None;
    }
    let left = words(line)
        .into_iter()
        .filter(|word| !word.terms().any(|term| own.contains(term)))
        .map(|word| word.written);
    Some(left.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use serde_json::value::RawValue;

    use super::*;

    /// The words of name and app are gone in whatever form, and what says nothing else is not asked.
    #[test]
    fn a_question_does_not_name_its_tool() {
        for (app, name, description, expected) in [
            (
                "crm",
                "create_contact",
                "Create a contact in the CRM with name, email and phone.\nReturns its id.",
                Some("a in the with name email and phone"),
            ),
            (
                "GitHub",
                "listPullRequests",
                "Lists the pull requests of one GitHub repository that wait for review.",
                Some("the of one repository that wait for review"),
            ),
            ("crm", "create_contact", "Creates contacts in the CRM.", None),
            ("crm", "create_contact", "", None),
            ("crm", "create_contact", "\nOpens a record for somebody new", None),
        ] {
            let json = json!({"name": name, "description": description, "inputSchema": {}}).to_string();
            let tool = Tool::parse(app, &RawValue::from_string(json).unwrap()).unwrap();
            assert_eq!(question(&tool).as_deref(), expected, "{description}");
        }
    }

    #[test]
    fn places_are_spread_evenly() {
        for (length, most, expected) in [
            (0, 3, vec![]),
            (2, 3, vec![0, 1]),
            (3, 3, vec![0, 1, 2]),
            (10, 3, vec![0, 3, 6]),
            (200, 4, vec![0, 50, 100, 150]),
        ] {
            assert_eq!(
                spread(length, most).collect::<Vec<_>>(),
                expected,
                "{length} {most}"
            );
        }
    }
}
