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
}

impl Permit {
    pub(crate) fn new(tool: Arc<Tool>, caller: &Caller) -> Self {
        Self {
            tool,
            user_id: caller.user_id.clone(),
        }
    }

    /// The tool that may be called, once.
    pub fn tool(&self) -> &Arc<Tool> {
        &self.tool
    }

    /// The end user the call is made for.
    pub fn user_id(&self) -> Option<&str> {
        self.user_id.as_deref()
    }
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
}
