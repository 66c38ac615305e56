//! `handpick graph`: which tool of an agent supplies which id to which?
//!
//! `links` says where the links come from, `text` and `dot` write them, `layout` finds a place for everything and `svg`
//! draws it.

mod dot;
mod layout;
mod links;
mod svg;
mod text;

use anyhow::Context as _;

use crate::args::{GraphArgs, GraphFormat};
use crate::terminal::{Paint, note, say};

/// Writes the links of an agent.
pub async fn run(args: GraphArgs) -> anyhow::Result<()> {
    let graph = links::load(&args).await?;
    let written = match args.format {
        // Colours are for a screen.
        GraphFormat::Text if args.output.is_none() => text::written(&graph, Paint::for_stdout()),
        GraphFormat::Text => text::written(&graph, Paint::none()),
        GraphFormat::Dot => dot::written(&graph),
        GraphFormat::Svg => svg::written(&graph),
    };
    let Some(path) = &args.output else {
        say(written.trim_end());
        return Ok(());
    };
    std::fs::write(path, written).with_context(|| format!("cannot write `{}`", path.display()))?;
    note(format!("{} drawn in {}", graph.count_in_words(), path.display()));
    Ok(())
}
