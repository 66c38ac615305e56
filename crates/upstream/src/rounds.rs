//! What does a server of 2026-07-28 want before it goes on with a call?
//!
//! It answers with a result that asks; the client's answers go out with the same call, sent again. Nothing of a
//! question, an answer or the server's state is re-spelled.

use std::time::Duration;

use handpick_protocol::json;
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::time::{Instant, sleep, timeout};

use crate::ask::push_quoted;
use crate::patience::LIFETIME_MAX;
use crate::{CallError, Question, ToolCall};

/// How often one call may be sent again.
const ROUNDS_MAX: u32 = 10;

/// Questions of one round.
const QUESTIONS_MAX: usize = 64;

/// The first and the longest pause before a call is sent again that asks for nothing but that.
const PAUSE_FIRST: Duration = Duration::from_millis(100);
const PAUSE_MAX: Duration = Duration::from_secs(5);

/// What a server may ask for this way.
const METHODS: [&str; 3] = ["elicitation/create", "sampling/createMessage", "roots/list"];

/// The result type that asks.
const INPUT_REQUIRED: &str = "input_required";

/// A result that asks.
#[derive(Debug)]
pub(crate) struct InputRequired {
    questions: Vec<Question>,
    /// For the server alone; goes back as it came.
    state: Option<Box<RawValue>>,
}

/// Why a call does not go on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// Its client gives no answer.
    Client(String),
    /// Its server asks for what cannot be.
    Server(String),
}

/// Reads a result; `None` where it is an ordinary one.
pub(crate) fn read(result: &RawValue) -> Option<Result<InputRequired, Halt>> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Asking<'a> {
        result_type: String,
        #[serde(borrow, default)]
        input_requests: Option<&'a RawValue>,
        #[serde(borrow, default)]
        request_state: Option<&'a RawValue>,
    }
    // Results are not parsed for this unless they may be meant. (An array would be read as the members in order.)
    if !result.get().contains(INPUT_REQUIRED) || !result.get().starts_with('{') {
        return None;
    }
    let asking: Asking<'_> = serde_json::from_str(result.get()).ok()?;
    if asking.result_type != INPUT_REQUIRED {
        return None;
    }
    let questions = asking.input_requests.map_or(Ok(Vec::new()), questions);
    Some(questions.and_then(|questions| {
        if questions.is_empty() && asking.request_state.is_none() {
            return Err(Halt::Server(
                "answered `input_required` with neither `inputRequests` nor `requestState`".to_owned(),
            ));
        }
        Ok(InputRequired {
            questions,
            state: asking.request_state.map(ToOwned::to_owned),
        })
    }))
}

fn questions(requests: &RawValue) -> Result<Vec<Question>, Halt> {
    #[derive(Deserialize)]
    struct Request<'a> {
        method: String,
        #[serde(borrow, default)]
        params: Option<&'a RawValue>,
    }
    let members = json::members(requests.get()).ok_or_else(|| {
        Halt::Server("answered `input_required` with `inputRequests` that are no object".to_owned())
    })?;
    if members.len() > QUESTIONS_MAX {
        return Err(Halt::Server(format!(
            "asks {} questions at once; {QUESTIONS_MAX} are taken",
            members.len()
        )));
    }
    let question = |(key, request): (String, Box<RawValue>)| {
        let request: Request<'_> = serde_json::from_str(request.get())
            .map_err(|_| Halt::Server(format!("asks `{key}` without a `method`")))?;
        if !METHODS.contains(&request.method.as_str()) {
            return Err(Halt::Server(format!(
                "asks `{key}` by `{}`, which no client answers; it may use {}",
                request.method,
                METHODS.join(", ")
            )));
        }
        Ok(Question {
            key,
            method: request.method,
            params: request
                .params
                .map_or_else(|| json::raw("{}".to_owned()), ToOwned::to_owned),
        })
    };
    members.into_iter().map(question).collect()
}

/// The rounds of one call.
pub(crate) struct Rounds<'a> {
    call: &'a ToolCall,
    /// Since the first question.
    begun: Option<Instant>,
    done: u32,
    /// Rounds in a row in which nothing was asked.
    idle: u32,
    /// What the call carries besides, the next time it is sent: members of `params`, each after a comma.
    pub members: String,
}

impl<'a> Rounds<'a> {
    /// Before the first.
    pub fn new(call: &'a ToolCall) -> Self {
        Self {
            call,
            begun: None,
            done: 0,
            idle: 0,
            members: String::new(),
        }
    }

    /// Gets the answers to what the server asks, within an hour over all rounds. Dropping the future withdraws the
    /// questions.
    pub async fn answer(&mut self, required: InputRequired) -> Result<(), Halt> {
        self.done += 1;
        if self.done > ROUNDS_MAX {
            return Err(Halt::Server(format!(
                "asked for more than {ROUNDS_MAX} times in one call"
            )));
        }
        self.members.clear();
        if required.questions.is_empty() {
            sleep(PAUSE_FIRST.saturating_mul(1 << self.idle).min(PAUSE_MAX)).await;
            self.idle += 1;
        } else {
            self.idle = 0;
            self.ask(required.questions).await?;
        }
        if let Some(state) = required.state {
            self.members.push_str(r#","requestState":"#);
            self.members.push_str(state.get());
        }
        Ok(())
    }

    async fn ask(&mut self, questions: Vec<Question>) -> Result<(), Halt> {
        let Some(client) = &self.call.client else {
            return Err(Halt::Client(
                "the call comes from a client that cannot be asked".to_owned(),
            ));
        };
        let offered = client.capabilities();
        if let Some(question) = questions
            .iter()
            .find(|question| !offered.offers(&question.method, &question.params))
        {
            return Err(Halt::Client(format!(
                "`{}` (asked as `{}`) is not offered by the client",
                question.method, question.key
            )));
        }
        let begun = *self.begun.get_or_insert_with(Instant::now);
        let left = LIFETIME_MAX.saturating_sub(begun.elapsed());
        let named: Vec<_> = questions
            .iter()
            .map(|question| (question.key.clone(), question.method.clone()))
            .collect();
        let replies = timeout(left, client.ask(questions))
            .await
            .map_err(|_| Halt::Client("there was no answer within an hour".to_owned()))?
            .map_err(|unasked| Halt::Client(unasked.to_string()))?;
        if replies.len() != named.len() {
            return Err(Halt::Client(format!(
                "{} answers came to {} questions",
                replies.len(),
                named.len()
            )));
        }
        self.members.push_str(r#","inputResponses":{"#);
        for (index, ((key, method), reply)) in named.iter().zip(replies).enumerate() {
            // There is no way to hand an error on.
            let result = reply.map_err(|error| {
                Halt::Client(format!(
                    "the client answered `{method}` (asked as `{key}`) with error {}: {}",
                    error.code, error.message
                ))
            })?;
            if index > 0 {
                self.members.push(',');
            }
            push_quoted(&mut self.members, key);
            self.members.push(':');
            self.members.push_str(result.get());
        }
        self.members.push('}');
        Ok(())
    }
}

impl Halt {
    /// The failure of a call, for the caller.
    pub fn into_call_error(self, server: &str) -> CallError {
        let server = server.to_owned();
        match self {
            Self::Client(reason) => CallError::NeedsClient { server, reason },
            Self::Server(reason) => CallError::Unavailable { server, reason },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    /// X10: only a result of this type asks, wherever else the word stands.
    #[test]
    fn x10_ordinary_results_are_told_apart() {
        for ordinary in [
            r#"{"content":[]}"#,
            r#"{"resultType":"complete","content":[{"type":"text","text":"input_required"}]}"#,
            r#"{"content":[{"type":"text","text":"{\"resultType\":\"input_required\"}"}]}"#,
            r#"{"structuredContent":{"resultType":"input_required"}}"#,
            r#"{"resultType":7,"x":"input_required"}"#,
            r#"["input_required"]"#,
        ] {
            assert!(read(&raw(ordinary)).is_none(), "{ordinary}");
        }
    }

    /// X10, A26: questions and state are taken as they are spelled.
    #[test]
    fn x10_a26_questions_keep_their_spelling() {
        let text = r#"{"inputRequests":{"b":{"params":{"message" : "é","n":1.0e2},"method":"elicitation/create"},"a":{"method":"roots/list"}},"requestState":"x\u0041","resultType":"input_required"}"#;
        let required = read(&raw(text)).unwrap().unwrap();
        let asked: Vec<_> = required
            .questions
            .iter()
            .map(|question| (&*question.key, &*question.method, question.params.get()))
            .collect();
        assert_eq!(
            asked,
            [
                ("b", "elicitation/create", r#"{"message" : "é","n":1.0e2}"#),
                ("a", "roots/list", "{}"),
            ]
        );
        assert_eq!(required.state.unwrap().get(), r#""x\u0041""#);
    }

    #[test]
    fn what_cannot_be_asked_is_named() {
        for (asking, expected) in [
            ("", "neither"),
            (r#","inputRequests":{}"#, "neither"),
            (r#","inputRequests":null,"requestState":null"#, "neither"),
            (r#","inputRequests":[]"#, "no object"),
            (
                r#","inputRequests":{"k":{"params":{}}}"#,
                "`k` without a `method`",
            ),
            (
                r#","inputRequests":{"k":{"method":"ping"}}"#,
                "`k` by `ping`, which no client answers",
            ),
        ] {
            let text = format!(r#"{{"resultType":"input_required"{asking}}}"#);
            match read(&raw(&text)).unwrap().unwrap_err() {
                Halt::Server(reason) => assert!(reason.contains(expected), "{text}: {reason}"),
                halt @ Halt::Client(_) => panic!("{halt:?}"),
            }
        }
    }

    /// Pauses grow, and ten rounds are enough.
    #[tokio::test(start_paused = true)]
    async fn rounds_end() {
        let call = ToolCall::new(raw("{}"));
        let mut rounds = Rounds::new(&call);
        let only_state = || read(&raw(r#"{"resultType":"input_required","requestState":"s"}"#)).unwrap();
        let begun = Instant::now();
        for _ in 0..ROUNDS_MAX {
            rounds.answer(only_state().unwrap()).await.unwrap();
            assert_eq!(rounds.members, r#","requestState":"s""#);
        }
        assert!(begun.elapsed() < PAUSE_MAX * ROUNDS_MAX, "{:?}", begun.elapsed());
        assert!(matches!(
            rounds.answer(only_state().unwrap()).await,
            Err(Halt::Server(_))
        ));
    }
}
