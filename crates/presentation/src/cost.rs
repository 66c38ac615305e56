//! What does a model read before its first call, in each mode?

use handpick_domain::{Gateway, Surface};
use handpick_protocol::json::to_raw;

use crate::list::{listed, meta_tools};
use crate::{Mode, Promoted, direct, tokens};

/// What a whole `tools/list` comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Tools listed.
    pub tools: usize,
    /// Bytes of their definitions.
    pub bytes: usize,
    /// About as many tokens ([`tokens::estimate`]).
    pub tokens: usize,
}

/// The cost of what a caller sees at first in `mode`: every page, nothing promoted yet.
pub fn cost(surface: &Surface, mode: Mode, gateway: &Gateway) -> Cost {
    let promoted = Promoted::default();
    let meta = meta_tools(mode, gateway);
    let own =
        listed(surface, mode, gateway, &promoted).map(|(_, position)| direct::definition(surface, position));
    meta.iter()
        .map(to_raw)
        .chain(own)
        .fold(Cost::default(), |cost, tool| Cost {
            tools: cost.tools + 1,
            bytes: cost.bytes + tool.get().len(),
            tokens: cost.tokens + tokens::estimate(tool.get()),
        })
}
