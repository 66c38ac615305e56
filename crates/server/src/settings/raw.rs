//! What may be written in `handpick.toml`?
//!
//! Only the shape of the file, with every key documented in `handpick.toml.example`; what the values
//! mean is decided in `resolve`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use handpick_domain::{Autonomy, Presentation, SystemToolkit};
use serde::Deserialize;

/// The whole file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RawSettings {
    /// Address to serve on.
    pub listen: Option<String>,
    /// Data folder.
    pub data: Option<PathBuf>,
    /// Origins of web pages that may use the gateway, besides loopback.
    pub allowed_origins: Vec<String>,
    /// Finding tools.
    pub selection: RawSelection,
    /// The context API.
    pub context: RawContext,
    /// The recommend presentation.
    pub recommend: RawRecommend,
    /// The unified presentation.
    pub unified: RawUnified,
    /// The gateway's own tools.
    pub system: RawSystem,
    /// What is noted about selections and calls.
    pub record: RawRecord,
    /// How often one key may ask.
    pub limits: RawLimits,
    /// Gateways by name.
    pub gateways: BTreeMap<String, RawGateway>,
    /// Tools that need a role.
    pub restrictions: Vec<RawRestriction>,
    /// Upstream servers by name.
    pub servers: BTreeMap<String, RawServer>,
}

/// `[selection]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RawSelection {
    /// Whether tools can be found at all.
    pub enabled: Option<bool>,
    /// The least probability that anything fits; below it nothing is suggested.
    pub floor: Option<f32>,
    /// Another encoder: a folder, or a model of a hub.
    pub encoder: Option<String>,
}

/// `[context]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RawContext {
    /// Most matched tools of a turn whose request names no number.
    pub tools: Option<i64>,
    /// Whether past conversations vote.
    pub memory: Option<bool>,
}

/// `[recommend]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RawRecommend {
    /// Prefix of the two tools.
    pub namespace: Option<String>,
}

/// `[unified]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RawUnified {
    /// Base URL of an OpenAI-compatible endpoint whose model reads arguments.
    pub model_url: Option<String>,
    /// The model's name there.
    pub model: Option<String>,
    /// The key it is asked with.
    pub api_key: Option<String>,
    /// Seconds a model may take.
    pub timeout_seconds: Option<f64>,
    /// Whether the caller's own model is asked where it offers that.
    pub sampling: bool,
    /// How far people's clocks are from UTC, such as `+02:00`.
    pub utc_offset: Option<String>,
}

/// `[system]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RawSystem {
    /// Folder with a folder for each skill.
    pub skills: Option<PathBuf>,
}

/// `[record]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RawRecord {
    /// Whether tasks, arguments and results are stored too.
    pub content: bool,
    /// Days after which a record is removed.
    pub keep_days: Option<u32>,
    /// Records kept at most, of selections and of calls.
    pub keep_rows: Option<u32>,
}

/// `[limits]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RawLimits {
    /// Requests a second of one key.
    pub requests_per_second: Option<f64>,
    /// Requests of one key that may come at once.
    pub burst: Option<u32>,
}

/// `[gateways.NAME]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RawGateway {
    /// How tools are shown.
    pub presentation: Option<Presentation>,
    /// How freely they may be run.
    pub autonomy: Option<Autonomy>,
    /// Globs over `app.tool`.
    pub allow: Option<Vec<String>>,
    /// Globs over `app.tool`: listed from the start in the progressive presentation.
    pub core: Vec<String>,
    /// Toolkits of the gateway itself that are turned on.
    pub system_tools: Vec<SystemToolkit>,
    /// Text for the model.
    pub instructions: Option<String>,
    /// Whether the recommend presentation lists `ListApps` too.
    pub list_apps: bool,
}

/// `[[restrictions]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawRestriction {
    /// Globs over `app.tool`.
    pub tools: Vec<String>,
    /// Roles of which the caller needs one.
    pub roles: Vec<String>,
}

/// `[servers.NAME]`
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RawServer {
    /// Program to start.
    pub command: Option<String>,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its environment, on top of this process's.
    pub env: BTreeMap<String, String>,
    /// Its working directory.
    pub cwd: Option<PathBuf>,
    /// Address of a server that runs elsewhere.
    pub url: Option<String>,
    /// Headers sent with every request to it.
    pub headers: BTreeMap<String, String>,
    /// `http` (default, both eras) or `sse` (2024-11-05).
    pub transport: Option<RawTransport>,
    /// Whether all its tools are listed as themselves whatever the presentation.
    pub system: bool,
    /// Those of its tools that are, by their own names.
    pub system_tools: Vec<String>,
    /// Left out when false.
    pub enabled: Option<bool>,
    /// Seconds a call may stay silent.
    pub call_timeout_seconds: Option<f64>,
    /// Seconds the server may take to start and to list its tools.
    pub start_timeout_seconds: Option<f64>,
    /// Hours after which a cached list is fetched again.
    pub catalog_max_age_hours: Option<f64>,
}

/// How a `url` is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RawTransport {
    /// Streamable HTTP.
    Http,
    /// HTTP+SSE.
    Sse,
}
