//! What do the tests of this crate share?

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use handpick_access::{Admitted, Permit, Policy};
use handpick_domain::{Caller, Scope};
use handpick_upstream::{
    CachedCatalog, CallError, CatalogCache, ServerConfig, ServerStatus, ToolCall, Transport, Upstreams,
};
use serde_json::Value;
use serde_json::value::RawValue;

/// Longest that anything in a test may take. Reached only by a failing test.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Remembers lists in memory.
#[derive(Default)]
pub struct MemoryCache(pub Mutex<BTreeMap<String, CachedCatalog>>);

#[async_trait::async_trait]
impl CatalogCache for MemoryCache {
    async fn load_all(&self) -> Vec<CachedCatalog> {
        self.0.lock().unwrap().values().cloned().collect()
    }

    async fn save(&self, catalog: CachedCatalog) {
        self.0.lock().unwrap().insert(catalog.server.clone(), catalog);
    }
}

impl MemoryCache {
    pub fn get(&self, server: &str) -> Option<CachedCatalog> {
        self.0.lock().unwrap().get(server).cloned()
    }
}

/// A fake stdio server with these switches.
pub fn fake(name: &str, switches: &[&str]) -> ServerConfig {
    program(name, env!("CARGO_BIN_EXE_fake-mcp"), switches)
}

/// Any program as a stdio server.
pub fn program(name: &str, command: &str, args: &[&str]) -> ServerConfig {
    ServerConfig::new(
        name,
        Transport::Stdio {
            command: command.to_owned(),
            args: args.iter().map(|&argument| argument.to_owned()).collect(),
            env: BTreeMap::new(),
            cwd: None,
        },
    )
}

/// An HTTP server.
pub fn http(name: &str, url: &str) -> ServerConfig {
    ServerConfig::new(
        name,
        Transport::Http {
            url: url.to_owned(),
            headers: BTreeMap::new(),
        },
    )
}

/// Starts servers without remembered lists and waits until they are listed.
pub async fn start(configs: Vec<ServerConfig>) -> Arc<Upstreams> {
    start_with(configs, Arc::new(MemoryCache::default())).await
}

/// Starts servers and waits until they are listed.
pub async fn start_with(configs: Vec<ServerConfig>, cache: Arc<MemoryCache>) -> Arc<Upstreams> {
    let upstreams = Upstreams::start(configs, cache).await;
    upstreams.settled(PATIENCE).await;
    upstreams
}

/// A permit for a tool, through the one door there is.
pub fn permit(upstreams: &Upstreams, tool: &str) -> Permit {
    let caller = Caller {
        scopes: [Scope::Read, Scope::Execute].into(),
        ..Caller::default()
    };
    let policy = Policy::default();
    let surface = policy.open_surface(upstreams.catalog(), None, &caller);
    match policy.admit(&surface, tool, &caller).unwrap() {
        Admitted::Granted(permit) => permit,
        Admitted::Confirm(waiting) => panic!("{} waits for a person", waiting.tool().name),
    }
}

/// Arguments of a call.
pub fn call_of(arguments: &str) -> ToolCall {
    ToolCall::new(RawValue::from_string(arguments.to_owned()).unwrap())
}

/// Calls a tool and reads its result.
pub async fn call(upstreams: &Upstreams, tool: &str, arguments: &str) -> Result<Value, CallError> {
    let result = upstreams
        .call(permit(upstreams, tool), call_of(arguments))
        .await?;
    Ok(serde_json::from_str(result.get()).unwrap())
}

/// One server's status.
pub fn status(upstreams: &Upstreams, server: &str) -> ServerStatus {
    let mut all = upstreams.status();
    all.retain(|status| status.name == server);
    all.remove(0)
}

/// Names in the catalog.
pub fn names(upstreams: &Upstreams) -> Vec<String> {
    let catalog = upstreams.catalog();
    catalog.tools().iter().map(|tool| tool.name.to_string()).collect()
}

/// Waits until something holds.
#[track_caller]
pub fn eventually<'a>(what: &'a str, mut holds: impl FnMut() -> bool + 'a) -> impl Future<Output = ()> + 'a {
    let caller = std::panic::Location::caller();
    async move {
        let begun = Instant::now();
        while !holds() {
            assert!(begun.elapsed() < PATIENCE, "{caller}: {what} did not come true");
            // On a thread: the clock of the runtime may stand still.
            let pause = || std::thread::sleep(Duration::from_millis(5));
            tokio::task::spawn_blocking(pause).await.unwrap();
        }
    }
}

/// The runtime's clock stands still while this lives, except where [`tokio::time::advance`] moves it: time-outs
/// pass when the test says so, however slow the machine is.
pub struct StoppedClock(Option<std::sync::mpsc::Sender<()>>);

/// Stops the clock of a runtime of one thread.
pub fn stop_clock() -> StoppedClock {
    let (release, held) = std::sync::mpsc::channel();
    // A stopped clock jumps to the next time-out when everything waits, but not while a blocking task runs.
    // A test that hangs is left to its time-outs in the end.
    tokio::task::spawn_blocking(move || held.recv_timeout(PATIENCE));
    tokio::time::pause();
    StoppedClock(Some(release))
}

impl Drop for StoppedClock {
    fn drop(&mut self) {
        drop(self.0.take());
        tokio::time::resume();
    }
}

/// The lines of a file that may not exist yet.
pub fn lines(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().map(ToOwned::to_owned).collect()
}

/// Whether a process runs. One that has ended but was not waited for does not.
pub fn runs(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
        !stat
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .trim_start()
            .starts_with('Z')
    })
}
