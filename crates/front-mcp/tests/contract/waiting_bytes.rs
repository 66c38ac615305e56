//! How much may the calls hold that wait for an answer, and what becomes of those already waiting when one more is too
//! much? (P4, X10)

use serde_json::{Value, json};

use crate::agent::{Agent, Style};
use crate::confirm::Scene;
use crate::deployment::{KEY, OTHER_KEY};
use crate::person::{Carrier, forms};

const MIB: usize = 1024 * 1024;

/// Arguments of about this many bytes.
fn large(bytes: usize) -> Value {
    json!({"text": "x".repeat(bytes)})
}

/// A caller's calls may hold 32 MiB while they wait. One more is refused in words, runs nothing, and costs none that
/// waits already, nor anybody else's; once one was answered there is room again.
#[tokio::test]
async fn x10_waiting_bytes_are_bounded() {
    let scene = Scene::new().await;
    let mut person = scene.person(Carrier::HttpModern).await;
    let mut asked = None;
    for _ in 0..4 {
        asked = Some(person.call("lab_echo", large(7 * MIB)).await.asked());
    }
    let asked = asked.unwrap();
    let refused = person.call("lab_echo", large(7 * MIB)).await.failure();
    assert!(
        refused.starts_with("given up") && refused.contains("32 MiB"),
        "{refused}"
    );
    assert!(scene.lab.calls().is_empty());

    for (key, user) in [(KEY, Some("ann")), (OTHER_KEY, None)] {
        let mut other = Agent::open_offering(&scene.router, "direct", Style::Modern, key, forms()).await;
        other.user = user.map(str::to_owned);
        let reply = other.call("lab_echo", large(5 * MIB)).await;
        assert_eq!(reply.result()["resultType"], "input_required", "{key} {user:?}");
    }
    // What is small still fits.
    let small = person.call("lab_erase", json!({})).await.asked();
    person.answer(&small, json!({"action": "accept"})).await.result();
    let retry = json!({
        "name": "lab_echo",
        "arguments": large(7 * MIB),
        "inputResponses": {asked.id.as_str().unwrap(): {"action": "accept"}},
        "requestState": asked.state,
    });
    person.call_with(retry).await.result();
    person.call("lab_echo", large(7 * MIB)).await.asked();
    let recorded = scene.recorded(3).await;
    let ran = recorded.iter().filter(|outcome| outcome.ends_with(" ok"));
    assert_eq!(ran.count(), 2, "{recorded:?}");
}
