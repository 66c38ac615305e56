//! How is a report shown to a person?

use handpick_evaluation::metrics::Metrics;
use handpick_evaluation::report::Reports;
use handpick_evaluation::{Measure, Report};

use crate::terminal::{Paint, say, shorten, thousands};

/// Widest name of a kind or a set.
const NAME_MAX: usize = 24;

/// One column: its two header lines and its measure.
struct Column {
    group: String,
    head: String,
    measure: Measure,
}

impl Column {
    fn new(group: &str, head: &str, measure: Measure) -> Self {
        Self {
            group: group.to_owned(),
            head: head.to_owned(),
            measure,
        }
    }

    fn width(&self) -> usize {
        self.group.chars().count().max(self.head.chars().count()).max(5)
    }
}

/// Prints a report: a line for each kind, all together last, then what is no matter of kinds.
pub fn show(report: &Report) {
    let paint = Paint::for_stdout();
    say(format!(
        "\n {}   {}",
        paint.bold(&report.set),
        paint.dim(format!(
            "{} requests to {} tools, as `{}`",
            thousands(report.queries),
            thousands(report.tools),
            report.profile
        ))
    ));
    let rows: Vec<(&str, &Metrics)> = report.kinds.iter().collect();
    show_rows("kind", &rows, ("all answerable", &report.overall));
    show_rest(report);
}

/// Prints one line a set, and their mean.
pub fn show_mean(reports: &Reports) {
    let rows: Vec<(&str, &Metrics)> = reports
        .sets
        .iter()
        .map(|report| (report.set.as_str(), &report.overall))
        .collect();
    let sum = |count: fn(&Metrics) -> usize| rows.iter().map(|(_, metrics)| count(metrics)).sum();
    let mean = Metrics {
        queries: sum(|metrics| metrics.queries),
        answerable: sum(|metrics| metrics.answerable),
        values: reports.mean.clone(),
    };
    say(format!("\n {}", Paint::for_stdout().bold("all sets")));
    show_rows("set", &rows, ("mean", &mean));
    say("");
}

fn show_rows(title: &str, rows: &[(&str, &Metrics)], last: (&str, &Metrics)) {
    let paint = Paint::for_stdout();
    let columns = columns(last.1);
    let name_width = rows
        .iter()
        .map(|(name, _)| name.chars().count())
        .chain([last.0.chars().count(), title.len()])
        .max()
        .unwrap_or_default()
        .min(NAME_MAX);
    let [mut group, mut head] = [
        format!(" {:name_width$}{:9}", "", ""),
        format!(" {title:name_width$}  queries"),
    ];
    for column in &columns {
        let width = column.width();
        group.push_str(&format!("  {:>width$}", column.group));
        head.push_str(&format!("  {:>width$}", column.head));
    }
    say(format!("\n{}", paint.dim(group.trim_end())));
    say(paint.dim(&head));
    for (name, metrics) in rows {
        let count = metrics.queries;
        say(row(
            &shorten(name, name_width),
            name_width,
            count,
            metrics,
            &columns,
        ));
    }
    let (name, metrics) = last;
    let row = row(name, name_width, metrics.answerable, metrics, &columns);
    say(format!(" {}", paint.dim("─".repeat(head.chars().count() - 1))));
    say(paint.bold(row));
}

fn row(name: &str, name_width: usize, count: usize, metrics: &Metrics, columns: &[Column]) -> String {
    let mut row = format!(" {name:name_width$}  {:>7}", thousands(count));
    for column in columns {
        let value = match column.measure {
            Measure::WronglyEmpty => empty(metrics),
            measure => metrics.get(measure),
        };
        let width = column.width();
        let cell = value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"));
        row.push_str(&format!("  {cell:>width$}"));
    }
    row
}

/// The share of empty answers, right or wrong as the kind has it.
fn empty(metrics: &Metrics) -> Option<f64> {
    let wrongly = metrics.get(Measure::WronglyEmpty);
    wrongly.or_else(|| metrics.get(Measure::RightlyEmpty))
}

/// The columns that `all` has, hits and recalls at whatever depths were asked for.
fn columns(all: &Metrics) -> Vec<Column> {
    let mut columns = vec![Column::new("NDCG", "@10", Measure::Ndcg)];
    let mut previous = "";
    for &measure in all.values.keys() {
        let (group, k) = match measure {
            Measure::Hit(k) => ("hit", k),
            Measure::Recall(k) => ("recall", k),
            _ => continue,
        };
        let told = if group == previous { "" } else { group };
        columns.push(Column::new(told, &format!("@{k}"), measure));
        previous = group;
    }
    columns.push(Column::new("complete", "@10", Measure::Complete));
    columns.push(Column::new("", "MRR", Measure::Mrr));
    columns.push(Column::new("", "empty", Measure::WronglyEmpty));
    columns
}

fn show_rest(report: &Report) {
    let paint = Paint::for_stdout();
    let line = |name: &str, text: String| say(format!(" {}  {text}", paint.dim(format!("{name:<12}"))));
    say("");
    line("abstention", abstention(report));
    line("calibration", calibration(report));
    line("latency", latency(report));
    line("tokens", tokens(report));
    if report.unavailable > 0 {
        let text = format!("{} lookups did not finish and count as empty", report.unavailable);
        say(format!(" {}", paint.yellow(text)));
    }
}

fn abstention(report: &Report) -> String {
    let abstention = &report.abstention;
    let of = |share: Option<f64>, count: usize| {
        let empty = (share.unwrap_or_default() * count as f64).round();
        format!("{empty:.0} of {}", thousands(count))
    };
    let wrongly = of(abstention.wrongly_empty, abstention.answerable);
    match abstention.auroc {
        Some(auroc) => format!(
            "AUROC {auroc:.3}; answered with nothing: {} where nothing fits, {wrongly} where something does",
            of(abstention.rightly_empty, abstention.unanswerable)
        ),
        None if abstention.unanswerable > 0 => format!(
            "answered with nothing: {} where nothing fits",
            of(abstention.rightly_empty, abstention.unanswerable)
        ),
        None => format!(
            "answered with nothing: {wrongly} where something fits; no request here has an empty `relevant`"
        ),
    }
}

fn calibration(report: &Report) -> String {
    report.calibration.as_ref().map_or_else(
        || "the scores of a search are no probabilities".to_owned(),
        |calibration| {
            format!(
                "expected error {:.3} over the first five of every ranking, {:.3} over the first alone",
                calibration.first_five.ece, calibration.top_1.ece
            )
        },
    )
}

fn latency(report: &Report) -> String {
    let latency = &report.latency_ms;
    match (latency.median, latency.p99) {
        (Some(median), Some(p99)) => format!(
            "median {median:.2} ms, p99 {p99:.2} ms, over {} first askings",
            thousands(latency.queries)
        ),
        _ => "nothing was asked".to_owned(),
    }
}

fn tokens(report: &Report) -> String {
    let tokens = &report.tokens;
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a mean of counts"
    )]
    let shown = tokens.shown_per_query.round() as usize;
    format!(
        "about {} shown a request, {} the whole catalog: {:.2} %",
        thousands(shown),
        thousands(tokens.catalog),
        100.0 * tokens.share
    )
}
