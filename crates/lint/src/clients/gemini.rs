//! Which schemas do Gemini's function declarations refuse as `parameters`?

use serde_json::Value;

use crate::finding::Finding;
use crate::listing::Listed;
use crate::schema::walk::{self, Node};
use crate::schema::{at_misnamed, at_places};
use crate::{Rule, rules};

/// The members of Gemini's `Schema`, in alphabetical order.
const KNOWN: [&str; 22] = [
    "anyOf",
    "default",
    "description",
    "enum",
    "example",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "nullable",
    "pattern",
    "properties",
    "propertyOrdering",
    "required",
    "title",
    "type",
];

const KEY_CHARS_MAX: usize = 64;

/// What Gemini refuses in `parameters`.
pub fn check(listed: &Listed<'_>) -> Vec<Finding> {
    let nodes = walk::nodes(&listed.schema);
    // Definitions are refused as a whole; what is in them is no further matter.
    let nodes: Vec<Node<'_>> = nodes
        .into_iter()
        .filter(|node| !node.path.contains("$defs.") && !node.path.contains("definitions."))
        .collect();
    [
        parameter_names(listed),
        keywords(listed, &nodes),
        each(
            &rules::GEMINI_TYPE_LIST,
            listed,
            &nodes,
            type_list,
            "write one type, and `\"nullable\": true` for null",
        ),
        each(
            &rules::GEMINI_ENUM,
            listed,
            &nodes,
            odd_enum,
            "write the values as non-empty strings, with `\"type\": \"string\"`",
        ),
        each(
            &rules::GEMINI_FORMAT,
            listed,
            &nodes,
            odd_format,
            "take `format` out and name it in `description`",
        ),
        each(
            &rules::GEMINI_EMPTY_OBJECT,
            listed,
            &nodes,
            empty_object,
            "name its properties, or take the JSON as a string",
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// One finding for every schema of which `what` says something.
fn each(
    rule: &'static Rule,
    listed: &Listed<'_>,
    nodes: &[Node<'_>],
    what: fn(&Node<'_>) -> Option<String>,
    instead: &str,
) -> Option<Finding> {
    let places: Vec<(String, String)> = nodes
        .iter()
        .filter_map(|node| Some((node.path.clone(), what(node)?)))
        .collect();
    at_places(rule, listed, &places, instead.to_owned())
}

fn parameter_names(listed: &Listed<'_>) -> Option<Finding> {
    let fits = |name: &str| {
        name.len() <= KEY_CHARS_MAX
            && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    at_misnamed(
        &rules::GEMINI_NAME,
        listed,
        fits,
        "rename it with letters, digits and `_`",
    )
}

/// The unknown keywords of a whole schema, each told once with how often it is there.
fn keywords(listed: &Listed<'_>, nodes: &[Node<'_>]) -> Option<Finding> {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    let mut first = None;
    for node in nodes {
        for key in node.schema.as_object()?.keys() {
            if KNOWN.binary_search(&key.as_str()).is_ok() {
                continue;
            }
            first.get_or_insert(&node.path);
            match counts.iter_mut().find(|(known, _)| known == key) {
                Some((_, count)) => *count += 1,
                None => counts.push((key, 1)),
            }
        }
    }
    let told: Vec<String> = counts
        .iter()
        .map(|(key, count)| match count {
            1 => format!("`{key}`"),
            _ => format!("`{key}` ({count} places)"),
        })
        .collect();
    let instead = "leave it out where the schema is meant for Gemini, and write references out";
    let mut finding = at_places(
        &rules::GEMINI_KEYWORD,
        listed,
        &[(String::new(), format!("has {}", told.join(", ")))],
        instead.to_owned(),
    )?;
    finding.path.clone_from(first?);
    Some(finding)
}

fn type_list(node: &Node<'_>) -> Option<String> {
    let list = node.schema["type"].as_array()?;
    Some(format!("has the types {}", Value::Array(list.clone())))
}

fn odd_enum(node: &Node<'_>) -> Option<String> {
    let values = node.schema["enum"].as_array()?;
    if let Some(odd) = values
        .iter()
        .find(|value| !value.is_string() || value.as_str() == Some(""))
    {
        return Some(format!("has {odd} in its `enum`"));
    }
    let is_string = walk::types(node.schema).contains(&"string");
    (!is_string).then(|| "has an `enum` without `\"type\": \"string\"`".to_owned())
}

fn odd_format(node: &Node<'_>) -> Option<String> {
    let format = node.schema["format"].as_str()?;
    let known: &[&str] = match walk::types(node.schema).first().copied() {
        Some("string") | None => &["enum", "date-time"],
        Some("integer") => &["int32", "int64"],
        Some("number") => &["float", "double"],
        Some(_) => &[],
    };
    (!known.contains(&format)).then(|| format!("has the format `{format}`"))
}

fn empty_object(node: &Node<'_>) -> Option<String> {
    let is_object = walk::types(node.schema).contains(&"object");
    let is_empty = node.schema["properties"]
        .as_object()
        .is_none_or(serde_json::Map::is_empty);
    (is_object && is_empty && !node.path.is_empty()).then(|| "is an object without properties".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Client::Gemini;
    use crate::clients::tests::check;

    #[test]
    fn the_list_is_sorted() {
        assert!(KNOWN.is_sorted());
    }

    #[test]
    fn x4_what_gemini_refuses() {
        check(
            Gemini,
            r#"{"type":"object","properties":{"when":{"type":"string","format":"date-time"},"unit":{"type":"string","enum":["a"]}}}"#,
            &[],
        );
        check(
            Gemini,
            r##"{"$schema":"x","type":"object","properties":{"a-b":{"$ref":"#/$defs/A"},"n":{"type":["string","null"]}},"additionalProperties":false,"$defs":{"A":{"const":1}}}"##,
            &[
                (
                    "gemini-parameter-name",
                    "`inputSchema.properties.a-b` is no name it takes",
                ),
                (
                    "gemini-keyword",
                    "`inputSchema` has `$schema`, `additionalProperties`, `$defs`, `$ref`",
                ),
                (
                    "gemini-type-list",
                    "`inputSchema.properties.n` has the types [\"string\",\"null\"]",
                ),
            ],
        );
        check(
            Gemini,
            r#"{"type":"object","properties":{"a":{"type":"integer","enum":[1]},"b":{"type":"string","enum":[""]},"c":{"type":"string","format":"uri"},"d":{"type":"array"},"e":{"type":"object"}}}"#,
            &[
                (
                    "gemini-enum",
                    "`inputSchema.properties.a` has 1 in its `enum`, `inputSchema.properties.b` has \"\" in its `enum`",
                ),
                ("gemini-format", "`inputSchema.properties.c` has the format `uri`"),
                (
                    "gemini-empty-object",
                    "`inputSchema.properties.e` is an object without properties",
                ),
                (
                    "array-items",
                    "`inputSchema.properties.d` is an array without `items`",
                ),
            ],
        );
    }
}
