//! In which pieces does the answer to one `tools/call` come?

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::{Stream, stream};
use serde_json::value::RawValue;
use tokio::sync::mpsc;

use crate::reply::{Outcome, progress_text, response_text};

/// One piece.
pub(crate) enum Part {
    /// A whole message that comes before the response: progress, or a request to the client.
    Aside(String),
    /// What the response says; nothing follows it.
    Answer(Outcome),
}

impl Part {
    /// The message, for a call with this id.
    pub fn text(self, id: &RawValue) -> String {
        match self {
            Self::Aside(message) => message,
            Self::Answer(outcome) => response_text(id, &outcome),
        }
    }
}

/// The pieces of one call. Without an answer at the end, the client has cancelled it.
pub(crate) type Parts = Pin<Box<dyn Stream<Item = Part> + Send>>;

/// What is said beside a running call.
#[derive(Default)]
pub(crate) struct Asides {
    /// The caller's token and the params of each progress notification.
    pub progress: Option<(Box<RawValue>, mpsc::UnboundedReceiver<Box<RawValue>>)>,
    /// Messages ready to send.
    pub messages: Option<mpsc::UnboundedReceiver<String>>,
}

impl Asides {
    /// The next message; nothing when there will be none.
    async fn next(&mut self) -> Option<String> {
        std::future::poll_fn(|context| self.poll_next(context)).await
    }

    fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<String>> {
        let mut ended = true;
        if let Some((token, progress)) = &mut self.progress {
            match progress.poll_recv(context) {
                Poll::Ready(Some(params)) => return Poll::Ready(Some(progress_text(&params, token))),
                state => ended &= state.is_ready(),
            }
        }
        if let Some(messages) = &mut self.messages {
            match messages.poll_recv(context) {
                Poll::Ready(Some(message)) => return Poll::Ready(Some(message)),
                state => ended &= state.is_ready(),
            }
        }
        match ended {
            true => Poll::Ready(None),
            false => Poll::Pending,
        }
    }

    fn next_ready(&mut self) -> Option<String> {
        if let Some((token, progress)) = &mut self.progress
            && let Ok(params) = progress.try_recv()
        {
            return Some(progress_text(&params, token));
        }
        self.messages.as_mut()?.try_recv().ok()
    }
}

/// How far a call is.
struct Running {
    asides: Asides,
    /// The tool works.
    call: Option<Pin<Box<dyn Future<Output = Option<Outcome>> + Send>>>,
    /// It is done; what was said before may still wait.
    answer: Option<Outcome>,
}

/// The pieces of `call`, which lives as long as they do: asides as they come, then the answer.
pub(crate) fn parts(call: impl Future<Output = Option<Outcome>> + Send + 'static, asides: Asides) -> Parts {
    let running = Running {
        asides,
        call: Some(Box::pin(call)),
        answer: None,
    };
    Box::pin(stream::unfold(running, |mut running| async move {
        let part = running.next().await?;
        Some((part, running))
    }))
}

impl Running {
    async fn next(&mut self) -> Option<Part> {
        if let Some(call) = &mut self.call {
            tokio::select! {
                biased;
                Some(aside) = self.asides.next() => return Some(Part::Aside(aside)),
                outcome = call => self.answer = outcome,
            }
            self.call = None;
        }
        if let Some(aside) = self.asides.next_ready() {
            return Some(Part::Aside(aside));
        }
        self.answer.take().map(Part::Answer)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt as _;
    use handpick_protocol::json::raw;

    use super::*;

    /// Progress and questions come while the call runs, what came beside its end is not lost, and the answer is last.
    #[tokio::test]
    async fn asides_come_before_the_answer() {
        let (progress, told) = mpsc::unbounded_channel();
        let (questions, messages) = mpsc::unbounded_channel();
        let (ready, waits) = tokio::sync::oneshot::channel::<()>();
        let (beside, outside) = (progress.clone(), questions.clone());
        let call = async move {
            beside.send(raw(r#"{"n":1}"#.to_owned())).unwrap();
            outside.send("question".to_owned()).unwrap();
            waits.await.unwrap();
            beside.send(raw(r#"{"n":2}"#.to_owned())).unwrap();
            outside.send("withdrawn".to_owned()).unwrap();
            Some(Ok(raw("{}".to_owned())))
        };
        let asides = Asides {
            progress: Some((raw("7".to_owned()), told)),
            messages: Some(messages),
        };
        let mut parts = parts(call, asides);
        let mut seen = Vec::new();
        for _ in 0..2 {
            seen.push(parts.next().await.unwrap().text(&raw("1".to_owned())));
        }
        ready.send(()).unwrap();
        while let Some(part) = parts.next().await {
            seen.push(part.text(&raw("1".to_owned())));
        }
        let progress_of = |n: u8| {
            format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"n":{n},"progressToken":7}}}}"#
            )
        };
        let answer = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#.to_owned();
        assert_eq!(
            seen,
            [
                progress_of(1),
                "question".to_owned(),
                progress_of(2),
                "withdrawn".to_owned(),
                answer
            ]
        );
    }

    /// A call that is cancelled has no answer; what was said before still goes out.
    #[tokio::test]
    async fn a_cancelled_call_has_no_answer() {
        let (questions, messages) = mpsc::unbounded_channel();
        let call = async move {
            questions.send("withdrawn".to_owned()).unwrap();
            None
        };
        let asides = Asides {
            progress: None,
            messages: Some(messages),
        };
        let parts: Vec<Part> = parts(call, asides).collect().await;
        assert!(matches!(parts.as_slice(), [Part::Aside(message)] if message == "withdrawn"));
    }
}
