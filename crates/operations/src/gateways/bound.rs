//! Which tools of the servers does an agent's catalog bind, and for whom?

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use handpick_domain::{AgentTool, Catalog, Gateway, Restriction, ToolGlobs};

/// What binding asks of a tool that an agent has published.
#[derive(Clone, Debug)]
pub(super) struct PublishedTool {
    name: Arc<str>,
    core: bool,
    required_roles: BTreeSet<String>,
}

impl PublishedTool {
    pub(super) fn of(tool: &AgentTool) -> Self {
        Self {
            name: Arc::clone(&tool.name),
            core: tool.core,
            required_roles: tool.required_roles.clone(),
        }
    }
}

/// An agent as a gateway: it binds the tools of `catalog` whose canonical or listed name is that of a published tool,
/// exactly as written (C13). What nobody can run is not bound. Required roles become restrictions, so that admission
/// judges by them (C20); a tool published under both of its names needs the roles of both.
pub(super) fn bind(id: &str, tools: &[PublishedTool], catalog: &Catalog, namespace: &str) -> Gateway {
    let mut bound = BTreeSet::new();
    let mut core = BTreeSet::new();
    let mut restricted: BTreeMap<&BTreeSet<String>, BTreeSet<String>> = BTreeMap::new();
    for tool in tools {
        let Some(name) = canonical(catalog, &tool.name) else {
            continue;
        };
        if tool.core {
            core.insert(name.clone());
        }
        if !tool.required_roles.is_empty() {
            restricted
                .entry(&tool.required_roles)
                .or_default()
                .insert(name.clone());
        }
        bound.insert(name);
    }
    let restrictions = restricted.into_iter().map(|(roles, names)| Restriction {
        tools: ToolGlobs::exactly(names),
        roles: roles.clone(),
    });
    Gateway {
        allow: ToolGlobs::exactly(bound),
        core: ToolGlobs::exactly(core),
        restrictions: restrictions.collect(),
        namespace: namespace.to_owned(),
        ..Gateway::new(id)
    }
}

/// The canonical name of the tool that is called or listed exactly so.
fn canonical(catalog: &Catalog, name: &str) -> Option<String> {
    let tools = catalog.tools();
    let called = || tools.binary_search_by(|tool| tool.name.as_str().cmp(name)).ok();
    let position = catalog.position_of_rendered(name).or_else(called)?;
    tools.get(position).map(|tool| tool.name.to_string())
}

#[cfg(test)]
mod tests {
    use handpick_domain::{Tool, ToolName};
    use serde_json::value::RawValue;

    use super::*;

    fn catalog(names: &[(&str, &str)]) -> Catalog {
        let tools = names.iter().map(|(app, tool)| {
            let json = serde_json::json!({"name": tool, "inputSchema": {}}).to_string();
            Arc::new(Tool::parse(app, &RawValue::from_string(json).unwrap()).unwrap())
        });
        Catalog::new(1, tools.collect())
    }

    fn published(name: &str, core: bool, roles: &[&str]) -> PublishedTool {
        PublishedTool {
            name: name.into(),
            core,
            required_roles: roles.iter().map(|&role| role.to_owned()).collect(),
        }
    }

    /// C13: both names of a tool bind it, and nothing that merely looks like one does.
    #[test]
    fn c13_names_bind_exactly() {
        let catalog = catalog(&[
            ("crm", "find"),
            ("crm", "a/b"),
            ("x_y", "z"),
            ("x", "y_z"),
            ("chat", "Send"),
        ]);
        let hashed = catalog
            .tools()
            .iter()
            .position(|tool| tool.name.as_str() == "crm.a/b")
            .map(|position| catalog.rendered(position).to_string())
            .unwrap();
        for (name, bound) in [
            ("crm.find", Some("crm.find")),
            ("crm_find", Some("crm.find")),
            ("find", None),
            ("CRM.find", None),
            ("crm.*", None),
            ("crm.a/b", Some("crm.a/b")),
            (hashed.as_str(), Some("crm.a/b")),
            // What it would be without a hash, which no list shows.
            ("crm_a_b", None),
            // Two tools share this spelling, so it names neither.
            ("x_y_z", None),
            ("x_y.z", Some("x_y.z")),
            ("chat_send", None),
        ] {
            let gateway = bind("a", &[published(name, false, &[])], &catalog, "Arcade");
            let matched: Vec<&str> = catalog
                .tools()
                .iter()
                .filter(|tool| gateway.allow.matches(&tool.name))
                .map(|tool| tool.name.as_str())
                .collect();
            assert_eq!(matched, bound.into_iter().collect::<Vec<_>>(), "{name}");
        }
    }

    /// C20: roles restrict, `core` is listed from the start, and what was published twice needs the roles of both.
    #[test]
    fn c20_roles_become_restrictions() {
        let catalog = catalog(&[("crm", "find"), ("crm", "drop")]);
        let tools = [
            published("crm_find", true, &[]),
            published("crm_drop", false, &["lead"]),
            published("crm.drop", false, &["admin", "root"]),
            published("elsewhere", true, &["lead"]),
        ];
        let gateway = bind("a", &tools, &catalog, "Acme");
        let (find, drop) = (ToolName::new("crm", "find"), ToolName::new("crm", "drop"));
        assert!(gateway.core.matches(&find) && !gateway.core.matches(&drop));
        let needed = |name: &ToolName| {
            let of_tool = gateway.restrictions.iter().filter(|one| one.tools.matches(name));
            of_tool
                .map(|one| one.roles.iter().cloned().collect::<Vec<_>>())
                .collect::<Vec<_>>()
        };
        assert_eq!(needed(&find), Vec::<Vec<String>>::new());
        assert_eq!(needed(&drop), [vec!["admin", "root"], vec!["lead"]]);
        assert_eq!((gateway.name.as_str(), gateway.namespace.as_str()), ("a", "Acme"));
    }
}
