//! `handpick eval turns`: how good are the tools that turns of conversations get?
//!
//! `domain` reads what is said, `ask` asks it the way the server is asked. What is measured is the matter of the crate
//! `evaluation`.

mod ask;
mod domain;

use std::path::Path;

use anyhow::bail;
use handpick_evaluation::turns::comparison::{self, Move};
use handpick_evaluation::turns::misses::Asked;
use handpick_evaluation::turns::told::{self, Line, Look};
use handpick_evaluation::turns::{Report, Reports, Setup, judge};
use indicatif::ProgressBar;
use serde_json::json;

use self::ask::Asker;
use self::domain::Domain;
use crate::args::TurnsArgs;
use crate::settings::Mistake;
use crate::settings::resolve::read_file;
use crate::terminal::{Paint, progress_bar, say};

/// Asks every turn of every domain and tells how good the answers are.
pub async fn run(args: TurnsArgs) -> anyhow::Result<()> {
    // Everything that can be wrong with the arguments is said before the long work begins.
    let earlier = args.compare.as_deref().map(read_earlier).transpose()?;
    let mut domains = Vec::new();
    for folder in domain::folders(&args.folders)? {
        domains.push(domain::read(&folder)?);
    }
    domain::name_apart(&mut domains);
    let reports = measure(&domains, &args).await?;
    if args.json {
        let mut value = serde_json::to_value(&reports)?;
        if let Some(before) = &earlier {
            value["comparison"] = json!({
                "differences": comparison::differences(before, &reports),
                "moves": comparison::moves(before, &reports),
            });
        }
        say(format!("{value:#}"));
    } else {
        show(&reports);
        if let (Some(before), Some(path)) = (&earlier, &args.compare) {
            show_moves(before, &reports, path);
        }
    }
    match (&earlier, args.fail_below) {
        (Some(before), Some(margin)) => guard(before, &reports, margin, &args),
        _ => Ok(()),
    }
}

fn read_earlier(path: &Path) -> anyhow::Result<Reports> {
    let source = read_file(path)?;
    let reports = serde_json::from_str(&source).map_err(|error| {
        Mistake::in_file(
            path,
            format!("is not what `handpick eval turns --json` prints: {error}"),
        )
    })?;
    Ok(reports)
}

/// Asks everything, one turn after the other.
async fn measure(domains: &[Domain], args: &TurnsArgs) -> anyhow::Result<Reports> {
    let setup = Setup {
        traces: !args.no_traces,
        memory: !args.no_memory,
        max_tools: args.max_tools,
    };
    let mut asker = Asker::open(setup, args.encoder.as_ref()).await?;
    let turns = domains.iter().flat_map(|domain| &domain.conversations);
    let bar = progress_bar(turns.map(|conversation| conversation.turns.len()).sum(), "asking");
    let mut all = Vec::new();
    let mut reports = Vec::new();
    for domain in domains {
        bar.set_message(format!("reading {}", domain.name));
        let traces = asker.publish(domain).await?;
        bar.set_message(format!("asking {}", domain.name));
        let asked = ask(domain, &mut asker, &bar).await?;
        let misses = args.misses.unwrap_or_default();
        reports.push(Report::of(
            &domain.name,
            domain.tools.len(),
            traces,
            &asked,
            misses,
        ));
        all.extend(asked);
    }
    bar.finish_and_clear();
    asker.close().await;
    Ok(Reports::of(setup, reports, all.iter()))
}

async fn ask(domain: &Domain, asker: &mut Asker, bar: &ProgressBar) -> anyhow::Result<Vec<Asked>> {
    let rights = domain.rights();
    let mut asked = Vec::new();
    for conversation in &domain.conversations {
        for (number, turn) in conversation.turns.iter().enumerate() {
            let answer = asker.ask(conversation, number).await?;
            asked.push(Asked {
                id: conversation.turn_id(number),
                message: turn.message.clone(),
                judged: judge(&turn.expected, &conversation.roles, &rights, &answer),
                latency_ms: answer.latency_ms,
            });
            bar.inc(1);
        }
    }
    Ok(asked)
}

fn show(reports: &Reports) {
    say("");
    told::table(reports).iter().for_each(show_line);
    reports
        .domains
        .iter()
        .flat_map(told::misses)
        .for_each(|line| show_line(&line));
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

fn show_moves(before: &Reports, now: &Reports, path: &Path) {
    let paint = Paint::for_stdout();
    say(format!("\n {}", paint.bold(format!("Since {}", path.display()))));
    for difference in comparison::differences(before, now) {
        say(format!("   {}", paint.yellow(difference)));
    }
    let moves = comparison::moves(before, now);
    if moves.is_empty() {
        return say(format!("   {}", paint.dim("nothing moved")));
    }
    let name = |moved: &Move| moved.domain.clone().unwrap_or_else(|| "all".to_owned());
    let width = moves.iter().map(|moved| name(moved).chars().count()).max();
    let width = width.unwrap_or_default();
    for moved in &moves {
        let arrow = if moved.change() > 0.0 { "▲" } else { "▼" };
        let change = format!("{arrow} {:.3}", moved.change().abs());
        say(format!(
            "   {:width$}  {:14}  {:6.3} → {:6.3}  {}",
            name(moved),
            moved.measure.as_str(),
            moved.before,
            moved.now,
            if moved.is_better() {
                paint.green(change)
            } else {
                paint.red(change)
            },
        ));
    }
}

/// Fails where something guarded fell too far, or cannot be compared.
fn guard(before: &Reports, now: &Reports, margin: f64, args: &TurnsArgs) -> anyhow::Result<()> {
    let file = args.compare.as_deref().unwrap_or(Path::new("")).display();
    let differences = comparison::differences(before, now);
    if !differences.is_empty() {
        bail!(
            "{file} is of another run ({}): make it again",
            differences.join(", ")
        );
    }
    let forbidden = now.overall.counts.forbidden;
    if forbidden > 0 {
        bail!("{forbidden} tools came back that must not; `--misses` tells which");
    }
    let falls = comparison::falls(before, now, margin);
    if falls.is_empty() {
        return Ok(());
    }
    let told: Vec<String> = falls
        .iter()
        .map(|fall| format!("{} went from {:.3} to {:.3}", fall.measure, fall.before, fall.now))
        .collect();
    bail!("worse than {file} by more than {margin}: {}", told.join(", "))
}
