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
/// Characters of a request in words that arguments are read from; a longer one is asked back.
pub const UNIFIED_CHARS: usize = 64 * 1024;
/// Failing paths told about one set of arguments.
pub const ARGUMENT_ERRORS_MAX: usize = 10;
/// Schemas larger than this many bytes are not compiled; their arguments go to the upstream unchecked.
pub const SCHEMA_BYTES_MAX: usize = 512 * 1024;
/// Compiled schemas kept ready; beyond it all are made again on demand, which bounds what servers that
/// rename their tools can fill memory with.
pub const SCHEMAS_MAX: usize = 4_096;
/// Of one server, how many schemas are worked on at the same time that may take long.
pub const SCHEMAS_AT_ONCE: usize = 1;
/// How long a call waits for such a schema; then its arguments go to the upstream unchecked.
pub const SCHEMA_WAIT: Duration = Duration::from_secs(2);
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
/// Agents open as gateways; of those not in use the ones used least recently leave, and are read again when somebody
/// asks for them. More stay only while more are in use.
pub const AGENT_GATEWAYS_MAX: usize = 256;
/// Tools of a gateway that are asked for to see how well they are found.
pub const ADVICE_QUESTIONS_MAX: usize = 200;
/// Surfaces kept ready, one per gateway and set of roles.
pub const SURFACES_MAX: usize = 1_024;
/// Bytes of one note of the journal.
pub const JOURNAL_TEXT_BYTES: usize = 16 * 1024;
/// Notes kept of one user of a gateway; the oldest leave.
pub const JOURNAL_NOTES_MAX: u32 = 10_000;
/// Tags of one note.
pub const JOURNAL_TAGS_MAX: usize = 16;
/// Characters of one tag.
pub const JOURNAL_TAG_CHARS: usize = 64;
/// Characters of a search in the journal.
pub const JOURNAL_QUERY_CHARS: usize = 1_000;
/// Notes that the journal shows when no limit is given.
pub const JOURNAL_LIST_DEFAULT: u32 = 20;
/// Most notes that the journal shows at once.
pub const JOURNAL_LIST_MAX: u32 = 100;
/// Bytes of notes that the journal shows at once: a hundred of the longest would fill a model's context.
pub const JOURNAL_ANSWER_BYTES: usize = 128 * 1024;
/// Bytes of one file of a skill.
pub const SKILL_FILE_BYTES: usize = 256 * 1024;
/// Folders that are looked through for skills.
pub const SKILLS_MAX: usize = 500;
/// Files that are listed of one skill.
pub const SKILL_FILES_MAX: usize = 500;
/// Fields of one form.
pub const FORM_FIELDS_MAX: usize = 20;
/// Options of one field of a form.
pub const FORM_OPTIONS_MAX: usize = 100;
/// Characters of a form's message.
pub const FORM_MESSAGE_CHARS: usize = 4_000;
/// Workflows kept of one user of a gateway.
pub const WORKFLOWS_MAX: u32 = 200;
/// Steps of one workflow.
pub const WORKFLOW_STEPS_MAX: usize = 50;
/// Placeholders of one workflow: each may be looked for in an answer of some megabytes.
pub const WORKFLOW_PLACEHOLDERS_MAX: usize = 500;
/// Bytes of one workflow as it is kept.
pub const WORKFLOW_BYTES_MAX: usize = 256 * 1024;
/// Bytes of a run as it is kept, with what later steps need of earlier results; also of the arguments of one step.
pub const WORKFLOW_RUN_BYTES_MAX: usize = 1024 * 1024;
/// Runs kept of one user of a gateway; the oldest leave.
pub const WORKFLOW_RUNS_MAX: u32 = 1_000;
/// How long a run stays with whoever works on it after they were last heard of.
pub const WORKFLOW_HOLD: Duration = Duration::from_secs(60);
/// How often whoever works on a run is heard of.
pub const WORKFLOW_HOLD_RENEWAL: Duration = Duration::from_secs(20);
