//! What is the service behind a server called?

use std::collections::HashMap;

use handpick_domain::Tool;

use crate::sentences::capitalised;

/// Names of servers that name no service.
const GENERIC: &[&str] = &[
    "all",
    "api",
    "app",
    "backend",
    "catalog",
    "default",
    "demo",
    "dev",
    "full",
    "gateway",
    "local",
    "main",
    "mcp",
    "my",
    "ref",
    "reference",
    "server",
    "service",
    "test",
    "tool",
    "tools",
];

/// A server, as far as its tools' descriptions tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// Its name as people write it: `PagerDuty` for `pagerduty`.
    pub title: String,
    /// Whether its configured name names no service at all.
    pub is_generic: bool,
    /// Whether the title is a name: descriptions that write it small use it as a common word.
    pub is_name: bool,
}

impl Service {
    /// Reads the service off the name of a server and the descriptions of its tools.
    pub fn of<'t>(app: &str, tools: impl Iterator<Item = &'t Tool>) -> Self {
        let parts: Vec<String> = app
            .split(['-', '_', ' '])
            .map(str::to_lowercase)
            .filter(|part| part.contains(char::is_alphabetic) && !GENERIC.contains(&part.as_str()))
            .collect();
        let spellings = spellings(&parts, tools);
        let written: Vec<String> = parts
            .iter()
            .filter_map(|part| spellings.get(part).cloned())
            .collect();
        let is_word = |part: &String| part.len() > 2 && part.chars().all(char::is_alphabetic);
        let title = if !written.is_empty() {
            written.join(" ")
        } else if !parts.is_empty() && parts.iter().all(is_word) {
            parts
                .iter()
                .map(|part| capitalised(part))
                .collect::<Vec<_>>()
                .join(" ")
        } else {
            app.to_owned()
        };
        Self {
            is_name: !parts.is_empty() && title.contains(char::is_uppercase),
            is_generic: parts.is_empty(),
            title,
        }
    }

    /// Whether a text names the service.
    pub fn is_named_in(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        let title = self.title.to_lowercase();
        title.split(' ').any(|part| text.contains(part))
    }
}

/// How the descriptions write each part of the name, most often. Parts that no description has are left
/// out: they are the server's own business.
fn spellings<'t>(parts: &[String], tools: impl Iterator<Item = &'t Tool>) -> HashMap<String, String> {
    let mut counts: HashMap<String, HashMap<String, usize>> = HashMap::new();
    for tool in tools {
        for word in tool.description.split(|c: char| !c.is_alphanumeric()) {
            let lower = word.to_lowercase();
            if parts.contains(&lower) {
                *counts
                    .entry(lower)
                    .or_default()
                    .entry(word.to_owned())
                    .or_default() += 1;
            }
        }
    }
    counts
        .into_iter()
        .filter_map(|(part, spellings)| {
            // A long word in capitals is an exclamation, not a name.
            let shouted = |word: &str| word.len() > 5 && !word.contains(char::is_lowercase);
            let most = spellings.into_iter().max_by(|a, b| {
                let by_case = shouted(&b.0).cmp(&shouted(&a.0));
                by_case.then(a.1.cmp(&b.1)).then_with(|| b.0.cmp(&a.0))
            })?;
            Some((part, most.0))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::tests::tool;

    #[track_caller]
    fn check(app: &str, descriptions: &[&str], title: &str, is_generic: bool) {
        let tools: Vec<Tool> = descriptions
            .iter()
            .map(|description| tool(app, "t", description, "{}"))
            .collect();
        let service = Service::of(app, tools.iter());
        assert_eq!((service.title.as_str(), service.is_generic), (title, is_generic));
    }

    #[test]
    fn the_spelling_of_the_descriptions_wins() {
        check(
            "pagerduty",
            &["List PagerDuty teams", "PagerDuty again"],
            "PagerDuty",
            false,
        );
        check("gitlab-zereight", &["A GitLab project"], "GitLab", false);
        check(
            "aws-healthomics",
            &["AWS HealthOmics runs"],
            "AWS HealthOmics",
            false,
        );
        check("ms-365", &["List chats."], "ms-365", false);
        check("mcp-atlassian", &["Get an issue."], "Atlassian", false);
        check("mcp-server", &[], "mcp-server", true);
        check("tools", &["Some tools"], "tools", true);
    }
}
