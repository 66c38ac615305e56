//! How are processes started, waited for and certainly ended?

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

/// A process that is killed when this value goes away.
pub struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

impl Running {
    /// Starts a process.
    pub fn start(command: &mut Command) -> Result<Self> {
        let program = command.get_program().to_string_lossy().into_owned();
        let child = command
            .spawn()
            .with_context(|| format!("cannot start `{program}`"))?;
        Ok(Self(child))
    }

    /// Starts a server that prints `listening on URL`; returns it with the URL once it has.
    ///
    /// Everything it prints goes into the log, then and later.
    pub fn start_listening(command: &mut Command, log: &Path) -> Result<(Self, String)> {
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut running = Self::start(command)?;
        let file = File::create(log)?;
        let (sender, receiver) = mpsc::channel();
        let streams: [Option<Box<dyn std::io::Read + Send>>; 2] = [
            running.0.stdout.take().map(|stream| Box::new(stream) as _),
            running.0.stderr.take().map(|stream| Box::new(stream) as _),
        ];
        for stream in streams.into_iter().flatten() {
            let (mut file, sender) = (file.try_clone()?, sender.clone());
            std::thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    writeln!(file, "{line}").ok();
                    if let Some((_, address)) = line.split_once("listening on ") {
                        sender.send(address.trim().to_owned()).ok();
                    }
                }
            });
        }
        drop(sender);
        match receiver.recv_timeout(Duration::from_secs(120)) {
            Ok(address) => {
                let address = address.split_whitespace().next().unwrap_or_default();
                Ok((running, address.to_owned()))
            }
            Err(_) => {
                let printed = std::fs::read_to_string(log).unwrap_or_default();
                bail!(
                    "it did not say where it listens; it printed:\n{}",
                    crate::tools::tail(&printed, 30)
                );
            }
        }
    }

    /// Whether the process has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        self.0.try_wait().ok().flatten().is_some()
    }

    /// Its number.
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// Sends it a signal, `-TERM` for instance.
    pub fn signal(&self, name: &str) {
        signal(name, self.id());
    }
}

/// Sends a signal to one process of ours.
pub fn signal(name: &str, process: u32) {
    Command::new("kill")
        .arg(name)
        .arg(process.to_string())
        .status()
        .ok();
}

/// A port that is free now. Somebody else may take it before it is used.
pub fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// Whether something becomes true in time.
pub fn within(limit: Duration, mut holds: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + limit;
    loop {
        if holds() {
            return true;
        }
        if Instant::now() > end {
            return false;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}
