//! What are the things?
//!
//! Pure nouns shared by every other crate: no clock, no network, no disk, no randomness.

pub mod agent;
pub mod caller;
pub mod catalog;
pub mod conversation;
pub mod gateway;
pub mod presentation;
pub mod surface;
pub mod system;
pub mod tool;
pub mod tool_name;
pub mod tool_set;

pub use agent::{AgentId, AgentTool, Parameter};
pub use caller::{Caller, Scope};
pub use catalog::{Catalog, Resolution};
pub use conversation::{Conversation, Message, Role, ToolCall};
pub use gateway::{Gateway, Restriction, ToolGlobs};
pub use presentation::{Autonomy, Presentation};
pub use surface::Surface;
pub use system::{SystemToolkit, ToolKind};
pub use tool::{Annotations, Digest, Tool, ToolDefect};
pub use tool_name::ToolName;
pub use tool_set::ToolSet;
