//! Is what was decided about a request right?

use serde_json::{Map, Value};

use super::labels::{Case, Expected};
use super::same::is_call;

/// What was decided.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decided {
    /// The tool that comes first; `None` where there is none.
    pub tool: Option<String>,
    /// The arguments it would get.
    pub arguments: Map<String, Value>,
    /// How sure it is, 0 to 1.
    pub confidence: f64,
    /// Whether it runs.
    pub runs: bool,
    /// Whether it must not run, however sure it is: its confidence says nothing then.
    pub held: bool,
    /// Required arguments that are told to be missing.
    pub missing: Vec<String>,
}

/// What a decision comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The right call runs.
    ExecutedRight,
    /// Something runs that must not: another tool, other arguments, or anything where nothing may.
    WronglyExecuted,
    /// Nothing runs, and something should.
    WronglyAsked,
    /// Nothing runs, rightly.
    RightlyAsked,
}

impl Outcome {
    /// The words for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ExecutedRight => "executed",
            Self::WronglyExecuted => "wrongly executed",
            Self::WronglyAsked => "wrongly asked back",
            Self::RightlyAsked => "rightly asked back",
        }
    }
}

/// A decision beside its label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    /// What it comes to.
    pub outcome: Outcome,
    /// Whether the first tool is the right one; `None` where nothing should run.
    pub right_tool: Option<bool>,
    /// Whether tool and arguments are right, run or not; never where nothing should run.
    pub right_call: bool,
    /// Whether exactly the missing arguments of the right tool are told; `None` where none is labelled as missing.
    pub missing_told: Option<bool>,
}

/// Judges one decision.
pub fn judge(case: &Case, decided: &Decided) -> Judged {
    let tool = decided.tool.as_deref();
    match &case.expected {
        Expected::Run(calls) => {
            let right_call =
                tool.is_some_and(|tool| calls.iter().any(|call| is_call(call, tool, &decided.arguments)));
            Judged {
                outcome: match (decided.runs, right_call) {
                    (true, true) => Outcome::ExecutedRight,
                    (true, false) => Outcome::WronglyExecuted,
                    (false, _) => Outcome::WronglyAsked,
                },
                right_tool: Some(calls.iter().any(|call| Some(call.tool.as_str()) == tool)),
                right_call,
                missing_told: None,
            }
        }
        Expected::Ask {
            tool: known, missing, ..
        } => {
            let mut told = decided.missing.clone();
            let mut expected = missing.clone();
            told.sort();
            expected.sort();
            Judged {
                outcome: if decided.runs {
                    Outcome::WronglyExecuted
                } else {
                    Outcome::RightlyAsked
                },
                right_tool: None,
                right_call: false,
                missing_told: (!missing.is_empty())
                    .then(|| !decided.runs && known.as_deref() == tool && told == expected),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::unified::labels::read;

    /// P20, P21: what counts as wrongly executed is everything that runs and should not have.
    #[test]
    fn p20_outcomes() {
        let cases = read(concat!(
            r#"{"id":"a","servers":["crm"],"request":"Add Dana","outcome":"run","tool":"crm.add","arguments":{"name":"Dana"}}"#,
            "\n",
            r#"{"id":"b","servers":["crm"],"request":"Add somebody","outcome":"ask","reason":"missing","tool":"crm.add","missing":["name"]}"#,
        ))
        .unwrap();
        let decided = |tool: &str, name: &str, runs: bool, missing: &[&str]| Decided {
            tool: Some(tool.to_owned()),
            arguments: json!({"name": name}).as_object().unwrap().clone(),
            confidence: 0.8,
            runs,
            held: false,
            missing: missing.iter().map(|&name| name.to_owned()).collect(),
        };
        let judged = |case: usize, decided: &Decided| judge(&cases[case], decided);
        for (case, decided, outcome, right_tool, missing_told) in [
            (
                0,
                decided("crm.add", "Dana", true, &[]),
                Outcome::ExecutedRight,
                Some(true),
                None,
            ),
            (
                0,
                decided("crm.add", "Dan", true, &[]),
                Outcome::WronglyExecuted,
                Some(true),
                None,
            ),
            (
                0,
                decided("crm.new", "Dana", true, &[]),
                Outcome::WronglyExecuted,
                Some(false),
                None,
            ),
            (
                0,
                decided("crm.add", "Dana", false, &[]),
                Outcome::WronglyAsked,
                Some(true),
                None,
            ),
            (
                1,
                decided("crm.add", "Dana", true, &[]),
                Outcome::WronglyExecuted,
                None,
                Some(false),
            ),
            (
                1,
                decided("crm.add", "", false, &["name"]),
                Outcome::RightlyAsked,
                None,
                Some(true),
            ),
            (
                1,
                decided("crm.new", "", false, &["name"]),
                Outcome::RightlyAsked,
                None,
                Some(false),
            ),
        ] {
            let judged = judged(case, &decided);
            assert_eq!(
                (judged.outcome, judged.right_tool, judged.missing_told),
                (outcome, right_tool, missing_told),
                "{decided:?}"
            );
        }
        assert!(judged(0, &decided("crm.add", "Dana", false, &[])).right_call);
    }
}
