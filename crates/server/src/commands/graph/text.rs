//! How are links written for reading? By the tool that needs something, and what it needs.

use std::collections::BTreeMap;

use super::links::{Graph, Link, Source};
use crate::terminal::Paint;

/// What is said where there is nothing to list.
const NO_LINKS: &str = "no tool supplies an id to another; `produces` of a tool says which ids it returns, such as \
                        `customer_id`";

/// Every tool that needs an id, with the tools that supply it, the surest first.
pub fn written(graph: &Graph, paint: Paint) -> String {
    let title = format!(" {}   {}", paint.bold(&graph.name), paint.dim(graph.summary()));
    let mut lines = vec![title];
    if graph.links.is_empty() {
        lines.push(String::new());
        lines.push(format!(" {NO_LINKS}"));
    }
    let mut by_consumer: BTreeMap<&str, BTreeMap<&str, Vec<&Link>>> = BTreeMap::new();
    for link in &graph.links {
        let params = by_consumer.entry(&link.consumer).or_default();
        params.entry(&link.param).or_default().push(link);
    }
    let width = |text: fn(&Link) -> &str| graph.links.iter().map(|link| text(link).chars().count()).max();
    let param_width = width(|link| &link.param).unwrap_or_default();
    let provider_width = width(|link| &link.provider).unwrap_or_default();
    for (consumer, params) in by_consumer {
        lines.push(String::new());
        lines.push(format!(" {}", paint.cyan(consumer)));
        for (param, mut links) in params {
            links.sort_by(|a, b| {
                let sure = b.confidence.total_cmp(&a.confidence);
                a.source
                    .cmp(&b.source)
                    .then(sure)
                    .then(a.provider.cmp(&b.provider))
            });
            let mut param = param;
            for link in links {
                lines.push(format!(
                    "   {param:param_width$}  ← {:provider_width$}  {}  {:.2}",
                    link.provider,
                    source(link.source, paint),
                    link.confidence
                ));
                param = "";
            }
        }
    }
    lines.join("\n") + "\n"
}

fn source(source: Source, paint: Paint) -> String {
    let name = format!("{:8}", source.as_str());
    match source {
        Source::Declared => paint.green(name),
        Source::Trace => paint.yellow(name),
        Source::Static => paint.dim(name),
    }
}
