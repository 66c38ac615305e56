//! How is a connection opened, and which era does the server speak?
//!
//! Servers are asked the modern way first and the old way next; the outcome is remembered with the
//! server's list, and a memory that proves wrong is forgotten.

use std::sync::Arc;
use std::time::Duration;

use handpick_protocol::error::{UNSUPPORTED_PROTOCOL_VERSION, is_modern};
use handpick_protocol::version::{LEGACY, MODERN};
use handpick_protocol::{Era, RpcError};
use serde_json::Value;
use tokio::time::Instant;

use crate::ask::{Ask, INITIALIZED};
use crate::fault::{Fault, Refusal};
use crate::greeting::{Greeting, names};
use crate::http::HttpLink;
use crate::http::connector::Clients;
use crate::http::endpoint::Endpoint;
use crate::link::Link;
use crate::local::LocalLink;
use crate::offer::Offer;
use crate::pending::Ticket;
use crate::signals::Signals;
use crate::sse::SseLink;
use crate::stdio::StdioLink;
use crate::stdio::child::Program;
use crate::{ServerConfig, Transport, TransportKind};

/// How long a server may stay silent on the modern question before it is asked the old way as well.
const PROBE: Duration = Duration::from_secs(2);

/// The same over HTTP, where asking the old way means giving up on the modern answer.
const PROBE_HTTP: Duration = Duration::from_secs(10);

/// What is known of a server from before.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Memory {
    /// The era it spoke.
    pub era: Option<Era>,
    /// The transport that worked.
    pub transport: Option<TransportKind>,
}

/// Opens a connection to a server. Returns it with the era to remember, which may differ from the one
/// spoken: a slow modern server may have been asked the old way before it answered.
pub(crate) async fn open(
    config: &ServerConfig,
    memory: Memory,
    signals: &Arc<Signals>,
    clients: &Clients,
) -> Result<(Link, Option<Era>), Fault> {
    let limit = config.start_timeout;
    match &config.transport {
        Transport::Local(server) => {
            let server = Arc::clone(server);
            Ok((Link::Local(LocalLink { server }), None))
        }
        Transport::Stdio {
            command,
            args,
            env,
            cwd,
        } => {
            let program = Program {
                command: command.clone(),
                args: args.clone(),
                env: env.clone(),
                cwd: cwd.clone(),
            };
            let (link, era) = Probe {
                program,
                signals,
                limit,
            }
            .open(memory.era)
            .await?;
            Ok((Link::Stdio(link), Some(era)))
        }
        Transport::Http { url, headers } => {
            let endpoint = Endpoint::new(clients, url, headers)?;
            let link = open_http(endpoint, memory, signals, limit).await?;
            let era = link.era();
            Ok((link, era))
        }
        Transport::Sse { url, headers } => {
            let endpoint = Endpoint::new(clients, url, headers)?;
            Ok((open_sse(&endpoint, signals, limit).await?, Some(Era::Legacy)))
        }
    }
}

/// What the answer to the modern question says.
enum Verdict {
    /// It speaks the modern revision.
    Modern(Greeting),
    /// It does not, or not this question.
    Legacy,
}

/// Judges the answer to `server/discover`.
fn judge(answer: Result<Greeting, RpcError>) -> Result<Verdict, Fault> {
    match answer {
        Ok(greeting) if greeting.supports(MODERN) => Ok(Verdict::Modern(greeting)),
        Ok(_) => Ok(Verdict::Legacy),
        Err(error) if error.code == UNSUPPORTED_PROTOCOL_VERSION => {
            let data: Value = error
                .data
                .as_deref()
                .and_then(|data| serde_json::from_str(data.get()).ok())
                .unwrap_or_default();
            let supported = data.get("supported");
            if LEGACY.iter().any(|version| names(supported, version)) {
                Ok(Verdict::Legacy)
            } else if names(supported, MODERN) {
                Ok(Verdict::Modern(Greeting::default()))
            } else {
                let supported = supported.map(ToString::to_string).unwrap_or_default();
                Err(Fault::NotSent(format!(
                    "speaks none of the supported revisions of MCP, only {supported}"
                )))
            }
        }
        Err(error) if is_modern(error.code) => Ok(Verdict::Modern(Greeting::default())),
        Err(_) => Ok(Verdict::Legacy),
    }
}

fn discover(limit: Duration) -> Ask<'static> {
    Ask::plain("server/discover", String::new(), limit)
}

/// The opening of a connection to a child process.
struct Probe<'a> {
    program: Program,
    signals: &'a Arc<Signals>,
    limit: Duration,
}

impl Probe<'_> {
    async fn open(&self, remembered: Option<Era>) -> Result<(StdioLink, Era), Fault> {
        if remembered == Some(Era::Legacy) {
            let link = self.start().await?;
            match self.initialize(&link, Offer::default()).await {
                // It refuses the handshake: perhaps it has become modern.
                Err(Fault::Rpc(_)) => link.shutdown().await,
                // What it was offered may have upset it.
                Err(Fault::Broken(_) | Fault::NotSent(_)) => return self.start_legacy(Offer::NOTHING).await,
                outcome => return outcome.map(|()| (link, Era::Legacy)),
            }
        }
        let patience = if remembered == Some(Era::Modern) {
            self.limit
        } else {
            PROBE
        };
        let link = self.start().await?;
        let begun = Instant::now();
        let mut question = link
            .send(&discover(self.limit), Era::Modern)
            .await?
            .uncancellable();
        match question.wait(patience.min(self.limit)).await {
            Ok(result) => self.follow(link, Ok(Greeting::read(&result))).await,
            Err(Fault::Rpc(error)) => self.follow(link, Err(error)).await,
            Err(Fault::TimedOut(_)) => self.ask_both_ways(link, question, begun).await,
            // Some old servers end on a question they do not know.
            Err(_) => self.start_legacy(Offer::default()).await,
        }
    }

    async fn start(&self) -> Result<StdioLink, Fault> {
        StdioLink::start(&self.program, Arc::clone(self.signals)).await
    }

    async fn start_legacy(&self, offer: Offer) -> Result<(StdioLink, Era), Fault> {
        let link = self.start().await?;
        self.initialize(&link, offer).await?;
        Ok((link, Era::Legacy))
    }

    /// Goes on with the process as its answer to the modern question says.
    async fn follow(
        &self,
        link: StdioLink,
        answer: Result<Greeting, RpcError>,
    ) -> Result<(StdioLink, Era), Fault> {
        match judge(answer)? {
            Verdict::Modern(greeting) => {
                link.settle(Era::Modern);
                if greeting.tells_changes() {
                    link.listen().await;
                }
                Ok((link, Era::Modern))
            }
            Verdict::Legacy => match self.initialize(&link, Offer::default()).await {
                Ok(()) => Ok((link, Era::Legacy)),
                // The question itself may have upset it, or what it was offered.
                Err(Fault::Broken(_) | Fault::NotSent(_)) => self.start_legacy(Offer::NOTHING).await,
                Err(fault) => Err(fault),
            },
        }
    }

    /// The server has not answered the modern question yet: it is slow to start, or silent on what it
    /// does not know. It is asked the old way too, and whichever answer is good counts.
    async fn ask_both_ways(
        &self,
        link: StdioLink,
        mut question: Ticket,
        begun: Instant,
    ) -> Result<(StdioLink, Era), Fault> {
        let left = self.limit.saturating_sub(begun.elapsed());
        match self.initialize_within(&link, Offer::default(), left).await {
            Ok(()) => {
                let answered = question.wait(Duration::ZERO).await;
                let modern = answered.is_ok_and(|result| Greeting::read(&result).supports(MODERN));
                Ok((link, if modern { Era::Modern } else { Era::Legacy }))
            }
            Err(refused @ Fault::Rpc(_)) => {
                let left = self.limit.saturating_sub(begun.elapsed());
                match question.wait(left).await {
                    Ok(result) => self.follow(link, Ok(Greeting::read(&result))).await,
                    Err(Fault::Rpc(error)) if is_modern(error.code) => self.follow(link, Err(error)).await,
                    Err(_) => Err(refused),
                }
            }
            Err(Fault::Broken(_) | Fault::NotSent(_)) => self.start_legacy(Offer::NOTHING).await,
            Err(fault) => Err(fault),
        }
    }

    async fn initialize(&self, link: &StdioLink, offer: Offer) -> Result<(), Fault> {
        self.initialize_within(link, offer, self.limit).await
    }

    async fn initialize_within(
        &self,
        link: &StdioLink,
        mut offer: Offer,
        limit: Duration,
    ) -> Result<(), Fault> {
        loop {
            let mut ticket = link.send(&offer.initialize(limit), Era::Legacy).await?;
            match ticket.wait(limit).await {
                Err(fault) => offer = offer.lowered(&fault).ok_or(fault)?,
                Ok(_) => break,
            }
        }
        link.settle(Era::Legacy);
        link.notify(INITIALIZED).await;
        Ok(())
    }
}

async fn open_http(
    endpoint: Endpoint,
    memory: Memory,
    signals: &Arc<Signals>,
    limit: Duration,
) -> Result<Link, Fault> {
    if memory.transport == Some(TransportKind::Sse) {
        match open_sse(&endpoint, signals, limit).await {
            Err(Fault::Refused(_)) => {}
            outcome => return outcome,
        }
    }
    let modern = HttpLink::new(endpoint.clone(), Era::Modern, Arc::clone(signals), limit);
    if memory.era == Some(Era::Modern) {
        modern.listen();
        return Ok(Link::Http(modern));
    }
    if memory.era != Some(Era::Legacy)
        && let Verdict::Modern(greeting) = ask_http(&modern, limit).await?
    {
        modern.verify();
        if greeting.tells_changes() {
            modern.listen();
        }
        return Ok(Link::Http(modern));
    }
    let legacy = HttpLink::new(endpoint.clone(), Era::Legacy, Arc::clone(signals), limit);
    match legacy.open().await {
        Ok(()) => Ok(Link::Http(legacy)),
        Err(Fault::Refused(refusal)) if matches!(refusal.status, 400 | 404 | 405) => {
            let refused = Fault::Refused(refusal);
            if memory.era == Some(Era::Legacy)
                && matches!(ask_http(&modern, limit).await, Ok(Verdict::Modern(_)))
            {
                modern.verify();
                modern.listen();
                return Ok(Link::Http(modern));
            }
            open_sse(&endpoint, signals, limit).await.map_err(|_| refused)
        }
        Err(fault) => Err(fault),
    }
}

/// Asks an HTTP server the modern question. Only what a server of either era would say decides;
/// a server that cannot be reached or wants other credentials is a failure.
async fn ask_http(link: &Arc<HttpLink>, limit: Duration) -> Result<Verdict, Fault> {
    match link.request(&discover(limit.min(PROBE_HTTP))).await {
        Ok(result) => judge(Ok(Greeting::read(&result))),
        Err(Fault::Rpc(error)) => judge(Err(error)),
        Err(Fault::Refused(Refusal {
            error: Some(error), ..
        })) => judge(Err(error)),
        Err(Fault::Refused(refusal)) if matches!(refusal.status, 401 | 403 | 407 | 429) => {
            Err(Fault::Refused(refusal))
        }
        Err(Fault::Refused(_) | Fault::Broken(_) | Fault::TimedOut(_)) => Ok(Verdict::Legacy),
        Err(fault @ Fault::NotSent(_)) => Err(fault),
    }
}

async fn open_sse(endpoint: &Endpoint, signals: &Arc<Signals>, limit: Duration) -> Result<Link, Fault> {
    let link = SseLink::open(endpoint, Arc::clone(signals), limit).await?;
    let mut offer = Offer::default();
    while let Err(fault) = link.request(&offer.initialize(limit)).await {
        offer = offer.lowered(&fault).ok_or(fault)?;
    }
    link.notify(INITIALIZED).await;
    Ok(Link::Sse(Box::new(link)))
}
