//! How is a server called that is a child process?
//!
//! One JSON message a line in both directions, many calls at once over the same two pipes.

use std::future::Future;
use std::pin::pin;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use handpick_protocol::Era;
use serde_json::value::RawValue;
use tokio::io::AsyncWriteExt as _;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::{mpsc, watch};
use tokio::task::coop;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::ask::Ask;
use crate::desk::{self, Refusal};
use crate::fault::Fault;
use crate::incoming::{self, Incoming};
use crate::pending::{Outgoing, Pending};
use crate::signals::Signals;

pub(crate) mod child;
mod lines;

use child::{Process, Program};
use lines::{Line, Lines};

/// The longest message that is read. The longest real list seen is 2.1 MB.
const MESSAGE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// How much of a line of standard error is kept.
const STDERR_BYTES_MAX: usize = 8 * 1024;

/// How much of either end of a longer message is kept, to find out whose answer it is.
const ENDS_KEPT: usize = 256;

/// After so many lines of noise in a row reading pauses: a hundred thousand lines a second at most.
const NOISE_IN_A_ROW: u32 = 1000;
const NOISE_PAUSE: Duration = Duration::from_millis(10);

/// Messages that may wait to be written. Further callers wait their turn.
const OUTBOX_MAX: usize = 256;

/// Messages are written together up to about this many bytes.
const WRITE_BYTES: usize = 64 * 1024;

/// A connection to one child process.
#[derive(Debug)]
pub(crate) struct StdioLink {
    pending: Arc<Pending>,
    outbox: mpsc::Sender<Outgoing>,
    era: Arc<OnceLock<Era>>,
    closing: CancellationToken,
    gone: watch::Receiver<bool>,
    ended: Arc<OnceLock<Instant>>,
    /// When the process was started.
    pub started: Instant,
}

/// What the tasks of one connection share.
#[derive(Clone)]
struct Wire {
    pending: Arc<Pending>,
    outbox: mpsc::Sender<Outgoing>,
    era: Arc<OnceLock<Era>>,
    signals: Arc<Signals>,
    closing: CancellationToken,
}

impl StdioLink {
    /// Starts the process. Its era is not known yet.
    pub async fn start(program: &Program, signals: Arc<Signals>) -> Result<Self, Fault> {
        let mut process = program.start().await.map_err(Fault::NotSent)?;
        let streams = (
            process.child.stdin.take(),
            process.child.stdout.take(),
            process.child.stderr.take(),
        );
        let (Some(stdin), Some(stdout), Some(stderr)) = streams else {
            return Err(Fault::NotSent(
                "its standard streams could not be opened".to_owned(),
            ));
        };
        let (outbox, to_write) = mpsc::channel(OUTBOX_MAX);
        let (gone_sender, gone) = watch::channel(false);
        let wire = Wire {
            pending: Arc::default(),
            outbox,
            era: Arc::default(),
            signals,
            closing: CancellationToken::new(),
        };
        let link = Self {
            pending: Arc::clone(&wire.pending),
            outbox: wire.outbox.clone(),
            era: Arc::clone(&wire.era),
            closing: wire.closing.clone(),
            gone,
            ended: Arc::default(),
            started: Instant::now(),
        };
        tokio::spawn(write(
            stdin,
            to_write,
            Arc::clone(&wire.pending),
            wire.closing.clone(),
        ));
        let ended = Arc::clone(&link.ended);
        tokio::spawn(async move {
            let _gone = SetOnDrop(gone_sender);
            wire.supervise(process, stdout, stderr).await;
            let _ = ended.set(Instant::now());
        });
        Ok(link)
    }

    /// Settles the era; all later requests go out in it.
    pub fn settle(&self, era: Era) {
        let _ = self.era.set(era);
    }

    /// The era that was settled.
    pub fn era(&self) -> Era {
        self.era.get().copied().unwrap_or(Era::Legacy)
    }

    /// Sends one request and waits for its answer.
    pub async fn request(&self, ask: &Ask<'_>) -> Result<Box<RawValue>, Fault> {
        let mut ticket = self.send(ask, self.era()).await?;
        ticket.wait(ask.timeout).await
    }

    /// Sends one request in the given era; the answer comes by the ticket.
    pub async fn send(&self, ask: &Ask<'_>, era: Era) -> Result<crate::pending::Ticket, Fault> {
        let mut ticket = self.pending.open(ask.progress.clone(), self.outbox.clone())?;
        if ask.method == "initialize" {
            ticket = ticket.uncancellable();
        }
        if ask.is_call() && era == Era::Legacy {
            ticket.serve(ask.client.cloned());
        }
        let message = Outgoing {
            id: Some(ticket.id),
            text: ask.message(ticket.id, era),
        };
        match timeout(ask.timeout, self.outbox.send(message)).await {
            Ok(Ok(())) => Ok(ticket),
            Ok(Err(_)) => Err(Fault::NotSent(self.reason())),
            Err(_) => Err(Fault::TimedOut(ask.timeout)),
        }
    }

    /// Sends a notification.
    pub async fn notify(&self, text: &str) {
        let _ = self.outbox.send(Outgoing::note(text.to_owned())).await;
    }

    /// Asks a modern server to tell when its tools change. The request stays open; what comes of it
    /// arrives as notifications.
    pub async fn listen(&self) {
        let members = r#""notifications":{"toolsListChanged":true}"#.to_owned();
        let ask = Ask::plain("subscriptions/listen", members, Duration::MAX);
        let Ok(mut ticket) = self.send(&ask, Era::Modern).await else {
            return;
        };
        let closing = self.closing.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = closing.cancelled() => {}
                _ = ticket.wait(Duration::MAX) => {}
            }
        });
    }

    /// Whether the process is gone or going.
    pub fn is_closed(&self) -> bool {
        self.pending.is_closed() || self.closing.is_cancelled()
    }

    /// Why the process is gone.
    pub fn reason(&self) -> String {
        self.pending
            .closed()
            .unwrap_or_else(|| "its process ended".to_owned())
    }

    /// When the process was gone.
    pub fn ended(&self) -> Option<Instant> {
        self.ended.get().copied()
    }

    /// Waits until the process is gone.
    pub async fn gone(&self) {
        let _ = self.gone.clone().wait_for(|gone| *gone).await;
    }

    /// Ends the process and waits until it and its group are gone.
    pub async fn shutdown(&self) {
        self.closing.cancel();
        self.gone().await;
    }
}

impl Drop for StdioLink {
    fn drop(&mut self) {
        self.closing.cancel();
    }
}

/// Tells that a task has ended, even when it was dropped with its runtime.
struct SetOnDrop(watch::Sender<bool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        let _ = self.0.send(true);
    }
}

/// How a connection came to its end.
enum Ending {
    /// The process ended by itself.
    Left(Option<ExitStatus>),
    /// It closed its standard output and goes on: of no use any more.
    ClosedItsOutput,
    /// We ended it.
    ShutDown,
}

impl Ending {
    fn describe(&self, signals: &Signals) -> String {
        let mut reason = match self {
            Self::ShutDown => return "it was shut down".to_owned(),
            Self::Left(status) => format!("its process {}", child::describe(*status)),
            Self::ClosedItsOutput => "its process closed its standard output".to_owned(),
        };
        if let Some(line) = signals.stderr_last() {
            reason.push_str("; it last wrote: ");
            reason.push_str(&crate::fault::excerpt(&line));
        }
        reason
    }
}

/// Reads to the end, and then never returns: for use beside something that does.
async fn drain(reading: &mut (impl Future<Output = ()> + Unpin), read_all: &AtomicBool) {
    if !read_all.load(Ordering::Relaxed) {
        reading.await;
    }
    std::future::pending::<()>().await;
}

impl Wire {
    /// Accompanies one process from its start to its end.
    async fn supervise(self, mut process: Process, stdout: ChildStdout, stderr: ChildStderr) {
        let complaints = tokio::spawn(keep_stderr(stderr, Arc::clone(&self.signals)));
        let read_all = AtomicBool::new(false);
        let mut reading = pin!(async {
            self.read(stdout).await;
            read_all.store(true, Ordering::Relaxed);
        });
        let ended = tokio::select! {
            () = &mut reading => {
                match timeout(Duration::from_secs(1), process.child.wait()).await {
                    Ok(status) => Ending::Left(process.bury(status)),
                    Err(_) => Ending::ClosedItsOutput,
                }
            }
            status = process.child.wait() => Ending::Left(process.bury(status)),
            () = self.closing.cancelled() => Ending::ShutDown,
        };
        // The pipe to its standard input closes with this.
        self.closing.cancel();
        if !matches!(ended, Ending::Left(_)) {
            // Its output is read meanwhile, or it might never get to see the end of its input.
            tokio::select! {
                _ = process.leave() => {}
                () = drain(&mut reading, &read_all) => {}
            }
        }
        if !read_all.load(Ordering::Relaxed) {
            // Answers it gave before it ended are still in the pipe.
            let _ = timeout(Duration::from_millis(200), &mut reading).await;
        }
        let _ = timeout(Duration::from_millis(200), complaints).await;
        self.pending.close(&ended.describe(&self.signals));
    }

    /// Reads messages until the output ends.
    async fn read(&self, stdout: ChildStdout) {
        let mut lines = Lines::new(stdout, MESSAGE_BYTES_MAX, ENDS_KEPT);
        let mut in_a_row = 0_u32;
        while let Ok(Some(line)) = lines.next().await {
            let noise = match line {
                Line::Whole(line) => self.take_line(line),
                Line::TooLong { head, tail } => {
                    let reason = format!("sent a message of more than {} MiB", MESSAGE_BYTES_MAX >> 20);
                    self.pending.fail(lines::id_of_ends(head, tail), &reason);
                    false
                }
            };
            // Lines that are in the buffer already never wait; without this a flood would keep
            // everybody else from running, and noise without end would keep a processor busy.
            coop::consume_budget().await;
            in_a_row = if noise { in_a_row + 1 } else { 0 };
            if in_a_row == NOISE_IN_A_ROW {
                in_a_row = 0;
                sleep(NOISE_PAUSE).await;
            }
        }
    }

    /// Deals with the messages on a line. Returns whether it was noise.
    fn take_line(&self, line: &[u8]) -> bool {
        let mut noise = false;
        match std::str::from_utf8(line) {
            Ok(text) => incoming::for_each(text, |message| {
                noise |= matches!(message, Incoming::Noise);
                self.take(message);
            }),
            Err(_) => noise = true,
        }
        if noise {
            self.signals.noise();
        }
        noise
    }

    fn take(&self, message: Incoming<'_>) {
        match message {
            Incoming::Answer { id, outcome } => self.pending.answer(id, outcome),
            Incoming::Progress { token, params } => self.pending.progress(token, params),
            Incoming::ToolsChanged => self.signals.tools_changed(),
            Incoming::Asked(asked) => {
                if self.era.get() == Some(&Era::Modern) && asked.method != "ping" {
                    let refused = Refusal::Modern.reply(asked.id.get(), &asked.method);
                    desk::reply(&self.outbox, refused);
                } else {
                    self.pending.desk.asked(&asked, None, &self.outbox);
                }
            }
            Incoming::Withdrawn(id) => self.pending.desk.withdraw(id, None),
            Incoming::Complaint(error) => {
                tracing::debug!(
                    code = error.code,
                    message = error.message,
                    "a server could not read a message"
                );
            }
            Incoming::Other | Incoming::Noise => {}
        }
    }
}

/// Writes messages, several at once where they wait. Ends with the connection, which closes the pipe.
async fn write(
    mut stdin: ChildStdin,
    mut to_write: mpsc::Receiver<Outgoing>,
    pending: Arc<Pending>,
    closing: CancellationToken,
) {
    let mut bytes = Vec::new();
    loop {
        let message = tokio::select! {
            biased;
            () = closing.cancelled() => return,
            message = to_write.recv() => message,
        };
        let Some(message) = message else { return };
        let mut next = Some(message);
        bytes.clear();
        while let Some(message) = next {
            // Nobody waits for it any more: it must not be carried out either.
            if message.id.is_none_or(|id| pending.is_waiting(id)) {
                push_line(&mut bytes, &message.text);
            }
            next = (bytes.len() < WRITE_BYTES)
                .then(|| to_write.try_recv().ok())
                .flatten();
        }
        let written = tokio::select! {
            () = closing.cancelled() => return,
            written = stdin.write_all(&bytes) => written,
        };
        if written.is_err() {
            // Usually it is ending, and how it ended says more. If not, it is of no use any more.
            if timeout(Duration::from_secs(1), closing.cancelled())
                .await
                .is_err()
            {
                pending.close("its process closed its standard input");
                closing.cancel();
            }
            return;
        }
        bytes.shrink_to(WRITE_BYTES * 4);
    }
}

/// Appends one message as one line: line breaks between JSON tokens become spaces. (Within strings
/// JSON has none.)
fn push_line(bytes: &mut Vec<u8>, text: &str) {
    let start = bytes.len();
    bytes.extend_from_slice(text.as_bytes());
    for byte in &mut bytes[start..] {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    bytes.push(b'\n');
}

async fn keep_stderr(stderr: ChildStderr, signals: Arc<Signals>) {
    let mut lines = Lines::new(stderr, STDERR_BYTES_MAX, STDERR_BYTES_MAX);
    while let Ok(Some(line)) = lines.next().await {
        coop::consume_budget().await;
        let (Line::Whole(line) | Line::TooLong { head: line, .. }) = line;
        signals.stderr_line(String::from_utf8_lossy(line).trim_end().to_owned());
    }
}
