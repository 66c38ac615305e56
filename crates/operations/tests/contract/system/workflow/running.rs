//! Does each step go through the same door as any call, and does the run answer as it says?

use std::time::Duration;

use handpick_store::{NewWorkflow, Owner};
use handpick_upstream::{ServerConfig, Transport};

use super::*;
use crate::deployment::RICH;

/// Names and arguments of what reached the server.
fn arrived(lab: &Scripted) -> Vec<(String, Value)> {
    lab.calls()
        .into_iter()
        .map(|(name, params)| {
            let params: Value = serde_json::from_str(&params).unwrap();
            (name, params["arguments"].clone())
        })
        .collect()
}

#[tokio::test]
async fn steps_use_parameters_and_earlier_answers() {
    let lab = lab();
    let (deployment, ann) = (plan(&lab).start().await, Agent::ann());
    let parameters = json!({
        "type": "object",
        "properties": {
            "who": {"type": "string"},
            "limit": {"type": "integer", "default": 3},
            "tag": {"type": "string"}
        },
        "required": ["who"],
        "additionalProperties": false
    });
    let steps_saved = json!([
        {"id": "find", "tool": "lab.echo", "arguments": {
            "items": [{"id": "i-1", "for": "{{parameters.who}}"}], "limit": "{{parameters.limit}}", "tag": "{{parameters.tag}}"}},
        {"id": "tell", "tool": "lab.echo", "arguments": {
            "id": "{{steps.find.items.0.id}}", "all": "{{steps.find.items}}", "text": "{{steps.find.limit}} for {{parameters.who}}"}},
    ]);
    save_with(&deployment, &ann, "w", parameters, steps_saved).await;
    let ask = async |parameters: Value| {
        let arguments = json!({"name": "w", "parameters": parameters});
        ann.ask(&deployment, "workflow_run", arguments).await
    };
    let said = ask(json!({"who": "Bob"})).await;
    let last = json!({"id": "i-1", "all": [{"id": "i-1", "for": "Bob"}], "text": "3 for Bob"});
    assert!(!said.is_error, "{}", said.text);
    assert_eq!(said.text, "echo", "the content is the last step's");
    assert_eq!(
        said.value,
        json!({
            "run_id": said.value["run_id"],
            "workflow": "w",
            "status": "finished",
            "steps": [
                {"id": "find", "tool": "lab.echo", "status": "done"},
                {"id": "tell", "tool": "lab.echo", "status": "done"},
            ],
            "result": last,
        })
    );
    assert!(uuid::Uuid::parse_str(said.value["run_id"].as_str().unwrap()).is_ok());
    assert_eq!(
        arrived(&lab),
        [
            (
                "echo".to_owned(),
                json!({"items": [{"id": "i-1", "for": "Bob"}], "limit": 3})
            ),
            ("echo".to_owned(), last),
        ]
    );
    for (parameters, told) in [
        (json!({}), "\"who\" is a required property"),
        (json!({"who": 5}), "who: 5 is not of type \"string\""),
        (
            json!({"who": "x", "limit": "many"}),
            "limit: \"many\" is not of type \"integer\"",
        ),
        (json!({"who": "x", "whom": 1}), "whom"),
        (
            json!({"who": "x".repeat(300_000)}),
            "`parameters` must be 256 KB at most",
        ),
    ] {
        let said = ask(parameters).await.bad();
        assert!(said.contains(told), "{told}: {said}");
    }
    assert_eq!(lab.calls().len(), 2, "no run without its parameters");
    assert_eq!(open_runs(&deployment, &ann).await, Vec::<String>::new());
    save(
        &deployment,
        &ann,
        "bare",
        json!([{"id": "a", "tool": "lab.echo"}]),
    )
    .await;
    let arguments = json!({"name": "bare", "parameters": {"who": 1}});
    let said = ann.ask(&deployment, "workflow_run", arguments).await.bad();
    assert!(
        said.contains("`parameters.who` is not known: the workflow `bare` takes no parameters"),
        "{said}"
    );
}

/// Patterns bound what is read with them, and cannot be made to take long.
#[tokio::test]
async fn parameters_with_patterns_are_checked_in_time() {
    let (deployment, ann) = (deployment().await, Agent::ann());
    let pattern = |nth: usize| json!({"pattern": format!("^((a+)+|b{nth})$")});
    let patterns: Vec<Value> = (0..32).map(pattern).collect();
    let steps = json!([{"id": "a", "tool": "lab.echo", "arguments": {"x": "{{parameters.x}}"}}]);
    let parameters = json!({"properties": {"x": {"allOf": patterns}}});
    save_with(&deployment, &ann, "w", parameters, steps).await;
    for (x, told) in [
        (format!("{}!", "a".repeat(10_000)), "`parameters` do not fit: x: "),
        (
            "a".repeat(20_000),
            "`parameters` must be 16 KB at most beside the 32 patterns of their schema, not 20",
        ),
    ] {
        let arguments = json!({"name": "w", "parameters": {"x": x}});
        let said = ann.ask(&deployment, "workflow_run", arguments).await.bad();
        assert!(said.contains(told), "{told}\n{said}");
    }
    let arguments = json!({"name": "w", "parameters": {"x": "aaa"}});
    let said = ann.ask(&deployment, "workflow_run", arguments).await;
    assert_eq!(said.value["status"], "finished", "{}", said.text);
}

/// A workflow that was kept before its schema had to be bounded says so; nothing of it runs.
#[tokio::test]
async fn a_workflow_from_before_the_bounds_is_saved_anew() {
    let (store, lab) = (Store::in_memory().await.unwrap(), lab());
    let (deployment, ann) = (plan(&lab).store(&store).start().await, Agent::ann());
    for schema in [
        json!({"properties": {"x": {"pattern": "^(?=a)(a|a)*$"}}}),
        json!({"properties": {"x": {"enum": vec!["one of very many"; 2_000]}}}),
    ] {
        let workflow = json!({"name": "w", "parameters": schema, "steps": [{"id": "a", "tool": "lab.echo"}]});
        let new = NewWorkflow {
            name: "w",
            description: "",
            json: &workflow.to_string(),
        };
        let owner = Owner::user("all", "ann");
        store.workflow_save(&owner, new, 1, 10).await.unwrap();
        let said = run(&deployment, &ann, "w").await.bad();
        assert!(
            said.contains("the workflow `w` must be saved anew: `parameters"),
            "{said}"
        );
    }
    assert_eq!(lab.calls(), []);
}

/// The last step's content comes back block for block, and everything else it says.
#[tokio::test]
async fn a26_the_last_result_keeps_its_content() {
    let (deployment, ann) = (deployment().await, Agent::ann());
    save(&deployment, &ann, "w", json!([{"id": "a", "tool": "lab.rich"}])).await;
    let said = run(&deployment, &ann, "w").await;
    let rich: Value = serde_json::from_str(RICH).unwrap();
    for member in ["content", "_meta", "isError", "later"] {
        assert_eq!(said.result[member], rich[member], "{member}");
    }
    assert_eq!(said.value["result"], rich["structuredContent"]);
    let opened = open_surface(&deployment.runtime, "all", &ann.caller).unwrap();
    let arguments = raw(json!({"name": "w"}).to_string());
    let call = AgentCall {
        opened: &opened,
        joined: &Joined::default(),
        caller: &ann.caller,
        name: "workflow_run",
        arguments: Some(&arguments),
        meta: None,
        progress: None,
        client: None,
    };
    let Answer::Result(result) = answer(&deployment.runtime, call).await else {
        panic!("no result");
    };
    for spelling in [
        r#""size":12345678901234567890"#,
        "[1.50,-0.0,1E+2]",
        r#""num":100.0,"dup":1,"dup":2"#,
    ] {
        assert!(result.get().contains(spelling), "{spelling}");
    }
    // A result without content still makes an answer.
    save(
        &deployment,
        &ann,
        "empty",
        json!([{"id": "a", "tool": "lab.empty"}]),
    )
    .await;
    let said = run(&deployment, &ann, "empty").await.good();
    assert_eq!(
        (&said["status"], &said["result"]),
        (&json!("finished"), &Value::Null)
    );
}

/// A run stops at the first step that fails, whatever the failure, and tells which, why and what is done.
#[tokio::test]
async fn a_run_stops_at_the_first_failure() {
    let lab = lab();
    let mut slow = ServerConfig::new("slow", Transport::Local(Scripted::new(lab_tools())));
    slow.call_timeout = Duration::from_millis(10);
    let (deployment, ann) = (plan(&lab).config(slow).start().await, Agent::ann());
    for (tool, arguments, told, unsure) in [
        ("lab.fail", json!({}), "the disk is full", false),
        (
            "lab.strict",
            json!({"guests": "{{steps.first.n}}"}),
            "invalid arguments for lab.strict: guests: \"two\" is not of type \"integer\"",
            false,
        ),
        ("lab.refuse", json!({}), "not today", false),
        ("slow.wait", json!({}), "did not answer within", true),
        (
            "lab.echo",
            json!({"x": "{{steps.first.nowhere.0}}"}),
            "needs `steps.first.nowhere.0`, and there is no such value",
            false,
        ),
        (
            "form.ask",
            json!({"message": "m", "fields": [{"name": "a", "type": "string"}]}),
            "cannot show forms",
            false,
        ),
    ] {
        let steps_saved = json!([
            {"id": "first", "tool": "lab.echo", "arguments": {"n": "two"}},
            {"id": "second", "tool": tool, "arguments": arguments},
            {"id": "third", "tool": "lab.look"},
        ]);
        save(&deployment, &ann, "w", steps_saved).await;
        let said = run(&deployment, &ann, "w").await;
        let value = stopped(&said);
        assert_eq!(
            steps(value),
            ["first done", "second failed", "third not_run"],
            "{tool}"
        );
        assert_eq!(
            (&value["status"], &value["failed_step"]),
            (&json!("failed"), &json!("second"))
        );
        assert!(value["error"].as_str().unwrap().contains(told), "{tool}: {value}");
        assert_eq!(value["warning"].is_string(), unsure, "{tool}: {value}");
        assert!(
            value["hint"]
                .as_str()
                .unwrap()
                .contains("goes on at step `second`"),
            "{value}"
        );
    }
    assert!(lab.calls().iter().all(|(name, _)| name != "look"));
    assert_eq!(open_runs(&deployment, &ann).await, vec!["w failed"; 6]);
}

/// A step is admitted when it runs, not when it was saved.
#[tokio::test]
async fn p24_steps_are_admitted_as_they_run() {
    let lab = lab();
    let (deployment, mut ann) = (plan(&lab).start().await, Agent::ann());
    ann.caller.roles = ["officer".to_owned()].into();
    let steps_saved = json!([{"id": "open", "tool": "lab.secret"}]);
    save(&deployment, &ann, "w", steps_saved).await;
    assert!(!run(&deployment, &ann, "w").await.is_error);
    ann.caller.roles.clear();
    let said = run(&deployment, &ann, "w").await;
    assert_eq!(stopped(&said)["error"], "tool not found: lab.secret");
    assert_eq!(lab.calls().len(), 1);
}

/// P4: in a read-only gateway the steps that change nothing run, and a run stops at others; where the person must
/// agree, they are asked for each such step and for nothing else.
#[tokio::test]
async fn p4_autonomy_holds_for_each_step() {
    let lab = lab();
    let store = Store::in_memory().await.unwrap();
    let saving = plan(&lab).store(&store).start().await;
    let steps_saved = json!([{"id": "look", "tool": "lab.look"}, {"id": "wipe", "tool": "lab.wipe"}, {"id": "again", "tool": "lab.wipe"}]);
    let same_owner = |autonomy| complete("all", Presentation::Direct, autonomy);
    let ann = Agent::ann();
    save(&saving, &ann, "w", steps_saved).await;

    let read_only = plan(&lab)
        .exact_gateway(same_owner(Autonomy::ReadOnly))
        .store(&store)
        .start()
        .await;
    let said = run(&read_only, &ann, "w").await;
    let value = stopped(&said);
    assert_eq!(steps(value), ["look done", "wipe failed", "again not_run"]);
    assert!(
        value["error"]
            .as_str()
            .unwrap()
            .contains("this gateway is read-only"),
        "{value}"
    );

    let cautious = plan(&lab)
        .exact_gateway(same_owner(Autonomy::Confirm))
        .store(&store)
        .start()
        .await;
    let person = Person::saying([json!({"action": "accept"}), json!({"action": "decline"})]);
    let asking = ann.clone().with(&person);
    let said = run(&cautious, &asking, "w").await;
    let value = stopped(&said);
    assert_eq!(steps(value), ["look done", "wipe done", "again failed"]);
    assert!(value["error"].as_str().unwrap().contains("said no"), "{value}");
    let asked = person.asked();
    assert_eq!(
        asked.len(),
        2,
        "not for the run, not for the step that only looks"
    );
    assert!(
        asked
            .iter()
            .all(|asked| asked["message"].as_str().unwrap().contains("lab.wipe")),
        "{asked:?}"
    );
    person.will(Ok(Ok(raw(json!({"action": "accept"}).to_string()))));
    let done = resume(&cautious, &asking, &value["run_id"]).await;
    assert_eq!(steps(&done.value), ["look done", "wipe done", "again done"]);

    let said = run(&cautious, &ann, "w").await;
    let value = stopped(&said);
    assert!(
        value["error"]
            .as_str()
            .unwrap()
            .contains("this client cannot ask them"),
        "{value}"
    );
}

/// Each step is recorded for its caller like any call, and so is the run.
#[tokio::test]
async fn steps_are_recorded() {
    let (deployment, ann) = (deployment().await, Agent::ann());
    let steps_saved = json!([{"id": "a", "tool": "lab_echo"}, {"id": "b", "tool": "lab.fail"}]);
    save(&deployment, &ann, "w", steps_saved).await;
    deployment.new_calls().await;
    assert!(run(&deployment, &ann, "w").await.is_error);
    let mut calls: Vec<String> = deployment
        .new_calls()
        .await
        .into_iter()
        .map(|call| {
            assert_eq!(call.user_id.as_deref(), Some("ann"));
            format!("{} {} {}", call.tool, call.source, call.outcome.as_str())
        })
        .collect();
    calls.sort();
    assert_eq!(
        calls,
        [
            "lab.echo workflow ok",
            "lab.fail workflow tool_error",
            "workflow.run direct tool_error"
        ]
    );
}

/// The person can be asked in the middle of a run, and what they say goes on to later steps.
#[tokio::test]
async fn a_form_can_be_a_step() {
    let (deployment, ann) = (deployment().await, Agent::ann());
    let steps_saved = json!([
        {"id": "ask", "tool": "form.ask", "arguments": {"message": "Which?", "fields": [{"name": "city", "type": "string"}]}},
        {"id": "go", "tool": "lab.echo", "arguments": {"to": "{{steps.ask.content.city}}"}},
    ]);
    save(&deployment, &ann, "w", steps_saved).await;
    let person = Person::saying([
        json!({"action": "accept", "content": {"city": "Bonn"}}),
        json!({"action": "decline"}),
    ]);
    let asking = ann.with(&person);
    let said = run(&deployment, &asking, "w").await;
    assert_eq!(said.value["result"], json!({"to": "Bonn"}));
    let said = run(&deployment, &asking, "w").await;
    assert_eq!(steps(stopped(&said)), ["ask done", "go failed"]);
}
