//! Which agents that are open as gateways are in use, and which may leave?

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use handpick_domain::Surface;

use crate::limits::AGENT_GATEWAYS_MAX;

/// A gateway that stays open for as long as this is kept: for whoever opens surfaces of it now and then.
///
/// Gateways of the settings file always stay; an agent that nobody keeps, and of which no surface is left, may leave
/// when room is needed.
#[derive(Clone, Debug)]
pub struct HeldGateway {
    _agent: Option<Arc<()>>,
}

impl HeldGateway {
    /// A gateway of the settings file.
    pub(super) fn of_file() -> Self {
        Self { _agent: None }
    }
}

/// The agents that are open, and who uses each.
#[derive(Default)]
pub(super) struct InUse {
    agents: Mutex<Agents>,
}

#[derive(Default)]
struct Agents {
    by_id: HashMap<String, Uses>,
    /// Counts uses; the smallest `last` is the least recent.
    uses: u64,
}

#[derive(Default)]
struct Uses {
    last: u64,
    /// Shared with every [`HeldGateway`].
    holders: Arc<()>,
    /// What was opened of it, by sessions, streams and running calls.
    surfaces: Vec<Weak<Surface>>,
}

impl Uses {
    fn is_idle(&self) -> bool {
        let left = |surface: &Weak<Surface>| surface.strong_count() > 0;
        Arc::strong_count(&self.holders) == 1 && !self.surfaces.iter().any(left)
    }
}

impl InUse {
    /// An agent is open from now on, if it was not already.
    pub fn open(&self, id: &str) -> HeldGateway {
        let mut agents = self.agents();
        agents.uses += 1;
        let last = agents.uses;
        let agent = agents.by_id.entry(id.to_owned()).or_default();
        agent.hold(last)
    }

    /// Takes an agent in use; nothing where it is not open.
    pub fn hold(&self, id: &str) -> Option<HeldGateway> {
        let mut agents = self.agents();
        let last = agents.uses + 1;
        let held = agents.by_id.get_mut(id)?.hold(last);
        agents.uses = last;
        Some(held)
    }

    /// A surface of this gateway was opened: if it is an agent, it is in use until the surface is gone.
    pub fn note(&self, id: &str, surface: &Arc<Surface>) {
        if let Some(agent) = self.agents().by_id.get_mut(id) {
            agent.surfaces.retain(|surface| surface.strong_count() > 0);
            agent.surfaces.push(Arc::downgrade(surface));
        }
    }

    /// An agent is not open any more, whoever uses it.
    pub fn close(&self, id: &str) {
        self.agents().by_id.remove(id);
    }

    /// Whether there is no room for one more agent.
    pub fn is_full(&self) -> bool {
        self.agents().by_id.len() >= AGENT_GATEWAYS_MAX
    }

    /// Makes room for one more, and gives back who had to leave: the idle ones, those used least recently first. Where
    /// too few are idle, there will be more than [`AGENT_GATEWAYS_MAX`] until some are.
    pub fn make_room(&self) -> Vec<String> {
        let mut agents = self.agents();
        let surplus = (agents.by_id.len() + 1).saturating_sub(AGENT_GATEWAYS_MAX);
        let idle = agents.by_id.iter().filter(|(_, agent)| agent.is_idle());
        let mut idle: Vec<(u64, String)> = idle.map(|(id, agent)| (agent.last, id.clone())).collect();
        idle.sort_unstable();
        idle.truncate(surplus);
        let gone: Vec<String> = idle.into_iter().map(|(_, id)| id).collect();
        for id in &gone {
            agents.by_id.remove(id);
        }
        gone
    }

    /// Held for a moment only.
    fn agents(&self) -> MutexGuard<'_, Agents> {
        self.agents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Uses {
    fn hold(&mut self, now: u64) -> HeldGateway {
        self.last = now;
        HeldGateway {
            _agent: Some(Arc::clone(&self.holders)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surface() -> Arc<Surface> {
        Arc::new(Surface {
            gateway: None,
            catalog: Arc::default(),
            bound: Default::default(),
            allowed: Default::default(),
            system: Default::default(),
        })
    }

    /// Opens agents `from..to` for a moment each.
    fn open(agents: &InUse, numbers: std::ops::Range<usize>) {
        for number in numbers {
            agents.make_room();
            agents.open(&number.to_string());
        }
    }

    /// Whoever is kept, or has a surface somewhere, stays; of the others those used least recently leave.
    #[test]
    fn only_idle_agents_leave() {
        let agents = InUse::default();
        open(&agents, 0..AGENT_GATEWAYS_MAX);
        let held = agents.hold("0").unwrap();
        let (shown, another) = (surface(), surface());
        agents.note("1", &shown);
        agents.note("1", &another);
        drop(another);
        agents.note("2", &surface());
        agents.hold("3");
        assert_eq!(agents.make_room(), ["2"]);
        agents.open("new");
        assert!(agents.is_full());
        assert_eq!(agents.make_room(), ["4"]);
        drop(shown);
        agents.open("newer");
        assert_eq!(agents.make_room(), ["1"]);
        agents.open("newest");
        for _ in 0..AGENT_GATEWAYS_MAX - 1 {
            let gone = agents.make_room();
            assert_eq!(gone.len(), 1);
            assert!(gone[0] != "0");
            agents.open(&format!("after {}", gone[0]));
        }
        drop(held);
        assert_eq!(agents.make_room(), ["0"]);
        assert!(agents.hold("0").is_none());
    }

    /// Nobody in use has to leave, however many they are; once they are idle their number shrinks again.
    #[test]
    fn all_in_use() {
        let agents = InUse::default();
        let mut held = Vec::new();
        for number in 0..AGENT_GATEWAYS_MAX + 50 {
            assert_eq!(agents.make_room(), Vec::<String>::new());
            held.push(agents.open(&number.to_string()));
        }
        drop(held);
        assert_eq!(agents.make_room().len(), 51);
        assert!(!agents.is_full());
    }

    /// A deleted agent is gone, in use or not, and what was held of it keeps nobody else.
    #[test]
    fn a_closed_agent_is_gone() {
        let agents = InUse::default();
        let _held = agents.open("a");
        agents.close("a");
        assert!(agents.hold("a").is_none());
        agents.note("a", &surface());
        agents.open("a");
        open(&agents, 0..AGENT_GATEWAYS_MAX);
        assert!(agents.hold("a").is_none(), "idle");
    }
}
