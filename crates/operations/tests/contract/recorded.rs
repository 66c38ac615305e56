//! Do the promises hold for what real servers say? (87 recorded lists, 3,207 tools)
//!
//! Needs the folder of recordings; without it every test says that it is skipped.

use std::sync::Arc;

use handpick_domain::{Caller, Presentation, Scope};
use handpick_operations::Opened;
use handpick_operations::open_surface::open_surface;
use handpick_presentation::{Page, Promoted, list_page};
use handpick_testkit::{Recorded, ReplayServer, shared_folder_or_skip};
use handpick_upstream::{ServerConfig, Transport};
use serde_json::value::RawValue;

use crate::deployment::{Deployment, Plan};

mod finding;
mod listing;
mod names;
mod running;
mod telling;

/// Servers and tools of the recordings.
const SERVERS: usize = 87;
const TOOLS: usize = 3_207;

/// Every recording; nothing, and a line that says so, where there are none.
fn recordings(test: &str) -> Option<Vec<Recorded>> {
    let recordings = Recorded::read_all(&shared_folder_or_skip(test)?).unwrap();
    assert_eq!(recordings.len(), SERVERS);
    Some(recordings)
}

/// A server under its recorded name with these tools.
fn server(name: &str, tools: Vec<Box<RawValue>>) -> ServerConfig {
    ServerConfig::new(name, Transport::Local(Arc::new(ReplayServer::new(tools))))
}

/// The recorded servers behind one gateway for each presentation; finds nothing.
fn plan(recordings: &[Recorded]) -> Plan {
    let plan = Plan::new()
        .encoder(None)
        .gateway("direct", Presentation::Direct, &["*"])
        .gateway("discovery", Presentation::Discovery, &["*"])
        .gateway("recommend", Presentation::Recommend, &["*"]);
    recordings.iter().fold(plan, |plan, recorded| {
        plan.config(server(&recorded.server, recorded.tools.clone()))
    })
}

fn admin() -> Caller {
    Caller {
        key_id: "k".to_owned(),
        scopes: [Scope::Admin].into(),
        ..Caller::default()
    }
}

fn open(deployment: &Deployment, gateway: &str) -> Arc<Opened> {
    open_surface(&deployment.runtime, gateway, &admin()).unwrap()
}

/// The pages of `tools/list`, from the first to the last.
fn pages(opened: &Opened) -> Vec<Page> {
    let (mut pages, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let page = list_page(
            &opened.surface,
            opened.mode,
            &opened.gateway,
            &Promoted::default(),
            cursor.as_deref(),
        )
        .unwrap();
        cursor = page.next_cursor.clone();
        pages.push(page);
        if cursor.is_none() {
            return pages;
        }
    }
}
