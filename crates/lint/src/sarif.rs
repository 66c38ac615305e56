//! How do findings look to a code host? As SARIF 2.1.0.

use serde_json::{Value, json};

use crate::finding::{Finding, Place};
use crate::json::field;
use crate::sentences::capitalised;
use crate::{Rule, rules};

/// The log of one run by this version of the program.
pub fn log(version: &str, findings: &[(&Finding, Option<Place>)]) -> Value {
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "handpick lint",
                "version": version,
                "semanticVersion": version,
                "rules": rules::ALL.iter().map(|rule| descriptor(rule)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": findings.iter().map(|(finding, place)| result(finding, place.as_ref())).collect::<Vec<_>>(),
        }],
    })
}

fn descriptor(rule: &Rule) -> Value {
    let clients: Vec<&str> = rule.clients.iter().map(|client| client.title()).collect();
    let help = if clients.is_empty() {
        rule.help.to_owned()
    } else {
        format!("{} Matters in: {}.", rule.help, clients.join(", "))
    };
    json!({
        "id": rule.id,
        "name": name(rule.id),
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.help},
        "help": {"text": help, "markdown": help},
        "defaultConfiguration": {"level": rule.severity.as_str()},
        "properties": {
            "tags": rule.clients.iter().map(|client| client.as_str()).collect::<Vec<_>>(),
        },
    })
}

/// `first-line-empty` as the standard likes names: `FirstLineEmpty`.
fn name(id: &str) -> String {
    id.split('-').map(capitalised).collect()
}

fn result(finding: &Finding, place: Option<&Place>) -> Value {
    let index = rules::ALL.iter().position(|rule| rule.id == finding.rule.id);
    let subject = finding.subject();
    let mut location = json!({
        "logicalLocations": [{
            "fullyQualifiedName": subject,
            "kind": if finding.tool.is_some() { "function" } else { "module" },
        }],
    });
    if let Some(place) = place {
        location["physicalLocation"] = json!({
            "artifactLocation": {"uri": uri(&place.file)},
            "region": {"startLine": place.line, "startColumn": place.column},
        });
    }
    json!({
        "ruleId": finding.rule.id,
        "ruleIndex": index,
        "level": finding.severity.as_str(),
        "message": {"text": format!("{subject}: {}. {}.", finding.message, capitalised(&finding.instead))},
        "locations": [location],
        // Stays the same while lines move, so that a host sees an old finding as an old one.
        "partialFingerprints": {"handpickFinding/v1": format!("{}:{subject}:{}", finding.rule.id, field(finding))},
    })
}

/// A path as a URI reference; one that is absolute becomes a `file` URI.
fn uri(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    let mut uri = String::new();
    if path.starts_with('/') {
        uri.push_str("file://");
    }
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        for (path, expected) in [
            ("tools.json", "tools.json"),
            ("./a b/tools.json", "a%20b/tools.json"),
            ("/tmp/ä.json", "file:///tmp/%C3%A4.json"),
        ] {
            assert_eq!(uri(path), expected);
        }
    }

    #[test]
    fn ids_are_stable_and_told_apart() {
        let mut ids: Vec<&str> = rules::ALL.iter().map(|rule| rule.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), rules::ALL.len());
        assert_eq!(name("first-line-empty"), "FirstLineEmpty");
    }
}
