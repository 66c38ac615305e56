//! How does a program ask, over REST?
//!
//! Transport only: the operations answer, this crate gives their answers status codes and bodies. Read
//! [`router`] for what can be asked, then one endpoint:
//!
//! | endpoint | question | file |
//! |---|---|---|
//! | `POST /v1/tools/select` | which tools fit these tasks? | [`select`] |
//! | `POST /v1/tools/search` | which tools match these words? | [`search`] |
//! | `GET /v1/tools` | which tools are there? | [`tools`] |
//! | `POST /v1/tools/execute` | run this tool | [`execute`], its result in [`output`] |
//! | everything below `/v1/gateways` | how are tools shown? | [`gateways`] |
//! | `GET /v1/health` | can it be used? | [`health`] |
//! | `GET /v1/status` | how is every part doing? | [`status`] |
//! | everything below `/v1/agents` | what has this agent? | [`context::agents`] |
//! | `POST /v1/context` | which tools does this turn need? | [`context::turn`] |
//! | `POST /v1/find-tools` | which tools did the turn leave out? | [`context::find_tools`] |
//! | `GET /openapi.json`, `GET /docs` | what can be asked? | [`document`], [`docs_page`] |
//!
//! Every request passes the same steps in the same order, in [`request`]: key (401), scope (403), size
//! (413), content type (415), JSON (400), fields (400), gateway (404). Every failure is one line in
//! [`error`]. Steps and failures of the context API are its own: see [`context`].

pub mod context;
pub mod docs_page;
pub mod document;
pub mod error;
pub mod execute;
pub mod explanation;
pub mod fields;
pub mod front;
pub mod gateways;
pub mod health;
pub mod output;
pub mod request;
pub mod router;
pub mod search;
pub mod select;
pub mod status;
pub mod suggestion;
pub mod tools;

pub use context::rate::RateLimit;
pub use front::RestFront;
pub use router::router;
