//! How are findings told to a person?

use std::collections::BTreeMap;

use handpick_lint::{Finding, Place, Rule, Severity, rules as table};

use super::source::Source;
use crate::args::LintArgs;
use crate::terminal::{Paint, say, shorten, thousands};

/// Findings of one rule and server that are shown; the rest are counted.
const SHOWN: usize = 4;
/// Characters of a message, so that one finding stays a few lines.
const CHARS: usize = 220;

type Located<'f> = (&'f Finding, Option<Place>);

/// Prints every rule with what it is about.
pub fn rules() {
    let paint = Paint::for_stdout();
    for rule in table::ALL {
        let id = format!("{:30}", rule.id);
        say(format!(
            "{} {} {}{}",
            severity(rule.severity, paint),
            paint.cyan(id),
            rule.title,
            paint.dim(clients(rule))
        ));
    }
    say("");
    say(paint.dim("docs/lint.md says why, with the vendors' documents."));
}

/// Prints the findings by server and rule, notes in short, and a line that sums all up.
pub fn findings(source: &Source, located: &[Located<'_>], args: &LintArgs) {
    let paint = Paint::for_stdout();
    let tools = source.tools_by_server();
    // Notes are many and alike: one section tells of each kind once.
    let in_short = |located: &&Located<'_>| !args.all && located.0.severity == Severity::Note;
    let mut servers: BTreeMap<&str, Vec<&Located<'_>>> = BTreeMap::new();
    for finding in located.iter().filter(|located| !in_short(located)) {
        servers.entry(&finding.0.app).or_default().push(finding);
    }
    for (app, found) in &servers {
        let count = tools.get(app).copied().unwrap_or_default();
        say(format!("{}  {}", paint.bold(app), plural(count, "tool")));
        for group in by_rule(found) {
            show_group(&group, args.all, paint);
        }
        say("");
    }
    let notes: Vec<&Located<'_>> = located.iter().filter(in_short).collect();
    if !notes.is_empty() {
        say(format!(
            "{}  {}",
            paint.bold("notes"),
            paint.dim("in short; --all shows every one")
        ));
        for group in by_rule(&notes) {
            show_note(&group, paint);
        }
        say("");
    }
    sum_up(source, located, args, paint);
}

/// One kind of note: how often, and one of them.
fn show_note(group: &[&Located<'_>], paint: Paint) {
    let Some((first, _)) = group.first() else { return };
    let mut servers: Vec<&str> = group.iter().map(|(finding, _)| finding.app.as_str()).collect();
    servers.dedup();
    say(format!(
        "  {} {}  {}{}",
        severity(first.severity, paint),
        paint.cyan(first.rule.id),
        first.rule.title,
        paint.dim(format!(
            "{}  {} of {}",
            clients(first.rule),
            plural(group.len(), "tool"),
            plural(servers.len(), "server")
        ))
    ));
    say(paint.dim(format!(
        "          {}: {}",
        first.subject(),
        shorten(&first.message, CHARS)
    )));
    say(paint.dim(format!("            {}", shorten(&first.instead, CHARS))));
}

/// The findings of a server by rule and severity, the gravest and most frequent rules first.
fn by_rule<'g, 'f>(found: &[&'g Located<'f>]) -> Vec<Vec<&'g Located<'f>>> {
    let mut groups: BTreeMap<(Severity, &str), Vec<&Located<'_>>> = BTreeMap::new();
    for located in found {
        let finding = located.0;
        groups
            .entry((finding.severity, finding.rule.id))
            .or_default()
            .push(located);
    }
    let mut groups: Vec<((Severity, &str), Vec<&Located<'_>>)> = groups.into_iter().collect();
    groups.sort_by(|(a, found_a), (b, found_b)| {
        b.0.cmp(&a.0)
            .then(found_b.len().cmp(&found_a.len()))
            .then(a.1.cmp(b.1))
    });
    groups.into_iter().map(|(_, found)| found).collect()
}

fn show_group(group: &[&Located<'_>], all: bool, paint: Paint) {
    let Some((first, _)) = group.first() else { return };
    let count = if group.len() > 1 {
        format!("  {} tools", group.len())
    } else {
        String::new()
    };
    say(format!(
        "  {} {}  {}{}",
        severity(first.severity, paint),
        paint.cyan(first.rule.id),
        first.rule.title,
        paint.dim(format!("{}{count}", clients(first.rule)))
    ));
    let most = if all { usize::MAX } else { SHOWN };
    for (finding, place) in group.iter().take(most) {
        show_finding(finding, place.as_ref(), all, paint);
    }
    let more = group.len().saturating_sub(most);
    if more > 0 {
        say(paint.dim(format!("          and {more} more; --all shows them")));
    }
}

fn show_finding(finding: &Finding, place: Option<&Place>, all: bool, paint: Paint) {
    let chars = if all { usize::MAX } else { CHARS };
    let subject = match &finding.tool {
        Some(name) => format!("{}: ", paint.bold(name.tool())),
        None => String::new(),
    };
    say(format!("          {subject}{}", shorten(&finding.message, chars)));
    say(format!(
        "            {}",
        paint.green(shorten(&finding.instead, chars))
    ));
    if let Some(place) = place.filter(|_| all) {
        let place = format!("            {}:{}:{}", place.file, place.line, place.column);
        say(paint.dim(place));
    }
}

fn sum_up(source: &Source, located: &[Located<'_>], args: &LintArgs, paint: Paint) {
    let count = |severity: Severity| {
        located
            .iter()
            .filter(|(finding, _)| finding.severity == severity)
            .count()
    };
    let (errors, warnings, notes) = (
        count(Severity::Error),
        count(Severity::Warning),
        count(Severity::Note),
    );
    let checked = format!(
        "{} of {}",
        plural(source.tools(), "tool"),
        plural(source.servers(), "server")
    );
    if located.is_empty() {
        return say(format!("{checked}: {}", paint.green("nothing to complain about")));
    }
    say(format!(
        "{checked}: {}, {}, {}",
        plural(errors, "error"),
        plural(warnings, "warning"),
        plural(notes, "note")
    ));
    if located
        .iter()
        .any(|(finding, _)| args.deny.denies(finding.severity))
    {
        let allowed = located
            .iter()
            .filter(|(finding, _)| args.deny.denies(finding.severity))
            .count();
        say(paint.red(format!("{allowed} of them fail this run (--deny)")));
    }
}

fn severity(severity: Severity, paint: Paint) -> String {
    let padded = format!("{:7}", severity.as_str());
    match severity {
        Severity::Error => paint.red(padded),
        Severity::Warning => paint.yellow(padded),
        Severity::Note => paint.dim(padded),
    }
}

/// `  (OpenAI, Gemini)` for a rule about clients.
fn clients(rule: &Rule) -> String {
    if rule.clients.is_empty() {
        return String::new();
    }
    let titles: Vec<&str> = rule.clients.iter().map(|client| client.title()).collect();
    format!("  ({})", titles.join(", "))
}

fn plural(count: usize, what: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{} {what}{ending}", thousands(count))
}
