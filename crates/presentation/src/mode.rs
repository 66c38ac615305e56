//! Which way of showing tools does a surface get?

use handpick_domain::Presentation;

/// From this many bound tools on, `adaptive` hides them behind meta-tools (P6). A constant of the
/// platform: no gateway can change it (P8).
pub const ADAPTIVE_THRESHOLD: usize = 30;

/// The presentation a surface was opened with. `adaptive` never appears here: it has been resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Every tool is listed as itself.
    Direct,
    /// `discover_tools`, `get_tool_schema`, `execute_tool`.
    Discovery,
    /// `unified_tool`.
    Unified,
    /// `…_SelectTools` and `…_UseTool`.
    Recommend,
    /// `arc_search_tools`, `arc_describe_tool`, `arc_call_tool`, and what was used.
    Progressive,
}

impl Mode {
    /// Every mode, in the order they are told in.
    pub const ALL: [Self; 5] = [
        Self::Direct,
        Self::Discovery,
        Self::Unified,
        Self::Recommend,
        Self::Progressive,
    ];

    /// Resolves a gateway's setting for a surface with `bound` tools (P6, P7).
    pub fn resolve(setting: Presentation, bound: usize) -> Self {
        match setting {
            Presentation::Direct => Self::Direct,
            Presentation::Discovery => Self::Discovery,
            Presentation::Unified => Self::Unified,
            Presentation::Recommend => Self::Recommend,
            Presentation::Progressive => Self::Progressive,
            Presentation::Adaptive if bound < ADAPTIVE_THRESHOLD => Self::Direct,
            Presentation::Adaptive => Self::Discovery,
        }
    }

    /// What `?tool_recommendation=false` on the URL does: recommendation off for this connection. It
    /// never turns anything on (A9).
    pub fn without_recommendation(self) -> Self {
        if self == Self::Recommend {
            Self::Direct
        } else {
            self
        }
    }

    /// Spelling for people and records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Discovery => "discovery",
            Self::Unified => "unified",
            Self::Recommend => "recommend",
            Self::Progressive => "progressive",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P6, P7, E22: 29 is direct, 30 and 31 are discovery, nothing else ever comes out of adaptive.
    #[test]
    fn e22_adaptive_boundary() {
        for (bound, expected) in [
            (0, Mode::Direct),
            (29, Mode::Direct),
            (30, Mode::Discovery),
            (31, Mode::Discovery),
            (9_999, Mode::Discovery),
        ] {
            assert_eq!(Mode::resolve(Presentation::Adaptive, bound), expected, "{bound}");
        }
    }

    /// A9: the switch narrows, it never widens.
    #[test]
    fn a9_the_url_switch_only_narrows() {
        assert_eq!(Mode::Recommend.without_recommendation(), Mode::Direct);
        assert_eq!(Mode::Discovery.without_recommendation(), Mode::Discovery);
        assert_eq!(Mode::Direct.without_recommendation(), Mode::Direct);
    }
}
