//! What stands around the clients while they are tested?
//!
//! Servers of other people over pipes, streamable HTTP and SSE, and one gateway in front of them all.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};

use super::install::Installed;
use super::upstreams;
use crate::files;
use crate::processes::{Running, within};
use crate::test::Counts;

/// The key of every request the tests make.
const KEY: &str = "wire-test-key-0123456789abcdef";

/// A 1 by 1 pixel PNG.
const DOT: [u8; 67] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0,
    0, 1, 8, 6, 0, 0, 0, 0x1f, 0x15, 0xc4, 0x89, 0, 0, 0, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0,
    1, 0, 0, 5, 0, 1, 0x0d, 0x0a, 0x2d, 0xb4, 0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];

/// Everything that runs while the scripts do; it ends with this value.
pub struct Stage {
    folder: PathBuf,
    gateway: Running,
    servers: Vec<Running>,
}

impl Stage {
    /// Starts the servers, then the gateway with a fresh data folder, and writes down where they are.
    pub fn start(handpick: &Path, installed: &Installed) -> Result<Self> {
        let folder = super::folder().join("stage");
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        furnish(&folder)?;
        copy_scripts(&installed.npm.join("wire"))?;
        let mut servers = Vec::new();
        let upstreams = upstreams::start(&folder, installed, &mut servers)?;
        let config = folder.join("handpick.toml");
        std::fs::write(&config, upstreams::settings(&upstreams)?)?;
        let mut gateway = Command::new(handpick);
        gateway
            .args(["serve", "--listen", "127.0.0.1:0", "--config"])
            .arg(&config)
            .arg("--data")
            .arg(folder.join("data"))
            .env("HANDPICK_ADMIN_KEY", KEY)
            .current_dir(&folder);
        let (gateway, base) = Running::start_listening(&mut gateway, &folder.join("gateway.log"))?;
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
        let launcher = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";
        let inspector = installed
            .node_22
            .as_ref()
            .map(|node| [node.clone(), installed.npm.join(launcher)]);
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
            "python": installed.python_clients,
            "typescript": installed.typescript_client,
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
            !self.gateway.has_ended(),
            "the gateway still runs after everything that was done to it",
        );
        self.gateway.signal("-TERM");
        let stopped = within(Duration::from_secs(60), || self.gateway.has_ended());
        record(stopped, "the gateway stops after SIGTERM");
        drop(std::mem::take(&mut self.servers));
        let gone = within(Duration::from_secs(30), || survivors(&self.folder).is_empty());
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
    let entity = r#"{"type":"entity","name":"Ada","entityType":"person","observations":["likes ☃"]}"#;
    std::fs::write(folder.join("memory.jsonl"), format!("{entity}\n"))?;
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
