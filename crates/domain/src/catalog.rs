//! Which tools are there right now, and which one does a name mean?

use std::collections::HashMap;
use std::sync::Arc;

use crate::{Tool, ToolName};

/// Names of meta-tools: no upstream tool may be listed under one of them (P27).
pub const RESERVED_NAMES: [&str; 10] = [
    "Arcade_ListApps",
    "Arcade_SelectTools",
    "Arcade_UseTool",
    "arc_call_tool",
    "arc_describe_tool",
    "arc_search_tools",
    "discover_tools",
    "execute_tool",
    "get_tool_schema",
    "unified_tool",
];

/// Every tool of every upstream server at one moment. Immutable; replaced whole.
///
/// Tools are sorted by canonical name, so that lists, pages and rankings never depend on the order in
/// which servers answered.
#[derive(Debug, Default)]
pub struct Catalog {
    generation: u64,
    tools: Vec<Arc<Tool>>,
    reserved: Vec<ToolName>,
    rendered: Vec<Arc<str>>,
    by_canonical: HashMap<ToolName, usize>,
    by_rendered: HashMap<Arc<str>, usize>,
    /// Lower-cased canonical and underscore forms, for callers that guess the spelling.
    by_folded: HashMap<String, Vec<usize>>,
}

/// What a name means in a catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// The tool at this position.
    Found(usize),
    /// Several tools share this underscore form; only the dot form tells them apart.
    Ambiguous,
    /// No tool has this name.
    Unknown,
}

impl Catalog {
    /// Builds a catalog. Of two tools with the same canonical name the first is kept; tools that would be
    /// listed under a meta-tool's name are left out (P27).
    pub fn new(generation: u64, mut tools: Vec<Arc<Tool>>) -> Self {
        tools.sort_by(|a, b| a.name.cmp(&b.name));
        tools.dedup_by(|later, earlier| later.name == earlier.name);
        let is_reserved = |tool: &Arc<Tool>| RESERVED_NAMES.contains(&tool.name.rendered().as_str());
        let reserved = tools
            .iter()
            .filter(|tool| is_reserved(tool))
            .map(|tool| tool.name.clone())
            .collect();
        tools.retain(|tool| !is_reserved(tool));
        let rendered = render_names(&tools);
        let mut by_folded: HashMap<String, Vec<usize>> = HashMap::with_capacity(tools.len() * 2);
        for (position, tool) in tools.iter().enumerate() {
            for form in [
                tool.name.as_str().to_lowercase(),
                tool.name.underscored().to_lowercase(),
            ] {
                let positions = by_folded.entry(form).or_default();
                if !positions.contains(&position) {
                    positions.push(position);
                }
            }
        }
        Self {
            generation,
            by_canonical: tools
                .iter()
                .enumerate()
                .map(|(i, tool)| (tool.name.clone(), i))
                .collect(),
            by_rendered: rendered
                .iter()
                .enumerate()
                .map(|(i, name)| (Arc::clone(name), i))
                .collect(),
            by_folded,
            rendered,
            reserved,
            tools,
        }
    }

    /// Grows with every change, so that caches know when they are stale.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The tools, sorted by canonical name. A position is an index into this slice.
    pub fn tools(&self) -> &[Arc<Tool>] {
        &self.tools
    }

    /// Tools left out because their listed name belongs to a meta-tool (P27).
    pub fn reserved(&self) -> &[ToolName] {
        &self.reserved
    }

    /// The model-facing name of the tool at `position`.
    pub fn rendered(&self, position: usize) -> &Arc<str> {
        &self.rendered[position]
    }

    /// The tool with this canonical name.
    pub fn position(&self, name: &ToolName) -> Option<usize> {
        self.by_canonical.get(name).copied()
    }

    /// The tool that lists show under exactly this rendered name.
    pub fn position_of_rendered(&self, rendered: &str) -> Option<usize> {
        self.by_rendered.get(rendered).copied()
    }

    /// Reads a name as a caller wrote it (C1): the exact canonical or rendered name first, then
    /// without `@version`, then without regard to case. Names of existing tools are compared; the
    /// text is never split at a `_`.
    pub fn resolve(&self, written: &str) -> Resolution {
        let written = written.trim();
        let unversioned = written.rsplit_once('@').map(|(name, _)| name);
        for candidate in [Some(written), unversioned].into_iter().flatten() {
            match self.resolve_unversioned(candidate) {
                Resolution::Unknown => {}
                resolution => return resolution,
            }
        }
        Resolution::Unknown
    }

    fn resolve_unversioned(&self, name: &str) -> Resolution {
        if let Some(position) = self
            .position_of_rendered(name)
            .or_else(|| self.position_of_canonical(name))
        {
            return Resolution::Found(position);
        }
        match self.by_folded.get(&name.to_lowercase()).map(Vec::as_slice) {
            Some(&[position]) => Resolution::Found(position),
            Some(positions) => self.narrow(name, positions),
            None => Resolution::Unknown,
        }
    }

    fn position_of_canonical(&self, name: &str) -> Option<usize> {
        self.tools
            .binary_search_by(|tool| tool.name.as_str().cmp(name))
            .ok()
    }

    /// Several tools answer to the folded form: an exact underscore spelling may still name one.
    fn narrow(&self, name: &str, positions: &[usize]) -> Resolution {
        let mut exact = positions
            .iter()
            .filter(|&&position| self.tools[position].name.underscored() == name);
        match (exact.next(), exact.next()) {
            (Some(&position), None) => Resolution::Found(position),
            _ => Resolution::Ambiguous,
        }
    }
}

/// Model-facing names, unique within the catalog: all tools of a colliding group get a hash, so that
/// which of them keeps the short name does not depend on who came first.
fn render_names(tools: &[Arc<Tool>]) -> Vec<Arc<str>> {
    let plain: Vec<String> = tools.iter().map(|tool| tool.name.rendered()).collect();
    let mut uses: HashMap<&str, usize> = HashMap::with_capacity(plain.len());
    for name in &plain {
        *uses.entry(name).or_default() += 1;
    }
    tools
        .iter()
        .zip(&plain)
        .map(|(tool, name)| {
            if uses[name.as_str()] == 1 {
                name.as_str().into()
            } else {
                tool.name.rendered_with_hash().into()
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::value::RawValue;

    fn catalog(names: &[(&str, &str)]) -> Catalog {
        let tools = names.iter().map(|(app, tool)| {
            let json = serde_json::json!({"name": tool, "inputSchema": {}}).to_string();
            Arc::new(Tool::parse(app, &RawValue::from_string(json).unwrap()).unwrap())
        });
        Catalog::new(1, tools.collect())
    }

    #[track_caller]
    fn check(catalog: &Catalog, written: &str, expected: Result<&str, Resolution>) {
        match (catalog.resolve(written), expected) {
            (Resolution::Found(position), Ok(name)) => {
                assert_eq!(catalog.tools()[position].name.as_str(), name, "{written}");
            }
            (resolution, expected) => assert_eq!(Err(resolution), expected, "{written}"),
        }
    }

    /// A24, C1: both spellings, any case, with or without a version.
    #[test]
    fn a24_names_are_read_generously() {
        let catalog = catalog(&[("Slack", "SendMessage"), ("slack_bot", "send")]);
        for written in [
            "Slack.SendMessage",
            "Slack_SendMessage",
            "slack.sendmessage",
            "SLACK_SENDMESSAGE",
            "Slack.SendMessage@1.2.0",
            "Slack_SendMessage@1",
        ] {
            check(&catalog, written, Ok("Slack.SendMessage"));
        }
        check(&catalog, "slack_bot_send", Ok("slack_bot.send"));
        check(&catalog, "slack.bot_send", Err(Resolution::Unknown));
        check(&catalog, "Slack", Err(Resolution::Unknown));
        check(&catalog, "", Err(Resolution::Unknown));
    }

    /// C1: the dot form always wins; a shared underscore form names nobody.
    #[test]
    fn c1_colliding_names_stay_apart() {
        let catalog = catalog(&[("evil__foo", "x"), ("evil", "foo__x"), ("evil", "_foo__x")]);
        check(&catalog, "evil__foo.x", Ok("evil__foo.x"));
        check(&catalog, "evil._foo__x", Ok("evil._foo__x"));
        check(&catalog, "evil__foo_x", Ok("evil__foo.x"));
        check(&catalog, "evil__foo__x", Ok("evil._foo__x"));
        check(&catalog, "evil_foo__x", Ok("evil.foo__x"));
    }

    #[test]
    fn c1_ambiguous_underscore_form() {
        let both = catalog(&[("a_b", "c"), ("a", "b_c")]);
        check(&both, "a_b_c", Err(Resolution::Ambiguous));
        check(&both, "a_b.c", Ok("a_b.c"));
        assert_ne!(both.rendered(0), both.rendered(1));
        check(&both, both.rendered(0), Ok(both.tools()[0].name.as_str()));
        let reversed = catalog(&[("a", "b_c"), ("a_b", "c")]);
        assert_eq!(both.rendered(0), reversed.rendered(0));
    }

    /// P27: a tool cannot take a meta-tool's place, and its neighbours stay.
    #[test]
    fn p27_meta_tool_names_are_reserved() {
        let catalog = catalog(&[
            ("execute", "tool"),
            ("discover", "tools"),
            ("discover", "toolset"),
        ]);
        assert_eq!(catalog.tools().len(), 1);
        assert_eq!(
            catalog
                .reserved()
                .iter()
                .map(ToolName::as_str)
                .collect::<Vec<_>>(),
            ["discover.tools", "execute.tool"]
        );
        check(&catalog, "execute_tool", Err(Resolution::Unknown));
    }

    #[test]
    fn case_alone_can_tell_tools_apart() {
        let catalog = catalog(&[("app", "Get"), ("app", "get")]);
        check(&catalog, "app_get", Ok("app.get"));
        check(&catalog, "app.Get", Ok("app.Get"));
        check(&catalog, "APP.GET", Err(Resolution::Ambiguous));
    }
}
