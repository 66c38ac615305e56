//! Which tools does a server list, and which of them can be offered?

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use handpick_domain::Tool;
use handpick_protocol::error::METHOD_NOT_FOUND;
use handpick_protocol::json::too_deep;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::SkippedTool;
use crate::ask::{Ask, push_quoted};
use crate::fault::{Fault, excerpt};
use crate::link::Link;
use crate::mirror::{self, Mirror};

/// Bounds of one list. A server that goes on for ever is cut off, not waited for.
const PAGES_MAX: usize = 1000;
const TOOLS_MAX: usize = 50_000;
const BYTES_MAX: usize = 64 * 1024 * 1024;

/// What a server listed.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    /// All tools as they came, one JSON array.
    pub text: String,
    /// The tools that can be offered.
    pub tools: Vec<Arc<Tool>>,
    /// The others.
    pub skipped: Vec<SkippedTool>,
    /// Arguments to mirror as headers, by the tool's own name; most tools have none.
    pub mirrors: HashMap<String, Vec<Mirror>>,
    /// What was odd about the list as a whole.
    pub remark: Option<String>,
}

/// Fetches the whole list, page by page.
pub(crate) async fn fetch(link: &Link, server: &str, timeout: Duration) -> Result<Listing, Fault> {
    let mut collected = Collected::default();
    let mut cursor: Option<String> = None;
    loop {
        let mut members = String::new();
        if let Some(cursor) = &cursor {
            members.push_str(r#""cursor":"#);
            push_quoted(&mut members, cursor);
        }
        let page = match link.request(&Ask::plain("tools/list", members, timeout)).await {
            Err(Fault::Rpc(error)) if error.code == METHOD_NOT_FOUND && cursor.is_none() => {
                collected.remark = Some("offers no tools".to_owned());
                break;
            }
            page => page?,
        };
        match collected.take(&page).map_err(Fault::Broken)? {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    let mut listing = assemble(server, &collected.array()?, link.mirrors())?;
    listing.remark = collected.remark;
    Ok(listing)
}

/// Reads a list that was fetched before.
pub(crate) fn assemble(server: &str, array: &str, mirrored: bool) -> Result<Listing, Fault> {
    let definitions: Vec<&RawValue> = serde_json::from_str(array)
        .map_err(|error| Fault::Broken(format!("its list of tools is no JSON array: {error}")))?;
    let mut listing = Listing {
        text: array.to_owned(),
        ..Listing::default()
    };
    let mut seen = HashSet::with_capacity(definitions.len());
    for (position, definition) in definitions.into_iter().enumerate() {
        match offer(server, definition, mirrored) {
            Ok((tool, mirrors)) => {
                let name = tool.name.tool().to_owned();
                if !seen.insert(name.clone()) {
                    listing.skip(name, "is listed twice; the first one is offered");
                    continue;
                }
                if !mirrors.is_empty() {
                    listing.mirrors.insert(name, mirrors);
                }
                listing.tools.push(Arc::new(tool));
            }
            Err((name, reason)) => {
                listing.skip(name.unwrap_or_else(|| format!("number {}", position + 1)), reason);
            }
        }
    }
    Ok(listing)
}

impl Listing {
    fn skip(&mut self, tool: String, reason: impl Into<String>) {
        self.skipped.push(SkippedTool {
            tool,
            reason: reason.into(),
        });
    }
}

/// One tool of the list, or its name and what is wrong with it.
fn offer(
    server: &str,
    definition: &RawValue,
    mirrored: bool,
) -> Result<(Tool, Vec<Mirror>), (Option<String>, String)> {
    if too_deep(definition.get()) {
        return Err((None, "is nested more than 128 levels deep".to_owned()));
    }
    let tool = Tool::parse(server, definition).map_err(|defect| {
        let name = match &defect {
            handpick_domain::tool::ToolDefect::InputSchema { name } => Some(name.clone()),
            handpick_domain::tool::ToolDefect::Name => None,
        };
        (name, defect.to_string())
    })?;
    let mirrors = if mirrored {
        mirror::plan(&tool.input_schema).map_err(|reason| (Some(tool.name.tool().to_owned()), reason))?
    } else {
        Vec::new()
    };
    Ok((tool, mirrors))
}

/// The pages so far.
#[derive(Default)]
struct Collected {
    pages: Vec<Box<RawValue>>,
    tools: usize,
    bytes: usize,
    cursors: HashSet<String>,
    remark: Option<String>,
}

/// One page, as far as it is read.
#[derive(Deserialize)]
struct Page<'a> {
    #[serde(borrow)]
    tools: Option<&'a RawValue>,
    #[serde(borrow, rename = "nextCursor")]
    next_cursor: Option<&'a RawValue>,
}

impl Collected {
    /// Takes one page in; returns the cursor of the next, if it is to be fetched.
    fn take(&mut self, page: &RawValue) -> Result<Option<String>, String> {
        let read = serde_json::from_str::<Page<'_>>(page.get()).ok();
        let read = read.filter(|_| page.get().starts_with('{'));
        let tools = read
            .as_ref()
            .and_then(|page| page.tools)
            .filter(|tools| tools.get().starts_with('['))
            .ok_or_else(|| {
                format!(
                    "answered `tools/list` without an array `tools`: {}",
                    excerpt(page.get())
                )
            })?;
        let count = serde_json::from_str::<Vec<&RawValue>>(tools.get()).map_or(0, |tools| tools.len());
        self.tools += count;
        self.bytes += tools.get().len();
        if self.bytes > BYTES_MAX {
            return Err(format!(
                "its list of tools is larger than {} MiB",
                BYTES_MAX >> 20
            ));
        }
        self.pages.push(tools.to_owned());
        // An empty cursor is how several servers say that there is no next page.
        let cursor = read
            .and_then(|page| page.next_cursor)
            .and_then(|cursor| serde_json::from_str::<String>(cursor.get()).ok())
            .filter(|cursor| !cursor.is_empty());
        let Some(cursor) = cursor else {
            return Ok(None);
        };
        self.remark = if !self.cursors.insert(cursor.clone()) {
            Some("its list repeats a cursor; what came before that is offered".to_owned())
        } else if self.pages.len() >= PAGES_MAX {
            Some(format!(
                "its list has more than {PAGES_MAX} pages; the rest is not offered"
            ))
        } else if self.tools >= TOOLS_MAX {
            Some(format!(
                "it lists more than {TOOLS_MAX} tools; the rest is not offered"
            ))
        } else {
            return Ok(Some(cursor));
        };
        Ok(None)
    }

    /// All pages as one array. A single page stays as it came.
    fn array(&self) -> Result<String, Fault> {
        if let [page] = self.pages.as_slice() {
            return Ok(page.get().to_owned());
        }
        let mut tools: Vec<&RawValue> = Vec::with_capacity(self.tools);
        for page in &self.pages {
            let page: Vec<&RawValue> =
                serde_json::from_str(page.get()).map_err(|error| Fault::Broken(error.to_string()))?;
            tools.extend(page);
        }
        tools.truncate(TOOLS_MAX);
        serde_json::to_string(&tools).map_err(|error| Fault::Broken(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    /// One broken schema costs one tool.
    #[test]
    fn defects_cost_only_their_tool() {
        let deep = format!(
            r#"{{"name":"deep","inputSchema":{{"a":{}{}}}}}"#,
            "[".repeat(200),
            "]".repeat(200)
        );
        let array = format!(
            r#"[{{"name":"a","inputSchema":{{}}}},{{"name":"b"}},5,{deep},{{"name":"a","inputSchema":{{"x":1}}}},
               {{"name":"m","inputSchema":{{"properties":{{"p":{{"type":"number","x-mcp-header":"P"}}}}}}}}]"#
        );
        let listing = assemble("s", &array, true).unwrap();
        let names: Vec<_> = listing.tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names, ["s.a"]);
        assert_eq!(listing.tools[0].input_schema.get(), "{}");
        let skipped: Vec<_> = listing
            .skipped
            .iter()
            .map(|skipped| skipped.tool.as_str())
            .collect();
        assert_eq!(skipped, ["b", "number 3", "number 4", "a", "m"]);
        // Where no headers exist, broken marks do not matter.
        assert_eq!(assemble("s", &array, false).unwrap().tools.len(), 2);
    }

    #[test]
    fn pages_are_followed_and_bounded() {
        let mut collected = Collected::default();
        let next = collected.take(&raw(r#"{"tools":[{"a": 1}],"nextCursor":"2"}"#));
        assert_eq!(next, Ok(Some("2".into())));
        assert_eq!(
            collected.take(&raw(r#"{"tools":[{"b":2}],"nextCursor":""}"#)),
            Ok(None)
        );
        assert_eq!(collected.array().unwrap(), r#"[{"a": 1},{"b":2}]"#);
        let mut collected = Collected::default();
        let page = raw(r#"{"tools":[],"nextCursor":"same"}"#);
        assert_eq!(collected.take(&page), Ok(Some("same".into())));
        assert_eq!(collected.take(&page), Ok(None));
        assert!(collected.remark.unwrap().contains("repeats a cursor"));
        let mut collected = Collected::default();
        let pages = (0..).take_while(|page| {
            let page = raw(&format!(r#"{{"tools":[],"nextCursor":"{page}"}}"#));
            collected.take(&page).unwrap().is_some()
        });
        assert_eq!(pages.count(), PAGES_MAX - 1);
    }

    #[test]
    fn a_list_that_is_none_is_a_problem_in_words() {
        for page in [
            "[]",
            "null",
            "{}",
            r#"{"tools":{}}"#,
            r#"{"tools":null}"#,
            r#""tools""#,
        ] {
            let problem = Collected::default().take(&raw(page)).unwrap_err();
            assert!(problem.contains("`tools`"), "{page}: {problem}");
        }
    }
}
