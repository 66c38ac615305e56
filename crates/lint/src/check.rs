//! What is wrong with a catalog, as far as reading it tells?

use handpick_domain::Catalog;

use crate::finding::Finding;
use crate::listing::servers;
use crate::{Client, Clients, clients, description, line, names, schema};

/// Every finding that needs no measurement, by server and tool, the gravest of a tool first.
pub fn check(catalog: &Catalog, selected: Clients) -> Vec<Finding> {
    let mut findings = names::check_reserved(catalog);
    for server in servers(catalog) {
        findings.extend(names::check_server(&server, selected));
        for listed in &server.tools {
            findings.extend(line::check(&server, listed));
            if selected.includes(Client::OpenAi) {
                findings.extend(description::check(listed));
            }
            findings.extend(names::check(listed, selected));
            findings.extend(schema::check(listed));
            findings.extend(clients::check(listed, selected));
        }
    }
    sort(&mut findings);
    findings
}

/// Puts findings into the order they are shown in.
pub fn sort(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        let order = |finding: &Finding| {
            (
                finding.app.clone(),
                finding.tool.clone(),
                std::cmp::Reverse(finding.severity),
            )
        };
        order(a).cmp(&order(b)).then(a.rule.id.cmp(b.rule.id))
    });
}
