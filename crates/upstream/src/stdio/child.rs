//! How is a server's process started, and how is it gone for certain?

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// Variables of this program's own; they may hold its secrets and are no server's business.
const OWN_VARIABLES: &str = "HANDPICK_";

/// How long a server may take to leave by itself, and again after it was asked to terminate.
const LEAVE: Duration = Duration::from_secs(2);

/// What to run.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub command: String,
    pub args: Vec<String>,
    pub env: BTreeMap<String, String>,
    pub cwd: Option<PathBuf>,
}

/// A running server and its process group. Dropping it kills both.
#[derive(Debug)]
pub(crate) struct Process {
    pub child: Child,
    group: Option<Pid>,
}

impl Program {
    /// Starts the program in a process group of its own, with its three streams piped.
    ///
    /// It inherits this process's environment, as people expect from other MCP clients (`PATH`, `HOME`,
    /// proxies, language managers), less the variables named `HANDPICK_*`, plus the configured ones.
    pub async fn start(&self) -> Result<Process, String> {
        if let Some(cwd) = self.cwd.as_deref().filter(|cwd| !cwd.is_dir()) {
            return Err(format!(
                "its working directory `{}` does not exist",
                cwd.display()
            ));
        }
        let mut command = Command::new(&self.command);
        command
            .args(&self.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        for (key, _) in std::env::vars_os() {
            if key.to_str().is_some_and(|key| key.starts_with(OWN_VARIABLES)) {
                command.env_remove(key);
            }
        }
        command.envs(&self.env);
        if let Some(cwd) = &self.cwd {
            command.current_dir(cwd);
        }
        die_with_parent(&mut command);
        let child = spawn_from_lasting_thread(command)
            .await
            .map_err(|error| self.explain(&error))?;
        let group = child
            .id()
            .and_then(|id| i32::try_from(id).ok())
            .and_then(Pid::from_raw);
        Ok(Process { child, group })
    }

    fn explain(&self, error: &io::Error) -> String {
        let command = &self.command;
        match error.kind() {
            io::ErrorKind::NotFound if command.contains('/') && Path::new(command).exists() => {
                format!("command `{command}` exists but cannot be run; is its interpreter installed?")
            }
            io::ErrorKind::NotFound => {
                format!("command `{command}` not found; is it installed and on PATH?")
            }
            io::ErrorKind::PermissionDenied => format!("command `{command}` is not executable"),
            _ => format!("command `{command}` cannot be started: {error}"),
        }
    }
}

impl Process {
    /// Lets the server leave: its standard input is closed already; then SIGTERM, then SIGKILL, two
    /// seconds apart, to the whole group.
    pub async fn leave(&mut self) -> Option<ExitStatus> {
        for signal in [Signal::TERM, Signal::KILL] {
            if let Ok(status) = timeout(LEAVE, self.child.wait()).await {
                return self.bury(status);
            }
            self.signal(signal);
        }
        let status = timeout(LEAVE, self.child.wait()).await;
        self.bury(status.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())))
    }

    /// The server has ended: whatever it left running in its group ends too.
    pub fn bury(&mut self, status: io::Result<ExitStatus>) -> Option<ExitStatus> {
        self.signal(Signal::KILL);
        self.group = None;
        status.ok()
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = self.group {
            // Fails where the group is empty already.
            let _ = kill_process_group(group, signal);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
    }
}

/// How a process ended, in words.
pub(crate) fn describe(status: Option<ExitStatus>) -> String {
    use std::os::unix::process::ExitStatusExt as _;
    match status {
        None => "stopped".to_owned(),
        Some(status) => match (status.code(), status.signal()) {
            (Some(code), _) => format!("exited with status {code}"),
            (None, Some(signal)) => format!("was killed by signal {signal}"),
            (None, None) => "stopped".to_owned(),
        },
    }
}

/// Asks the kernel to kill the server when this program dies, however it dies. What the server itself
/// started is not covered; that sees its standard input close.
#[cfg(target_os = "linux")]
#[allow(
    unsafe_code,
    reason = "`pre_exec` is unsafe; the closure only makes two async-signal-safe system calls"
)]
fn die_with_parent(command: &mut Command) {
    let parent = rustix::process::getpid();
    // SAFETY: between fork and exec only `prctl` and `getppid` run; nothing is allocated or locked.
    unsafe {
        command.pre_exec(move || {
            rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
            // The parent may have died before the line above took effect.
            if rustix::process::getppid() == Some(parent) {
                Ok(())
            } else {
                Err(io::ErrorKind::BrokenPipe.into())
            }
        });
    }
}

#[cfg(not(target_os = "linux"))]
fn die_with_parent(_command: &mut Command) {}

type SpawnJob = Box<dyn FnOnce() + Send>;

/// Linux delivers the parent's death signal when the *thread* that forked ends. Threads of the runtime
/// may end long before the program does, so one thread that never ends does all the starting.
async fn spawn_from_lasting_thread(mut command: Command) -> io::Result<Child> {
    static SPAWNER: OnceLock<Option<mpsc::Sender<SpawnJob>>> = OnceLock::new();
    let spawner = SPAWNER.get_or_init(|| {
        let (sender, jobs) = mpsc::channel::<SpawnJob>();
        std::thread::Builder::new()
            .name("spawn-servers".to_owned())
            .spawn(move || jobs.into_iter().for_each(|job| job()))
            .ok()
            .map(|_| sender)
    });
    let Some(spawner) = spawner else {
        return command.spawn();
    };
    let runtime = tokio::runtime::Handle::current();
    let (sender, child) = tokio::sync::oneshot::channel();
    let job: SpawnJob = Box::new(move || {
        let _guard = runtime.enter();
        let _ = sender.send(command.spawn());
    });
    spawner.send(job).map_err(|_| io::ErrorKind::BrokenPipe)?;
    child
        .await
        .map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?
}
