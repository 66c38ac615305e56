//! How are misses shown to a person?

use handpick_evaluation::Report;
use handpick_evaluation::answered::DEPTH;
use handpick_evaluation::misses::{FalseAlarm, Miss, Place};

use crate::terminal::{Paint, say, shorten};

/// Widest request and widest name on a line.
const QUERY_MAX: usize = 96;
const NAME_MAX: usize = 48;

/// Prints the misses of a report that has some.
pub fn show(report: &Report) {
    let paint = Paint::for_stdout();
    if let Some(misses) = &report.misses {
        say(format!("\n {}", paint.bold("Worst misses")));
        if misses.is_empty() {
            say(format!(
                "   {}",
                paint.green("none: the first tool is right everywhere")
            ));
        }
        for miss in misses {
            show_miss(miss);
        }
    }
    let alarms = report.false_alarms.as_deref().unwrap_or_default();
    if !alarms.is_empty() {
        say(format!("\n {}", paint.bold("Answered though nothing fits")));
        for alarm in alarms {
            show_alarm(alarm);
        }
    }
}

fn show_miss(miss: &Miss) {
    let paint = Paint::for_stdout();
    head(&miss.query, &miss.kind, &miss.id);
    let places: Vec<&Place> = miss.wanted.iter().chain(&miss.instead).collect();
    let width = width(&places);
    for wanted in &miss.wanted {
        show_place("wanted", wanted, width);
    }
    if let Some(instead) = &miss.instead {
        show_place("instead", instead, width);
    }
    if miss.empty {
        say(format!(
            "     {}",
            paint.yellow("the answer is empty: nothing was sure enough")
        ));
    }
}

fn show_alarm(alarm: &FalseAlarm) {
    head(&alarm.query, &alarm.kind, &alarm.id);
    show_place("suggests", &alarm.suggested, width(&[&alarm.suggested]));
}

fn head(query: &str, kind: &str, id: &str) {
    let paint = Paint::for_stdout();
    say(format!(
        "\n   “{}”   {}",
        shorten(query, QUERY_MAX),
        paint.dim(format!("{kind}, {id}"))
    ));
}

fn width(places: &[&Place]) -> usize {
    let longest = places.iter().map(|place| place.name.chars().count()).max();
    longest.unwrap_or_default().min(NAME_MAX)
}

fn show_place(what: &str, place: &Place, width: usize) {
    let paint = Paint::for_stdout();
    let name = paint.cyan(format!("{:width$}", shorten(&place.name, NAME_MAX)));
    let rank = match place.rank {
        Some(rank) => format!("rank {rank:<2}"),
        None => format!("not in {DEPTH}"),
    };
    let score = place.score.map(|score| format!("{score:.2}")).unwrap_or_default();
    let why = place.why.as_deref().unwrap_or_default();
    let line = format!("     {what:8} {name}  {rank:9}  {score:>5}  {}", paint.dim(why));
    say(line.trim_end());
}
