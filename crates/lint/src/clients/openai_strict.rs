//! What would OpenAI's strict mode ask for?

use serde_json::Value;

use crate::finding::Finding;
use crate::listing::Listed;
use crate::rules;
use crate::schema::at_places;
use crate::schema::walk::{self, Node};

/// Keywords strict mode refuses.
const REFUSED: [&str; 10] = [
    "allOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "patternProperties",
    "propertyNames",
];

const NESTING_MAX: usize = 10;
const PROPERTIES_MAX: usize = 5_000;
const ENUM_VALUES_MAX: usize = 1_000;
const STRING_CHARS_MAX: usize = 120_000;
/// An enum of more values than this has its characters counted too.
const LARGE_ENUM: usize = 250;
const LARGE_ENUM_CHARS_MAX: usize = 15_000;

/// What strict mode refuses beyond what every function must keep to.
pub fn check(listed: &Listed<'_>) -> Vec<Finding> {
    let nodes = walk::nodes(&listed.schema);
    [
        open_objects(listed, &nodes),
        optional(listed, &nodes),
        keywords(listed, &nodes),
        size(listed, &nodes),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn is_object(schema: &Value) -> bool {
    walk::types(schema).contains(&"object") || schema["properties"].is_object()
}

fn open_objects(listed: &Listed<'_>, nodes: &[Node<'_>]) -> Option<Finding> {
    let open = nodes
        .iter()
        .filter(|node| is_object(node.schema) && node.schema["additionalProperties"] != Value::Bool(false));
    let places: Vec<_> = open
        .map(|node| (node.path.clone(), "is not closed".to_owned()))
        .collect();
    let instead = "add `\"additionalProperties\": false`".to_owned();
    at_places(&rules::STRICT_ADDITIONAL_PROPERTIES, listed, &places, instead)
}

fn optional(listed: &Listed<'_>, nodes: &[Node<'_>]) -> Option<Finding> {
    let mut places = Vec::new();
    for node in nodes {
        let required: Vec<&str> = crate::instead::required(node.schema).collect();
        let properties = node.schema["properties"].as_object().into_iter().flatten();
        let missing: Vec<String> = properties
            .filter(|(name, _)| !required.contains(&name.as_str()))
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        if !missing.is_empty() {
            places.push((
                node.path.clone(),
                format!("does not require {}", missing.join(", ")),
            ));
        }
    }
    let instead =
        "list every property in `required`, optional ones with `\"null\"` among their types".to_owned();
    at_places(&rules::STRICT_REQUIRED, listed, &places, instead)
}

fn keywords(listed: &Listed<'_>, nodes: &[Node<'_>]) -> Option<Finding> {
    let mut places = Vec::new();
    for node in nodes {
        let schema = node.schema.as_object()?;
        for key in REFUSED.iter().filter(|key| schema.contains_key(**key)) {
            places.push((node.path.clone(), format!("has `{key}`")));
        }
    }
    let instead = "use `anyOf` below the top level, or say it in `description`".to_owned();
    at_places(&rules::STRICT_KEYWORD, listed, &places, instead)
}

fn size(listed: &Listed<'_>, nodes: &[Node<'_>]) -> Option<Finding> {
    let nesting = nodes.iter().map(|node| node.depth).max().unwrap_or_default();
    let names = || {
        nodes
            .iter()
            .flat_map(|node| node.schema["properties"].as_object().into_iter().flatten())
            .map(|(name, _)| name.chars().count())
    };
    let enums: Vec<&Vec<Value>> = nodes
        .iter()
        .filter_map(|node| node.schema["enum"].as_array())
        .collect();
    let chars = |values: &[Value]| -> usize {
        let texts = values.iter().filter_map(Value::as_str);
        texts.map(|text| text.chars().count()).sum()
    };
    let values: usize = enums.iter().map(|values| values.len()).sum();
    let total = names().sum::<usize>() + enums.iter().map(|values| chars(values)).sum::<usize>();
    let large = enums
        .iter()
        .filter(|values| values.len() > LARGE_ENUM)
        .map(|values| chars(values))
        .max()
        .unwrap_or_default();
    let places: Vec<(String, String)> = [
        (nesting, NESTING_MAX, "levels of nesting"),
        (names().count(), PROPERTIES_MAX, "properties"),
        (values, ENUM_VALUES_MAX, "enum values"),
        (total, STRING_CHARS_MAX, "characters of names and values"),
        (large, LARGE_ENUM_CHARS_MAX, "characters in one large enum"),
    ]
    .into_iter()
    .filter(|(count, most, _)| count > most)
    .map(|(count, most, what)| {
        (
            String::new(),
            format!("has {count} {what}, at most {most} are allowed"),
        )
    })
    .collect();
    let instead = "split the tool, or take the large part as a string".to_owned();
    at_places(&rules::STRICT_SIZE, listed, &places, instead)
}

#[cfg(test)]
mod tests {
    use crate::Client::OpenAiStrict;
    use crate::clients::tests::check;

    #[test]
    fn what_strict_mode_refuses() {
        check(
            OpenAiStrict,
            r#"{"type":"object","properties":{"a":{"type":["string","null"]}},"required":["a"],"additionalProperties":false}"#,
            &[],
        );
        check(
            OpenAiStrict,
            r#"{"type":"object","properties":{"a":{"oneOf":[{"type":"object","properties":{}}]},"b":{}},"required":["a"]}"#,
            &[
                (
                    "strict-additional-properties",
                    "`inputSchema` is not closed, `inputSchema.properties.a.oneOf[0]` is not closed",
                ),
                ("strict-required", "`inputSchema` does not require `b`"),
                ("strict-keyword", "`inputSchema.properties.a` has `oneOf`"),
            ],
        );
        let mut deep = r#"{"type":"string"}"#.to_owned();
        for _ in 0..11 {
            deep = format!(
                r#"{{"type":"object","properties":{{"a":{deep}}},"required":["a"],"additionalProperties":false}}"#
            );
        }
        check(
            OpenAiStrict,
            &deep,
            &[(
                "strict-size",
                "`inputSchema` has 11 levels of nesting, at most 10 are allowed",
            )],
        );
    }
}
