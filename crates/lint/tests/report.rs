//! Do the reports tell every finding, in the shapes that programs and code hosts read?

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::sync::Arc;

use handpick_domain::{Catalog, Tool};
use handpick_lint::{Clients, Finding, Place, check, json, rules, sarif};
use serde_json::Value;
use serde_json::value::RawValue;

/// A list in which little is right.
const TOOLS: [(&str, &str); 6] = [
    (
        "tools",
        r#"{"name": "get", "description": "Get the data.", "inputSchema": {"type": "object"}}"#,
    ),
    (
        "github",
        r#"{"name": "repos.list", "description": "\nLists the repositories of a GitHub organisation.",
            "inputSchema": {"type": "object", "properties": {"$top": {"type": "array"}}, "anyOf": [{}]}}"#,
    ),
    (
        "github",
        r###"{"name": "merge", "description": "## Overview\nMerges a pull request of a GitHub repository.",
            "inputSchema": {"type": "object", "properties": {}, "required": ["number"]}}"###,
    ),
    (
        "github",
        r#"{"name": "get_issue", "description": "Get an issue.", "inputSchema": {"type": "nothing"}}"#,
    ),
    (
        "github",
        r#"{"name": "close_issue", "description": "Close an issue of a GitHub repository, with a reason and a comment.",
            "inputSchema": {"type": "object", "properties": {"when": {"type": "string", "format": "uri", "description": "When"}}}}"#,
    ),
    (
        "execute",
        r#"{"name": "tool", "description": "Runs something.", "inputSchema": {"type": "object", "properties": {}}}"#,
    ),
];

fn findings() -> Vec<Finding> {
    let tools = TOOLS
        .iter()
        .map(|(app, definition)| {
            let raw = RawValue::from_string((*definition).to_owned()).unwrap();
            Arc::new(Tool::parse(app, &raw).unwrap())
        })
        .collect();
    check(&Catalog::new(1, tools), Clients::All)
}

/// Every other finding with a place, as if only some were known.
fn located(findings: &[Finding]) -> Vec<(&Finding, Option<Place>)> {
    let place = |line: usize| Place {
        file: "my tools.json".to_owned(),
        line,
        column: 3,
    };
    findings
        .iter()
        .enumerate()
        .map(|(nth, finding)| (finding, (nth % 2 == 0).then(|| place(nth + 1))))
        .collect()
}

#[test]
fn a34_the_whole_report() {
    let findings = findings();
    insta::assert_json_snapshot!(json::report(5, 2, &located(&findings)));
}

/// Every finding names a field, says what is wrong with it and what would be right.
#[test]
fn a34_every_finding_says_what_to_write() {
    for finding in findings() {
        assert!(
            finding.message.contains('`') || finding.message.contains('"'),
            "{finding:?}"
        );
        assert!(finding.instead.len() > 10, "{finding:?}");
        assert!(
            !finding.message.ends_with('.') && !finding.instead.ends_with('.'),
            "{finding:?}"
        );
        assert!(rules::named(finding.rule.id).is_some(), "{finding:?}");
    }
}

/// What SARIF 2.1.0 requires of the objects written here, and what code hosts ask for besides.
const SARIF: &str = r##"{
    "type": "object", "required": ["version", "runs", "$schema"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "minItems": 1, "items": {
            "type": "object", "required": ["tool", "results"],
            "properties": {
                "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                "tool": {"type": "object", "required": ["driver"], "properties": {"driver": {
                    "type": "object", "required": ["name", "rules", "semanticVersion"],
                    "properties": {"rules": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/rule"}}}
                }}},
                "results": {"type": "array", "items": {"$ref": "#/$defs/result"}}
            }
        }}
    },
    "$defs": {
        "text": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}},
        "level": {"enum": ["none", "note", "warning", "error"]},
        "rule": {
            "type": "object",
            "required": ["id", "name", "shortDescription", "fullDescription", "help", "defaultConfiguration"],
            "properties": {
                "id": {"type": "string", "pattern": "^[a-z]+(-[a-z]+)*$"},
                "name": {"type": "string", "pattern": "^[A-Z][A-Za-z]+$"},
                "shortDescription": {"$ref": "#/$defs/text"},
                "fullDescription": {"$ref": "#/$defs/text"},
                "help": {"allOf": [{"$ref": "#/$defs/text"}, {"required": ["markdown"]}]},
                "defaultConfiguration": {"required": ["level"], "properties": {"level": {"$ref": "#/$defs/level"}}}
            }
        },
        "result": {
            "type": "object",
            "required": ["ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints"],
            "properties": {
                "level": {"$ref": "#/$defs/level"},
                "message": {"$ref": "#/$defs/text"},
                "partialFingerprints": {"type": "object", "minProperties": 1, "additionalProperties": {"type": "string"}},
                "locations": {"type": "array", "minItems": 1, "items": {
                    "required": ["logicalLocations"],
                    "properties": {
                        "physicalLocation": {
                            "required": ["artifactLocation", "region"],
                            "properties": {
                                "artifactLocation": {"required": ["uri"], "properties": {"uri": {"pattern": "^[^ ]+$"}}},
                                "region": {"required": ["startLine"], "properties": {
                                    "startLine": {"type": "integer", "minimum": 1},
                                    "startColumn": {"type": "integer", "minimum": 1}
                                }}
                            }
                        },
                        "logicalLocations": {"type": "array", "items": {"required": ["fullyQualifiedName"]}}
                    }
                }}
            }
        }
    }
}"##;

#[test]
fn sarif_has_what_the_standard_requires() {
    let findings = findings();
    let log = sarif::log("1.2.3", &located(&findings));
    let schema: Value = serde_json::from_str(SARIF).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&log)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), findings.len());
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
    }
    insta::assert_json_snapshot!(results[0]);
}

/// The same finding has the same fingerprint wherever it is written.
#[test]
fn fingerprints_do_not_move_with_the_lines() {
    let findings = findings();
    let prints = |located: &[(&Finding, Option<Place>)]| {
        let results = sarif::log("1", located)["runs"][0]["results"].clone();
        let results = results.as_array().unwrap().clone();
        results
            .iter()
            .map(|result| result["partialFingerprints"].to_string())
            .collect::<Vec<_>>()
    };
    let nowhere: Vec<(&Finding, Option<Place>)> = findings.iter().map(|finding| (finding, None)).collect();
    let mut all = prints(&nowhere);
    assert_eq!(prints(&located(&findings)), all);
    all.sort();
    all.dedup();
    assert_eq!(all.len(), findings.len());
}
