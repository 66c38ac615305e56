//! Does the encoder inside the program make tasks meet tools that share no word with them?

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::collections::HashMap;
use std::sync::Arc;

use handpick_domain::{Catalog, Digest, Tool, ToolSet};
use handpick_inference::MiniLm;
use handpick_selection::{Encoder, Index, Task, Tuning, Vector, select};
use serde_json::value::RawValue;

const TOOLS: [(&str, &str, &str); 8] = [
    (
        "Slack",
        "SendMessage",
        "Send a message to a Slack channel or user.",
    ),
    ("GitHub", "CreateIssue", "Create an issue in a GitHub repository."),
    ("Calendar", "CreateEvent", "Create a calendar event."),
    ("Weather", "GetForecast", "Get the weather forecast for a city."),
    ("Stripe", "CreateRefund", "Refund a charge to a customer's card."),
    ("Drive", "SearchFiles", "Search files in Google Drive."),
    ("Math", "Sqrt", "Square root of a number."),
    ("Mail", "ListThreads", "List the threads of a mailbox."),
];

fn index(encoder: &MiniLm) -> Index {
    let tools = TOOLS.map(|(app, name, description)| {
        let json = serde_json::json!({"name": name, "description": description, "inputSchema": {}});
        Arc::new(Tool::parse(app, &RawValue::from_string(json.to_string()).unwrap()).unwrap())
    });
    let index = Index::build(Arc::new(Catalog::new(1, tools.into())), |_| None);
    let missing = index.missing();
    let texts: Vec<&str> = missing.iter().map(|(_, text)| text.as_str()).collect();
    let vectors: HashMap<Digest, Vector> = missing
        .iter()
        .zip(encoder.encode(&texts).unwrap())
        .map(|((digest, _), vector)| (*digest, Vector::from_f32(&vector).unwrap()))
        .collect();
    index.with_vectors(|digest| vectors.get(digest).cloned())
}

/// A29 with the shipped floor: the wanted tool is among the five, first where the task is plain. A35:
/// what no tool serves gets none.
#[test]
fn a29_a35_the_shipped_floor_lets_meaning_through() {
    let encoder = MiniLm::load().unwrap();
    let index = index(&encoder);
    let allowed = ToolSet::all(TOOLS.len());
    let ask = |text: &str| -> Vec<String> {
        let vector = &encoder.encode(&[text]).unwrap()[0];
        let task = Task {
            text,
            vector: Some(vector),
            ..Task::default()
        };
        let suggestions = select(&index, &task, &allowed, 5, &Tuning::default());
        suggestions
            .iter()
            .map(|suggestion| index.catalog().tools()[suggestion.position].name.to_string())
            .collect()
    };
    for text in [
        "tell the team the rollout is done",
        "let the team know the deploy finished",
    ] {
        let found = ask(text);
        assert!(
            found.contains(&"Slack.SendMessage".to_owned()),
            "{text}: {found:?}"
        );
    }
    for (text, expected) in [
        ("will it rain in Oslo tomorrow?", "Weather.GetForecast"),
        ("give the client their money back", "Stripe.CreateRefund"),
        ("report the crash as a bug", "GitHub.CreateIssue"),
        ("any new emails?", "Mail.ListThreads"),
    ] {
        assert_eq!(ask(text).first().map(String::as_str), Some(expected), "{text}");
    }
    for text in ["sing me a lullaby", "thanks, bye"] {
        assert_eq!(ask(text), [""; 0], "{text}");
    }
}
