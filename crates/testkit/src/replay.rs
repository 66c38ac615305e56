//! What does an upstream say that only replays a tool list and echoes calls?

use std::collections::HashSet;

use async_trait::async_trait;
use handpick_protocol::error::{INVALID_PARAMS, METHOD_NOT_FOUND};
use handpick_protocol::json::{raw, to_raw};
use handpick_protocol::{LocalServer, RpcError};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::Recorded;

/// Serves a fixed tool list, paged, and answers each call with the arguments it got.
pub struct ReplayServer {
    tools: Vec<Box<RawValue>>,
    names: HashSet<String>,
    page_size: usize,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

#[derive(Deserialize)]
struct ListParams {
    #[serde(default)]
    cursor: Option<String>,
}

#[derive(Deserialize)]
struct CallParams<'a> {
    name: String,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
}

impl ReplayServer {
    /// Serves these tools in one page. Each is one tool's JSON, served byte for byte.
    pub fn new(tools: Vec<Box<RawValue>>) -> Self {
        let named = |tool: &str| serde_json::from_str::<Named>(tool).ok();
        Self {
            names: tools
                .iter()
                .filter_map(|tool| named(tool.get()))
                .map(|tool| tool.name)
                .collect(),
            page_size: tools.len().max(1),
            tools,
        }
    }

    /// Replays a recording.
    pub fn of(recorded: Recorded) -> Self {
        Self::new(recorded.tools)
    }

    /// One tool, `echo`, that takes `{"text": string}`.
    pub fn echo() -> Self {
        let tool = r#"{"name":"echo","description":"Returns its arguments.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}},"annotations":{"readOnlyHint":true}}"#;
        Self::new(vec![raw(tool.to_owned())])
    }

    /// The same tools, at most `size` (one or more) a page.
    pub fn paged(mut self, size: usize) -> Self {
        self.page_size = size.max(1);
        self
    }

    fn list(&self, params: Option<&RawValue>) -> Result<Box<RawValue>, RpcError> {
        let params = params.map_or(Ok(ListParams { cursor: None }), |params| {
            serde_json::from_str(params.get())
        });
        let cursor = params
            .map_err(|error| RpcError::new(INVALID_PARAMS, error.to_string()))?
            .cursor;
        let start = match &cursor {
            None => 0,
            Some(cursor) => cursor
                .parse()
                .ok()
                .filter(|start| *start < self.tools.len())
                .ok_or_else(|| RpcError::new(INVALID_PARAMS, format!("unknown cursor `{cursor}`")))?,
        };
        let end = self.tools.len().min(start + self.page_size);
        let mut text = String::from(r#"{"tools":["#);
        for (index, tool) in self.tools[start..end].iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            text.push_str(tool.get());
        }
        text.push(']');
        if end < self.tools.len() {
            text.push_str(&format!(r#","nextCursor":"{end}""#));
        }
        text.push('}');
        Ok(raw(text))
    }

    fn call(&self, params: Option<&RawValue>) -> Result<Box<RawValue>, RpcError> {
        let params: CallParams<'_> = serde_json::from_str(params.map_or("null", RawValue::get))
            .map_err(|error| RpcError::new(INVALID_PARAMS, error.to_string()))?;
        if !self.names.contains(&params.name) {
            return Err(RpcError::new(
                INVALID_PARAMS,
                format!("Unknown tool: {}", params.name),
            ));
        }
        let arguments = params.arguments.map_or("{}", RawValue::get);
        let quoted = to_raw(&arguments);
        Ok(raw(format!(
            r#"{{"content":[{{"type":"text","text":{}}}]}}"#,
            quoted.get()
        )))
    }
}

#[async_trait]
impl LocalServer for ReplayServer {
    async fn handle(&self, method: &str, params: Option<&RawValue>) -> Result<Box<RawValue>, RpcError> {
        match method {
            "tools/list" => self.list(params),
            "tools/call" => self.call(params),
            _ => Err(RpcError::new(
                METHOD_NOT_FOUND,
                format!("no such method: {method}"),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tools(count: usize) -> Vec<Box<RawValue>> {
        (0..count)
            .map(|n| raw(format!(r#"{{"name":"tool_{n}","inputSchema":{{"x":1.50}}}}"#)))
            .collect()
    }

    async fn pages(server: &ReplayServer) -> Vec<String> {
        let (mut found, mut cursor) = (Vec::new(), None::<String>);
        loop {
            let params = cursor.map(|cursor| raw(format!(r#"{{"cursor":"{cursor}"}}"#)));
            let page = server.handle("tools/list", params.as_deref()).await.unwrap();
            let page: serde_json::Value = serde_json::from_str(page.get()).unwrap();
            let listed = page["tools"].as_array().unwrap();
            found.extend(
                listed
                    .iter()
                    .map(|tool| tool["name"].as_str().unwrap().to_owned()),
            );
            match page.get("nextCursor") {
                Some(next) => cursor = Some(next.as_str().unwrap().to_owned()),
                None => return found,
            }
        }
    }

    proptest! {
        #[test]
        fn pages_add_up_to_the_list(count in 0_usize..40, size in 1_usize..12) {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let names = runtime.block_on(pages(&ReplayServer::new(tools(count)).paged(size)));
            prop_assert_eq!(names, (0..count).map(|n| format!("tool_{n}")).collect::<Vec<_>>());
        }
    }

    #[tokio::test]
    async fn calls_come_back_and_strangers_do_not() {
        let server = ReplayServer::echo();
        let params = raw(r#"{"name":"echo","arguments":{"text":"\u2603", "n":1.50}}"#.to_owned());
        let result = server.handle("tools/call", Some(&params)).await.unwrap();
        let result: serde_json::Value = serde_json::from_str(result.get()).unwrap();
        assert_eq!(
            result["content"][0]["text"].as_str().unwrap(),
            r#"{"text":"\u2603", "n":1.50}"#
        );
        for (method, params, code) in [
            ("tools/call", r#"{"name":"other"}"#, INVALID_PARAMS),
            ("tools/call", "7", INVALID_PARAMS),
            ("tools/list", r#"{"cursor":"x"}"#, INVALID_PARAMS),
            ("prompts/list", "{}", METHOD_NOT_FOUND),
        ] {
            let error = server
                .handle(method, Some(&raw(params.to_owned())))
                .await
                .unwrap_err();
            assert_eq!(error.code, code, "{method} {params}");
        }
    }
}
