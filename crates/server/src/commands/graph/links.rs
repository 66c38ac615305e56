//! Where do the links come from: a running gateway, or files?

use std::path::Path;

use anyhow::Context as _;
use handpick_conversation::published;
use handpick_conversation::{Agent, EdgeSource};
use handpick_domain::{AgentId, Conversation};
use http::Method;
use serde::Deserialize;
use serde_json::Value;

use crate::args::GraphArgs;
use crate::client::Client;
use crate::commands::defects::defective;
use crate::settings::Mistake;
use crate::settings::resolve::read_file;

/// The links of one agent.
pub struct Graph {
    /// Whose they are.
    pub name: String,
    /// Sorted by provider, consumer and parameter.
    pub links: Vec<Link>,
}

/// One tool supplies one id to another.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Link {
    /// The tool that returns the id.
    pub provider: String,
    /// The tool that needs it.
    pub consumer: String,
    /// The id as the consumer spells it.
    pub param: String,
    /// Above 0, at most 1.
    pub confidence: f64,
    /// How it is known.
    pub source: Source,
}

/// How a link is known, surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Source {
    /// The provider's `produces` says so.
    Declared,
    /// Past conversations show it.
    Trace,
    /// Names and parameters suggest it.
    Static,
}

impl Source {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Declared, Self::Trace, Self::Static];

    /// Its name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Declared => "DECLARED",
            Self::Trace => "TRACE",
            Self::Static => "STATIC",
        }
    }

    /// What that means.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Declared => "the catalog says so",
            Self::Trace => "past conversations show it",
            Self::Static => "names suggest it",
        }
    }
}

impl Graph {
    /// How many links of a source there are.
    pub fn count(&self, source: Source) -> usize {
        self.links.iter().filter(|link| link.source == source).count()
    }

    /// What it holds, in one line.
    pub fn summary(&self) -> String {
        let counts = Source::ALL.map(|source| format!("{} {}", self.count(source), source.as_str()));
        format!("{}: {}", self.count_in_words(), counts.join(", "))
    }

    /// How many links it holds, in words.
    pub fn count_in_words(&self) -> String {
        match self.links.len() {
            1 => "1 link".to_owned(),
            several => format!("{several} links"),
        }
    }
}

/// The links that the arguments ask for.
pub async fn load(args: &GraphArgs) -> anyhow::Result<Graph> {
    match (&args.catalog, &args.agent) {
        (Some(catalog), _) => of_files(catalog, args.traces.as_deref()),
        (None, agent) => of_gateway(agent.as_deref().unwrap_or_default(), args).await,
    }
}

async fn of_gateway(agent: &str, args: &GraphArgs) -> anyhow::Result<Graph> {
    let id = AgentId::parse(agent).with_context(|| format!("`{agent}` is no id of an agent"))?;
    let path = format!("/v1/agents/{id}/graph");
    let answer = Client::new(&args.service)?.send(Method::GET, &path, None).await?;
    let links = serde_json::from_value(answer["edges"].clone());
    Ok(Graph {
        name: agent.to_owned(),
        links: links.with_context(|| format!("{} answered with no graph", args.service.url))?,
    })
}

/// Learns the links as a gateway does that is given these bodies.
fn of_files(catalog: &Path, traces: Option<&Path>) -> anyhow::Result<Graph> {
    let tools = published::catalog(&json_of(catalog)?).map_err(|defects| defective(catalog, &defects))?;
    let past = match traces {
        Some(path) => {
            let read = published::conversations(&json_of(path)?);
            read.map_err(|defects| defective(path, &defects))?
        }
        None => Vec::new(),
    };
    let past: Vec<Conversation> = past.into_iter().map(|past| past.conversation).collect();
    let agent = Agent::learn(tools, &past);
    let name = |position: usize| agent.tools()[position].name.to_string();
    let links = agent.graph().edges().iter().map(|edge| Link {
        provider: name(edge.provider),
        consumer: name(edge.consumer),
        param: edge.param.to_string(),
        confidence: f64::from(edge.confidence),
        source: match edge.source {
            EdgeSource::Declared => Source::Declared,
            EdgeSource::Trace => Source::Trace,
            EdgeSource::Static => Source::Static,
        },
    });
    Ok(Graph {
        name: catalog.display().to_string(),
        links: links.collect(),
    })
}

fn json_of(path: &Path) -> Result<Value, Mistake> {
    let source = read_file(path)?;
    serde_json::from_str(&source)
        .map_err(|error| Mistake::on_line(path, error.line(), format!("is not JSON: {error}")))
}
