//! How is a catalog shown to the model, and how freely may it act?

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// The stored presentation setting of a gateway or an agent (P1, C10). The older names `individual`, `smart`
/// and `omni` are read, too (P28).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Presentation {
    /// Every tool is listed as itself.
    Direct,
    /// Three meta-tools: search, read one schema, execute.
    Discovery,
    /// One tool that takes a request in words, finds the tool that serves it and runs it.
    Unified,
    /// `direct` below thirty tools, `discovery` from thirty on.
    #[default]
    Adaptive,
    /// Two tools: describe tasks to get the tools that fit, then run one.
    Recommend,
    /// Three tools: search, describe, call; what is used joins the list.
    Progressive,
}

impl Presentation {
    /// Every setting, in the order they are told in.
    pub const ALL: [Self; 6] = [
        Self::Direct,
        Self::Discovery,
        Self::Unified,
        Self::Adaptive,
        Self::Recommend,
        Self::Progressive,
    ];

    /// The stored spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Discovery => "discovery",
            Self::Unified => "unified",
            Self::Adaptive => "adaptive",
            Self::Recommend => "recommend",
            Self::Progressive => "progressive",
        }
    }

    /// The setting with this spelling, or with an older one of the same meaning.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "individual" => Some(Self::Direct),
            "smart" => Some(Self::Discovery),
            "omni" => Some(Self::Unified),
            text => Self::ALL.into_iter().find(|setting| setting.as_str() == text),
        }
    }
}

impl<'de> Deserialize<'de> for Presentation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // The older names are read and not told: nobody should write them anew.
        const TOLD: &[&str] = &[
            "direct",
            "discovery",
            "unified",
            "adaptive",
            "recommend",
            "progressive",
        ];
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::unknown_variant(&text, TOLD))
    }
}

/// How freely tools may be run without a person (P4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Autonomy {
    /// Whatever the caller may use runs.
    #[default]
    Full,
    /// A person is asked before a tool that may destroy something, or does not say.
    Confirm,
    /// Only tools that say that they change nothing.
    ReadOnly,
}

impl Autonomy {
    /// Every level, from the freest on.
    pub const ALL: [Self; 3] = [Self::Full, Self::Confirm, Self::ReadOnly];

    /// The stored spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Confirm => "confirm",
            Self::ReadOnly => "read_only",
        }
    }

    /// The level with this spelling.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.as_str() == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P1, P28: six values, and three older names for three of them.
    #[test]
    fn p1_settings_read_back() {
        for setting in Presentation::ALL {
            assert_eq!(Presentation::parse(setting.as_str()), Some(setting));
            let json = serde_json::to_string(&setting).unwrap();
            assert_eq!(json, format!("\"{}\"", setting.as_str()));
        }
        for (older, setting) in [
            ("individual", Presentation::Direct),
            ("smart", Presentation::Discovery),
            ("omni", Presentation::Unified),
        ] {
            assert_eq!(Presentation::parse(older), Some(setting));
            let read: Presentation = serde_json::from_str(&format!("\"{older}\"")).unwrap();
            assert_eq!(read, setting);
        }
        assert_eq!(Presentation::parse("Direct"), None);
        assert_eq!(Presentation::default(), Presentation::Adaptive, "P2");
        for level in Autonomy::ALL {
            assert_eq!(Autonomy::parse(level.as_str()), Some(level));
        }
    }
}
