//! How soon does a turn of a conversation get its tools?
//!
//! An agent of 50 tools and its past conversations are published, made of the labelled ones of `quality/turns/helpdesk`.
//! Callers then ask for the tools of turns, each with ten turns of history, one request after the other over a
//! connection that stays open. Every message carries two made-up words, so that no text has come by before unless it
//! is meant to:
//!
//! - new: each request is of a conversation that was never seen;
//! - next: conversations go on, so that the history was seen and the message and the last answer were not;
//! - again: the same requests come once more.
//!
//! Measured at the client: from before the request is written until the answer is read. The processor time is the
//! gateway's own. How many texts went through the encoder is counted apart, by a gateway that logs it. What the
//! answers say, times apart, is hashed: two builds that answer alike print the same. Client and gateway share the
//! cores.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::Barrier;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::{Programs, fresh_folder, http, proc};
use crate::files;
use crate::processes::{Running, within};

const AGENT: &str = "bench";
const TOOLS: usize = 50;
/// Turns of each history: a message and an answer each.
const TURNS: usize = 10;
/// Different requests of one caller that come again.
const AGAIN: usize = 8;
/// Ways to ask: one caller, and sixteen, without a pause; and sixteen who let some time pass, as people do.
const LOADS: [Load; 3] = [
    Load {
        callers: 1,
        requests: 240,
        pause: Duration::ZERO,
    },
    Load {
        callers: 16,
        requests: 60,
        pause: Duration::ZERO,
    },
    Load {
        callers: 16,
        requests: 24,
        pause: Duration::from_millis(250),
    },
];
/// Requests that are counted.
const COUNTED: usize = 60;
/// The gateway has made all vectors when it has computed nothing for this long.
const IDLE: Duration = Duration::from_millis(700);

/// Publishes, asks, prints.
pub fn run(programs: &Programs) -> Result<bool> {
    let folder = fresh_folder("context")?;
    let talk = Talk::read(&files::root().join("quality/turns/helpdesk"))?;
    let config = folder.join("handpick.toml");
    // Nobody is to be turned away.
    std::fs::write(
        &config,
        "[limits]\nrequests_per_second = 100000\nburst = 100000\n",
    )?;
    let stage = Stage {
        programs,
        folder,
        config,
    };
    println!("── context: {TOOLS} tools, {TURNS} turns of history");
    let counted = {
        let gateway = stage.start(true)?;
        gateway.publish(&talk)?;
        Kind::ALL.map(|kind| gateway.count(&talk, kind))
    };
    let gateway = stage.start(false)?;
    println!(
        "{:<8}{:>8}{:>10}{:>10}{:>10}{:>10}{:>14}{:>8}{:>9}   answers",
        "", "callers", "pause", "p50, ms", "p99, ms", "a second", "processor, ms", "texts", "encoded"
    );
    for (kind, counted) in Kind::ALL.into_iter().zip(counted) {
        let counted = counted?;
        for (number, load) in LOADS.into_iter().enumerate() {
            let run = 10 * (number as u64 + 1) + kind as u64;
            let measured = gateway.measure(&talk, kind, run, load)?;
            println!("{}", row(kind, load, &measured, counted));
        }
    }
    Ok(true)
}

/// Who asks how much.
#[derive(Clone, Copy)]
struct Load {
    callers: usize,
    /// Of each caller.
    requests: usize,
    /// From an answer to the next request.
    pause: Duration,
}

/// Which texts have come by before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    New,
    Next,
    Again,
}

impl Kind {
    const ALL: [Self; 3] = [Self::New, Self::Next, Self::Again];

    fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Next => "next",
            Self::Again => "again",
        }
    }

    /// Requests that come first, to be what the measured ones repeat.
    fn before(self) -> usize {
        match self {
            Self::New => 0,
            Self::Next => 1,
            Self::Again => AGAIN,
        }
    }

    /// The conversation and the turn of a caller's `nth` request. `run` tells runs apart.
    fn place(self, run: u64, caller: usize, nth: usize) -> (u64, usize) {
        let conversation = run * 1_000_000 + caller as u64 * 1_000;
        match self {
            Self::New => (conversation + nth as u64, 0),
            Self::Next => (conversation, nth),
            Self::Again => (conversation, nth % AGAIN),
        }
    }
}

/// What is published, and what is said.
struct Talk {
    catalog: Value,
    traces: Value,
    roles: Value,
    /// Each with its `message` and what the `assistant` then says.
    turns: Vec<Value>,
}

impl Talk {
    fn read(folder: &Path) -> Result<Self> {
        let read = |name: &str| {
            std::fs::read_to_string(folder.join(name)).with_context(|| format!("cannot read `{name}`"))
        };
        let mut catalog: Value = serde_json::from_str(&read("catalog.json")?)?;
        let tools = catalog["tools"]
            .as_array_mut()
            .context("a catalog without tools")?;
        if tools.len() < TOOLS {
            bail!("{} tools are too few", tools.len());
        }
        tools.truncate(TOOLS);
        let conversations: Vec<Value> = read("conversations.jsonl")?
            .lines()
            .map(serde_json::from_str)
            .collect::<Result<_, _>>()?;
        let turns: Vec<Value> = conversations
            .iter()
            .filter_map(|conversation| conversation["turns"].as_array())
            .flatten()
            .filter(|turn| turn["assistant"].is_object())
            .cloned()
            .collect();
        if turns.is_empty() {
            bail!("no turn has an answer");
        }
        Ok(Self {
            catalog,
            traces: serde_json::from_str(&read("traces.json")?)?,
            roles: conversations[0]["user"]["roles"].clone(),
            turns,
        })
    }

    /// The request for one turn of a conversation. The same arguments give the same request.
    fn request(&self, conversation: u64, turn: usize) -> String {
        let start = conversation as usize * 7;
        let turn_at = |number: usize| &self.turns[(start + number) % self.turns.len()];
        let marked = |text: &Value, number: usize, side: u64| {
            let text = text.as_str().unwrap_or_default();
            format!("{text} {}", mark(conversation, 2 * number as u64 + side))
        };
        let mut history = Vec::new();
        for number in turn..turn + TURNS {
            let said = turn_at(number);
            history.push(json!({"role": "user", "content": marked(&said["message"], number, 0)}));
            let mut answer = said["assistant"].clone();
            answer["role"] = json!("assistant");
            answer["content"] = json!(marked(&said["assistant"]["content"], number, 1));
            history.push(answer);
        }
        let number = turn + TURNS;
        json!({
            "agentId": AGENT,
            "message": marked(&turn_at(number)["message"], number, 0),
            "history": history,
            "context": {"user": {"roles": self.roles}},
        })
        .to_string()
    }
}

/// Two made-up words for one text of a conversation.
fn mark(conversation: u64, text: u64) -> String {
    const SYLLABLES: [&str; 16] = [
        "ba", "cor", "den", "fil", "gra", "hol", "im", "ker", "lo", "mun", "nar", "pos", "qui", "ret", "sul",
        "tav",
    ];
    let mut number = (conversation << 32 | text).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    number = (number ^ number >> 31).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    number ^= number >> 32;
    let mut syllable = || {
        number = number.rotate_right(4);
        SYLLABLES[(number & 15) as usize]
    };
    let mut word = || [0; 4].map(|_| syllable()).concat();
    format!("{} {}", word(), word())
}

struct Stage<'a> {
    programs: &'a Programs,
    folder: PathBuf,
    config: PathBuf,
}

impl Stage<'_> {
    /// Starts the gateway over the data of the one before. It waits until nothing is left to do.
    fn start(&self, counts: bool) -> Result<Gateway> {
        let mut command = self
            .programs
            .gateway("127.0.0.1:0", &self.config, &self.folder.join("data"));
        command.env_remove("RUST_LOG");
        if counts {
            command.env("RUST_LOG", "error,handpick_inference=debug");
        }
        let log = self.folder.join("gateway.log");
        let (process, base) = Running::start_listening(&mut command, &log)?;
        let address = base
            .trim_start_matches("http://")
            .trim_end_matches('/')
            .to_owned();
        let gateway = Gateway {
            process,
            address,
            log,
        };
        gateway.wait_until_idle()?;
        Ok(gateway)
    }
}

struct Gateway {
    process: Running,
    address: String,
    log: PathBuf,
}

/// What was measured of one kind.
struct Measured {
    /// Shortest first.
    times: Vec<Duration>,
    all: Duration,
    processor: Duration,
    answers: u64,
}

/// Texts a request, and those of them that had to be encoded. `None` for a gateway that does not say.
type Counted = Option<(f64, f64)>;

impl Gateway {
    fn publish(&self, talk: &Talk) -> Result<()> {
        let mut connection = http::Connection::open(&self.address)?;
        let catalog = talk.catalog.to_string();
        connection.exchange(&format!("PUT /v1/agents/{AGENT}/catalog"), "", &catalog)?;
        let traces = talk.traces.to_string();
        connection.exchange(&format!("POST /v1/agents/{AGENT}/traces"), "", &traces)?;
        self.wait_until_idle()
    }

    fn wait_until_idle(&self) -> Result<()> {
        let (mut known, mut since) = (self.processor()?, Instant::now());
        let idle = within(Duration::from_secs(60), || {
            let now = self.processor().unwrap_or_default();
            if now > known + Duration::from_millis(20) {
                (known, since) = (now, Instant::now());
            }
            since.elapsed() > IDLE
        });
        if !idle {
            bail!("the gateway computes on and on");
        }
        Ok(())
    }

    fn processor(&self) -> Result<Duration> {
        proc::processor_time(self.process.id()).context("this system does not tell processor times")
    }

    fn count(&self, talk: &Talk, kind: Kind) -> Result<Counted> {
        let mut connection = http::Connection::open(&self.address)?;
        let mut logged = 0;
        for nth in 0..kind.before() + COUNTED {
            if nth == kind.before() {
                sleep(Duration::from_millis(300));
                logged = std::fs::metadata(&self.log)?.len() as usize;
            }
            let (conversation, turn) = kind.place(kind as u64, 0, nth);
            connection.exchange("POST /v1/context", "", &talk.request(conversation, turn))?;
        }
        sleep(Duration::from_millis(300));
        let log = std::fs::read_to_string(&self.log)?;
        let log = &log[logged..];
        let sum = |field: &str| -> f64 {
            let numbers = log.split_whitespace().filter_map(|word| word.strip_prefix(field));
            numbers.filter_map(|number| number.parse::<f64>().ok()).sum()
        };
        let a_request = |count: f64| count / COUNTED as f64;
        let says = log.contains("asked=") || kind == Kind::Again;
        Ok(says.then(|| (a_request(sum("asked=")), a_request(sum("encoded=")))))
    }

    fn measure(&self, talk: &Talk, kind: Kind, run: u64, load: Load) -> Result<Measured> {
        let Load {
            callers, requests, ..
        } = load;
        let all = requests + kind.before();
        let bodies: Vec<Vec<String>> = (0..callers)
            .map(|caller| {
                let places = (0..all).map(|nth| kind.place(run, caller, nth));
                places
                    .map(|(conversation, turn)| talk.request(conversation, turn))
                    .collect()
            })
            .collect();
        // Twice everybody waits for everybody: before and after this thread looks at the clocks.
        let (ready, go) = (Barrier::new(callers + 1), Barrier::new(callers + 1));
        let (results, all, processor) = std::thread::scope(|scope| {
            let threads: Vec<_> = bodies
                .iter()
                .enumerate()
                .map(|(caller, bodies)| {
                    // They do not all begin at once.
                    let late = load.pause * caller as u32 / callers as u32;
                    let (ready, go) = (&ready, &go);
                    let wait = move || {
                        ready.wait();
                        go.wait();
                        sleep(late);
                    };
                    scope.spawn(move || self.ask(bodies, kind.before(), load.pause, wait))
                })
                .collect();
            ready.wait();
            let (processor, started) = (self.processor(), Instant::now());
            go.wait();
            let results: Vec<_> = threads.into_iter().map(|thread| thread.join()).collect();
            (
                results,
                started.elapsed(),
                self.processor().and_then(|now| Ok(now - processor?)),
            )
        });
        let (mut times, mut answers) = (Vec::new(), DefaultHasher::new());
        for result in results {
            for (time, mut answer) in result.map_err(|_| anyhow::anyhow!("a caller failed"))?? {
                times.push(time);
                answer["timings"] = Value::Null;
                answer.to_string().hash(&mut answers);
            }
        }
        times.sort_unstable();
        Ok(Measured {
            times,
            all,
            processor: processor?,
            answers: answers.finish(),
        })
    }

    /// Asks one request after the other; the first ones are not measured, and `wait` comes behind them.
    fn ask(
        &self,
        bodies: &[String],
        before: usize,
        pause: Duration,
        wait: impl FnOnce(),
    ) -> Result<Vec<(Duration, Value)>> {
        let connection = http::Connection::open(&self.address).and_then(|mut connection| {
            for body in &bodies[..before] {
                connection.exchange("POST /v1/context", "", body)?;
            }
            Ok(connection)
        });
        // Whoever fails must not keep the others waiting.
        wait();
        let mut connection = connection?;
        let mut answers = Vec::with_capacity(bodies.len());
        for body in &bodies[before..] {
            let asked = Instant::now();
            let answer = connection.send("POST /v1/context", "", body)?;
            answers.push((asked.elapsed(), answer));
            sleep(pause);
        }
        answers
            .into_iter()
            .map(|(time, answer)| Ok((time, serde_json::from_slice(&answer)?)))
            .collect()
    }
}

fn row(kind: Kind, load: Load, measured: &Measured, counted: Counted) -> String {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    let count = measured.times.len();
    let at = |share: f64| milliseconds(measured.times[((count as f64 * share) as usize).min(count - 1)]);
    let shown = |number: Option<f64>| number.map_or("?".to_owned(), |number| format!("{number:.2}"));
    format!(
        "{:<8}{:>8}{:>10}{:>10.2}{:>10.2}{:>10.0}{:>14.2}{:>8}{:>9}   {:016x}",
        kind.name(),
        load.callers,
        format!("{} ms", load.pause.as_millis()),
        at(0.5),
        at(0.99),
        count as f64 / measured.all.as_secs_f64(),
        milliseconds(measured.processor) / count as f64,
        shown(counted.map(|(texts, _)| texts)),
        shown(counted.map(|(_, encoded)| encoded)),
        measured.answers
    )
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn texts_are_marked_apart() {
        let marks: HashSet<String> = (0..100)
            .flat_map(|conversation| (0..100).map(move |text| mark(13_000_000 + conversation, text)))
            .collect();
        assert_eq!(marks.len(), 10_000);
    }

    #[test]
    fn a_conversation_goes_on() {
        let talk = Talk::read(&files::root().join("quality/turns/helpdesk")).unwrap();
        let read = |turn| serde_json::from_str::<Value>(&talk.request(5, turn)).unwrap();
        let (one, next) = (read(0), read(1));
        let histories = [&one, &next].map(|request| request["history"].as_array().unwrap().clone());
        assert_eq!(histories.each_ref().map(Vec::len), [2 * TURNS; 2]);
        assert_eq!(histories[0][2..], histories[1][..2 * TURNS - 2]);
        assert_eq!(one["message"], histories[1][2 * TURNS - 2]["content"]);
        assert_ne!(one["message"], next["message"]);
    }
}
