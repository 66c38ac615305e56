//! Do calls work against servers built with the official Rust SDK, in every mode it has?

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::support::*;
use handpick_upstream::{Era, ToolCall};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ProtocolVersion, ServerCapabilities, ServerConfig,
    SubscriptionFilter, Tool,
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
    cancelled: Arc<AtomicUsize>,
    listening: Arc<AtomicUsize>,
}

impl Reference {
    fn new(versions: &'static [ProtocolVersion]) -> Self {
        Self {
            versions,
            cancelled: Arc::default(),
            listening: Arc::default(),
        }
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
        let tools = ["echo", "work", "hang"].map(|name| Tool::new(name, "A tool", Arc::clone(&schema)));
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
            "hang" => {
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

/// Calls, errors, progress and cancellation against one server.
async fn exercise(config: handpick_upstream::ServerConfig, era: Era, cancelled: Option<&AtomicUsize>) {
    let upstreams = start(vec![config]).await;
    let found = status(&upstreams, "s");
    assert_eq!(
        (found.era, found.tools, found.problem.as_deref()),
        (Some(era), 3, None),
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
    let dropped = tokio::time::timeout(Duration::from_millis(300), call(&upstreams, "s.hang", "{}")).await;
    assert!(dropped.is_err());
    if let Some(cancelled) = cancelled {
        eventually("the cancellation", || cancelled.load(Ordering::Relaxed) == 1).await;
    }
    assert!(call(&upstreams, "s.echo", "{}").await.is_ok());
    upstreams.shutdown().await;
}

#[tokio::test]
async fn streamable_http_of_the_sdk() {
    for (versions, era) in [(OLD, Era::Legacy), (NEW, Era::Modern), (BOTH, Era::Modern)] {
        for sessions in [true, false] {
            for json in [true, false] {
                let reference = Reference::new(versions);
                let (cancelled, listening) =
                    (Arc::clone(&reference.cancelled), Arc::clone(&reference.listening));
                let config = StreamableHttpServerConfig::default()
                    .with_legacy_session_mode(sessions)
                    .with_json_response(json);
                let url = serve(reference, config).await;
                // Without a session a legacy server cannot tell which request a cancellation means.
                let cancelled = (era == Era::Modern || sessions).then_some(&*cancelled);
                exercise(http("s", &url), era, cancelled).await;
                if era == Era::Modern {
                    assert_eq!(
                        listening.load(Ordering::Relaxed),
                        1,
                        "{versions:?} {sessions} {json}"
                    );
                }
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
