//! What does the agent see?
//!
//! One file a mode. Pure: it turns a surface into lists, and a call of a listed name into what the
//! agent means by it. Running anything is the business of `operations`.

pub mod arguments;
pub mod cost;
pub mod definitions;
pub mod direct;
pub mod discovery;
pub mod instructions;
pub mod list;
pub mod mode;
pub mod progressive;
pub mod promoted;
pub mod recommend;
pub mod request;
pub mod result;
pub mod tokens;
pub mod unified;

pub use cost::{Cost, cost};
pub use definitions::{DefinitionFormat, definition};
pub use list::{BadCursor, Page, list_page};
pub use mode::{ADAPTIVE_THRESHOLD, Mode};
pub use promoted::Promoted;
pub use request::{BadRequest, MetaCall, ToolRequest, read_call};
pub use unified::UnifiedRequest;
