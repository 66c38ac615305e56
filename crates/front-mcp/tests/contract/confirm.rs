//! Is the person asked before a tool runs that may change something, and does their word count? (P4)

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use handpick_domain::{Autonomy, Gateway, Presentation};
use handpick_operations::Options;
use serde_json::{Value, json};

use crate::agent::{Agent, Style, router};
use crate::deployment::{Deployment, KEY, PATIENCE, Plan, Scripted, gateway, lab_tools};
use crate::person::{CARRIERS, Carrier, Person, Said, forms};

/// A gateway in every mode whose person wants to be asked.
pub struct Scene {
    pub deployment: Deployment,
    pub router: Router,
    pub lab: Arc<Scripted>,
}

/// A gateway whose person wants to be asked.
pub fn careful(name: &str, presentation: Presentation) -> Gateway {
    Gateway {
        autonomy: Autonomy::Confirm,
        ..gateway(name, presentation, &["*"])
    }
}

impl Scene {
    pub async fn new() -> Self {
        Self::with(Options::default()).await
    }

    pub async fn with(options: Options) -> Self {
        let mut tools = lab_tools();
        for (name, annotations) in [
            ("look", json!({"readOnlyHint": true})),
            ("add", json!({"destructiveHint": false})),
            ("erase", json!({"destructiveHint": true})),
        ] {
            let description = format!("Try to {name} things.");
            tools.push(json!({
                "name": name,
                "description": description,
                "inputSchema": {"type": "object"},
                "annotations": annotations,
            }));
        }
        let lab = Scripted::new(tools);
        let deployment = Plan::new()
            .server("lab", &lab)
            .exact_gateway(careful("direct", Presentation::Direct))
            .exact_gateway(careful("twin", Presentation::Direct))
            .exact_gateway(careful("discovery", Presentation::Discovery))
            .exact_gateway(careful("recommend", Presentation::Recommend))
            .exact_gateway(careful("progressive", Presentation::Progressive))
            .options(options)
            .start()
            .await;
        let router = router(&deployment);
        Self {
            deployment,
            router,
            lab,
        }
    }

    pub async fn person(&self, carrier: Carrier) -> Person {
        self.offering(carrier, forms()).await
    }

    pub async fn offering(&self, carrier: Carrier, capabilities: Value) -> Person {
        Person::open(&self.deployment, &self.router, "direct", carrier, capabilities).await
    }

    /// Waits until this many calls are recorded.
    pub async fn recorded(&self, count: usize) -> Vec<String> {
        let wait = async {
            loop {
                let outcomes = self.deployment.outcomes().await;
                if outcomes.len() >= count {
                    return outcomes;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(PATIENCE, wait).await.unwrap()
    }
}

/// How a tool is named and its arguments are passed in each mode.
const WAYS: [(&str, &str, &str, &str, &str); 4] = [
    ("direct", "lab_echo", "", "", ""),
    ("discovery", "execute_tool", "tool_name", "lab.echo", "parameters"),
    ("recommend", "Arcade_UseTool", "tool_name", "lab.echo", "inputs"),
    ("progressive", "arc_call_tool", "name", "lab_echo", "arguments"),
];

/// P4, P24: the person is told which tool with which arguments, and once they agree it runs with exactly those; in
/// every mode, era and transport.
#[tokio::test]
async fn p4_accepted() {
    let scene = Scene::new().await;
    for carrier in CARRIERS {
        for (gateway, name, named_by, tool, passed_by) in WAYS {
            let Scene {
                deployment, router, ..
            } = &scene;
            let mut person = Person::open(deployment, router, gateway, carrier, forms()).await;
            let arguments = match gateway {
                "direct" => json!({"door": 7}),
                _ => json!({named_by: tool, passed_by: {"door": 7}}),
            };
            let ran = scene.lab.calls().len();
            let asked = person.call(name, arguments).await.asked();
            assert_eq!(asked.method, "elicitation/create", "{carrier:?} {gateway}");
            assert_eq!(
                asked.params["requestedSchema"],
                json!({"type": "object", "properties": {}})
            );
            let message = asked.params["message"].as_str().unwrap();
            assert!(
                message.contains("lab.echo") && message.ends_with("\nArguments:\n\"door\": 7"),
                "{message}"
            );
            assert_eq!(
                scene.lab.calls().len(),
                ran,
                "nothing runs before the person agrees"
            );
            let result = person
                .answer(&asked, json!({"action": "accept", "content": {}}))
                .await
                .result();
            assert_eq!(
                result["structuredContent"],
                json!({"door": 7}),
                "{carrier:?} {gateway}"
            );
            assert_eq!(scene.lab.calls().len(), ran + 1);
            assert_eq!(
                scene.lab.last_params(),
                json!({"name": "echo", "arguments": {"door": 7}}),
                "what is between client and gateway stays there"
            );
        }
    }
    assert_eq!(scene.deployment.outcomes().await, vec!["lab.echo ok"; 16]);
    let calls = scene.deployment.calls().await;
    assert!(
        calls
            .iter()
            .all(|call| call.decision.as_deref() == Some("confirmed")),
        "{calls:?}"
    );
}

/// P4: only tools that may change something are asked about.
#[tokio::test]
async fn p4_what_changes_nothing_just_runs() {
    let scene = Scene::new().await;
    for carrier in CARRIERS {
        let mut person = scene.person(carrier).await;
        for (tool, asks) in [
            ("lab_look", false),
            ("lab_add", false),
            ("lab_erase", true),
            ("lab_echo", true),
        ] {
            match person.call(tool, json!({})).await {
                Said::Asked(asked) if asks => {
                    person.answer(&asked, json!({"action": "accept"})).await.result();
                }
                Said::Answered(response) if !asks => assert!(response.get("result").is_some()),
                other => panic!("{carrier:?} {tool}: {other:?}"),
            }
        }
    }
}

/// P4: anything but a clear yes is no.
#[tokio::test]
async fn p4_declined() {
    let scene = Scene::new().await;
    for carrier in CARRIERS {
        let mut person = scene.person(carrier).await;
        for answer in [
            json!({"action": "decline"}),
            json!({"action": "cancel"}),
            json!({"action": "ACCEPT"}),
            json!({"action": true}),
            json!({"accept": true}),
            json!({}),
        ] {
            let asked = person.call("lab_echo", json!({})).await.asked();
            let text = person.answer(&asked, answer.clone()).await.failure();
            assert_eq!(
                text, "not run: the person was asked whether lab.echo may run, and said no",
                "{carrier:?} {answer}"
            );
        }
    }
    assert!(scene.lab.calls().is_empty());
    assert_eq!(scene.deployment.outcomes().await, vec!["lab.echo denied"; 24]);
}

/// P4: a client that answers with an error could not ask.
#[tokio::test]
async fn p4_an_error_is_no_answer() {
    let scene = Scene::new().await;
    for carrier in [Carrier::HttpSession, Carrier::PipeSession] {
        let mut person = scene.person(carrier).await;
        let asked = person.call("lab_echo", json!({})).await.asked();
        let error = json!({"code": -32601, "message": "no forms here"});
        person
            .respond(json!({"jsonrpc": "2.0", "id": asked.id, "error": error}))
            .await;
        let text = person.next().await.failure();
        assert!(text.contains("this client cannot ask them"), "{text}");
    }
    assert!(scene.lab.calls().is_empty());
}

/// P4: where nobody can be asked, nothing runs, and the model reads why.
#[tokio::test]
async fn p4_nobody_to_ask() {
    let scene = Scene::new().await;
    let refused = |text: &str| {
        assert_eq!(
            text,
            "not run: lab.echo may only run once the person has agreed, and this client cannot ask them (it offers \
             no elicitation)"
        );
    };
    for carrier in CARRIERS {
        for capabilities in [
            json!({}),
            json!({"sampling": {}, "roots": {}}),
            json!({"elicitation": {"url": {}}}),
            json!({"elicitation": true}),
        ] {
            let mut person = scene.offering(carrier, capabilities).await;
            refused(&person.call("lab_echo", json!({})).await.failure());
        }
    }
    // Without a session there is nowhere to send an answer to.
    let sessionless = Agent::open_offering(&scene.router, "direct", Style::Sessionless, KEY, forms()).await;
    refused(&sessionless.call("lab_echo", json!({})).await.failure());
    // Without events there is nowhere to send a question to.
    let deaf = Agent::open_offering(&scene.router, "direct", Style::Session, KEY, forms()).await;
    let params = json!({"name": "lab_echo", "_meta": {"progressToken": 1}});
    let mut request = deaf.request("1", "tools/call", params);
    request
        .headers_mut()
        .insert("accept", "application/json".parse().unwrap());
    let answer = crate::agent::send(&scene.router, request).await;
    refused(&answer.failure());
    assert!(scene.lab.calls().is_empty());
}

/// The modern era needs no event stream to ask.
#[tokio::test]
async fn x10_a_modern_question_is_one_body() {
    let scene = Scene::new().await;
    let modern = Agent::open_offering(&scene.router, "direct", Style::Modern, KEY, forms()).await;
    let mut request = modern.request("1", "tools/call", json!({"name": "lab_echo"}));
    request
        .headers_mut()
        .insert("accept", "application/json".parse().unwrap());
    let answer = crate::agent::send(&scene.router, request).await;
    assert_eq!(answer.result()["resultType"], "input_required");
    assert_eq!(answer.header("content-type"), Some("application/json"));
}

/// P4: no word in time is no, and a late one changes nothing.
#[tokio::test]
async fn p4_no_answer_in_time() {
    let scene = Scene::with(Options {
        person_wait: Duration::from_millis(40),
        ..Options::default()
    })
    .await;
    for (number, carrier) in CARRIERS.into_iter().enumerate() {
        let mut person = scene.person(carrier).await;
        let asked = person.call("lab_echo", json!({})).await.asked();
        if carrier.is_modern() {
            scene.recorded(number + 1).await;
            let late = person.answer(&asked, json!({"action": "accept"})).await;
            let (code, text) = late.error();
            assert_eq!(code, -32602);
            assert_eq!(
                text,
                "invalid params: this question is not open any more; call again without `requestState`"
            );
        } else {
            let text = person.next().await.failure();
            assert!(text.contains("did not answer in time"), "{text}");
            assert_eq!(
                person.withdrawn,
                std::slice::from_ref(&asked.id),
                "{carrier:?}: the client is told"
            );
            person
                .respond(json!({"jsonrpc": "2.0", "id": asked.id, "result": {"action": "accept"}}))
                .await;
        }
    }
    assert!(scene.lab.calls().is_empty());
    assert_eq!(scene.deployment.outcomes().await, vec!["lab.echo denied"; 4]);
}

/// Two calls asked at the same time each get their own answer.
#[tokio::test]
async fn p4_two_calls_at_once() {
    let scene = Scene::new().await;
    for carrier in [Carrier::HttpSession, Carrier::HttpModern] {
        let mut one = scene.person(carrier).await;
        let mut other = scene.person(carrier).await;
        let session = one.agent().session.clone();
        other.agent().session = session;
        let first = one.call("lab_echo", json!({"n": 1})).await.asked();
        let second = other.call("lab_echo", json!({"n": 2})).await.asked();
        assert_ne!((&first.id, &first.state), (&second.id, &second.state));
        let text = other
            .answer(&second, json!({"action": "decline"}))
            .await
            .failure();
        assert!(text.contains("said no"), "{text}");
        let result = one.answer(&first, json!({"action": "accept"})).await.result();
        assert_eq!(result["structuredContent"], json!({"n": 1}));
    }
    let person = scene.person(Carrier::PipeSession).await;
    let mut pipe = person.pipe();
    let mut ids = Vec::new();
    for number in [1, 2] {
        let params = json!({"name": "lab_echo", "arguments": {"n": number}});
        pipe.send(json!({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}))
            .await;
        let asked = pipe.message().await;
        assert!(
            asked["params"]["message"]
                .as_str()
                .unwrap()
                .ends_with(&format!("\"n\": {number}"))
        );
        ids.push(asked["id"].clone());
    }
    for number in [2, 1] {
        pipe.send(json!({"jsonrpc": "2.0", "id": ids[number - 1], "result": {"action": "accept"}}))
            .await;
        let answer = pipe.message().await;
        assert_eq!(answer["id"], number);
        assert_eq!(answer["result"]["structuredContent"], json!({"n": number}));
    }
    pipe.close().await;
}
