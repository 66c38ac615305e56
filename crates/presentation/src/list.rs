//! What does one page of `tools/list` hold?

use handpick_domain::{Gateway, Surface};
use handpick_protocol::json::to_raw;
use serde_json::value::RawValue;

use crate::{Mode, direct, discovery, recommend};

/// Tools on one page (A8).
pub const PAGE_SIZE: usize = 100;

/// One page of the list.
#[derive(Debug)]
pub struct Page {
    /// Tool objects, ready to send.
    pub tools: Vec<Box<RawValue>>,
    /// Where the next page begins; absent on the last one.
    pub next_cursor: Option<String>,
}

/// The cursor is not one a list gave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadCursor;

/// The page that begins at `cursor`, in an order that never changes (A8).
///
/// A cursor is the rendered name of the last tool already given, behind a mark of its own, so that it stays good
/// when tools come and go between two pages.
pub fn list_page(
    surface: &Surface,
    mode: Mode,
    gateway: &Gateway,
    cursor: Option<&str>,
) -> Result<Page, BadCursor> {
    match mode {
        Mode::Discovery => fixed(&discovery::definitions(), cursor),
        Mode::Recommend => fixed(&recommend::definitions(gateway), cursor),
        Mode::Direct => bound_tools(surface, cursor),
    }
}

fn fixed(definitions: &[serde_json::Value], cursor: Option<&str>) -> Result<Page, BadCursor> {
    if cursor.is_some() {
        return Err(BadCursor);
    }
    Ok(Page {
        tools: definitions.iter().map(to_raw).collect(),
        next_cursor: None,
    })
}

fn bound_tools(surface: &Surface, cursor: Option<&str>) -> Result<Page, BadCursor> {
    let after = cursor
        .map(|cursor| cursor.strip_prefix(CURSOR_MARK).ok_or(BadCursor))
        .transpose()?;
    let mut rest = surface
        .tools()
        .filter(|(_, tool)| after.is_none_or(|after| tool.name.as_str() > after));
    let page: Vec<_> = rest.by_ref().take(PAGE_SIZE).collect();
    let next_cursor = match page.last() {
        Some((_, last)) if rest.next().is_some() => Some(format!("{CURSOR_MARK}{}", last.name)),
        _ => None,
    };
    let tools = page
        .into_iter()
        .map(|(position, tool)| direct::definition(tool, surface.catalog.rendered(position)))
        .collect();
    Ok(Page { tools, next_cursor })
}

const CURSOR_MARK: &str = "after:";
