//! What can one ask for?
//!
//! One plain function a file, in the order a caller meets them. No HTTP and no JSON-RPC here: the
//! fronts turn these answers into status codes and messages.
//!
//! | operation | question |
//! |---|---|
//! | [`authenticate`] | whose key is this? |
//! | [`open_surface`](open_surface::open_surface) | what may this caller see right now? |
//! | [`select_tools`](select_tools::select_tools) | which tools fit these tasks? |
//! | [`search_tools`](search_tools::search_tools) | which tools match these words? |
//! | [`discover_tools`](discover_tools::discover_tools) | which tools fit this query, briefly? |
//! | [`describe_tool`](describe_tool::describe_tool) | what arguments does this tool take? |
//! | [`search_on_demand`](search_on_demand::search_on_demand) | which on-demand tools match, and is one clearly meant? |
//! | [`list_apps`](list_apps::list_apps) | which apps can the caller act on? |
//! | [`call_tool`](call_tool::call_tool) | run this tool |
//! | [`answer`](answer::answer) | what does this `tools/call` of an agent come to? |
//! | [`publish_catalog`](agents::publish_catalog::publish_catalog) | take over this agent's tools |
//! | [`add_traces`](agents::add_traces::add_traces) | learn from these past conversations |
//! | [`read_agent`](agents::read_agent) | what is known of this agent? |
//! | [`delete_agent`](agents::delete_agent::delete_agent) | forget this agent |
//! | [`turn_context`](agents::turn_context::turn_context) | which tools does this turn need? |
//! | [`find_agent_tools`](agents::find_agent_tools::find_agent_tools) | which tools did the turn leave out? |
//! | [`read_gateway`](gateways::read_gateway) | how does this gateway show its tools, and what does that cost? |
//! | [`set_presentation`](gateways::set_presentation) | show the tools of a gateway or agent otherwise |
//! | [`advise`](gateways::advice::advise) | which mode would be best for this gateway? |
//! | [`report_status`](report_status::report_status) | is everything well? |

pub mod agents;
pub mod answer;
mod apart;
pub mod authenticate;
pub mod call_tool;
mod confirm;
pub mod describe_tool;
pub mod discover_tools;
mod exactly;
pub mod gateways;
pub mod limits;
pub mod list_apps;
pub mod open_surface;
pub mod promotions;
pub mod report_status;
pub mod runtime;
pub mod search_on_demand;
pub mod search_tools;
pub mod select_tools;
pub mod selector;
pub mod shown;
mod system;
pub mod unified;
pub mod validate_arguments;

pub use agents::{AgentCounts, AgentError, Agents};
pub use authenticate::{KeyRing, authenticate};
pub use handpick_upstream::{Client, Question, Reply, Unasked};
pub use open_surface::Opened;
pub use promotions::Joined;
pub use runtime::{Options, Runtime};
pub use selector::{Indexing, Selector};
