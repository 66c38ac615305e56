//! What is decided about a request? By the server's own function; nothing runs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use handpick_domain::{Caller, Scope, Surface, ToolSet};
use handpick_evaluation::unified::{Asked, Case, Decided, Expected, judge, same};
use handpick_mapping::Now;
use handpick_operations::Runtime;
use handpick_operations::unified::decide::{Candidate, Decision, Verdict, decide};
use handpick_presentation::UnifiedRequest;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::tools::Tools;

/// When every labelled request is asked: a Monday.
const ASKED_AT: &str = "2026-11-30T10:00:00Z";

/// Asks a gateway.
pub struct Asker<'a> {
    runtime: &'a Arc<Runtime>,
    tools: &'a Tools,
    labels: BTreeMap<String, String>,
    caller: Caller,
    now: Now,
}

impl<'a> Asker<'a> {
    /// Asks `runtime`, which serves `tools`.
    pub fn new(runtime: &'a Arc<Runtime>, tools: &'a Tools) -> anyhow::Result<Self> {
        Ok(Self {
            runtime,
            tools,
            labels: tools.labels(),
            caller: Caller {
                scopes: [Scope::Read].into(),
                ..Caller::default()
            },
            now: Now::utc(ASKED_AT.parse::<Timestamp>().context("the moment of asking")?),
        })
    }

    /// Decides about one request; with it comes a line of JSON with what speaks for each tool.
    pub async fn ask(&self, case: &Case) -> anyhow::Result<(Asked, Value)> {
        let surface = self.surface(case);
        let request = UnifiedRequest {
            request: case.request.clone(),
            context: case.context.clone(),
            preferred_tools: Vec::new(),
        };
        let decision = decide(self.runtime, &surface, &self.caller, &request, self.now)
            .await
            .map_err(|_| anyhow!("the request {} could not be looked up", case.id))?;
        let decided = self.decided(&decision);
        let kind = if self.tools.is_demo(case) { "demo" } else { "real" };
        let line = self.signals(case, kind, &decision);
        let asked = Asked {
            judged: judge(case, &decided),
            kind: kind.to_owned(),
            case: case.clone(),
            decided,
        };
        Ok((asked, line))
    }

    /// The tools of the request's servers, as a gateway that allows these.
    fn surface(&self, case: &Case) -> Surface {
        let catalog = self.runtime.upstreams.catalog();
        let names: BTreeSet<&str> = case
            .servers
            .iter()
            .flat_map(|server| self.tools.of(server))
            .map(|(_, tool)| tool.name.as_str())
            .collect();
        let tools = catalog.tools();
        let allowed = ToolSet::from_fn(tools.len(), |position| {
            tools
                .get(position)
                .is_some_and(|tool| names.contains(tool.name.as_str()))
        });
        Surface {
            gateway: None,
            bound: allowed.clone(),
            system: ToolSet::from_fn(tools.len(), |_| false),
            allowed,
            catalog,
        }
    }

    fn decided(&self, decision: &Decision) -> Decided {
        let Some(best) = decision.candidates.first() else {
            return Decided::default();
        };
        Decided {
            tool: Some(self.label(best)),
            arguments: best.mapped.arguments.clone(),
            confidence: f64::from(best.confidence),
            runs: decision.verdict() == Verdict::Run,
            held: best.held,
            missing: best
                .mapped
                .missing
                .iter()
                .map(|missing| missing.name.clone())
                .collect(),
        }
    }

    fn label(&self, candidate: &Candidate) -> String {
        let name = candidate.tool.name.as_str();
        self.labels.get(name).cloned().unwrap_or_else(|| name.to_owned())
    }

    fn signals(&self, case: &Case, kind: &str, decision: &Decision) -> Value {
        let candidates = decision.candidates.iter().map(|candidate| {
            let label = self.label(candidate);
            let is_right = match &case.expected {
                Expected::Run(calls) => calls
                    .iter()
                    .any(|call| same::is_call(call, &label, &candidate.mapped.arguments)),
                Expected::Ask { .. } => false,
            };
            let is_meant = case.named_tools().contains(&label.as_str());
            json!({
                "tool": label,
                "meant": is_meant,
                "right": is_right,
                "held": candidate.held,
                "confidence": candidate.confidence,
                "signals": candidate.signals.by_name(),
            })
        });
        json!({
            "id": case.id,
            "tools": kind,
            "voice": case.voice,
            "kind": case.kind(),
            "destructive": case.destructive,
            "candidates": candidates.collect::<Vec<_>>(),
        })
    }
}
