//! How are links written for Graphviz?

use super::links::{Graph, Source};

/// A directed graph from providers to consumers; what is only inferred is dashed.
pub fn written(graph: &Graph) -> String {
    let mut lines = vec![
        format!("digraph {} {{", quoted(&graph.name)),
        "  rankdir=LR;".to_owned(),
        "  node [shape=box, style=rounded, fontname=\"monospace\", fontsize=11];".to_owned(),
        "  edge [fontname=\"monospace\", fontsize=9];".to_owned(),
    ];
    for link in &graph.links {
        let (colour, style) = match link.source {
            Source::Declared => ("#0b6bcb", "solid"),
            Source::Trace => ("#b45309", "solid"),
            Source::Static => ("#7c3aed", "dashed"),
        };
        let tooltip = format!("{} {:.2}", link.source.as_str(), link.confidence);
        lines.push(format!(
            "  {} -> {} [label={}, color=\"{colour}\", style={style}, tooltip={}];",
            quoted(&link.provider),
            quoted(&link.consumer),
            quoted(&link.param),
            quoted(&tooltip),
        ));
    }
    lines.push("}".to_owned());
    lines.join("\n") + "\n"
}

/// A name as Graphviz reads it. A backslash begins an escape in labels, so it is doubled.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
