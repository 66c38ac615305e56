//! How do findings look to a program?

use serde_json::{Value, json};

use crate::finding::{Finding, Member, Place, Severity};

/// All findings as one JSON object: `tools`, `servers`, `summary` with a count a severity, and `findings`.
pub fn report(tools: usize, servers: usize, findings: &[(&Finding, Option<Place>)]) -> Value {
    json!({
        "tools": tools,
        "servers": servers,
        "summary": {
            "errors": count(findings, Severity::Error),
            "warnings": count(findings, Severity::Warning),
            "notes": count(findings, Severity::Note),
        },
        "findings": findings.iter().map(|(finding, place)| one(finding, place.as_ref())).collect::<Vec<_>>(),
    })
}

/// The part of the tool a finding is about, as a path: `inputSchema.properties.from`.
pub fn field(finding: &Finding) -> String {
    let member = match finding.member {
        Member::Name => "name",
        Member::Description => "description",
        Member::InputSchema => "inputSchema",
    };
    if finding.path.is_empty() {
        member.to_owned()
    } else {
        format!("{member}.{}", finding.path)
    }
}

fn count(findings: &[(&Finding, Option<Place>)], severity: Severity) -> usize {
    findings
        .iter()
        .filter(|(finding, _)| finding.severity == severity)
        .count()
}

fn one(finding: &Finding, place: Option<&Place>) -> Value {
    let mut value = json!({
        "rule": finding.rule.id,
        "severity": finding.severity.as_str(),
        "server": finding.app,
        "tool": finding.tool.as_ref().map(|name| name.as_str()),
        "field": field(finding),
        "message": finding.message,
        "instead": finding.instead,
    });
    if !finding.clients().is_empty() {
        value["clients"] = finding.clients().iter().map(|client| client.as_str()).collect();
    }
    if !finding.related.is_empty() {
        value["related"] = finding.related.iter().map(|name| name.as_str()).collect();
    }
    if let Some(place) = place {
        value["place"] = json!({"file": place.file, "line": place.line, "column": place.column});
    }
    value
}
