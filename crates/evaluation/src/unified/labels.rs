//! What is asked in words, and which call would be right?

use std::collections::BTreeMap;
use std::str::FromStr;

use serde_json::{Map, Value};

use crate::labelled::{Mistake, kind_of, names, object, text};

/// One labelled request.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Tells it apart within its file.
    pub id: String,
    /// How it is said.
    pub voice: String,
    /// The tool sets whose tools are on the surface.
    pub servers: Vec<String>,
    /// What is asked.
    pub request: String,
    /// The situation: a text or an object.
    pub context: Option<Value>,
    /// What would be right.
    pub expected: Expected,
    /// Whether the call, or the one that tempts, destroys something or reaches people outside.
    pub destructive: bool,
}

/// What would be right.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// One of these calls, the first being the one that was thought of.
    Run(Vec<LabelledCall>),
    /// Nothing may run.
    Ask {
        /// Why.
        reason: Reason,
        /// The tool, where it is known.
        tool: Option<String>,
        /// Its required arguments that the request does not give.
        missing: Vec<String>,
    },
}

/// A call that is right.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LabelledCall {
    /// `server.tool`.
    pub tool: String,
    /// Exactly these arguments.
    pub arguments: Map<String, Value>,
    /// Arguments that may be there too, with these values.
    pub optional: Map<String, Value>,
}

/// Why nothing may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// A required value is not given.
    Missing,
    /// Several tools fit equally.
    Ambiguous,
    /// No tool there does it.
    Nothing,
    /// It does not ask for something to be done, or not clearly.
    Unclear,
}

impl Reason {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Ambiguous => "ambiguous",
            Self::Nothing => "nothing",
            Self::Unclear => "unclear",
        }
    }
}

impl FromStr for Reason {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        [Self::Missing, Self::Ambiguous, Self::Nothing, Self::Unclear]
            .into_iter()
            .find(|reason| reason.as_str() == text)
            .ok_or(())
    }
}

/// Reads labelled requests, one JSON object a line; `quality/unified/README.md` tells the fields.
pub fn read(source: &str) -> Result<Vec<Case>, Mistake> {
    let mut cases = Vec::new();
    let mut seen = BTreeMap::new();
    let lines = source.trim_start_matches('\u{feff}').lines().enumerate();
    for (index, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let number = index + 1;
        let mistake = |text: String| Mistake {
            line: Some(number),
            text,
        };
        let case = read_line(line).map_err(mistake)?;
        if let Some(first) = seen.insert(case.id.clone(), number) {
            let text = format!("`id` must be given once, and line {first} has `{}` too", case.id);
            return Err(mistake(text));
        }
        cases.push(case);
    }
    if cases.is_empty() {
        return Err(Mistake {
            line: None,
            text: "holds no request: one JSON object a line is expected, with `request` and `outcome`"
                .to_owned(),
        });
    }
    Ok(cases)
}

fn read_line(line: &str) -> Result<Case, String> {
    let row = object(line)?;
    let needed = |key: &str| {
        text(&row, key)?
            .filter(|text| !text.trim().is_empty())
            .ok_or_else(|| format!("`{key}` is required"))
    };
    let context = row.get("context").filter(|context| !context.is_null()).cloned();
    if !matches!(context, None | Some(Value::String(_) | Value::Object(_))) {
        return Err("`context` must be a text or an object".to_owned());
    }
    let servers = names(&row, "servers")?.unwrap_or_default();
    if servers.is_empty() {
        return Err("`servers` is required: the tool sets on the surface".to_owned());
    }
    Ok(Case {
        id: needed("id")?,
        voice: text(&row, "voice")?.unwrap_or_else(|| "plain".to_owned()),
        servers,
        request: needed("request")?,
        context,
        expected: match needed("outcome")?.as_str() {
            "run" => Expected::Run(calls(&row)?),
            "ask" => asked(&row)?,
            other => return Err(format!("`outcome` must be `run` or `ask`, not `{other}`")),
        },
        destructive: row
            .get("destructive")
            .and_then(Value::as_bool)
            .unwrap_or_default(),
    })
}

fn calls(row: &Map<String, Value>) -> Result<Vec<LabelledCall>, String> {
    let mut calls = vec![call(row)?];
    let alternatives = match row.get("alternatives") {
        None | Some(Value::Null) => &[],
        Some(Value::Array(alternatives)) => alternatives.as_slice(),
        Some(other) => return Err(format!("`alternatives` must be an array, not {}", kind_of(other))),
    };
    for (index, alternative) in alternatives.iter().enumerate() {
        let alternative = alternative
            .as_object()
            .ok_or_else(|| format!("`alternatives[{index}]` must be an object"))?;
        let mut call = call(alternative).map_err(|told| format!("`alternatives[{index}]`: {told}"))?;
        if call.optional.is_empty() && calls.first().is_some_and(|first| first.tool == call.tool) {
            call.optional = calls
                .first()
                .map(|first| first.optional.clone())
                .unwrap_or_default();
        }
        calls.push(call);
    }
    Ok(calls)
}

fn call(row: &Map<String, Value>) -> Result<LabelledCall, String> {
    let arguments = |key: &str| match row.get(key) {
        None | Some(Value::Null) => Ok(Map::new()),
        Some(Value::Object(arguments)) => Ok(arguments.clone()),
        Some(other) => Err(format!("`{key}` must be an object, not {}", kind_of(other))),
    };
    Ok(LabelledCall {
        tool: text(row, "tool")?.ok_or("`tool` is required where something runs")?,
        arguments: arguments("arguments")?,
        optional: arguments("optional")?,
    })
}

fn asked(row: &Map<String, Value>) -> Result<Expected, String> {
    let reason = text(row, "reason")?.unwrap_or_default();
    Ok(Expected::Ask {
        reason: reason.parse().map_err(|()| {
            format!("`reason` must be `missing`, `ambiguous`, `nothing` or `unclear`, not `{reason}`")
        })?,
        tool: text(row, "tool")?,
        missing: names(row, "missing")?.unwrap_or_default(),
    })
}

impl Case {
    /// Every tool that a label names.
    pub fn named_tools(&self) -> Vec<&str> {
        match &self.expected {
            Expected::Run(calls) => calls.iter().map(|call| call.tool.as_str()).collect(),
            Expected::Ask { tool, .. } => tool.iter().map(String::as_str).collect(),
        }
    }

    /// `run`, or `ask` with its reason.
    pub fn kind(&self) -> String {
        match &self.expected {
            Expected::Run(_) => "run".to_owned(),
            Expected::Ask { reason, .. } => format!("ask: {}", reason.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &str = r#"{"id":"a","servers":["crm"],"request":"Add Dana","outcome":"run","tool":"crm.add","arguments":{"name":"Dana"},"optional":{"source":"manual"},"alternatives":[{"tool":"crm.add","arguments":{"name":"dana"}},{"tool":"crm.new"}]}"#;

    #[test]
    fn both_outcomes_are_read() {
        let ask = r#"{"id":"b","voice":"terse","servers":["crm"],"request":"delete it","context":"x","outcome":"ask","reason":"missing","tool":"crm.delete","missing":["id"],"destructive":true}"#;
        let cases = read(&format!("{RUN}\n\n{ask}\n")).unwrap();
        let Expected::Run(calls) = &cases[0].expected else {
            panic!()
        };
        assert_eq!(calls.len(), 3);
        assert_eq!(
            calls[1].optional, calls[0].optional,
            "the same tool may have them too"
        );
        assert!(calls[2].optional.is_empty());
        assert_eq!(cases[1].kind(), "ask: missing");
        assert_eq!(cases[1].named_tools(), ["crm.delete"]);
        assert!(cases[1].destructive && cases[1].voice == "terse");
    }

    #[test]
    fn mistakes_name_the_field() {
        for (line, told) in [
            ("{}", "`servers`"),
            (r#"{"servers":["a"]}"#, "`id`"),
            (r#"{"servers":["a"],"id":"x"}"#, "`request`"),
            (
                r#"{"servers":["a"],"id":"x","request":"y","outcome":"maybe"}"#,
                "`run` or `ask`",
            ),
            (
                r#"{"servers":["a"],"id":"x","request":"y","outcome":"run"}"#,
                "`tool`",
            ),
            (
                r#"{"servers":["a"],"id":"x","request":"y","outcome":"run","tool":"t","arguments":[]}"#,
                "`arguments`",
            ),
            (
                r#"{"servers":["a"],"id":"x","request":"y","outcome":"ask","reason":"whim"}"#,
                "`reason`",
            ),
            (
                r#"{"servers":["a"],"id":"x","request":"y","context":3,"outcome":"ask"}"#,
                "`context`",
            ),
        ] {
            let mistake = read(line).unwrap_err();
            assert!(mistake.text.contains(told), "{line}: {mistake}");
            assert_eq!(mistake.line, Some(1));
        }
        assert_eq!(read(&format!("{RUN}\n{RUN}")).unwrap_err().line, Some(2));
        assert_eq!(read("\n").unwrap_err().line, None);
    }
}
