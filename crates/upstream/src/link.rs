//! What is a connection to a server, whatever it is made of?

use std::sync::Arc;

use handpick_protocol::Era;
use serde_json::value::RawValue;

use crate::TransportKind;
use crate::ask::Ask;
use crate::fault::Fault;
use crate::http::HttpLink;
use crate::local::LocalLink;
use crate::sse::SseLink;
use crate::stdio::StdioLink;

/// An open connection.
pub(crate) enum Link {
    /// To a child process.
    Stdio(StdioLink),
    /// To a streamable HTTP endpoint.
    Http(Arc<HttpLink>),
    /// To an HTTP+SSE endpoint.
    Sse(Box<SseLink>),
    /// To a server in this process.
    Local(LocalLink),
}

impl Link {
    /// Sends one request and waits for its answer: the result exactly as the server sent it. Dropping
    /// the future cancels the request upstream.
    pub async fn request(&self, ask: &Ask<'_>) -> Result<Box<RawValue>, Fault> {
        match self {
            Self::Stdio(link) => link.request(ask).await,
            Self::Http(link) => link.request(ask).await,
            Self::Sse(link) => link.request(ask).await,
            Self::Local(link) => link.request(ask).await,
        }
    }

    /// Whether it is of no use any more.
    pub fn is_closed(&self) -> bool {
        match self {
            Self::Stdio(link) => link.is_closed(),
            Self::Http(link) => link.is_closed(),
            Self::Sse(link) => link.is_closed(),
            Self::Local(_) => false,
        }
    }

    /// The era spoken on it.
    pub fn era(&self) -> Option<Era> {
        match self {
            Self::Stdio(link) => Some(link.era()),
            Self::Http(link) => Some(link.era()),
            Self::Sse(_) => Some(Era::Legacy),
            Self::Local(_) => None,
        }
    }

    /// What it is made of.
    pub fn kind(&self) -> TransportKind {
        match self {
            Self::Stdio(_) => TransportKind::Stdio,
            Self::Http(_) => TransportKind::Http,
            Self::Sse(_) => TransportKind::Sse,
            Self::Local(_) => TransportKind::Local,
        }
    }

    /// Whether arguments are mirrored into headers on it.
    pub fn mirrors(&self) -> bool {
        matches!(self, Self::Http(link) if link.era() == Era::Modern)
    }

    /// Ends it politely.
    pub async fn shutdown(&self) {
        match self {
            Self::Stdio(link) => link.shutdown().await,
            Self::Http(link) => link.shutdown().await,
            Self::Sse(link) => link.shutdown().await,
            Self::Local(_) => {}
        }
    }
}
