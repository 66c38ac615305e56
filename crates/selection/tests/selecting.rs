//! Do `select` and `search` keep their contracts, whatever the catalog and the question?

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

#[path = "support/concepts.rs"]
mod concepts;

use std::collections::HashMap;
use std::sync::Arc;

use handpick_domain::{Catalog, Digest, Tool, ToolSet};
use handpick_selection::{Encoder, Floor, Index, Suggestion, Task, Tuning, Vector, search, select};
use proptest::prelude::*;
use serde_json::value::RawValue;

fn tool(app: &str, name: &str, description: &str, parameters: &str) -> Arc<Tool> {
    let json = serde_json::json!({
        "name": name, "description": description,
        "inputSchema": {"type": "object", "properties": {parameters: {"description": parameters}}},
    });
    Arc::new(Tool::parse(app, &RawValue::from_string(json.to_string()).unwrap()).unwrap())
}

fn catalog(rows: &[(&str, &str, &str)]) -> Arc<Catalog> {
    Arc::new(Catalog::new(
        1,
        rows.iter()
            .map(|(app, name, line)| tool(app, name, line, "x"))
            .collect(),
    ))
}

fn office() -> Arc<Catalog> {
    catalog(&[
        ("slack", "post_message", "Post a message to a channel."),
        ("github", "create_issue", "Open a new issue in a repository."),
        ("gitlab", "create_issue", "Open a new issue in a project."),
        ("stripe", "create_invoice", "Bill a customer."),
        ("weather", "forecast", "Forecast for a place."),
    ])
}

/// An index whose every tool has a vector of the test encoder.
fn meaningful(catalog: Arc<Catalog>) -> Index {
    let index = Index::build(catalog, |_| None);
    let missing = index.missing();
    let texts: Vec<&str> = missing.iter().map(|(_, text)| text.as_str()).collect();
    let vectors = concepts::Concepts.encode(&texts).unwrap();
    let vectors: HashMap<Digest, Vector> = missing
        .iter()
        .zip(vectors)
        .map(|((digest, _), v)| (*digest, Vector::from_f32(&v).unwrap()))
        .collect();
    let index = index.with_vectors(|digest| vectors.get(digest).cloned());
    assert!(index.missing().is_empty());
    index
}

fn all(index: &Index) -> ToolSet {
    ToolSet::all(index.catalog().tools().len())
}

fn names(index: &Index, suggestions: &[Suggestion]) -> Vec<String> {
    suggestions
        .iter()
        .map(|s| index.catalog().tools()[s.position].name.to_string())
        .collect()
}

fn ask(index: &Index, text: &str, context: Option<&str>) -> Vec<Suggestion> {
    let vector = concepts::encode(text);
    let context_vector = context.map(concepts::encode);
    let task = Task {
        text,
        context,
        vector: Some(&vector),
        context_vector: context_vector.as_deref(),
        clauses: &[],
    };
    select(index, &task, &all(index), 5, &Tuning::default())
}

/// A29: a task that shares no word with a tool still reaches it.
#[test]
fn a29_meaning_alone_is_enough() {
    let index = meaningful(office());
    let suggestions = ask(&index, "tell everyone the rollout is done", None);
    assert_eq!(names(&index, &suggestions)[0], "slack.post_message");
    let explanation = &suggestions[0].explanation;
    assert!(explanation.shared_words.is_empty());
    assert_eq!(
        explanation.in_words(&index.catalog().tools()[suggestions[0].position].name),
        "the closest in meaning"
    );
}

/// A35: nothing fits, nothing comes back, with and without vectors.
#[test]
fn a35_nothing_fits() {
    for index in [meaningful(office()), Index::build(office(), |_| None)] {
        assert_eq!(
            names(&index, &ask(&index, "pineapple pizza opinions", None)),
            [""; 0]
        );
    }
}

/// A30: the context changes the order and brings in nothing.
#[test]
fn a30_context_only_reorders() {
    let index = meaningful(office());
    let plain = names(&index, &ask(&index, "open an issue", None));
    assert_eq!(plain[..2], ["github.create_issue", "gitlab.create_issue"]);
    let with_context = names(
        &index,
        &ask(
            &index,
            "open an issue",
            Some("our code is on gitlab, rain or not"),
        ),
    );
    assert_eq!(with_context[..2], ["gitlab.create_issue", "github.create_issue"]);
    let sorted = |mut names: Vec<String>| {
        names.sort();
        names
    };
    assert_eq!(sorted(plain), sorted(with_context));
    assert!(
        ask(
            &index,
            "pineapple pizza opinions",
            Some("create an issue on github")
        )
        .is_empty()
    );
}

/// An exact name comes first whatever else the task says, in every spelling.
#[test]
fn exact_names_come_first() {
    let index = meaningful(office());
    for text in [
        "stripe.create_invoice about the issue opened by the slack team: new bug, new ticket",
        "STRIPE_CREATE_INVOICE message channel",
        "after the deploy, create_invoice and notify everyone in slack with a message",
    ] {
        let suggestions = ask(&index, text, Some("github"));
        assert_eq!(names(&index, &suggestions)[0], "stripe.create_invoice", "{text}");
        assert!(
            suggestions[1..]
                .iter()
                .all(|other| other.score < suggestions[0].score)
        );
    }
    let query = "issue create_invoice issue issue";
    assert_eq!(
        search(&index, query, &all(&index), 5)[0].position,
        suggestions_of(&index, "stripe.create_invoice")
    );
}

fn suggestions_of(index: &Index, name: &str) -> usize {
    index
        .catalog()
        .tools()
        .iter()
        .position(|tool| tool.name.as_str() == name)
        .unwrap()
}

/// A36: a tool is found by its words before it has a vector, also among tools that have one.
#[test]
fn a36_words_work_before_vectors() {
    let index = meaningful(office());
    let newcomer = index.with_vectors(|digest| {
        let tools = index.catalog().tools();
        let tool = tools.iter().find(|tool| &tool.digest() == digest)?;
        (tool.name.app() != "weather").then(|| concepts::stored(tool.first_line()))
    });
    assert_eq!(newcomer.missing().len(), 1);
    assert_eq!(newcomer.missing()[0].1, "weather forecast: Forecast for a place.");
    assert_eq!(
        names(&newcomer, &ask(&newcomer, "forecast for Oslo", None))[0],
        "weather.forecast"
    );
    let without = Index::build(office(), |_| None);
    assert!(without.is_lexical_only());
    assert_eq!(
        names(&without, &ask(&without, "open an issue on gitlab", None))[0],
        "gitlab.create_issue"
    );
}

/// A49, A51: keywords, split on case and separators; nothing that shares no word.
#[test]
fn a49_search_is_words_only() {
    let index = meaningful(office());
    for (query, expected) in [
        ("createIssue", vec!["github.create_issue", "gitlab.create_issue"]),
        (
            "CREATE-ISSUE gitlab",
            vec!["gitlab.create_issue", "github.create_issue"],
        ),
        ("tell everyone", vec![]),
        ("", vec![]),
        ("🚀 \0", vec![]),
    ] {
        let hits = search(&index, query, &all(&index), 2);
        let found: Vec<String> = hits
            .iter()
            .map(|hit| index.catalog().tools()[hit.position].name.to_string())
            .collect();
        assert_eq!(found, expected, "{query:?}");
    }
}

/// Garbage in place of vectors costs the meaning, not the answer.
#[test]
fn unusable_vectors_are_ignored() {
    let index = meaningful(office());
    for vector in [&[][..], &[1.0], &[f32::NAN; 8], &[0.0; 8]] {
        let task = Task {
            text: "open an issue",
            vector: Some(vector),
            ..Task::default()
        };
        let suggestions = select(&index, &task, &all(&index), 5, &Tuning::default());
        assert_eq!(names(&index, &suggestions)[0], "github.create_issue");
    }
}

fn word() -> impl Strategy<Value = String> {
    "(send|tell|message|issue|bug|create|open|bill|rain|team|zebra|the|list|Xy|日本|é)"
}

fn phrase(most: usize) -> impl Strategy<Value = String> {
    proptest::collection::vec(word(), 0..=most).prop_map(|words| words.join(" "))
}

fn rows() -> impl Strategy<Value = Vec<(String, String, String)>> {
    let name = proptest::collection::vec(word(), 1..4).prop_map(|words| words.join("_"));
    proptest::collection::vec(("(slack|git|mail)", name, phrase(6)), 1..24)
}

fn built(rows: &[(String, String, String)], parameters: &str, later_lines: &str) -> Index {
    let tools = rows
        .iter()
        .map(|(app, name, line)| tool(app, name, &format!("{line}\n{later_lines}"), parameters));
    meaningful(Arc::new(Catalog::new(1, tools.collect())))
}

proptest! {
    /// A32: catalogs that differ only in parameters and in later lines give identical answers.
    #[test]
    fn a32_parameters_and_later_lines_never_matter(
        rows in rows(), task in phrase(6), parameters in phrase(3), later in phrase(6),
    ) {
        let (plain, rich) = (built(&rows, "x", ""), built(&rows, &parameters, &later));
        prop_assert_eq!(ask(&plain, &task, Some(&later)), ask(&rich, &task, Some(&later)));
        prop_assert_eq!(search(&plain, &task, &all(&plain), 50), search(&rich, &task, &all(&rich), 50));
        let texts = |rows: &[(String, String, String)], later: &str| {
            let tools = rows.iter().map(|(app, name, line)| tool(app, name, &format!("{line}\r\n{later}"), later));
            Index::build(Arc::new(Catalog::new(1, tools.collect())), |_| None).missing()
        };
        prop_assert_eq!(texts(&rows, ""), texts(&rows, &later));
    }

    /// A19, A31: only allowed tools come back, and hidden ones take nobody's place: the answer is the
    /// beginning of the whole ranking of the allowed tools.
    #[test]
    fn a19_filter_first_then_cut(
        rows in rows(), text in phrase(6), context in phrase(3), hidden: u64, limit in 0_usize..8, floor in 0.0_f32..0.6,
    ) {
        let index = built(&rows, "x", "");
        let count = index.catalog().tools().len();
        let allowed = ToolSet::from_fn(count, |position| hidden >> (position % 64) & 1 == 0);
        let (vector, context_vector) = (concepts::encode(&text), concepts::encode(&context));
        let task = Task {
            text: &text, context: Some(&context), vector: Some(&vector), context_vector: Some(&context_vector),
            clauses: &[],
        };
        let tuning = Tuning { floor: Floor { needed: floor, ..Floor::default() }, ..Tuning::default() };
        let whole = select(&index, &task, &allowed, usize::MAX, &tuning);
        let cut = select(&index, &task, &allowed, limit, &tuning);
        prop_assert_eq!(&cut[..], &whole[..limit.min(whole.len())]);
        prop_assert!(whole.iter().all(|suggestion| allowed.contains(suggestion.position)));
        prop_assert!(whole.iter().all(|suggestion| (0.0..=1.0).contains(&suggestion.score)));
        let in_order = |a: &Suggestion, b: &Suggestion| (-a.score, a.position) < (-b.score, b.position);
        prop_assert!(whole.windows(2).all(|pair| in_order(&pair[0], &pair[1])));

        let everything = search(&index, &text, &ToolSet::all(count), usize::MAX);
        let expected: Vec<_> = everything.into_iter().filter(|hit| allowed.contains(hit.position)).take(limit).collect();
        prop_assert_eq!(search(&index, &text, &allowed, limit), expected);
    }

    /// E16, E17: any text is a question.
    #[test]
    fn e17_any_text_can_be_asked(text: String, context: Option<String>) {
        let index = meaningful(office());
        ask(&index, &text, context.as_deref());
        search(&index, &text, &all(&index), 5);
    }
}

/// E16: a very long task costs what its first characters cost, and is answered by them.
#[test]
fn e16_long_tasks_are_answered() {
    let index = meaningful(office());
    let text = format!("open an issue {}", "padding ".repeat(200_000));
    let task = Task {
        text: &text,
        ..Task::default()
    };
    let suggestions = select(
        &index,
        &task,
        &all(&index),
        5,
        &Tuning {
            floor: Floor::NONE,
            ..Tuning::default()
        },
    );
    assert_eq!(names(&index, &suggestions)[0], "github.create_issue");
}

/// A set made for a larger catalog is harmless.
#[test]
fn positions_out_of_range_are_ignored() {
    let index = meaningful(office());
    let task = Task {
        text: "open an issue",
        ..Task::default()
    };
    assert!(!select(&index, &task, &ToolSet::all(500), 500, &Tuning::default()).is_empty());
    assert!(
        search(&index, "issue", &ToolSet::all(500), 500)
            .iter()
            .all(|hit| hit.position < 5)
    );
}
