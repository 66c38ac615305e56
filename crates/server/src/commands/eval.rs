//! `handpick eval`: how good is selection on these requests?
//!
//! `set` reads what is asked, `ask` asks it the way the server is asked, `table`, `misses`, `diagram` and
//! `moves` show what came of it. `turns` is the same for turns of conversations, `unified` for requests in words. What is measured is the matter
//! of the crate `evaluation`.

mod ask;
mod diagram;
mod misses;
mod moves;
mod names;
mod set;
mod table;
mod turns;
mod unified;

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use handpick_evaluation::report::{self, Reports, Setup};
use handpick_evaluation::{Answered, Query, Report, answered, comparison};
use serde_json::{Value, json};

use self::ask::Asker;
use self::set::{Set, Source};
use super::catalog_file::open_listing;
use crate::args::{EvalArgs, EvalCommand, Profile};
use crate::settings::Mistake;
use crate::settings::resolve::read_file;
use crate::terminal::{note, progress_bar, say};

/// Asks every request of every set and tells how well it was answered.
pub async fn run(args: EvalArgs) -> anyhow::Result<()> {
    match args.of {
        Some(EvalCommand::Turns(turns)) => return turns::run(turns).await,
        Some(EvalCommand::Unified(unified)) => return unified::run(unified).await,
        None => {}
    }
    let sources = set::sources(&args);
    // Everything that can be wrong with the arguments is said before the long work begins.
    let mut rankings = create_rankings(&args)?;
    let earlier = args.compare.as_deref().map(read_earlier).transpose()?;
    let mut sets = Vec::new();
    for source in &sources {
        sets.push(set::read(source, args.limit)?);
    }
    let mut reports = Vec::new();
    for set in sets {
        let (report, asked) = evaluate(set, &args).await?;
        if let Some(file) = &mut rankings {
            let written = file.write_all(answered::lines(&asked).as_bytes());
            written.context("the rankings cannot be written")?;
        }
        if !args.json {
            show(&report, earlier.as_deref(), &args);
        }
        reports.push(report);
    }
    if args.json {
        say(format!("{:#}", as_json(&reports, earlier.as_deref())?));
    } else if reports.len() > 1 {
        table::show_mean(&Reports::of(reports.clone()));
    }
    match (&earlier, args.fail_below) {
        (Some(earlier), Some(margin)) => guard(earlier, &reports, margin, &args),
        _ => Ok(()),
    }
}

fn create_rankings(args: &EvalArgs) -> anyhow::Result<Option<File>> {
    let Some(path) = &args.rankings else {
        return Ok(None);
    };
    if args.sets.len() > 1 {
        bail!("--rankings takes one set at a time, not {}", args.sets.len());
    }
    let file = File::create(path).with_context(|| format!("cannot write `{}`", path.display()))?;
    Ok(Some(file))
}

fn read_earlier(path: &Path) -> anyhow::Result<Vec<Report>> {
    let source = read_file(path)?;
    let reports = report::read(&source).map_err(|error| {
        Mistake::in_file(
            path,
            format!("is not what `handpick eval --json` prints: {error}"),
        )
    })?;
    Ok(reports)
}

/// Asks one set.
async fn evaluate(set: Set, args: &EvalArgs) -> anyhow::Result<(Report, Vec<(Query, Answered)>)> {
    let meaning = args.profile != Profile::Search;
    let gateway = open_listing(&set.listing, args.encoder.as_ref(), meaning).await?;
    let mut asker = Asker::new(&gateway.runtime, &set.names, args.profile);
    let bar = progress_bar(set.queries.len(), "asking");
    asker.warm_up().await;
    let mut asked = Vec::with_capacity(set.queries.len());
    for query in set.queries {
        let answered = asker.ask(&query).await;
        asked.push((query, answered));
        bar.inc(1);
    }
    bar.finish_and_clear();
    let setup = Setup {
        set: &set.name,
        profile: args.profile.as_str(),
        tools: set.listing.catalog.tools().len(),
        catalog_tokens: asker.catalog_tokens(),
        ks: &depths(args),
        scores_are_probabilities: args.profile != Profile::Search,
        unavailable: asker.unavailable(),
        misses: args.misses.unwrap_or_default(),
    };
    let report = Report::of(&setup, &asked);
    gateway.close().await;
    Ok((report, asked))
}

/// Where hits and recalls are counted, each once and in order; where the guard looks too if there is one.
fn depths(args: &EvalArgs) -> Vec<usize> {
    let mut depths = args.k.clone();
    if args.fail_below.is_some() {
        depths.extend([1, 5]);
    }
    depths.sort_unstable();
    depths.dedup();
    depths
}

fn show(report: &Report, earlier: Option<&[Report]>, args: &EvalArgs) {
    table::show(report);
    if args.calibration {
        diagram::show(report);
    }
    misses::show(report);
    if let (Some(earlier), Some(path)) = (earlier, &args.compare) {
        match earlier_of(earlier, report) {
            Some(before) => moves::show(before, report, path),
            None => note(format!("{} has no set `{}`", path.display(), report.set)),
        }
    }
}

/// The earlier run of the same set; a file that holds only one run is meant whatever its set is called.
fn earlier_of<'a>(earlier: &'a [Report], now: &Report) -> Option<&'a Report> {
    let same = earlier.iter().find(|before| before.set == now.set);
    same.or_else(|| earlier.first().filter(|_| earlier.len() == 1))
}

fn as_json(reports: &[Report], earlier: Option<&[Report]>) -> anyhow::Result<Value> {
    let mut value = match reports {
        [report] => serde_json::to_value(report)?,
        several => serde_json::to_value(Reports::of(several.to_vec()))?,
    };
    let moves_of = |report: &Report| {
        let before = earlier_of(earlier?, report)?;
        Some(json!({
            "set": report.set,
            "differences": comparison::differences(before, report),
            "moves": comparison::moves(before, report),
        }))
    };
    let mut moves: Vec<Value> = reports.iter().filter_map(moves_of).collect();
    if reports.len() > 1 && earlier.is_some() {
        value["comparison"] = moves.into();
    } else if let Some(moves) = moves.pop() {
        value["comparison"] = moves;
    }
    Ok(value)
}

/// Fails where something guarded fell too far, or cannot be compared.
fn guard(earlier: &[Report], reports: &[Report], margin: f64, args: &EvalArgs) -> anyhow::Result<()> {
    let file = args.compare.as_deref().unwrap_or(Path::new("")).display();
    let mut told = Vec::new();
    for now in reports {
        let Some(before) = earlier_of(earlier, now) else {
            bail!("{file} has no set `{}` to compare with", now.set);
        };
        if !comparison::is_same_question(before, now) {
            let differences = comparison::differences(before, now).join(", ");
            bail!("{file} is of another run ({differences}): make it again");
        }
        let falls = comparison::falls(before, now, margin);
        let falls = falls.with_context(|| format!("{file} cannot be compared with"))?;
        told.extend(falls.iter().map(|fall| {
            format!(
                "{} of `{}` went from {:.3} to {:.3}",
                fall.measure, now.set, fall.before, fall.now
            )
        }));
    }
    if told.is_empty() {
        return Ok(());
    }
    bail!("worse than {file} by more than {margin}: {}", told.join(", "))
}

impl Source {
    /// A mistake in the file of requests.
    fn mistake(&self, mistake: &handpick_evaluation::labelled::Mistake) -> Mistake {
        match mistake.line {
            Some(line) => Mistake::on_line(&self.queries, line, &mistake.text),
            None => Mistake::in_file(&self.queries, &mistake.text),
        }
    }
}
