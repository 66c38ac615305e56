//! Which schemas does OpenAI's function calling refuse, strict or not?

use crate::finding::Finding;
use crate::listing::Listed;
use crate::rules;
use crate::schema::at_places;

/// Members the top level may not have.
const TOP_LEVEL: [&str; 6] = ["oneOf", "anyOf", "allOf", "enum", "const", "not"];

/// What OpenAI refuses in any function.
pub fn check(listed: &Listed<'_>) -> Vec<Finding> {
    [top_level(listed), properties(listed)]
        .into_iter()
        .flatten()
        .collect()
}

fn top_level(listed: &Listed<'_>) -> Option<Finding> {
    combinations(listed, &TOP_LEVEL).and_then(|places| {
        let instead = "merge the variants into one object with optional properties, and say in `description` which go together";
        at_places(&rules::OPENAI_TOP_LEVEL, listed, &places, instead.to_owned())
    })
}

/// The combinations of a schema's top level among `keys`, as places.
pub(super) fn combinations(listed: &Listed<'_>, keys: &[&str]) -> Option<Vec<(String, String)>> {
    let schema = listed.schema.as_object()?;
    let found: Vec<String> = keys
        .iter()
        .filter(|key| schema.contains_key(**key))
        .map(|key| format!("`{key}`"))
        .collect();
    (!found.is_empty()).then(|| {
        vec![(
            String::new(),
            format!("has {} at its top level", found.join(", ")),
        )]
    })
}

fn properties(listed: &Listed<'_>) -> Option<Finding> {
    let schema = listed.schema.as_object()?;
    // With any other type another rule says what to write.
    if schema.contains_key("properties") || listed.schema["type"] != "object" {
        return None;
    }
    let places = [(String::new(), "has no `properties`".to_owned())];
    at_places(
        &rules::OPENAI_PROPERTIES,
        listed,
        &places,
        "add `\"properties\": {}`".to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use crate::Client::OpenAi;
    use crate::clients::tests::check;

    #[test]
    fn x1_what_openai_refuses() {
        check(OpenAi, r#"{"type":"object","properties":{}}"#, &[]);
        check(
            OpenAi,
            r#"{"type":"object","properties":{},"anyOf":[{"required":["a"]}],"not":{}}"#,
            &[(
                "openai-top-level",
                "`inputSchema` has `anyOf`, `not` at its top level",
            )],
        );
        check(
            OpenAi,
            r#"{"type":"object"}"#,
            &[("openai-properties", "`inputSchema` has no `properties`")],
        );
        check(
            OpenAi,
            r#"{"type":"object","properties":{"a":{"anyOf":[{"type":"string"}]}},"additionalProperties":true}"#,
            &[],
        );
    }
}
