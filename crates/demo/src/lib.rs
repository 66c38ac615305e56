//! What is there to try without any server of one's own?
//!
//! The tools of a company that does not exist. Bramble & Co sells balcony garden kits and a seed
//! subscription; its apps share one story, the week of the 2026 winter sale: a checkout release
//! charges customers twice, and the traces of it stand in tickets, invoices, deploys and chat, under ids
//! that fit together. Everything lives in memory and answers the same on every run.

mod answer;
mod app;
mod apps;
mod argument;
mod arguments;
mod euros;
mod picture;
mod refusal;
mod schema;
mod story_time;
mod table;
mod tool;
mod walkthrough;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use handpick_protocol::LocalServer;
use serde::de::DeserializeOwned;

pub use walkthrough::{Task, Walkthrough, WalkthroughCall, walkthrough};

/// A built-in app, ready to be connected like any other MCP server.
#[derive(Clone)]
pub struct DemoApp {
    /// The name to connect it under, such as `billing`.
    pub name: &'static str,
    /// What it is for, in one sentence.
    pub about: &'static str,
    /// Answers `initialize`, `ping`, `tools/list` (in pages) and `tools/call`.
    pub server: Arc<dyn LocalServer>,
}

impl<S: Clone + DeserializeOwned + Send + 'static> From<app::App<S>> for DemoApp {
    fn from(app: app::App<S>) -> Self {
        let app = app.complete();
        Self {
            name: app.name,
            about: app.about,
            server: Arc::new(app),
        }
    }
}

/// Every demo app, each with a fresh copy of its seed data.
pub fn apps() -> Vec<DemoApp> {
    apps::all()
}
