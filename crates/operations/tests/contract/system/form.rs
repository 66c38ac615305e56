//! Is the person asked what the model wants to know, and believed only as far as the form goes?

use handpick_protocol::RpcError;

use super::*;

fn arguments() -> Value {
    json!({
        "message": "Where shall the parcel go?",
        "fields": [
            {"name": "city", "type": "string", "title": "City", "description": "Without country", "required": true},
            {"name": "email", "type": "string", "format": "email"},
            {"name": "when", "type": "string", "format": "date"},
            {"name": "count", "type": "integer"},
            {"name": "weight", "type": "number"},
            {"name": "gift", "type": "boolean"},
            {"name": "size", "type": "enum", "options": ["S", "L"], "required": true},
        ],
    })
}

async fn answered(reply: Value) -> Said {
    let deployment = deployment().await;
    let person = Person::saying([reply]);
    Agent::ann()
        .with(&person)
        .ask(&deployment, "form_ask", arguments())
        .await
}

#[tokio::test]
async fn the_person_is_asked_by_a_form() {
    let deployment = deployment().await;
    let content = json!({"city": "Bonn", "email": "a@example.org", "when": "2026-02-28", "count": 2, "weight": 1.5,
        "gift": false, "size": "L"});
    let person = Person::saying([json!({"action": "accept", "content": content})]);
    let agent = Agent::ann().with(&person);
    let said = agent.ask(&deployment, "form_ask", arguments()).await.good();
    assert_eq!(said, json!({"action": "accept", "content": content}));
    assert_eq!(
        person.asked(),
        [json!({
            "mode": "form",
            "message": "Where shall the parcel go?",
            "requestedSchema": {
                "type": "object",
                "properties": {
                    "city": {"type": "string", "title": "City", "description": "Without country"},
                    "email": {"type": "string", "format": "email"},
                    "when": {"type": "string", "format": "date"},
                    "count": {"type": "integer"},
                    "weight": {"type": "number"},
                    "gift": {"type": "boolean"},
                    "size": {"type": "string", "enum": ["S", "L"]},
                },
                "required": ["city", "size"],
            },
        })]
    );
}

/// What the person did comes back; what was left empty or nobody asked for does not.
#[tokio::test]
async fn answers_come_back_as_far_as_they_fit() {
    for (reply, expected) in [
        (json!({"action": "decline"}), json!({"action": "decline"})),
        (
            json!({"action": "cancel", "content": {"city": "x"}}),
            json!({"action": "cancel"}),
        ),
        (
            json!({"action": "accept", "content": {"city": "Bonn", "size": "S", "count": null, "extra": {"x": 1}}}),
            json!({"action": "accept", "content": {"city": "Bonn", "size": "S"}}),
        ),
    ] {
        assert_eq!(answered(reply.clone()).await.good(), expected, "{reply}");
    }
    for (content, told) in [
        (json!({"size": "S"}), "\"city\" is a required property"),
        (json!({"city": "x", "size": "M"}), "`size`: \"M\" is not one of"),
        (
            json!({"city": 5, "size": "S"}),
            "`city`: 5 is not of type \"string\"",
        ),
        (
            json!({"city": "x", "size": "S", "count": 1.5}),
            "`count`: 1.5 is not of type \"integer\"",
        ),
        (
            json!({"city": "x", "size": "S", "email": "nobody"}),
            "`email`: \"nobody\" is not a \"email\"",
        ),
        (
            json!({"city": "x", "size": "S", "when": "2026-02-30"}),
            "`when`: \"2026-02-30\" is not a \"date\"",
        ),
    ] {
        let said = answered(json!({"action": "accept", "content": content}))
            .await
            .bad();
        assert!(
            said.contains(told) && said.contains("does not fit the form"),
            "{content}: {said}"
        );
    }
    for odd in [json!({"action": "perhaps"}), json!([]), json!({})] {
        let said = answered(odd.clone()).await.bad();
        assert!(said.contains("cannot be read"), "{odd}: {said}");
    }
}

/// Where nobody can be asked by a form, the model is told to ask in its own words.
#[tokio::test]
async fn clients_without_forms_are_told_of() {
    let deployment = deployment().await;
    for agent in [
        Agent::ann(),
        Agent::ann().with(&Person::before(&json!({}))),
        Agent::ann().with(&Person::before(&json!({"elicitation": {"url": {}}}))),
    ] {
        let said = agent.ask(&deployment, "form_ask", arguments()).await.bad();
        assert!(
            said.contains("cannot show forms; ask the person in your own words"),
            "{said}"
        );
    }
    for (reply, told) in [
        (Err(Unasked::Gone), "went away"),
        (
            Err(Unasked::NotOffered),
            "cannot show forms; ask the person in your own words",
        ),
        (
            Ok(Err(RpcError::new(-32603, "no window"))),
            "(no window); ask the person in your own words",
        ),
    ] {
        let person = Person::saying([]);
        person.will(reply);
        let said = Agent::ann()
            .with(&person)
            .ask(&deployment, "form_ask", arguments())
            .await
            .bad();
        assert!(said.contains(told), "{said}");
    }
}

/// A person who does not answer is not waited for longer than the operator says.
#[tokio::test]
async fn nobody_waits_for_ever() {
    let options = Options {
        person_wait: std::time::Duration::from_millis(5),
        ..Options::default()
    };
    let deployment = plan(&lab()).options(options).start().await;
    let agent = Agent::ann().with(&Person::saying([]));
    let said = agent.ask(&deployment, "form_ask", arguments()).await.bad();
    assert!(said.contains("did not answer within"), "{said}");
}

/// Each bad field is named, and nobody is asked.
#[tokio::test]
async fn bad_forms_are_refused() {
    let deployment = deployment().await;
    let person = Person::saying([]);
    let agent = Agent::ann().with(&person);
    let field = |field: Value| json!({"message": "m", "fields": [{"name": "ok", "type": "string"}, field]});
    let many: Vec<Value> = (0..21)
        .map(|n| json!({"name": format!("f{n}"), "type": "string"}))
        .collect();
    for (arguments, told) in [
        (json!({"message": "m", "fields": []}), "fields: "),
        (json!({"message": "m", "fields": many}), "fields: "),
        (
            json!({"message": " ", "fields": [{"name": "a", "type": "string"}]}),
            "`message` must be 1 to",
        ),
        (
            field(json!({"name": "password", "type": "string"})),
            "`fields[1].name` must not ask for a secret (`password`)",
        ),
        (
            field(json!({"name": "value", "title": "Your API key", "type": "string"})),
            "must not ask for a secret",
        ),
        (
            field(json!({"name": "pin", "type": "integer"})),
            "must not ask for a secret",
        ),
        (
            field(json!({"name": "ok", "type": "number"})),
            "`fields[1].name` must differ from those before it",
        ),
        (
            field(json!({"name": "a b", "type": "number"})),
            "fields[1].name: ",
        ),
        (field(json!({"name": "a", "type": "object"})), "fields[1].type: "),
        (
            field(json!({"name": "a", "type": "enum"})),
            "`fields[1].options` must be 1 to 100 texts",
        ),
        (
            field(json!({"name": "a", "type": "enum", "options": ["x", "y", "x"]})),
            "`fields[1].options[2]` must differ",
        ),
        (
            field(json!({"name": "a", "type": "string", "options": ["x"]})),
            "`fields[1].options` is for the type `enum`",
        ),
        (
            field(json!({"name": "a", "type": "number", "format": "date"})),
            "`fields[1].format` is for the type `string`",
        ),
        (
            field(json!({"name": "a", "type": "string", "format": "ipv4"})),
            "fields[1].format: ",
        ),
    ] {
        let said = agent.ask(&deployment, "form_ask", arguments.clone()).await.bad();
        assert!(said.contains(told), "{arguments}: {said}");
    }
    assert_eq!(person.asked().len(), 0);
}
