//! Which schemas does a schema hold?

use serde_json::Value;

/// Deeper than this no schema is looked into.
const DEPTH_MAX: usize = 64;

/// A schema inside a schema.
#[derive(Clone, Debug)]
pub struct Node<'s> {
    /// Where it is, such as `properties.items.items`; empty at the top.
    pub path: String,
    /// How many objects and arrays it lies in; 0 at the top.
    pub depth: usize,
    /// The schema itself, always an object.
    pub schema: &'s Value,
}

/// Members that hold one schema.
const SINGLE: [&str; 9] = [
    "items",
    "additionalProperties",
    "additionalItems",
    "contains",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
];
/// Members that hold a list of schemas.
const LISTS: [&str; 5] = ["anyOf", "oneOf", "allOf", "prefixItems", "items"];
/// Members that hold schemas by name.
const MAPS: [&str; 5] = [
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
];

/// The schema and every schema inside it, outer ones first. References are not followed: what they lead to
/// is a schema of the document itself.
pub fn nodes(schema: &Value) -> Vec<Node<'_>> {
    let mut nodes = Vec::new();
    collect(
        Node {
            path: String::new(),
            depth: 0,
            schema,
        },
        0,
        &mut nodes,
    );
    nodes
}

fn collect<'s>(node: Node<'s>, steps: usize, nodes: &mut Vec<Node<'s>>) {
    if !node.schema.is_object() || steps > DEPTH_MAX {
        return;
    }
    let (path, depth, schema) = (node.path.clone(), node.depth, node.schema);
    nodes.push(node);
    let mut below = |key: String, deeper: usize, schema: &'s Value| {
        let path = if path.is_empty() {
            key
        } else {
            format!("{path}.{key}")
        };
        let depth = depth + deeper;
        collect(Node { path, depth, schema }, steps + 1, nodes);
    };
    for key in SINGLE {
        below(key.to_owned(), usize::from(key == "items"), &schema[key]);
    }
    for key in LISTS {
        for (nth, part) in schema[key].as_array().into_iter().flatten().enumerate() {
            below(format!("{key}[{nth}]"), 0, part);
        }
    }
    for key in MAPS {
        for (name, part) in schema[key].as_object().into_iter().flatten() {
            below(format!("{key}.{name}"), usize::from(key == "properties"), part);
        }
    }
}

/// What a schema's `$ref` into its own document leads to, or the schema itself.
pub fn resolved<'s>(document: &'s Value, schema: &'s Value) -> &'s Value {
    schema["$ref"]
        .as_str()
        .and_then(|reference| reference.strip_prefix('#'))
        .and_then(|pointer| document.pointer(pointer))
        .unwrap_or(schema)
}

/// The types a schema names: one, several, or none.
pub fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// A JSON pointer as people write paths: `/properties/a/items/0` becomes `properties.a.items[0]`.
pub fn dotted(pointer: &str) -> String {
    let mut path = String::new();
    for part in pointer.split('/').skip(1) {
        let part = part.replace("~1", "/").replace("~0", "~");
        if !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()) {
            path.push_str(&format!("[{part}]"));
        } else {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(&part);
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_has_its_path() {
        let schema = serde_json::json!({
            "properties": {"a": {"items": {"anyOf": [{"type": "string"}, true]}}},
            "$defs": {"B": {"not": {}}}
        });
        let nodes = nodes(&schema);
        let paths: Vec<(&str, usize)> = nodes
            .iter()
            .map(|node| (node.path.as_str(), node.depth))
            .collect();
        assert_eq!(
            paths,
            [
                ("", 0),
                ("properties.a", 1),
                ("properties.a.items", 2),
                ("properties.a.items.anyOf[0]", 2),
                ("$defs.B", 0),
                ("$defs.B.not", 0),
            ]
        );
    }

    #[test]
    fn endless_schemas_end() {
        let mut schema = Value::Object(serde_json::Map::new());
        for _ in 0..100 {
            schema = serde_json::json!({"items": schema});
        }
        assert_eq!(nodes(&schema).len(), DEPTH_MAX + 1);
    }
}
