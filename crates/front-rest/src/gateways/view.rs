//! How do a gateway, its presentation and what it costs look?

use std::collections::BTreeSet;

use handpick_domain::SystemToolkit;
use handpick_operations::gateways::advice::Advice;
use handpick_operations::gateways::measured::Measured;
use handpick_operations::gateways::{GatewayView, PresentationView};
use handpick_presentation::{Cost, Mode};
use serde::Serialize;
use utoipa::ToSchema;

/// The gateways.
#[derive(Debug, Serialize, ToSchema)]
pub struct GatewaysResponse {
    /// Those of the settings file, by name.
    pub gateways: Vec<GatewayResponse>,
}

/// A gateway as this key sees it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "id": "default",
    "presentation": {
        "mode": "adaptive", "resolved": "discovery", "set_by": "file", "autonomy": {"level": "full"},
        "system_tools": []
    },
    "tools": {"bound": 238, "system": 0},
    "snapshot": "9f2c4e1ab07d5563",
    "listed": ["discover_tools", "get_tool_schema", "execute_tool"],
    "costs": [
        {"mode": "direct", "tools": 238, "bytes": 120413, "tokens": 30204},
        {"mode": "discovery", "tools": 3, "bytes": 2010, "tokens": 504}
    ]
}))]
pub struct GatewayResponse {
    /// Its name, as in the URL of its MCP endpoint.
    pub id: String,
    /// What is set.
    pub presentation: PresentationResponse,
    /// How many tools there are to show.
    pub tools: ToolCounts,
    /// Names the tools and how they are shown: the same text for as long as neither changes.
    pub snapshot: String,
    /// Names of the tools that a client lists first, at most a hundred.
    pub listed: Vec<String>,
    /// What a model reads before its first call, in each mode.
    pub costs: Vec<ModeCost>,
}

/// What is set for a gateway.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "mode": "adaptive", "resolved": "discovery", "set_by": "default", "autonomy": {"level": "full"},
    "system_tools": ["journal"]
}))]
pub struct PresentationResponse {
    /// How tools are shown: `direct`, `discovery`, `unified`, `adaptive`, `recommend` or `progressive`.
    pub mode: &'static str,
    /// The same, with `adaptive` decided by the number of tools there are now: fewer than 30 are `direct`, more are
    /// `discovery`.
    pub resolved: &'static str,
    /// Who chose the mode: `api` while the gateway ran, `file` in the settings, `default` nobody.
    pub set_by: &'static str,
    /// How freely tools may be run.
    pub autonomy: AutonomyState,
    /// Toolkits of the gateway itself that are turned on, by name.
    pub system_tools: Vec<&'static str>,
}

/// How freely tools may be run.
#[derive(Debug, Serialize, ToSchema)]
pub struct AutonomyState {
    /// `full`, `confirm` (a person is asked before a tool that may destroy something, or does not say) or `read_only`
    /// (only tools that say that they change nothing).
    pub level: &'static str,
}

/// How many tools there are to show.
#[derive(Debug, Serialize, ToSchema)]
pub struct ToolCounts {
    /// Tools of the servers that the gateway covers, whoever may use them.
    pub bound: usize,
    /// System tools, which are listed in every mode.
    pub system: usize,
}

/// What a model reads before its first call.
#[derive(Debug, Serialize, ToSchema)]
pub struct ModeCost {
    /// The mode.
    pub mode: &'static str,
    /// Tools that are listed.
    pub tools: usize,
    /// Bytes of their definitions.
    pub bytes: usize,
    /// About how many tokens these are.
    pub tokens: usize,
}

/// A mode that would suit a gateway.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "mode": "discovery",
    "reason": "The list of 238 tools shrinks from about 30204 tokens to 504. Asked for 120 tools by their own \
               descriptions, selection puts the right one first in 87 % and among five in 97 %: more candidates at a \
               glance, and one schema read before the call, make up for the rest.",
    "tools": 238,
    "costs": [
        {"mode": "direct", "tools": 238, "bytes": 120413, "tokens": 30204},
        {"mode": "discovery", "tools": 3, "bytes": 2010, "tokens": 504}
    ],
    "measured": {"asked": 120, "first": 0.87, "in_five": 0.97, "nothing": 0.02}
}))]
pub struct AdviceResponse {
    /// `direct`, `discovery`, `recommend` or `progressive`.
    pub mode: &'static str,
    /// Why, in a sentence or two with the numbers.
    pub reason: String,
    /// Tools of the servers that the gateway covers.
    pub tools: usize,
    /// What a model reads before its first call, in each mode.
    pub costs: Vec<ModeCost>,
    /// How well these tools are found. Only where finding tools is available.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub measured: Option<MeasuredState>,
}

/// How well the tools of a gateway are found by their own descriptions, without the words of their names.
#[derive(Debug, Serialize, ToSchema)]
pub struct MeasuredState {
    /// Tools that were asked for, at most 200.
    pub asked: usize,
    /// Share of them that came first.
    #[schema(minimum = 0, maximum = 1)]
    pub first: f64,
    /// Share of them that were among the five a task gets.
    #[schema(minimum = 0, maximum = 1)]
    pub in_five: f64,
    /// Share of them for which nothing was found at all.
    #[schema(minimum = 0, maximum = 1)]
    pub nothing: f64,
}

impl From<GatewayView> for GatewayResponse {
    fn from(view: GatewayView) -> Self {
        Self {
            id: view.name,
            presentation: view.presentation.into(),
            tools: ToolCounts {
                bound: view.bound,
                system: view.system,
            },
            snapshot: view.snapshot,
            listed: view.listed,
            costs: costs(view.costs),
        }
    }
}

impl From<PresentationView> for PresentationResponse {
    fn from(view: PresentationView) -> Self {
        Self {
            mode: view.mode.as_str(),
            resolved: view.resolved.as_str(),
            set_by: view.set_by.as_str(),
            autonomy: AutonomyState {
                level: view.autonomy.as_str(),
            },
            system_tools: names(&view.system_tools),
        }
    }
}

impl From<Advice> for AdviceResponse {
    fn from(advice: Advice) -> Self {
        Self {
            mode: advice.mode.as_str(),
            reason: advice.reason,
            tools: advice.tools,
            costs: costs(advice.costs),
            measured: advice.measured.map(MeasuredState::of),
        }
    }
}

impl MeasuredState {
    fn of(measured: Measured) -> Self {
        let share = |count| (measured.share(count) * 1000.0).round() / 1000.0;
        Self {
            asked: measured.asked,
            first: share(measured.first),
            in_five: share(measured.in_five),
            nothing: share(measured.nothing),
        }
    }
}

fn names(toolkits: &BTreeSet<SystemToolkit>) -> Vec<&'static str> {
    toolkits.iter().map(|toolkit| toolkit.as_str()).collect()
}

fn costs(costs: Vec<(Mode, Cost)>) -> Vec<ModeCost> {
    let one = |(mode, cost): (Mode, Cost)| ModeCost {
        mode: mode.as_str(),
        tools: cost.tools,
        bytes: cost.bytes,
        tokens: cost.tokens,
    };
    costs.into_iter().map(one).collect()
}
