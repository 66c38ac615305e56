//! How do we call a tool?
//!
//! Federates MCP servers: keeps one merged [`Catalog`](handpick_domain::Catalog) of all their tools,
//! calls a tool for whoever holds a permit, and lets a server that is missing, slow, crashing or lying
//! cost only itself. Messages are passed on as the JSON they came as; nothing is modelled that is not
//! decided on.
//!
//! Read [`upstreams`] first, then `server`, then one transport. What a server asks for during a call is in `desk`
//! (revisions up to 2025-11-25, where it sends requests) and in `rounds` (2026-07-28, where results ask).

pub mod cache;
pub mod call;
pub mod client;
pub mod config;
pub mod status;
pub mod upstreams;

mod ask;
mod backoff;
mod connect;
mod desk;
mod events;
mod fault;
mod greeting;
mod hub;
mod incoming;
mod link;
mod list;
mod lock;
mod mirror;
mod offer;
mod patience;
mod pending;
mod rounds;
mod server;
mod signals;

mod http;
mod local;
mod sse;
mod stdio;

pub use cache::{CachedCatalog, CatalogCache, NoCache};
pub use call::{CallError, ToolCall};
pub use client::{Client, Question, Reply, Unasked};
pub use config::{ServerConfig, Transport, TransportKind};
pub use handpick_protocol::{Era, LocalServer};
pub use http::connector::{Clients, HttpClient};
pub use status::{ServerState, ServerStatus, SkippedTool};
pub use upstreams::Upstreams;
