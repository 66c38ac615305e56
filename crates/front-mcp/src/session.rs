//! Which legacy sessions are open, and what does each remember?

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use handpick_domain::Caller;
use handpick_operations::{Joined, Opened};
use handpick_presentation::Promoted;
use handpick_protocol::ClientCapabilities;
use serde_json::value::RawValue;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::questions::Questions;

/// Sessions kept at once; beyond it the one that was silent longest ends.
pub const SESSIONS_MAX: usize = 10_000;
/// A session nobody used for this long ends.
pub const SESSION_IDLE: Duration = Duration::from_secs(60 * 60);

/// Users whose promoted tools one session remembers.
pub const USERS_MAX: usize = 1_000;

/// One client between `initialize` and the end.
pub struct Session {
    /// Value of `Mcp-Session-Id`.
    pub id: String,
    /// The gateway it was opened on.
    pub gateway: String,
    /// Who opened it; nobody else may use it.
    pub caller: Arc<Caller>,
    /// Whether the URL turned recommendation off (A9).
    pub narrowed: bool,
    /// Fires when the session ends, so that its streams do.
    pub ended: CancellationToken,
    /// What its client offers to be asked for.
    pub capabilities: ClientCapabilities,
    /// What its client was asked.
    pub(crate) questions: Questions,
    surface: Mutex<SessionSurface>,
    last_seen: Mutex<Instant>,
    in_flight: Mutex<HashMap<String, CancellationToken>>,
    streams: Mutex<Streams>,
    /// The on-demand tools that have joined the list of each user (R15).
    joined: Mutex<HashMap<Option<String>, Arc<Joined>>>,
    /// What had joined when the list was last given to each user.
    listed: Mutex<HashMap<Option<String>, Promoted>>,
}

/// The streams that are listened to, by user. They are numbered, so that the newest is known.
#[derive(Default)]
struct Streams {
    opened: u64,
    open: HashMap<Option<String>, BTreeSet<u64>>,
}

struct SessionSurface {
    opened: Arc<Opened>,
    /// Whether every server had answered for the first time when the surface was opened. Until then the
    /// surface is provisional: what is missing was bound all along.
    settled: bool,
}

impl Session {
    /// A session that begins now.
    pub fn new(
        gateway: &str,
        caller: Arc<Caller>,
        narrowed: bool,
        opened: Arc<Opened>,
        settled: bool,
    ) -> Self {
        Self {
            id: uuid::Uuid::new_v4().simple().to_string(),
            gateway: gateway.to_owned(),
            caller,
            narrowed,
            ended: CancellationToken::new(),
            capabilities: ClientCapabilities::default(),
            questions: Questions::default(),
            surface: Mutex::new(SessionSurface { opened, settled }),
            last_seen: Mutex::new(Instant::now()),
            in_flight: Mutex::new(HashMap::new()),
            streams: Mutex::default(),
            joined: Mutex::new(HashMap::new()),
            listed: Mutex::new(HashMap::new()),
        }
    }

    /// The session with a client that declared these capabilities; without them it cannot be asked anything.
    pub fn with_capabilities(mut self, capabilities: ClientCapabilities) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// The on-demand tools that have joined this user's list. Beyond [`USERS_MAX`] users of one session all begin
    /// anew.
    pub fn joined(&self, caller: &Caller) -> Arc<Joined> {
        let mut joined = lock(&self.joined);
        if joined.len() >= USERS_MAX && !joined.contains_key(&caller.user_id) {
            joined.clear();
            lock(&self.listed).clear();
        }
        Arc::clone(joined.entry(caller.user_id.clone()).or_default())
    }

    /// Notes that this user's list is given now.
    pub fn list_given(&self, caller: &Caller) {
        let promoted = self.joined(caller).promoted();
        lock(&self.listed).insert(caller.user_id.clone(), promoted);
    }

    /// What had joined when this user was given the list last; what has by now, where they were given none yet.
    pub fn last_listed(&self, caller: &Caller) -> Promoted {
        let last = lock(&self.listed).get(&caller.user_id).cloned();
        last.unwrap_or_else(|| self.joined(caller).promoted())
    }

    /// The surface in force.
    pub fn opened(&self) -> Arc<Opened> {
        Arc::clone(&lock(&self.surface).opened)
    }

    /// The surface a request is answered from. `fresh` opens the current one.
    ///
    /// The corpus is fixed while the session lasts (P10, P14), with two exceptions: a provisional surface
    /// follows until every server has answered once, and a client that asks for its list again (because
    /// it was told that the list changed) gets today's tools in the same presentation.
    pub fn surface_for(
        &self,
        relisting: bool,
        settled_now: bool,
        fresh: impl FnOnce() -> Option<Arc<Opened>>,
    ) -> Arc<Opened> {
        let mut surface = lock(&self.surface);
        if surface.settled && !relisting {
            return Arc::clone(&surface.opened);
        }
        let Some(fresh) = fresh() else {
            return Arc::clone(&surface.opened);
        };
        surface.opened = surface.relisted(fresh);
        surface.settled = surface.settled || settled_now;
        Arc::clone(&surface.opened)
    }

    /// What the client would see if it asked for its list now, given the current surface.
    pub fn relisted(&self, fresh: Arc<Opened>) -> Arc<Opened> {
        lock(&self.surface).relisted(fresh)
    }

    /// Notes that this user's client has opened a stream, until the returned guard goes. A session that somebody
    /// listens to is not idle.
    pub fn listen(self: &Arc<Self>, caller: &Caller) -> Listening {
        let mut streams = lock(&self.streams);
        streams.opened += 1;
        let number = streams.opened;
        let own = streams.open.entry(caller.user_id.clone()).or_default();
        own.insert(number);
        Listening {
            session: Arc::clone(self),
            user_id: caller.user_id.clone(),
            number,
        }
    }

    /// Notes that a request runs, until the returned guard goes.
    pub fn begin(self: &Arc<Self>, request_id: &RawValue) -> InFlight {
        let token = CancellationToken::new();
        lock(&self.in_flight).insert(request_id.get().to_owned(), token.clone());
        InFlight {
            session: Arc::clone(self),
            request_id: request_id.get().to_owned(),
            token,
        }
    }

    /// Cancels a running request; unknown ids are ignored, since the answer may have crossed.
    pub fn cancel(&self, request_id: &RawValue) {
        if let Some(token) = lock(&self.in_flight).get(request_id.get()) {
            token.cancel();
        }
    }

    /// Gives up what runs, and gives back the ids of what nobody has answered or cancelled.
    pub(crate) fn give_up(&self) -> Vec<String> {
        let mut in_flight = std::mem::take(&mut *lock(&self.in_flight));
        in_flight.retain(|_, token| !token.is_cancelled());
        in_flight.values().for_each(CancellationToken::cancel);
        in_flight.into_keys().collect()
    }

    fn touch(&self) {
        *lock(&self.last_seen) = Instant::now();
    }

    fn in_use(&self) -> bool {
        !lock(&self.streams).open.is_empty() || !lock(&self.in_flight).is_empty()
    }

    fn is_idle(&self) -> bool {
        lock(&self.last_seen).elapsed() >= SESSION_IDLE && !self.in_use()
    }
}

impl SessionSurface {
    /// The current surface in the presentation the session was settled in (P10).
    fn relisted(&self, fresh: Arc<Opened>) -> Arc<Opened> {
        if !self.settled || fresh.mode == self.opened.mode {
            return fresh;
        }
        let (surface, gateway) = (fresh.surface.clone(), fresh.gateway.clone());
        Arc::new(Opened::new(surface, self.opened.mode, gateway))
    }
}

/// A stream somebody listens to.
pub struct Listening {
    session: Arc<Session>,
    user_id: Option<String>,
    number: u64,
}

impl Listening {
    /// Whether this is the user's newest stream. A client may have several, and each message goes out on one only: on
    /// the newest, since an older one may have broken without anybody's notice.
    pub fn is_newest(&self) -> bool {
        let streams = lock(&self.session.streams);
        let own = streams.open.get(&self.user_id);
        own.and_then(BTreeSet::last) == Some(&self.number)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let mut streams = lock(&self.session.streams);
        if let Some(own) = streams.open.get_mut(&self.user_id) {
            own.remove(&self.number);
            if own.is_empty() {
                streams.open.remove(&self.user_id);
            }
        }
        drop(streams);
        self.session.touch();
    }
}

/// A running request that `notifications/cancelled` can reach.
pub struct InFlight {
    session: Arc<Session>,
    request_id: String,
    /// Fires when the client gives up.
    pub token: CancellationToken,
}

impl InFlight {
    /// Answers the request with `send`, unless that was done when the session was given up.
    pub(crate) fn answer(&self, send: impl FnOnce()) {
        let mut in_flight = lock(&self.session.in_flight);
        if in_flight.remove(&self.request_id).is_some() {
            send();
        }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        lock(&self.session.in_flight).remove(&self.request_id);
    }
}

/// Every open session.
#[derive(Default)]
pub struct Sessions {
    open: Mutex<HashMap<String, Arc<Session>>>,
}

impl Sessions {
    /// Opens a session, ending idle ones and, at the limit, the one that was silent longest.
    pub fn open(&self, session: Session) -> Arc<Session> {
        let session = Arc::new(session);
        let mut open = lock(&self.open);
        if open.len() >= SESSIONS_MAX {
            open.retain(|_, session| !session.is_idle());
        }
        if open.len() >= SESSIONS_MAX {
            let oldest = open
                .values()
                .min_by_key(|session| (session.in_use(), *lock(&session.last_seen)))
                .map(|session| session.id.clone());
            if let Some(ended) = oldest.and_then(|id| open.remove(&id)) {
                ended.ended.cancel();
            }
        }
        open.insert(session.id.clone(), Arc::clone(&session));
        session
    }

    /// The session with this id, if it is open on this gateway and belongs to this caller's key.
    pub fn find(&self, id: &str, gateway: &str, caller: &Caller) -> Option<Arc<Session>> {
        let session = lock(&self.open).get(id).cloned()?;
        let idle = session.is_idle();
        if idle || session.gateway != gateway || session.caller.key_id != caller.key_id {
            if idle {
                self.close(id);
            }
            return None;
        }
        session.touch();
        Some(session)
    }

    /// Ends a session.
    pub fn close(&self, id: &str) {
        if let Some(session) = lock(&self.open).remove(id) {
            session.ended.cancel();
        }
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use handpick_domain::{Gateway, Surface};
    use handpick_presentation::Mode;
    use tokio::time::advance;

    use super::*;

    fn opened(mode: Mode) -> Arc<Opened> {
        let surface = Arc::new(Surface {
            gateway: None,
            catalog: Arc::default(),
            bound: Default::default(),
            allowed: Default::default(),
            system: Default::default(),
        });
        Arc::new(Opened::new(surface, mode, Gateway::new("g")))
    }

    fn session(mode: Mode, settled: bool) -> Session {
        Session::new("g", Arc::default(), false, opened(mode), settled)
    }

    /// A session nobody used for an hour is gone; one that is listened to, or works, is in use.
    #[tokio::test(start_paused = true)]
    async fn idle_sessions_end() {
        let (sessions, caller) = (Sessions::default(), Caller::default());
        let idle = sessions.open(session(Mode::Direct, true));
        let used = sessions.open(session(Mode::Direct, true));
        let heard = sessions.open(session(Mode::Direct, true));
        let working = sessions.open(session(Mode::Direct, true));
        let listening = heard.listen(&caller);
        let in_flight = working.begin(&handpick_protocol::json::raw("1".to_owned()));
        advance(SESSION_IDLE - Duration::from_secs(1)).await;
        assert!(sessions.find(&used.id, "g", &caller).is_some());
        advance(Duration::from_secs(2)).await;
        assert!(sessions.find(&idle.id, "g", &caller).is_none());
        assert!(idle.ended.is_cancelled());
        for session in [&used, &heard, &working] {
            assert!(sessions.find(&session.id, "g", &caller).is_some());
        }
        drop((listening, in_flight));
        advance(SESSION_IDLE).await;
        for session in [&used, &heard, &working] {
            assert!(sessions.find(&session.id, "g", &caller).is_none());
        }
    }

    /// P10: the presentation is the first one that was settled.
    #[test]
    fn p10_the_presentation_is_fixed_once_settled() {
        let early = session(Mode::Direct, false);
        let answer = |session: &Session, relisting, settled, mode| {
            session
                .surface_for(relisting, settled, || Some(opened(mode)))
                .mode
        };
        assert_eq!(
            answer(&early, false, false, Mode::Discovery),
            Mode::Discovery,
            "still provisional"
        );
        assert_eq!(
            answer(&early, false, true, Mode::Direct),
            Mode::Direct,
            "settled now"
        );
        assert_eq!(answer(&early, true, true, Mode::Discovery), Mode::Direct);
        assert_eq!(early.relisted(opened(Mode::Discovery)).mode, Mode::Direct);
        let vanished = early.surface_for(true, true, || None);
        assert_eq!(
            vanished.mode,
            Mode::Direct,
            "a gateway that is gone changes nothing"
        );
    }
}
