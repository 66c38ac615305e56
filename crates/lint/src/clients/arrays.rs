//! Which arrays do not say what they hold?

use crate::finding::Finding;
use crate::listing::Listed;
use crate::rules;
use crate::schema::{at_places, walk};

/// Arrays without `items`, which OpenAI and Gemini refuse.
pub fn check(listed: &Listed<'_>) -> Option<Finding> {
    let places: Vec<(String, String)> = walk::nodes(&listed.schema)
        .into_iter()
        .filter(|node| walk::types(node.schema).contains(&"array"))
        .filter(|node| {
            !["items", "prefixItems"]
                .iter()
                .any(|key| !node.schema[key].is_null())
        })
        .map(|node| (node.path, "is an array without `items`".to_owned()))
        .collect();
    let instead = "add `items`, such as `\"items\": {\"type\": \"string\"}`".to_owned();
    at_places(&rules::ARRAY_ITEMS, listed, &places, instead)
}

#[cfg(test)]
mod tests {
    use crate::Client::{Anthropic, OpenAi};
    use crate::clients::tests::check;

    #[test]
    fn arrays_without_items() {
        let schema = r#"{"type":"object","properties":{"a":{"type":"array"},"b":{"type":["array","null"]},"c":{"type":"array","items":{}}}}"#;
        check(
            OpenAi,
            schema,
            &[(
                "array-items",
                "`inputSchema.properties.a` is an array without `items`, `inputSchema.properties.b` is an array without `items`",
            )],
        );
        check(Anthropic, schema, &[]);
    }
}
