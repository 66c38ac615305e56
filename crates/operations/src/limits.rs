//! What is the most of anything?
//!
//! Every limit that is not a setting, in one place.

use std::time::Duration;

/// Tools a task gets over MCP, and over REST when `top_k` is absent (A14, A43).
pub const SELECT_DEFAULT: usize = 5;
/// Most tools a task gets over REST; larger values of `top_k` behave as this one (A43).
pub const SELECT_MAX: usize = 20;
/// Tools a keyword search returns when `top_k` is absent (A50).
pub const SEARCH_DEFAULT: usize = 10;
/// Most tools a keyword search returns (A50).
pub const SEARCH_MAX: usize = 50;
/// Characters of a task, query or context that matching reads; the rest is ignored (E16).
pub const TEXT_CHARS: usize = 8 * 1024;
/// Failing paths told about one set of arguments.
pub const ARGUMENT_ERRORS_MAX: usize = 10;
/// Schemas larger than this many bytes are not compiled; their arguments go to the upstream unchecked.
pub const SCHEMA_BYTES_MAX: usize = 512 * 1024;
/// Compiled schemas kept ready; beyond it all are made again on demand, which bounds what servers that
/// rename their tools can fill memory with.
pub const SCHEMAS_MAX: usize = 4_096;
/// Texts embedded in one batch while indexing.
pub const EMBED_BATCH: usize = 32;
/// How often a growing index is shown to callers while vectors are being made.
pub const INDEX_PUBLISH_INTERVAL: Duration = Duration::from_millis(1_000);
/// How often keys made or revoked by another process are noticed.
pub const KEY_REFRESH: Duration = Duration::from_secs(2);
/// Past conversations kept of one agent; the oldest leave.
pub const AGENT_CONVERSATIONS_MAX: usize = 2_000;
/// Bytes of past conversations kept of one agent; the oldest leave.
pub const AGENT_CONVERSATION_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Texts of one agent that get a vector: tools first, then examples, then past turns, the latest first. The rest are
/// found by their words.
pub const AGENT_VECTORS_MAX: usize = 50_000;
/// How long a publish waits for vectors, so that a small catalog is complete when it is answered.
pub const AGENT_VECTORS_WAIT: Duration = Duration::from_secs(5);
/// Agents kept in memory; those used least recently leave and are learned again when they are asked for.
pub const AGENTS_LIVE_MAX: usize = 256;
/// About how many bytes they may take together.
pub const AGENTS_LIVE_BYTES_MAX: usize = 1024 * 1024 * 1024;
/// Agents learned at the same time: each may take as much memory as its conversations.
pub const AGENTS_LEARNING_MAX: usize = 2;
/// Matched tools of a turn whose request names no number (T31).
pub const TURN_TOOLS_DEFAULT: usize = 10;
/// Most matched tools that can be asked for (T31, T44).
pub const TURN_TOOLS_MAX: usize = 50;
/// How long a person has to answer a question, unless the operator chose otherwise.
pub const PERSON_WAIT: Duration = Duration::from_secs(5 * 60);
/// Callers without a session whose promoted tools are remembered; the one not seen for longest is forgotten.
pub const PROMOTIONS_MAX: usize = 10_000;
/// Surfaces kept ready, one per gateway and set of roles.
pub const SURFACES_MAX: usize = 1_024;
