//! Does a request in words run the tool that is meant, with what it says, and nothing else? (P18 to P25)

mod model;
mod twins;

use std::sync::Arc;

use handpick_domain::{Autonomy, Caller, Gateway, Presentation, Scope};
use handpick_operations::answer::{AgentCall, Answer, answer};
use handpick_operations::open_surface::open_surface;
use handpick_operations::unified::UnifiedOptions;
use handpick_operations::{Client, Joined, Opened, Options};
use handpick_presentation::unified::CONFIDENCE_NEEDED;
use handpick_protocol::json::raw;
use serde_json::{Value, json};

use crate::deployment::{AUTHORIZE, Deployment, Plan, RICH, Scripted, gateway};

/// The tools of the app `crm`.
fn crm_tools() -> Vec<Value> {
    vec![
        json!({
            "name": "create_contact",
            "description": "Create a contact in the CRM.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "description": "Full name of the person"},
                    "email": {"type": "string", "format": "email", "description": "Where they are written to"},
                    "company": {"type": "string", "description": "Who they work for"}
                },
                "required": ["name", "email"]
            },
            "annotations": {"readOnlyHint": false, "destructiveHint": false}
        }),
        json!({
            "name": "delete_contact",
            "description": "Delete a contact from the CRM.",
            "inputSchema": {
                "type": "object",
                "properties": {"contact_id": {"type": "string", "description": "The contact's id, such as con_7"}},
                "required": ["contact_id"]
            },
            "annotations": {"destructiveHint": true}
        }),
        json!({
            "name": "list_contacts",
            "description": "List all contacts of the CRM.",
            "inputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": true}
        }),
        json!({
            "name": "set_limit",
            "description": "Set the seat limit of a CRM workspace.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "workspace_id": {"type": "string", "description": "The workspace's id, such as wsp_3"},
                    "limit": {"type": "integer", "minimum": 1, "maximum": 50, "description": "The seat limit"}
                },
                "required": ["workspace_id", "limit"]
            },
            "annotations": {"destructiveHint": false}
        }),
    ]
}

/// Tools that answer in every way a tool can.
fn odd_tools() -> Vec<Value> {
    let odd = |name: &str, description: &str, id: &str| {
        let properties = json!({id: {"type": "string"}});
        let schema = json!({"type": "object", "properties": properties, "required": [id]});
        json!({"name": name, "description": description, "inputSchema": schema})
    };
    vec![
        odd("rich", "Show a gallery of pictures and sounds.", "gallery_id"),
        odd("authorize", "Ask for permission at a front desk.", "desk_id"),
        odd("fail", "Break a disk.", "disk_id"),
        odd("refuse", "Refuse a parcel politely.", "parcel_id"),
    ]
}

const CREATE: &str =
    "Create a contact in the CRM named \"Dana Whitfield\" with the email dana@whitfield.example";
const DELETE: &str = "Delete the contact con_42 from the CRM";

/// A deployment with one unified gateway, and what a caller of it does.
struct Side {
    deployment: Deployment,
    opened: Arc<Opened>,
    caller: Caller,
    crm: Arc<Scripted>,
}

impl Side {
    async fn open() -> Self {
        Self::with(
            gateway("all", Presentation::Unified, &["*"]),
            UnifiedOptions::default(),
        )
        .await
    }

    async fn with(gateway: Gateway, unified: UnifiedOptions) -> Self {
        Self::of(crm_tools(), gateway, unified).await
    }

    /// The same with these tools of the app `crm`.
    async fn of(crm_tools: Vec<Value>, gateway: Gateway, unified: UnifiedOptions) -> Self {
        let crm = Scripted::new(crm_tools);
        let deployment = Plan::new()
            .server("crm", &crm)
            .server("odd", &Scripted::new(odd_tools()))
            .restrict("crm.set_limit", "officer")
            .options(Options {
                unified,
                ..Options::default()
            })
            .exact_gateway(gateway)
            .start()
            .await;
        let caller = Caller {
            key_id: "k".to_owned(),
            scopes: [Scope::Execute].into(),
            ..Caller::default()
        };
        Self {
            opened: open_surface(&deployment.runtime, "all", &caller).unwrap(),
            deployment,
            caller,
            crm,
        }
    }

    /// The same with another caller.
    fn called_by(mut self, role: &str) -> Self {
        self.caller.roles = [role.to_owned()].into();
        self.opened = open_surface(&self.deployment.runtime, "all", &self.caller).unwrap();
        self
    }

    async fn call(&self, name: &str, arguments: &Value, client: Option<Arc<dyn Client>>) -> Answer {
        let arguments = raw(arguments.to_string());
        let call = AgentCall {
            opened: &self.opened,
            joined: &Joined::default(),
            caller: &self.caller,
            name,
            arguments: Some(&arguments),
            meta: None,
            progress: None,
            client,
        };
        answer(&self.deployment.runtime, call).await
    }

    async fn ask(&self, arguments: Value) -> Value {
        match self.call("unified_tool", &arguments, None).await {
            Answer::Result(result) => serde_json::from_str(result.get()).unwrap(),
            other => panic!("{arguments}: {other:?}"),
        }
    }

    async fn say(&self, request: &str) -> Value {
        self.ask(json!({"request": request})).await
    }
}

/// The clarification of an answer that ran nothing.
#[track_caller]
fn clarification(answer: &Value) -> &Value {
    let told = &answer["structuredContent"];
    assert_eq!(told["needs_clarification"], true, "{answer}");
    assert_eq!(answer["isError"], false);
    let text: Value = serde_json::from_str(answer["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, *told, "the same JSON as text");
    for candidate in told["candidates"].as_array().unwrap() {
        let confidence = candidate["confidence"].as_f64().unwrap();
        assert!(
            (0.0..f64::from(CONFIDENCE_NEEDED)).contains(&confidence),
            "{told}"
        );
    }
    told
}

/// P19, P22: one call in, one result out: the tool's own, with which tool ran, how sure and with what.
#[tokio::test]
async fn p19_a_request_runs_the_tool_that_is_meant() {
    let side = Side::open().await;
    let answer = side.say(CREATE).await;
    let expected = json!({"name": "Dana Whitfield", "email": "dana@whitfield.example"});
    assert_eq!(side.crm.last_params()["arguments"], expected, "{answer}");
    let told = &answer["structuredContent"];
    assert_eq!(told["result"], expected, "the tool echoes what it was given");
    let metadata = &told["metadata"];
    assert_eq!(metadata["discovered_tool"], "crm_create_contact");
    assert_eq!(metadata["mapped_parameters"], expected);
    assert_eq!(metadata["sources"]["email"]["from"], "request");
    assert_eq!(metadata["sources"]["email"]["words"], "dana@whitfield.example");
    assert_eq!(metadata["mapper"], "words");
    assert!(!metadata["rationale"].as_str().unwrap().is_empty());
    let confidence = metadata["confidence_score"].as_f64().unwrap();
    assert!((f64::from(CONFIDENCE_NEEDED) - 1e-6..=1.0).contains(&confidence));
    let content = answer["content"].as_array().unwrap();
    assert_eq!(
        content[0]["text"], "create_contact",
        "the tool's own content comes first"
    );
    let text: Value = serde_json::from_str(content[1]["text"].as_str().unwrap()).unwrap();
    assert_eq!((&text, content.len()), (metadata, 2));
    assert!(
        answer["structuredContent"]["candidates"].is_null(),
        "P22: no alternatives"
    );
}

/// P18: ids come from the context too, which may be an object or a text.
#[tokio::test]
async fn p18_ids_come_from_the_context() {
    let side = Side::open().await;
    for context in [
        json!({"contact_id": "con_42"}),
        json!({"contact": {"id": "con_42"}}),
        json!("the contact in question is con_42"),
    ] {
        let answer = side
            .ask(json!({"request": "Delete this contact from the CRM", "context": context}))
            .await;
        let metadata = &answer["structuredContent"]["metadata"];
        assert_eq!(
            metadata["mapped_parameters"],
            json!({"contact_id": "con_42"}),
            "{answer}"
        );
        assert_eq!(metadata["sources"]["contact_id"]["from"], "context");
    }
}

/// P20: what is not sure enough, or not asked for, runs nothing and is asked back.
#[tokio::test]
async fn p20_what_is_unsure_is_asked_back() {
    let side = Side::open().await;
    for request in [
        "Water the tulips on the balcony",
        "Hello there, lovely morning, isn't it?",
        "Please don't delete the contact con_42 from the CRM",
        "What would happen if I deleted the contact con_42 from the CRM?",
        "I already deleted the contact con_42 from the CRM",
        "🙂",
        "\u{0}",
        "削除",
    ] {
        let answer = side.say(request).await;
        let told = clarification(&answer);
        assert!(!told["message"].as_str().unwrap().is_empty());
    }
    assert!(side.crm.calls().is_empty(), "nothing ran");
    assert!(
        side.deployment.calls().await.is_empty(),
        "and nothing is recorded as run"
    );
}

/// P21: a required value that is not said is named, and nothing runs.
#[tokio::test]
async fn p21_a_missing_value_is_named() {
    let side = Side::open().await;
    let answer = side.say("Delete a contact from the CRM").await;
    let told = clarification(&answer);
    let missing = json!([{"name": "contact_id", "description": "The contact's id, such as con_7"}]);
    assert_eq!(told["missing"], missing);
    assert_eq!(told["candidates"][0]["tool"], "crm_delete_contact");
    let message = told["message"].as_str().unwrap();
    assert!(
        message.contains("`contact_id`") && message.contains("`crm_delete_contact`"),
        "{message}"
    );
    assert!(side.crm.calls().is_empty());
}

/// P21: what breaks the tool's schema is told with its path, and nothing runs.
#[tokio::test]
async fn p21_values_that_the_schema_refuses_do_not_run() {
    let side = Side::open().await.called_by("officer");
    let within = side
        .say("Set the seat limit of the CRM workspace wsp_3: limit 12")
        .await;
    assert_eq!(
        within["structuredContent"]["metadata"]["mapped_parameters"],
        json!({"workspace_id": "wsp_3", "limit": 12}),
        "{within}"
    );
    let answer = side
        .say("Set the seat limit of the CRM workspace wsp_3: limit 900")
        .await;
    let told = clarification(&answer);
    assert!(told["message"].as_str().unwrap().contains("limit"), "{told}");
    assert_eq!(side.crm.calls().len(), 1);
}

/// P21: preferred tools are preferred among those the caller may use; other names mean nothing, and a preference does
/// not make a hopeless match run.
#[tokio::test]
async fn p21_preferences_never_widen() {
    let side = Side::open().await;
    for preferred in [
        json!(["crm_delete_contact"]),
        json!(["crm.delete_contact", "crm.delete_contact"]),
        json!(["crm_set_limit", "nobody.knows", "", "🙂"]),
    ] {
        let answer = side
            .ask(json!({"request": "Water the tulips on the balcony", "preferred_tools": preferred}))
            .await;
        clarification(&answer);
        let hidden = side
            .ask(json!({"request": "Set the seat limit of the CRM workspace wsp_3: limit 12", "preferred_tools": preferred}))
            .await;
        let told = clarification(&hidden);
        assert!(
            !told.to_string().contains("set_limit\""),
            "a tool of others is not told: {told}"
        );
        let right = side
            .ask(json!({"request": CREATE, "preferred_tools": preferred}))
            .await;
        assert_eq!(
            right["structuredContent"]["metadata"]["discovered_tool"],
            "crm_create_contact"
        );
    }
}

/// P24, P25: the same door as for every call: allowed or refused alike, in the same words, decided once.
#[tokio::test]
async fn p24_the_verdict_is_that_of_every_other_call() {
    for autonomy in [Autonomy::Full, Autonomy::ReadOnly] {
        let settings = |presentation| Gateway {
            autonomy,
            ..gateway("all", presentation, &["*"])
        };
        let unified = Side::with(settings(Presentation::Unified), UnifiedOptions::default()).await;
        let discovery = Side::with(settings(Presentation::Discovery), UnifiedOptions::default()).await;
        let answer = unified.say(DELETE).await;
        let arguments = json!({"tool_name": "crm_delete_contact", "parameters": {"contact_id": "con_42"}});
        let Answer::Result(other) = discovery.call("execute_tool", &arguments, None).await else {
            panic!()
        };
        let other: Value = serde_json::from_str(other.get()).unwrap();
        if autonomy == Autonomy::Full {
            assert_eq!(answer["structuredContent"]["result"], other["structuredContent"]);
        } else {
            assert_eq!(answer, other, "refused in the same words");
            assert_eq!(answer["isError"], true);
        }
        for side in [&unified, &discovery] {
            let calls = side.deployment.calls().await;
            assert_eq!(calls.len(), 1, "P25: one decision, for the inner tool");
            assert!(["crm.delete_contact", "crm_delete_contact"].contains(&calls[0].tool.as_str()));
            assert_eq!(side.crm.calls().len(), usize::from(autonomy == Autonomy::Full));
        }
    }
}

/// The execution is linked to the selection it came from (A21).
#[tokio::test]
async fn a21_the_execution_names_its_selection() {
    let side = Side::open().await;
    side.say(DELETE).await;
    let calls = side.deployment.calls().await;
    assert!(calls[0].query_id.is_some());
    assert_eq!(calls[0].source, "unified");
}

/// A26: whatever a tool answers comes back as it was, block by block and byte by byte.
#[tokio::test]
async fn a26_the_tools_own_answer_keeps_its_spelling() {
    let side = Side::open().await;
    let request = json!({"request": "Show the gallery GAL-12 of pictures and sounds"});
    let Answer::Result(answer) = side.call("unified_tool", &request, None).await else {
        panic!()
    };
    let answer = answer.get();
    let own = RICH
        .split_once('[')
        .unwrap()
        .1
        .split_once("\"structuredContent\"")
        .unwrap()
        .0;
    let blocks = own.trim_end().trim_end_matches(',').trim_end_matches(']');
    assert!(answer.contains(blocks), "{answer}");
    for kept in [
        r#""result":{"z":1,"a":{"b":[ ]},"num":100.0,"dup":1,"dup":2}"#,
        r#""_meta":{"vendor/trace":"t-1","nested":{"resultType":"mine"}}"#,
        r#""isError":false"#,
        r#""later":null"#,
    ] {
        assert!(answer.contains(kept), "{kept} in {answer}");
    }
}

/// A26, A27: a tool's failure passes, with the metadata beside it; one that wants authorization keeps its one text.
#[tokio::test]
async fn a26_failures_pass_too() {
    let side = Side::open().await;
    let failed = side.say("Break the disk DSK-3").await;
    assert_eq!(failed["isError"], true);
    assert_eq!(failed["content"][0]["text"], "the disk is full");
    assert_eq!(failed["structuredContent"]["result"], "the disk is full");
    assert_eq!(
        failed["structuredContent"]["metadata"]["discovered_tool"],
        "odd_fail"
    );

    let authorize = side.say("Ask for permission at the front desk DSK-8").await;
    let own: Value = serde_json::from_str(AUTHORIZE).unwrap();
    assert_eq!(authorize["content"], own["content"]);
    assert_eq!(authorize["isError"], true);

    let refuse = json!({"request": "Refuse the parcel PRC-5 politely"});
    match side.call("unified_tool", &refuse, None).await {
        Answer::Rpc(error) => assert_eq!(error.code, -32000),
        other => panic!("{other:?}"),
    }
}

/// P13, P18, E1: only the one tool is called; it needs a request.
#[tokio::test]
async fn e1_only_a_request_is_taken() {
    let side = Side::open().await;
    for arguments in [
        json!({}),
        json!({"request": " "}),
        json!({"request": "x", "context": 3}),
    ] {
        let answer = side.ask(arguments.clone()).await;
        assert_eq!(answer["isError"], true, "{arguments}");
    }
    let direct = side.call("crm_list_contacts", &json!({}), None).await;
    assert!(matches!(direct, Answer::UnknownTool(_)), "{direct:?}");
}

/// E12: where the caller has no tool, or none does it, that is said; nothing is an error.
#[tokio::test]
async fn e12_no_tool_at_all_is_no_error() {
    let side = Side::with(
        gateway("all", Presentation::Unified, &["nobody.*"]),
        UnifiedOptions::default(),
    )
    .await;
    let answer = side.say(CREATE).await;
    assert_eq!(clarification(&answer)["candidates"], json!([]));
}

/// E13: without selection nothing can be found, and a retry may help.
#[tokio::test]
async fn e13_without_an_index_it_is_unavailable() {
    let deployment = Plan::new()
        .server("crm", &Scripted::new(crm_tools()))
        .gateway("all", Presentation::Unified, &["*"])
        .encoder(None)
        .start()
        .await;
    let caller = Caller {
        scopes: [Scope::Execute].into(),
        ..Caller::default()
    };
    let side = Side {
        opened: open_surface(&deployment.runtime, "all", &caller).unwrap(),
        deployment,
        caller,
        crm: Scripted::new(Vec::new()),
    };
    let answer = side.say(CREATE).await;
    assert_eq!(answer["isError"], true);
    assert!(
        answer["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains("temporarily unavailable")
    );
}

/// E16: a request too long to be read whole never runs.
#[tokio::test]
async fn e16_a_very_long_request_is_asked_back() {
    let side = Side::open().await;
    let long = format!("{DELETE}. {}", "And so on. ".repeat(10_000));
    let answer = side.say(&long).await;
    let told = clarification(&answer);
    assert!(
        told["message"].as_str().unwrap().contains("longer than"),
        "{told}"
    );
    assert!(side.crm.calls().is_empty());
}
