//! Which model clients can a finding matter in?

/// A kind of client that turns tools into its own model's function definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Client {
    /// OpenAI function calling.
    OpenAi,
    /// OpenAI function calling with `strict: true`. Never part of "all": few clients set it for tools they
    /// did not write.
    OpenAiStrict,
    /// Anthropic's Messages API.
    Anthropic,
    /// Gemini function declarations that put the schema into `parameters`.
    Gemini,
}

impl Client {
    /// Every client.
    pub const ALL: [Self; 4] = [Self::OpenAi, Self::OpenAiStrict, Self::Anthropic, Self::Gemini];

    /// Spelling on the command line and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::OpenAiStrict => "openai-strict",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        }
    }

    /// The name people use.
    pub fn title(self) -> &'static str {
        match self {
            Self::OpenAi => "OpenAI",
            Self::OpenAiStrict => "OpenAI strict mode",
            Self::Anthropic => "Anthropic",
            Self::Gemini => "Gemini",
        }
    }
}

/// The clients whose rules are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clients {
    /// All but strict mode.
    All,
    /// This one alone; its notes count as warnings.
    Only(Client),
}

impl Clients {
    /// Whether rules about `client` are checked.
    pub fn includes(self, client: Client) -> bool {
        match self {
            Self::All => client != Client::OpenAiStrict,
            // Strict mode adds to what every function must keep to.
            Self::Only(Client::OpenAiStrict) => {
                matches!(client, Client::OpenAi | Client::OpenAiStrict)
            }
            Self::Only(only) => client == only,
        }
    }
}
