//! Whose answer counts, how often, and what happens when the client goes away? (P4)

use serde_json::{Value, json};

use crate::agent::{Agent, Style};
use crate::confirm::Scene;
use crate::deployment::{KEY, OTHER_KEY, PATIENCE, Plan, Scripted, lab_tools};
use crate::http_upstream::HttpUpstream;
use crate::person::{CARRIERS, Carrier, Person, forms};

fn accept() -> Value {
    json!({"action": "accept"})
}

/// An answer counts in its own session, from the user whose call asks.
#[tokio::test]
async fn p4_somebody_elses_answer_is_ignored() {
    let scene = Scene::new().await;
    let mut person = scene.person(Carrier::HttpSession).await;
    person.agent().user = Some("ann".to_owned());
    let asked = person.call("lab_echo", json!({})).await.asked();
    // Anything but a yes: if it counted, nothing would run in the end.
    let decline = || json!({"action": "decline"});
    let answer = json!({"jsonrpc": "2.0", "id": asked.id, "result": decline()}).to_string();

    let session = person.agent().session.clone();
    for (key, user, in_session, status) in [
        (KEY, Some("bob"), true, 202),
        (KEY, None, true, 202),
        (KEY, Some("ann"), false, 202),
        (OTHER_KEY, Some("ann"), true, 404),
    ] {
        let mut other = Agent::open_offering(&scene.router, "direct", Style::Session, key, forms()).await;
        other.user = user.map(str::to_owned);
        if in_session {
            other.session = session.clone();
        }
        assert_eq!(other.send_text(&answer).await.status, status, "{key} {user:?}");
    }
    let mut nowhere = Agent::open_offering(&scene.router, "direct", Style::Sessionless, KEY, forms()).await;
    nowhere.user = Some("ann".to_owned());
    assert_eq!(nowhere.send_text(&answer).await.status, 202);
    for odd in [
        json!({"jsonrpc": "2.0", "id": 0, "result": decline()}),
        json!({"jsonrpc": "2.0", "id": "handpick-0", "result": decline()}),
        json!({"jsonrpc": "2.0", "id": format!("{}0", asked.id.as_str().unwrap()), "result": decline()}),
    ] {
        person.respond(odd).await;
    }
    assert!(scene.lab.calls().is_empty(), "nobody has agreed");
    person.answer(&asked, accept()).await.result();
    assert_eq!(scene.lab.calls().len(), 1);

    let mut piped = scene.person(Carrier::PipeSession).await;
    let mut other = scene.person(Carrier::PipeSession).await;
    let asked = piped.call("lab_echo", json!({})).await.asked();
    other
        .respond(json!({"jsonrpc": "2.0", "id": asked.id, "result": decline()}))
        .await;
    let mut other = other.pipe();
    assert_eq!(
        other.ask("ping", json!({})).await["result"],
        json!({}),
        "it was read"
    );
    assert_eq!(scene.lab.calls().len(), 1);
    piped.answer(&asked, accept()).await.result();
    assert_eq!(scene.lab.calls().len(), 2);
}

/// The first answer counts; the tool runs once.
#[tokio::test]
async fn p4_answered_twice() {
    let scene = Scene::new().await;
    for (number, carrier) in CARRIERS.into_iter().enumerate() {
        let mut person = scene.person(carrier).await;
        let asked = person.call("lab_echo", json!({})).await.asked();
        person.answer(&asked, accept()).await.result();
        if carrier.is_modern() {
            let (code, text) = person.answer(&asked, accept()).await.error();
            assert!(code == -32602 && text.contains("not open any more"), "{text}");
        } else {
            let again = json!({"jsonrpc": "2.0", "id": asked.id, "result": accept()});
            person.respond(again).await;
        }
        // Whatever the answer did has happened by the time the next call is answered.
        person.call("lab_look", json!({})).await.result();
        assert_eq!(scene.lab.calls().len(), 2 * (number + 1), "{carrier:?}");
    }
}

/// Of two retries at once, one goes on with the call.
#[tokio::test]
async fn p4_two_retries_at_once() {
    let scene = Scene::new().await;
    let mut person = scene.person(Carrier::HttpModern).await;
    let asked = person.call("lab_echo", json!({})).await.asked();
    let agent = person.agent();
    let retry = json!({
        "name": "lab_echo",
        "arguments": {},
        "inputResponses": {asked.id.as_str().unwrap(): accept()},
        "requestState": asked.state,
    });
    let (one, other) = tokio::join!(
        agent.ask("tools/call", retry.clone()),
        agent.ask("tools/call", retry.clone())
    );
    let mut done: Vec<bool> = [one, other]
        .iter()
        .map(|reply| reply.json().get("result").is_some())
        .collect();
    done.sort_unstable();
    assert_eq!(done, [false, true]);
    assert_eq!(scene.lab.calls().len(), 1);
}

/// A client that goes away while it is asked has given up; nothing runs.
#[tokio::test]
async fn p4_the_client_goes_away_while_asked() {
    let scene = Scene::new().await;
    let mut person = scene.person(Carrier::HttpSession).await;
    person.call("lab_echo", json!({})).await.asked();
    drop(person);
    assert_eq!(scene.recorded(1).await, ["lab.echo cancelled"]);

    for (number, carrier) in [Carrier::PipeSession, Carrier::PipeModern]
        .into_iter()
        .enumerate()
    {
        let mut person = scene.person(carrier).await;
        person.call("lab_echo", json!({})).await.asked();
        let pipe = person.pipe();
        drop(pipe.input);
        let served = tokio::time::timeout(PATIENCE, pipe.served).await;
        served.expect("serving ends with the input").unwrap().unwrap();
        let recorded = scene.recorded(number + 2).await;
        assert_eq!(recorded, vec!["lab.echo cancelled"; number + 2], "{carrier:?}");
    }
    assert!(scene.lab.calls().is_empty());
}

/// A stateless client that goes away before it was answered, or while its retry runs, has given up too; one that
/// waits with its retry has not.
#[tokio::test]
async fn p4_a_modern_client_goes_away() {
    let scene = Scene::new().await;
    let wait_for = |mut counter: tokio::sync::watch::Receiver<usize>, wanted: usize| async move {
        let reached = counter.wait_for(|&count| count == wanted);
        tokio::time::timeout(PATIENCE, reached).await.unwrap().unwrap();
    };
    let mut person = scene.person(Carrier::HttpModern).await;
    let asked = person.call("lab_wait", json!({})).await.asked();
    let retry = json!({
        "name": "lab_wait",
        "arguments": {},
        "inputResponses": {asked.id.as_str().unwrap(): accept()},
        "requestState": asked.state,
    });
    let request = person.agent().request("1", "tools/call", retry);
    let router = scene.router.clone();
    let pending = tokio::spawn(async move { crate::agent::send(&router, request).await });
    wait_for(scene.lab.waiting.subscribe(), 1).await;
    pending.abort();
    wait_for(scene.lab.abandoned.subscribe(), 1).await;
    assert_eq!(scene.recorded(1).await, ["lab.wait cancelled"]);
    let (code, _) = person.answer(&asked, accept()).await.error();
    assert_eq!(code, -32602);

    // Before any answer: a tool that asks nothing, called by a client that could be asked.
    let lab = Scripted::new(lab_tools());
    let deployment = Plan::new()
        .server("lab", &lab)
        .gateway("lab", handpick_domain::Presentation::Direct, &["*"])
        .start()
        .await;
    let router = crate::agent::router(&deployment);
    let agent = Agent::open_offering(&router, "lab", Style::Modern, KEY, forms()).await;
    let pending = agent.call_later("1", "lab_wait", &json!({}));
    wait_for(lab.waiting.subscribe(), 1).await;
    pending.abort();
    wait_for(lab.abandoned.subscribe(), 1).await;
    assert_eq!(deployment.outcomes().await, ["lab.wait cancelled"]);
}

/// A call that the client cancels while it is asked: the question is withdrawn, nothing runs, and nothing is answered.
#[tokio::test]
async fn p4_cancelled_while_asked() {
    let scene = Scene::new().await;
    for carrier in [Carrier::HttpSession, Carrier::PipeSession] {
        let mut person = scene.person(carrier).await;
        let asked = person.call("lab_echo", json!({})).await.asked();
        let cancel =
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "call-1"}});
        person.respond(cancel).await;
        let withdrawn = person.message().await.unwrap();
        assert_eq!(withdrawn["method"], "notifications/cancelled", "{carrier:?}");
        assert_eq!(withdrawn["params"]["requestId"], asked.id);
        let late = json!({"jsonrpc": "2.0", "id": asked.id, "result": accept()});
        person.respond(late).await;
        if carrier == Carrier::HttpSession {
            assert_eq!(person.message().await, None, "the stream ends");
        }
        person.call("lab_look", json!({})).await.result();
    }
    let outcomes = scene.deployment.outcomes().await;
    assert_eq!(
        outcomes,
        [
            "lab.echo cancelled",
            "lab.echo cancelled",
            "lab.look ok",
            "lab.look ok"
        ]
    );
}

/// A session that ends takes its questions with it.
#[tokio::test]
async fn p4_the_session_ends_while_asked() {
    let scene = Scene::new().await;
    let mut person = scene.person(Carrier::HttpSession).await;
    person.call("lab_echo", json!({})).await.asked();
    assert_eq!(person.agent().end().await.status, 204);
    let text = person.next().await.failure();
    assert!(text.contains("did not answer in time"), "{text}");

    let mut piped = scene.person(Carrier::PipeSession).await;
    let asked = piped.call("lab_echo", json!({})).await.asked();
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": forms()});
    piped
        .respond(json!({"jsonrpc": "2.0", "id": "again", "method": "initialize", "params": params}))
        .await;
    let mut seen = Vec::new();
    while seen.len() < 3 {
        seen.push(piped.message().await.unwrap());
    }
    let find = |wanted: fn(&Value) -> bool| seen.iter().find(|message| wanted(message)).unwrap();
    assert!(find(|message| message["id"] == "again")["result"].is_object());
    let withdrawn = find(|message| message["method"] == "notifications/cancelled");
    assert_eq!(withdrawn["params"]["requestId"], asked.id);
    assert_eq!(
        find(|message| message["id"] == "call-1")["result"]["isError"],
        true
    );
    assert!(scene.lab.calls().is_empty());
}

/// Questions and progress travel together: progress of a call goes to the token of the request that waits for it.
#[tokio::test]
async fn p4_progress_after_a_question() {
    let mut far = HttpUpstream::start("far").await;
    let deployment = Plan::new()
        .config(far.config.clone())
        .exact_gateway(crate::confirm::careful(
            "far",
            handpick_domain::Presentation::Direct,
        ))
        .start()
        .await;
    let router = crate::agent::router(&deployment);
    for carrier in CARRIERS {
        for (first, second) in [
            (json!("one"), json!("two")),
            (Value::Null, json!(2)),
            (json!("one"), Value::Null),
        ] {
            let mut person = Person::open(&deployment, &router, "far", carrier, forms()).await;
            let call = |token: &Value| json!({"name": "far_work", "_meta": {"progressToken": token}});
            let asked = person.call_with(call(&first)).await.asked();
            assert!(far.is_quiet());
            let token = if carrier.is_modern() { &second } else { &first };
            let said = async {
                if carrier.is_modern() {
                    let mut retry = call(&second);
                    retry["inputResponses"] = json!({asked.id.as_str().unwrap(): accept()});
                    retry["requestState"] = asked.state.clone();
                    person.send_call(retry).await;
                } else {
                    person.say(&asked, accept()).await;
                }
                person.next().await
            };
            let (said, ()) = tokio::join!(said, async {
                let upstream = far.next_call().await;
                if *token != Value::Null || carrier.is_modern() {
                    upstream.progress(&json!({"progress": 1}));
                }
                upstream.finish_with_progress(&json!({"progress": 2}), r#"{"content":[]}"#);
            });
            said.result();
            let expected = match token {
                Value::Null => Vec::new(),
                token => vec![
                    json!({"progress": 1, "progressToken": token}),
                    json!({"progress": 2, "progressToken": token}),
                ],
            };
            assert_eq!(person.progress, expected, "{carrier:?} {first} {second}");
        }
    }
}
