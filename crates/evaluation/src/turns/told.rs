//! How is a report over turns told to a person, line by line?

#[cfg(test)]
mod tests;

use super::misses::Miss;
use super::report::{Overall, Report, Reports};
use super::tally::{Measure, Tally};

/// One line, and how it is meant to look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// How.
    pub look: Look,
    /// What.
    pub text: String,
}

/// How a line is meant to look where there are colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// As it is.
    Plain,
    /// What matters most.
    Bold,
    /// What can be skipped.
    Dim,
    /// What wants a look.
    Yellow,
    /// What is wrong.
    Red,
}

impl Line {
    fn new(look: Look, text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            look,
            text: text.trim_end().to_owned(),
        }
    }
}

/// Widest name of a domain.
const NAME_MAX: usize = 24;

/// Widest message.
const MESSAGE_MAX: usize = 96;

/// Useless tools of one turn that are told.
const NOISE_MAX: usize = 6;

/// One column: its two header lines, and its cell.
struct Column {
    group: &'static str,
    head: &'static str,
    cell: fn(&Row<'_>) -> String,
}

/// What one row is about.
struct Row<'a> {
    name: &'a str,
    tools: Option<usize>,
    counts: &'a Tally,
    median: Option<f64>,
    p99: Option<f64>,
}

const COLUMNS: [Column; 14] = [
    Column::new("", "tools", |row| {
        row.tools.map_or_else(String::new, |tools| tools.to_string())
    }),
    Column::new("", "turns", |row| row.counts.turns.to_string()),
    Column::new("needed", "found", |row| share(row, Measure::NeededFound)),
    Column::new("turns", "complete", |row| share(row, Measure::Complete)),
    Column::new("groups", "met", |row| share(row, Measure::GroupsMet)),
    Column::new("type", "right", |row| share(row, Measure::TurnType)),
    Column::new("ids", "right", |row| share(row, Measure::IdsRight)),
    Column::new("stale", "offered", |row| share(row, Measure::StaleOffered)),
    Column::new("page", "ids", |row| share(row, Measure::PageIdsRight)),
    Column::new("a turn", "tools", |row| mean(row, Measure::ToolsPerTurn)),
    Column::new("", "noise", |row| mean(row, Measure::NoisePerTurn)),
    Column::new("", "forbidden", |row| row.counts.forbidden.to_string()),
    Column::new("ms", "median", |row| time(row.median)),
    Column::new("", "p99", |row| time(row.p99)),
];

impl Column {
    const fn new(group: &'static str, head: &'static str, cell: fn(&Row<'_>) -> String) -> Self {
        Self { group, head, cell }
    }

    fn width(&self) -> usize {
        self.group.len().max(self.head.len()).max(5)
    }
}

fn share(row: &Row<'_>, measure: Measure) -> String {
    row.counts
        .value(measure)
        .map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"))
}

fn mean(row: &Row<'_>, measure: Measure) -> String {
    row.counts
        .value(measure)
        .map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"))
}

fn time(time: Option<f64>) -> String {
    time.map_or_else(|| "–".to_owned(), |time| format!("{time:.1}"))
}

/// A line for each domain, all of them together last, then what the shares are shares of.
pub fn table(reports: &Reports) -> Vec<Line> {
    let rows: Vec<Row<'_>> = reports.domains.iter().map(of_domain).collect();
    let names = rows.iter().map(|row| row.name.chars().count());
    let width = names.max().unwrap_or_default().clamp(6, NAME_MAX);
    let head = |text: fn(&Column) -> &'static str, name: &str| {
        let cells = COLUMNS
            .iter()
            .map(|column| format!("{:>1$}", text(column), column.width()));
        Line::new(Look::Dim, line(name, width, cells))
    };
    let cells = |row: &Row<'_>| {
        let cells = COLUMNS
            .iter()
            .map(|column| format!("{:>1$}", (column.cell)(row), column.width()));
        line(row.name, width, cells)
    };
    let mut lines = vec![
        head(|column| column.group, ""),
        head(|column| column.head, "domain"),
    ];
    for row in &rows {
        lines.push(Line::new(Look::Plain, cells(row)));
    }
    if rows.len() > 1 {
        let total = cells(&of_all(&reports.overall));
        lines.push(Line::new(
            Look::Dim,
            format!(" {}", "─".repeat(total.chars().count() - 1)),
        ));
        lines.push(Line::new(Look::Bold, total));
    }
    lines.push(Line::new(Look::Plain, ""));
    lines.extend(behind(&reports.overall.counts));
    lines
}

fn of_domain(report: &Report) -> Row<'_> {
    Row {
        name: &report.domain,
        tools: Some(report.tools),
        counts: &report.counts,
        median: report.latency_ms.median,
        p99: report.latency_ms.p99,
    }
}

fn of_all(overall: &Overall) -> Row<'_> {
    Row {
        name: "all",
        tools: None,
        counts: &overall.counts,
        median: overall.latency_ms.median,
        p99: overall.latency_ms.p99,
    }
}

fn line(name: &str, width: usize, cells: impl Iterator<Item = String>) -> String {
    let mut line = format!(" {:width$}", shortened(name, width));
    for cell in cells {
        line.push_str("  ");
        line.push_str(&cell);
    }
    line
}

/// The counts behind the shares, in words.
fn behind(counts: &Tally) -> Vec<Line> {
    let line = |name: &str, text: String| Line::new(Look::Plain, format!(" {name:<9} {text}"));
    let other = counts.ids - counts.ids_right - counts.ids_missing;
    let mut lines = vec![
        line(
            "tools",
            format!(
                "{} of {} needed ones found; {} of the {} turns that need one have all of them",
                counts.found, counts.needed, counts.complete, counts.needing
            ),
        ),
        line(
            "noise",
            format!(
                "{} of the {} tools handed out, core ones apart",
                counts.noise, counts.given
            ),
        ),
    ];
    if counts.ids > 0 {
        let text = format!(
            "{} of {} right, {} missing, {other} with another value; {} of {} stale ones offered",
            counts.ids_right, counts.ids, counts.ids_missing, counts.stale_offered, counts.stale
        );
        lines.push(line("ids", text));
    }
    if counts.forbidden > 0 {
        let text = format!(" forbidden {} tools came back that must not", counts.forbidden);
        lines.push(Line::new(Look::Red, text));
    }
    lines
}

/// The worst turns of a report that has some.
pub fn misses(report: &Report) -> Vec<Line> {
    let Some(misses) = &report.misses else {
        return Vec::new();
    };
    let title = format!(" Worst turns of {}", report.domain);
    let mut lines = vec![Line::new(Look::Plain, ""), Line::new(Look::Bold, title)];
    if misses.is_empty() {
        lines.push(Line::new(Look::Dim, "   none: every answer is flawless"));
    }
    lines.extend(misses.iter().flat_map(miss));
    lines
}

fn miss(miss: &Miss) -> Vec<Line> {
    let message = shortened(&miss.message, MESSAGE_MAX);
    let mut lines = vec![
        Line::new(Look::Plain, ""),
        Line::new(Look::Plain, format!("   “{message}”   {}", miss.id)),
    ];
    let mut tell = |look, what: &str, text: String| {
        lines.push(Line::new(look, format!("     {what:<9} {text}")));
    };
    if !miss.forbidden.is_empty() {
        tell(Look::Red, "forbidden", miss.forbidden.join(", "));
    }
    if !miss.missing.is_empty() {
        tell(Look::Yellow, "missing", miss.missing.join(", "));
    }
    for group in &miss.unmet {
        tell(Look::Yellow, "one of", group.join(", "));
    }
    if let Some(wrong) = &miss.wrong_type {
        tell(Look::Yellow, "type", format!("told as {wrong}"));
    }
    for (name, wrong) in &miss.wrong_ids {
        let got = wrong.got.as_deref().unwrap_or("nothing");
        tell(
            Look::Yellow,
            "id",
            format!("{name} is {}, resolved to {got}", wrong.expected),
        );
    }
    for (name, value) in &miss.stale {
        tell(Look::Yellow, "stale", format!("{name} {value}"));
    }
    for tool in miss.noise.iter().take(NOISE_MAX) {
        let text = format!(
            "{}  {:.2}  {}, {}",
            tool.name, tool.score, tool.reason, tool.detail
        );
        tell(Look::Dim, "noise", text);
    }
    if miss.noise.len() > NOISE_MAX {
        tell(
            Look::Dim,
            "",
            format!("and {} more", miss.noise.len() - NOISE_MAX),
        );
    }
    lines
}

/// The first line of a text, cut to `width` characters.
fn shortened(text: &str, width: usize) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() <= width {
        return line.to_owned();
    }
    let cut: String = line.chars().take(width.saturating_sub(1)).collect();
    format!("{}…", cut.trim_end())
}
