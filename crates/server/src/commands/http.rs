//! How are the fronts served over HTTP, and how do they end?

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::anyhow;
use axum::Router;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::Redirect;
use axum::routing::get;
use axum::serve::ListenerExt as _;
use handpick_front_mcp::McpFront;
use handpick_front_rest::{RateLimit, RestFront};
use handpick_operations::Runtime;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tower_http::catch_panic::CatchPanicLayer;

use super::pages;
use crate::wire::DRAIN;

/// Takes an address, or says in one sentence why it cannot be had.
pub async fn bind(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            anyhow!("{address} is in use by another program; stop it or choose another address with --listen")
        }
        std::io::ErrorKind::PermissionDenied => {
            anyhow!("{address} may not be used: ports below 1024 need special rights; choose another with --listen")
        }
        _ => anyhow!("{address} cannot be listened on: {error}"),
    })
}

/// Every front on one router.
pub fn router(runtime: &Arc<Runtime>, allowed_origins: Vec<String>, rate_limit: RateLimit) -> Router {
    let pages: Arc<[String]> = allowed_origins.clone().into();
    let rest = RestFront::with_rate_limit(Arc::clone(runtime), rate_limit);
    handpick_front_mcp::router(Arc::new(McpFront::new(Arc::clone(runtime), allowed_origins)))
        .merge(handpick_front_rest::router(Arc::new(rest)))
        .route("/", get(|| async { Redirect::temporary("/docs") }))
        .fallback(|| async {
            (
                StatusCode::NOT_FOUND,
                "nothing is served here; MCP is at /mcp/NAME, REST at /v1, its documentation at /docs\n",
            )
        })
        .layer(from_fn_with_state(pages, pages::let_in))
        .layer(CatchPanicLayer::new())
}

/// A server at work.
pub struct Serving {
    stop: oneshot::Sender<()>,
    task: JoinHandle<std::io::Result<()>>,
}

/// Starts to serve.
pub fn start(listener: TcpListener, router: Router) -> Serving {
    let (stop, stopped) = oneshot::channel();
    // Small answers must not wait for a second packet.
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    let server = axum::serve(listener, router).with_graceful_shutdown(async {
        let _ = stopped.await;
    });
    Serving {
        stop,
        task: tokio::spawn(server.into_future()),
    }
}

impl Serving {
    /// Takes no new request, gives open ones a moment, then ends.
    pub async fn stop(self) {
        let _ = self.stop.send(());
        let mut task = self.task;
        if tokio::time::timeout(DRAIN, &mut task).await.is_err() {
            task.abort();
        }
    }
}
