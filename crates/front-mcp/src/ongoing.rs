//! How does a call go on while its client is asked, in the era that knows no requests to clients?
//!
//! The call runs in a task of its own. A question ends the client's request with the result `input_required`; the
//! call waits, and the client's retry is attached to it and gets what comes next: more questions, or the answer.
//! A call whose request goes away without an answer is given up; one that waits for a retry is not.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::stream;
use handpick_operations::{Client, Question, Reply, Unasked};
use handpick_presentation::result::failure;
use handpick_protocol::json::{object, raw, to_raw};
use handpick_protocol::{ClientCapabilities, Era};
use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::methods::for_era;
use crate::parts::{Part, Parts};
use crate::reply::{Outcome, progress_text};
use crate::session::lock;
use crate::suspended::{Binding, Full, Suspended};

/// Longest that anybody waits for a client's retry, whoever asks.
const QUESTION_AGE_MAX: Duration = Duration::from_secs(60 * 60);

/// A call that may outlive the request that began it.
pub(crate) struct Ongoing {
    /// Who may go on with it, and as what.
    pub binding: Binding,
    /// Bytes of the request that brought the call, which it holds to its end.
    request_bytes: usize,
    suspended: Arc<Suspended>,
    given_up: CancellationToken,
    stage: Mutex<Stage>,
}

/// Exactly one of a request and an open state, until the last question is withdrawn or the call is over.
#[derive(Default)]
struct Stage {
    attached: Option<Attachment>,
    /// The `requestState` of the round that waits for its retry.
    open: Option<String>,
    /// What is not answered, in the order it was asked.
    asks: Vec<Ask>,
    asked: u64,
}

/// The request that waits for the call.
struct Attachment {
    steps: mpsc::UnboundedSender<Step>,
    /// What it declared.
    capabilities: ClientCapabilities,
}

enum Step {
    Progress(Box<RawValue>),
    /// The end of the request: a round of questions, or the end of the call.
    Answer(Outcome),
}

/// The questions of one call of [`Client::ask`].
struct Ask {
    number: u64,
    questions: Vec<Asked>,
    done: oneshot::Sender<Result<Vec<Reply>, Unasked>>,
}

struct Asked {
    /// The question's own key, made unique among all that are open.
    key: String,
    question: Question,
    answer: Option<Box<RawValue>>,
}

impl Asked {
    fn bytes(&self) -> usize {
        let Question { key, method, params } = &self.question;
        let answer = self.answer.as_ref().map_or(0, |answer| answer.get().len());
        self.key.len() + key.len() + method.len() + params.get().len() + answer
    }
}

impl Stage {
    /// About how many bytes the questions hold, with the answers so far.
    fn bytes(&self) -> usize {
        let asked = self.asks.iter().flat_map(|ask| &ask.questions);
        asked.map(Asked::bytes).sum()
    }
}

/// What a retry brings, besides the call itself.
#[derive(Debug)]
pub(crate) struct Retry {
    /// Names the round it answers.
    pub state: String,
    /// The client's results by key, each a JSON object.
    pub responses: Vec<(String, Box<RawValue>)>,
}

impl Ongoing {
    /// A call that nobody waits for yet, whose metadata has this many bytes. It ends early when `given_up` fires.
    pub fn new(
        suspended: &Arc<Suspended>,
        binding: Binding,
        meta_bytes: usize,
        given_up: CancellationToken,
    ) -> Arc<Self> {
        Arc::new(Self {
            request_bytes: binding.bytes() + meta_bytes,
            binding,
            suspended: Arc::clone(suspended),
            given_up,
            stage: Mutex::default(),
        })
    }

    /// Begins a call, with the request that brought it attached. `call` gets who can be asked, and where progress
    /// goes.
    pub fn begin<F>(
        suspended: &Arc<Suspended>,
        binding: Binding,
        meta_bytes: usize,
        given_up: CancellationToken,
        capabilities: ClientCapabilities,
        call: impl FnOnce(Arc<dyn Client>, mpsc::UnboundedSender<Box<RawValue>>) -> F,
    ) -> Attached
    where
        F: Future<Output = Outcome> + Send + 'static,
    {
        let ongoing = Self::new(suspended, binding, meta_bytes, given_up);
        let attached = ongoing.attach(&mut lock(&ongoing.stage), capabilities.clone());
        let client = Asker {
            identity: identity(&ongoing.binding),
            ongoing: Arc::clone(&ongoing),
            capabilities,
        };
        let (sender, progress) = mpsc::unbounded_channel();
        let call = Box::pin(call(Arc::new(client), sender));
        tokio::spawn(drive(ongoing, call, progress));
        attached
    }

    fn attach(self: &Arc<Self>, stage: &mut Stage, capabilities: ClientCapabilities) -> Attached {
        let (sender, steps) = mpsc::unbounded_channel();
        stage.attached = Some(Attachment {
            steps: sender,
            capabilities,
        });
        Attached {
            ongoing: Arc::clone(self),
            steps,
            answered: false,
        }
    }

    /// Goes on with the call for a retry of the round that is open; nothing when another retry was faster, or the
    /// question was withdrawn.
    ///
    /// As the protocol has it, responses that nobody asked for are ignored, and questions without a response are
    /// asked again; what was answered stays answered.
    pub fn resume(self: &Arc<Self>, retry: Retry, capabilities: ClientCapabilities) -> Option<Attached> {
        let mut stage = lock(&self.stage);
        if stage.open.as_deref() != Some(retry.state.as_str()) {
            return None;
        }
        stage.open = None;
        self.suspended.forget(&retry.state);
        let attached = self.attach(&mut stage, capabilities);
        for (key, response) in retry.responses {
            let asked = stage.asks.iter_mut().flat_map(|ask| &mut ask.questions);
            if let Some(asked) = asked.into_iter().find(|asked| asked.key == key) {
                asked.answer = Some(response);
            }
        }
        let answered = |ask: &mut Ask| ask.questions.iter().all(|asked| asked.answer.is_some());
        for ask in stage.asks.extract_if(.., answered) {
            let replies = ask.questions.into_iter().filter_map(|asked| asked.answer);
            // A receiver that is gone is about to withdraw the question.
            let _ = ask.done.send(Ok(replies.map(Ok).collect()));
        }
        self.open_round(&mut stage);
        Some(attached)
    }

    /// Ends the call as soon as possible.
    pub fn give_up(&self) {
        self.given_up.cancel();
    }

    #[cfg(test)]
    pub fn is_given_up(&self) -> bool {
        self.given_up.is_cancelled()
    }

    /// Puts questions to the client: at once where its request is attached, otherwise in the next round.
    fn ask(self: &Arc<Self>, questions: Vec<Question>) -> Result<Waiting, Unasked> {
        let mut stage = lock(&self.stage);
        if stage.attached.is_none() && stage.open.is_none() {
            return Err(Unasked::Gone);
        }
        let (done, replies) = oneshot::channel();
        let mut ask = Ask {
            number: stage.asked,
            questions: Vec::new(),
            done,
        };
        stage.asked += 1;
        for question in questions {
            let key = free_key(&question.key, |key| {
                let open = stage.asks.iter().flat_map(|ask| &ask.questions);
                open.chain(&ask.questions).any(|asked| asked.key == key)
            });
            ask.questions.push(Asked {
                key,
                question,
                answer: None,
            });
        }
        let waiting = Waiting {
            ongoing: Arc::clone(self),
            number: ask.number,
            replies,
        };
        stage.asks.push(ask);
        let outcome = match &stage.open {
            Some(state) => self.suspended.resize(state, self.bytes(&stage)),
            None => Ok(()),
        };
        match outcome {
            // The client is away: what was asked before still waits, this does not begin to.
            Err(full) => {
                tracing::warn!("a question is not asked: {}", full.told());
                stage.asks.pop();
            }
            Ok(()) => self.open_round(&mut stage),
        }
        drop(stage);
        match outcome {
            Ok(()) => Ok(waiting),
            Err(_) => Err(Unasked::Gone),
        }
    }

    /// Answers the attached request with what is not answered yet, if there is such a request and anything it can be
    /// asked: not every request of a client declares the same.
    fn open_round(self: &Arc<Self>, stage: &mut Stage) {
        let Some(attachment) = &stage.attached else {
            return;
        };
        let offers = |asked: &Asked| {
            let Question { method, params, .. } = &asked.question;
            asked.answer.is_some() || attachment.capabilities.offers(method, params)
        };
        let not_offered = |ask: &mut Ask| !ask.questions.iter().all(offers);
        for ask in stage.asks.extract_if(.., not_offered) {
            let _ = ask.done.send(Err(Unasked::NotOffered));
        }
        if stage.asks.is_empty() {
            return;
        }
        let state = uuid::Uuid::new_v4().to_string();
        let round = input_required(&stage.asks, &state);
        let kept = self
            .suspended
            .keep(state.clone(), Arc::clone(self), self.bytes(stage));
        let answer = match kept {
            Ok(()) => {
                stage.open = Some(state);
                round
            }
            Err(full) => {
                self.give_up();
                refused(full)
            }
        };
        if let Some(attachment) = stage.attached.take() {
            // A request that is gone has given the call up.
            let _ = attachment.steps.send(Step::Answer(Ok(answer)));
        }
    }

    /// About how many bytes it holds while it waits.
    fn bytes(&self, stage: &Stage) -> usize {
        self.request_bytes + stage.bytes()
    }

    fn withdraw(&self, number: u64) {
        let mut stage = lock(&self.stage);
        stage.asks.retain(|ask| ask.number != number);
        if stage.asks.is_empty() {
            if let Some(state) = stage.open.take() {
                self.suspended.forget(&state);
            }
        } else if let Some(state) = &stage.open {
            // Less than before, which is never refused.
            let _ = self.suspended.resize(state, self.bytes(&stage));
        }
    }

    fn tell(&self, step: Step) {
        if let Some(attachment) = &lock(&self.stage).attached {
            // A request that is gone has given the call up.
            let _ = attachment.steps.send(step);
        }
    }
}

/// The result of a call that cannot wait; the model reads why.
fn refused(full: Full) -> Box<RawValue> {
    for_era(failure(&full.told()), Era::Modern)
}

/// Whose question it may be. Behind a key that names no end user there may be many people, so that each call stands for
/// itself.
fn identity(binding: &Binding) -> String {
    match &binding.user_id {
        Some(user_id) => json!(["user", binding.key_id, user_id]).to_string(),
        None => json!(["call", uuid::Uuid::new_v4().to_string()]).to_string(),
    }
}

/// `wanted`, or the first of `wanted-2`, `wanted-3` … that is not taken.
fn free_key(wanted: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut key = wanted.to_owned();
    let mut number = 2_u64;
    while taken(&key) {
        key = format!("{wanted}-{number}");
        number += 1;
    }
    key
}

/// The result that asks for everything without an answer.
fn input_required(asks: &[Ask], state: &str) -> Box<RawValue> {
    let asked = asks.iter().flat_map(|ask| &ask.questions);
    let requests: Vec<_> = asked
        .filter(|asked| asked.answer.is_none())
        .map(|asked| {
            let request = [
                ("method".to_owned(), to_raw(&asked.question.method)),
                ("params".to_owned(), asked.question.params.clone()),
            ];
            (asked.key.clone(), object(&request))
        })
        .collect();
    object(&[
        ("resultType".to_owned(), raw(r#""input_required""#.to_owned())),
        ("inputRequests".to_owned(), object(&requests)),
        ("requestState".to_owned(), to_raw(&state)),
    ])
}

type Running = Pin<Box<dyn Future<Output = Outcome> + Send>>;

/// Runs the call to its end, or until it is given up.
async fn drive(
    ongoing: Arc<Ongoing>,
    mut call: Running,
    mut progress: mpsc::UnboundedReceiver<Box<RawValue>>,
) {
    let over = Over(Arc::clone(&ongoing));
    let outcome = loop {
        tokio::select! {
            biased;
            () = ongoing.given_up.cancelled() => return,
            Some(params) = progress.recv() => ongoing.tell(Step::Progress(params)),
            outcome = &mut call => break outcome,
        }
    };
    while let Ok(params) = progress.try_recv() {
        ongoing.tell(Step::Progress(params));
    }
    ongoing.tell(Step::Answer(outcome));
    drop(over);
}

/// Lets an attached request know that nothing follows, whatever ended the call.
struct Over(Arc<Ongoing>);

impl Drop for Over {
    fn drop(&mut self) {
        lock(&self.0.stage).attached = None;
    }
}

/// A request that waits for its call.
pub(crate) struct Attached {
    ongoing: Arc<Ongoing>,
    steps: mpsc::UnboundedReceiver<Step>,
    answered: bool,
}

impl Attached {
    /// What comes for this request: progress under its own token, if it has one, then its answer.
    pub fn parts(self, token: Option<Box<RawValue>>) -> Parts {
        Box::pin(stream::unfold(
            (self, token),
            |(mut attached, token)| async move {
                let part = attached.next(token.as_deref()).await?;
                Some((part, (attached, token)))
            },
        ))
    }

    async fn next(&mut self, token: Option<&RawValue>) -> Option<Part> {
        while !self.answered {
            match (self.steps.recv().await?, token) {
                (Step::Progress(params), Some(token)) => {
                    return Some(Part::Aside(progress_text(&params, token)));
                }
                (Step::Progress(_), None) => {}
                (Step::Answer(outcome), _) => {
                    self.answered = true;
                    return Some(Part::Answer(outcome));
                }
            }
        }
        None
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        if !self.answered {
            self.ongoing.give_up();
        }
    }
}

/// The client of a call, asked through the results of its requests.
struct Asker {
    ongoing: Arc<Ongoing>,
    /// What the first request declared.
    capabilities: ClientCapabilities,
    identity: String,
}

#[async_trait]
impl Client for Asker {
    fn capabilities(&self) -> &ClientCapabilities {
        &self.capabilities
    }

    fn identity(&self) -> &str {
        &self.identity
    }

    fn is_waiting(&self) -> bool {
        let stage = lock(&self.ongoing.stage);
        stage.attached.is_some() || stage.open.is_some()
    }

    async fn ask(&self, questions: Vec<Question>) -> Result<Vec<Reply>, Unasked> {
        if questions.is_empty() {
            return Ok(Vec::new());
        }
        let mut waiting = self.ongoing.ask(questions)?;
        let replies = tokio::time::timeout(QUESTION_AGE_MAX, &mut waiting.replies).await;
        replies.map_or(Err(Unasked::Gone), |replies| {
            replies.unwrap_or(Err(Unasked::Gone))
        })
    }
}

/// Questions that somebody waits for; withdrawn when nobody does.
struct Waiting {
    ongoing: Arc<Ongoing>,
    number: u64,
    replies: oneshot::Receiver<Result<Vec<Reply>, Unasked>>,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.ongoing.withdraw(self.number);
    }
}

#[cfg(test)]
mod tests;
