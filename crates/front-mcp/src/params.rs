//! What do the parameters of a request say?

use std::borrow::Cow;

use handpick_operations::shown::shown;
use handpick_protocol::json::{members, object};
use handpick_protocol::version::{META_CLIENT_CAPABILITIES, META_PROTOCOL_VERSION};
use handpick_protocol::{ClientCapabilities, RpcError};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::error::invalid_params;
use crate::ongoing::Retry;

/// Parameters of `tools/call`.
#[derive(Debug, Deserialize)]
pub struct CallParams<'a> {
    /// The listed name, or any spelling of it.
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    /// The tool's own arguments.
    #[serde(borrow, default)]
    pub arguments: Option<&'a RawValue>,
    /// Request metadata.
    #[serde(borrow, default, rename = "_meta")]
    pub meta: Option<&'a RawValue>,
    /// Of a retry: what the client was asked for. Between client and gateway; no argument of any tool.
    #[serde(borrow, default, rename = "inputResponses")]
    input_responses: Option<&'a RawValue>,
    /// Of a retry: the state that came with the questions.
    #[serde(borrow, default, rename = "requestState")]
    request_state: Option<&'a RawValue>,
}

/// Parameters of any request, as far as the metadata goes.
#[derive(Debug, Default, Deserialize)]
pub struct AnyParams<'a> {
    /// Request metadata.
    #[serde(borrow, default, rename = "_meta")]
    pub meta: Option<&'a RawValue>,
    /// Of lists.
    #[serde(borrow, default)]
    pub cursor: Option<&'a RawValue>,
    /// Of `tools/call`.
    #[serde(borrow, default)]
    pub name: Option<&'a RawValue>,
    /// Of `subscriptions/listen`.
    #[serde(borrow, default)]
    pub notifications: Option<&'a RawValue>,
    /// Of `notifications/cancelled`.
    #[serde(borrow, default, rename = "requestId")]
    pub request_id: Option<&'a RawValue>,
}

/// Parameters of `initialize`. Whatever is missing or odd reads as not said.
#[derive(Debug, Default)]
pub struct InitializeParams {
    /// The revision the client would like.
    pub protocol_version: Option<String>,
    /// What it offers to be asked for.
    pub capabilities: ClientCapabilities,
}

/// The members of request metadata that the front itself reads.
#[derive(Debug, Default)]
pub struct Meta {
    /// What a stateless client offers to be asked for.
    pub capabilities: ClientCapabilities,
    /// Raw JSON of the token, where the caller wants progress.
    pub progress_token: Option<Box<RawValue>>,
    /// What is handed on to the tool's server, if anything is left.
    pub forwarded: Option<Box<RawValue>>,
}

impl<'a> CallParams<'a> {
    /// Reads the parameters of a call.
    pub fn read(params: Option<&'a RawValue>) -> Result<Self, RpcError> {
        let params = params.ok_or_else(|| invalid_params("`name` is required"))?;
        serde_json::from_str(params.get())
            .map_err(|_| invalid_params("`name` must be a string naming a tool"))
    }

    /// What a stateless client brings back, if this call is a retry.
    pub(crate) fn retry(&self) -> Result<Option<Retry>, RpcError> {
        let Some(state) = self.request_state else {
            return match self.input_responses {
                Some(_) => Err(invalid_params(
                    "`inputResponses` needs the `requestState` that came with the questions",
                )),
                None => Ok(None),
            };
        };
        let state = serde_json::from_str(state.get()).map_err(|_| {
            invalid_params("`requestState` must be the string that came with the questions, unchanged")
        })?;
        let responses = match self.input_responses {
            Some(responses) => members(responses.get()).ok_or_else(|| {
                invalid_params("`inputResponses` must be an object with a result for each key")
            })?,
            None => Vec::new(),
        };
        if let Some((key, _)) = responses
            .iter()
            .find(|(_, response)| !response.get().starts_with('{'))
        {
            let key = shown(key);
            return Err(invalid_params(format_args!(
                "`inputResponses.{key}` must be an object: the result of the request under that key"
            )));
        }
        Ok(Some(Retry { state, responses }))
    }
}

impl InitializeParams {
    /// Reads the parameters of `initialize`.
    pub fn read(params: Option<&RawValue>) -> Self {
        #[derive(Default, Deserialize)]
        #[serde(rename_all = "camelCase", default)]
        struct Peek<'a> {
            #[serde(borrow)]
            protocol_version: Option<&'a RawValue>,
            #[serde(borrow)]
            capabilities: Option<&'a RawValue>,
        }
        let peek: Peek<'_> = params
            .and_then(|params| serde_json::from_str(params.get()).ok())
            .unwrap_or_default();
        Self {
            protocol_version: peek
                .protocol_version
                .and_then(|version| serde_json::from_str(version.get()).ok()),
            capabilities: ClientCapabilities::read(peek.capabilities),
        }
    }
}

impl<'a> AnyParams<'a> {
    /// Reads whatever is there; parameters that are no object read as none.
    pub fn read(params: Option<&'a RawValue>) -> Self {
        params
            .and_then(|params| serde_json::from_str(params.get()).ok())
            .unwrap_or_default()
    }

    /// The revision a modern request names, and whether the other required metadata is there.
    pub fn modern_version(&self) -> Option<(String, bool)> {
        let members = members(self.meta?.get())?;
        let find = |key: &str| {
            members
                .iter()
                .find(|(name, _)| name == key)
                .map(|(_, value)| value)
        };
        let version = serde_json::from_str(find(META_PROTOCOL_VERSION)?.get()).ok()?;
        let complete = find(META_CLIENT_CAPABILITIES).is_some_and(|value| value.get().starts_with('{'));
        Some((version, complete))
    }
}

impl Meta {
    /// Takes a request's metadata apart: what is between this client and this gateway stays here, the
    /// rest (trace context, vendor keys) belongs to the tool's server too.
    pub fn read(meta: Option<&RawValue>) -> Self {
        let Some(mut members) = meta.and_then(|meta| members(meta.get())) else {
            return Self::default();
        };
        let token = members.iter().position(|(name, _)| name == "progressToken");
        let progress_token = token
            .map(|position| members.remove(position).1)
            .filter(|token| token.get() != "null");
        let capabilities = members.iter().find(|(name, _)| name == META_CLIENT_CAPABILITIES);
        let capabilities = ClientCapabilities::read(capabilities.map(|(_, value)| &**value));
        members.retain(|(name, _)| !name.starts_with("io.modelcontextprotocol/"));
        let forwarded = (!members.is_empty()).then(|| object(&members));
        Self {
            capabilities,
            progress_token,
            forwarded,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_is_taken_apart() {
        let raw = RawValue::from_string(
            r#"{"progressToken":"p-1","io.modelcontextprotocol/protocolVersion":"2026-07-28","traceparent":"00-1","x/y":{"a": 1}}"#
                .to_owned(),
        )
        .unwrap();
        let meta = Meta::read(Some(&raw));
        assert_eq!(meta.progress_token.unwrap().get(), r#""p-1""#);
        assert_eq!(
            meta.forwarded.unwrap().get(),
            r#"{"traceparent":"00-1","x/y":{"a": 1}}"#
        );
        let only_ours = RawValue::from_string(r#"{"progressToken":null}"#.to_owned()).unwrap();
        let meta = Meta::read(Some(&only_ours));
        assert!(meta.progress_token.is_none() && meta.forwarded.is_none());
    }
}
