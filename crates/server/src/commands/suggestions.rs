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
    /// Why, in words, and how well it fits.
    pub reason: Option<(String, f64)>,
}

impl Row {
    /// A tool found in this process.
    pub fn found(found: &Suggested) -> Self {
        Self {
            name: found.tool.name.to_string(),
            description: found.tool.description.clone(),
            reason: found
                .explanation
                .as_ref()
                .map(|explanation| (explanation.in_words(&found.tool.name), f64::from(found.score))),
        }
    }

    /// A suggestion as the REST front shows it.
    pub fn read(suggestion: &Value) -> Self {
        let text = |key: &str| suggestion[key].as_str().unwrap_or_default().to_owned();
        let reason = suggestion["explanation"]["in_words"].as_str().map(str::to_owned);
        Self {
            name: text("tool_name"),
            description: text("description"),
            reason: reason.map(|words| (words, suggestion["score"].as_f64().unwrap_or_default())),
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
        if let (true, Some((words, score))) = (explain, &row.reason) {
            say(format!(
                "   {:width$}  {}",
                "",
                paint.dim(format!("{score:.2}  {words}"))
            ));
        }
    }
}
