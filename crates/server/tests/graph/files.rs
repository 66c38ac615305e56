//! Are files drawn without a gateway, in every format?

use crate::{folder, graph};

#[test]
fn text_is_grouped_by_what_needs_something() {
    let folder = folder();
    let run = graph(folder.path(), &["--catalog", "catalog.json"]);
    let lines: Vec<&str> = run.succeeded().out.lines().collect();
    assert_eq!(
        lines,
        [
            " catalog.json   3 links: 3 DECLARED, 0 TRACE, 0 STATIC",
            "",
            " change_plan",
            "   customer_id      ← find_customer     DECLARED  1.00",
            "   subscription_id  ← get_subscription  DECLARED  1.00",
            "",
            " get_subscription",
            "   customer_id      ← find_customer     DECLARED  1.00",
        ]
    );
}

#[test]
fn past_conversations_show_more_links() {
    let folder = folder();
    let conversation = |id: &str, customer: &str| {
        serde_json::json!({"id": id, "messages": [
            {"role": "user", "content": "who pays for it?"},
            {"role": "assistant", "content": "", "toolCalls": [
                {"name": "change_plan", "arguments": {}, "result": format!("{{\"customer_id\": \"{customer}\"}}")},
                {"name": "get_subscription", "arguments": {"customer_id": customer}, "result": "ok"}]}]})
    };
    let traces = serde_json::json!([conversation("a", "cus_8812"), conversation("b", "cus_9913")]);
    std::fs::write(folder.path().join("traces.json"), traces.to_string()).unwrap();
    let run = graph(
        folder.path(),
        &["--catalog", "catalog.json", "--traces", "traces.json"],
    );
    let out = &run.succeeded().out;
    let learned = "                    ← change_plan       TRACE";
    assert!(out.lines().any(|line| line.starts_with(learned)), "{out}");
}

#[test]
fn dot_and_svg_go_to_a_file_or_to_a_pipe() {
    let folder = folder();
    let dot = graph(folder.path(), &["--catalog", "catalog.json", "--format", "dot"]);
    let dot = &dot.succeeded().out;
    assert!(
        dot.starts_with("digraph \"catalog.json\" {\n  rankdir=LR;"),
        "{dot}"
    );
    let line = "  \"find_customer\" -> \"change_plan\" [label=\"customer_id\", color=\"#0b6bcb\", style=solid, \
                tooltip=\"DECLARED 1.00\"];";
    assert!(dot.lines().any(|told| told == line), "{dot}");

    let run = graph(
        folder.path(),
        &["--catalog", "catalog.json", "--format", "svg", "-o", "links.svg"],
    );
    assert_eq!((run.code, run.out.as_str()), (0, ""), "{}", run.err);
    assert!(run.err.contains("3 links drawn in links.svg"), "{}", run.err);
    let svg = std::fs::read_to_string(folder.path().join("links.svg")).unwrap();
    assert!(
        svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"),
        "{svg}"
    );
    for part in [
        "prefers-color-scheme: dark",
        ">get_subscription</text>",
        ">subscription_id</text>",
    ] {
        assert!(svg.contains(part), "{part}");
    }
}

#[test]
fn names_are_data_in_every_format() {
    let folder = folder();
    let nasty = r#"{"tools": [
        {"name": "a\"<b>&\\", "description": "Supply.", "produces": ["x_id"]},
        {"name": "needs", "description": "Need.", "parameters": [{"name": "x_id", "dataType": "string", "required": true}]}]}"#;
    std::fs::write(folder.path().join("nasty.json"), nasty).unwrap();
    let svg = graph(folder.path(), &["--catalog", "nasty.json", "--format", "svg"]);
    assert!(
        svg.succeeded().out.contains(r">a&quot;&lt;b&gt;&amp;\</text>"),
        "{}",
        svg.out
    );
    let dot = graph(folder.path(), &["--catalog", "nasty.json", "--format", "dot"]);
    assert!(
        dot.succeeded().out.contains(r#""a\"<b>&\\" -> "needs""#),
        "{}",
        dot.out
    );
}

#[test]
fn mistakes_name_file_and_field() {
    let folder = folder();
    for (catalog, told) in [
        ("{", "bad.json:1: is not JSON"),
        (r#"{"tools": [{"name": ""}]}"#, "bad.json: `tools[0].name`"),
    ] {
        std::fs::write(folder.path().join("bad.json"), catalog).unwrap();
        let run = graph(folder.path(), &["--catalog", "bad.json"]);
        assert_eq!(run.code, 1);
        assert!(run.err.contains(told), "{}\nexpected: {told}", run.err);
    }
    let run = graph(folder.path(), &["no agent"]);
    assert!(
        run.err.contains("`no agent` is no id of an agent: must be"),
        "{}",
        run.err
    );
}
