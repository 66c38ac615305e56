//! How is calibration drawn?

use handpick_evaluation::Report;
use handpick_evaluation::calibration::{Bin, Reliability};

use crate::terminal::{Paint, say, thousands};

/// Width of a bar that reaches 1.
const WIDTH: usize = 40;

/// Draws both reliability diagrams of a report that has them.
pub fn show(report: &Report) {
    let Some(calibration) = &report.calibration else {
        return;
    };
    draw("the first five of every ranking", &calibration.first_five);
    draw("the first of every ranking", &calibration.top_1);
}

fn draw(what: &str, reliability: &Reliability) {
    let paint = Paint::for_stdout();
    say(format!(
        "\n {}   {}",
        paint.bold(format!("Calibration of {what}")),
        paint.dim("the bar is how often they are right, │ what they say")
    ));
    say(paint.dim(format!(
        "   {:>7}  {:>8}  {:>5}  {:>5}",
        "bin", "tools", "said", "right"
    )));
    for bin in &reliability.bins {
        let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"));
        let line = format!(
            "   {:.1}–{:.1}  {:>8}  {:>5}  {:>5}  {}",
            bin.from,
            bin.to,
            thousands(bin.suggestions),
            number(bin.said),
            number(bin.right),
            bar(bin)
        );
        say(line.trim_end());
    }
}

/// A bar as long as the share that is right, with a mark at the probability that was said.
fn bar(bin: &Bin) -> String {
    let (Some(said), Some(right)) = (bin.said, bin.right) else {
        return String::new();
    };
    let (said, right) = (place(said), place(right));
    let cell = |index: usize| match index {
        _ if index == said => '│',
        _ if index < right => '█',
        _ => ' ',
    };
    (0..=said.max(right)).map(cell).collect()
}

fn place(share: f64) -> usize {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share, clamped"
    )]
    let place = (share.clamp(0.0, 1.0) * WIDTH as f64).round() as usize;
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_end_where_they_should() {
        let drawn = |said, right| {
            bar(&Bin {
                said: Some(said),
                right: Some(right),
                ..Bin::default()
            })
        };
        assert_eq!(drawn(0.1, 0.0), "    │");
        assert_eq!(drawn(0.05, 0.1), "██│█ ");
        assert_eq!(drawn(0.1, 0.05), "██  │");
        assert_eq!(drawn(0.0, 0.0), "│");
        assert_eq!(drawn(1.0, 1.0).chars().count(), WIDTH + 1);
        assert_eq!(bar(&Bin::default()), "");
    }
}
