//! Does `handpick eval turns` measure what it says, and are turns answered as well as the baseline says?

use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::run::{eval, text};

/// Worse than the baseline by more than this is a loss of quality: about a dozen of some 700 needed tools.
const MARGIN: &str = "0.02";

const CATALOG: &str = r#"{"tools": [
 {"name": "find_customer", "description": "Find a customer by name.", "produces": ["customer_id"],
  "parameters": [{"name": "query", "dataType": "string", "required": true}]},
 {"name": "cancel_subscription", "description": "Cancel a customer's subscription.",
  "parameters": [{"name": "customer_id", "dataType": "string", "required": true}]},
 {"name": "erase_customer", "description": "Erase all data of a customer.", "requiredRoles": ["admin"],
  "parameters": [{"name": "customer_id", "dataType": "string", "required": true}]},
 {"name": "ask_user", "description": "Ask the user a question.", "core": true}]}"#;

const TRACES: &str = r#"[{"id": "t-1", "messages": [{"role": "user", "content": "cancel Hooli's subscription"},
 {"role": "assistant", "content": "Done.", "toolCalls": [
  {"name": "cancel_subscription", "arguments": {"customer_id": "cus_1"}, "result": "ok"}]}]}]"#;

fn turn(message: &str, expect: &Value) -> Value {
    json!({"message": message, "expect": expect, "assistant": {"content": "Sure.", "toolCalls": []}})
}

fn conversations() -> String {
    let turns = [
        turn(
            "cancel the subscription of Globex",
            &json!({"turnType": "ACTION", "needed": ["find_customer", "cancel_subscription"]}),
        ),
        turn("thanks", &json!({"turnType": "SMALLTALK", "needed": []})),
        turn(
            "erase all data of this customer",
            &json!({"turnType": "ACTION", "needed": ["teleport", "ask_user"], "forbidden": ["erase_customer"]}),
        ),
    ];
    json!({"id": "c-1", "user": {"roles": ["agent"]}, "turns": turns}).to_string()
}

/// A folder of one domain.
fn domain(conversations: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "catalog.json", CATALOG);
    write(folder.path(), "traces.json", TRACES);
    write(folder.path(), "conversations.jsonl", conversations);
    folder
}

fn write(folder: &std::path::Path, name: &str, content: &str) {
    std::fs::write(folder.join(name), content).unwrap();
}

fn turns(arguments: &[&str]) -> crate::run::Run {
    eval(&[&["turns"], arguments].concat())
}

#[test]
fn a_table_tells_each_domain_and_all() {
    let above = tempfile::tempdir().unwrap();
    for name in ["one", "two"] {
        let folder = above.path().join(name);
        std::fs::create_dir(&folder).unwrap();
        write(&folder, "catalog.json", CATALOG);
        write(&folder, "conversations.jsonl", &conversations());
    }
    let run = turns(&[text(above.path()), "--misses", "2"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let lines: Vec<&str> = run.out.lines().map(str::trim).collect();
    let place = |start: &str| {
        let found = lines.iter().position(|line| line.starts_with(start));
        found.unwrap_or_else(|| panic!("no line begins with `{start}`:\n{}", run.out))
    };
    let order = ["domain", "one ", "two ", "all "].map(place);
    assert!(order.is_sorted(), "{}", run.out);
    place("missing   teleport");
    place("Worst turns of two");
    assert!(
        run.err
            .contains("labels that no tool of the catalog has: 1, such as `teleport` in `c-1#3`"),
        "{}",
        run.err
    );
    assert!(!run.out.contains('\x1b'), "colours in a pipe");
}

#[test]
fn json_counts_what_came_back() {
    let folder = domain(&conversations());
    let run = turns(&[text(folder.path()), "--json", "--misses", "5"]);
    let report = run.succeeded().json();
    let counts = &report["overall"]["counts"];
    assert_eq!(
        (&counts["turns"], &counts["needing"], &counts["needed"]),
        (&json!(3), &json!(2), &json!(4))
    );
    // Both tools that the first turn needs, and the core tool, which is always there.
    assert_eq!(counts["found"], 3, "{report:#}");
    assert_eq!(counts["forbidden"], 0, "{report:#}");
    assert_eq!(report["domains"][0]["traces"], 1);
    assert_eq!(report["overall"]["latency_ms"]["queries"], 3);
    let misses = report["domains"][0]["misses"].as_array().unwrap();
    assert_eq!(misses[0]["missing"], json!(["teleport"]));

    let less = turns(&[
        text(folder.path()),
        "--json",
        "--no-traces",
        "--no-memory",
        "--max-tools",
        "0",
    ]);
    let less = less.succeeded().json();
    assert_eq!(
        less["setup"],
        json!({"traces": false, "memory": false, "max_tools": 0})
    );
    assert_eq!(
        (&less["domains"][0]["traces"], &less["overall"]["counts"]["given"]),
        (&json!(0), &json!(0))
    );
}

#[test]
fn dialogues_without_labels_are_measured_by_their_calls() {
    let folder = tempfile::tempdir().unwrap();
    let tool = r#"{"name": "AddAlarm", "description": "Set an alarm at a time.",
        "input_schema": {"properties": {"time": {"type": "string"}}, "required": ["time"]}}"#;
    write(folder.path(), "tools.jsonl", &tool.replace('\n', " "));
    let dialogue = json!({"id": "a", "messages": [
        {"role": "user", "content": "set an alarm for six"},
        {"role": "assistant", "content": "Done", "toolCalls": [
            {"name": "AddAlarm", "arguments": {"time": "06:00"}, "result": {"alarm_id": "5b"}}]},
        {"role": "user", "content": "thanks!"}]});
    write(folder.path(), "conversations.jsonl", &dialogue.to_string());
    let report = turns(&[text(folder.path()), "--json"]).succeeded().json();
    let overall = &report["overall"];
    assert_eq!(
        (&overall["counts"]["turns"], &overall["measures"]["needed_found"]),
        (&json!(2), &json!(1.0))
    );
    assert_eq!(
        overall["measures"].get("turn_type"),
        None,
        "nobody said what kind they are"
    );
}

#[test]
fn a_fall_fails_and_a_rise_does_not() {
    let folder = domain(&conversations());
    let before = folder.path().join("before.json");
    let mut report = turns(&[text(folder.path()), "--json"]).succeeded().json();
    let compare = |report: &Value, more: &[&str]| {
        std::fs::write(&before, report.to_string()).unwrap();
        let guard = [
            text(folder.path()),
            "--compare",
            text(&before),
            "--fail-below",
            "0.02",
        ];
        turns(&[&guard, more].concat())
    };
    let same = compare(&report, &[]);
    assert_eq!(same.code, 0, "{}", same.err);
    assert!(same.out.contains("nothing moved"), "{}", same.out);
    report["overall"]["measures"]["needed_found"] = json!(0.9);
    let fallen = compare(&report, &[]);
    assert_eq!(fallen.code, 1);
    assert!(
        fallen.err.contains("needed_found went from 0.900 to 0.750"),
        "{}",
        fallen.err
    );
    assert!(fallen.out.contains("▼ 0.150"), "{}", fallen.out);
    report["overall"]["measures"]["needed_found"] = json!(0.1);
    assert_eq!(compare(&report, &[]).code, 0);
    let other = compare(&report, &["--no-traces"]);
    assert_eq!(other.code, 1);
    assert!(
        other.err.contains("past conversations on then, off now"),
        "{}",
        other.err
    );
    std::fs::write(&before, "{}").unwrap();
    let wrong = turns(&[text(folder.path()), "--compare", text(&before)]);
    assert!(
        wrong
            .err
            .contains("is not what `handpick eval turns --json` prints: missing field"),
        "{}",
        wrong.err
    );
}

#[test]
fn mistakes_name_file_line_and_field() {
    let good = conversations();
    for (conversations, catalog, told) in [
        ("nope", CATALOG, "conversations.jsonl:1: is not JSON"),
        (
            &good.replace("\"message\"", "\"said\""),
            CATALOG,
            "conversations.jsonl:1: `turns[0]`: `message` is required",
        ),
        (
            &good,
            r#"{"tools": [{"name": 7}]}"#,
            "catalog.json: `tools[0].name`",
        ),
        (&good, "{", "catalog.json:1: is not JSON"),
        (
            &good.replace("\"content\":\"Sure.\"", "\"content\":5"),
            CATALOG,
            "conversation `c-1`, sent as history: `history[1].content`",
        ),
    ] {
        let folder = domain(conversations);
        write(folder.path(), "catalog.json", catalog);
        let run = turns(&[text(folder.path())]);
        assert_eq!(run.code, 1, "{told}");
        assert!(run.err.contains(told), "{}\nexpected: {told}", run.err);
    }
    let empty = tempfile::tempdir().unwrap();
    let run = turns(&[text(empty.path())]);
    assert!(
        run.err
            .contains("has no conversations.jsonl, and no folder in it has one"),
        "{}",
        run.err
    );
    let nowhere = turns(&["/nowhere/at/all"]);
    assert!(
        nowhere
            .err
            .contains("cannot be read as a folder of conversations"),
        "{}",
        nowhere.err
    );
}

#[test]
fn quality_has_not_fallen() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../quality/turns");
    let baseline = folder.join("baseline.json");
    let guard = [
        "--compare",
        text(&baseline),
        "--fail-below",
        MARGIN,
        "--misses",
        "2",
    ];
    let run = turns(&[&[text(&folder)], &guard[..]].concat());
    println!("{}", run.out);
    assert_eq!(run.code, 0, "{}\nsee quality/turns/README.md", run.err);
    assert!(!run.err.contains("warning"), "{}", run.err);
}
