//! Does a question reach the one client it can belong to, and no other?

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use handpick_protocol::ClientCapabilities;
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::*;

const ELICIT: &str = "elicitation/create";
const SAMPLE: &str = "sampling/createMessage";

fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).unwrap()
}

/// Somebody who answers when told to.
struct Person {
    identity: &'static str,
    capabilities: ClientCapabilities,
    asked: AtomicUsize,
    /// Questions that are no longer waited for.
    let_go: Arc<AtomicUsize>,
    speak: Notify,
}

impl Person {
    fn new(identity: &'static str, offers: &str) -> Arc<Self> {
        Arc::new(Self {
            identity,
            capabilities: ClientCapabilities::read(Some(&raw(offers))),
            asked: AtomicUsize::new(0),
            let_go: Arc::default(),
            speak: Notify::new(),
        })
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

struct LetGo(Arc<AtomicUsize>);

impl Drop for LetGo {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[async_trait]
impl Client for Person {
    fn capabilities(&self) -> &ClientCapabilities {
        &self.capabilities
    }

    fn identity(&self) -> &str {
        self.identity
    }

    async fn ask(&self, questions: Vec<Question>) -> Result<Vec<Reply>, Unasked> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let _let_go = LetGo(Arc::clone(&self.let_go));
        self.speak.notified().await;
        Ok(questions
            .iter()
            .map(|question| Ok(raw(&format!(r#"{{"by" : "{}"}}"#, question.method))))
            .collect())
    }
}

struct Bench {
    desk: Arc<Desk>,
    outbox: mpsc::Sender<Outgoing>,
    sent: mpsc::Receiver<Outgoing>,
}

impl Bench {
    fn new() -> Self {
        let (outbox, sent) = mpsc::channel(OPEN_MAX * 2);
        Self {
            desk: Arc::default(),
            outbox,
            sent,
        }
    }

    fn enter(&self, id: u64, person: Option<&Arc<Person>>) -> Arc<Patience> {
        let patience = Arc::new(Patience::new());
        let client = person.map(|person| Arc::clone(person) as Arc<dyn Client>);
        self.desk.enter(id, client, &patience);
        patience
    }

    fn ask(&self, id: &str, method: &str, of: Option<u64>) {
        let asked = Asked {
            id: &raw(id),
            method: method.into(),
            params: None,
        };
        self.desk.asked(&asked, of, &self.outbox);
    }

    async fn told(&mut self) -> Value {
        let told = tokio::time::timeout(std::time::Duration::from_secs(60), self.sent.recv());
        serde_json::from_str(&told.await.unwrap().unwrap().text).unwrap()
    }
}

/// Lets everything run that can.
async fn settle() {
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
}

/// Who is in flight, by the call's id; what is asked, and on whose stream; the code it is refused with.
#[tokio::test]
async fn only_the_client_of_the_call_is_asked() {
    let all = r#"{"elicitation":{},"sampling":{}}"#;
    let (anna, bert, deaf) = (
        Person::new("anna", all),
        Person::new("bert", all),
        Person::new("anna", "{}"),
    );
    let cancel = "cancel";
    for (calls, method, of, expected) in [
        (vec![], ELICIT, None, "-32600"),
        (vec![], ELICIT, Some(1), "-32600"),
        (vec![None], ELICIT, None, "-32601"),
        (vec![None], SAMPLE, Some(1), "-32601"),
        (vec![Some(&anna), Some(&bert)], ELICIT, None, "-32600"),
        (vec![Some(&anna), None], SAMPLE, None, "-32600"),
        (vec![None, Some(&anna)], ELICIT, None, "-32600"),
        (vec![Some(&deaf)], ELICIT, Some(1), cancel),
        (vec![Some(&deaf)], SAMPLE, Some(1), "-32601"),
        (vec![Some(&anna)], "roots/list", Some(1), "-32601"),
        (vec![Some(&anna)], "tasks/get", None, "-32601"),
        (vec![Some(&anna)], "ping", None, "pong"),
    ] {
        let mut bench = Bench::new();
        for (number, person) in (1..).zip(&calls) {
            bench.enter(number, *person);
        }
        bench.ask("\"q\"", method, of);
        let told = bench.told().await;
        assert_eq!(told["id"], "q");
        let outcome = match &told["result"] {
            Value::Null => told["error"]["code"].to_string(),
            Value::Object(empty) if empty.is_empty() => "pong".to_owned(),
            result => {
                assert!(result["_meta"]["handpick/reason"].is_string());
                result["action"].as_str().unwrap().to_owned()
            }
        };
        assert_eq!(outcome, expected, "{method} of {of:?}: {told}");
        if told["error"]["message"]
            .as_str()
            .is_some_and(|words| words.len() < 20)
        {
            panic!("no words: {told}");
        }
    }
    assert_eq!((anna.asked(), bert.asked(), deaf.asked()), (0, 0, 0));
    // On the stream of a call there is no doubt, whoever else is in flight.
    let mut bench = Bench::new();
    bench.enter(1, Some(&anna));
    bench.enter(2, Some(&bert));
    bench.enter(3, None);
    bench.ask("7", ELICIT, Some(2));
    bert.speak.notify_one();
    assert_eq!(
        bench.told().await,
        json!({"jsonrpc": "2.0", "id": 7, "result": {"by": ELICIT}})
    );
    assert_eq!((anna.asked(), bert.asked()), (0, 1));
}

/// Of two calls of one client the newer is asked; when it ends it was not the one, and the other is.
#[tokio::test]
async fn a_question_outlives_calls_it_does_not_belong_to() {
    let offers = r#"{"elicitation":{}}"#;
    let (older, newer, deaf) = (
        Person::new("anna", offers),
        Person::new("anna", offers),
        Person::new("anna", "{}"),
    );
    let mut bench = Bench::new();
    bench.enter(1, Some(&older));
    bench.enter(2, Some(&newer));
    bench.enter(3, Some(&deaf));
    bench.ask("1", ELICIT, None);
    settle().await;
    assert_eq!((older.asked(), newer.asked(), deaf.asked()), (0, 1, 0));
    bench.desk.leave(2);
    settle().await;
    assert_eq!((older.asked(), newer.let_go.load(Ordering::Relaxed)), (1, 1));
    older.speak.notify_one();
    assert_eq!(bench.told().await["result"]["by"], ELICIT);
    // With the last one the question ends.
    bench.ask("2", ELICIT, None);
    settle().await;
    bench.desk.leave(1);
    assert_eq!(bench.told().await["result"]["action"], "cancel");
    assert_eq!(older.let_go.load(Ordering::Relaxed), 2);
    // A model's word is not cancelled but refused.
    let thinker = Person::new("bert", r#"{"sampling":{}}"#);
    bench.desk.clear();
    bench.enter(4, Some(&thinker));
    bench.ask("3", SAMPLE, Some(4));
    settle().await;
    bench.desk.clear();
    assert_eq!(bench.told().await["error"]["code"], -32600);
}

/// A question the server withdraws is let go without an answer, and one that is told twice is asked once.
#[tokio::test]
async fn questions_are_withdrawn_and_told_apart() {
    let anna = Person::new("anna", r#"{"elicitation":{}}"#);
    let mut bench = Bench::new();
    bench.enter(1, Some(&anna));
    bench.ask("1", ELICIT, Some(1));
    bench.ask("1", ELICIT, Some(1));
    bench.ask("\"1\"", ELICIT, Some(1));
    settle().await;
    assert_eq!(anna.asked(), 2);
    bench.desk.withdraw(&raw("1"), Some(2));
    bench.desk.withdraw(&raw("2"), None);
    settle().await;
    assert_eq!(anna.let_go.load(Ordering::Relaxed), 0);
    bench.desk.withdraw(&raw("1"), None);
    settle().await;
    assert_eq!(anna.let_go.load(Ordering::Relaxed), 1);
    anna.speak.notify_one();
    assert_eq!(bench.told().await["id"], "1");
    assert!(bench.sent.try_recv().is_err());
    // The id is free again.
    bench.ask("1", ELICIT, Some(1));
    settle().await;
    assert_eq!(anna.asked(), 3);
}

/// A server that asks without end is stopped.
#[tokio::test]
async fn open_questions_are_counted() {
    let anna = Person::new("anna", r#"{"elicitation":{}}"#);
    let mut bench = Bench::new();
    bench.enter(1, Some(&anna));
    for number in 0..=OPEN_MAX {
        bench.ask(&number.to_string(), ELICIT, None);
    }
    assert_eq!(bench.told().await["id"], OPEN_MAX);
    settle().await;
    assert_eq!(anna.asked(), OPEN_MAX);
}

/// The clock of every call that may be meant stands still, and starts again with the answer.
#[tokio::test(start_paused = true)]
async fn the_time_of_a_person_does_not_count() {
    use std::time::Duration;
    let anna = Person::new("anna", r#"{"elicitation":{}}"#);
    let bench = Bench::new();
    let (first, second) = (bench.enter(1, Some(&anna)), bench.enter(2, Some(&anna)));
    bench.ask("1", ELICIT, None);
    let answering = async {
        tokio::time::sleep(Duration::from_secs(1200)).await;
        anna.speak.notify_one();
        std::future::pending::<()>().await;
    };
    let limit = Duration::from_secs(10);
    let (first, second, _) = tokio::join!(
        first.within(limit, std::future::pending::<()>()),
        second.within(limit, std::future::pending::<()>()),
        tokio::time::timeout(Duration::from_secs(2000), answering),
    );
    assert_eq!(first.unwrap_err().as_secs(), 1210);
    assert_eq!(second.unwrap_err().as_secs(), 1210);
}
