//! What stands around the clients while they are tested?
//!
//! Servers of other people over pipes, streamable HTTP and SSE, and one gateway in front of them all.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::install::Installed;
use crate::files;
use crate::test::Counts;

/// The key of every request the tests make.
const KEY: &str = "wire-test-key-0123456789abcdef";

/// server-everything over the network: its name here, its argument, the transport, the path.
const WEB: [(&str, &str, &str, &str); 2] = [
    ("web", "streamableHttp", "http", "mcp"),
    ("events", "sse", "sse", "sse"),
];

/// A 1 by 1 pixel PNG.
const DOT: [u8; 67] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0,
    0, 1, 8, 6, 0, 0, 0, 0x1f, 0x15, 0xc4, 0x89, 0, 0, 0, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0,
    1, 0, 0, 5, 0, 1, 0x0d, 0x0a, 0x2d, 0xb4, 0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];

/// Everything that runs while the scripts do. Dropping it kills what it started.
pub struct Stage {
    folder: PathBuf,
    gateway: Child,
    servers: Vec<Child>,
}

impl Drop for Stage {
    fn drop(&mut self) {
        for child in self.servers.iter_mut().chain([&mut self.gateway]) {
            child.kill().ok();
            child.wait().ok();
        }
    }
}

impl Stage {
    /// Starts the servers, then the gateway with a fresh data folder, and writes down where they are.
    pub fn start(handpick: &Path, installed: &Installed) -> Result<Self> {
        let folder = super::folder().join("stage");
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        furnish(&folder)?;
        if let Some(npm) = &installed.npm {
            copy_scripts(&npm.join("wire"))?;
        }
        let mut servers = Vec::new();
        let upstreams = upstreams(&folder, installed, &mut servers)?;
        let config = folder.join("handpick.toml");
        std::fs::write(&config, settings(&upstreams)?)?;
        let mut gateway = Command::new(handpick);
        gateway
            .args(["serve", "--listen", "127.0.0.1:0", "--config"])
            .arg(&config)
            .arg("--data")
            .arg(folder.join("data"))
            .env("HANDPICK_ADMIN_KEY", KEY)
            .current_dir(&folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut gateway = gateway.spawn().context("cannot start the gateway")?;
        let base = match listening_address(&mut gateway, &folder.join("gateway.log")) {
            Ok(base) => base,
            Err(error) => {
                gateway.kill().ok();
                gateway.wait().ok();
                return Err(error);
            }
        };
        println!(
            "   the gateway listens on {base}, {} servers behind it",
            upstreams.len()
        );
        let stage = Self {
            folder,
            gateway,
            servers,
        };
        stage.describe(&base, handpick, &config, &upstreams, installed)?;
        Ok(stage)
    }

    /// The JSON file that tells a script where everything is.
    pub fn description(&self) -> PathBuf {
        self.folder.join("stage.json")
    }

    fn describe(
        &self,
        base: &str,
        handpick: &Path,
        config: &Path,
        upstreams: &[(String, Value)],
        installed: &Installed,
    ) -> Result<()> {
        let settings = [
            "--config".into(),
            config.to_owned(),
            "--data".into(),
            self.folder.join("data"),
        ];
        let stdio: Vec<PathBuf> = [handpick.to_owned(), "stdio".into()]
            .into_iter()
            .chain(settings.clone())
            .collect();
        let inspector = installed
            .npm
            .as_ref()
            .zip(installed.node_22.as_ref())
            .map(|(npm, node)| {
                [
                    node.clone(),
                    npm.join("node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"),
                ]
            });
        let description = json!({
            "base": base,
            "key": KEY,
            "handpick": handpick,
            "settings": settings,
            "stdio": stdio,
            "env": { "HANDPICK_ADMIN_KEY": KEY, "HANDPICK_KEY": KEY, "HANDPICK_URL": base },
            "docs": self.folder.join("docs"),
            "repository": self.folder.join("repository"),
            "home": self.folder.join("home"),
            "inspector": inspector,
            "node_22": installed.node_22.as_ref().and_then(|node| node.parent()),
            "upstreams": upstreams.iter().cloned().collect::<serde_json::Map<_, _>>(),
        });
        std::fs::write(self.description(), serde_json::to_string_pretty(&description)?)?;
        Ok(())
    }

    /// Asks the gateway to stop and looks for servers that outlived it.
    pub fn stop(mut self) -> Result<Counts> {
        let mut counts = Counts::default();
        let mut record = |held: bool, what: &str| {
            println!("{} {what}", if held { "ok" } else { "FAIL" });
            if held {
                counts.passed += 1;
            } else {
                counts.failed += 1;
            }
        };
        record(
            self.gateway.try_wait()?.is_none(),
            "the gateway still runs after everything that was done to it",
        );
        signal("-TERM", self.gateway.id());
        let stopped = within(Duration::from_secs(10), || {
            self.gateway.try_wait().ok().flatten().is_some()
        });
        record(stopped, "the gateway stops within 10 s of SIGTERM");
        for server in &mut self.servers {
            server.kill().ok();
            server.wait().ok();
        }
        let gone = within(Duration::from_secs(5), || survivors(&self.folder).is_empty());
        for survivor in survivors(&self.folder) {
            println!("     still there: {survivor}");
        }
        record(gone, "no server that the gateway started outlives it");
        Ok(counts)
    }
}

/// The files and the repository that real servers are asked about.
fn furnish(folder: &Path) -> Result<()> {
    for name in ["docs/inner", "data", "repository", "home"] {
        std::fs::create_dir_all(folder.join(name))?;
    }
    std::fs::write(folder.join("docs/naïve ☃.txt"), "first line\nsecond — line ☃\n")?;
    std::fs::write(folder.join("docs/dot.png"), DOT)?;
    std::fs::write(folder.join("docs/inner/empty.txt"), "")?;
    std::fs::write(folder.join("repository/a.txt"), "one\n")?;
    let identity = ["-c", "user.name=Wire", "-c", "user.email=wire@example.test"];
    let commands: [&[&str]; 3] = [
        &["init", "--quiet", "--initial-branch=main"],
        &["add", "a.txt"],
        &["commit", "--quiet", "--no-gpg-sign", "--message=One file"],
    ];
    for command in commands {
        let mut git = Command::new("git");
        git.args(identity)
            .args(command)
            .current_dir(folder.join("repository"));
        git.env("GIT_CONFIG_GLOBAL", "/dev/null");
        crate::tools::run(&mut git)?;
    }
    Ok(())
}

/// Copies the JavaScript files of `wire/` to where Node.js finds the installed packages.
fn copy_scripts(target: &Path) -> Result<()> {
    std::fs::create_dir_all(target.join("upstreams"))?;
    for path in files::with_endings(&[".mjs", "corners.json"]) {
        if let Ok(inner) = path.strip_prefix("wire") {
            std::fs::copy(files::root().join(&path), target.join(inner))?;
        }
    }
    Ok(())
}

/// The servers by the name the gateway knows them under, as JSON that settings and scripts both read.
fn upstreams(folder: &Path, installed: &Installed, servers: &mut Vec<Child>) -> Result<Vec<(String, Value)>> {
    let mut found = Vec::new();
    let mut pipes = |name: &str, command: &Path, args: Vec<PathBuf>, env: Value| {
        found.push((
            name.to_owned(),
            json!({ "command": command, "args": args, "env": env }),
        ));
    };
    let python = |installed: &Option<PathBuf>| installed.clone().context("no Python environment");
    let (legacy, modern) = (
        python(&installed.python_legacy)?,
        python(&installed.python_modern)?,
    );
    let module = |name: &str| vec![PathBuf::from("-m"), name.into()];
    pipes("time", &modern, module("mcp_server_time"), json!({}));
    let repository = ["--repository".into(), folder.join("repository")];
    pipes(
        "git",
        &modern,
        [module("mcp_server_git"), repository.to_vec()].concat(),
        json!({}),
    );
    pipes("clock", &legacy, module("mcp_server_time"), json!({}));
    let corners = files::root().join("wire/upstreams/corners_modern.py");
    // The second argument only marks the process as part of this stage.
    pipes("modern", &modern, vec![corners, folder.to_owned()], json!({}));
    let Some(npm) = &installed.npm else {
        return Ok(found);
    };
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
    for (name, argument, transport, path) in WEB {
        let port = free_port()?;
        let log = File::create(folder.join(format!("{name}.log")))?;
        let server = Command::new(node)
            .arg(package("server-everything"))
            .arg(argument)
            .env("PORT", port.to_string())
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .with_context(|| format!("cannot start {name}"))?;
        servers.push(server);
        if !within(Duration::from_secs(30), || {
            TcpStream::connect(("127.0.0.1", port)).is_ok()
        }) {
            bail!("{name} does not listen on port {port} after 30 s");
        }
        let url = format!("http://127.0.0.1:{port}/{path}");
        found.push((name.to_owned(), json!({ "url": url, "transport": transport })));
    }
    Ok(found)
}

/// The gateway's settings: every server, and a gateway for each presentation.
fn settings(upstreams: &[(String, Value)]) -> Result<String> {
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

/// Reads what the gateway prints until it says where it listens, and keeps reading into the log.
fn listening_address(gateway: &mut Child, log: &Path) -> Result<String> {
    let file = File::create(log)?;
    let (sender, receiver) = mpsc::channel();
    let streams: [Option<Box<dyn std::io::Read + Send>>; 2] = [
        gateway.stdout.take().map(|stream| Box::new(stream) as _),
        gateway.stderr.take().map(|stream| Box::new(stream) as _),
    ];
    for stream in streams.into_iter().flatten() {
        let (mut file, sender) = (file.try_clone()?, sender.clone());
        std::thread::spawn(move || {
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                writeln!(file, "{line}").ok();
                if let Some((_, address)) = line.split_once("listening on ") {
                    sender.send(address.trim().to_owned()).ok();
                }
            }
        });
    }
    drop(sender);
    match receiver.recv_timeout(Duration::from_secs(60)) {
        Ok(address) => Ok(address.split_whitespace().next().unwrap_or_default().to_owned()),
        Err(_) => {
            let printed = std::fs::read_to_string(log).unwrap_or_default();
            bail!(
                "the gateway did not say where it listens; it printed:\n{}",
                crate::tools::tail(&printed, 30)
            );
        }
    }
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// Whether something becomes true in time.
fn within(limit: Duration, mut holds: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + limit;
    loop {
        if holds() {
            return true;
        }
        if Instant::now() > end {
            return false;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Sends a signal to one process of ours.
pub fn signal(signal: &str, process: u32) {
    Command::new("kill")
        .arg(signal)
        .arg(process.to_string())
        .status()
        .ok();
}

/// Processes whose command line names the stage's folder: on Linux, servers that should have ended.
fn survivors(folder: &Path) -> Vec<String> {
    let folder = folder.display().to_string();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|process| std::fs::read(process.path().join("cmdline")).ok())
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.contains(&folder))
        .collect()
}
