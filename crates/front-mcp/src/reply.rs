//! How does an answer travel back over HTTP: as one JSON body, or as a stream of events?

use std::convert::Infallible;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream};
use handpick_protocol::json::with_member;
use handpick_protocol::{RpcError, error_response, notification, result_response};
use serde_json::value::RawValue;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use crate::front::KEEP_ALIVE;

/// The result of one request, before it is framed.
pub type Outcome = Result<Box<RawValue>, RpcError>;

/// A JSON body.
pub fn json(status: StatusCode, text: String) -> Response {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// A response without body.
pub fn empty(status: StatusCode) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

/// A JSON-RPC error as a whole HTTP response.
pub fn rpc_error(status: StatusCode, id: Option<&RawValue>, error: &RpcError) -> Response {
    json(status, error_response(id.map(RawValue::get), error))
}

/// The JSON-RPC response to `id`.
pub fn response_text(id: &RawValue, outcome: &Outcome) -> String {
    match outcome {
        Ok(result) => result_response(id.get(), result.get()),
        Err(error) => error_response(Some(id.get()), error),
    }
}

/// A progress notification under the caller's own token.
pub fn progress_text(params: &RawValue, token: &RawValue) -> String {
    let params = with_member(params.get(), "progressToken", token.get());
    notification("notifications/progress", params.as_deref().map(RawValue::get))
}

/// An event stream that shows now and then that it is alive.
pub fn events(messages: impl Stream<Item = String> + Send + 'static) -> Response {
    let mut beat = interval_at(Instant::now() + KEEP_ALIVE, KEEP_ALIVE);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut messages = Box::pin(messages);
    let frames = stream::poll_fn(move |context| {
        use std::task::Poll;
        match messages.poll_next_unpin(context) {
            Poll::Ready(Some(message)) => Poll::Ready(Some(Ok::<_, Infallible>(event(&message)))),
            Poll::Ready(None) => Poll::Ready(None),
            Poll::Pending => beat
                .poll_tick(context)
                .map(|_| Some(Ok(Bytes::from_static(b": alive\n\n")))),
        }
    });
    let mut response = Response::new(Body::from_stream(frames));
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/event-stream"),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// One message as a server-sent event. JSON text has no raw line breaks unless an upstream sent some
/// between tokens; each line then gets its own `data:`. A carriage return alone ends a line, too.
fn event(message: &str) -> Bytes {
    let mut frame = String::with_capacity(message.len() + 24);
    frame.push_str("event: message\n");
    for line in message.split(['\n', '\r']) {
        frame.push_str("data: ");
        frame.push_str(line);
        frame.push('\n');
    }
    frame.push('\n');
    Bytes::from(frame)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream on which nothing happens shows now and then that it is alive, without catching up on
    /// beats that nobody waited for.
    #[tokio::test(start_paused = true)]
    async fn an_idle_stream_is_alive() {
        let begun = Instant::now();
        let messages = stream::once(async {
            tokio::time::sleep(KEEP_ALIVE * 5 / 2).await;
            "{}".to_owned()
        });
        let mut frames = events(messages).into_body().into_data_stream();
        let mut seen = Vec::new();
        while let Some(frame) = frames.next().await {
            seen.push((begun.elapsed().as_millis(), frame.unwrap()));
        }
        let alive = Bytes::from_static(b": alive\n\n");
        let beat = KEEP_ALIVE.as_millis();
        let expected = [
            (beat, alive.clone()),
            (2 * beat, alive),
            (beat * 5 / 2, event("{}")),
        ];
        assert_eq!(seen, expected);
    }

    /// A26: no line of a message gets lost or mistaken for a field of the event.
    #[test]
    fn a26_every_kind_of_line_break_is_framed() {
        let framed = event("{\"a\":\n1,\r\n\"b\":\r2}");
        assert_eq!(
            framed,
            "event: message\ndata: {\"a\":\ndata: 1,\ndata: \ndata: \"b\":\ndata: 2}\n\n"
        );
    }
}
