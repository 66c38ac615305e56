//! Does a model help to read arguments, and do harm to nothing? (P19, P21)

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use axum::Router;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use handpick_domain::Presentation;
use handpick_operations::unified::{ChatModel, UnifiedOptions};
use handpick_operations::{Client, Question, Reply, Unasked};
use handpick_protocol::json::raw;
use handpick_protocol::{ClientCapabilities, RpcError};
use serde_json::{Value, json};

use super::{CREATE, Side, clarification};
use crate::deployment::gateway;

/// A request whose company only a model reads: the rules leave it unsaid, so that nothing would run.
const REQUEST: &str = "Create a contact in the CRM named \"Dana Whitfield\", who does the books over at Northwind, \
                       with the email dana@whitfield.example";

/// What a model says.
#[derive(Clone)]
enum Says {
    /// This text, as the first choice.
    Text(String),
    /// This body.
    Body(Value),
    /// Nothing, with this status.
    Status(StatusCode),
    /// This text, but only to those who do not ask for a shape.
    PlainOnly(String),
    /// Nothing, ever.
    Hangs,
}

impl Says {
    fn arguments(arguments: &Value) -> Self {
        Self::Text(arguments.to_string())
    }
}

/// A model that listens on a port of this machine.
struct Model {
    url: String,
    heard: Arc<Mutex<Vec<(HeaderMap, Value)>>>,
}

impl Model {
    async fn start(says: Says) -> Self {
        let heard: Arc<Mutex<Vec<(HeaderMap, Value)>>> = Arc::default();
        let noted = Arc::clone(&heard);
        let complete = move |headers: HeaderMap, axum::Json(body): axum::Json<Value>| {
            let (says, noted) = (says.clone(), Arc::clone(&noted));
            async move {
                let shaped = body.get("response_format").is_some();
                noted.lock().unwrap().push((headers, body));
                let choice =
                    |text: &str| json!({"choices": [{"message": {"role": "assistant", "content": text}}]});
                match says {
                    Says::Text(text) => Ok(axum::Json(choice(&text))),
                    Says::Body(body) => Ok(axum::Json(body)),
                    Says::Status(status) => Err(status),
                    Says::PlainOnly(_) if shaped => Err(StatusCode::BAD_REQUEST),
                    Says::PlainOnly(text) => Ok(axum::Json(choice(&text))),
                    Says::Hangs => std::future::pending().await,
                }
            }
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let router = Router::new().route("/v1/chat/completions", post(complete));
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, heard }
    }

    fn heard(&self) -> Vec<(HeaderMap, Value)> {
        self.heard.lock().unwrap().clone()
    }

    fn options(&self, timeout: Duration) -> UnifiedOptions {
        UnifiedOptions {
            model: Some(ChatModel::new(&self.url, "small", Some("s3cret-key")).unwrap()),
            timeout,
            ..UnifiedOptions::default()
        }
    }
}

async fn side(options: UnifiedOptions) -> Side {
    Side::with(gateway("all", Presentation::Unified, &["*"]), options).await
}

const LONG: Duration = Duration::from_secs(60);

fn words() -> Value {
    json!({"name": "Dana Whitfield", "email": "dana@whitfield.example"})
}

fn with_company() -> Value {
    json!({"name": "Dana Whitfield", "email": "dana@whitfield.example", "company": "Northwind"})
}

/// What the rules leave unsaid is asked back, where no model helps.
#[tokio::test]
async fn without_a_model_what_is_left_unsaid_is_asked_back() {
    let side = side(UnifiedOptions::default()).await;
    let answer = side.say(REQUEST).await;
    let told = clarification(&answer);
    assert!(
        told["message"].as_str().unwrap().contains("`Northwind`"),
        "{told}"
    );
    assert!(side.crm.calls().is_empty());
}

/// P19: a model's reading is taken where every value has evidence, and the metadata says who read.
#[tokio::test]
async fn p19_a_models_reading_is_taken() {
    for says in [
        Says::arguments(&with_company()),
        Says::Text(format!("```json\n{}\n```", with_company())),
        Says::PlainOnly(with_company().to_string()),
        Says::Body(
            json!({"choices": [{"message": {"content": [{"type": "text", "text": with_company().to_string()}]}}]}),
        ),
    ] {
        let model = Model::start(says).await;
        let side = side(model.options(LONG)).await;
        let answer = side.say(REQUEST).await;
        let metadata = &answer["structuredContent"]["metadata"];
        assert_eq!(metadata["mapped_parameters"], with_company(), "{answer}");
        assert_eq!(metadata["mapper"], "model");
        assert_eq!(metadata["sources"]["company"]["words"], "Northwind");
        let (headers, body) = model.heard().remove(0);
        assert_eq!(headers["authorization"], "Bearer s3cret-key");
        assert_eq!(
            (&body["model"], &body["temperature"]),
            (&json!("small"), &json!(0))
        );
        assert_eq!(body["response_format"]["json_schema"]["strict"], false);
        let told = body["messages"][1]["content"].as_str().unwrap();
        assert!(
            told.contains(REQUEST) && told.contains("crm.create_contact"),
            "{told}"
        );
    }
}

/// P21: what a model makes up is dropped; a required value that is left without evidence is missing.
#[tokio::test]
async fn p21_invented_values_are_dropped() {
    let invented =
        json!({"name": "Dana Whitfield", "email": "dana@whitfield.example", "company": "Contoso Ltd"});
    let model = Model::start(Says::arguments(&invented)).await;
    let side_with_all = side(model.options(LONG)).await;
    let answer = side_with_all.say(CREATE).await;
    assert_eq!(
        answer["structuredContent"]["metadata"]["mapped_parameters"],
        words(),
        "{answer}"
    );

    let model = Model::start(Says::arguments(&json!({"contact_id": "con_1"}))).await;
    let side_with_none = side(model.options(LONG)).await;
    let answer = side_with_none.say("Delete a contact from the CRM").await;
    assert_eq!(clarification(&answer)["missing"][0]["name"], "contact_id");
    assert!(side_with_none.crm.calls().is_empty());
}

/// Whatever goes wrong with a model, the words stand, and the metadata says what it was.
#[tokio::test]
async fn a_model_that_fails_costs_nothing() {
    for (says, timeout, noted) in [
        (
            Says::Text("I would say that Dana…".to_owned()),
            LONG,
            "no JSON object",
        ),
        (Says::Text("{\"name\": ".to_owned()), LONG, "no JSON object"),
        (Says::Status(StatusCode::INTERNAL_SERVER_ERROR), LONG, "HTTP 500"),
        (Says::Status(StatusCode::UNAUTHORIZED), LONG, "HTTP 401"),
        (
            Says::Body(
                json!({"choices": [{"message": {"content": null, "refusal": "I cannot help with that"}}]}),
            ),
            LONG,
            "refused",
        ),
        (Says::Body(json!({"choices": []})), LONG, "no choice"),
        (Says::Body(json!({"error": "s3cret-key"})), LONG, "no completion"),
        (
            Says::Hangs,
            Duration::from_millis(50),
            "did not answer within 0.05 s",
        ),
    ] {
        let model = Model::start(says).await;
        let side = side(model.options(timeout)).await;
        let answer = side.say(CREATE).await;
        let metadata = &answer["structuredContent"]["metadata"];
        assert_eq!(metadata["mapped_parameters"], words(), "{noted}: {answer}");
        assert_eq!(metadata["mapper"], "words", "{noted}");
        let note = metadata["mapper_note"].as_str().unwrap();
        assert!(note.contains(noted), "{note}");
        assert!(!answer.to_string().contains("s3cret"));
    }
    let mut nobody = Model::start(Says::Hangs).await;
    nobody.url = "http://127.0.0.1:1/v1".to_owned();
    let answer = side(nobody.options(LONG)).await.say(CREATE).await;
    let note = &answer["structuredContent"]["metadata"]["mapper_note"];
    assert!(note.as_str().unwrap().contains("cannot be reached"), "{answer}");
}

/// What is not asked for is not sent to a model at all.
#[tokio::test]
async fn a_model_is_asked_only_where_it_may_matter() {
    let model = Model::start(Says::arguments(&json!({"contact_id": "con_42"}))).await;
    let side = side(model.options(LONG)).await;
    for request in [
        "Please don't delete the contact con_42 from the CRM",
        "Water the tulips on the balcony",
    ] {
        clarification(&side.say(request).await);
    }
    assert!(model.heard().is_empty());
}

/// The key is in no log line, whatever happens.
#[tokio::test]
async fn the_key_is_never_logged() {
    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);
    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let lines = Lines::default();
    let writer = lines.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || writer.clone())
        .finish();
    let guard = tracing::subscriber::set_default(subscriber);
    let model = Model::start(Says::Status(StatusCode::UNAUTHORIZED)).await;
    let side = side(model.options(LONG)).await;
    side.say(REQUEST).await;
    drop(guard);
    let logged = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    assert_eq!(model.heard().len(), 1, "the model was asked");
    assert!(!logged.contains("s3cret-key"), "{logged}");
}

/// A client whose model says this, or refuses.
struct Sampled {
    capabilities: ClientCapabilities,
    says: Option<String>,
    heard: Mutex<Vec<Question>>,
}

impl Sampled {
    fn new(says: Option<&str>, offers: &str) -> Arc<Self> {
        Arc::new(Self {
            capabilities: ClientCapabilities::read(Some(&raw(offers.to_owned()))),
            says: says.map(str::to_owned),
            heard: Mutex::default(),
        })
    }
}

#[async_trait]
impl Client for Sampled {
    fn capabilities(&self) -> &ClientCapabilities {
        &self.capabilities
    }

    fn identity(&self) -> &str {
        "sampled"
    }

    async fn ask(&self, questions: Vec<Question>) -> Result<Vec<Reply>, Unasked> {
        let count = questions.len();
        self.heard.lock().unwrap().extend(questions);
        let reply = match &self.says {
            Some(text) => Ok(raw(
                json!({"role": "assistant", "content": {"type": "text", "text": text}}).to_string(),
            )),
            None => Err(RpcError::new(-1, "the person said no")),
        };
        Ok(vec![reply; count])
    }
}

/// The caller's own model is asked where the operator allows it and the caller offers it.
#[tokio::test]
async fn sampling_reads_where_it_is_offered() {
    let on = UnifiedOptions {
        sampling: true,
        ..UnifiedOptions::default()
    };
    let text = with_company().to_string();
    let offers = r#"{"sampling":{}}"#;
    for (request, options, client, mapper, expected, asked) in [
        (
            REQUEST,
            on.clone(),
            Sampled::new(Some(&text), offers),
            "sampling",
            with_company(),
            1,
        ),
        (
            CREATE,
            on.clone(),
            Sampled::new(None, offers),
            "words",
            words(),
            1,
        ),
        (CREATE, on, Sampled::new(Some(&text), "{}"), "words", words(), 0),
        (
            CREATE,
            UnifiedOptions::default(),
            Sampled::new(Some(&text), offers),
            "words",
            words(),
            0,
        ),
    ] {
        let side = side(options).await;
        let request = json!({"request": request});
        let answer = side
            .call("unified_tool", &request, Some(Arc::clone(&client) as _))
            .await;
        let super::Answer::Result(answer) = answer else {
            panic!()
        };
        let answer: Value = serde_json::from_str(answer.get()).unwrap();
        let metadata = &answer["structuredContent"]["metadata"];
        assert_eq!(metadata["mapper"], mapper, "{answer}");
        assert_eq!(metadata["mapped_parameters"], expected);
        let heard = client.heard.lock().unwrap();
        assert_eq!(heard.len(), asked);
        assert!(
            heard
                .iter()
                .all(|question| question.method == "sampling/createMessage")
        );
    }
}
