//! Which mode would be best for a gateway as it is, and why?
//!
//! The first rule that holds decides:
//!
//! 1. Selection is off: `direct`. Behind meta-tools nothing could be found.
//! 2. Fewer tools than [`ADAPTIVE_THRESHOLD`] whose list takes fewer than [`AFFORDABLE_TOKENS`]: `direct`. Up to there
//!    a model chooses best from the schemas themselves.
//! 3. Fewer than [`FOUND_ENOUGH`] of the tools are found among five by their own descriptions: `direct` as long as the
//!    list is affordable, since a tool that cannot be found cannot be used; beyond that `discovery`, where a model can
//!    ask again in other words. Either way the descriptions are what should change, and `handpick lint` says how.
//! 4. The gateway names core tools: `progressive`, the one mode that lists them beside the search.
//! 5. A tool comes first with [`FIRST_SURE`] and among five with [`FIVE_SURE`]: `recommend`. Its answer brings whole
//!    schemas, so that two calls do; that pays where the right tool is nearly always among them.
//! 6. Otherwise `discovery`: it shows more candidates, briefly, and the model reads the schema of the one it wants.
//!
//! `unified` is never advised: it leaves the choice of the tool to the gateway, which is for its author to decide (P7).

use std::sync::Arc;

use handpick_domain::Caller;
use handpick_presentation::{ADAPTIVE_THRESHOLD, Cost, Mode};

use super::measured::{Measured, measure};
use super::{GatewayError, costs, open_configured};
use crate::{Opened, Runtime};

/// Below this many tokens a whole list is affordable.
pub const AFFORDABLE_TOKENS: usize = 20_000;
/// Share of tools found among five below which selection does poorly.
pub const FOUND_ENOUGH: f64 = 0.8;
/// Share of tools that come first from which on two calls do.
pub const FIRST_SURE: f64 = 0.9;
/// Share of tools found among five from which on two calls do.
pub const FIVE_SURE: f64 = 0.95;

/// A mode that would suit a gateway, with what speaks for it.
#[derive(Clone, Debug)]
pub struct Advice {
    /// The mode.
    pub mode: Mode,
    /// Why, in a sentence or two with the numbers.
    pub reason: String,
    /// Customers' tools that are bound.
    pub tools: usize,
    /// What the list costs in each mode.
    pub costs: Vec<(Mode, Cost)>,
    /// How selection did; `None` in a deployment without it.
    pub measured: Option<Measured>,
}

/// Advises a mode for a gateway of the settings file, by what `caller` would see through it. Measuring takes up to
/// seconds, so one at a time does.
pub async fn advise(runtime: &Runtime, name: &str, caller: &Caller) -> Result<Advice, GatewayError> {
    let opened = open_configured(runtime, name, caller)?;
    let costs = costs(&opened).await?;
    let measured = match &runtime.selector {
        None => None,
        Some(selector) => {
            let turn = runtime.measuring.acquire().await;
            let _turn = turn.map_err(|_| GatewayError::Unavailable)?;
            let measured = measure(selector, &opened.surface).await;
            Some(measured.map_err(|_| GatewayError::Unavailable)?)
        }
    };
    let facts = Facts::of(name, &opened, &costs, measured);
    let (mode, mut reason) = facts.advised();
    if let Some(selector) = &runtime.selector
        && !selector.progress().borrow().is_done()
    {
        reason.push_str(
            " Some tools are found by their words alone until their vectors are made: ask again later.",
        );
    }
    Ok(Advice {
        mode,
        reason,
        tools: opened.surface.bound.len(),
        costs,
        measured,
    })
}

/// What the rules are about.
struct Facts<'a> {
    gateway: &'a str,
    tools: usize,
    core: usize,
    costs: &'a [(Mode, Cost)],
    measured: Option<Measured>,
}

impl<'a> Facts<'a> {
    fn of(
        gateway: &'a str,
        opened: &Arc<Opened>,
        costs: &'a [(Mode, Cost)],
        measured: Option<Measured>,
    ) -> Self {
        let core = &opened.gateway.core;
        Self {
            gateway,
            tools: opened.surface.bound.len(),
            core: opened
                .surface
                .tools()
                .filter(|(_, tool)| core.matches(&tool.name))
                .count(),
            costs,
            measured,
        }
    }

    fn tokens(&self, mode: Mode) -> usize {
        let cost = self.costs.iter().find(|(of, _)| *of == mode);
        cost.map_or(0, |(_, cost)| cost.tokens)
    }

    fn advised(&self) -> (Mode, String) {
        let (tools, tokens) = (self.tools, self.tokens(Mode::Direct));
        let affordable = tokens < AFFORDABLE_TOKENS;
        let Some(measured) = self.measured else {
            let reason = format!(
                "Finding tools is turned off in this deployment, so nothing could be found behind meta-tools. All \
                 {tools} tools together take about {tokens} tokens."
            );
            return (Mode::Direct, reason);
        };
        if tools < ADAPTIVE_THRESHOLD && affordable {
            let reason = format!(
                "{tools} tools are fewer than {ADAPTIVE_THRESHOLD} and take about {tokens} tokens: a model chooses best \
                 from the schemas themselves."
            );
            return (Mode::Direct, reason);
        }
        if measured.share(measured.in_five) < FOUND_ENOUGH {
            return self.poorly_found(&measured, affordable);
        }
        let mode = if self.core > 0 {
            Mode::Progressive
        } else if measured.share(measured.first) >= FIRST_SURE
            && measured.share(measured.in_five) >= FIVE_SURE
        {
            Mode::Recommend
        } else {
            Mode::Discovery
        };
        let shown = self.tokens(mode);
        let why = match mode {
            Mode::Progressive => format!("the {} core tools stay listed beside the search", self.core),
            Mode::Recommend => {
                "that is sure enough for two calls, one that brings whole schemas and one that runs"
                    .to_owned()
            }
            _ => "more candidates at a glance, and one schema read before the call, make up for the rest"
                .to_owned(),
        };
        let reason = format!(
            "The list of {tools} tools shrinks from about {tokens} tokens to {shown}. {}: {why}.",
            found(&measured)
        );
        (mode, reason)
    }

    fn poorly_found(&self, measured: &Measured, affordable: bool) -> (Mode, String) {
        let (tools, tokens) = (self.tools, self.tokens(Mode::Direct));
        let found = match measured.asked {
            0 => "No description says enough beside its tool's name to ask for the tool".to_owned(),
            _ => format!("{}, which is poor", found(measured)),
        };
        let lint = format!(
            "`handpick lint --gateway {}` says what to write instead",
            self.gateway
        );
        if affordable {
            let reason = format!(
                "{found}; all {tools} tools together take about {tokens} tokens, which is affordable. {lint}."
            );
            return (Mode::Direct, reason);
        }
        let reason = format!(
            "{found}, but all {tools} tools together would take about {tokens} tokens; discovery takes {} and lets the \
             model ask again in other words. {lint}.",
            self.tokens(Mode::Discovery)
        );
        (Mode::Discovery, reason)
    }
}

fn found(measured: &Measured) -> String {
    let percent = |count| (100.0 * measured.share(count)).round();
    format!(
        "Asked for {} tools by their own descriptions, selection puts the right one first in {} % and among five in \
         {} %",
        measured.asked,
        percent(measured.first),
        percent(measured.in_five)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(first: usize, in_five: usize) -> Option<Measured> {
        Some(Measured {
            asked: 100,
            first,
            in_five,
            nothing: 1,
        })
    }

    /// P6: each rule, at its borders.
    #[test]
    fn p6_the_first_rule_that_holds_decides() {
        let none = Some(Measured::default());
        for (tools, tokens, core, measured, mode, told) in [
            (500, 90_000, 0, None, Mode::Direct, "turned off"),
            (29, 19_999, 3, measured(99, 99), Mode::Direct, "fewer than 30"),
            (
                30,
                9_000,
                0,
                measured(50, 79),
                Mode::Direct,
                "`handpick lint --gateway shop`",
            ),
            (
                30,
                20_000,
                0,
                measured(50, 79),
                Mode::Discovery,
                "`handpick lint --gateway shop`",
            ),
            (30, 9_000, 0, none, Mode::Direct, "No description says enough"),
            (30, 9_000, 2, measured(50, 80), Mode::Progressive, "2 core tools"),
            (
                30,
                9_000,
                0,
                measured(90, 95),
                Mode::Recommend,
                "first in 90 % and among five in 95 %",
            ),
            (
                30,
                9_000,
                0,
                measured(89, 95),
                Mode::Discovery,
                "from about 9000 tokens to 300",
            ),
            (30, 9_000, 0, measured(90, 94), Mode::Discovery, "one schema read"),
            (29, 20_000, 0, measured(90, 95), Mode::Recommend, "29 tools"),
        ] {
            let cost = |tokens| Cost {
                tokens,
                ..Cost::default()
            };
            let costs = Mode::ALL.map(|of| (of, cost(if of == Mode::Direct { tokens } else { 300 })));
            let facts = Facts {
                gateway: "shop",
                tools,
                core,
                costs: &costs,
                measured,
            };
            let (advised, reason) = facts.advised();
            assert_eq!(advised, mode, "{reason}");
            assert!(reason.contains(told), "{told}: {reason}");
        }
    }
}
