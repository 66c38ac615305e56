//! Can every client call the tool by its name?

use handpick_domain::tool_name::RENDERED_MAX;
use handpick_domain::{Catalog, ToolName};

use crate::finding::{Finding, Member};
use crate::listing::{Listed, Server};
use crate::{Client, Clients, rules};

/// Tools that OpenAI and VS Code take in one request.
const TOOLS_MAX: usize = 128;

/// How a client names a tool, and the most characters that may have.
struct Naming {
    client: &'static str,
    name: fn(&ToolName) -> String,
    most: usize,
}

/// The namings documented or seen; the manual says where.
const NAMINGS: [Naming; 3] = [
    Naming {
        client: "Claude Code",
        name: |name| format!("mcp__{}__{}", name.app(), name.tool()),
        most: 64,
    },
    Naming {
        client: "Gemini CLI",
        name: |name| format!("mcp_{}_{}", name.app(), name.tool()),
        most: 63,
    },
    Naming {
        client: "Cursor",
        name: |name| format!("{}:{}", name.app(), name.tool()),
        most: 60,
    },
];

/// What is wrong with the name of a tool.
pub fn check(listed: &Listed<'_>, clients: Clients) -> Vec<Finding> {
    let name = &listed.tool.name;
    [
        long(name).or_else(|| long_in_client(name)),
        characters(name, clients),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What is wrong with a server's name, and with how much it lists.
pub fn check_server(server: &Server<'_>, clients: Clients) -> Vec<Finding> {
    let mut findings = Vec::new();
    if server.service.is_generic {
        let message = format!(
            "the server is called `{}`, which is matched with each of its tools and says nothing",
            server.app
        );
        let instead = "call it by the service it belongs to, as in `github` or `warehouse-stock`";
        findings.push(about_server(&rules::SERVER_GENERIC, server, message, instead));
    }
    if server.tools.len() > TOOLS_MAX && clients.includes(Client::OpenAi) {
        let message = format!(
            "the server lists {} tools, more than the {TOOLS_MAX} of one request",
            server.tools.len()
        );
        let instead = "serve it through a gateway whose presentation is `discovery` or `recommend`";
        findings.push(about_server(&rules::TOOLS_MANY, server, message, instead));
    }
    findings
}

/// Tools that are not offered because of their names.
pub fn check_reserved(catalog: &Catalog) -> Vec<Finding> {
    let reserved = catalog.reserved().iter();
    reserved
        .map(|name| {
            let message = format!(
                "`name` is listed as `{}`, which belongs to a meta-tool, so the tool is not offered",
                name.underscored()
            );
            Finding::new(
                &rules::NAME_RESERVED,
                name,
                Member::Name,
                message,
                "give the tool or its server another name".to_owned(),
            )
        })
        .collect()
}

/// Tools whose names are taken by an earlier entry of the same list.
pub fn duplicates<'n>(again: impl Iterator<Item = &'n ToolName>) -> Vec<Finding> {
    again
        .map(|name| {
            let message = format!(
                "`name` {:?} is listed twice; only the first tool of that name is offered",
                name.tool()
            );
            Finding::new(
                &rules::NAME_DUPLICATE,
                name,
                Member::Name,
                message,
                "give each tool a name of its own".to_owned(),
            )
        })
        .collect()
}

fn about_server(rule: &'static crate::Rule, server: &Server<'_>, message: String, instead: &str) -> Finding {
    Finding {
        rule,
        severity: rule.severity,
        app: server.app.to_owned(),
        tool: None,
        member: Member::Name,
        path: String::new(),
        message,
        instead: instead.to_owned(),
        related: Vec::new(),
    }
}

fn long(name: &ToolName) -> Option<Finding> {
    let plain = name.underscored();
    if plain.len() <= RENDERED_MAX {
        return None;
    }
    let message = format!(
        "`{plain}` has {} characters, {} over {RENDERED_MAX}; models are shown `{}`",
        plain.len(),
        plain.len() - RENDERED_MAX,
        name.rendered()
    );
    let instead = format!(
        "shorten `name` to at most {} characters",
        fitting(RENDERED_MAX, name.app().len() + 1)
    );
    Some(Finding::new(
        &rules::NAME_LONG,
        name,
        Member::Name,
        message,
        instead,
    ))
}

fn long_in_client(name: &ToolName) -> Option<Finding> {
    let over: Vec<(&Naming, String)> = NAMINGS
        .iter()
        .map(|naming| (naming, (naming.name)(name)))
        .filter(|(naming, shown)| shown.chars().count() > naming.most)
        .collect();
    let told: Vec<String> = over
        .iter()
        .map(|(naming, shown)| {
            format!(
                "{} characters in {} (at most {})",
                shown.chars().count(),
                naming.client,
                naming.most
            )
        })
        .collect();
    let most = over
        .iter()
        .map(|(naming, shown)| fitting(naming.most, shown.chars().count() - name.tool().chars().count()))
        .min()?;
    let message = format!("`name` becomes {}", told.join(", "));
    let instead = format!("shorten `name` to at most {most} characters");
    Some(Finding::new(
        &rules::NAME_LONG_IN_CLIENT,
        name,
        Member::Name,
        message,
        instead,
    ))
}

fn fitting(most: usize, prefix: usize) -> usize {
    most.saturating_sub(prefix).max(1)
}

fn characters(name: &ToolName, clients: Clients) -> Option<Finding> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let for_gemini = |c: char| plain(c) || c == '.' || c == ':';
    let tool = name.tool();
    let strict = clients.includes(Client::OpenAi) || clients.includes(Client::Anthropic);
    let bad: Vec<char> = if strict {
        tool.chars().filter(|c| !plain(*c)).collect()
    } else {
        tool.chars().filter(|c| !for_gemini(*c)).collect()
    };
    let starts_badly =
        clients.includes(Client::Gemini) && !tool.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let reason = match (bad.first(), starts_badly) {
        (Some(first), _) => {
            format!("has {first:?}, where only letters, digits, `_` and `-` are allowed")
        }
        (None, true) => "does not begin with a letter or `_`, which Gemini asks for".to_owned(),
        (None, false) => return None,
    };
    let cleaned = handpick_domain::tool_name::underscore(tool);
    let proposal = if cleaned.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        cleaned
    } else {
        format!("_{cleaned}")
    };
    Some(Finding::new(
        &rules::NAME_CHARACTERS,
        name,
        Member::Name,
        format!("`name` is {tool:?}, which {reason}"),
        format!("call it `{proposal}`"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::servers;
    use crate::listing::tests::tool;
    use std::sync::Arc;

    #[track_caller]
    fn check_name(app: &str, name: &str, clients: Clients, expected: &[&str]) {
        let catalog = Catalog::new(1, vec![Arc::new(tool(app, name, "", "{}"))]);
        let servers = servers(&catalog);
        let findings = check(&servers[0].tools[0], clients);
        let ids: Vec<&str> = findings.iter().map(|finding| finding.rule.id).collect();
        assert_eq!(ids, expected, "{app}.{name}: {findings:#?}");
        for finding in &findings {
            assert!(
                finding.message.contains("name") || finding.message.contains(name),
                "{finding:?}"
            );
        }
    }

    /// X1, X3, X4: what each client's names may be.
    #[test]
    fn x1_names_that_clients_refuse() {
        check_name("git", "log", Clients::All, &[]);
        check_name("git", "repos.list", Clients::All, &["name-characters"]);
        check_name("git", "repos.list", Clients::Only(Client::Gemini), &[]);
        check_name("git", "2log", Clients::All, &["name-characters"]);
        check_name("git", "2log", Clients::Only(Client::OpenAi), &[]);
        check_name("git", "查询", Clients::Only(Client::Gemini), &["name-characters"]);
    }

    #[test]
    fn names_that_grow_too_long() {
        check_name("git", &"a".repeat(60), Clients::All, &["name-long-in-client"]);
        check_name("git", &"a".repeat(61), Clients::All, &["name-long"]);
        check_name("git", &"a".repeat(54), Clients::All, &[]);
        check_name("git", &"a".repeat(55), Clients::All, &["name-long-in-client"]);
    }

    /// P27: a tool that takes a meta-tool's name is not offered.
    #[test]
    fn p27_reserved_names() {
        let catalog = Catalog::new(1, vec![Arc::new(tool("execute", "tool", "", "{}"))]);
        let findings = check_reserved(&catalog);
        assert_eq!(findings[0].subject(), "execute.tool");
        assert_eq!(findings[0].severity, crate::Severity::Error);
    }
}
