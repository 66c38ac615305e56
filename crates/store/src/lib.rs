//! Where does it live?
//!
//! Everything that survives a restart is in one folder, in one SQLite file (write-ahead log) that this
//! crate alone opens. Its tables, described column by column in `migrations/`:
//!
//! | table | holds | lost, it costs |
//! |---|---|---|
//! | `api_keys` | hashes of API keys | new keys for everyone |
//! | `catalogs` | what each upstream server last offered | one fetch a server |
//! | `vectors` | vectors of tool texts, by content | one embedding a tool |
//! | `selections` | each answered selection | history |
//! | `calls` | each tool call, linked to the selection it followed | history |
//! | `agents` | the catalog of each agent of the context API | publishing them again |
//! | `agent_conversations` | past conversations that an agent learns from | adding them again |
//! | `agent_vectors` | vectors of an agent's texts, by content | one embedding a text |
//! | `notes`, `note_numbers` | what agents have noted | the notes |
//! | `workflows`, `workflow_runs` | saved sequences of calls, and how far their runs came | saving them again |
//! | `presentations` | settings of gateways and agents changed while running | changing them again |
//!
//! Methods of [`Store`] are noun first and live in the file of their noun. [`Recorder`] writes
//! `selections` and `calls` in the background, because a record must never slow down the call it describes.
//!
//! Statements are plain SQL that Postgres accepts too; what only SQLite does is in `dialect`.
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let store = handpick_store::Store::in_memory().await?;
//! assert!(store.key_list().await?.is_empty());
//! # Ok::<(), handpick_store::StoreError>(())
//! # }).unwrap();
//! ```

pub mod agents;
pub mod catalogs;
mod dialect;
pub mod error;
pub mod keys;
mod migrations;
pub mod notes;
pub mod owner;
pub mod presentations;
pub mod record;
pub mod recorder;
mod row;
pub mod store;
pub mod vectors;
pub mod workflows;

pub use agents::AgentConversation;
pub use catalogs::CachedCatalog;
pub use error::StoreError;
pub use keys::{KeyRow, NewKeyRow};
pub use notes::{Note, NoteFilter};
pub use owner::Owner;
pub use presentations::{Edit, PresentationEdit, PresentationSettings, Presented};
pub use record::{CallOutcome, CallRecord, SelectionRecord, SelectionSource};
pub use recorder::{Recorder, Retention};
pub use store::Store;
pub use workflows::{
    Claim, NewWorkflow, NewWorkflowRun, OpenRun, RunProgress, RunStatus, WorkflowRow, WorkflowSaved,
};
