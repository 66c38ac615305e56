//! Does `handpick eval unified` measure what it says, and do requests in words come to as much as they did?

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::run::{eval, folder, text};

fn quality() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../quality/unified")
}

/// P20, P21: on the demo's tools no more is wrongly executed than the baseline says, and no less is executed rightly.
#[test]
fn p20_requests_in_words_come_to_what_they_did() {
    let baseline = quality().join("baseline.json");
    let run = eval(&[
        "unified",
        text(&quality().join("dev.jsonl")),
        "--baseline",
        text(&baseline),
        "--misses",
        "10",
    ]);
    assert!(run.code == 0, "{}\n{}", run.out, run.err);
    let report: Value = serde_json::from_str(&std::fs::read_to_string(baseline).unwrap()).unwrap();
    let counts = &report["counts"];
    let wrong = counts["wrongly_executed"].as_f64().unwrap() / counts["requests"].as_f64().unwrap();
    assert!(wrong < 0.01, "the baseline itself keeps the line");
    assert_eq!(counts["wrongly_destroyed"], 0);
}

/// A catalog of one's own is asked over by its file's name; requests whose servers are not there are counted.
#[test]
fn catalogs_are_found_by_their_names() {
    let notes = json!({"tools": [{
        "name": "delete_note",
        "description": "Delete a note.",
        "inputSchema": {"type": "object", "properties": {"note_id": {"type": "string"}}, "required": ["note_id"]}
    }]});
    let cases = [
        json!({"id": "a", "servers": ["notes"], "request": "Delete the note NOT-4", "outcome": "run", "tool": "notes.delete_note", "arguments": {"note_id": "NOT-4"}}),
        json!({"id": "b", "servers": ["notes"], "request": "Delete the note", "outcome": "ask", "reason": "missing", "tool": "notes.delete_note", "missing": ["note_id"]}),
        json!({"id": "c", "servers": ["elsewhere"], "request": "Paint it", "outcome": "ask", "reason": "nothing"}),
    ];
    let lines: String = cases.iter().map(|case| format!("{case}\n")).collect();
    let files = folder(&[("notes.json", &notes.to_string()), ("mine.jsonl", &lines)]);
    let (mine, signals) = (
        files.path().join("mine.jsonl"),
        files.path().join("signals.jsonl"),
    );
    let run = eval(&[
        "unified",
        text(&mine),
        "--catalogs",
        text(files.path()),
        "--json",
        "--signals",
        text(&signals),
    ]);
    run.succeeded();
    let report: Value = run.json();
    assert_eq!((&report["set"], &report["skipped"]), (&json!("mine"), &json!(1)));
    let counts = &report["counts"];
    assert_eq!((&counts["requests"], &counts["run"]), (&json!(2), &json!(1)));
    assert_eq!((&counts["right_tool"], &counts["exact"]), (&json!(1), &json!(1)));
    assert_eq!(
        (&counts["wrongly_executed"], &counts["missing_told"]),
        (&json!(0), &json!(1))
    );
    let lines = std::fs::read_to_string(signals).unwrap();
    let first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["candidates"][0]["meant"], &first["candidates"][0]["right"]),
        (&json!(true), &json!(true))
    );
    assert!(first["candidates"][0]["signals"]["lead"].is_number());
}

/// Mistakes name file, line and field; a set that cannot be asked at all is an error.
#[test]
fn mistakes_are_told() {
    let elsewhere =
        r#"{"id":"c","servers":["elsewhere"],"request":"Paint it","outcome":"ask","reason":"nothing"}"#;
    let files = folder(&[
        ("bad.jsonl", "{\"id\":1}\n"),
        ("away.jsonl", elsewhere),
        ("odd.json", "[]"),
    ]);
    let file = |name: &str| files.path().join(name);
    for (arguments, told) in [
        (
            vec!["unified".to_owned(), text(&file("bad.jsonl")).to_owned()],
            "bad.jsonl:1",
        ),
        (
            vec!["unified".to_owned(), text(&file("away.jsonl")).to_owned()],
            "--catalogs",
        ),
        (
            vec!["unified".to_owned(), text(&file("none.jsonl")).to_owned()],
            "cannot be read",
        ),
        (
            vec![
                "unified".to_owned(),
                text(&file("away.jsonl")).to_owned(),
                "--baseline".to_owned(),
                text(&file("odd.json")).to_owned(),
            ],
            "eval unified --json",
        ),
    ] {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let run = eval(&arguments);
        assert!(run.code != 0 && run.err.contains(told), "{told}: {}", run.err);
    }
}
