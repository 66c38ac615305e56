//! What do we send when we ask a server for something?

use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use handpick_protocol::version::{META_CLIENT_CAPABILITIES, META_CLIENT_INFO, META_PROTOCOL_VERSION, MODERN};
use handpick_protocol::{ClientCapabilities, Era, json};
use http::{HeaderName, HeaderValue};
use serde_json::value::RawValue;
use tokio::sync::mpsc;

use crate::Client;

/// The method that calls a tool.
const CALL: &str = "tools/call";

/// Who we say we are.
pub(crate) const CLIENT_INFO: &str = concat!(
    r#"{"name":"handpick","version":""#,
    env!("CARGO_PKG_VERSION"),
    r#""}"#
);

/// The members of `_meta` that every modern request carries.
static MODERN_META: LazyLock<String> = LazyLock::new(|| {
    format!(
        r#""{META_PROTOCOL_VERSION}":"{MODERN}","{META_CLIENT_INFO}":{CLIENT_INFO},"{META_CLIENT_CAPABILITIES}":"#
    )
});

/// One request, before it is known on which connection, under which id and in which era it goes out.
pub(crate) struct Ask<'a> {
    /// The method.
    pub method: &'static str,
    /// The members of `params` without `_meta`, as they stand between the braces; may be empty.
    pub members: String,
    /// The tool, for the headers of modern HTTP.
    pub name: Option<&'a str>,
    /// Arguments that modern HTTP repeats as headers.
    pub mirrored: Vec<(HeaderName, HeaderValue)>,
    /// The caller's `_meta`.
    pub meta: Option<&'a RawValue>,
    /// Whether to ask for progress. Every call does, wanted by its caller or not, because progress
    /// extends its time-out. Servers choose event streams by configuration or when they have something
    /// to report, not because they were asked; and an answer in a stream costs about 4 µs more.
    pub tracked: bool,
    /// Where progress goes.
    pub progress: Option<mpsc::UnboundedSender<Box<RawValue>>>,
    /// How long the server may stay silent.
    pub timeout: Duration,
    /// Who is asked when the server asks for something meanwhile.
    pub client: Option<&'a Arc<dyn Client>>,
}

impl<'a> Ask<'a> {
    /// A request of our own, without anything a caller could add.
    pub fn plain(method: &'static str, members: String, timeout: Duration) -> Self {
        Self {
            method,
            members,
            name: None,
            mirrored: Vec::new(),
            meta: None,
            tracked: false,
            progress: None,
            timeout,
            client: None,
        }
    }

    /// `tools/call`.
    pub fn call(tool: &'a str, call: &'a crate::ToolCall, timeout: Duration) -> Self {
        let arguments = call.arguments.get();
        let mut members = String::with_capacity(tool.len() + arguments.len() + 24);
        members.push_str(r#""name":"#);
        push_quoted(&mut members, tool);
        members.push_str(r#","arguments":"#);
        members.push_str(arguments);
        Self {
            method: CALL,
            members,
            name: Some(tool),
            mirrored: Vec::new(),
            meta: call.meta.as_deref(),
            tracked: true,
            progress: call.progress.clone(),
            timeout,
            client: call.client.as_ref(),
        }
    }

    /// Whether it is the call of a tool.
    pub fn is_call(&self) -> bool {
        self.method == CALL
    }

    /// The whole message. The progress token, where asked for, is the id.
    pub fn message(&self, id: u64, era: Era) -> String {
        let mut text =
            String::with_capacity(self.members.len() + self.meta.map_or(0, |meta| meta.get().len()) + 384);
        let _ = write!(
            text,
            r#"{{"jsonrpc":"2.0","id":{id},"method":"{}","params":"#,
            self.method
        );
        self.push_params(&mut text, id, era);
        text.push('}');
        text
    }

    /// The params alone.
    pub fn params(&self, id: u64, era: Era) -> String {
        let mut text = String::new();
        self.push_params(&mut text, id, era);
        text
    }

    fn push_params(&self, text: &mut String, id: u64, era: Era) {
        text.push('{');
        text.push_str(&self.members);
        let without_meta = text.len();
        text.push_str(if self.members.is_empty() {
            r#""_meta":{"#
        } else {
            r#","_meta":{"#
        });
        let empty = text.len();
        if let Some(meta) = self.meta {
            push_meta(text, meta);
        }
        if self.tracked {
            separate(text, empty);
            let _ = write!(text, r#""progressToken":{id}"#);
        }
        if era == Era::Modern {
            separate(text, empty);
            text.push_str(&MODERN_META);
            push_capabilities(text, self.client.map(|client| client.capabilities()));
        }
        if text.len() == empty {
            text.truncate(without_meta);
        } else {
            text.push('}');
        }
        text.push('}');
    }
}

/// `notifications/cancelled` for a request of ours.
pub(crate) fn cancelled(id: u64) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":"nobody waits for the answer any more"}}}}"#
    )
}

/// `notifications/initialized`.
pub(crate) const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// Appends text as a JSON string.
pub(crate) fn push_quoted(to: &mut String, text: &str) {
    to.push_str(&serde_json::to_string(text).unwrap_or_default());
}

fn separate(text: &mut String, empty: usize) {
    if text.len() > empty {
        text.push(',');
    }
}

/// What the client offers of what a server may ask for by its result, as the client spelled it.
fn push_capabilities(text: &mut String, offered: Option<&ClientCapabilities>) {
    text.push('{');
    let start = text.len();
    let elicits = offered.is_some_and(|offered| offered.elicitation_form || offered.elicitation_url);
    if let Some(offered) = offered
        && (elicits || offered.sampling || offered.roots)
        && let Some(raw) = offered.raw()
    {
        for (key, value) in json::members(raw.get()).unwrap_or_default() {
            let passes = match key.as_str() {
                "elicitation" => elicits,
                "sampling" => offered.sampling,
                "roots" => offered.roots,
                _ => false,
            };
            if passes {
                separate(text, start);
                push_quoted(text, &key);
                text.push(':');
                text.push_str(value.get());
            }
        }
    }
    text.push('}');
}

/// The caller's members of `_meta`, without those that are ours to set on this hop.
fn push_meta(text: &mut String, meta: &RawValue) {
    let start = text.len();
    for (key, value) in json::members(meta.get()).unwrap_or_default() {
        if matches!(
            key.as_str(),
            "progressToken" | META_PROTOCOL_VERSION | META_CLIENT_INFO | META_CLIENT_CAPABILITIES
        ) {
            continue;
        }
        separate(text, start);
        push_quoted(text, &key);
        text.push(':');
        text.push_str(value.get());
    }
}

#[cfg(test)]
mod tests {
    use handpick_protocol::version::LEGACY;
    use serde_json::{Value, json};

    use super::*;
    use crate::ToolCall;

    fn call(meta: Option<&str>) -> ToolCall {
        ToolCall {
            meta: meta.map(|meta| RawValue::from_string(meta.to_owned()).unwrap()),
            ..ToolCall::new(RawValue::from_string(r#"{"x": 1.0e2}"#.into()).unwrap())
        }
    }

    fn message(meta: Option<&str>, tracked: bool, era: Era) -> String {
        let call = call(meta);
        let mut ask = Ask::call("a\"b", &call, Duration::from_secs(1));
        ask.tracked = tracked;
        ask.message(7, era)
    }

    /// A26: arguments go out byte for byte.
    #[test]
    fn a26_arguments_keep_their_spelling() {
        let text = message(None, true, Era::Legacy);
        assert_eq!(
            text,
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a\"b","arguments":{"x": 1.0e2},"_meta":{"progressToken":7}}}"#
        );
    }

    #[test]
    fn meta_is_merged_and_ours_wins() {
        let meta = r#"{"traceparent":"00-1","progressToken":"theirs","io.modelcontextprotocol/protocolVersion":"1","k":[1]}"#;
        for (meta, tracked, era, expected) in [
            (None, false, Era::Legacy, json!(null)),
            (Some("{}"), false, Era::Legacy, json!(null)),
            (Some("[]"), true, Era::Legacy, json!({"progressToken": 7})),
            (
                Some(meta),
                false,
                Era::Legacy,
                json!({"traceparent": "00-1", "k": [1]}),
            ),
            (
                Some(meta),
                true,
                Era::Modern,
                json!({
                    "traceparent": "00-1", "k": [1], "progressToken": 7,
                    META_PROTOCOL_VERSION: MODERN,
                    META_CLIENT_INFO: {"name": "handpick", "version": env!("CARGO_PKG_VERSION")},
                    META_CLIENT_CAPABILITIES: {},
                }),
            ),
        ] {
            let message: Value = serde_json::from_str(&message(meta, tracked, era)).unwrap();
            assert_eq!(
                message["params"].get("_meta").cloned().unwrap_or_default(),
                expected
            );
        }
    }

    struct Shown(ClientCapabilities);

    #[async_trait::async_trait]
    impl Client for Shown {
        fn capabilities(&self) -> &ClientCapabilities {
            &self.0
        }

        fn identity(&self) -> &'static str {
            "shown"
        }

        async fn ask(&self, _: Vec<crate::Question>) -> Result<Vec<crate::Reply>, crate::Unasked> {
            Err(crate::Unasked::NotOffered)
        }
    }

    /// X10: a modern server hears what the caller's client offers, of what can be asked for and as it was spelled.
    #[test]
    fn x10_capabilities_are_those_of_the_client() {
        for (offered, passed) in [
            ("{}", "{}"),
            (
                r#"{"roots":{"listChanged" : true},"x":{},"sampling":{"tools": {}},"elicitation":{ }}"#,
                r#"{"roots":{"listChanged" : true},"sampling":{"tools": {}},"elicitation":{ }}"#,
            ),
            (r#"{"elicitation":true,"sampling":{}}"#, r#"{"sampling":{}}"#),
            ("[]", "{}"),
        ] {
            let offered = handpick_protocol::json::raw(offered.to_owned());
            let client: Arc<dyn Client> = Arc::new(Shown(ClientCapabilities::read(Some(&offered))));
            let mut call = call(None);
            call.client = Some(client);
            let ask = Ask::call("t", &call, Duration::ZERO);
            let expected = format!(r#""{META_CLIENT_CAPABILITIES}":{passed}}}}}}}"#);
            let modern = ask.message(1, Era::Modern);
            assert!(modern.ends_with(&expected), "{modern}");
            assert!(!ask.message(1, Era::Legacy).contains(META_CLIENT_CAPABILITIES));
        }
    }

    #[test]
    fn requests_of_our_own_are_valid_in_both_eras() {
        for era in [Era::Legacy, Era::Modern] {
            let ask = Ask::plain("tools/list", String::new(), Duration::ZERO);
            let message: Value = serde_json::from_str(&ask.message(1, era)).unwrap();
            assert!(message["params"].is_object());
            let initialize: Value = serde_json::from_str(
                &crate::offer::Offer::default()
                    .initialize(Duration::ZERO)
                    .message(1, era),
            )
            .unwrap();
            assert_eq!(initialize["params"]["protocolVersion"], LEGACY[0]);
        }
        serde_json::from_str::<Value>(&cancelled(1)).unwrap();
        serde_json::from_str::<Value>(INITIALIZED).unwrap();
    }
}
