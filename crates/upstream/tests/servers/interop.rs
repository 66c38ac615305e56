//! Do calls work against servers built with the official Rust SDK, in every mode it has?

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::support::*;
use handpick_upstream::{Era, ToolCall};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    InputRequiredResult, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ProtocolVersion,
    ServerCapabilities, ServerConfig, SubscriptionFilter, Tool,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use serde_json::json;
use tokio::sync::mpsc;

const OLD: &[ProtocolVersion] = &[ProtocolVersion::V_2025_11_25];
const NEW: &[ProtocolVersion] = &[ProtocolVersion::V_2026_07_28];
const BOTH: &[ProtocolVersion] = &[ProtocolVersion::V_2026_07_28, ProtocolVersion::V_2025_11_25];

#[derive(Clone)]
struct Reference {
    versions: &'static [ProtocolVersion],
    hanging: Arc<AtomicUsize>,
    cancelled: Arc<AtomicUsize>,
    /// Whether it can tell which request a cancellation means: a legacy server without sessions cannot.
    tells_cancellations: bool,
    listening: Arc<AtomicUsize>,
}

impl Reference {
    fn new(versions: &'static [ProtocolVersion]) -> Self {
        Self {
            versions,
            hanging: Arc::default(),
            cancelled: Arc::default(),
            tells_cancellations: true,
            listening: Arc::default(),
        }
    }
}

const QUESTION: &str = "What is the capital of France?";

impl Reference {
    /// Asks the client's model, as the SDK does it in the era that is spoken.
    async fn consult(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let params = json!({
            "messages": [{"role": "user", "content": {"type": "text", "text": QUESTION}}], "maxTokens": 10,
        });
        let read = |error: serde_json::Error| ErrorData::internal_error(error.to_string(), None);
        if !self.versions.contains(&ProtocolVersion::V_2026_07_28) {
            let params = serde_json::from_value(params).map_err(read)?;
            #[expect(deprecated, reason = "servers in use ask this way")]
            let said = context.peer.create_message(params).await;
            let said = said.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
            return Ok(CallToolResult::structured(json!({"said": said})).into());
        }
        let Some(said) = request.input_responses else {
            let requests = json!({"capital": {"method": "sampling/createMessage", "params": params}});
            let requests = serde_json::from_value(requests).map_err(read)?;
            return Ok(InputRequiredResult::new(Some(requests), Some("sealed".to_owned())).into());
        };
        assert_eq!(request.request_state.as_deref(), Some("sealed"));
        Ok(CallToolResult::structured(json!({"said": said["capital"]})).into())
    }
}

impl ServerHandler for Reference {
    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(self.versions)
    }

    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .build();
        ServerConfig::new(capabilities).with_server_info(Implementation::new("reference", "1.0.0"))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let schema = Arc::new(json!({"type": "object"}).as_object().unwrap().clone());
        let tools =
            ["echo", "work", "hang", "consult"].map(|name| Tool::new(name, "A tool", Arc::clone(&schema)));
        Ok(ListToolsResult::with_all_items(tools.into()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match &*request.name {
            "echo" => Ok(CallToolResult::structured(json!(request.arguments)).into()),
            "work" => {
                let token = context.meta.get_progress_token().unwrap();
                for step in 1..=3 {
                    let progress = ProgressNotificationParam::new(token.clone(), f64::from(step));
                    context.peer.notify_progress(progress).await.unwrap();
                }
                Ok(CallToolResult::success(vec![ContentBlock::text("done")]).into())
            }
            "consult" => self.consult(request, context).await,
            "hang" => {
                self.hanging.fetch_add(1, Ordering::Relaxed);
                context.ct.cancelled().await;
                self.cancelled.fetch_add(1, Ordering::Relaxed);
                Err(ErrorData::internal_error("cancelled", None))
            }
            name => Err(ErrorData::invalid_params(format!("no tool {name}"), None)),
        }
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.supported_by(&self.get_info().capabilities))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.listening.fetch_add(1, Ordering::Relaxed);
        context.cancelled().await;
        Ok(())
    }
}

async fn serve(reference: Reference, config: StreamableHttpServerConfig) -> String {
    let service = StreamableHttpService::new(
        move || Ok(reference.clone()),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    let router = axum::Router::new().nest_service("/mcp", service);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}/mcp")
}

/// Calls, errors, progress and cancellation against one server, which may be in this process.
async fn exercise(config: handpick_upstream::ServerConfig, era: Era, reference: Option<&Reference>) {
    let upstreams = start(vec![config]).await;
    let found = status(&upstreams, "s");
    assert_eq!(
        (found.era, found.tools, found.problem.as_deref()),
        (Some(era), 4, None),
        "{found:?}"
    );
    for number in 0..20 {
        let result = call(&upstreams, "s.echo", &format!(r#"{{"n":{number}}}"#))
            .await
            .unwrap();
        assert_eq!(result["structuredContent"], json!({"n": number}));
    }
    let (sender, mut receiver) = mpsc::unbounded_channel();
    let work = ToolCall {
        progress: Some(sender),
        ..call_of("{}")
    };
    let result = upstreams.call(permit(&upstreams, "s.work"), work).await.unwrap();
    assert!(result.get().contains("done"));
    let mut steps = 0;
    while receiver.recv().await.is_some() {
        steps += 1;
    }
    assert_eq!(steps, 3);
    // A legacy server without sessions cannot tell an answer from another message.
    if era == Era::Modern || reference.is_none_or(|reference| reference.tells_cancellations) {
        let client = crate::people::Person::new("anna", r#"{"sampling":{}}"#, true);
        let consult = ToolCall {
            client: Some(Arc::clone(&client) as Arc<dyn handpick_upstream::Client>),
            ..call_of("{}")
        };
        let result = upstreams
            .call(permit(&upstreams, "s.consult"), consult)
            .await
            .unwrap();
        let result: serde_json::Value = serde_json::from_str(result.get()).unwrap();
        assert_eq!(
            result["structuredContent"]["said"]["content"]["text"], "Paris",
            "{result}"
        );
        assert!(client.asked()[0].contains(QUESTION));
    }
    let dropped = tokio::spawn({
        let upstreams = Arc::clone(&upstreams);
        async move { call(&upstreams, "s.hang", "{}").await }
    });
    if let Some(reference) = reference {
        eventually("the call", || reference.hanging.load(Ordering::Relaxed) == 1).await;
    } else {
        // Where nobody tells that it has arrived it may be dropped on its way.
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    assert!(!dropped.is_finished());
    dropped.abort();
    if let Some(reference) = reference {
        eventually("the cancellation", || {
            !reference.tells_cancellations || reference.cancelled.load(Ordering::Relaxed) == 1
        })
        .await;
        let listening = usize::from(era == Era::Modern);
        eventually("the listener", || {
            reference.listening.load(Ordering::Relaxed) == listening
        })
        .await;
    }
    assert!(call(&upstreams, "s.echo", "{}").await.is_ok());
    upstreams.shutdown().await;
}

#[tokio::test]
async fn streamable_http_of_the_sdk() {
    for (versions, era) in [(OLD, Era::Legacy), (NEW, Era::Modern), (BOTH, Era::Modern)] {
        for sessions in [true, false] {
            for json in [true, false] {
                let mut reference = Reference::new(versions);
                reference.tells_cancellations = era == Era::Modern || sessions;
                let config = StreamableHttpServerConfig::default()
                    .with_legacy_session_mode(sessions)
                    .with_json_response(json);
                let url = serve(reference.clone(), config).await;
                exercise(http("s", &url), era, Some(&reference)).await;
            }
        }
    }
}

/// The SDK's server runs in this very test binary, started a second time: what the test harness
/// prints is noise of the kind real servers make.
#[tokio::test]
async fn stdio_of_the_sdk() {
    const VERSIONS: &str = "TEST_REFERENCE_VERSIONS";
    let all = [
        ("old", OLD, Era::Legacy),
        ("new", NEW, Era::Modern),
        ("both", BOTH, Era::Modern),
    ];
    if let Ok(asked) = std::env::var(VERSIONS) {
        let (_, versions, _) = all.into_iter().find(|(name, ..)| *name == asked).unwrap();
        let service = Reference::new(versions)
            .serve(rmcp::transport::stdio())
            .await
            .unwrap();
        service.waiting().await.unwrap();
        std::process::exit(0);
    }
    let this = std::env::current_exe().unwrap();
    for (name, _, era) in all {
        let mut config = program(
            "s",
            this.to_str().unwrap(),
            &[
                "--exact",
                "interop::stdio_of_the_sdk",
                "--nocapture",
                "--test-threads=2",
            ],
        );
        if let handpick_upstream::Transport::Stdio { env, .. } = &mut config.transport {
            env.insert(VERSIONS.to_owned(), name.to_owned());
        }
        exercise(config, era, None).await;
    }
}
