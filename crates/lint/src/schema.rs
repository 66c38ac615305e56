//! Is the input schema sound, and can a model fill it in?

pub mod walk;

use serde_json::Value;

use crate::finding::{Finding, Member, Severity};
use crate::listing::Listed;
use crate::{Rule, rules};

/// Places of one finding that are told of; the rest are counted.
const PLACES_TOLD: usize = 3;

/// What is wrong with the input schema of a tool, whatever the client.
pub fn check(listed: &Listed<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = [not_object(listed), invalid(listed)]
        .into_iter()
        .flatten()
        .collect();
    findings.extend(required_unknown(listed));
    findings.extend(undescribed(listed));
    findings
}

/// One finding for all parameters whose name does not fit.
pub(crate) fn at_misnamed(
    rule: &'static Rule,
    listed: &Listed<'_>,
    fits: impl Fn(&str) -> bool,
    instead: &str,
) -> Option<Finding> {
    let properties = listed.schema["properties"].as_object()?;
    let places: Vec<(String, String)> = properties
        .keys()
        .filter(|name| !fits(name))
        .map(|name| (format!("properties.{name}"), "is no name it takes".to_owned()))
        .collect();
    at_places(rule, listed, &places, instead.to_owned())
}

/// One finding for all places of a schema that break a rule; `None` without any. Each place is a path such
/// as `properties.from` and what is there.
pub(crate) fn at_places(
    rule: &'static Rule,
    listed: &Listed<'_>,
    places: &[(String, String)],
    instead: String,
) -> Option<Finding> {
    let (first, _) = places.first()?;
    let told: Vec<String> = places
        .iter()
        .take(PLACES_TOLD)
        .map(|(path, what)| format!("{} {what}", told_path(path)))
        .collect();
    let more = places.len().saturating_sub(PLACES_TOLD);
    let mut message = told.join(", ");
    if more > 0 {
        message.push_str(&format!(", and {more} more"));
    }
    let mut finding = Finding::new(rule, &listed.tool.name, Member::InputSchema, message, instead);
    finding.path.clone_from(first);
    Some(finding)
}

/// A path as it is told: one that leads far down is cut in its middle.
fn told_path(path: &str) -> String {
    const CHARS_MAX: usize = 70;
    let whole = format!("inputSchema.{path}");
    let parts: Vec<&str> = path.split('.').collect();
    if path.is_empty() {
        "`inputSchema`".to_owned()
    } else if whole.chars().count() <= CHARS_MAX || parts.len() < 6 {
        format!("`{whole}`")
    } else {
        let (start, end) = (parts[..2].join("."), parts[parts.len() - 3..].join("."));
        format!("`inputSchema.{start}…{end}`")
    }
}

fn one(rule: &'static Rule, listed: &Listed<'_>, message: String, instead: &str) -> Finding {
    Finding::new(
        rule,
        &listed.tool.name,
        Member::InputSchema,
        message,
        instead.to_owned(),
    )
}

fn not_object(listed: &Listed<'_>) -> Option<Finding> {
    let kind = &listed.schema["type"];
    if kind == "object" {
        return None;
    }
    let has = if kind.is_null() {
        "has no `type`".to_owned()
    } else {
        format!("has `\"type\": {kind}`")
    };
    let message = format!("`inputSchema` {has} at its top level");
    let instead = if listed.schema["properties"].is_object() {
        "add `\"type\": \"object\"`"
    } else {
        "write `{\"type\": \"object\", \"properties\": {}}`, with the parameters as properties"
    };
    Some(one(&rules::SCHEMA_NOT_OBJECT, listed, message, instead))
}

fn invalid(listed: &Listed<'_>) -> Option<Finding> {
    let (path, reason) = fault(&listed.schema)?;
    let message = format!("{} is no valid JSON Schema: {reason}", told_path(&path));
    let mut finding = one(
        &rules::SCHEMA_INVALID,
        listed,
        message,
        "correct it, and have your tests compile the schema",
    );
    finding.path = path;
    Some(finding)
}

/// Where a schema breaks the draft it says it is written in, and why.
fn fault(schema: &Value) -> Option<(String, String)> {
    if schema.is_null() {
        return Some((String::new(), "it nests too deeply to be read".to_owned()));
    }
    let named = schema["$schema"].as_str().unwrap_or_default();
    let checked = if named.contains("draft-04") {
        jsonschema::draft4::meta::validate(schema)
    } else if named.contains("draft-06") {
        jsonschema::draft6::meta::validate(schema)
    } else if named.contains("draft-07") {
        jsonschema::draft7::meta::validate(schema)
    } else if named.contains("2019-09") {
        jsonschema::draft201909::meta::validate(schema)
    } else {
        jsonschema::draft202012::meta::validate(schema)
    };
    checked.err().map(|error| told(&error))
}

/// Where the schema is no valid draft 2020-12, and why.
pub(crate) fn newest_fault(schema: &Value) -> Option<(String, String)> {
    jsonschema::draft202012::meta::validate(schema)
        .err()
        .map(|error| told(&error))
}

/// Whether the schema is valid in the draft it says it is written in.
pub(crate) fn is_valid(schema: &Value) -> bool {
    fault(schema).is_none()
}

fn told(error: &jsonschema::ValidationError<'_>) -> (String, String) {
    let path = walk::dotted(error.instance_path().as_str());
    let reason = if path == "type" || path.ends_with(".type") {
        format!("{} is no type of JSON", error.instance())
    } else {
        crate::sentences::shortened(&error.to_string(), 160)
    };
    (path, reason)
}

fn required_unknown(listed: &Listed<'_>) -> Option<Finding> {
    let places: Vec<(String, String)> = walk::nodes(&listed.schema)
        .into_iter()
        .filter_map(|node| {
            let properties = node.schema["properties"].as_object()?;
            let unknown: Vec<String> = crate::instead::required(node.schema)
                .filter(|name| !properties.contains_key(*name))
                .map(|name| format!("`{name}`"))
                .collect();
            (!unknown.is_empty()).then(|| {
                (
                    node.path.clone(),
                    format!("requires {}, which it does not describe", unknown.join(", ")),
                )
            })
        })
        .collect();
    let instead = "describe it under `properties`, or take it out of `required`".to_owned();
    at_places(&rules::SCHEMA_REQUIRED_UNKNOWN, listed, &places, instead)
}

fn undescribed(listed: &Listed<'_>) -> Option<Finding> {
    let properties = listed.schema["properties"].as_object()?;
    let is_described = |schema: &Value| {
        let resolved = walk::resolved(&listed.schema, schema);
        [schema, resolved].into_iter().any(|schema| {
            let text = |key: &str| schema[key].as_str().is_some_and(|text| !text.trim().is_empty());
            text("description")
                || ["anyOf", "oneOf", "allOf"].into_iter().any(|key| {
                    let parts = schema[key].as_array().into_iter().flatten();
                    parts.into_iter().any(|part| part["description"].is_string())
                })
        })
    };
    let names: Vec<&str> = properties
        .iter()
        .filter(|(_, schema)| !is_described(schema))
        .map(|(name, _)| name.as_str())
        .collect();
    let first = names.first()?;
    let shown: Vec<String> = names.iter().take(4).map(|name| format!("`{name}`")).collect();
    let more = if names.len() > 4 { ", …" } else { "" };
    let message = format!(
        "{} of {} parameters {} no `description`: {}{more}",
        names.len(),
        properties.len(),
        if names.len() == 1 { "has" } else { "have" },
        shown.join(", ")
    );
    let instead =
        format!("say of each what it is, in which form, with an example: \"`{first}`: …, such as …\"");
    let mut finding = one(&rules::PARAMETER_UNDESCRIBED, listed, message, &instead);
    finding.path = format!("properties.{first}");
    finding.severity = Severity::Note;
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::servers;
    use crate::listing::tests::tool;
    use handpick_domain::Catalog;
    use std::sync::Arc;

    #[track_caller]
    fn check_schema(schema: &str, expected: &[(&str, &str)]) {
        let catalog = Catalog::new(1, vec![Arc::new(tool("app", "t", "", schema))]);
        let servers = servers(&catalog);
        let findings = check(&servers[0].tools[0]);
        let told: Vec<(&str, &str)> = findings
            .iter()
            .map(|finding| (finding.rule.id, finding.message.as_str()))
            .collect();
        assert_eq!(told, expected, "{schema}");
    }

    #[test]
    fn sound_schemas() {
        check_schema(r#"{"type":"object","properties":{}}"#, &[]);
        check_schema(
            r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"description":"x"}}}"##,
            &[],
        );
        check_schema(
            r#"{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","properties":{"n":{"type":"number","minimum":0,"exclusiveMinimum":true,"description":"n"}}}"#,
            &[],
        );
    }

    #[test]
    fn unsound_schemas() {
        check_schema(
            "{}",
            &[(
                "schema-not-object",
                "`inputSchema` has no `type` at its top level",
            )],
        );
        check_schema(
            r#"{"type":"object","properties":{"a":{"type":"text","description":"a"}}}"#,
            &[(
                "schema-invalid",
                "`inputSchema.properties.a.type` is no valid JSON Schema: \"text\" is no type of JSON",
            )],
        );
        check_schema(
            r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"description":"b"}},"required":["a","c"]}"#,
            &[
                (
                    "schema-required-unknown",
                    "`inputSchema` requires `c`, which it does not describe",
                ),
                (
                    "parameter-undescribed",
                    "1 of 2 parameters has no `description`: `a`",
                ),
            ],
        );
    }
}
