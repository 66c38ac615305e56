//! How are links drawn? As one SVG that stands alone and is readable on a light and on a dark ground.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::layout::{Layout, Line, Node, What, laid_out};
use super::links::{Graph, Source};

/// Height of the title with the legend.
const HEADER: f64 = 58.0;

/// Least width, so that title and legend have room.
const WIDTH_MIN: f64 = 660.0;

/// How far lines of several colours leave a thing beside each other.
const ASIDE: f64 = 7.0;

const STYLE: &str = "
    svg { color-scheme: light dark; --ground: #ffffff; --ink: #1f2328; --dim: #656d76; --box: #f6f8fa;
          --edge: #d0d7de; --line: #8c959f; --declared: #0b6bcb; --trace: #b45309; --static: #7c3aed; }
    @media (prefers-color-scheme: dark) {
      svg { --ground: #0d1117; --ink: #e6edf3; --dim: #9198a1; --box: #161b22; --edge: #3d444d; --line: #6e7681;
            --declared: #58a6ff; --trace: #e3a144; --static: #bc8cff; } }
    text { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: var(--ink); }
    .ground { fill: var(--ground); }
    .title { font-size: 15px; font-weight: 600; }
    .legend { font-size: 11px; fill: var(--dim); }
    .tool rect { fill: var(--box); stroke: var(--edge); }
    .tool text { font-size: 12px; dominant-baseline: central; }
    .id rect { fill: var(--ground); stroke: var(--line); }
    .id text { font-size: 11px; fill: var(--dim); dominant-baseline: central; text-anchor: middle; }
    path { fill: none; stroke-width: 1.4; }
    .need { stroke: var(--line); }
    .tip { fill: var(--line); stroke: none; }
    .declared { stroke: var(--declared); }
    .trace { stroke: var(--trace); }
    .static { stroke: var(--static); stroke-dasharray: 5 3; }
";

/// The drawing.
pub fn written(graph: &Graph) -> String {
    let layout = laid_out(graph);
    let width = layout.width.max(WIDTH_MIN);
    let height = layout.height + HEADER;
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" role="img">"#
    );
    let _ = writeln!(
        svg,
        "  <title>{}, {}</title>",
        escaped(&graph.name),
        graph.summary()
    );
    let _ = writeln!(svg, "  <style>{STYLE}  </style>");
    svg.push_str(
        r#"  <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path class="tip" d="M0 0.8 L7.5 4 L0 7.2 Z"/></marker></defs>
  <rect class="ground" width="100%" height="100%"/>
"#,
    );
    header(&mut svg, graph);
    let _ = writeln!(svg, r#"  <g transform="translate(0 {HEADER:.0})">"#);
    let colours = colours(&layout);
    for line in &layout.lines {
        let first = line.through.first().copied().unwrap_or_default();
        let aside = aside(&colours[first], line.source);
        draw_line(&mut svg, &layout, line, aside);
    }
    for node in &layout.nodes {
        draw_node(&mut svg, node);
    }
    svg.push_str("  </g>\n</svg>\n");
    svg
}

fn header(svg: &mut String, graph: &Graph) {
    let _ = writeln!(
        svg,
        r#"  <text class="title" x="24" y="28">{}</text>"#,
        escaped(&graph.name)
    );
    if graph.links.is_empty() {
        svg.push_str("  <text class=\"legend\" x=\"24\" y=\"49\">no tool supplies an id to another</text>\n");
        return;
    }
    let mut x = 24.0;
    for source in Source::ALL {
        let text = format!(
            "{} {}: {}",
            graph.count(source),
            source.as_str(),
            source.meaning()
        );
        let _ = writeln!(
            svg,
            r#"  <path class="{}" d="M{x:.0} 45 h22"/><text class="legend" x="{:.0}" y="49">{text}</text>"#,
            class(source),
            x + 28.0
        );
        x += 28.0 + text.chars().count() as f64 * 6.65 + 22.0;
    }
}

fn class(source: Source) -> &'static str {
    match source {
        Source::Declared => "declared",
        Source::Trace => "trace",
        Source::Static => "static",
    }
}

/// For each thing the colours of the lines that leave it.
fn colours(layout: &Layout) -> Vec<BTreeSet<Option<Source>>> {
    let mut colours = vec![BTreeSet::new(); layout.nodes.len()];
    for line in &layout.lines {
        if let Some(&first) = line.through.first() {
            colours[first].insert(line.source);
        }
    }
    colours
}

/// How far below the middle of a thing a line leaves it: lines of several colours leave beside each other.
fn aside(colours: &BTreeSet<Option<Source>>, colour: Option<Source>) -> f64 {
    let nth = colours
        .iter()
        .position(|&other| other == colour)
        .unwrap_or_default();
    ASIDE * (nth as f64 - (colours.len().max(1) - 1) as f64 / 2.0)
}

/// A line leaves a thing on its right side, swings over to the next one's layer, and enters that thing on its left. Within
/// a layer it is straight, so that it hides behind nothing that stands there.
fn draw_line(svg: &mut String, layout: &Layout, line: &Line, aside: f64) {
    let mut things = line.through.iter().map(|&thing| &layout.nodes[thing]);
    let Some(mut at) = things.next() else { return };
    let mut y = at.y + aside;
    let mut path = format!("M{:.1} {y:.1}", at.x + at.width);
    for to in things {
        let (begin, end) = (at.within.1, to.within.0);
        // What leads back has to turn around twice.
        let reach = if end > begin { (end - begin) / 2.0 } else { 90.0 };
        let _ = write!(
            path,
            " H{begin:.1} C{:.1} {y:.1} {:.1} {:.1} {end:.1} {:.1} H{:.1}",
            begin + reach,
            end - reach,
            to.y,
            to.y,
            to.x
        );
        (at, y) = (to, to.y);
    }
    let told = escaped(&line.told);
    let _ = match line.source {
        // Sure lines are strong lines.
        Some(source) => writeln!(
            svg,
            r#"    <path class="{}" stroke-opacity="{:.2}" d="{path}"><title>{told}</title></path>"#,
            class(source),
            0.45 + 0.55 * line.confidence
        ),
        None => writeln!(
            svg,
            r#"    <path class="need" marker-end="url(#tip)" d="{path}"><title>{told}</title></path>"#
        ),
    };
}

fn draw_node(svg: &mut String, node: &Node) {
    let (class, name, round, text_x) = match &node.what {
        What::Tool(name) => ("tool", name, 6.0, node.x + 10.0),
        What::Id(name) => ("id", name, node.height / 2.0, node.x + node.width / 2.0),
        What::Bend => return,
    };
    let _ = writeln!(
        svg,
        r#"    <g class="{class}"><rect x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="{round:.1}"/><text x="{text_x:.1}" y="{:.1}">{}</text></g>"#,
        node.x,
        node.y - node.height / 2.0,
        node.width,
        node.height,
        node.y,
        escaped(name)
    );
}

/// Text as XML may hold it.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML has no place for them, not even escaped.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
