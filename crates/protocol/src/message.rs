//! How is one JSON-RPC message read and written without touching its payload?

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::RpcError;

/// One JSON-RPC message, payloads borrowed as raw JSON. Which members are present tells what it is.
#[derive(Debug, Deserialize)]
pub struct Message<'a> {
    /// Must be `2.0`.
    #[serde(borrow, default)]
    pub jsonrpc: Option<Cow<'a, str>>,
    /// Number or string; absent on notifications.
    #[serde(borrow, default)]
    pub id: Option<&'a RawValue>,
    /// Present on requests and notifications.
    #[serde(borrow, default)]
    pub method: Option<Cow<'a, str>>,
    /// An object, where present.
    #[serde(borrow, default)]
    pub params: Option<&'a RawValue>,
    /// Present on a successful response.
    #[serde(borrow, default)]
    pub result: Option<&'a RawValue>,
    /// Present on a failed response.
    #[serde(borrow, default)]
    pub error: Option<&'a RawValue>,
}

impl<'a> Message<'a> {
    /// Reads one message. Fails on anything that is not a JSON object with members of these types.
    pub fn parse(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The id where it is one JSON-RPC allows for a request: a string or a number.
    pub fn request_id(&self) -> Option<&'a RawValue> {
        self.id.filter(|id| {
            id.get()
                .starts_with(|c: char| c == '"' || c == '-' || c.is_ascii_digit())
        })
    }

    /// The response this message is: its result, or its error.
    pub fn into_response(self) -> Option<Result<&'a RawValue, RpcError>> {
        match (self.result, self.error) {
            (_, Some(error)) if error.get() != "null" => Some(Err(serde_json::from_str(error.get())
                .unwrap_or_else(|_| RpcError::new(crate::error::INTERNAL_ERROR, error.get())))),
            (Some(result), _) => Some(Ok(result)),
            _ => None,
        }
    }
}

/// A successful response. `id` and `result` are raw JSON.
pub fn result_response(id: &str, result: &str) -> String {
    let mut text = String::with_capacity(id.len() + result.len() + 36);
    text.push_str(r#"{"jsonrpc":"2.0","id":"#);
    text.push_str(id);
    text.push_str(r#","result":"#);
    text.push_str(result);
    text.push('}');
    text
}

/// A failed response. Without an id (the request could not be read) the id is `null`.
pub fn error_response(id: Option<&str>, error: &RpcError) -> String {
    let error = serde_json::to_string(error).unwrap_or_default();
    format!(
        r#"{{"jsonrpc":"2.0","id":{},"error":{error}}}"#,
        id.unwrap_or("null")
    )
}

/// A request. `id` and `params` are raw JSON.
pub fn request(id: &str, method: &str, params: Option<&str>) -> String {
    let method = serde_json::to_string(method).unwrap_or_default();
    match params {
        Some(params) => format!(r#"{{"jsonrpc":"2.0","id":{id},"method":{method},"params":{params}}}"#),
        None => format!(r#"{{"jsonrpc":"2.0","id":{id},"method":{method}}}"#),
    }
}

/// A notification. `params` is raw JSON.
pub fn notification(method: &str, params: Option<&str>) -> String {
    let method = serde_json::to_string(method).unwrap_or_default();
    match params {
        Some(params) => format!(r#"{{"jsonrpc":"2.0","method":{method},"params":{params}}}"#),
        None => format!(r#"{{"jsonrpc":"2.0","method":{method}}}"#),
    }
}
