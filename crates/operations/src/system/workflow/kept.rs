//! What of a run is kept, so that it can go on later?

use std::collections::{BTreeMap, BTreeSet};

use handpick_protocol::json::to_raw;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::definition::Workflow;
use super::template::Values;
use crate::limits::WORKFLOW_RUN_BYTES_MAX;

/// Quotes, colons and commas around one value.
const AROUND: usize = 8;

/// A run between two steps.
pub(super) struct RunState {
    /// The workflow as it was when the run started: saving it anew changes no run.
    pub workflow: Workflow,
    /// What the run was started with.
    pub parameters: BTreeMap<String, Box<RawValue>>,
    /// What later steps need of the steps that are done.
    pub values: BTreeMap<String, Box<RawValue>>,
    /// Those of them that were not kept.
    pub lost: BTreeSet<String>,
    /// How many steps are done.
    pub done: usize,
    /// Whether the next step may have happened already.
    pub unsure: bool,
}

/// The same as it lies in the store.
#[derive(Serialize, Deserialize)]
struct Kept {
    // Raw, because each part may nest as deep as JSON may.
    workflow: Box<RawValue>,
    parameters: BTreeMap<String, Box<RawValue>>,
    values: BTreeMap<String, Box<RawValue>>,
    #[serde(default)]
    lost: BTreeSet<String>,
    done: usize,
    #[serde(default)]
    unsure: bool,
}

impl RunState {
    /// A run that has not begun.
    pub fn new(workflow: Workflow, parameters: BTreeMap<String, Box<RawValue>>) -> Self {
        Self {
            workflow,
            parameters,
            values: BTreeMap::new(),
            lost: BTreeSet::new(),
            done: 0,
            unsure: false,
        }
    }

    /// What placeholders stand for now.
    pub fn placeholders(&self) -> Values<'_> {
        Values {
            parameters: &self.parameters,
            steps: &self.values,
            lost: &self.lost,
        }
    }

    /// The run as it is kept, [`WORKFLOW_RUN_BYTES_MAX`] at most: values that do not fit are noted as lost, which
    /// costs only a run that is taken up later and needs them.
    pub fn json(&self) -> String {
        let workflow = to_raw(&self.workflow);
        let size = |values: &BTreeMap<String, Box<RawValue>>| -> usize {
            let sizes = values.iter().map(|(key, value)| size_of_value(key, value));
            sizes.sum()
        };
        let mut room = WORKFLOW_RUN_BYTES_MAX
            .saturating_sub(workflow.get().len())
            .saturating_sub(size(&self.parameters));
        let mut lost = self.lost.clone();
        let mut values = BTreeMap::new();
        for (key, value) in &self.values {
            match room.checked_sub(size_of_value(key, value)) {
                None => {
                    lost.insert(key.clone());
                }
                Some(left) => {
                    room = left;
                    values.insert(key.clone(), value.clone());
                }
            }
        }
        let kept = Kept {
            workflow,
            parameters: self.parameters.clone(),
            values,
            lost,
            done: self.done,
            unsure: self.unsure,
        };
        to_raw(&kept).get().to_owned()
    }

    /// Reads a run that was kept.
    pub fn parse(json: &str) -> Option<Self> {
        let kept: Kept = serde_json::from_str(json).ok()?;
        Some(Self {
            workflow: serde_json::from_str(kept.workflow.get()).ok()?,
            parameters: kept.parameters,
            values: kept.values,
            lost: kept.lost,
            done: kept.done,
            unsure: kept.unsure,
        })
    }
}

fn size_of_value(key: &str, value: &RawValue) -> usize {
    key.len() + value.get().len() + AROUND
}

#[cfg(test)]
mod tests {
    use handpick_protocol::json::raw;

    use super::*;

    fn state() -> RunState {
        let workflow = r#"{"name":"w","steps":[{"id":"a","tool":"lab.echo","arguments":{"x":1.0}}]}"#;
        let parameters = [(
            "deep".to_owned(),
            raw(format!("{}{}", "[".repeat(127), "]".repeat(127))),
        )];
        RunState::new(serde_json::from_str(workflow).unwrap(), parameters.into())
    }

    #[test]
    fn a_run_comes_back_as_it_was() {
        let mut before = state();
        before
            .values
            .insert("steps.a".to_owned(), raw("12345678901234567890123.50".to_owned()));
        (before.done, before.unsure) = (1, true);
        let after = RunState::parse(&before.json()).unwrap();
        assert_eq!(after.json(), before.json());
        assert_eq!(after.parameters["deep"].get().len(), 254);
        assert_eq!(after.values["steps.a"].get(), "12345678901234567890123.50");
        assert_eq!(
            (after.done, after.unsure, after.workflow.name.as_str()),
            (1, true, "w")
        );
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let mut run = state();
        for (key, length) in [("steps.a", 900_000), ("steps.b", 900_000), ("steps.c", 10)] {
            let value = raw(format!("\"{}\"", "x".repeat(length)));
            run.values.insert(key.to_owned(), value);
        }
        let json = run.json();
        assert!(json.len() <= WORKFLOW_RUN_BYTES_MAX);
        let after = RunState::parse(&json).unwrap();
        assert_eq!(after.values.keys().collect::<Vec<_>>(), ["steps.a", "steps.c"]);
        assert_eq!(after.lost.iter().collect::<Vec<_>>(), ["steps.b"]);
        assert_eq!(run.values.len(), 3, "the run itself goes on with everything");
    }
}
