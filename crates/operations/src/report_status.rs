//! Is everything well?

use handpick_upstream::ServerStatus;

use crate::{Indexing, Runtime};

/// The state of one running gateway.
#[derive(Debug)]
pub struct Status {
    /// Each upstream server, with what is wrong with it in words.
    pub servers: Vec<ServerStatus>,
    /// Tools offered.
    pub tools: usize,
    /// Tools left out because a meta-tool has their name (P27).
    pub reserved: Vec<String>,
    /// How far the vectors are; `None` without selection.
    pub indexing: Option<Indexing>,
    /// Gateways: name, presentation as it resolves now, tools bound.
    pub gateways: Vec<GatewayStatus>,
    /// Records lost because the disk could not keep up.
    pub records_dropped: u64,
}

/// One gateway at a glance.
#[derive(Debug)]
pub struct GatewayStatus {
    /// Its name in URLs.
    pub name: String,
    /// How it shows its tools now.
    pub mode: &'static str,
    /// Tools its allow-list covers.
    pub bound: usize,
}

/// Gathers the state of everything.
pub fn report_status(runtime: &Runtime) -> Status {
    let catalog = runtime.upstreams.catalog();
    let nobody = handpick_domain::Caller::default();
    let gateways = runtime
        .gateway_names()
        .into_iter()
        .filter_map(|name| {
            let opened = crate::open_surface::open_surface(runtime, &name, &nobody)?;
            let bound = opened.surface.bound.len();
            Some(GatewayStatus {
                name,
                mode: opened.mode.as_str(),
                bound,
            })
        })
        .collect();
    Status {
        servers: runtime.upstreams.status(),
        tools: catalog.tools().len(),
        reserved: catalog.reserved().iter().map(ToString::to_string).collect(),
        indexing: runtime
            .selector
            .as_ref()
            .map(|selector| *selector.progress().borrow()),
        gateways,
        records_dropped: runtime.recorder.dropped(),
    }
}
