//! How soon is a gateway with 87 servers there, and what does it hold?
//!
//! The servers are the recorded ones, each a process of its own (`handpick-replay`) when it runs; the gateway
//! shows them in the presentation `recommend`. A first start fills an empty data folder with the tool lists and
//! the vectors. Then the gateway is started again and again over that folder. Measured each time:
//!
//! - from the moment the process is spawned until the answer to `tools/list` over HTTP is read, tried every
//!   millisecond; the gateway must then know every tool and every vector;
//! - resident memory right after that, and again two seconds later;
//! - the first `POST /v1/tools/select`: one task with one answer, and resident memory after it;
//! - the processes the gateway has started until then: none is needed.
//!
//! Client and gateway share the cores. The files were read before, so the disk is not measured.

use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::{Programs, fresh_folder, http, proc};
use crate::processes::{Running, free_port, within};
use crate::{files, tools};

/// Starts that are measured.
const STARTS: usize = 9;

/// How long after the list the memory is looked at again.
const LATER: Duration = Duration::from_secs(2);

/// How often the progress of the first start is shown.
const SHOWN_EVERY: Duration = Duration::from_secs(5);

/// Longest start, and longest first start with everything it has to learn.
const START_MAX: Duration = Duration::from_secs(60);
const FILL_MAX: Duration = Duration::from_secs(15 * 60);

/// What the first selection asks for.
const TASK: &str = "find out which pods keep restarting in the staging namespace";

/// Fills the data folder, measures, prints.
pub fn run(programs: &Programs) -> Result<bool> {
    let Some(shared) = files::shared_folder() else {
        println!("skipped: start: no `shared` folder beside the repository and HANDPICK_SHARED is not set");
        return Ok(true);
    };
    if !proc::is_there() {
        println!("skipped: start: this system has no /proc to read memory and processes from");
        return Ok(true);
    }
    let stage = Stage::set_up(programs, &shared)?;
    println!("── start: {} servers, {} tools", stage.servers, stage.tools);
    stage.fill()?;
    let starts = (0..STARTS)
        .map(|_| stage.measure())
        .collect::<Result<Vec<Measured>>>()?;
    print!("{}", table(&starts));
    let none = starts.iter().all(|start| start.children == 0);
    if !none {
        println!("FAIL: a start from filled folders needs no process of any server");
    }
    Ok(none)
}

/// The settings, and what they lead to.
struct Stage<'a> {
    programs: &'a Programs,
    folder: PathBuf,
    servers: usize,
    tools: usize,
}

/// What one start took.
struct Measured {
    list: Duration,
    memory_at_list: u64,
    memory_later: u64,
    select: Duration,
    memory_after_select: u64,
    children: usize,
}

/// A gateway that runs.
struct Gateway {
    process: Running,
    address: String,
    log: PathBuf,
    spawned: Instant,
}

impl<'a> Stage<'a> {
    fn set_up(programs: &'a Programs, shared: &Path) -> Result<Self> {
        let folder = fresh_folder("start")?;
        let replay = programs.path("handpick-replay");
        let mut recordings: Vec<PathBuf> = std::fs::read_dir(shared.join("catalogs"))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
            .collect();
        recordings.sort();
        let mut settings = "[gateways.default]\npresentation = \"recommend\"\n".to_owned();
        let mut tools = 0;
        for recording in &recordings {
            let recorded: Value = serde_json::from_slice(&std::fs::read(recording)?)?;
            tools += recorded["tools"].as_array().map_or(0, Vec::len);
            let name = recorded["server"]
                .as_str()
                .context("a recording without a server")?;
            write!(
                settings,
                "\n[servers.{name}]\ncommand = {}\nargs = [{}]\n",
                quoted(&replay),
                quoted(&std::path::absolute(recording)?)
            )?;
        }
        std::fs::write(folder.join("handpick.toml"), settings)?;
        Ok(Self {
            programs,
            folder,
            servers: recordings.len(),
            tools,
        })
    }

    fn start(&self) -> Result<Gateway> {
        let address = format!("127.0.0.1:{}", free_port()?);
        let log = self.folder.join("gateway.log");
        let file = File::create(&log)?;
        let (config, data) = (self.folder.join("handpick.toml"), self.folder.join("data"));
        let mut command = self.programs.gateway(&address, &config, &data);
        command
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file);
        let spawned = Instant::now();
        Ok(Gateway {
            process: Running::start(&mut command)?,
            address,
            log,
            spawned,
        })
    }

    /// The first start: every server is started and listed, every tool gets its vector.
    fn fill(&self) -> Result<()> {
        let mut gateway = self.start()?;
        let listed = gateway.list()?;
        println!(
            "first start, empty data folder: tools/list after {}",
            seconds(listed)
        );
        let mut shown = Instant::now();
        loop {
            let progress = Progress::read(&http::status(&gateway.address)?)?;
            let done = progress.listed == self.servers && progress.missing == 0;
            if done || shown.elapsed() > SHOWN_EVERY {
                shown = Instant::now();
                println!(
                    "   {:>6}: {} of {} servers listed, {} of {} tools with a vector",
                    seconds(gateway.spawned.elapsed()),
                    progress.listed,
                    self.servers,
                    progress.tools - progress.missing,
                    self.tools
                );
            }
            if done && progress.tools == self.tools {
                println!("   {:.1} MB resident at the end", megabytes(gateway.resident()?));
                return gateway.stop();
            }
            if gateway.spawned.elapsed() > FILL_MAX {
                bail!(
                    "not there after {} minutes: {:?}",
                    FILL_MAX.as_secs() / 60,
                    progress.problems
                );
            }
            sleep(Duration::from_millis(100));
        }
    }

    fn measure(&self) -> Result<Measured> {
        let mut gateway = self.start()?;
        let list = gateway.list()?;
        let memory_at_list = gateway.resident()?;
        let progress = Progress::read(&http::status(&gateway.address)?)?;
        if (progress.tools, progress.missing) != (self.tools, 0) {
            bail!(
                "it answers with {} tools, {} of them without a vector",
                progress.tools,
                progress.missing
            );
        }
        sleep(LATER);
        let memory_later = gateway.resident()?;
        let asked = Instant::now();
        let answer = http::select(&gateway.address, TASK)?;
        let select = asked.elapsed();
        if answer["results"][0]["suggestions"]
            .as_array()
            .is_none_or(Vec::is_empty)
        {
            bail!("nothing was found: {answer}");
        }
        let measured = Measured {
            list,
            memory_at_list,
            memory_later,
            select,
            memory_after_select: gateway.resident()?,
            children: proc::children(gateway.process.id()),
        };
        gateway.stop()?;
        Ok(measured)
    }
}

impl Gateway {
    /// Asks for the tool list until it comes; returns how long that was after the process was spawned.
    fn list(&mut self) -> Result<Duration> {
        loop {
            let failure = match http::list_tools(&self.address) {
                Ok(_) => return Ok(self.spawned.elapsed()),
                Err(failure) => failure,
            };
            if self.process.has_ended() || self.spawned.elapsed() > START_MAX {
                let printed = std::fs::read_to_string(&self.log).unwrap_or_default();
                bail!(
                    "it does not answer: {failure}; it printed:\n{}",
                    tools::tail(&printed, 20)
                );
            }
            sleep(Duration::from_millis(1));
        }
    }

    fn resident(&self) -> Result<u64> {
        proc::resident(self.process.id()).context("its memory cannot be read")
    }

    /// Ends it as an operator would, so that everything is written.
    fn stop(mut self) -> Result<()> {
        self.process.signal("-TERM");
        if !within(Duration::from_secs(30), || self.process.has_ended()) {
            bail!("it does not end");
        }
        Ok(())
    }
}

/// How far a gateway is.
struct Progress {
    /// Servers whose list is there.
    listed: usize,
    tools: usize,
    /// Tools without a vector.
    missing: usize,
    problems: Vec<String>,
}

impl Progress {
    fn read(status: &Value) -> Result<Self> {
        let servers = status["servers"].as_array().context("a status without servers")?;
        let count = |value: &Value| value.as_u64().and_then(|count| usize::try_from(count).ok());
        Ok(Self {
            listed: servers
                .iter()
                .filter(|server| server["fetched_at"].is_string())
                .count(),
            tools: count(&status["indexing"]["tools"]).context("a status without an index")?,
            missing: count(&status["indexing"]["missing"]).context("a status without an index")?,
            problems: servers
                .iter()
                .filter_map(|server| server["problem"].as_str())
                .map(str::to_owned)
                .collect(),
        })
    }
}

/// A line of the table: its name and what it shows of a start.
type Row = (&'static str, fn(&Measured) -> f64);

const ROWS: [Row; 6] = [
    ("to tools/list, ms", |start| milliseconds(start.list)),
    ("memory then, MB", |start| megabytes(start.memory_at_list)),
    ("memory 2 s later, MB", |start| megabytes(start.memory_later)),
    ("first select, ms", |start| milliseconds(start.select)),
    ("memory after it, MB", |start| {
        megabytes(start.memory_after_select)
    }),
    ("processes started", |start| start.children as f64),
];

/// Median, least and most of everything measured.
fn table(starts: &[Measured]) -> String {
    let title = format!("{} later starts", starts.len());
    let mut text = format!("\n{title:<24}{:>9}{:>9}{:>9}\n", "median", "min", "max");
    for (name, value) in ROWS {
        let mut values: Vec<f64> = starts.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        let [median, least, most] = [values.len() / 2, 0, values.len() - 1].map(|at| values[at]);
        text += &format!("{name:<24}{median:>9.1}{least:>9.1}{most:>9.1}\n");
    }
    text
}

/// A path as a TOML string.
fn quoted(path: &Path) -> String {
    toml::Value::from(path.to_string_lossy().as_ref()).to_string()
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_and_both_ends_are_shown() {
        let starts: Vec<Measured> = [30, 10, 20]
            .map(|n| Measured {
                list: Duration::from_millis(n),
                memory_at_list: n * 1_000_000,
                memory_later: 0,
                select: Duration::ZERO,
                memory_after_select: 0,
                children: 0,
            })
            .into();
        let text = table(&starts);
        let row = |name: &str| {
            text.lines()
                .find(|line| line.starts_with(name))
                .unwrap()
                .to_owned()
        };
        assert!(row("to tools/list").ends_with("     20.0     10.0     30.0"));
        assert!(row("memory then").ends_with("     20.0     10.0     30.0"));
    }
}
