//! What does the command print, write and refuse?

use serde_json::{Value, json};

use crate::run::{eval, folder, text};

const TOOLS: &str = r#"{"name":"git__create_branch","server":"git","description":"Create a branch in a repository.","input_schema":{"type":"object"}}
{"name":"git__list_branches","server":"git","description":"List the branches of a repository.","input_schema":null}
{"name":"mail__send","server":"mail","description":"Send an e-mail to somebody."}
"#;

const QUERIES: &str = r#"{"id":"a","kind":"plain","query":"git create_branch","relevant":["git__create_branch"]}
{"id":"b","kind":"plain","query":"send an e-mail to Mara","relevant":["mail__send"],"also_accept":[]}

{"id":"c","kind":"wrong","query":"send an e-mail to Jo","relevant":["git__list_branches"]}
{"id":"d","kind":"none","query":"zzyzx qwfpgj","relevant":[],"context":[{"role":"user","content":"hello"}]}
"#;

#[test]
fn the_table_has_a_line_for_each_kind_and_one_for_all() {
    let set = folder(&[("tools.jsonl", TOOLS), ("queries.jsonl", QUERIES)]);
    let run = eval(&[text(set.path()), "--misses", "3", "--calibration"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let lines: Vec<&str> = run.out.lines().map(str::trim).collect();
    let place = |start: &str| {
        let found = lines.iter().position(|line| line.starts_with(start));
        found.unwrap_or_else(|| panic!("no line begins with `{start}`:\n{}", run.out))
    };
    let kinds = ["plain", "wrong", "none", "all answerable"].map(place);
    assert!(kinds.is_sorted(), "{}", run.out);
    assert!(
        lines[kinds[0]].starts_with("plain                 2  1.000  1.000"),
        "{}",
        run.out
    );
    for part in [
        "abstention",
        "calibration",
        "latency",
        "tokens",
        "Worst misses",
        "Calibration of the first five",
    ] {
        place(part);
    }
    let miss = place("“send an e-mail to Jo”");
    assert!(
        lines[miss + 1].starts_with("wanted   git__list_branches"),
        "{}",
        run.out
    );
    assert!(lines[miss + 2].starts_with("instead  mail__send"), "{}", run.out);
    assert!(lines[miss + 2].contains("shares the word"), "{}", run.out);
    assert!(!run.out.contains('\x1b'), "colours in a pipe");
}

#[test]
fn json_and_rankings_tell_the_same() {
    let set = folder(&[("tools.jsonl", TOOLS), ("queries.jsonl", QUERIES)]);
    let rankings = set.path().join("rankings.jsonl");
    let report = eval(&[
        text(set.path()),
        "--json",
        "--k",
        "2,1",
        "--rankings",
        text(&rankings),
    ])
    .succeeded()
    .json();
    let keys: Vec<&String> = report["kinds"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["plain", "wrong", "none"]);
    assert_eq!((&report["queries"], &report["tools"]), (&json!(4), &json!(3)));
    assert_eq!(report["overall"]["hit@1"], json!(0.6667));
    assert_eq!(report["kinds"]["wrong"]["hit@1"], json!(0.0));
    assert_eq!(report["overall"].get("hit@5"), None);
    assert_eq!(report["latency_ms"]["queries"], json!(4));
    assert!(report["tokens"]["catalog"].as_u64().unwrap() > 0);

    let lines = std::fs::read_to_string(&rankings).unwrap();
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let ids: Vec<&Value> = lines.iter().map(|line| &line["id"]).collect();
    assert_eq!(ids, ["a", "b", "c", "d"]);
    assert_eq!(lines[0]["ranking"][0]["name"], "git__create_branch");
    for line in &lines {
        assert_eq!(
            line["ranking"].as_array().unwrap().len(),
            3,
            "the ranking has no floor: {line}"
        );
        assert!(line["ranking"][0]["score"].is_number());
    }
    let empty = lines
        .iter()
        .filter(|line| line["answer"].as_array().unwrap().is_empty())
        .count();
    let told = &report["abstention"];
    let count = |share: &str, of: &str| told[share].as_f64().unwrap() * told[of].as_f64().unwrap();
    let shares = count("rightly_empty", "unanswerable") + count("wrongly_empty", "answerable");
    assert!((shares - empty as f64).abs() < 0.01, "{told} {lines:?}");
}

#[test]
fn a_search_has_scores_but_no_probabilities() {
    let set = folder(&[("tools.jsonl", TOOLS), ("queries.jsonl", QUERIES)]);
    let report = eval(&[text(set.path()), "--json", "--profile", "search"])
        .succeeded()
        .json();
    assert_eq!(
        (&report["profile"], &report["calibration"]),
        (&json!("search"), &Value::Null)
    );
    assert_eq!(report["kinds"]["plain"]["hit@1"], json!(1.0));
    assert_eq!(report["kinds"]["none"]["rightly_empty"], json!(1.0));
}

#[test]
fn a_fall_fails_and_a_rise_does_not() {
    let set = folder(&[("tools.jsonl", TOOLS), ("queries.jsonl", QUERIES)]);
    let before = set.path().join("before.json");
    let mut report = eval(&[text(set.path()), "--json"]).succeeded().json();
    let compare = |report: &Value, margin: &str| {
        std::fs::write(&before, report.to_string()).unwrap();
        eval(&[
            text(set.path()),
            "--compare",
            text(&before),
            "--fail-below",
            margin,
        ])
    };
    let same = compare(&report, "0.02");
    assert_eq!(same.code, 0, "{}", same.err);
    assert!(same.out.contains("no kind moved"), "{}", same.out);

    report["overall"]["hit@1"] = json!(0.7167);
    report["kinds"]["wrong"]["mrr"] = json!(0.9);
    let fallen = compare(&report, "0.02");
    assert_eq!(fallen.code, 1);
    assert!(fallen.err.contains("hit@1 of `"), "{}", fallen.err);
    assert!(fallen.err.contains("went from 0.717 to 0.667"), "{}", fallen.err);
    assert!(fallen.out.contains("▼"), "{}", fallen.out);
    assert_eq!(compare(&report, "0.06").code, 0);
    report["overall"]["hit@1"] = json!(0.1);
    assert_eq!(compare(&report, "0").code, 0);

    report["queries"] = json!(9);
    let other = compare(&report, "0.02");
    assert_eq!(other.code, 1);
    assert!(other.err.contains("queries 9 then, 4 now"), "{}", other.err);
}

#[test]
fn several_sets_have_a_mean() {
    let one = folder(&[("tools.jsonl", TOOLS), ("queries.jsonl", QUERIES)]);
    let first = QUERIES.lines().next().unwrap();
    let other = folder(&[("tools.jsonl", TOOLS), ("queries.jsonl", first)]);
    let both = [text(one.path()), text(other.path())];
    let reports = eval(&[both[0], both[1], "--json"]).succeeded().json();
    let hit = |index: usize| reports["sets"][index]["overall"]["hit@1"].as_f64().unwrap();
    let mean = reports["mean"]["hit@1"].as_f64().unwrap();
    assert!((mean - (hit(0) + hit(1)) / 2.0).abs() < 1e-3, "{reports}");
    let table = eval(&[both[0], both[1]]).out;
    assert!(table.contains("all sets") && table.contains("\n mean"), "{table}");
}

#[test]
fn labels_of_no_tool_are_told_and_count_as_never_found() {
    let queries = r#"{"id":"a","query":"send an e-mail","relevant":["mail__send","mail__gone"]}"#;
    let set = folder(&[("tools.jsonl", TOOLS), ("queries.jsonl", queries)]);
    let run = eval(&[text(set.path()), "--json"]);
    assert_eq!(run.succeeded().json()["overall"]["recall@10"], json!(0.5));
    assert!(
        run.err.contains("warning:") && run.err.contains("no tool: 1, in 1 of 1 requests"),
        "{}",
        run.err
    );
    assert!(run.err.contains("`mail__gone` in `a`"), "{}", run.err);
}

#[test]
fn mistakes_name_file_line_and_field() {
    for (tools, queries, told) in [
        (TOOLS, "", "queries.jsonl: holds no request"),
        (TOOLS, "\n{\"query\":", "queries.jsonl:2: is not JSON"),
        (
            TOOLS,
            "{\"id\":\"a\",\"relevant\":[]}",
            "queries.jsonl:1: `query` is required",
        ),
        (
            TOOLS,
            "{\"id\":\"a\",\"query\":\"q\"}",
            "queries.jsonl:1: `relevant` is required",
        ),
        (
            TOOLS,
            &QUERIES.replace("\"b\"", "\"a\""),
            "queries.jsonl:2: `id` must be given once, and line 1 has `a`",
        ),
        ("", QUERIES, "tools.jsonl: lists no tool"),
        ("{\"name\":\"a\"}\nnope", QUERIES, "tools.jsonl: line 2"),
    ] {
        let set = folder(&[("tools.jsonl", tools), ("queries.jsonl", queries)]);
        let run = eval(&[text(set.path())]);
        assert_eq!(run.code, 1, "{queries}");
        assert!(run.err.contains(told), "{}\nexpected: {told}", run.err);
    }
    let empty = folder(&[]);
    assert!(
        eval(&[text(empty.path())])
            .err
            .contains("queries.jsonl: cannot be read")
    );
    let set = folder(&[
        ("tools.jsonl", TOOLS),
        ("queries.jsonl", QUERIES),
        ("old.json", "{}"),
    ]);
    let old = set.path().join("old.json");
    let run = eval(&[text(set.path()), "--compare", text(&old)]);
    assert!(
        run.err
            .contains("is not what `handpick eval --json` prints: missing field"),
        "{}",
        run.err
    );
}
