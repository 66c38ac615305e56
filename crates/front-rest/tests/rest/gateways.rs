//! What does a program get when it asks how tools are shown, and changes it?

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Method, StatusCode, header};
use handpick_domain::Caller;
use handpick_operations::open_surface::open_surface;
use serde_json::{Value, json};

use crate::document::{Contract, served};
use crate::support::{ADMIN, EXECUTE, Gate, READ, REVOKED, Reply, request};

const SUPPORT: &str = "/v1/gateways/support";
const AGENT: &str = "/v1/agents/acme/presentation";

async fn patch(gate: &Gate, path: &str, body: Value) -> Reply {
    gate.ask(Method::PATCH, path, body).await
}

/// A change that must be taken.
async fn patched(gate: &Gate, path: &str, body: Value) -> Value {
    let reply = patch(gate, path, body).await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    reply.json()
}

/// A gateway with an agent: two of its tools are tools of a server, one of these only for officers.
async fn with_agent() -> Gate {
    let gate = Gate::open().await;
    let catalog = json!({"tools": [
        {"name": "desk_create_ticket", "description": "Open a ticket.", "core": true},
        {"name": "odd.echo", "description": "Say it again.", "requiredRoles": ["officer"]},
        {"name": "elsewhere", "description": "Run in the backend alone."}
    ]});
    let reply = gate.ask(Method::PUT, "/v1/agents/acme/catalog", catalog).await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    gate
}

/// P3: the whole answer, for one gateway and for all.
#[tokio::test]
async fn p3_the_whole_answer() {
    let gate = Gate::open().await;
    let mut support = gate.get(SUPPORT).await.json();
    let all = gate.get("/v1/gateways").await.json();
    let ids: Vec<&Value> = all["gateways"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["id"])
        .collect();
    assert_eq!(ids, ["nothing", "plain", "support"]);
    assert_eq!(all["gateways"][2], support);
    assert_eq!(support["snapshot"].as_str().unwrap().len(), 16);
    support["snapshot"] = json!("…");
    // What the meta-tools say of themselves is their own matter.
    for cost in support["costs"].as_array_mut().unwrap().iter_mut().skip(1) {
        for number in ["bytes", "tokens"] {
            assert!(cost[number].as_u64().unwrap() > 0);
            cost[number] = json!("…");
        }
    }
    insta::assert_json_snapshot!(support);
    let presentation = gate.get("/v1/gateways/support/presentation").await.json();
    assert_eq!(presentation, support["presentation"]);
}

/// P1, P10: each value is stored and answered, on both paths alike; older names are read. It counts for what is opened
/// from then on.
#[tokio::test]
async fn p1_every_value_is_stored() {
    let gate = Gate::open().await;
    let before = open_surface(&gate.runtime, "support", &Caller::default()).unwrap();
    for (written, mode, resolved) in [
        ("direct", "direct", "direct"),
        ("discovery", "discovery", "discovery"),
        ("unified", "unified", "unified"),
        ("adaptive", "adaptive", "direct"),
        ("recommend", "recommend", "recommend"),
        ("progressive", "progressive", "progressive"),
        ("individual", "direct", "direct"),
        ("smart", "discovery", "discovery"),
        ("omni", "unified", "unified"),
    ] {
        for path in [SUPPORT, "/v1/gateways/support/presentation"] {
            let answer = patched(&gate, path, json!({"mode": written})).await;
            let presentation = answer.get("presentation").unwrap_or(&answer);
            let expected = json!({
                "mode": mode, "resolved": resolved, "set_by": "api", "autonomy": {"level": "full"}, "system_tools": []
            });
            assert_eq!(presentation, &expected);
            assert_eq!(
                &gate.get("/v1/gateways/support/presentation").await.json(),
                &expected
            );
        }
        let now = open_surface(&gate.runtime, "support", &Caller::default()).unwrap();
        assert_eq!(now.mode.as_str(), resolved);
        assert_eq!(before.mode.as_str(), "recommend", "what is open stays");
        let answer = gate.get("/v1/status").await.json();
        assert_eq!(answer["gateways"][2]["mode"], resolved);
    }
    let plain = gate.get("/v1/gateways/plain").await.json();
    assert_eq!(
        plain["presentation"]["set_by"], "file",
        "another gateway stays as it was"
    );
}

/// P3, P4: what is left out stays, `null` takes a change back, unknown fields are ignored (E9), and autonomy is read in
/// both spellings.
#[tokio::test]
async fn p4_settings_change_one_by_one() {
    let gate = Gate::open().await;
    for (body, mode, set_by, level, system_tools) in [
        (json!({}), "recommend", "file", "full", json!([])),
        (
            json!({"autonomy": "confirm"}),
            "recommend",
            "file",
            "confirm",
            json!([]),
        ),
        (
            json!({"autonomy": {"level": "read_only", "x": 1}}),
            "recommend",
            "file",
            "read_only",
            json!([]),
        ),
        (
            json!({"mode": "unified"}),
            "unified",
            "api",
            "read_only",
            json!([]),
        ),
        (
            json!({"system_tools": ["workflow", "journal", "journal"]}),
            "unified",
            "api",
            "read_only",
            json!(["journal", "workflow"]),
        ),
        (
            json!({"autonomy": {}, "threshold": 5, "presentation": 7}),
            "unified",
            "api",
            "read_only",
            json!(["journal", "workflow"]),
        ),
        (
            json!({"mode": null}),
            "recommend",
            "file",
            "read_only",
            json!(["journal", "workflow"]),
        ),
        (
            json!({"system_tools": [], "mode": "adaptive"}),
            "adaptive",
            "api",
            "read_only",
            json!([]),
        ),
        (
            json!({"autonomy": {"level": null}, "system_tools": null}),
            "adaptive",
            "api",
            "full",
            json!([]),
        ),
        (
            json!({"mode": "direct", "autonomy": {"level": "confirm"}, "system_tools": ["form"]}),
            "direct",
            "api",
            "confirm",
            json!(["form"]),
        ),
        (
            json!({"mode": null, "autonomy": null, "system_tools": null}),
            "recommend",
            "file",
            "full",
            json!([]),
        ),
    ] {
        let answer = patched(&gate, SUPPORT, body.clone()).await;
        let shown = &answer["presentation"];
        let expected = (
            &json!(mode),
            &json!(set_by),
            &json!({"level": level}),
            &system_tools,
        );
        let got = (
            &shown["mode"],
            &shown["set_by"],
            &shown["autonomy"],
            &shown["system_tools"],
        );
        assert_eq!(got, expected, "{body}");
    }
}

/// P1: a value that is none is refused with those that are, on gateways and agents, and nothing is changed.
#[tokio::test]
async fn p1_other_values_are_refused() {
    let gate = with_agent().await;
    let before = (gate.get(SUPPORT).await.json(), gate.get(AGENT).await.json());
    for (body, fields, told) in [
        (
            json!({"mode": "fancy"}),
            &["mode"][..],
            "`direct`, `discovery`, `unified`, `adaptive`, `recommend` or `progressive`",
        ),
        (json!({"mode": "Direct"}), &["mode"], "`progressive`"),
        (json!({"mode": 7}), &["mode"], "`progressive`"),
        (json!({"mode": ["direct"]}), &["mode"], "or null"),
        (
            json!({"autonomy": "none"}),
            &["autonomy"],
            "`full`, `confirm` or `read_only`",
        ),
        (
            json!({"autonomy": {"level": "none"}}),
            &["autonomy.level"],
            "`full`",
        ),
        (json!({"autonomy": ["full"]}), &["autonomy"], "`full`"),
        (
            json!({"system_tools": "journal"}),
            &["system_tools"],
            "an array of `skills`, `journal`, `form` or `workflow`",
        ),
        (
            json!({"system_tools": ["journal", "notes", 3]}),
            &["system_tools[1]", "system_tools[2]"],
            "`skills`",
        ),
        (
            json!({"mode": "", "autonomy": "", "system_tools": [null]}),
            &["mode", "autonomy", "system_tools[0]"],
            "`direct`",
        ),
    ] {
        for path in [SUPPORT, "/v1/gateways/support/presentation", "/v1/gateways/zzz"] {
            let reply = patch(&gate, path, body.clone()).await;
            assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{body}");
            let json = reply.json();
            assert_eq!(json["name"], "malformed_request");
            let errors = json["field_errors"].as_array().unwrap();
            let named: Vec<&Value> = errors.iter().map(|error| &error["field"]).collect();
            assert_eq!(named, fields, "{body}");
            assert!(errors[0]["message"].as_str().unwrap().contains(told), "{json}");
        }
        let reply = patch(&gate, AGENT, body.clone()).await;
        crate::context::refused(&reply, StatusCode::BAD_REQUEST, fields);
        assert!(
            reply.json()["error"].as_str().unwrap().contains(told),
            "{}",
            reply.text
        );
    }
    assert_eq!(
        (gate.get(SUPPORT).await.json(), gate.get(AGENT).await.json()),
        before
    );
}

/// C3, C4, E5, E7, E21: keys, scopes, bodies, paths and methods, in the order of the steps.
#[tokio::test]
async fn e5_keys_paths_and_bodies() {
    let gate = Gate::open().await;
    let good = || Body::from(json!({"mode": "direct"}).to_string());
    let paths = [
        SUPPORT,
        "/v1/gateways",
        "/v1/gateways/support/presentation",
        "/v1/gateways/support/advice",
    ];
    for (key, reads, changes) in [
        (Some(ADMIN), StatusCode::OK, StatusCode::OK),
        (Some(READ), StatusCode::OK, StatusCode::FORBIDDEN),
        (Some(EXECUTE), StatusCode::FORBIDDEN, StatusCode::FORBIDDEN),
        (Some(REVOKED), StatusCode::UNAUTHORIZED, StatusCode::UNAUTHORIZED),
        (None, StatusCode::UNAUTHORIZED, StatusCode::UNAUTHORIZED),
    ] {
        for path in paths {
            let reply = gate.send(request(Method::GET, path, key, Body::empty())).await;
            assert_eq!(reply.status, reads, "{key:?} {path}");
        }
        for path in [paths[0], paths[2]] {
            let reply = gate.send(request(Method::PATCH, path, key, good())).await;
            assert_eq!(reply.status, changes, "{key:?} {path}");
        }
    }
    for path in [
        "/v1/gateways/zzz",
        "/v1/gateways/zzz/presentation",
        "/v1/gateways/zzz/advice",
        "/v1/gateways/%FF",
    ] {
        let reply = gate.get(path).await;
        assert_eq!(
            (reply.status, &reply.json()["name"]),
            (StatusCode::NOT_FOUND, &json!("not_found")),
            "{path}"
        );
        if !path.ends_with("advice") {
            assert_eq!(
                patch(&gate, path, json!({"mode": null})).await.status,
                StatusCode::NOT_FOUND,
                "{path}"
            );
        }
    }
    let unknown = gate.get("/v1/gateways/zzz").await.json();
    assert_eq!(
        unknown,
        json!({"name": "not_found", "message": "there is no gateway `zzz`"})
    );
    for (body, message) in [
        ("", "the body is empty"),
        ("{", "the body is not valid JSON"),
        ("[]", "the body must be a JSON object"),
        ("null", "the body must be a JSON object"),
    ] {
        let reply = gate.ask(Method::PATCH, SUPPORT, body).await;
        assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{body}");
        assert!(
            reply.json()["message"].as_str().unwrap().starts_with(message),
            "{}",
            reply.text
        );
    }
    let mut plain = request(Method::PATCH, SUPPORT, Some(ADMIN), good());
    plain.headers_mut().remove(header::CONTENT_TYPE);
    assert_eq!(gate.send(plain).await.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    for (method, path, allow) in [
        (Method::POST, "/v1/gateways", "GET,HEAD"),
        (Method::DELETE, SUPPORT, "GET,HEAD,PATCH"),
        (Method::PUT, "/v1/gateways/support/presentation", "GET,HEAD,PATCH"),
        (Method::PATCH, "/v1/gateways/support/advice", "GET,HEAD"),
    ] {
        let reply = gate.send(request(method, path, None, Body::empty())).await;
        assert_eq!(
            (reply.status, &reply.headers[header::ALLOW]),
            (StatusCode::METHOD_NOT_ALLOWED, &allow.parse().unwrap())
        );
    }
}

/// Changes sent at the same time, each of another setting, all count.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_changes_all_count() {
    let gate = Arc::new(Gate::open().await);
    for (mode, level) in [
        ("unified", "confirm"),
        ("direct", "read_only"),
        ("progressive", "full"),
    ] {
        let bodies = [
            json!({"mode": mode}),
            json!({"autonomy": level}),
            json!({"system_tools": ["skills"]}),
        ];
        let tasks = bodies.map(|body| {
            let gate = Arc::clone(&gate);
            tokio::spawn(async move { patched(&gate, SUPPORT, body).await })
        });
        for task in tasks {
            task.await.unwrap();
        }
        let shown = gate.get("/v1/gateways/support/presentation").await.json();
        let expected = json!({
            "mode": mode, "resolved": mode, "set_by": "api", "autonomy": {"level": level}, "system_tools": ["skills"]
        });
        assert_eq!(shown, expected);
    }
}

/// P3, C13, C16: an agent's presentation, with how many of its tools can be run here; failures have its own body (C3).
#[tokio::test]
async fn c13_the_presentation_of_an_agent() {
    let gate = with_agent().await;
    let fresh = json!({
        "mode": "adaptive", "resolved": "direct", "set_by": "default", "autonomy": {"level": "full"},
        "system_tools": [], "tools": {"published": 3, "bound": 2}
    });
    assert_eq!(gate.get(AGENT).await.json(), fresh);
    let body = json!({"mode": "recommend", "autonomy": "confirm", "system_tools": ["journal"]});
    let changed = patched(&gate, AGENT, body).await;
    let expected = json!({
        "mode": "recommend", "resolved": "recommend", "set_by": "api", "autonomy": {"level": "confirm"},
        "system_tools": ["journal"], "tools": {"published": 3, "bound": 2}
    });
    assert_eq!(changed, expected);
    assert_eq!(gate.get(AGENT).await.json(), expected);
    let back = json!({"mode": null, "autonomy": {"level": null}, "system_tools": null});
    assert_eq!(patched(&gate, AGENT, back).await, fresh);

    for (path, status, error) in [
        (
            "/v1/agents/zzz/presentation",
            StatusCode::NOT_FOUND,
            "unknown agent: zzz",
        ),
        (
            "/v1/agents/a.b/presentation",
            StatusCode::BAD_REQUEST,
            "agentId: must be 1 to 128",
        ),
    ] {
        for reply in [
            gate.get(path).await,
            patch(&gate, path, json!({"mode": "direct"})).await,
        ] {
            assert_eq!(reply.status, status, "{path}");
            assert!(
                reply.json()["error"].as_str().unwrap().starts_with(error),
                "{}",
                reply.text
            );
        }
    }
    for body in ["", "{", "[]", "7"] {
        let reply = gate.ask(Method::PATCH, AGENT, body).await;
        assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{body}");
        assert!(reply.json()["error"].is_string());
    }
    for (key, method) in [
        (Some(READ), Method::PATCH),
        (Some(EXECUTE), Method::GET),
        (Some(EXECUTE), Method::PATCH),
        (None, Method::GET),
    ] {
        let reply = gate
            .send(request(method, AGENT, key, json!({}).to_string()))
            .await;
        assert_eq!(reply.status, StatusCode::UNAUTHORIZED, "{key:?}");
        assert!(reply.json()["error"].is_string());
    }
    assert_eq!(gate.get("/v1/gateways/acme").await.status, StatusCode::NOT_FOUND);
    let deleted = gate.ask(Method::DELETE, "/v1/agents/acme", "").await;
    assert_eq!(deleted.status, StatusCode::NO_CONTENT);
    assert_eq!(gate.get(AGENT).await.status, StatusCode::NOT_FOUND);
}

/// A44, C13: tools are looked for through an agent as through any gateway, whoever asked for it before.
#[tokio::test]
async fn c13_an_agent_narrows_a_search() {
    let gate = with_agent().await;
    let tools = gate.get("/v1/tools?gateway_id=acme").await.json();
    let names: Vec<&Value> = tools["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| &tool["qualified_name"])
        .collect();
    assert_eq!(names, ["desk.create_ticket"], "the other one needs a role");
    let body = json!({"tasks": ["say it again"], "user_id": "u", "gateway_id": "acme"});
    assert_eq!(gate.post("/v1/tools/select", body).await.status, StatusCode::OK);
}

/// P6: a mode with its reason and its numbers, also where finding tools is off or its model fails.
#[tokio::test]
async fn p6_advice() {
    let gate = Gate::open().await;
    let advice = gate.get("/v1/gateways/support/advice").await.json();
    assert_eq!((&advice["mode"], &advice["tools"]), (&json!("direct"), &json!(3)));
    let reason = advice["reason"].as_str().unwrap();
    assert!(reason.starts_with("3 tools are fewer than 30"), "{reason}");
    let modes: Vec<&Value> = advice["costs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cost| &cost["mode"])
        .collect();
    assert_eq!(
        modes,
        ["direct", "discovery", "unified", "recommend", "progressive"]
    );
    assert!(advice["measured"]["asked"].as_u64().unwrap() <= 3);
    let without = Gate::without_selection().await;
    let advice = without.get("/v1/gateways/support/advice").await.json();
    assert_eq!(advice["mode"], "direct");
    assert!(advice.get("measured").is_none());
}

/// Every answer keeps to the schema of the document, and so does every request that is accepted.
#[tokio::test]
async fn answers_keep_to_their_schemas() {
    let gate = with_agent().await;
    let document = served(&gate).await;
    let contract = Contract { document: &document };
    let one = "/v1/gateways/{gateway_id}";
    let (shown, agent) = (
        format!("{one}/presentation"),
        "/v1/agents/{agentId}/presentation".to_owned(),
    );
    for (path, described) in [
        ("/v1/gateways", "/v1/gateways".to_owned()),
        (SUPPORT, one.to_owned()),
        ("/v1/gateways/zzz", one.to_owned()),
        ("/v1/gateways/support/presentation", shown.clone()),
        ("/v1/gateways/support/advice", format!("{one}/advice")),
        ("/v1/gateways/zzz/advice", format!("{one}/advice")),
        (AGENT, agent.clone()),
        ("/v1/agents/zzz/presentation", agent.clone()),
    ] {
        let reply = gate.get(path).await;
        contract.check_response(&described, "get", reply.status, &reply.json());
        let keyless = gate.send(request(Method::GET, path, None, "")).await;
        contract.check_response(&described, "get", keyless.status, &keyless.json());
    }
    for (path, described) in [
        (SUPPORT, one),
        ("/v1/gateways/support/presentation", &shown),
        (AGENT, &agent),
    ] {
        let schema =
            &document["paths"][described]["patch"]["requestBody"]["content"]["application/json"]["schema"];
        let whole = json!({"allOf": [schema], "components": document["components"]});
        let validator = jsonschema::validator_for(&whole).unwrap();
        for (body, accepted) in [
            (json!({}), true),
            (
                json!({"mode": "unified", "autonomy": "full", "system_tools": ["form"], "x": 1}),
                true,
            ),
            (
                json!({"mode": null, "autonomy": null, "system_tools": null}),
                true,
            ),
            (json!({"autonomy": {"level": "read_only"}}), true),
            (json!({"autonomy": {"level": null}}), true),
            (json!({"mode": "fancy"}), false),
            (json!({"autonomy": 3}), false),
            (json!({"autonomy": {"level": "none"}}), false),
            (json!({"system_tools": ["notes"]}), false),
            (json!({"system_tools": "form"}), false),
        ] {
            let reply = patch(&gate, path, body.clone()).await;
            contract.check_response(described, "patch", reply.status, &reply.json());
            let answered = reply.status == StatusCode::OK;
            assert_eq!(
                (validator.is_valid(&body), answered),
                (accepted, accepted),
                "{path} {body}"
            );
        }
        let too_large = patch(&gate, path, json!(" ".repeat((8 << 20) + 1))).await;
        contract.check_response(described, "patch", too_large.status, &too_large.json());
    }
}
