//! How does a gateway show its tools, what does that cost, and who says so?
//!
//! | question | file |
//! |---|---|
//! | what is set, for gateways and agents, and how is it changed? | this one |
//! | which rules are in force? | `rules` |
//! | which open agents may leave? | `in_use` |
//! | which tools does an agent bind? | `bound` |
//! | which mode would be best? | [`advice`] |
//! | how well are the tools of a gateway found? | [`measured`] |

pub mod advice;
mod bound;
mod in_use;
pub mod measured;
mod rules;

use std::collections::BTreeSet;
use std::sync::Arc;

use handpick_domain::{AgentId, Autonomy, Caller, Gateway, Presentation, SystemToolkit};
use handpick_presentation::{Cost, Mode, Promoted, cost, list_page};
use handpick_store::{PresentationEdit, Presented, StoreError};

use crate::agents::{AgentError, on_a_thread};
use crate::open_surface::open_surface;
use crate::{Opened, Runtime};
pub use in_use::HeldGateway;
pub(crate) use rules::Rules;

/// A gateway of the settings file as one caller sees it.
#[derive(Clone, Debug)]
pub struct GatewayView {
    /// Its name.
    pub name: String,
    /// What is set.
    pub presentation: PresentationView,
    /// Customers' tools that its allow-list covers: what `adaptive` counts (P9).
    pub bound: usize,
    /// System tools, which are listed in every mode.
    pub system: usize,
    /// Names the corpus and the presentation (P14).
    pub snapshot: String,
    /// Names of the first page of its list.
    pub listed: Vec<String>,
    /// What the list costs in each mode.
    pub costs: Vec<(Mode, Cost)>,
}

/// What is set for a gateway or an agent (P3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresentationView {
    /// The setting.
    pub mode: Presentation,
    /// What it comes to for a surface opened now (P6).
    pub resolved: Mode,
    /// Who chose the setting.
    pub set_by: SetBy,
    /// How freely tools may be run (P4).
    pub autonomy: Autonomy,
    /// Toolkits of the gateway itself that are turned on (P23).
    pub system_tools: BTreeSet<SystemToolkit>,
}

/// Who chose how tools are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetBy {
    /// Somebody changed it while the gateway ran.
    Api,
    /// The settings file, by another value than the default.
    File,
    /// Nobody: it is as it is for every new one (P2, C16).
    Default,
}

impl SetBy {
    /// Spelling for programs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Api => "api",
            Self::File => "file",
            Self::Default => "default",
        }
    }
}

/// What is set for an agent, and what there is to show of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentPresentation {
    /// What is set.
    pub presentation: PresentationView,
    /// Tools of its catalog.
    pub published: usize,
    /// Tools of the servers that these bind: what can be run through it.
    pub bound: usize,
}

/// Why a gateway or agent could not be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum GatewayError {
    /// The settings file names no such gateway.
    #[error("there is no gateway `{0}`")]
    Unknown(String),
    /// The agent is not there, or cannot be read.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// A toolkit of the gateway itself cannot be turned on beside a server of its name.
    #[error("the toolkit `{0}` cannot be turned on: a server has that name")]
    Taken(&'static str),
    /// It could not be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Not at this moment; a retry may succeed.
    #[error("this is temporarily unavailable, a retry may succeed")]
    Unavailable,
}

impl Runtime {
    /// Whether a surface can be opened under this name: there is a gateway of the settings file, or an agent (C13).
    /// An agent that was not open yet is read from the store; for a gateway of the file it costs two look-ups.
    pub async fn gateway_exists(&self, name: &str) -> bool {
        self.hold_gateway(name).await.is_some()
    }

    /// Keeps a gateway open, as [`Self::gateway_exists`] finds it: an agent does not leave for another one while
    /// anybody keeps it, or has a surface of it.
    pub async fn hold_gateway(&self, name: &str) -> Option<HeldGateway> {
        self.rules.hold(name).await
    }

    /// The gateways of the settings file, by name.
    pub fn gateway_names(&self) -> Vec<String> {
        self.rules.file_names()
    }

    /// Lets count what was changed in earlier runs; to be called once, before anybody asks.
    pub async fn load_presentations(&self) -> Result<(), StoreError> {
        self.rules.load_changes().await
    }
}

/// Every gateway of the settings file, by name.
pub async fn list_gateways(runtime: &Runtime, caller: &Caller) -> Result<Vec<GatewayView>, GatewayError> {
    let mut views = Vec::new();
    for name in runtime.gateway_names() {
        views.push(read_gateway(runtime, &name, caller).await?);
    }
    Ok(views)
}

/// One gateway of the settings file, as `caller` would see it.
pub async fn read_gateway(
    runtime: &Runtime,
    name: &str,
    caller: &Caller,
) -> Result<GatewayView, GatewayError> {
    let opened = open_configured(runtime, name, caller)?;
    Ok(GatewayView {
        name: name.to_owned(),
        presentation: view(
            runtime,
            &Presented::Gateway(name.to_owned()),
            &opened.gateway,
            opened.mode,
        ),
        bound: opened.surface.bound.len(),
        system: opened.surface.system.len(),
        snapshot: opened.snapshot().to_owned(),
        listed: first_page(&opened),
        costs: costs(&opened).await?,
    })
}

/// The names a client reads first.
fn first_page(opened: &Opened) -> Vec<String> {
    #[derive(serde::Deserialize)]
    struct Named {
        name: String,
    }
    let promoted = Promoted::default();
    let page = list_page(&opened.surface, opened.mode, &opened.gateway, &promoted, None);
    let tools = page.map(|page| page.tools).unwrap_or_default();
    let named = tools
        .iter()
        .filter_map(|tool| serde_json::from_str::<Named>(tool.get()).ok());
    named.map(|tool| tool.name).collect()
}

/// What is set for an agent (C13).
pub async fn read_agent_presentation(
    runtime: &Runtime,
    id: &AgentId,
) -> Result<AgentPresentation, GatewayError> {
    let (gateway, published) = runtime.rules.agent(id).await?;
    let catalog = runtime.upstreams.catalog();
    // What is bound is bound whoever asks (P9).
    let nobody = Caller::default();
    let surface = runtime.policy().open_surface(catalog, Some(&gateway), &nobody);
    let bound = surface.bound.len();
    let mode = Mode::resolve(gateway.presentation, bound);
    Ok(AgentPresentation {
        presentation: view(runtime, &Presented::Agent(id.to_string()), &gateway, mode),
        published,
        bound,
    })
}

/// Changes how a gateway of the settings file, or an agent, is shown. Durable when this returns, and in force for
/// surfaces opened from then on (P10); how freely tools may run counts at once for those that are open, too. Changes
/// made at the same time come one after the other, and none undoes what another did to another setting.
pub async fn set_presentation(
    runtime: &Runtime,
    presented: Presented,
    edit: PresentationEdit,
) -> Result<(), GatewayError> {
    runtime.rules.change(presented, edit).await
}

/// The surface of a gateway of the settings file. Agents have names of their own, told apart by who asks for them.
fn open_configured(runtime: &Runtime, name: &str, caller: &Caller) -> Result<Arc<Opened>, GatewayError> {
    let opened = runtime
        .rules
        .is_of_file(name)
        .then(|| open_surface(runtime, name, caller));
    opened
        .flatten()
        .ok_or_else(|| GatewayError::Unknown(name.to_owned()))
}

fn view(runtime: &Runtime, presented: &Presented, gateway: &Gateway, resolved: Mode) -> PresentationView {
    PresentationView {
        mode: gateway.presentation,
        resolved,
        set_by: runtime.rules.set_by(presented),
        autonomy: gateway.autonomy,
        system_tools: gateway.system_tools.clone(),
    }
}

/// The cost of each mode. Away from the threads that answer: thousands of definitions take their time.
async fn costs(opened: &Arc<Opened>) -> Result<Vec<(Mode, Cost)>, GatewayError> {
    let opened = Arc::clone(opened);
    let work = move || {
        let of_mode = |mode| (mode, cost(&opened.surface, mode, &opened.gateway));
        Mode::ALL.into_iter().map(of_mode).collect()
    };
    Ok(on_a_thread(work).await?)
}
