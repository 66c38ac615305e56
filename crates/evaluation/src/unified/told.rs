//! How is a report over requests in words told to a person, line by line?

use super::report::{Asked, Report, Tally};
use super::{Expected, Outcome};
use crate::turns::told::{Line, Look};

/// Widest name of a group.
const NAME_MAX: usize = 18;

fn line(look: Look, text: impl Into<String>) -> Line {
    Line {
        look,
        text: text.into().trim_end().to_owned(),
    }
}

/// The totals, then each way they can be divided.
pub fn table(report: &Report) -> Vec<Line> {
    let head = format!(
        " {:NAME_MAX$}  requests  tool  exact  executed  asked back  wrongly executed",
        ""
    );
    let mut lines = vec![line(Look::Dim, head), row("all", &report.counts, Look::Bold)];
    for (title, groups) in [
        ("", &report.by_kind),
        ("tools", &report.by_tools),
        ("voice", &report.by_voice),
    ] {
        if groups.len() < 2 {
            continue;
        }
        lines.push(line(Look::Dim, format!(" {title}")));
        lines.extend(groups.iter().map(|(name, tally)| row(name, tally, Look::Plain)));
    }
    lines.push(line(Look::Plain, ""));
    lines.extend(behind(report));
    lines
}

fn row(name: &str, tally: &Tally, look: Look) -> Line {
    let share = |value: f64| {
        if tally.run == 0 {
            "–".to_owned()
        } else {
            format!("{value:.3}")
        }
    };
    let look = if tally.wrongly_executed > 0 && look == Look::Plain {
        Look::Yellow
    } else {
        look
    };
    let text = format!(
        " {:NAME_MAX$}  {:>8}  {:>4}  {:>5}  {:>8}  {:>10}  {:>7} {:>8}",
        name,
        tally.requests,
        short(&share(tally.right_tool_share())),
        share(tally.exact_share()),
        share(tally.executed_share()),
        share(tally.wrongly_asked_share()),
        format!("{:.3}", tally.wrongly_executed_share()),
        format!("({})", tally.wrongly_executed),
    );
    line(look, text)
}

/// A share in four columns.
fn short(share: &str) -> String {
    share.strip_prefix('0').unwrap_or(share).to_owned()
}

/// The counts behind the shares, in words.
fn behind(report: &Report) -> Vec<Line> {
    let counts = &report.counts;
    let told = |name: &str, text: String| line(Look::Plain, format!(" {name:<12} {text}"));
    let mut lines = vec![
        told(
            "run",
            format!(
                "{} of {} executed rightly, {} asked back; the right tool first in {}, its arguments exact in {}",
                counts.executed, counts.run, counts.wrongly_asked, counts.right_tool, counts.exact
            ),
        ),
        told(
            "wrong",
            format!(
                "{} of {} executed wrongly, {} of them destroying",
                counts.wrongly_executed, counts.requests, counts.wrongly_destroyed
            ),
        ),
        told(
            "missing",
            format!("{} of {} told exactly", counts.missing_told, counts.missing),
        ),
        told(
            "calibration",
            format!(
                "expected error {:.3} of the first call's confidence",
                report.calibration.ece
            ),
        ),
    ];
    if report.skipped > 0 {
        let text = format!(
            " {} requests are left out: the tools of a server of theirs are not there (--catalogs)",
            report.skipped
        );
        lines.push(line(Look::Yellow, text));
    }
    lines
}

/// The worst requests: what ran wrongly first, then what was asked back, the surest first.
pub fn misses(asked: &[Asked], count: usize) -> Vec<Line> {
    let mut wrong: Vec<&Asked> = asked
        .iter()
        .filter(|asked| {
            matches!(
                asked.judged.outcome,
                Outcome::WronglyExecuted | Outcome::WronglyAsked
            )
        })
        .collect();
    wrong.sort_by(|a, b| {
        let executed = |asked: &Asked| asked.judged.outcome == Outcome::WronglyExecuted;
        executed(b)
            .cmp(&executed(a))
            .then(b.decided.confidence.total_cmp(&a.decided.confidence))
            .then_with(|| a.case.id.cmp(&b.case.id))
    });
    wrong.into_iter().take(count).flat_map(miss).collect()
}

fn miss(asked: &Asked) -> Vec<Line> {
    let decided = &asked.decided;
    let look = match asked.judged.outcome {
        Outcome::WronglyExecuted => Look::Red,
        _ => Look::Yellow,
    };
    let arguments = |arguments: &serde_json::Map<String, serde_json::Value>| {
        serde_json::to_string(arguments).unwrap_or_default()
    };
    let expected = match &asked.case.expected {
        Expected::Run(calls) => calls.first().map_or_else(String::new, |call| {
            format!("{} {}", call.tool, arguments(&call.arguments))
        }),
        Expected::Ask { .. } => asked.case.kind(),
    };
    let context = asked
        .case
        .context
        .as_ref()
        .map(|context| format!("   context {context}"));
    let missing = match decided.missing.as_slice() {
        [] => String::new(),
        missing => format!("  missing {}", missing.join(", ")),
    };
    vec![
        line(Look::Plain, ""),
        line(
            Look::Plain,
            format!(
                "   “{}”   {}{}",
                asked.case.request,
                asked.case.id,
                context.unwrap_or_default()
            ),
        ),
        line(Look::Dim, format!("     right      {expected}")),
        line(
            look,
            format!(
                "     {}  {} {}  {:.2}{missing}",
                asked.judged.outcome.as_str(),
                decided.tool.as_deref().unwrap_or("nothing"),
                arguments(&decided.arguments),
                decided.confidence
            ),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unified::report::tests::asked;

    #[test]
    fn totals_come_first_and_wrong_ones_are_told() {
        let asked = asked(false, true);
        let report = Report::of("dev", 2, &asked);
        let lines: Vec<String> = table(&report).into_iter().map(|line| line.text).collect();
        assert!(lines[1].contains("all"), "{lines:?}");
        assert!(
            lines
                .iter()
                .any(|line| line.contains("1 of 2 executed wrongly, 1 of them destroying"))
        );
        assert!(lines.iter().any(|line| line.contains("2 requests are left out")));
        let misses = misses(&asked, 1);
        assert!(misses.iter().any(|line| line.look == Look::Red));
        assert!(
            misses.iter().any(|line| line.text.contains("Drop it")),
            "the worst comes first"
        );
    }
}
