//! Which servers stand behind the gateway, and how is it told about them?

use std::fs::File;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::install::Installed;
use crate::files;
use crate::processes::{Running, free_port, within};

/// server-everything over the network: its name here, its argument, the transport, the path.
const WEB: [(&str, &str, &str, &str); 2] = [
    ("web", "streamableHttp", "http", "mcp"),
    ("events", "sse", "sse", "sse"),
];

/// The servers by the name the gateway knows them under, as JSON that settings and scripts both read.
pub fn start(
    folder: &Path,
    installed: &Installed,
    servers: &mut Vec<Running>,
) -> Result<Vec<(String, Value)>> {
    let mut found = Vec::new();
    let mut pipes = |name: &str, command: &Path, args: Vec<PathBuf>, env: Value| {
        found.push((
            name.to_owned(),
            json!({ "command": command, "args": args, "env": env }),
        ));
    };
    let (legacy, modern, npm) = (&installed.python_legacy, &installed.python_modern, &installed.npm);
    let module = |name: &str| vec![PathBuf::from("-m"), name.into()];
    pipes("time", modern, module("mcp_server_time"), json!({}));
    let repository = ["--repository".into(), folder.join("repository")];
    pipes(
        "git",
        modern,
        [module("mcp_server_git"), repository.to_vec()].concat(),
        json!({}),
    );
    pipes("clock", legacy, module("mcp_server_time"), json!({}));
    let corners = files::root().join("wire/upstreams/corners_modern.py");
    // The second argument only marks the process as part of this stage.
    pipes("modern", modern, vec![corners, folder.to_owned()], json!({}));
    let package = |name: &str| npm.join(format!("node_modules/@modelcontextprotocol/{name}/dist/index.js"));
    let node = Path::new("node");
    pipes(
        "corners",
        node,
        vec![npm.join("wire/upstreams/corners.mjs"), folder.to_owned()],
        json!({}),
    );
    pipes(
        "everything",
        node,
        vec![package("server-everything"), "stdio".into()],
        json!({}),
    );
    pipes(
        "files",
        node,
        vec![package("server-filesystem"), folder.join("docs")],
        json!({}),
    );
    let graph = json!({ "MEMORY_FILE_PATH": folder.join("memory.jsonl") });
    pipes("memory", node, vec![package("server-memory")], graph);
    for upstream in WEB {
        let url = over_network(upstream, &package("server-everything"), folder, servers)?;
        found.push((
            upstream.0.to_owned(),
            json!({ "url": url, "transport": upstream.2 }),
        ));
    }
    Ok(found)
}

/// Starts one of [`WEB`] and returns its address once it listens. One that ends instead, because its port was taken
/// meanwhile, is started again on another.
fn over_network(
    (name, argument, _, path): (&str, &str, &str, &str),
    program: &Path,
    folder: &Path,
    servers: &mut Vec<Running>,
) -> Result<String> {
    for _ in 0..5 {
        let port = free_port()?;
        let path_of_log = folder.join(format!("{name}.log"));
        let log = File::create(&path_of_log)?;
        let mut server = Command::new("node");
        server
            .arg(program)
            .arg(argument)
            .env("PORT", port.to_string())
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log);
        let mut server = Running::start(&mut server)?;
        // Whoever took the port answers there, too, so the server itself has to say that it has it.
        let (mut listens, mut lost) = (false, false);
        within(Duration::from_secs(120), || {
            let printed = std::fs::read_to_string(&path_of_log).unwrap_or_default();
            lost = server.has_ended() || printed.contains("EADDRINUSE");
            let says_so = printed.contains(&port.to_string());
            listens = !lost && says_so && TcpStream::connect(("127.0.0.1", port)).is_ok();
            listens || lost
        });
        if listens {
            servers.push(server);
            return Ok(format!("http://127.0.0.1:{port}/{path}"));
        }
        if !lost {
            bail!("{name} does not listen on port {port} after 120 s");
        }
    }
    bail!("{name} ended five times instead of listening; see {name}.log in the stage's folder")
}

/// The gateway's settings: every server, and a gateway for each presentation.
pub fn settings(upstreams: &[(String, Value)]) -> Result<String> {
    let mut gateways = toml::Table::new();
    let modes = ["direct", "discovery", "recommend", "adaptive"].map(|mode| (mode, mode, "*"));
    for (name, presentation, allow) in modes.into_iter().chain([("small", "adaptive", "time.*")]) {
        let mut gateway = toml::Table::new();
        gateway.insert("presentation".to_owned(), presentation.into());
        gateway.insert("allow".to_owned(), vec![allow].into());
        gateways.insert(name.to_owned(), gateway.into());
    }
    let mut servers = toml::Table::new();
    for (name, upstream) in upstreams {
        let server: toml::Table = toml::Table::try_from(upstream)?;
        servers.insert(name.clone(), server.into());
    }
    let mut settings = toml::Table::new();
    settings.insert("gateways".to_owned(), gateways.into());
    settings.insert("servers".to_owned(), servers.into());
    Ok(toml::to_string(&settings)?)
}
