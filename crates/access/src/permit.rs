//! What does a granted call carry, and why is one refused?

use std::sync::Arc;

use handpick_domain::{Caller, Tool};

/// Proof that one call of one tool was admitted.
///
/// It has no public constructor and is not `Clone`, so an unadmitted call does not compile:
///
/// ```compile_fail
/// # fn forge(tool: std::sync::Arc<handpick_domain::Tool>) -> handpick_access::Permit {
/// handpick_access::Permit { tool, user_id: None }
/// # }
/// ```
#[derive(Debug)]
pub struct Permit {
    tool: Arc<Tool>,
    user_id: Option<String>,
    reason: Reason,
}

impl Permit {
    /// The tool that may be called, once.
    pub fn tool(&self) -> &Arc<Tool> {
        &self.tool
    }

    /// The end user the call is made for.
    pub fn user_id(&self) -> Option<&str> {
        self.user_id.as_deref()
    }

    /// Why it was granted.
    pub fn reason(&self) -> Reason {
        self.reason
    }
}

/// Why a call was let through or stopped, as it is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The gateway asks nobody.
    FullAutonomy,
    /// The tool says that it changes nothing.
    ReadOnlyTool,
    /// The tool says that it destroys nothing.
    HarmlessTool,
    /// The person agreed.
    Confirmed,
    /// The person said no.
    Declined,
    /// There is nobody to ask on this connection.
    NobodyToAsk,
    /// The person did not answer in time.
    NoAnswer,
    /// The arguments are more than a person can be shown.
    TooLarge,
    /// The gateway runs nothing that may change something.
    ReadOnlyGateway,
    /// The caller has no such tool.
    NotFound,
    /// The name means several tools.
    Ambiguous,
    /// The key may not run tools.
    Scope,
}

impl Reason {
    /// Stable spelling for records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::FullAutonomy => "full_autonomy",
            Self::ReadOnlyTool => "read_only_tool",
            Self::HarmlessTool => "harmless_tool",
            Self::Confirmed => "confirmed",
            Self::Declined => "declined",
            Self::NobodyToAsk => "nobody_to_ask",
            Self::NoAnswer => "no_answer",
            Self::TooLarge => "too_large",
            Self::ReadOnlyGateway => "read_only_gateway",
            Self::NotFound => "not_found",
            Self::Ambiguous => "ambiguous",
            Self::Scope => "scope",
        }
    }
}

/// What admission says of a call it does not refuse.
#[derive(Debug)]
pub enum Admitted {
    /// It may run.
    Granted(Permit),
    /// It may run once a person has agreed (P4).
    Confirm(Confirmation),
}

impl Admitted {
    /// The tool that is meant.
    pub fn tool(&self) -> &Arc<Tool> {
        match self {
            Self::Granted(permit) => &permit.tool,
            Self::Confirm(waiting) => &waiting.tool,
        }
    }
}

/// A call that waits for a person's word. It becomes a permit or a denial, and nothing else.
#[derive(Debug)]
pub struct Confirmation {
    tool: Arc<Tool>,
    user_id: Option<String>,
}

impl Confirmation {
    /// The tool the person is asked about.
    pub fn tool(&self) -> &Arc<Tool> {
        &self.tool
    }

    /// The person agreed.
    pub fn agreed(self) -> Permit {
        Permit {
            tool: self.tool,
            user_id: self.user_id,
            reason: Reason::Confirmed,
        }
    }

    /// The person said no.
    pub fn declined(self) -> Denial {
        Denial::Declined {
            name: self.tool.name.to_string(),
        }
    }

    /// Nobody can be asked.
    pub fn nobody_to_ask(self) -> Denial {
        Denial::NobodyToAsk {
            name: self.tool.name.to_string(),
        }
    }

    /// There is too much for a person to judge.
    pub fn too_large(self) -> Denial {
        Denial::TooLarge {
            name: self.tool.name.to_string(),
        }
    }

    /// Nobody answered in time.
    pub fn unanswered(self) -> Denial {
        Denial::NoAnswer {
            name: self.tool.name.to_string(),
        }
    }
}

/// A permit, or a call that needs a person's word first: only [`Policy`](crate::Policy) makes them.
pub(crate) fn granted(tool: Arc<Tool>, caller: &Caller, reason: Reason) -> Admitted {
    Admitted::Granted(Permit {
        tool,
        user_id: caller.user_id.clone(),
        reason,
    })
}

/// See [`granted`].
pub(crate) fn to_confirm(tool: Arc<Tool>, caller: &Caller) -> Admitted {
    Admitted::Confirm(Confirmation {
        tool,
        user_id: caller.user_id.clone(),
    })
}

/// Why a call is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Denial {
    /// The tool does not exist for this caller. Unknown, not allowed and hidden read the same, so that
    /// nobody can probe for names.
    #[error("tool not found: {name}")]
    NotFound {
        /// The name as the caller wrote it.
        name: String,
    },
    /// Several tools share the underscore form the caller wrote.
    #[error("ambiguous tool name: {name}; write it with a dot, as `app.tool`")]
    Ambiguous {
        /// The name as the caller wrote it.
        name: String,
    },
    /// The key may look but not run.
    #[error("this key may not run tools: it lacks the `execute` scope")]
    Scope,
    /// The gateway runs only tools that say that they change nothing (P4).
    #[error("not run: this gateway is read-only, and {name} does not say that it changes nothing")]
    ReadOnly {
        /// The tool's canonical name.
        name: String,
    },
    /// The person was asked and said no (P4).
    #[error("not run: the person was asked whether {name} may run, and said no")]
    Declined {
        /// The tool's canonical name.
        name: String,
    },
    /// The person would have to be asked, and the client cannot ask (P4).
    #[error(
        "not run: {name} may only run once the person has agreed, and this client cannot ask them (it offers no \
         elicitation)"
    )]
    NobodyToAsk {
        /// The tool's canonical name.
        name: String,
    },
    /// The person would have to be asked, and the arguments are more than anybody could judge (P4).
    #[error(
        "not run: the person would have to agree to {name}, and its arguments are too long to be shown to them"
    )]
    TooLarge {
        /// The tool's canonical name.
        name: String,
    },
    /// The person was asked and did not answer in time (P4).
    #[error("not run: the person was asked whether {name} may run, and did not answer in time")]
    NoAnswer {
        /// The tool's canonical name.
        name: String,
    },
}

impl Denial {
    /// How it is recorded.
    pub fn reason(&self) -> Reason {
        match self {
            Self::NotFound { .. } => Reason::NotFound,
            Self::Ambiguous { .. } => Reason::Ambiguous,
            Self::Scope => Reason::Scope,
            Self::ReadOnly { .. } => Reason::ReadOnlyGateway,
            Self::Declined { .. } => Reason::Declined,
            Self::NobodyToAsk { .. } => Reason::NobodyToAsk,
            Self::NoAnswer { .. } => Reason::NoAnswer,
            Self::TooLarge { .. } => Reason::TooLarge,
        }
    }
}
