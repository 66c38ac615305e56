//! Do questions, answers and retries of one call find each other, in whatever order they come?

use futures_util::StreamExt as _;
use serde_json::Value;

use super::*;
use crate::suspended::SUSPENDED_BYTES_PER_CALLER_MAX;

const PATIENCE: Duration = Duration::from_secs(60);
const META_BYTES: usize = 1_000;

/// A call whose questions the test asks itself.
struct Scene {
    suspended: Arc<Suspended>,
    client: Arc<dyn Client>,
    progress: mpsc::UnboundedSender<Box<RawValue>>,
    finish: oneshot::Sender<Outcome>,
}

fn binding() -> Binding {
    Binding {
        gateway: "g".to_owned(),
        key_id: "k".to_owned(),
        user_id: None,
        name: "t".to_owned(),
        arguments: None,
    }
}

fn everything() -> ClientCapabilities {
    ClientCapabilities::read(Some(&raw(
        r#"{"elicitation":{},"sampling":{},"roots":{}}"#.to_owned()
    )))
}

fn question(key: &str, method: &str) -> Question {
    Question {
        key: key.to_owned(),
        method: method.to_owned(),
        params: raw(r#"{"x": 1.0e0}"#.to_owned()),
    }
}

fn form(key: &str) -> Question {
    question(key, "elicitation/create")
}

impl Scene {
    fn begin(token: Option<&str>) -> (Self, Parts) {
        let suspended = Arc::new(Suspended::default());
        let (finish, finished) = oneshot::channel();
        let mut parties = None;
        let given_up = CancellationToken::new();
        let attached = Ongoing::begin(
            &suspended,
            binding(),
            META_BYTES,
            given_up,
            everything(),
            |client, progress| {
                parties = Some((client, progress));
                async move { finished.await.unwrap() }
            },
        );
        let (client, progress) = parties.unwrap();
        let scene = Self {
            suspended,
            client,
            progress,
            finish,
        };
        let token = token.map(|token| raw(token.to_owned()));
        (scene, attached.parts(token))
    }

    fn ask(&self, questions: Vec<Question>) -> tokio::task::JoinHandle<Result<Vec<Reply>, Unasked>> {
        let client = Arc::clone(&self.client);
        tokio::spawn(async move { client.ask(questions).await })
    }

    /// Retries the round with these responses.
    fn retry(&self, round: &Value, responses: &Value, capabilities: ClientCapabilities) -> Option<Parts> {
        let retry = Retry {
            state: round["requestState"].as_str().unwrap().to_owned(),
            responses: handpick_protocol::json::members(&responses.to_string()).unwrap(),
        };
        let call = self.suspended.find(&retry.state, &binding())?;
        Some(call.resume(retry, capabilities)?.parts(None))
    }
}

/// The result that ends a request.
async fn answer(parts: &mut Parts) -> Value {
    let part = tokio::time::timeout(PATIENCE, parts.next()).await.unwrap();
    match part {
        Some(Part::Answer(Ok(result))) => {
            assert!(parts.next().await.is_none(), "nothing follows an answer");
            serde_json::from_str(result.get()).unwrap()
        }
        Some(Part::Answer(Err(error))) => panic!("{error}"),
        Some(Part::Aside(message)) => panic!("{message}"),
        None => panic!("no answer"),
    }
}

fn keys(round: &Value) -> Vec<&str> {
    assert_eq!(round["resultType"], "input_required", "{round}");
    let requests = round["inputRequests"].as_object().unwrap();
    requests.keys().map(String::as_str).collect()
}

fn replies(replies: Result<Vec<Reply>, Unasked>) -> Vec<String> {
    let replies = replies.unwrap().into_iter();
    replies.map(|reply| reply.unwrap().get().to_owned()).collect()
}

/// Several questions are one round, with their params as they are spelled; the replies come in the order asked.
#[tokio::test]
async fn a_round_with_several_questions() {
    let (scene, mut parts) = Scene::begin(None);
    let asking = scene.ask(vec![
        form("b"),
        question("a", "sampling/createMessage"),
        question("c", "roots/list"),
    ]);
    let Some(Part::Answer(Ok(round))) = parts.next().await else {
        panic!("not asked");
    };
    let text = round.get();
    let expected = r#"{"resultType":"input_required","inputRequests":{"b":{"method":"elicitation/create","params":{"x": 1.0e0}},"a":{"method":"sampling/createMessage","params":{"x": 1.0e0}},"c":{"method":"roots/list","params":{"x": 1.0e0}}},"requestState":""#;
    assert!(text.starts_with(expected), "{text}");
    let round: Value = serde_json::from_str(text).unwrap();
    assert_eq!(scene.suspended.len(), 1);
    let responses = json!({"c": {"n": 3}, "a": {"n": 1}, "b": {"n": 2}});
    let mut parts = scene.retry(&round, &responses, everything()).unwrap();
    assert_eq!(
        replies(asking.await.unwrap()),
        [r#"{"n":2}"#, r#"{"n":1}"#, r#"{"n":3}"#]
    );
    assert_eq!(scene.suspended.len(), 0);
    scene.finish.send(Ok(raw(r#"{"done":true}"#.to_owned()))).unwrap();
    assert_eq!(answer(&mut parts).await, json!({"done": true}));
}

/// What was answered stays answered; only the rest is asked again.
#[tokio::test]
async fn a_round_answered_in_parts() {
    let (scene, mut parts) = Scene::begin(None);
    let asking = scene.ask(vec![form("a"), form("b")]);
    let first = answer(&mut parts).await;
    let mut parts = scene
        .retry(&first, &json!({"b": {"n": 2}, "zzz": {}}), everything())
        .unwrap();
    let second = answer(&mut parts).await;
    assert_eq!(keys(&second), ["a"]);
    assert!(
        scene
            .retry(&first, &json!({"a": {"n": 0}}), everything())
            .is_none(),
        "spent"
    );
    let responses = json!({"a": {"n": 1}, "b": {"n": 9}});
    let _parts = scene.retry(&second, &responses, everything()).unwrap();
    assert_eq!(replies(asking.await.unwrap()), [r#"{"n":1}"#, r#"{"n":9}"#]);
}

/// Questions that come up while the client is away wait for its retry; keys stay apart.
#[tokio::test]
async fn questions_side_by_side() {
    let (scene, mut parts) = Scene::begin(None);
    let one = scene.ask(vec![form("same"), form("same")]);
    let first = answer(&mut parts).await;
    assert_eq!(keys(&first), ["same", "same-2"]);
    let two = scene.ask(vec![form("same")]);
    // Spawned in this thread: it has asked once it was polled.
    tokio::task::yield_now().await;
    let responses = json!({"same": {"n": 1}, "same-2": {"n": 2}});
    let mut parts = scene.retry(&first, &responses, everything()).unwrap();
    assert_eq!(replies(one.await.unwrap()), [r#"{"n":1}"#, r#"{"n":2}"#]);
    let second = answer(&mut parts).await;
    assert_eq!(keys(&second), ["same-3"]);
    let _parts = scene
        .retry(&second, &json!({"same-3": {"n": 3}}), everything())
        .unwrap();
    assert_eq!(replies(two.await.unwrap()), [r#"{"n":3}"#]);
}

/// A question that is withdrawn leaves nothing behind; nobody can be asked after that.
#[tokio::test]
async fn a_withdrawn_question() {
    let (scene, mut parts) = Scene::begin(None);
    let one = scene.ask(vec![form("a")]);
    let round = answer(&mut parts).await;
    let two = scene.ask(vec![form("b")]);
    tokio::task::yield_now().await;
    one.abort();
    assert!(one.await.unwrap_err().is_cancelled());
    assert_eq!(scene.suspended.len(), 1, "the other one waits");
    two.abort();
    assert!(two.await.unwrap_err().is_cancelled());
    assert_eq!(scene.suspended.len(), 0);
    assert!(scene.retry(&round, &json!({}), everything()).is_none());
    assert_eq!(
        scene.client.ask(vec![form("a")]).await.unwrap_err(),
        Unasked::Gone
    );
}

/// Whatever a request does not declare it is not asked; the others are.
#[tokio::test]
async fn only_what_a_request_declares() {
    let (scene, mut parts) = Scene::begin(None);
    let url = Question {
        params: raw(r#"{"mode":"url"}"#.to_owned()),
        ..form("u")
    };
    let refused = scene.client.ask(vec![form("a"), url]).await;
    assert_eq!(refused.unwrap_err(), Unasked::NotOffered);
    let (form, model) = (
        scene.ask(vec![form("f")]),
        scene.ask(vec![question("m", "sampling/createMessage")]),
    );
    let round = answer(&mut parts).await;
    tokio::task::yield_now().await;
    let sampling = ClientCapabilities::read(Some(&raw(r#"{"sampling":{}}"#.to_owned())));
    let mut parts = scene.retry(&round, &json!({}), sampling).unwrap();
    assert_eq!(form.await.unwrap().unwrap_err(), Unasked::NotOffered);
    assert_eq!(keys(&answer(&mut parts).await), ["m"]);
    assert!(!model.is_finished());
}

/// Nothing asked is nothing to wait for.
#[tokio::test]
async fn no_questions() {
    let (scene, _parts) = Scene::begin(None);
    assert!(scene.client.ask(Vec::new()).await.unwrap().is_empty());
    assert_eq!(scene.suspended.len(), 0);
}

/// Progress before a question comes before it, under the token of the request that waits.
#[tokio::test]
async fn progress_before_a_question() {
    let (scene, mut parts) = Scene::begin(Some("7"));
    scene.progress.send(raw(r#"{"progress":1}"#.to_owned())).unwrap();
    let Some(Part::Aside(told)) = parts.next().await else {
        panic!("no progress");
    };
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["params"], json!({"progress": 1, "progressToken": 7}));
    let asking = scene.ask(vec![form("a")]);
    let round = answer(&mut parts).await;
    scene.progress.send(raw(r#"{"progress":2}"#.to_owned())).unwrap();
    let mut parts = scene.retry(&round, &json!({"a": {}}), everything()).unwrap();
    assert_eq!(replies(asking.await.unwrap()), ["{}"]);
    scene.finish.send(Ok(raw("{}".to_owned()))).unwrap();
    assert_eq!(answer(&mut parts).await, json!({}));
}

/// A request that goes away without an answer gives the call up; one that was answered does not.
#[tokio::test]
async fn who_gives_up() {
    let (scene, parts) = Scene::begin(None);
    drop(parts);
    let mut finish = scene.finish;
    tokio::time::timeout(PATIENCE, finish.closed()).await.unwrap();

    let (scene, mut parts) = Scene::begin(None);
    let asking = scene.ask(vec![form("a")]);
    let round = answer(&mut parts).await;
    drop(parts);
    let parts = scene.retry(&round, &json!({"a": {}}), everything()).unwrap();
    assert_eq!(replies(asking.await.unwrap()), ["{}"], "the call went on");
    drop(parts);
    let mut finish = scene.finish;
    tokio::time::timeout(PATIENCE, finish.closed()).await.unwrap();
}

/// Nobody waits for ever, even where whoever asks would.
#[tokio::test(start_paused = true)]
async fn a_question_grows_old() {
    let (scene, mut parts) = Scene::begin(None);
    let asking = scene.ask(vec![form("a")]);
    let round = answer(&mut parts).await;
    assert_eq!(asking.await.unwrap().unwrap_err(), Unasked::Gone);
    assert!(scene.retry(&round, &json!({"a": {}}), everything()).is_none());
    assert_eq!(scene.suspended.len(), 0);
}

/// What a waiting call holds is counted: its request, what is asked and what was answered; nothing once it goes on.
#[tokio::test]
async fn bytes_are_counted_while_a_call_waits() {
    let (scene, mut parts) = Scene::begin(None);
    let asking = scene.ask(vec![form("a"), form("b")]);
    assert_eq!(scene.suspended.bytes(), 0);
    let round = answer(&mut parts).await;
    let asked = form("a");
    let each = 2 * asked.key.len() + asked.method.len() + asked.params.get().len();
    let request = binding().bytes() + META_BYTES;
    assert_eq!(scene.suspended.bytes(), request + 2 * each);
    let more = scene.ask(vec![form("c")]);
    tokio::task::yield_now().await;
    assert_eq!(scene.suspended.bytes(), request + 3 * each);
    more.abort();
    assert!(more.await.unwrap_err().is_cancelled());
    assert_eq!(scene.suspended.bytes(), request + 2 * each);
    let mut parts = scene
        .retry(&round, &json!({"a": {"n": 1}}), everything())
        .unwrap();
    let round = answer(&mut parts).await;
    assert_eq!(
        scene.suspended.bytes(),
        request + 2 * each + r#"{"n":1}"#.len(),
        "the answer is kept for the other one"
    );
    let _parts = scene.retry(&round, &json!({"b": {}}), everything()).unwrap();
    assert_eq!(replies(asking.await.unwrap()), [r#"{"n":1}"#, "{}"]);
    assert_eq!(scene.suspended.bytes(), 0);
}

/// A call that would hold too much is over, and its request says why; a question beside others that is too large is
/// not asked, and the others still wait.
#[tokio::test]
async fn too_much_to_wait_with() {
    let huge = |key: &str, bytes: usize| Question {
        params: raw(format!("{{\"x\":\"{}\"}}", "x".repeat(bytes))),
        ..form(key)
    };
    let (scene, mut parts) = Scene::begin(None);
    let asking = scene.ask(vec![huge("a", SUSPENDED_BYTES_PER_CALLER_MAX)]);
    let refused = answer(&mut parts).await;
    assert_eq!(
        (&refused["resultType"], &refused["isError"]),
        (&json!("complete"), &json!(true))
    );
    let text = refused["content"][0]["text"].as_str().unwrap();
    assert_eq!(text, Full::Caller.told());
    let mut finish = scene.finish;
    tokio::time::timeout(PATIENCE, finish.closed()).await.unwrap();
    assert_eq!(scene.suspended.len(), 0);
    asking.abort();

    let (scene, mut parts) = Scene::begin(None);
    let asking = scene.ask(vec![huge("a", SUSPENDED_BYTES_PER_CALLER_MAX / 2)]);
    let round = answer(&mut parts).await;
    let held = scene.suspended.bytes();
    let beside = scene
        .client
        .ask(vec![huge("b", SUSPENDED_BYTES_PER_CALLER_MAX / 2)])
        .await;
    assert_eq!(beside.unwrap_err(), Unasked::Gone);
    assert_eq!(scene.suspended.bytes(), held);
    let _parts = scene.retry(&round, &json!({"a": {}}), everything()).unwrap();
    assert_eq!(replies(asking.await.unwrap()), ["{}"]);
}
