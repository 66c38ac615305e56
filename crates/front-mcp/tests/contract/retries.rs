//! What must a retry of 2026-07-28 bring, and what may it not? (P4, X10)

use serde_json::{Value, json};

use crate::agent::{Agent, Style};
use crate::confirm::Scene;
use crate::deployment::{KEY, OTHER_KEY};
use crate::person::{Carrier, Person, forms};

const MODERN: [Carrier; 2] = [Carrier::HttpModern, Carrier::PipeModern];

const CLOSED: &str = "invalid params: this question is not open any more; call again without `requestState`";

/// A retry that is not the same call, or brings nothing that can be read, is refused; the question stays open.
#[tokio::test]
async fn x10_a_changed_retry_is_refused() {
    for carrier in MODERN {
        let scene = Scene::new().await;
        let mut person = scene.person(carrier).await;
        let asked = person.call("lab_echo", json!({"n": 1})).await.asked();
        let key = asked.id.as_str().unwrap();
        let state = asked.state.as_str().unwrap();
        let whole = |change: Value| {
            let mut members = json!({
                "inputResponses": {key: {"action": "accept"}},
                "requestState": state,
            });
            for (name, value) in change.as_object().unwrap() {
                members[name] = value.clone();
            }
            members
        };
        let needs = "invalid params: `inputResponses` needs the `requestState` that came with the questions";
        let unread =
            "invalid params: `requestState` must be the string that came with the questions, unchanged";
        let no_object = "invalid params: `inputResponses` must be an object with a result for each key";
        let no_result = "invalid params: `inputResponses.confirm` must be an object: the result of the request under \
                         that key";
        for (change, expected) in [
            (json!({"arguments": {"n": 2}}), CLOSED),
            (json!({"arguments": {}}), CLOSED),
            (json!({"name": "lab_erase"}), CLOSED),
            (json!({"name": "lab.echo"}), CLOSED),
            (
                json!({"requestState": "00000000-0000-4000-8000-000000000000"}),
                CLOSED,
            ),
            (json!({"requestState": format!("{state} ")}), CLOSED),
            (json!({"requestState": state.to_uppercase() + "x"}), CLOSED),
            (json!({"requestState": ""}), CLOSED),
            (json!({"requestState": null}), needs),
            (json!({"requestState": 5}), unread),
            (json!({"requestState": {}}), unread),
            (json!({"inputResponses": []}), no_object),
            (json!({"inputResponses": "accept"}), no_object),
            (json!({"inputResponses": {key: "accept"}}), no_result),
            (json!({"inputResponses": {key: null}}), no_result),
        ] {
            let (code, text) = person.retry(whole(change.clone())).await.error();
            assert_eq!((code, text.as_str()), (-32602, expected), "{carrier:?} {change}");
        }
        assert!(scene.lab.calls().is_empty());
        let extra = json!({"inputResponses": {key: {"action": "accept"}, "nobody asked": {}}});
        let result = person.retry(whole(extra)).await.result();
        assert_eq!(
            result["structuredContent"],
            json!({"n": 1}),
            "extra responses are ignored"
        );
        assert_eq!(result["resultType"], "complete");
        assert_eq!(
            scene.lab.last_params(),
            json!({"name": "echo", "arguments": {"n": 1}})
        );
        let (_, text) = person.retry(whole(json!({}))).await.error();
        assert_eq!(text, CLOSED);
        assert_eq!(scene.lab.calls().len(), 1);
    }
}

/// The state is good for its own key, user, gateway and connection only; whoever else tries learns nothing.
#[tokio::test]
async fn x10_a_state_is_nobody_elses() {
    let scene = Scene::new().await;
    let mut person = scene.person(Carrier::HttpModern).await;
    person.agent().user = Some("ann".to_owned());
    let asked = person.call("lab_echo", json!({})).await.asked();
    let retry = json!({
        "name": "lab_echo",
        "arguments": {},
        "inputResponses": {asked.id.as_str().unwrap(): {"action": "accept"}},
        "requestState": asked.state,
    });
    for (key, user, gateway) in [
        (OTHER_KEY, Some("ann"), "direct"),
        (KEY, Some("bob"), "direct"),
        (KEY, None, "direct"),
        (KEY, Some("ann"), "twin"),
    ] {
        let mut other = Agent::open_offering(&scene.router, gateway, Style::Modern, key, forms()).await;
        other.user = user.map(str::to_owned);
        let reply = other.ask("tools/call", retry.clone()).await;
        assert_eq!(reply.status, 200);
        assert_eq!(
            reply.error(),
            (-32602, CLOSED.to_owned()),
            "{key} {user:?} {gateway}"
        );
    }
    let mut piped = scene.person(Carrier::PipeModern).await;
    let (_, text) = piped.call_with(retry.clone()).await.error();
    assert_eq!(text, CLOSED, "another connection");
    assert!(scene.lab.calls().is_empty());
    person.answer(&asked, json!({"action": "accept"})).await.result();
    assert_eq!(scene.lab.calls().len(), 1);
}

/// A retry without the response is asked again, under a state of its own; the old one is spent.
#[tokio::test]
async fn x10_what_is_missing_is_asked_again() {
    for carrier in MODERN {
        let scene = Scene::new().await;
        let mut person = scene.person(carrier).await;
        let first = person.call("lab_echo", json!({})).await.asked();
        let mut states = vec![first.state.clone()];
        for responses in [json!({}), json!({"another": {}}), Value::Null] {
            let state = states.last().unwrap().clone();
            let again = person
                .retry(json!({"inputResponses": responses, "requestState": state}))
                .await
                .asked();
            assert_eq!(
                (&again.id, &again.params),
                (&first.id, &first.params),
                "{carrier:?} {responses}"
            );
            assert!(!states.contains(&again.state));
            states.push(again.state);
        }
        let last = states.pop().unwrap();
        for spent in states {
            let answer = json!({"inputResponses": {"confirm": {"action": "accept"}}, "requestState": spent});
            assert_eq!(person.retry(answer).await.error().1, CLOSED);
        }
        assert!(scene.lab.calls().is_empty());
        let answer = json!({"inputResponses": {"confirm": {"action": "accept"}}, "requestState": last});
        person.retry(answer).await.result();
    }
}

/// Each request declares what it can be asked; a retry that has everything needs to declare nothing.
#[tokio::test]
async fn x10_capabilities_are_the_requests_own() {
    let scene = Scene::new().await;
    let mut person = scene.person(Carrier::HttpModern).await;
    let asked = person.call("lab_echo", json!({})).await.asked();
    person.agent().capabilities = json!({});
    person.answer(&asked, json!({"action": "accept"})).await.result();

    person.agent().capabilities = forms();
    let asked = person.call("lab_echo", json!({})).await.asked();
    person.agent().capabilities = json!({"sampling": {}});
    let text = person.retry(json!({"requestState": asked.state})).await.failure();
    assert!(text.contains("cannot ask them"), "{text}");
    assert_eq!(scene.lab.calls().len(), 1);
}

/// Legacy clients know no retries: the members are as good as any other unknown one (E9), and never reach a tool.
#[tokio::test]
async fn e9_legacy_clients_do_not_retry() {
    let scene = Scene::new().await;
    for carrier in [Carrier::HttpSession, Carrier::PipeSession] {
        let mut person: Person = scene.person(carrier).await;
        let call = json!({"name": "lab_look", "arguments": {}, "requestState": 5, "inputResponses": "x"});
        person.call_with(call).await.result();
        assert_eq!(scene.lab.last_params(), json!({"name": "look", "arguments": {}}));
    }
}
