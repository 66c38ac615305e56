//! Which schemas does a client refuse?

mod anthropic;
mod arrays;
mod gemini;
mod openai;
mod openai_strict;

use crate::finding::{Finding, Severity};
use crate::listing::Listed;
use crate::{Client, Clients};

/// What the clients refuse in a tool's schema. A client asked for alone has its notes raised to warnings.
pub fn check(listed: &Listed<'_>, clients: Clients) -> Vec<Finding> {
    let mut findings = Vec::new();
    for client in Client::ALL.into_iter().filter(|client| clients.includes(*client)) {
        findings.extend(match client {
            Client::OpenAi => openai::check(listed),
            Client::OpenAiStrict => openai_strict::check(listed),
            Client::Anthropic => anthropic::check(listed),
            Client::Gemini => gemini::check(listed),
        });
    }
    if clients.includes(Client::OpenAi) || clients.includes(Client::Gemini) {
        findings.extend(arrays::check(listed));
    }
    if matches!(clients, Clients::Only(_)) {
        for finding in &mut findings {
            finding.severity = finding.severity.max(Severity::Warning);
        }
    }
    findings
}

#[cfg(test)]
pub(crate) mod tests {
    use crate::listing::servers;
    use crate::listing::tests::tool;
    use crate::{Client, Clients};
    use handpick_domain::Catalog;
    use std::sync::Arc;

    /// The rules a schema breaks in one client, with what is said of it.
    #[track_caller]
    pub fn check(client: Client, schema: &str, expected: &[(&str, &str)]) {
        let catalog = Catalog::new(1, vec![Arc::new(tool("app", "t", "", schema))]);
        let servers = servers(&catalog);
        let findings = super::check(&servers[0].tools[0], Clients::Only(client));
        let told: Vec<(&str, &str)> = findings
            .iter()
            .map(|finding| (finding.rule.id, finding.message.as_str()))
            .collect();
        assert_eq!(told, expected, "{schema}");
    }
}
