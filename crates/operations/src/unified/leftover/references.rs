//! What does a schema say of a property where it only refers to it, or allows null beside it?

use serde_json::Value;

/// References behind one another that are followed; a circle ends here.
const HOPS_MAX: usize = 8;

/// What a property is: behind local references, and as the only alternative to null.
pub(super) fn followed<'s>(root: &'s Value, property: &'s Value) -> &'s Value {
    let mut at = property;
    for _ in 0..HOPS_MAX {
        let next = match at["$ref"].as_str() {
            Some(reference) => reference
                .strip_prefix('#')
                .and_then(|pointer| root.pointer(pointer)),
            None => only_alternative(at),
        };
        match next {
            Some(next) => at = next,
            None => break,
        }
    }
    at
}

/// The one alternative of a property that has one beside null.
fn only_alternative(property: &Value) -> Option<&Value> {
    let listed = ["anyOf", "oneOf", "allOf"]
        .iter()
        .find_map(|word| property[*word].as_array())?;
    let mut alternatives = listed.iter().filter(|alternative| alternative["type"] != "null");
    alternatives.next().filter(|_| alternatives.next().is_none())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn references_and_nullables_are_followed() {
        let root = json!({"$defs": {
            "Kind": {"enum": ["a", "b"]},
            "Circle": {"$ref": "#/$defs/Circle"},
            "Maybe": {"anyOf": [{"$ref": "#/$defs/Kind"}, {"type": "null"}]}
        }});
        let kind = json!({"enum": ["a", "b"]});
        for (property, expected) in [
            (json!({"$ref": "#/$defs/Kind"}), kind.clone()),
            (json!({"$ref": "#/$defs/Maybe"}), kind.clone()),
            (
                json!({"anyOf": [{"type": "null"}, {"enum": ["a", "b"]}]}),
                kind.clone(),
            ),
            (json!({"allOf": [{"$ref": "#/$defs/Kind"}]}), kind),
            (
                json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}),
                json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}),
            ),
            (
                json!({"$ref": "#/$defs/Nothing"}),
                json!({"$ref": "#/$defs/Nothing"}),
            ),
            (
                json!({"$ref": "https://x.example"}),
                json!({"$ref": "https://x.example"}),
            ),
            (
                json!({"$ref": "#/$defs/Circle"}),
                json!({"$ref": "#/$defs/Circle"}),
            ),
            (json!(true), json!(true)),
        ] {
            assert_eq!(followed(&root, &property), &expected, "{property}");
        }
    }
}
