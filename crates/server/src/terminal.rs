//! How does the program talk to a person: text, colour, progress, failure?

use std::fmt::Display;
use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Sends the log to standard error; `verbose` counts `-v`.
pub fn start_logging(verbose: u8) {
    let default = match verbose {
        0 => "warn",
        1 => "info",
        _ => "debug",
    };
    let filter = tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| default.into());
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false)
        .init();
}

/// Prints one line to standard output. A reader that went away is no failure of ours.
pub fn say(line: impl Display) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Prints one line to standard error, for people, never for pipes.
pub fn note(line: impl Display) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Prints a failure as one sentence and gives the exit code that goes with it.
pub fn fail(error: &anyhow::Error) -> ExitCode {
    let paint = Paint::for_stderr();
    note(format!("{} {}", paint.red("error:"), sentence(error)));
    ExitCode::FAILURE
}

/// A failure with its causes, each told once: many errors repeat their cause already.
fn sentence(error: &anyhow::Error) -> String {
    let mut told = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if told.is_empty() {
            told = cause;
        } else if !told.contains(&cause) {
            told.push_str(": ");
            told.push_str(&cause);
        }
    }
    told
}

/// Colours where somebody sees them, and nothing where nobody does.
#[derive(Clone, Copy)]
pub struct Paint {
    enabled: bool,
}

impl Paint {
    /// For standard output.
    pub fn for_stdout() -> Self {
        Self {
            enabled: std::io::stdout().is_terminal() && wants_colour(),
        }
    }

    /// For what is no screen.
    pub fn none() -> Self {
        Self { enabled: false }
    }

    /// For standard error.
    pub fn for_stderr() -> Self {
        Self {
            enabled: std::io::stderr().is_terminal() && wants_colour(),
        }
    }

    fn wrap(self, code: &str, text: impl Display) -> String {
        if self.enabled {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_string()
        }
    }

    /// What matters most.
    pub fn bold(self, text: impl Display) -> String {
        self.wrap("1", text)
    }

    /// What can be skipped.
    pub fn dim(self, text: impl Display) -> String {
        self.wrap("2", text)
    }

    /// Names of tools.
    pub fn cyan(self, text: impl Display) -> String {
        self.wrap("36", text)
    }

    /// Good news.
    pub fn green(self, text: impl Display) -> String {
        self.wrap("32", text)
    }

    /// What wants a look.
    pub fn yellow(self, text: impl Display) -> String {
        self.wrap("33", text)
    }

    /// What is wrong.
    pub fn red(self, text: impl Display) -> String {
        self.wrap("31", text)
    }
}

fn wants_colour() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// A progress bar over `total` things, drawn on a terminal only.
pub fn progress_bar(total: usize, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(total as u64);
    if let Ok(style) = ProgressStyle::with_template("  {msg} {bar:32} {pos}/{len} {eta:>4}") {
        bar.set_style(style.progress_chars("━╸─"));
    }
    bar.set_message(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

/// A progress bar over `total` bytes, drawn on a terminal only.
pub fn byte_bar(total: u64, what: &str) -> ProgressBar {
    let bar = progress_bar(0, what);
    bar.set_length(total);
    if let Ok(style) =
        ProgressStyle::with_template("  {msg} {bar:32} {decimal_bytes}/{decimal_total_bytes} {eta:>4}")
    {
        bar.set_style(style.progress_chars("━╸─"));
    }
    bar
}

/// Text cut to `width` characters, with an ellipsis where something is missing.
pub fn shorten(text: &str, width: usize) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() <= width {
        return line.to_owned();
    }
    let cut: String = line.chars().take(width.saturating_sub(1)).collect();
    format!("{}…", cut.trim_end())
}

/// A number with thousands set apart.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_told_once() {
        let error = anyhow::anyhow!("disk full");
        assert_eq!(sentence(&error), "disk full");
        let error = error.context("cannot write `x`: disk full").context("not saved");
        assert_eq!(sentence(&error), "not saved: cannot write `x`: disk full");
    }

    #[test]
    fn texts_are_cut_by_character() {
        assert_eq!(shorten("zażółć gęślą", 7), "zażółć…");
        assert_eq!(shorten("short\nrest", 9), "short");
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
