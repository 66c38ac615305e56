//! How are found tools shown to a person?

use handpick_operations::select_tools::Suggested;
use serde_json::Value;

use crate::terminal::{Paint, say, shorten};

/// One found tool, wherever it was found.
pub struct Row {
    /// Canonical name.
    pub name: String,
    /// Full description.
    pub description: String,
    /// Why, and how well it fits.
    pub reason: Option<Reason>,
}

/// Why a tool was suggested.
pub struct Reason {
    /// In words.
    words: String,
    /// What each kind of evidence adds to the logarithm of the odds.
    shares: Vec<(String, f64)>,
    /// The probability that it serves the task.
    score: f64,
}

impl Row {
    /// A tool found in this process.
    pub fn found(found: &Suggested) -> Self {
        Self {
            name: found.tool.name.to_string(),
            description: found.tool.description.clone(),
            reason: found.explanation.as_ref().map(|explanation| Reason {
                words: explanation.in_words(&found.tool.name),
                shares: explanation
                    .shares()
                    .into_iter()
                    .map(|(reason, share)| (reason.name().to_owned(), f64::from(share)))
                    .collect(),
                score: f64::from(found.score),
            }),
        }
    }

    /// A suggestion as the REST front shows it.
    pub fn read(suggestion: &Value) -> Self {
        let text = |key: &str| suggestion[key].as_str().unwrap_or_default().to_owned();
        let explanation = &suggestion["explanation"];
        let share = |entry: &Value| {
            let reason = entry["reason"].as_str()?.to_owned();
            Some((reason, entry["share"].as_f64()?))
        };
        let shares = explanation["shares"].as_array().into_iter().flatten();
        let reason = explanation["in_words"].as_str().map(|words| Reason {
            words: words.to_owned(),
            shares: shares.filter_map(share).collect(),
            score: suggestion["score"].as_f64().unwrap_or_default(),
        });
        Self {
            name: text("tool_name"),
            description: text("description"),
            reason,
        }
    }
}

/// Prints found tools, or that nothing fits.
pub fn show(rows: &[Row], explain: bool) {
    let paint = Paint::for_stdout();
    if rows.is_empty() {
        return say(format!("   {}", paint.yellow("nothing fits")));
    }
    let width = rows
        .iter()
        .map(|row| row.name.chars().count())
        .max()
        .unwrap_or_default()
        .min(44);
    for row in rows {
        let name = format!("{:width$}", row.name);
        let line = format!(
            "   {}  {}",
            paint.cyan(name),
            shorten(&row.description, 96_usize.saturating_sub(width))
        );
        say(line.trim_end());
        if let (true, Some(reason)) = (explain, &row.reason) {
            let score = reason.score;
            for line in [
                format!("{score:.2}  {}", reason.words),
                format!("      {}", in_numbers(reason)),
            ] {
                say(format!("   {:width$}  {}", "", paint.dim(line.trim_end())));
            }
        }
    }
}

/// The shares, largest first, such as `meaning +2.1, words -0.4`; what changes next to nothing is left out.
fn in_numbers(reason: &Reason) -> String {
    let mut shares: Vec<&(String, f64)> = reason
        .shares
        .iter()
        .filter(|(_, share)| share.abs() >= 0.15)
        .collect();
    shares.sort_by(|(_, a), (_, b)| b.abs().total_cmp(&a.abs()));
    let cells: Vec<String> = shares
        .iter()
        .map(|(name, share)| format!("{name} {share:+.1}"))
        .collect();
    cells.join(", ")
}
