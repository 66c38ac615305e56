//! What do the written settings mean?

use std::collections::BTreeMap;
use std::net::{SocketAddr, ToSocketAddrs};
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use handpick_access::Policy;
use handpick_domain::{Gateway, Restriction, SystemToolkit, ToolGlobs};
use handpick_front_rest::RateLimit;
use handpick_operations::limits::{TURN_TOOLS_DEFAULT, TURN_TOOLS_MAX};
use handpick_operations::unified::UnifiedOptions;
use handpick_selection::Tuning;
use handpick_store::Retention;
use handpick_upstream::{ServerConfig, Transport};
use http::header::{HeaderName, HeaderValue};
use sha2::{Digest as _, Sha256};

use super::Mistake;
use super::mcp_json::{McpJson, app_name};
use super::raw::{RawGateway, RawLimits, RawRestriction, RawServer, RawSettings, RawTransport};
use super::unified::resolve_unified;
use super::variables::expand;
use crate::encoder::EncoderSource;

/// Where the gateway listens unless told otherwise.
pub const LISTEN_DEFAULT: &str = "127.0.0.1:8722";
/// The settings file looked for in the working directory.
pub const FILE_DEFAULT: &str = "handpick.toml";

/// What `limits.requests_per_second` may be: from one request in 17 minutes to more than a machine answers.
const REQUESTS_PER_SECOND: RangeInclusive<f64> = 0.001..=1_000_000.0;

/// Everything the operator decided, checked.
#[derive(Debug)]
pub struct Settings {
    /// Address to serve on.
    pub listen: SocketAddr,
    /// Data folder; `None` where neither file nor command line names one.
    pub data: Option<PathBuf>,
    /// Origins of web pages that may use the gateway.
    pub allowed_origins: Vec<String>,
    /// Whether tools can be found at all.
    pub selection_enabled: bool,
    /// Weights and floor.
    pub tuning: Tuning,
    /// Another encoder than the embedded one.
    pub encoder: Option<EncoderSource>,
    /// Most matched tools of a turn whose request names no number.
    pub turn_tools_max: usize,
    /// Whether past conversations vote on the tools of a turn.
    pub turn_memory: bool,
    /// How requests in words are read.
    pub unified: UnifiedOptions,
    /// Folder with a folder for each skill.
    pub skills: Option<PathBuf>,
    /// Whether tasks, arguments and results are stored.
    pub record_content: bool,
    /// How long records are kept.
    pub retention: Retention,
    /// How often one key may ask.
    pub rate_limit: RateLimit,
    /// Gateways and restrictions.
    pub policy: Policy,
    /// Upstream servers.
    pub servers: Vec<ServerConfig>,
}

/// Reads `config` (or `handpick.toml` where it exists) and the servers of `mcp_config`.
pub fn load(config: Option<&Path>, mcp_config: Option<&Path>) -> Result<Settings, Mistake> {
    let default = Path::new(FILE_DEFAULT);
    let file = config.or_else(|| default.exists().then_some(default));
    let (mut raw, source) = match file {
        Some(file) => read_toml(file)?,
        None => (RawSettings::default(), String::new()),
    };
    let file = file.unwrap_or(default);
    let mut servers = Vec::new();
    for (name, server) in std::mem::take(&mut raw.servers) {
        let place = |key: &str, text: String| {
            let path = ["servers", name.as_str(), key];
            let path = if key.is_empty() { &path[..2] } else { &path[..] };
            Mistake::at_key(file, &source, path, text)
        };
        servers.extend(resolve_server(&name, &server, &place)?);
    }
    if let Some(mcp_config) = mcp_config {
        let document = McpJson::read(mcp_config)?;
        for (name, entry) in &document.entries {
            if servers.iter().any(|known: &ServerConfig| known.name == *name) {
                let text = format!(
                    "is configured as `{name}` in {} too; rename one of them",
                    file.display()
                );
                return Err(document.mistake(&entry.written, "", text));
            }
            let place = |key: &str, text: String| document.mistake(&entry.written, key, text);
            servers.extend(resolve_server(name, &entry.server, &place)?);
        }
    }
    resolve(file, &source, raw, servers)
}

/// Reads a file as text.
pub fn read_file(file: &Path) -> Result<String, Mistake> {
    std::fs::read_to_string(file).map_err(|error| match error.kind() {
        std::io::ErrorKind::InvalidData => Mistake::in_file(file, "is not UTF-8 text"),
        _ => Mistake::in_file(file, format!("cannot be read: {error}")),
    })
}

/// Reads the shape of a settings file.
pub fn read_toml(file: &Path) -> Result<(RawSettings, String), Mistake> {
    let source = read_file(file)?;
    let raw = toml::from_str(&source).map_err(|error| Mistake::from_toml(file, &source, &error))?;
    Ok((raw, source))
}

fn resolve(
    file: &Path,
    source: &str,
    raw: RawSettings,
    servers: Vec<ServerConfig>,
) -> Result<Settings, Mistake> {
    let at = |key: &[&str], text: String| Mistake::at_key(file, source, key, text);
    let listen = raw.listen.as_deref().unwrap_or(LISTEN_DEFAULT);
    let mut tuning = Tuning::default();
    if let Some(floor) = raw.selection.floor {
        if !(0.0..=1.0).contains(&floor) {
            return Err(at(
                &["selection", "floor"],
                format!("must be from 0 to 1, not {floor}"),
            ));
        }
        tuning.floor.needed = floor;
    }
    let encoder = raw.selection.encoder.map(|text| text.parse::<EncoderSource>());
    let encoder = encoder
        .transpose()
        .map_err(|reason| at(&["selection", "encoder"], reason))?;
    let turn_tools_max = match raw.context.tools {
        None => TURN_TOOLS_DEFAULT,
        Some(tools) => usize::try_from(tools)
            .ok()
            .filter(|&tools| tools <= TURN_TOOLS_MAX)
            .ok_or_else(|| {
                let text = format!("must be from 0 to {TURN_TOOLS_MAX}, not {tools}");
                at(&["context", "tools"], text)
            })?,
    };
    if raw.data.as_ref().is_some_and(|data| data.as_os_str().is_empty()) {
        return Err(at(
            &["data"],
            "must name a folder; leave it out for the default".to_owned(),
        ));
    }
    if let Some((index, origin)) = raw
        .allowed_origins
        .iter()
        .enumerate()
        .find(|(_, origin)| !is_origin(origin))
    {
        return Err(at(
            &["allowed_origins", &index.to_string()],
            format!("must be an origin such as `https://portal.example`, not `{origin}`"),
        ));
    }
    check_toolkits(&raw.gateways, &servers, &at)?;
    let defaults = Retention::default();
    Ok(Settings {
        listen: parse_address(listen).map_err(|text| at(&["listen"], text))?,
        data: raw.data,
        allowed_origins: raw.allowed_origins,
        selection_enabled: raw.selection.enabled.unwrap_or(true),
        tuning,
        encoder,
        turn_tools_max,
        turn_memory: raw.context.memory.unwrap_or(true),
        unified: resolve_unified(&raw.unified, &at)?,
        skills: resolve_skills(raw.system.skills, &at)?,
        record_content: raw.record.content,
        retention: Retention {
            age_ms_max: raw
                .record
                .keep_days
                .map_or(defaults.age_ms_max, |days| i64::from(days) * 24 * 60 * 60 * 1000),
            rows_max: raw.record.keep_rows.unwrap_or(defaults.rows_max),
        },
        rate_limit: resolve_limits(&raw.limits, &at)?,
        policy: Policy {
            gateways: resolve_gateways(&raw.gateways, raw.recommend.namespace.as_deref(), &at)?,
            restrictions: raw
                .restrictions
                .iter()
                .enumerate()
                .map(|(index, restriction)| resolve_restriction(index, restriction, &at))
                .collect::<Result<_, _>>()?,
        },
        servers,
    })
}

/// Reads `host:port`.
pub fn parse_address(text: &str) -> Result<SocketAddr, String> {
    text.to_socket_addrs()
        .ok()
        .and_then(|mut addresses| addresses.next())
        .ok_or_else(|| format!("must be an address such as `{LISTEN_DEFAULT}`, not `{text}`"))
}

pub(super) type At<'a> = &'a dyn Fn(&[&str], String) -> Mistake;

/// A folder that is not there would only look like one without skills.
fn resolve_skills(skills: Option<PathBuf>, at: At<'_>) -> Result<Option<PathBuf>, Mistake> {
    match &skills {
        Some(folder) if !folder.is_dir() => {
            let text = format!(
                "must name a folder with a folder for each skill, not `{}`",
                folder.display()
            );
            Err(at(&["system", "skills"], text))
        }
        _ => Ok(skills),
    }
}

/// The tools of a toolkit and those of a server with its name would have the same names.
fn check_toolkits(
    gateways: &BTreeMap<String, RawGateway>,
    servers: &[ServerConfig],
    at: At<'_>,
) -> Result<(), Mistake> {
    for (name, gateway) in gateways {
        let taken = |toolkit: &&SystemToolkit| servers.iter().any(|server| server.name == toolkit.as_str());
        if let Some(toolkit) = gateway.system_tools.iter().find(taken) {
            let toolkit = toolkit.as_str();
            let text = format!(
                "must not turn on `{toolkit}` while a server is named `{toolkit}`; rename the server"
            );
            return Err(at(&["gateways", name, "system_tools"], text));
        }
    }
    Ok(())
}

/// A burst that nobody chose is two seconds' worth.
fn resolve_limits(raw: &RawLimits, at: At<'_>) -> Result<RateLimit, Mistake> {
    let requests_per_second = raw
        .requests_per_second
        .unwrap_or(RateLimit::default().requests_per_second);
    if !REQUESTS_PER_SECOND.contains(&requests_per_second) {
        let (least, most) = (REQUESTS_PER_SECOND.start(), REQUESTS_PER_SECOND.end());
        let text = format!("must be from {least} to {most}, not {requests_per_second}");
        return Err(at(&["limits", "requests_per_second"], text));
    }
    let burst = match raw.burst {
        Some(burst) => NonZeroU32::new(burst)
            .ok_or_else(|| at(&["limits", "burst"], "must be at least 1, not 0".to_owned()))?,
        None => NonZeroU32::new((2.0 * requests_per_second) as u32).unwrap_or(NonZeroU32::MIN),
    };
    Ok(RateLimit {
        requests_per_second,
        burst,
    })
}

fn resolve_gateways(
    raw: &BTreeMap<String, RawGateway>,
    namespace: Option<&str>,
    at: At<'_>,
) -> Result<BTreeMap<String, Gateway>, Mistake> {
    let namespace = namespace.unwrap_or("Arcade");
    if namespace.is_empty()
        || namespace.len() > 40
        || !namespace.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    {
        let text = format!("must be 1 to 40 letters, digits or `-`, not `{namespace}`");
        return Err(at(&["recommend", "namespace"], text));
    }
    let unnamed = [("default".to_owned(), RawGateway::default())].into();
    let raw = if raw.is_empty() { &unnamed } else { raw };
    raw.iter()
        .map(|(name, gateway)| {
            if !is_app_name(name) {
                return Err(at(
                    &["gateways", name],
                    "must be named with letters, digits, `-` and `_`".to_owned(),
                ));
            }
            let allow = match &gateway.allow {
                None => ToolGlobs::everything(),
                Some(patterns) => globs(patterns).map_err(|text| at(&["gateways", name, "allow"], text))?,
            };
            let core = globs(&gateway.core).map_err(|text| at(&["gateways", name, "core"], text))?;
            let gateway = Gateway {
                presentation: gateway.presentation.unwrap_or_default(),
                autonomy: gateway.autonomy.unwrap_or_default(),
                allow,
                core,
                system_tools: gateway.system_tools.iter().copied().collect(),
                namespace: namespace.to_owned(),
                list_apps: gateway.list_apps,
                instructions: gateway.instructions.clone(),
                ..Gateway::new(name)
            };
            Ok((name.clone(), gateway))
        })
        .collect()
}

fn resolve_restriction(index: usize, raw: &RawRestriction, at: At<'_>) -> Result<Restriction, Mistake> {
    let index = index.to_string();
    let place = |key: &str, text: String| at(&["restrictions", &index, key], text);
    if raw.tools.is_empty() {
        return Err(place(
            "tools",
            "must name at least one tool, as in [\"crm.delete_*\"]".to_owned(),
        ));
    }
    if raw.roles.is_empty() {
        return Err(place(
            "roles",
            "must name at least one role; without one nobody could use these tools".to_owned(),
        ));
    }
    Ok(Restriction {
        tools: globs(&raw.tools).map_err(|text| place("tools", text))?,
        roles: raw.roles.iter().cloned().collect(),
    })
}

/// A web page's origin is scheme and host, and nothing behind them.
fn is_origin(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, host)| {
        matches!(scheme, "http" | "https")
            && !host.is_empty()
            && !host.contains(['/', '?', '#', '@', ' ', '*'])
    })
}

fn globs(patterns: &[String]) -> Result<ToolGlobs, String> {
    ToolGlobs::new(patterns)
        .map_err(|(index, reason)| format!("has a bad pattern `{}`: {reason}", patterns[index]))
}

fn is_app_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= 64 && app_name(name) == name
}

type Place<'a> = &'a dyn Fn(&str, String) -> Mistake;

/// One server, or none when it is disabled.
fn resolve_server(name: &str, raw: &RawServer, place: Place<'_>) -> Result<Option<ServerConfig>, Mistake> {
    if raw.enabled == Some(false) {
        return Ok(None);
    }
    if !is_app_name(name) {
        return Err(place(
            "",
            "must be named with letters, digits, `-` and `_`, at most 64".to_owned(),
        ));
    }
    check_belonging(raw, place)?;
    let transport = resolve_transport(raw, place)?;
    let mut server = ServerConfig::new(name, transport);
    server.digest = digest(raw);
    server.system = system_tools(name, raw);
    for (key, value, unit, target) in [
        (
            "call_timeout_seconds",
            raw.call_timeout_seconds,
            1.0,
            &mut server.call_timeout,
        ),
        (
            "start_timeout_seconds",
            raw.start_timeout_seconds,
            1.0,
            &mut server.start_timeout,
        ),
        (
            "catalog_max_age_hours",
            raw.catalog_max_age_hours,
            3600.0,
            &mut server.catalog_max_age,
        ),
    ] {
        if let Some(value) = value {
            *target = Duration::try_from_secs_f64(value * unit)
                .ok()
                .filter(|duration| !duration.is_zero())
                .ok_or_else(|| place(key, format!("must be a positive number, not {value}")))?;
        }
    }
    Ok(Some(server))
}

/// The tools of a server that are always listed as themselves.
fn system_tools(name: &str, raw: &RawServer) -> ToolGlobs {
    if raw.system {
        return ToolGlobs::new(&[format!("{name}.*")]).unwrap_or_else(|_| ToolGlobs::nothing());
    }
    let tools = raw.system_tools.iter();
    ToolGlobs::exactly(tools.map(|tool| format!("{name}.{tool}")))
}

/// Keys of the other kind of server would be ignored in silence.
fn check_belonging(raw: &RawServer, place: Place<'_>) -> Result<(), Mistake> {
    let (kind, other, foreign) = if raw.command.is_some() {
        let foreign = [
            ("headers", !raw.headers.is_empty()),
            ("transport", raw.transport.is_some()),
        ];
        ("command", "url", foreign.to_vec())
    } else {
        let foreign = [
            ("args", !raw.args.is_empty()),
            ("env", !raw.env.is_empty()),
            ("cwd", raw.cwd.is_some()),
        ];
        ("url", "command", foreign.to_vec())
    };
    match foreign.into_iter().find(|(_, present)| *present) {
        Some((key, _)) if raw.command.is_some() != raw.url.is_some() => Err(place(
            key,
            format!("belongs to servers with a `{other}`; this one has a `{kind}`"),
        )),
        _ => Ok(()),
    }
}

fn resolve_transport(raw: &RawServer, place: Place<'_>) -> Result<Transport, Mistake> {
    let lookup = |name: &str| std::env::var(name).ok();
    let text = |key: &str, value: &str| expand(value, &lookup).map_err(|reason| place(key, reason));
    let texts = |key: &str, values: &BTreeMap<String, String>| -> Result<BTreeMap<String, String>, Mistake> {
        values
            .iter()
            .map(|(name, value)| Ok((name.clone(), text(key, value)?)))
            .collect()
    };
    match (&raw.command, &raw.url) {
        (Some(command), None) if command.trim().is_empty() => {
            Err(place("command", "must name a program to start".to_owned()))
        }
        (Some(command), None) => Ok(Transport::Stdio {
            command: text("command", command)?,
            args: raw
                .args
                .iter()
                .map(|arg| text("args", arg))
                .collect::<Result<_, _>>()?,
            env: texts("env", &raw.env)?,
            cwd: raw
                .cwd
                .as_ref()
                .map(|cwd| text("cwd", &cwd.to_string_lossy()))
                .transpose()?
                .map(PathBuf::from),
        }),
        (None, Some(written)) => {
            let url = text("url", written)?;
            // What is said back is what is written: filled in, it may hold a secret.
            if !(url.starts_with("http://") || url.starts_with("https://")) {
                return Err(place(
                    "url",
                    format!("must begin with http:// or https://, not `{written}`"),
                ));
            }
            if url.parse::<http::Uri>().is_err() {
                return Err(place(
                    "url",
                    format!("must be an address such as https://tickets.example/mcp, not `{written}`"),
                ));
            }
            let headers = texts("headers", &raw.headers)?;
            check_headers(&headers, place)?;
            Ok(match raw.transport {
                Some(RawTransport::Sse) => Transport::Sse { url, headers },
                Some(RawTransport::Http) | None => Transport::Http { url, headers },
            })
        }
        (Some(_), Some(_)) => Err(place("command", "and `url` exclude each other".to_owned())),
        (None, None) => Err(place("command", "or `url` is required".to_owned())),
    }
}

/// What HTTP cannot carry is told at the start, not at the first call. Values are never repeated: they are
/// secrets.
fn check_headers(headers: &BTreeMap<String, String>, place: Place<'_>) -> Result<(), Mistake> {
    for (name, value) in headers {
        if HeaderName::from_bytes(name.as_bytes()).is_err() {
            return Err(place(
                "headers",
                format!("has the name `{name}`; header names are letters, digits and `-`"),
            ));
        }
        if HeaderValue::from_str(value).is_err() {
            return Err(place(
                "headers",
                format!("has a value for `{name}` with a line break or another control character"),
            ));
        }
    }
    Ok(())
}

/// Changes when the server would be reached differently, so that a cached list of another server is
/// noticed.
fn digest(raw: &RawServer) -> String {
    let text = format!(
        "{:?}",
        (
            &raw.command,
            &raw.args,
            &raw.env,
            &raw.cwd,
            &raw.url,
            &raw.headers
        )
    );
    Sha256::digest(text.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests;
