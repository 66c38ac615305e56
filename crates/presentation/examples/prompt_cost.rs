//! What does a model read on every turn, by mode and by number of tools?
//!
//! `cargo run -p handpick-presentation --example prompt_cost -- TOOLS.jsonl [CHART.svg]` prints a table in Markdown and
//! draws it. A line of the file is a tool: `name` (`app__tool`), `description`, `input_schema`. Smaller catalogs are
//! tools spread evenly over the sorted whole.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "an example speaks on standard output and may fail loudly"
)]

use std::fmt::Write as _;
use std::sync::Arc;

use handpick_domain::{Catalog, Gateway, Surface, Tool, ToolSet};
use handpick_presentation::{Cost, Mode, cost};
use handpick_protocol::json::to_raw;
use serde_json::{Value, json};

const SIZES: [usize; 4] = [10, 30, 100, 1_000];
const COLOURS: [&str; 5] = ["#c2410c", "#1d4ed8", "#15803d", "#7e22ce", "#0e7490"];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("a file of tools, one a line");
    let text = std::fs::read_to_string(&file).expect("the file can be read");
    let mut tools: Vec<Arc<Tool>> = text.lines().map(|line| Arc::new(tool(line))).collect();
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    let gateway = Gateway::new("default");
    let sizes = SIZES
        .into_iter()
        .filter(|&size| size < tools.len())
        .chain([tools.len()]);
    let rows: Vec<(usize, Vec<Cost>)> = sizes
        .map(|size| {
            let surface = surface(&tools, size);
            (
                size,
                Mode::ALL.map(|mode| cost(&surface, mode, &gateway)).to_vec(),
            )
        })
        .collect();
    print!("{}", table(&rows));
    if let Some(chart) = arguments.next() {
        std::fs::write(&chart, draw(&rows)).expect("the chart can be written");
    }
}

fn tool(line: &str) -> Tool {
    let row: Value = serde_json::from_str(line).expect("a line is JSON");
    let name = row["name"].as_str().expect("`name`");
    let (app, own) = name.split_once("__").unwrap_or(("app", name));
    let definition = json!({
        "name": own,
        "description": row["description"],
        "inputSchema": row["input_schema"],
    });
    Tool::parse(app, &to_raw(&definition)).expect("a tool")
}

fn surface(tools: &[Arc<Tool>], size: usize) -> Surface {
    let spread = (0..size).map(|index| Arc::clone(&tools[(2 * index + 1) * tools.len() / (2 * size)]));
    let catalog = Arc::new(Catalog::new(1, spread.collect()));
    let all = ToolSet::all(catalog.tools().len());
    Surface {
        gateway: None,
        bound: all.clone(),
        allowed: all,
        system: ToolSet::default(),
        catalog,
    }
}

fn table(rows: &[(usize, Vec<Cost>)]) -> String {
    let mut text = String::from("| tools |");
    for mode in Mode::ALL {
        let _ = write!(text, " {} |", mode.as_str());
    }
    text.push_str("\n|---|---|---|---|---|---|\n");
    for (size, costs) in rows {
        let _ = write!(text, "| {} |", grouped(*size));
        for cost in costs {
            let _ = write!(text, " {} B, {} |", grouped(cost.bytes), grouped(cost.tokens));
        }
        text.push('\n');
    }
    text
}

fn grouped(number: usize) -> String {
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

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 130.0;
const TOP: f64 = 46.0;
const BOTTOM: f64 = 56.0;

/// Both axes are logarithmic: tools from 10, tokens from 100 to 10 million.
fn draw(rows: &[(usize, Vec<Cost>)]) -> String {
    let most = rows.last().map_or(10, |(size, _)| *size) as f64;
    let x =
        |tools: usize| LEFT + (tools as f64 / 10.0).log10() / (most / 10.0).log10() * (WIDTH - LEFT - RIGHT);
    let y = |tokens: f64| HEIGHT - BOTTOM - (tokens / 100.0).log10() / 4.0 * (HEIGHT - TOP - BOTTOM);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"system-ui, sans-serif\" \
         font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<text x=\"{LEFT}\" y=\"24\" \
         font-size=\"15\" font-weight=\"600\" fill=\"#111827\">Tokens a model reads on every turn, by number of tools</text>\n"
    );
    for power in 2..=6 {
        let tokens = 10_f64.powi(power);
        let at = y(tokens);
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{:.1}\" y2=\"{at:.1}\" stroke=\"#e5e7eb\"/><text x=\"{:.1}\" y=\"{:.1}\" \
             text-anchor=\"end\" fill=\"#6b7280\">{}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            at + 4.0,
            grouped(tokens as usize)
        );
    }
    for (size, _) in rows {
        let at = x(*size);
        let _ = writeln!(
            svg,
            "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#6b7280\">{}</text>",
            HEIGHT - BOTTOM + 20.0,
            grouped(*size)
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#374151\">tools bound to the gateway</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 12.0
    );
    for (index, colour) in COLOURS.into_iter().enumerate() {
        let points: Vec<String> = rows
            .iter()
            .map(|(size, costs)| format!("{:.1},{:.1}", x(*size), y(costs[index].tokens as f64)))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2.5\"/>",
            points.join(" "),
            colour
        );
    }
    for (mode, at, colour) in labels(rows, &y) {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{at:.1}\" fill=\"{colour}\" font-weight=\"600\">{mode}</text>",
            WIDTH - RIGHT + 8.0
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// Names at the ends of the lines, moved apart where lines end close to each other.
fn labels(rows: &[(usize, Vec<Cost>)], y: &dyn Fn(f64) -> f64) -> Vec<(&'static str, f64, &'static str)> {
    let Some((_, costs)) = rows.last() else {
        return Vec::new();
    };
    let mut labels: Vec<_> = Mode::ALL
        .into_iter()
        .enumerate()
        .map(|(index, mode)| (mode.as_str(), y(costs[index].tokens as f64) + 4.0, COLOURS[index]))
        .collect();
    labels.sort_by(|a, b| a.1.total_cmp(&b.1));
    for index in 1..labels.len() {
        labels[index].1 = labels[index].1.max(labels[index - 1].1 + 15.0);
    }
    labels
}
