//! `handpick eval unified`: what do requests in words come to?
//!
//! `tools` finds the tools they are asked over, `ask` decides as the server decides. Nothing runs. What is measured is
//! the matter of the crate `evaluation`.

mod ask;
mod tools;

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use handpick_evaluation::turns::told::{Line, Look};
use handpick_evaluation::unified::labels::{self, Case};
use handpick_evaluation::unified::{Asked, Report, falls, told};

use self::ask::Asker;
use self::tools::Tools;
use crate::args::UnifiedArgs;
use crate::commands::catalog_file::open_servers;
use crate::settings::Mistake;
use crate::settings::resolve::read_file;
use crate::terminal::{Paint, note, progress_bar, say};

/// Decides about every request of the file and tells how right that is.
pub async fn run(args: UnifiedArgs) -> anyhow::Result<()> {
    // Everything that can be wrong with the arguments is said before the long work begins.
    let before = args.baseline.as_deref().map(read_report).transpose()?;
    let cases = read_cases(&args.file)?;
    let mut signals = match &args.signals {
        Some(path) => {
            let file = File::create(path).with_context(|| format!("cannot write `{}`", path.display()))?;
            Some(file)
        }
        None => None,
    };
    let tools = Tools::find(&cases, args.catalogs.as_deref()).await?;
    let (cases, skipped): (Vec<Case>, Vec<Case>) = cases.into_iter().partition(|case| tools.has_all(case));
    if cases.is_empty() {
        bail!(
            "no request of {} can be asked: name the folder of the servers' catalogs with --catalogs",
            args.file.display()
        );
    }
    let asked = ask_all(&cases, &tools, &args, signals.as_mut()).await?;
    let set = args
        .file
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let report = Report::of(&set, skipped.len(), &asked);
    if args.json {
        say(format!("{:#}", serde_json::to_value(&report)?));
    } else {
        say("");
        told::table(&report).iter().for_each(show_line);
        if let Some(count) = args.misses {
            told::misses(&asked, count).iter().for_each(show_line);
        }
    }
    match (&before, &args.baseline) {
        (Some(before), Some(path)) => guard(before, &report, args.fail_below, path),
        _ => Ok(()),
    }
}

async fn ask_all(
    cases: &[Case],
    tools: &Tools,
    args: &UnifiedArgs,
    mut signals: Option<&mut File>,
) -> anyhow::Result<Vec<Asked>> {
    for unknown in tools.unknown_labels(cases) {
        note(format!("no server lists the tool `{unknown}` that a label names"));
    }
    let gateway = open_servers(tools.servers(), tools.count(), args.encoder.as_ref(), true).await?;
    let asker = Asker::new(&gateway.runtime, tools)?;
    let bar = progress_bar(cases.len(), "asking");
    let mut asked = Vec::with_capacity(cases.len());
    for case in cases {
        let (one, line) = asker.ask(case).await?;
        if let Some(file) = &mut signals {
            writeln!(file, "{line}").context("the signals cannot be written")?;
        }
        asked.push(one);
        bar.inc(1);
    }
    bar.finish_and_clear();
    gateway.close().await;
    Ok(asked)
}

fn read_cases(file: &Path) -> anyhow::Result<Vec<Case>> {
    let source = read_file(file)?;
    let cases = labels::read(&source).map_err(|mistake| match mistake.line {
        Some(line) => Mistake::on_line(file, line, &mistake.text),
        None => Mistake::in_file(file, &mistake.text),
    })?;
    Ok(cases)
}

fn read_report(path: &Path) -> anyhow::Result<Report> {
    let source = read_file(path)?;
    let report = serde_json::from_str(&source).map_err(|error| {
        Mistake::in_file(
            path,
            format!("is not what `handpick eval unified --json` prints: {error}"),
        )
    })?;
    Ok(report)
}

fn show_line(line: &Line) {
    let paint = Paint::for_stdout();
    say(match line.look {
        Look::Plain => line.text.clone(),
        Look::Bold => paint.bold(&line.text),
        Look::Dim => paint.dim(&line.text),
        Look::Yellow => paint.yellow(&line.text),
        Look::Red => paint.red(&line.text),
    });
}

fn guard(before: &Report, now: &Report, margin: f64, path: &Path) -> anyhow::Result<()> {
    let file = path.display();
    let told = falls(before, now, margin)
        .map_err(|reason| anyhow!("{file} is of another run ({reason}): make it again"))?;
    if told.is_empty() {
        return Ok(());
    }
    bail!("worse than {file} by more than {margin}: {}", told.join(", "))
}
