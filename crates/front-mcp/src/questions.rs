//! How is the client of a session asked, and how do its answers find back?

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use handpick_domain::Caller;
use handpick_operations::{Client, Question, Reply, Unasked};
use handpick_protocol::json::to_raw;
use handpick_protocol::{ClientCapabilities, notification, request};
use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot};

use crate::session::{Session, lock};

/// The requests that a session's client has not answered yet.
pub(crate) struct Questions {
    /// Begins every id, so that an answer meant for an earlier session of the same connection meets nothing.
    prefix: String,
    asked: AtomicU64,
    waiting: Mutex<HashMap<String, Waiting>>,
}

struct Waiting {
    /// The end user whose call asks; nobody else's answer counts.
    user_id: Option<String>,
    answer: oneshot::Sender<Reply>,
}

impl Default for Questions {
    fn default() -> Self {
        let mut prefix = uuid::Uuid::new_v4().simple().to_string();
        prefix.truncate(12);
        Self {
            prefix,
            asked: AtomicU64::new(0),
            waiting: Mutex::default(),
        }
    }
}

impl Questions {
    /// A fresh id, as raw JSON, and where its answer will arrive.
    fn open(&self, user_id: Option<&str>) -> (String, oneshot::Receiver<Reply>) {
        let number = self.asked.fetch_add(1, Ordering::Relaxed);
        let id = format!("\"handpick-{}-{number}\"", self.prefix);
        let (answer, arrives) = oneshot::channel();
        let waiting = Waiting {
            user_id: user_id.map(str::to_owned),
            answer,
        };
        lock(&self.waiting).insert(id.clone(), waiting);
        (id, arrives)
    }

    /// Takes an answer. Ids that are not open, or another user's, are ignored: the question may have been withdrawn
    /// while the answer was on its way.
    pub fn answer(&self, id: &RawValue, user_id: Option<&str>, reply: Reply) {
        // Whatever way the client spells its JSON.
        let Ok(id) = serde_json::from_str::<String>(id.get()) else {
            return;
        };
        let id = format!("\"{id}\"");
        let mut waiting = lock(&self.waiting);
        if waiting
            .get(&id)
            .is_some_and(|asked| asked.user_id.as_deref() == user_id)
            && let Some(asked) = waiting.remove(&id)
        {
            // A receiver that is gone has just withdrawn the question.
            let _ = asked.answer.send(reply);
        }
    }

    /// Whether nobody had answered it.
    fn withdraw(&self, id: &str) -> bool {
        lock(&self.waiting).remove(id).is_some()
    }
}

/// The client of a session, as one call may ask it.
pub(crate) struct SessionClient {
    session: Arc<Session>,
    user_id: Option<String>,
    identity: String,
    /// Takes whole messages to the client.
    outgoing: mpsc::UnboundedSender<String>,
}

impl SessionClient {
    /// The client behind `session`, for a call of `caller` whose messages go out through `outgoing`.
    pub fn new(session: &Arc<Session>, caller: &Caller, outgoing: mpsc::UnboundedSender<String>) -> Self {
        Self {
            session: Arc::clone(session),
            user_id: caller.user_id.clone(),
            identity: json!(["session", session.id, caller.user_id]).to_string(),
            outgoing,
        }
    }
}

#[async_trait]
impl Client for SessionClient {
    fn capabilities(&self) -> &ClientCapabilities {
        &self.session.capabilities
    }

    fn identity(&self) -> &str {
        &self.identity
    }

    async fn ask(&self, questions: Vec<Question>) -> Result<Vec<Reply>, Unasked> {
        let capabilities = self.capabilities();
        if !questions
            .iter()
            .all(|question| capabilities.offers(&question.method, &question.params))
        {
            return Err(Unasked::NotOffered);
        }
        let mut open = Open {
            client: self,
            ids: Vec::new(),
        };
        let mut answers = Vec::new();
        for question in &questions {
            let (id, answer) = self.session.questions.open(self.user_id.as_deref());
            let message = request(&id, &question.method, Some(question.params.get()));
            open.ids.push(id);
            answers.push(answer);
            self.outgoing.send(message).map_err(|_| Unasked::Gone)?;
        }
        let all = async {
            let mut replies = Vec::new();
            for answer in answers {
                replies.push(answer.await.map_err(|_| Unasked::Gone)?);
            }
            Ok(replies)
        };
        tokio::select! {
            replies = all => replies,
            () = self.session.ended.cancelled() => Err(Unasked::Gone),
        }
    }
}

/// The questions of one call of `ask`: those still open when it ends are withdrawn, and the client is told.
struct Open<'a> {
    client: &'a SessionClient,
    /// Raw JSON.
    ids: Vec<String>,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        for id in &self.ids {
            if self.client.session.questions.withdraw(id) {
                let params = to_raw(&json!({
                    "requestId": id.trim_matches('"'),
                    "reason": "nobody waits for the answer any more",
                }));
                let told = notification("notifications/cancelled", Some(params.get()));
                // A receiver that is gone means that the client is.
                let _ = self.client.outgoing.send(told);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use handpick_domain::{Gateway, Surface};
    use handpick_operations::Opened;
    use handpick_presentation::Mode;
    use handpick_protocol::RpcError;
    use handpick_protocol::json::raw;
    use serde_json::Value;

    use super::*;

    fn client() -> (Arc<SessionClient>, mpsc::UnboundedReceiver<String>) {
        let surface = Arc::new(Surface {
            gateway: None,
            catalog: Arc::default(),
            bound: Default::default(),
            allowed: Default::default(),
            system: Default::default(),
        });
        let opened = Arc::new(Opened::new(surface, Mode::Direct, Gateway::new("g")));
        let declared = raw(r#"{"elicitation":{},"roots":{}}"#.to_owned());
        let session = Session::new("g", Arc::default(), false, opened, true)
            .with_capabilities(ClientCapabilities::read(Some(&declared)));
        let (sender, outgoing) = mpsc::unbounded_channel();
        let client = SessionClient::new(&Arc::new(session), &Caller::default(), sender);
        (Arc::new(client), outgoing)
    }

    fn question(method: &str) -> Question {
        Question {
            key: "k".to_owned(),
            method: method.to_owned(),
            params: raw(r#"{"x": 1.0e0}"#.to_owned()),
        }
    }

    /// The next message, which must be a request: its id as raw JSON, and the rest as it is spelled.
    async fn asked(outgoing: &mut mpsc::UnboundedReceiver<String>) -> (Box<RawValue>, String) {
        let text = outgoing.recv().await.unwrap();
        let message: Value = serde_json::from_str(&text).unwrap();
        let id = to_raw(&message["id"]);
        (id.clone(), text.replace(id.get(), "ID"))
    }

    /// Several questions are several requests; their answers may come in any order, and an error is one.
    #[tokio::test]
    async fn several_questions() {
        let (client, mut outgoing) = client();
        let asking = Arc::clone(&client);
        let questions = vec![
            question("elicitation/create"),
            question("roots/list"),
            question("roots/list"),
        ];
        let asking = tokio::spawn(async move { asking.ask(questions).await });
        let mut ids = Vec::new();
        for method in ["elicitation/create", "roots/list", "roots/list"] {
            let (id, text) = asked(&mut outgoing).await;
            let expected =
                format!(r#"{{"jsonrpc":"2.0","id":ID,"method":"{method}","params":{{"x": 1.0e0}}}}"#);
            assert_eq!(text, expected);
            ids.push(id);
        }
        let different: std::collections::BTreeSet<&str> = ids.iter().map(|id| id.get()).collect();
        assert_eq!(different.len(), 3);
        let questions = &client.session.questions;
        questions.answer(&ids[2], None, Ok(raw("3".to_owned())));
        questions.answer(&ids[2], None, Ok(raw("4".to_owned())));
        questions.answer(&ids[0], Some("somebody else"), Ok(raw("5".to_owned())));
        // The same string in another spelling.
        let respelled = raw(ids[0].get().replace('h', "\\u0068"));
        questions.answer(&respelled, None, Ok(raw("1".to_owned())));
        questions.answer(&ids[1], None, Err(RpcError::new(-1, "no")));
        let replies = asking.await.unwrap().unwrap();
        let told: Vec<String> = replies
            .iter()
            .map(|reply| match reply {
                Ok(result) => result.get().to_owned(),
                Err(error) => error.message.clone(),
            })
            .collect();
        assert_eq!(told, ["1", "no", "3"]);
        assert!(lock(&questions.waiting).is_empty());
        assert!(outgoing.try_recv().is_err(), "nothing was withdrawn");
    }

    /// Questions that nobody waits for any more are withdrawn, those answered already are not.
    #[tokio::test]
    async fn withdrawn_questions() {
        let (client, mut outgoing) = client();
        let asking = Arc::clone(&client);
        let questions = vec![question("roots/list"), question("roots/list")];
        let asking = tokio::spawn(async move { asking.ask(questions).await });
        let (first, _) = asked(&mut outgoing).await;
        let (second, _) = asked(&mut outgoing).await;
        client
            .session
            .questions
            .answer(&first, None, Ok(raw("1".to_owned())));
        asking.abort();
        assert!(asking.await.unwrap_err().is_cancelled());
        let told: Value = serde_json::from_str(&outgoing.recv().await.unwrap()).unwrap();
        assert_eq!(told["method"], "notifications/cancelled");
        assert_eq!(told["params"]["requestId"].to_string(), second.get());
        assert!(outgoing.try_recv().is_err());
        assert!(lock(&client.session.questions.waiting).is_empty());
    }

    /// Nothing is sent of a round that the client does not offer to answer whole.
    #[tokio::test]
    async fn what_is_not_offered() {
        let (client, mut outgoing) = client();
        for method in ["sampling/createMessage", "tools/list", "ping"] {
            let asked = client.ask(vec![question("roots/list"), question(method)]).await;
            assert_eq!(asked.unwrap_err(), Unasked::NotOffered, "{method}");
        }
        assert!(outgoing.try_recv().is_err());
        drop(outgoing);
        let gone = client.ask(vec![question("roots/list")]).await;
        assert_eq!(gone.unwrap_err(), Unasked::Gone);
        assert!(lock(&client.session.questions.waiting).is_empty());
    }
}
