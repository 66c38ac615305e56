//! Does what a server asks reach the client that made the call, over every transport and in both eras?

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::people::*;
use crate::support::*;
use crate::web::{Seen, serve, text, tools};
use handpick_upstream::{CallError, Client, ToolCall};
use serde_json::{Value, json};

/// A26: two questions at once are asked and answered byte for byte, over a pipe in both eras.
#[tokio::test]
async fn a26_questions_pass_through_over_stdio() {
    let folder = tempfile::tempdir().unwrap();
    for era in ["--legacy", "--modern"] {
        let log = folder.path().join(era);
        let upstreams = start(vec![fake(
            "s",
            &[era, "--asks", &format!("--log={}", log.display())],
        )])
        .await;
        let person = Person::new("anna", ALL, true);
        let call = asking(Some(&person), &[(ELICIT, FORM), (SAMPLE, "{ }")]);
        let result = perform(&upstreams, "s.question", call).await.unwrap();
        let asked = person.asked();
        assert_eq!(asked.len(), 2, "{asked:?}");
        assert!(asked.contains(&format!("{ELICIT} {FORM}")), "{asked:?}");
        assert!(asked.contains(&format!("{SAMPLE} {{ }}")), "{asked:?}");
        let sent = lines(&log).join("\n");
        if era == "--legacy" {
            assert!(sent.contains(r#""capabilities":{"elicitation":{"form":{},"url":{}},"sampling":{}}"#));
            for (number, answer) in [ACCEPTED, SAMPLED].iter().enumerate() {
                let line = format!(r#"{{"jsonrpc":"2.0","id":"q1-{number}","result":{answer}}}"#);
                assert!(sent.contains(&line), "{sent}");
            }
        } else {
            let answers = format!(
                r#","inputResponses":{{"k0":{ACCEPTED},"k1":{SAMPLED}}},"requestState":"a\u002fb","_meta""#
            );
            assert!(sent.contains(&answers), "{sent}");
            assert_eq!(result["state"], "a/b");
            assert_eq!(
                result["got"]["io.modelcontextprotocol/clientCapabilities"],
                json!({"elicitation": {"form": {}, "url": {}}, "sampling": {"tools": {}}, "roots": {}})
            );
        }
        upstreams.shutdown().await;
    }
}

/// A26, X10: the same over HTTP in the old era, wherever the questions come.
#[tokio::test]
async fn a26_x10_questions_pass_through_over_http() {
    for by in [By::Post, By::Get, By::Sse] {
        let web = asking_server(by).await;
        let upstreams = start(vec![config(by, &web.url)]).await;
        listening(by, &web).await;
        let person = Person::new("anna", ALL, true);
        let call = asking(
            Some(&person),
            &[(ELICIT, FORM), (SAMPLE, "{ }"), (SAMPLE, r#"{"fail":1}"#)],
        );
        let result = perform(&upstreams, "s.question", call).await.unwrap();
        let mut asked = person.asked();
        asked.sort_unstable();
        assert_eq!(
            asked,
            [
                format!("{ELICIT} {FORM}"),
                format!("{SAMPLE} {{ }}"),
                format!(r#"{SAMPLE} {{"fail":1}}"#)
            ],
            "{by:?}"
        );
        let replies = &result["replies"];
        assert_eq!(
            replies[0]["result"],
            serde_json::from_str::<Value>(ACCEPTED).unwrap()
        );
        assert_eq!(replies[1]["result"]["content"]["text"], "Paris");
        assert_eq!(
            replies[2]["error"],
            json!({"code": -1, "message": "User rejected it"})
        );
        upstreams.shutdown().await;
    }
}

/// Two people at once: on the stream of a call each gets their own question; elsewhere nobody gets one, and the
/// server hears why.
#[tokio::test]
async fn nobody_sees_the_question_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let pipe = fake("s", &["--asks", &format!("--log={}", log.display())]);
    for by in [None, Some(By::Post), Some(By::Get), Some(By::Sse)] {
        let web = asking_server(by.unwrap_or(By::Post)).await;
        let server = by.map_or_else(|| pipe.clone(), |by| config(by, &web.url));
        let upstreams = start(vec![server]).await;
        if let Some(by) = by {
            listening(by, &web).await;
        }
        let (anna, bert) = (Person::new("anna", ALL, false), Person::new("bert", ALL, false));
        let first = background(&upstreams, "s.question", asking(Some(&anna), &[(ELICIT, FORM)]));
        eventually("the first question", || anna.asked().len() == 1).await;
        let second = background(
            &upstreams,
            "s.question",
            asking(Some(&bert), &[(SAMPLE, "{}"), (ELICIT, "{}")]),
        );
        if by == Some(By::Post) {
            eventually("the other questions", || bert.asked().len() == 2).await;
        } else {
            let refused = second.await.unwrap().unwrap();
            for reply in refused["replies"].as_array().unwrap() {
                let words = reply["error"]["message"].as_str().unwrap();
                assert!(words.contains("different clients"), "{by:?}: {reply}");
            }
            assert_eq!(bert.asked(), [] as [String; 0]);
        }
        assert_eq!(anna.asked(), [format!("{ELICIT} {FORM}")]);
        anna.speaks.send_replace(true);
        let answered = first.await.unwrap().unwrap();
        assert_eq!(answered["replies"][0]["result"]["action"], "accept", "{by:?}");
        // Alone in flight, the other is asked.
        bert.speaks.send_replace(true);
        let call = asking(Some(&bert), &[(ELICIT, "{}")]);
        let answered = perform(&upstreams, "s.question", call).await.unwrap();
        assert_eq!(answered["replies"][0]["result"]["action"], "accept", "{by:?}");
        upstreams.shutdown().await;
    }
}

/// A caller that gives up takes its questions along: the person is left alone, and the server told.
#[tokio::test]
async fn a_caller_that_goes_away_withdraws_its_questions() {
    let folder = tempfile::tempdir().unwrap();
    for by in [None, Some(By::Post), Some(By::Get), Some(By::Sse)] {
        let log = folder.path().join(format!("{by:?}"));
        let web = asking_server(by.unwrap_or(By::Post)).await;
        let server = match by {
            None => fake("s", &["--asks", &format!("--log={}", log.display())]),
            Some(by) => config(by, &web.url),
        };
        let upstreams = start(vec![server]).await;
        if let Some(by) = by {
            listening(by, &web).await;
        }
        let person = Person::new("anna", ALL, false);
        let call = asking(Some(&person), &[(ELICIT, FORM), (SAMPLE, "{}")]);
        let dropped = background(&upstreams, "s.question", call);
        eventually("both questions", || person.asked().len() == 2).await;
        dropped.abort();
        eventually("the withdrawal", || person.let_go.load(Ordering::Relaxed) == 2).await;
        let told = |what: fn(&Value) -> bool| match by {
            None => lines(&log)
                .iter()
                .filter_map(|line| serde_json::from_str(line).ok())
                .any(|message| what(&message)),
            Some(_) => web.count(|seen| what(&seen.body)) == 1,
        };
        eventually("the cancellation", || {
            told(|message| message["method"] == "notifications/cancelled")
        })
        .await;
        eventually("the answer to the form", || {
            told(|message| message["result"]["action"] == "cancel")
        })
        .await;
        eventually("the answer to the model", || {
            told(|message| message["error"]["code"] == -32600)
        })
        .await;
        upstreams.shutdown().await;
    }
}

/// In the new era the questions are between two calls: dropping withdraws them, and the call is not sent again.
#[tokio::test]
async fn a_caller_that_goes_away_ends_the_rounds() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let upstreams = start(vec![fake(
        "s",
        &["--modern", "--asks", &format!("--log={}", log.display())],
    )])
    .await;
    let person = Person::new("anna", ALL, false);
    let dropped = background(&upstreams, "s.question", asking(Some(&person), &[(ELICIT, FORM)]));
    eventually("the question", || person.asked().len() == 1).await;
    dropped.abort();
    eventually("the withdrawal", || person.let_go.load(Ordering::Relaxed) == 1).await;
    assert!(call(&upstreams, "s.echo", "{}").await.is_ok());
    let calls = lines(&log)
        .iter()
        .filter(|line| line.contains(r#""question""#))
        .count();
    assert_eq!(calls, 1);
    upstreams.shutdown().await;
}

/// A server that does not want the answer any more says so, and the person is left alone.
#[tokio::test]
async fn a_server_withdraws_its_question() {
    let folder = tempfile::tempdir().unwrap();
    let now = folder.path().join("now");
    let upstreams = start(vec![fake("s", &["--asks"])]).await;
    let person = Person::new("anna", ALL, false);
    let arguments = json!({"ask": [[ELICIT, FORM]], "withdraw_after": now});
    let call = ToolCall {
        client: Some(Arc::clone(&person) as Arc<dyn Client>),
        ..call_of(&arguments.to_string())
    };
    let answered = background(&upstreams, "s.question", call);
    eventually("the question", || person.asked().len() == 1).await;
    assert!(!answered.is_finished());
    std::fs::write(&now, "").unwrap();
    assert_eq!(answered.await.unwrap().unwrap()["withdrawn"], true);
    eventually("the withdrawal", || person.let_go.load(Ordering::Relaxed) == 1).await;
    upstreams.shutdown().await;
}

/// A client that offers nothing, and no client at all: the server hears so, in words.
#[tokio::test]
async fn what_is_not_offered_is_not_asked() {
    let upstreams = start(vec![fake("s", &["--asks"])]).await;
    let mute = Person::new("anna", r#"{"elicitation":{"url":{}}}"#, true);
    let everything = [(ELICIT, FORM), (SAMPLE, "{}"), ("roots/list", "{}")];
    let result = perform(&upstreams, "s.question", asking(Some(&mute), &everything)).await;
    let replies = result.unwrap()["replies"].clone();
    assert_eq!(replies[0]["result"]["action"], "cancel");
    assert!(
        replies[0]["result"]["_meta"]["handpick/reason"]
            .as_str()
            .unwrap()
            .contains("nobody was asked")
    );
    assert_eq!(replies[1]["error"]["code"], -32601);
    assert_eq!(replies[2]["error"]["code"], -32601);
    assert_eq!(mute.asked(), [] as [String; 0]);
    // What it offers it is asked.
    let to_url = r#"{"mode":"url","url":"https://example.com"}"#;
    let result = perform(&upstreams, "s.question", asking(Some(&mute), &[(ELICIT, to_url)])).await;
    assert_eq!(result.unwrap()["replies"][0]["result"]["action"], "accept");
    let result = perform(&upstreams, "s.question", asking(None, &everything)).await;
    for reply in result.unwrap()["replies"].as_array().unwrap() {
        assert_eq!(reply["error"]["code"], -32601, "{reply}");
    }
    upstreams.shutdown().await;
}

/// X10: a modern server that asks what was not offered fails the call, in words.
#[tokio::test]
async fn x10_unanswered_rounds_fail_the_call() {
    let upstreams = start(vec![fake("s", &["--modern", "--asks"])]).await;
    let (mute, anna) = (Person::new("anna", "{}", true), Person::new("anna", ALL, true));
    for (person, asked, expected) in [
        (None, (ELICIT, FORM), "cannot be asked"),
        (
            Some(&mute),
            (ELICIT, FORM),
            "`elicitation/create` (asked as `k0`) is not offered",
        ),
        (
            Some(&anna),
            (SAMPLE, r#"{"fail":1}"#),
            "with error -1: User rejected it",
        ),
    ] {
        let outcome = perform(&upstreams, "s.question", asking(person, &[asked])).await;
        match outcome.unwrap_err() {
            CallError::NeedsClient { server, reason } => {
                assert_eq!(server, "s");
                assert!(reason.contains(expected), "{reason}");
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(mute.asked(), [] as [String; 0]);
    let outcome = perform(&upstreams, "s.question", asking(Some(&anna), &[("ping", "{}")])).await;
    let error = outcome.unwrap_err().to_string();
    assert!(error.contains("`k0` by `ping`"), "{error}");
    upstreams.shutdown().await;
}

/// X10: rounds over HTTP: each with a new id and the headers of a call, state alone is sent back, none without end,
/// and a legacy result of that look is nothing but a result.
#[tokio::test]
async fn x10_rounds_go_on_until_the_server_is_content() {
    let web = serve(|seen: Seen| async move {
        if seen.rpc() != "tools/call" {
            return seen.modern(&tools(&["t", "endless"]));
        }
        let params = &seen.body["params"];
        let state = params["requestState"].as_str();
        let asking = |members: Value| {
            let mut result = json!({"resultType": "input_required"});
            result.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
            seen.result(result)
        };
        match (params["name"].as_str(), state) {
            (Some("endless"), _) => asking(json!({"requestState": "again"})),
            (_, None) => asking(json!({"inputRequests": {"form": {"method": ELICIT, "params": {"message": "1"}}}, "requestState": "one"})),
            (_, Some("one")) => asking(json!({"requestState": "two"})),
            (_, Some("two")) => asking(json!({"inputRequests": {"a": {"method": "roots/list"}, "b": {"method": SAMPLE, "params": {}}}})),
            _ => panic!("{params}"),
        }
    })
    .await;
    let upstreams = start(vec![http("s", &web.url)]).await;
    let person = Person::new("anna", ALL, true);
    let made = || ToolCall {
        client: Some(Arc::clone(&person) as Arc<dyn Client>),
        ..call_of(r#"{"a":1}"#)
    };
    // The last round has answers and no state, which this server takes for a first call: in the end it is stopped.
    let error = perform(&upstreams, "s.t", made()).await.unwrap_err().to_string();
    assert!(error.contains("more than 10 times"), "{error}");
    let seen: Vec<Seen> = web
        .seen
        .lock()
        .unwrap()
        .iter()
        .filter(|seen| seen.rpc() == "tools/call")
        .cloned()
        .collect();
    let accepted: Value = serde_json::from_str(ACCEPTED).unwrap();
    let sampled: Value = serde_json::from_str(SAMPLED).unwrap();
    let carried = [
        (Value::Null, Value::Null),
        (json!({"form": accepted}), json!("one")),
        (Value::Null, json!("two")),
        (json!({"a": sampled, "b": sampled}), Value::Null),
    ];
    for (seen, (responses, state)) in seen.iter().zip(&carried) {
        let params = &seen.body["params"];
        assert_eq!(
            (&params["inputResponses"], &params["requestState"]),
            (responses, state)
        );
        assert_eq!(params["arguments"], json!({"a": 1}));
        assert_eq!(seen.header("mcp-name"), Some("t"));
    }
    let mut ids: Vec<_> = seen.iter().map(|seen| seen.id().as_u64().unwrap()).collect();
    ids.dedup();
    assert_eq!((seen.len(), ids.len()), (11, 11));
    upstreams.shutdown().await;

    let lookalike = json!({"resultType": "input_required", "inputRequests": {"k": {"method": ELICIT}}});
    let web = {
        let lookalike = lookalike.clone();
        serve(move |seen: Seen| {
            let lookalike = lookalike.clone();
            async move {
                match seen.rpc() {
                    "tools/call" => seen.result(lookalike),
                    _ => seen.legacy(&tools(&["t"])),
                }
            }
        })
        .await
    };
    let upstreams = start(vec![http("s", &web.url)]).await;
    let asked_before = person.asked().len();
    assert_eq!(perform(&upstreams, "s.t", made()).await.unwrap(), lookalike);
    assert_eq!(person.asked().len(), asked_before);
    upstreams.shutdown().await;
}

/// A person takes minutes: the time-out of the call does not run meanwhile, in either era, and runs again after.
#[tokio::test]
async fn the_time_out_does_not_run_while_a_person_is_asked() {
    for era in ["--legacy", "--modern"] {
        let upstreams = start(vec![fake("s", &[era, "--asks"])]).await;
        let person = Person::new("anna", ALL, false);
        let call = ToolCall {
            timeout: Some(Duration::from_secs(5)),
            ..asking(Some(&person), &[(ELICIT, FORM)])
        };
        let clock = stop_clock();
        let answered = background(&upstreams, "s.question", call);
        eventually("the question", || person.asked().len() == 1).await;
        for _ in 0..20 {
            tokio::time::advance(Duration::from_secs(60)).await;
        }
        assert!(!answered.is_finished());
        person.speaks.send_replace(true);
        eventually("the answer", || answered.is_finished()).await;
        drop(clock);
        assert!(answered.await.unwrap().is_ok(), "{era}");
        upstreams.shutdown().await;
    }
}

/// X10: servers that cannot read what is offered are offered less, and start.
#[tokio::test]
async fn x10_less_is_offered_to_old_servers() {
    let folder = tempfile::tempdir().unwrap();
    let full = r#"{"elicitation":{"form":{},"url":{}},"sampling":{}}"#;
    let older = r#"{"elicitation":{},"sampling":{}}"#;
    for (switch, offers) in [
        ("--lenient", vec![full]),
        ("--strict=modes", vec![full, older]),
        ("--strict=all", vec![full, older, "{}"]),
        ("--exit-on-offers", vec![full, "{}"]),
    ] {
        let log = folder.path().join(switch);
        let config = fake("s", &[switch, &format!("--log={}", log.display())]);
        let cache = Arc::new(MemoryCache::default());
        let upstreams = start_with(vec![config.clone()], Arc::clone(&cache)).await;
        assert!(call(&upstreams, "s.echo", "{}").await.is_ok(), "{switch}");
        let offered: Vec<Value> = lines(&log)
            .iter()
            .filter_map(|line| serde_json::from_str(line).ok())
            .filter(|message: &Value| message["method"] == "initialize")
            .map(|message| message["params"]["capabilities"].clone())
            .collect();
        let expected: Vec<Value> = offers
            .iter()
            .map(|offer| serde_json::from_str(offer).unwrap())
            .collect();
        assert_eq!(offered, expected, "{switch}");
        upstreams.shutdown().await;
        // Remembered, it is started again all the same.
        let upstreams = start_with(vec![config], cache).await;
        assert!(call(&upstreams, "s.echo", "{}").await.is_ok(), "{switch}");
        upstreams.shutdown().await;
    }
    // Over HTTP the same server answers 400.
    let web = serve(|seen: Seen| async move {
        let strange = !seen.body["params"]["capabilities"]["elicitation"]["form"].is_null();
        if seen.rpc() == "initialize" && strange {
            return text(400, "Invalid message format");
        }
        seen.legacy(&tools(&["t"]))
    })
    .await;
    let upstreams = start(vec![http("s", &web.url)]).await;
    assert!(call(&upstreams, "s.t", "{}").await.is_ok());
    assert_eq!(web.asked("initialize"), 2);
    upstreams.shutdown().await;
}
