//! What does the product answer? Asked as the server is asked, one turn after the other.

use std::collections::{BTreeSet, HashSet};
use std::time::Instant;

use anyhow::Context as _;
use handpick_access::Policy;
use handpick_conversation::found::Page;
use handpick_conversation::published;
use handpick_domain::AgentId;
use handpick_evaluation::turns::{Answer, Conversation, Given, Setup};
use handpick_operations::Options;
use handpick_operations::agents::add_traces::add_traces;
use handpick_operations::agents::publish_catalog::publish_catalog;
use handpick_operations::agents::turn_context::{ContextTool, TurnRequest, turn_context};
use handpick_store::{Retention, Store};

use super::domain::Domain;
use crate::encoder::{Chosen, EncoderSource};
use crate::wire::{Gateway, Plan, Selection, data_folder};

/// Asks a gateway in memory, which knows one domain after the other.
pub struct Asker {
    gateway: Gateway,
    setup: Setup,
    agent: AgentId,
    published: usize,
    /// Messages whose vectors the gateway may have kept: a second question would look faster than it is.
    heard: HashSet<String>,
}

impl Asker {
    /// Opens the gateway.
    pub async fn open(setup: Setup, encoder: Option<&EncoderSource>) -> anyhow::Result<Self> {
        let encoder = match encoder {
            Some(source) => Some(Chosen {
                source: source.clone(),
                data: data_folder(None, None)?,
            }),
            None => None,
        };
        let plan = Plan {
            policy: Policy::default(),
            selection: Some(Selection {
                tuning: handpick_selection::Tuning::default(),
                encoder,
            }),
            options: Options {
                turn_memory: setup.memory,
                ..Options::default()
            },
            retention: Retention::default(),
            admin_key: None,
        };
        Ok(Self {
            gateway: Gateway::assemble(plan, Vec::new(), Store::in_memory().await?).await?,
            setup,
            agent: agent(0)?,
            published: 0,
            heard: HashSet::new(),
        })
    }

    /// Publishes a domain as an agent of its own, waits until all of it is read, and tells how many past
    /// conversations it learned from.
    pub async fn publish(&mut self, domain: &Domain) -> anyhow::Result<usize> {
        let runtime = &self.gateway.runtime;
        self.published += 1;
        self.agent = agent(self.published)?;
        let catalog = domain.catalog.to_string();
        let mut counts = publish_catalog(runtime, &self.agent, domain.tools.clone(), catalog).await?;
        if self.setup.traces && !domain.traces.is_empty() {
            counts = add_traces(runtime, &self.agent, domain.traces.clone()).await?;
        }
        runtime.agents.settle(runtime, &self.agent).await;
        Ok(counts.conversations)
    }

    /// Asks the turn with this number, from 0, with everything before it as history.
    pub async fn ask(&mut self, conversation: &Conversation, number: usize) -> anyhow::Result<Answer> {
        let message = conversation.turns[number].message.clone();
        let is_new = self.heard.insert(message.clone());
        // Histories were checked when they were read.
        let history = published::messages(&conversation.history(number), "history", &mut Vec::new());
        let request = TurnRequest {
            agent_id: self.agent.clone(),
            message,
            history,
            roles: conversation.roles.iter().cloned().collect::<BTreeSet<String>>(),
            page: conversation.page.as_ref().map(|page| Page {
                url: page.url.clone(),
                title: page.title.clone(),
            }),
            tools_max: self.setup.max_tools,
        };
        let started = Instant::now();
        let answer = turn_context(&self.gateway.runtime, request).await?;
        let elapsed = started.elapsed().as_secs_f64() * 1e3;
        Ok(Answer {
            turn_type: answer.turn_type.as_str().to_owned(),
            tools: answer.tools.into_iter().map(given).collect(),
            resolved: answer.resolved_params,
            latency_ms: is_new.then_some(elapsed),
        })
    }

    /// Closes the gateway.
    pub async fn close(self) {
        self.gateway.close().await;
    }
}

fn agent(number: usize) -> anyhow::Result<AgentId> {
    AgentId::parse(&format!("domain-{number}")).context("a domain has no name")
}

fn given(tool: ContextTool) -> Given {
    Given {
        name: tool.name.to_string(),
        // Two digits tell all that anybody reads from it.
        score: (f64::from(tool.score) * 100.0).round() / 100.0,
        reason: tool.reason.as_str().to_owned(),
        detail: tool.detail,
    }
}
