//! What does the command print, write and refuse, and with which exit code?

use serde_json::Value;

use crate::run::{folder, lint};

/// One tool a line: nothing is wrong with the first, little is right with the others.
const LINES: &str = r#"{"name":"git__log","server":"git","description":"Show the commits of a Git branch, newest first, with author and date.","input_schema":{"type":"object","properties":{}}}

{"name":"git__show","server":"git","description":"\nShows one commit of a Git repository with its changes.","input_schema":{"type":"object","properties":{}}}
{"name":"mail__send","server":"mail","description":"Send mail.","input_schema":{"type":"object","properties":{"to":{"type":"array","description":"To whom"}}}}
{"name":"git__log","server":"git","description":"Again.","input_schema":{"type":"object","properties":{}}}
"#;

#[test]
fn a_person_reads_what_is_wrong_and_what_to_write() {
    let folder = folder("tools.jsonl", LINES);
    let run = lint(folder.path(), &["--catalog", "tools.jsonl", "--all"]);
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    insta::assert_snapshot!(run.out);
    assert!(!run.out.contains('\x1b'), "colours in a pipe");
}

/// 0 is clean, 1 is findings that `--deny` names, 2 is that nothing could be checked.
#[test]
fn exit_codes() {
    let folder = folder("tools.jsonl", LINES);
    let fine = lint(folder.path(), &["--catalog", "tools.jsonl", "--deny", "none"]);
    assert_eq!(fine.code, 0, "{}", fine.err);
    let one = ["--catalog", "tools.jsonl", "--rule", "first-line-repeats-name"];
    for (more, code) in [
        (&[][..], 0),
        (&["--deny", "warning"], 1),
        (&["--deny", "warning", "--allow", "first-line-repeats-name"], 0),
    ] {
        let run = lint(folder.path(), &[&one[..], more].concat());
        assert_eq!(run.code, code, "{more:?}: {}{}", run.out, run.err);
    }
    for (arguments, told) in [
        (&["--catalog", "none.json"][..], "cannot be read"),
        (&["--rule", "first-line-emty"], "did you mean `first-line-empty`"),
        (
            &["--catalog", "tools.jsonl", "--json", "--sarif", "-"],
            "standard output",
        ),
        (&["--url", "http://127.0.0.1:1"], "no gateway answers"),
    ] {
        let run = lint(folder.path(), arguments);
        assert_eq!(run.code, 2, "{arguments:?}");
        assert!(
            run.err.contains(told) && run.out.is_empty(),
            "{arguments:?}: {}",
            run.err
        );
    }
}

#[test]
fn json_points_to_the_line() {
    let folder = folder("tools.jsonl", LINES);
    let report = lint(folder.path(), &["--catalog", "tools.jsonl", "--json"]).json();
    assert_eq!((&report["tools"], &report["servers"]), (&3.into(), &2.into()));
    let place = |rule: &str| {
        let findings = report["findings"].as_array().unwrap();
        let finding = findings.iter().find(|finding| finding["rule"] == rule).unwrap();
        (
            finding["tool"].as_str().unwrap().to_owned(),
            finding["place"]["line"].as_u64().unwrap(),
        )
    };
    assert_eq!(place("first-line-empty"), ("git.show".to_owned(), 3));
    assert_eq!(place("array-items"), ("mail.send".to_owned(), 4));
    assert_eq!(place("name-duplicate"), ("git.log".to_owned(), 1));
}

#[test]
fn sarif_points_to_line_and_column() {
    let list = "{\n  \"server\": \"mail\",\n  \"tools\": [\n    {\n      \"name\": \"send\",\n      \"inputSchema\": {\"type\": \"object\", \"properties\": {}}\n    }\n  ]\n}\n";
    let folder = folder("tools.json", list);
    let run = lint(
        folder.path(),
        &["--catalog", "tools.json", "--sarif", "out.sarif"],
    );
    assert!(run.out.contains("first-line-empty"), "{}", run.out);
    let log: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("out.sarif")).unwrap()).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "tools.json");
    assert_eq!(
        (&place["region"]["startLine"], &place["region"]["startColumn"]),
        (&4.into(), &5.into())
    );
    let to_stdout = lint(folder.path(), &["--catalog", "tools.json", "--sarif", "-"]).json();
    assert_eq!(to_stdout["runs"][0]["results"], log["runs"][0]["results"]);
}

/// A client that is asked for alone has its notes raised, and the others' rules are left out.
#[test]
fn one_client_alone() {
    let list = r#"[{"name":"pay","description":"Pay an open invoice of a customer by bank transfer.",
        "inputSchema":{"type":"object","properties":{"on":{"type":"string","format":"date","description":"When"}},"additionalProperties":false}}]"#;
    let folder = folder("shop.json", list);
    for (client, expected) in [
        ("gemini", &["gemini-format", "gemini-keyword"][..]),
        ("openai-strict", &["strict-required"]),
        ("anthropic", &[]),
    ] {
        let arguments = [
            "--catalog",
            "shop.json",
            "--client",
            client,
            "--deny",
            "warning",
            "--json",
        ];
        let run = lint(folder.path(), &arguments);
        let report = run.json();
        let mut rules: Vec<&str> = report["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|finding| finding["rule"].as_str().unwrap())
            .collect();
        rules.sort_unstable();
        assert_eq!(
            (rules.as_slice(), run.code),
            (expected, i32::from(!expected.is_empty())),
            "{client}"
        );
    }
}

/// Tools that take each other's place are measured, with the selector the gateway answers with.
#[test]
fn competing_tools_are_measured() {
    let list = r#"{"server":"notes","tools":[
        {"name":"get_page","description":"Returns the content of a page as text, with its title.","inputSchema":{"type":"object","properties":{"page":{"description":"p"}}}},
        {"name":"get_page_of_site","description":"Returns the content of a page as text, with its title.","inputSchema":{"type":"object","properties":{"page":{"description":"p"},"site":{"description":"s"}}}},
        {"name":"delete_note","description":"Delete a note for good, so that nobody can read it any more.","inputSchema":{"type":"object","properties":{}}}
    ]}"#;
    let folder = folder("notes.json", list);
    let report = lint(
        folder.path(),
        &["--catalog", "notes.json", "--rule", "lines-identical", "--json"],
    )
    .json();
    let findings = report["findings"].as_array().unwrap();
    let tools: Vec<&str> = findings
        .iter()
        .map(|finding| finding["tool"].as_str().unwrap())
        .collect();
    assert_eq!(tools, ["notes.get_page", "notes.get_page_of_site"]);
    assert!(
        findings[1]["message"]
            .as_str()
            .unwrap()
            .contains("asked with it, "),
        "{report:#}"
    );
    assert!(
        findings[1]["instead"].as_str().unwrap().contains("`site`"),
        "{report:#}"
    );
}

#[test]
fn every_rule_is_told() {
    let folder = folder("x", "");
    let run = lint(folder.path(), &["--rules"]);
    assert_eq!(run.code, 0);
    for id in [
        "first-line-empty",
        "lines-compete",
        "strict-size",
        "gemini-format",
    ] {
        assert!(run.out.contains(id), "{}", run.out);
    }
}
