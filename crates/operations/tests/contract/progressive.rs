//! Do on-demand tools join a caller's list when they should, and only then? (R1 to R19)

use handpick_access::Policy;
use handpick_domain::{Caller, Gateway, Presentation, Restriction, Scope, ToolGlobs};
use handpick_operations::answer::{AgentCall, Answer, answer};
use handpick_operations::open_surface::open_surface;
use handpick_operations::{Joined, Opened};
use handpick_protocol::json::raw;
use serde_json::{Value, json};

use crate::deployment::{Deployment, Plan, Scripted, chat_tools, fillers, gateway, lab_tools, tool};

fn caller() -> Caller {
    Caller {
        key_id: "k".to_owned(),
        scopes: [Scope::Execute].into(),
        ..Caller::default()
    }
}

async fn deployment() -> Deployment {
    let core = Gateway {
        core: ToolGlobs::new(&["chat.pin_message".to_owned()]).unwrap(),
        ..gateway("all", Presentation::Progressive, &["lab.*", "chat.*"])
    };
    Plan::new()
        .server("lab", &Scripted::new(lab_tools()))
        .server("chat", &Scripted::new(chat_tools()))
        .server(
            "hidden",
            &Scripted::new(vec![tool("send_message", "Post a secret message.")]),
        )
        .exact_gateway(core)
        .restrict("lab.secret", "officer")
        .start()
        .await
}

/// One caller's side of a surface.
struct Side<'a> {
    deployment: &'a Deployment,
    opened: std::sync::Arc<Opened>,
    caller: Caller,
    joined: Joined,
}

impl<'a> Side<'a> {
    fn open(deployment: &'a Deployment) -> Self {
        let caller = caller();
        Self {
            opened: open_surface(&deployment.runtime, "all", &caller).unwrap(),
            deployment,
            caller,
            joined: Joined::default(),
        }
    }

    async fn answer(&self, name: &str, arguments: Value) -> Answer {
        let arguments = raw(arguments.to_string());
        let call = AgentCall {
            opened: &self.opened,
            joined: &self.joined,
            caller: &self.caller,
            name,
            arguments: Some(&arguments),
            meta: None,
            progress: None,
            client: None,
        };
        answer(&self.deployment.runtime, call).await
    }

    async fn result(&self, name: &str, arguments: Value) -> Value {
        match self.answer(name, arguments).await {
            Answer::Result(result) | Answer::Found(result) => serde_json::from_str(result.get()).unwrap(),
            other => panic!("{name}: {other:?}"),
        }
    }

    async fn search(&self, query: &str) -> Value {
        let result = self.result("arc_search_tools", json!({"query": query})).await;
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"], "R10: the same JSON as text");
        text
    }

    async fn failure(&self, name: &str, arguments: Value) -> String {
        let result = self.result(name, arguments).await;
        assert_eq!(result["isError"], true, "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    fn joined(&self) -> Vec<String> {
        self.joined.promoted().names().to_vec()
    }
}

fn names(found: &Value) -> Vec<&str> {
    found["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| hit["name"].as_str().unwrap())
        .collect()
}

/// R3, R4, R9, R10, R11: a query that is a tool's name promotes it, with its schema and its required arguments.
#[tokio::test]
async fn r4_a_clear_winner_joins_with_its_schema() {
    let deployment = deployment().await;
    for query in ["lab_strict", "lab.strict", "strict", "Lab Strict", "STRICT"] {
        let side = Side::open(&deployment);
        let found = side.search(query).await;
        assert_eq!(found["promoted"], "lab_strict", "{query}: {found}");
        let hit = &found["tools"][0];
        assert_eq!(hit["direct"], true);
        assert_eq!(hit["description"], "Book a table.");
        assert_eq!(hit["required"], json!(["guests"]));
        assert_eq!(hit["arguments"], json!([{"name": "guests", "type": "integer"}]));
        assert_eq!(hit["inputSchema"]["properties"]["guests"]["minimum"], 1);
        assert!(found["hint"].as_str().unwrap().contains("lab_strict"));
        for other in found["tools"].as_array().unwrap().iter().skip(1) {
            assert!(
                other.get("inputSchema").is_none() && other["direct"] == false,
                "{other}"
            );
        }
        assert_eq!(side.joined(), ["lab.strict"]);
        let again = side.search(query).await;
        assert_eq!(again, found, "deterministic, and promoting twice changes nothing");
    }
}

/// R5: several tools that fit alike promote none, and the answer says how to go on.
#[tokio::test]
async fn r5_without_a_winner_nothing_joins() {
    let deployment = deployment().await;
    let side = Side::open(&deployment);
    let found = side.search("message in a chat channel").await;
    assert!(names(&found).len() > 2, "{found}");
    assert_eq!(found["promoted"], Value::Null);
    for word in ["arc_call_tool", "arc_describe_tool"] {
        assert!(found["hint"].as_str().unwrap().contains(word), "{found}");
    }
    assert_eq!(side.joined(), [] as [&str; 0]);
}

/// R2, R13, C6: later lines of a description are searched too; core tools, hidden ones and those of other gateways
/// are no hits.
#[tokio::test]
async fn r13_what_is_searched() {
    let deployment = deployment().await;
    let side = Side::open(&deployment);
    let found = side.search("submarines").await;
    assert_eq!(names(&found), ["lab_strict"], "only the second line says so");
    assert_eq!(found["promoted"], "lab_strict", "R9: the only hit");
    for query in [
        "pin a message",
        "safe of the officers",
        "lab_secret",
        "post a secret message",
    ] {
        let found = side.search(query).await;
        for name in names(&found) {
            assert!(
                !["chat_pin_message", "lab_secret", "hidden_send_message"].contains(&name),
                "{query}: {name}"
            );
        }
    }
    let nothing = side.search("zzz qqq xxyyzz").await;
    assert_eq!(
        (&nothing["total"], &nothing["tools"], &nothing["promoted"]),
        (&json!(0), &json!([]), &Value::Null)
    );
    assert!(nothing["hint"].as_str().unwrap().contains("other words"));
}

/// R12: the limit cuts, and `total` still tells how many there are.
#[tokio::test]
async fn r12_the_limit_cuts() {
    let deployment = deployment().await;
    let side = Side::open(&deployment);
    let whole = side
        .result(
            "arc_search_tools",
            json!({"query": "message in a chat channel", "limit": 25}),
        )
        .await;
    let one = side
        .result(
            "arc_search_tools",
            json!({"query": "message in a chat channel", "limit": 0}),
        )
        .await;
    let (whole, one) = (&whole["structuredContent"], &one["structuredContent"]);
    assert_eq!(names(one), names(whole)[..1]);
    assert_eq!(one["total"], whole["total"]);
    assert_eq!(
        one["promoted"],
        Value::Null,
        "one of several shown is not the only hit"
    );
}

/// R6: describe shows all of a tool, and the tool joins.
#[tokio::test]
async fn r6_describe_shows_all_and_promotes() {
    let deployment = deployment().await;
    let side = Side::open(&deployment);
    let result = side
        .result("arc_describe_tool", json!({"name": "lab_strict"}))
        .await;
    let told = &result["structuredContent"];
    assert_eq!(
        told["description"],
        "Book a table.\nThis second line mentions submarines."
    );
    assert_eq!(told["inputSchema"]["required"], json!(["guests"]));
    assert_eq!(side.joined(), ["lab.strict"]);
    side.result("arc_describe_tool", json!({"name": "chat_pin_message"}))
        .await;
    assert_eq!(
        side.joined(),
        ["lab.strict"],
        "R14: a core tool is described and is listed anyway"
    );
}

/// R7, R8, R18: a successful call promotes, no other does, and the result is the tool's own.
#[tokio::test]
async fn r8_only_a_successful_call_promotes() {
    let deployment = deployment().await;
    let side = Side::open(&deployment);
    for (name, arguments) in [
        ("lab_fail", json!({})),
        ("lab_strict", json!({"guests": 0})),
        ("lab_secret", json!({})),
        ("nope", json!({})),
    ] {
        side.failure("arc_call_tool", json!({"name": name, "arguments": arguments}))
            .await;
        assert_eq!(side.joined(), [] as [&str; 0], "{name}");
    }
    assert!(matches!(
        side.answer("arc_call_tool", json!({"name": "lab_refuse"})).await,
        Answer::Rpc(_)
    ));
    assert_eq!(side.joined(), [] as [&str; 0]);
    let result = side
        .result(
            "arc_call_tool",
            json!({"name": "lab_echo", "arguments": {"x": 1}}),
        )
        .await;
    assert_eq!(result["structuredContent"], json!({"x": 1}));
    assert_eq!(side.joined(), ["lab.echo"]);
    side.result("arc_call_tool", json!({"name": "lab.empty"})).await;
    assert_eq!(side.joined(), ["lab.echo", "lab.empty"]);
}

/// R14: names are exact; unknown and forbidden read alike; close names are those the caller may use.
#[tokio::test]
async fn r14_unknown_names() {
    let deployment = deployment().await;
    let side = Side::open(&deployment);
    for meta in ["arc_call_tool", "arc_describe_tool"] {
        for (name, close) in [
            ("lab_strikt", Some("lab_strict")),
            ("LAB_STRICT", Some("lab_strict")),
            ("chat_send_mesage", Some("chat_send_message")),
            ("lab_secret", None),
            ("lab_secre", None),
            ("hidden_send_message", None),
            ("arc_call_tool", None),
            ("unified_tool", None),
        ] {
            let told = side.failure(meta, json!({"name": name})).await;
            assert!(told.starts_with(&format!("unknown tool: {name};")), "{told}");
            for hidden in ["lab_secret,", "lab_secret?", "hidden_"] {
                let suggestion = told.split_once(';').unwrap().1;
                assert!(!suggestion.contains(hidden), "{told}");
            }
            if let Some(close) = close {
                assert!(told.contains(close), "{told}");
            }
        }
    }
}

/// R14, P14: a tool that is forbidden since the surface was opened is unknown, and runs no twin whose name differs in
/// case alone.
#[tokio::test]
async fn r14_a_forbidden_tool_runs_no_twin() {
    let twins = Scripted::new(vec![tool("Search", "x"), tool("search", "x")]);
    let deployment = Plan::new()
        .server("lab", &twins)
        .exact_gateway(gateway("all", Presentation::Progressive, &["lab.*"]))
        .start()
        .await;
    let side = Side::open(&deployment);
    let policy = deployment.runtime.policy();
    let mut restrictions = policy.restrictions.clone();
    restrictions.push(Restriction {
        tools: ToolGlobs::exactly(["lab.search".to_owned()]),
        roles: ["nobody".to_owned()].into(),
    });
    deployment.runtime.set_policy(Policy {
        gateways: policy.gateways.clone(),
        restrictions,
    });
    let told = side.failure("arc_call_tool", json!({"name": "lab.search"})).await;
    assert!(told.starts_with("unknown tool: lab.search"), "{told}");
    assert_eq!(twins.calls(), []);
    assert_eq!(deployment.outcomes().await, ["lab.search denied"]);
    side.result("arc_call_tool", json!({"name": "lab.Search"})).await;
    assert_eq!(side.joined(), ["lab.Search"]);
    assert_eq!(twins.calls().len(), 1);
}

/// R17: what has joined is callable by its own name, core tools are from the start, the rest is not.
#[tokio::test]
async fn r17_promoted_tools_are_callable_by_name() {
    let deployment = deployment().await;
    let side = Side::open(&deployment);
    assert!(
        matches!(side.answer("lab_echo", json!({})).await, Answer::UnknownTool(name) if name == "lab_echo")
    );
    let core = side.result("chat_pin_message", json!({"id": 1})).await;
    assert_eq!(core["structuredContent"], json!({"id": 1}));
    side.result("arc_describe_tool", json!({"name": "lab_echo"}))
        .await;
    side.result("arc_describe_tool", json!({"name": "lab_empty"}))
        .await;
    let direct = side.result("lab_echo", json!({"x": 2})).await;
    assert_eq!(direct["structuredContent"], json!({"x": 2}));
    assert_eq!(side.joined(), ["lab.empty", "lab.echo"], "a use counts");
    assert_eq!(
        deployment.outcomes().await,
        ["chat.pin_message ok", "lab.echo ok"]
    );
}

/// R15: bounded; the least recently used leaves, core tools never.
#[tokio::test]
async fn r15_the_list_is_bounded() {
    let deployment = Plan::new()
        .server("bulk", &Scripted::new(fillers(40)))
        .gateway("all", Presentation::Progressive, &["*"])
        .start()
        .await;
    let side = Side::open(&deployment);
    for number in 0..40 {
        let name = format!("bulk_fill_{number:04}");
        side.result("arc_describe_tool", json!({"name": name})).await;
    }
    let joined = side.joined();
    assert_eq!((joined.len(), joined[0].as_str()), (32, "bulk.fill_0008"));
    assert!(matches!(
        side.answer("bulk_fill_0007", json!({})).await,
        Answer::UnknownTool(_)
    ));
    side.result("bulk_fill_0008", json!({})).await;
}
