//! Is a workflow checked when it is saved, and kept for its owner?

use super::*;

#[tokio::test]
async fn workflows_are_saved_listed_read_and_deleted() {
    let (deployment, ann) = (deployment().await, Agent::ann());
    let workflow = json!({
        "name": "weekly",
        "description": "Every Monday.",
        "parameters": {"type": "object", "properties": {"who": {"type": "string"}}, "required": ["who"]},
        "steps": [
            {"id": "find", "tool": "lab_echo", "arguments": {"q": "{{parameters.who}}", "n": 1.0}},
            {"id": "tell", "tool": "lab.echo", "arguments": {"text": "{{steps.find.q}}"}},
            {"id": "note", "tool": "journal_append", "arguments": {"text": "told {{parameters.who}}"}},
        ],
    });
    let saved = ann
        .ask(&deployment, "workflow_save", workflow.clone())
        .await
        .good();
    assert_eq!(saved, json!({"name": "weekly", "steps": 3, "replaced": false}));
    let mut kept = workflow.clone();
    kept["steps"][0]["tool"] = json!("lab.echo");
    kept["steps"][2]["tool"] = json!("journal.append");
    let read = ann
        .ask(&deployment, "workflow_read", json!({"name": "weekly"}))
        .await
        .good();
    assert_eq!(read, kept, "tools are named in full");
    let list = ann.ask(&deployment, "workflow_list", json!({})).await.good();
    assert_eq!(list["workflows"][0]["name"], "weekly");
    assert_eq!(list["workflows"][0]["description"], "Every Monday.");
    assert_eq!(list["open_runs"], json!([]));
    // What is read can be saved again as it is.
    let saved = ann.ask(&deployment, "workflow_save", read).await.good();
    assert_eq!(saved["replaced"], true);
    let told = ann
        .ask(&deployment, "workflow_run", json!({"name": "daily"}))
        .await
        .bad();
    assert_eq!(told, "no workflow is named `daily`; there are: weekly");
    let deleted = ann
        .ask(&deployment, "workflow_delete", json!({"name": "weekly"}))
        .await
        .good();
    assert_eq!(deleted, json!({"deleted": "weekly"}));
    for tool in ["workflow_read", "workflow_run", "workflow_delete"] {
        let told = ann.ask(&deployment, tool, json!({"name": "weekly"})).await.bad();
        assert_eq!(told, "no workflow is named `weekly`: none is saved", "{tool}");
    }
}

/// Each mistake is told with its place and what would be right, and nothing is saved.
#[tokio::test]
async fn bad_workflows_are_refused() {
    let (deployment, ann) = (deployment().await, Agent::ann());
    let echo = |id: &str, arguments: Value| json!({"id": id, "tool": "lab.echo", "arguments": arguments});
    let of = |steps: Value| json!({"name": "w", "steps": steps});
    let many: Vec<Value> = (0..51).map(|n| echo(&format!("s{n}"), json!({}))).collect();
    let with = |parameters: Value| json!({"name": "w", "parameters": parameters, "steps": [echo("a", json!({"x": "{{parameters.x}}"}))]});
    for (arguments, told) in [
        (json!({"name": "a b", "steps": [echo("a", json!({}))]}), "name: "),
        (of(json!([])), "steps: "),
        (of(json!(many)), "steps: "),
        (
            of(json!([{"id": "a"}])),
            "steps[0]: \"tool\" is a required property",
        ),
        (of(json!([echo("a.b", json!({}))])), "steps[0].id: "),
        (
            of(json!([echo("a", json!({})), echo("a", json!({}))])),
            "`steps[1].id` must differ from those before it",
        ),
        (
            of(json!([echo("a", json!({})), {"id": "b", "tool": "lab.gone"}])),
            "`steps[1].tool` must be a tool you can use; there is none named `lab.gone`",
        ),
        (
            of(json!([{"id": "a", "tool": "lab.secret"}])),
            "`steps[0].tool` must be a tool you can use",
        ),
        (
            of(json!([{"id": "a", "tool": "workflow_run"}])),
            "`steps[0].tool` must not be `workflow.run`: a workflow cannot run workflow tools",
        ),
        (
            of(json!([{"id": "a", "tool": "workflow.list"}])),
            "a workflow cannot run workflow tools",
        ),
        (
            of(json!([echo("a", json!({"x": ["{{steps.b}}"]}))])),
            "`steps[0].arguments`: `{{steps.b}}` names no step",
        ),
        (
            of(json!([echo("a", json!({"x": "{{steps.a.y}}"}))])),
            "`{{steps.a.y}}` must name an earlier step",
        ),
        (
            of(json!([
                echo("a", json!({"x": "{{steps.b}}"})),
                echo("b", json!({}))
            ])),
            "`{{steps.b}}` must name an earlier step",
        ),
        (
            of(json!([echo("a", json!({"x": {"y": "{{step.b}}"}}))])),
            "`steps[0].arguments.x.y`: `{{step.b}}` must be {{parameters.NAME}}",
        ),
        (
            of(json!([echo("a", json!({"x": "{{steps.b"}))])),
            "`steps[0].arguments.x`: `{{steps.b` opens {{ and does not close it",
        ),
        (
            of(json!([echo("a", json!({"x": "{{parameters.x}}"}))])),
            "needs `x` among the `properties` of `parameters`",
        ),
        (
            with(json!({"type": "object", "properties": {"y": {}}})),
            "needs `x` among the `properties` of `parameters`",
        ),
        (
            with(json!({"type": "array"})),
            "`parameters` must be a JSON Schema of an object",
        ),
        (
            with(json!({"properties": {"x": {"type": "text"}}})),
            "`parameters` must be a JSON Schema of an object",
        ),
        (
            with(json!({"properties": {"x": {"$ref": "#/properties/x"}}})),
            "`parameters.properties.x.$ref` must not be there: a schema must write out what it means, without `$ref`",
        ),
        (
            with(json!({"properties": {"x": {"enum": vec!["one of very many"; 2_000]}}})),
            "`parameters` must be a schema of 32 KB at most, not 38",
        ),
        (
            with(json!({"properties": {"x": (0..40).fold(json!({}), |inner, _| json!({"not": inner}))}})),
            "must nest 32 levels at most",
        ),
        (
            with(json!({"properties": {"x": {"allOf": vec![json!({"pattern": "x"}); 33]}}})),
            "`parameters.properties.x.allOf.32.pattern` must be one of 32 patterns at most",
        ),
        (
            with(json!({"properties": {"x": {"patternProperties": {"x".repeat(1_001): {}}}}})),
            "`parameters.properties.x.patternProperties` must be a pattern of 1000 characters at most, not 1001",
        ),
        (
            with(json!({"properties": {"x": {"pattern": "^(?=a).*(?<!b)$"}}})),
            "`parameters.properties.x.pattern` must be a regular expression without look-around",
        ),
        (
            with(json!({"properties": {"x": {"pattern": "((a{100}){100}){100}"}}})),
            "`parameters.properties.x.pattern` must be a regular expression without look-around",
        ),
        (
            with(json!({"properties": {"x": {"format": "regex"}}})),
            "`parameters.properties.x.format` must not be `regex`",
        ),
        (
            with((0..4).fold(
                json!({"properties": {"x": {}}}),
                |inner, _| json!({"properties": {"x": {}}, "allOf": [inner], "unevaluatedProperties": false}),
            )),
            "unevaluatedProperties` must lie within 2 others like it at most",
        ),
        (
            of(json!([
                echo("a", json!({})),
                echo("b", json!({"x": vec!["{{steps.a}}"; 501]}))
            ])),
            "`steps` must hold 500 placeholders at most, not 501",
        ),
        (
            with(json!({"properties": []})),
            "`parameters` must be a JSON Schema of an object",
        ),
        (
            of(json!([echo("a", json!({"x": "y".repeat(300_000)}))])),
            "a workflow must be 256 KB at most, not 294",
        ),
    ] {
        let said = ann.ask(&deployment, "workflow_save", arguments).await.bad();
        assert!(said.contains(told), "{told}\n{said}");
    }
    let list = ann.ask(&deployment, "workflow_list", json!({})).await.good();
    assert_eq!(list["workflows"], json!([]));
}

/// Nobody sees, runs, changes or deletes somebody else's.
#[tokio::test]
async fn workflows_belong_to_user_and_gateway() {
    let (deployment, ann) = (deployment().await, Agent::ann());
    save(&deployment, &ann, "w", json!([{"id": "a", "tool": "lab.fail"}])).await;
    let run_id = stopped(&run(&deployment, &ann, "w").await)["run_id"].clone();
    for agent in [
        Agent::of("all", Some("bob")),
        Agent::of("all", None),
        Agent::of("other", Some("ann")),
    ] {
        let list = agent.ask(&deployment, "workflow_list", json!({})).await.good();
        assert_eq!(list, json!({"workflows": [], "open_runs": []}));
        for tool in ["workflow_read", "workflow_run", "workflow_delete"] {
            let told = agent.ask(&deployment, tool, json!({"name": "w"})).await.bad();
            assert!(told.contains("no workflow is named `w`"), "{told}");
        }
        let told = resume(&deployment, &agent, &run_id).await.bad();
        assert!(told.contains("no run has the id"), "{told}");
        save(
            &deployment,
            &agent,
            "w",
            json!([{"id": "theirs", "tool": "lab.echo"}]),
        )
        .await;
    }
    let read = ann
        .ask(&deployment, "workflow_read", json!({"name": "w"}))
        .await
        .good();
    assert_eq!(read["steps"][0]["id"], "a");
}

/// There is an end to their number; the ones there are can be replaced and make room.
#[tokio::test]
async fn workflows_are_bounded_in_number() {
    let (deployment, ann) = (deployment().await, Agent::ann());
    let steps = json!([{"id": "a", "tool": "lab.echo"}]);
    for number in 0..200 {
        save(&deployment, &ann, &format!("w{number}"), steps.clone()).await;
    }
    let one_more = json!({"name": "more", "steps": steps});
    let told = ann
        .ask(&deployment, "workflow_save", one_more.clone())
        .await
        .bad();
    assert!(
        told.contains("200 workflows are saved, which is the most; delete one"),
        "{told}"
    );
    save(&deployment, &ann, "w7", steps).await;
    ann.ask(&deployment, "workflow_delete", json!({"name": "w7"}))
        .await
        .good();
    ann.ask(&deployment, "workflow_save", one_more).await.good();
}
