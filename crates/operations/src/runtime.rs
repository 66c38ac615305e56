//! What does every operation stand on?

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use handpick_access::Policy;
use handpick_conversation::TurnTuning;
use handpick_domain::Caller;
use handpick_presentation::Mode;
use handpick_store::{Recorder, Store};
use handpick_upstream::{ServerState, ServerStatus, Upstreams};
use tokio::sync::Semaphore;

use crate::gateways::Rules;
use crate::limits::{PERSON_WAIT, TURN_TOOLS_DEFAULT};
use crate::promotions::Promotions;
use crate::unified::UnifiedOptions;
use crate::validate_arguments::Validators;
use crate::{Agents, Joined, KeyRing, Opened, Selector};

/// The parts of one running gateway, put together in the binary and shared by every front.
pub struct Runtime {
    pub(crate) rules: Arc<Rules>,
    /// The federated servers.
    pub upstreams: Arc<Upstreams>,
    /// Finds tools; `None` in a deployment without selection (A40).
    pub selector: Option<Arc<Selector>>,
    /// The agents of the context API.
    pub agents: Agents,
    /// Known keys.
    pub keys: KeyRing,
    /// Where everything durable lives.
    pub store: Store,
    /// Where selections and calls are noted.
    pub recorder: Recorder,
    /// Choices of the operator.
    pub options: Options,
    pub(crate) promotions: Promotions,
    pub(crate) validators: Validators,
    /// The turn to measure how well tools are found.
    pub(crate) measuring: Semaphore,
    settled: AtomicBool,
}

/// Choices of the operator that operations read.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether tasks, arguments and results are stored with the record of what happened.
    pub record_content: bool,
    /// Most matched tools of a turn whose request names no number (T31).
    pub turn_tools_max: usize,
    /// Whether past conversations vote on the tools of a turn.
    pub turn_memory: bool,
    /// How the tools of a turn are weighed.
    pub turn_tuning: TurnTuning,
    /// How long a person has to answer a question.
    pub person_wait: Duration,
    /// Folder with a folder for each skill; none means that there are none.
    pub skills: Option<PathBuf>,
    /// How requests in words are read.
    pub unified: UnifiedOptions,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            record_content: false,
            turn_tools_max: TURN_TOOLS_DEFAULT,
            turn_memory: true,
            turn_tuning: TurnTuning::default(),
            person_wait: PERSON_WAIT,
            skills: None,
            unified: UnifiedOptions::default(),
        }
    }
}

impl Runtime {
    /// Puts the parts together.
    pub fn new(
        policy: Policy,
        upstreams: Arc<Upstreams>,
        selector: Option<Arc<Selector>>,
        keys: KeyRing,
        store: Store,
        recorder: Recorder,
        options: Options,
    ) -> Self {
        Self {
            rules: Arc::new(Rules::new(policy, Arc::clone(&upstreams), store.clone())),
            upstreams,
            selector,
            agents: Agents::default(),
            keys,
            store,
            recorder,
            options,
            promotions: Promotions::default(),
            validators: Validators::default(),
            measuring: Semaphore::new(1),
            settled: AtomicBool::new(false),
        }
    }

    /// Gateways and restrictions as they are now.
    pub fn policy(&self) -> Arc<Policy> {
        self.rules.policy()
    }

    /// Replaces gateways and restrictions, as the settings file says them, for surfaces opened from now on; admission
    /// reads the new rules at once. What was changed while running stands over them. Toolkits that some gateway turns
    /// on are offered from now on.
    pub fn set_policy(&self, policy: Policy) {
        self.rules.set_file(policy);
    }

    /// The on-demand tools that a caller without a session has used through a gateway (R16).
    pub fn joined(&self, opened: &Opened, caller: &Caller) -> Arc<Joined> {
        match opened.mode {
            Mode::Progressive => self.promotions.of(&opened.gateway.name, caller),
            // Nothing ever joins there, and no call should wait in line for that.
            _ => self.promotions.nothing(),
        }
    }

    /// Whether every server has listed its tools once, or failed to. Once true it stays true.
    pub fn is_settled(&self) -> bool {
        if self.settled.load(Ordering::Relaxed) {
            return true;
        }
        // A server that is connected is not there yet: its list may still be on the way.
        let waiting = |server: &ServerStatus| match server.state {
            _ if server.fetched_at_ms.is_some() => false,
            ServerState::Starting => true,
            ServerState::Ready => server.problem.is_none(),
            ServerState::Cached | ServerState::BackingOff | ServerState::Failed => false,
        };
        let settled = !self.upstreams.status().iter().any(waiting);
        self.settled.store(settled, Ordering::Relaxed);
        settled
    }
}

/// Milliseconds since the Unix epoch.
pub fn now_ms() -> i64 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |elapsed| {
            i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX)
        })
}
