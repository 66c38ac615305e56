//! What does one page of `tools/list` hold?

use std::cmp::Ordering;

use handpick_domain::{Gateway, Surface};
use handpick_protocol::json::to_raw;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::{Mode, Promoted, direct, discovery, progressive, recommend, unified};

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

/// The page that begins at `cursor`, in an order that never changes (A8): meta-tools, then the customers' tools
/// that are listed as themselves, then system tools (P23), each group by name.
///
/// A cursor names the last tool already given, behind a mark of its own, so that it stays good when tools come and
/// go between two pages.
pub fn list_page(
    surface: &Surface,
    mode: Mode,
    gateway: &Gateway,
    promoted: &Promoted,
    cursor: Option<&str>,
) -> Result<Page, BadCursor> {
    let after = cursor.map(Place::read).transpose()?;
    let meta = match after {
        None => meta_tools(mode, gateway),
        Some(_) => Vec::new(),
    };
    let mut rest = listed(surface, mode, gateway, promoted)
        .filter(|(place, _)| after.as_ref().is_none_or(|after| *place > *after));
    let page: Vec<_> = rest.by_ref().take(PAGE_SIZE - meta.len()).collect();
    let next_cursor = match page.last() {
        Some((last, _)) if rest.next().is_some() => Some(last.written()),
        _ => None,
    };
    let tools = page
        .into_iter()
        .map(|(_, position)| direct::definition(surface, position));
    Ok(Page {
        tools: meta.iter().map(to_raw).chain(tools).collect(),
        next_cursor,
    })
}

/// The tools that are no tools of any server.
pub fn meta_tools(mode: Mode, gateway: &Gateway) -> Vec<Value> {
    match mode {
        Mode::Direct => Vec::new(),
        Mode::Discovery => discovery::definitions(),
        Mode::Unified => vec![unified::definition()],
        Mode::Recommend => recommend::definitions(gateway),
        Mode::Progressive => progressive::definitions(),
    }
}

/// Whether a customer's tool is listed as itself.
pub fn is_listed(
    surface: &Surface,
    mode: Mode,
    gateway: &Gateway,
    promoted: &Promoted,
    position: usize,
) -> bool {
    let name = &surface.catalog.tools()[position].name;
    match mode {
        Mode::Direct => true,
        Mode::Progressive => gateway.core.matches(name) || promoted.contains(name.as_str()),
        Mode::Discovery | Mode::Unified | Mode::Recommend => false,
    }
}

/// The tools listed as themselves, by position, in list order.
pub fn listed<'a>(
    surface: &'a Surface,
    mode: Mode,
    gateway: &'a Gateway,
    promoted: &'a Promoted,
) -> impl Iterator<Item = (Place<'a>, usize)> + 'a {
    let customers = surface
        .tools()
        .filter(move |(position, _)| is_listed(surface, mode, gateway, promoted, *position))
        .map(|(position, tool)| (Place::new(false, tool.name.as_str()), position));
    let system = surface
        .system_tools()
        .map(|(position, tool)| (Place::new(true, tool.name.as_str()), position));
    customers.chain(system)
}

/// Where in the list a tool stands: customers' tools before system tools, each by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    system: bool,
    name: &'a str,
}

impl<'a> Place<'a> {
    fn new(system: bool, name: &'a str) -> Self {
        Self { system, name }
    }

    fn read(cursor: &'a str) -> Result<Self, BadCursor> {
        let marks = [(CURSOR_MARK, false), (SYSTEM_MARK, true)];
        marks
            .into_iter()
            .find_map(|(mark, system)| Some(Self::new(system, cursor.strip_prefix(mark)?)))
            .ok_or(BadCursor)
    }

    fn written(self) -> String {
        let mark = if self.system { SYSTEM_MARK } else { CURSOR_MARK };
        format!("{mark}{}", self.name)
    }
}

impl PartialOrd for Place<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some((self.system, self.name).cmp(&(other.system, other.name)))
    }
}

const CURSOR_MARK: &str = "after:";
const SYSTEM_MARK: &str = "system:";

#[cfg(test)]
mod tests;
