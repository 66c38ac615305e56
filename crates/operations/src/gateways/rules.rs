//! Which rules are in force: what the file says, what was changed since, and the agents that are open?

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwap;
use handpick_access::Policy;
use handpick_domain::{AgentId, AgentTool, Gateway, Presentation, Surface, SystemToolkit};
use handpick_store::{PresentationEdit, PresentationSettings, Presented, Store, StoreError};
use handpick_upstream::Upstreams;

use super::bound::{PublishedTool, bind};
use super::in_use::{HeldGateway, InUse};
use super::{GatewayError, SetBy};
use crate::agents::{AgentError, learn, on_a_thread};
use crate::open_surface::Surfaces;
use crate::runtime::now_ms;

/// The rules of a running deployment with all they are made of.
///
/// They are made anew and swapped whole, under one lock, whenever a part of them changes, so that no change undoes
/// another. Surfaces opened before stay as they are; admission reads the new rules at once (P10, P14).
pub(crate) struct Rules {
    in_force: ArcSwap<Policy>,
    /// Surfaces opened by the rules in force.
    pub(crate) surfaces: Surfaces,
    /// Who uses the agents that are open.
    in_use: InUse,
    /// Names of the gateways of the settings file, to be looked up without waiting for `parts`.
    of_file: ArcSwap<BTreeSet<String>>,
    upstreams: Arc<Upstreams>,
    store: Store,
    parts: Mutex<Parts>,
    /// The turn to change what is stored: the store and the rules change in the same order.
    turn: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Parts {
    /// Gateways and restrictions as the settings file has them.
    file: Policy,
    /// What was changed of them, and of agents, since.
    changed: HashMap<Presented, PresentationSettings>,
    /// Agents that somebody has opened, by id.
    agents: HashMap<String, OpenAgent>,
    /// Toolkits whose tools are in the catalog.
    offered: BTreeSet<SystemToolkit>,
}

/// An agent as a gateway (C13).
struct OpenAgent {
    tools: Arc<[PublishedTool]>,
    /// The catalog that its tools were looked up in.
    generation: u64,
    /// Its gateway before anything was changed of it.
    gateway: Gateway,
}

impl Rules {
    pub(crate) fn new(file: Policy, upstreams: Arc<Upstreams>, store: Store) -> Self {
        let rules = Self {
            in_force: ArcSwap::default(),
            surfaces: Surfaces::default(),
            in_use: InUse::default(),
            of_file: ArcSwap::default(),
            upstreams,
            store,
            parts: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
        };
        rules.set_file(file);
        rules
    }

    /// The rules as they are now.
    pub(crate) fn policy(&self) -> Arc<Policy> {
        self.in_force.load_full()
    }

    /// Replaces what the settings file says.
    pub(crate) fn set_file(&self, file: Policy) {
        let mut parts = self.parts();
        let names = file.gateways.keys().cloned().collect();
        self.of_file.store(Arc::new(names));
        parts.file = file;
        self.put_in_force(&mut parts);
    }

    /// Reads what was changed in earlier runs.
    pub(crate) async fn load_changes(&self) -> Result<(), StoreError> {
        let _turn = self.turn.lock().await;
        let changed = self.store.presentation_load_all().await?;
        let mut parts = self.parts();
        parts.changed = changed.into_iter().collect();
        self.put_in_force(&mut parts);
        Ok(())
    }

    /// The gateways of the settings file, by name.
    pub(crate) fn file_names(&self) -> Vec<String> {
        self.parts().file.gateways.keys().cloned().collect()
    }

    /// Whether the settings file has a gateway of this name.
    pub(crate) fn is_of_file(&self, name: &str) -> bool {
        self.of_file.load().contains(name)
    }

    /// Who chose how a gateway of the file, or an agent, is shown.
    pub(crate) fn set_by(&self, presented: &Presented) -> SetBy {
        let parts = self.parts();
        let changed = parts.changed.get(presented);
        if changed.is_some_and(|changed| changed.mode.is_some()) {
            return SetBy::Api;
        }
        let of_file = match presented {
            Presented::Gateway(name) => parts.file.gateways.get(name),
            Presented::Agent(_) => None,
        };
        match of_file {
            Some(gateway) if gateway.presentation != Presentation::default() => SetBy::File,
            _ => SetBy::Default,
        }
    }

    /// Keeps a gateway of the file, or an agent, open under this name; nothing where there is none. An agent that was
    /// not open yet is read from the store. For a gateway of the file it costs two look-ups.
    pub(crate) async fn hold(&self, name: &str) -> Option<HeldGateway> {
        if let Some(held) = self.in_use.hold(name) {
            return Some(held);
        }
        if self.is_of_file(name) {
            return Some(HeldGateway::of_file());
        }
        let id = AgentId::parse(name).ok()?;
        match self.hold_agent(&id).await {
            Ok((held, ..)) => Some(held),
            Err(AgentError::Unknown(_)) => None,
            Err(error) => {
                tracing::error!(%error, agent = name, "an agent cannot be opened");
                None
            }
        }
    }

    /// A surface of this gateway was opened: as long as it is there, an agent stays open.
    pub(crate) fn note_surface(&self, gateway: &str, surface: &Arc<Surface>) {
        self.in_use.note(gateway, surface);
    }

    /// An agent as a gateway, with what was changed of it, and how many tools it has published.
    pub(crate) async fn agent(&self, id: &AgentId) -> Result<(Gateway, usize), AgentError> {
        let (_, gateway, published) = self.hold_agent(id).await?;
        Ok((gateway, published))
    }

    async fn hold_agent(&self, id: &AgentId) -> Result<(HeldGateway, Gateway, usize), AgentError> {
        let _turn = self.turn.lock().await;
        let mut held = self.in_use.hold(id.as_str());
        if held.is_none() {
            let json = self.store.agent_catalog_load(id.as_str()).await?;
            let json = json.ok_or_else(|| AgentError::Unknown(id.clone()))?;
            let tools = on_a_thread(move || learn::tools_of(&json)).await?;
            let tools = tools.map_err(|reason| {
                tracing::error!(agent = %id, reason, "a stored catalog cannot be read; publish it again");
                AgentError::Unavailable
            })?;
            held = Some(self.open_agent(&mut self.parts(), id, &tools));
        }
        let mut parts = self.parts();
        self.bind_anew(&mut parts);
        let agent = parts.agents.get(id.as_str()).zip(held);
        let (agent, held) = agent.ok_or(AgentError::Unavailable)?;
        Ok((held, parts.presented(id.as_str(), agent), agent.tools.len()))
    }

    /// An agent's catalog was replaced by `tools`, or erased: so is its gateway, if anybody has opened it. To be called
    /// once the store has it.
    pub(crate) async fn follow_agent(&self, id: &AgentId, tools: Option<&[AgentTool]>) {
        let _turn = self.turn.lock().await;
        let mut parts = self.parts();
        let was_open = parts.agents.contains_key(id.as_str());
        match tools {
            Some(tools) if was_open => {
                self.open_agent(&mut parts, id, tools);
            }
            Some(_) => {}
            None => {
                parts.changed.remove(&Presented::Agent(id.to_string()));
                self.in_use.close(id.as_str());
                if parts.agents.remove(id.as_str()).is_some() {
                    self.put_in_force(&mut parts);
                }
            }
        }
    }

    /// Makes sure that an agent binds what there is now. A gateway of the file says by patterns what it binds, so there
    /// is nothing to do for it.
    pub(crate) fn keep_up(&self, name: &str) {
        let mut parts = self.parts();
        if parts.agents.contains_key(name) {
            self.bind_anew(&mut parts);
        }
    }

    /// Changes a presentation: in the store, then in the rules. Ends even when whoever asked goes away.
    pub(crate) async fn change(
        self: &Arc<Self>,
        presented: Presented,
        edit: PresentationEdit,
    ) -> Result<(), GatewayError> {
        let rules = Arc::clone(self);
        let work = async move {
            let _turn = rules.turn.lock().await;
            if let Presented::Gateway(name) = &presented
                && !rules.is_of_file(name)
            {
                return Err(GatewayError::Unknown(name.clone()));
            }
            if let Some(taken) = rules.taken(&edit) {
                return Err(GatewayError::Taken(taken));
            }
            let changed = rules
                .store
                .presentation_change(&presented, edit, now_ms())
                .await?;
            let Some(changed) = changed else {
                let Presented::Agent(id) = presented else {
                    return Err(GatewayError::Unavailable);
                };
                let id = AgentId::parse(&id).map_err(|_| GatewayError::Unavailable)?;
                return Err(AgentError::Unknown(id).into());
            };
            let mut parts = rules.parts();
            parts.changed.insert(presented, changed);
            rules.put_in_force(&mut parts);
            Ok(())
        };
        tokio::spawn(work).await.unwrap_or_else(|error| {
            tracing::error!(%error, "a presentation could not be changed");
            Err(GatewayError::Unavailable)
        })
    }

    /// A toolkit that a change would turn on and whose name a server has.
    fn taken(&self, edit: &PresentationEdit) -> Option<&'static str> {
        let wanted = edit.system_tools.value()?;
        let mut names = wanted.iter().map(|toolkit| toolkit.as_str());
        names.find(|name| self.is_server(name))
    }

    fn is_server(&self, name: &str) -> bool {
        self.upstreams.serves(name)
    }

    /// Never held while anything is waited for.
    fn parts(&self) -> MutexGuard<'_, Parts> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open_agent(&self, parts: &mut Parts, id: &AgentId, tools: &[AgentTool]) -> HeldGateway {
        let tools: Arc<[PublishedTool]> = tools.iter().map(PublishedTool::of).collect();
        if !parts.agents.contains_key(id.as_str()) && self.in_use.is_full() {
            // A surface that is only ready for reuse is not in use.
            self.surfaces.forget();
            for gone in self.in_use.make_room() {
                parts.agents.remove(&gone);
            }
        }
        let held = self.in_use.open(id.as_str());
        let catalog = self.upstreams.catalog();
        let agent = OpenAgent {
            gateway: bind(id.as_str(), &tools, &catalog, parts.namespace()),
            tools,
            generation: catalog.generation(),
        };
        parts.agents.insert(id.to_string(), agent);
        self.put_in_force(parts);
        held
    }

    /// Looks the tools of every agent up in the catalog of now, where any was looked up in an older one.
    fn bind_anew(&self, parts: &mut Parts) {
        let catalog = self.upstreams.catalog();
        let generation = catalog.generation();
        if parts.agents.values().all(|agent| agent.generation == generation) {
            return;
        }
        let namespace = parts.namespace().to_owned();
        for (id, agent) in &mut parts.agents {
            agent.gateway = bind(id, &agent.tools, &catalog, &namespace);
            agent.generation = generation;
        }
        self.put_in_force(parts);
    }

    /// Makes the rules of their parts and lets them count. Toolkits that some gateway turns on are offered from now on.
    fn put_in_force(&self, parts: &mut Parts) {
        let policy = parts.policy();
        let turned_on = policy.gateways.values().flat_map(|gateway| &gateway.system_tools);
        for toolkit in turned_on {
            if self.is_server(toolkit.as_str()) {
                tracing::warn!(
                    "the toolkit `{0}` is left off: a server has the name `{0}`",
                    toolkit.as_str()
                );
                continue;
            }
            if parts.offered.insert(*toolkit) {
                self.upstreams
                    .offer(toolkit.as_str(), crate::system::tools(*toolkit));
            }
        }
        self.in_force.store(Arc::new(policy));
        self.surfaces.forget();
    }
}

impl Parts {
    /// Gateways of the file first: an agent of the same name cannot take their place.
    fn policy(&self) -> Policy {
        let mut policy = self.file.clone();
        for (name, gateway) in &mut policy.gateways {
            self.apply(&Presented::Gateway(name.clone()), gateway);
        }
        for (id, agent) in &self.agents {
            if !policy.gateways.contains_key(id) {
                policy.gateways.insert(id.clone(), self.presented(id, agent));
            }
        }
        policy
    }

    /// An agent's gateway with what was changed of it.
    fn presented(&self, id: &str, agent: &OpenAgent) -> Gateway {
        let mut gateway = agent.gateway.clone();
        self.apply(&Presented::Agent(id.to_owned()), &mut gateway);
        gateway
    }

    fn apply(&self, presented: &Presented, gateway: &mut Gateway) {
        let Some(changed) = self.changed.get(presented) else {
            return;
        };
        gateway.presentation = changed.mode.unwrap_or(gateway.presentation);
        gateway.autonomy = changed.autonomy.unwrap_or(gateway.autonomy);
        if let Some(system_tools) = &changed.system_tools {
            gateway.system_tools.clone_from(system_tools);
        }
    }

    /// One for the whole deployment, so any gateway of the file has it.
    fn namespace(&self) -> &str {
        let first = self.file.gateways.values().next();
        first.map_or(DEFAULT_NAMESPACE, |gateway| &gateway.namespace)
    }
}

/// Prefix of the recommend mode's tools where no gateway says another (A3).
const DEFAULT_NAMESPACE: &str = "Arcade";
