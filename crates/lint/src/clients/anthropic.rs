//! Which schemas does Anthropic's Messages API refuse?

use crate::finding::{Finding, Member};
use crate::listing::Listed;
use crate::rules;
use crate::schema::{at_misnamed, at_places, is_valid, newest_fault};

use super::openai::combinations;

const KEY_CHARS_MAX: usize = 64;

/// What Anthropic refuses.
pub fn check(listed: &Listed<'_>) -> Vec<Finding> {
    [top_level(listed), keys(listed), draft(listed)]
        .into_iter()
        .flatten()
        .collect()
}

fn top_level(listed: &Listed<'_>) -> Option<Finding> {
    combinations(listed, &["oneOf", "allOf", "anyOf"]).and_then(|places| {
        let instead = "merge the variants into one object with optional properties, and say in `description` which go together";
        at_places(&rules::ANTHROPIC_TOP_LEVEL, listed, &places, instead.to_owned())
    })
}

fn keys(listed: &Listed<'_>) -> Option<Finding> {
    let fits = |name: &str| {
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
        (1..=KEY_CHARS_MAX).contains(&name.len()) && name.chars().all(allowed)
    };
    at_misnamed(
        &rules::ANTHROPIC_KEY,
        listed,
        fits,
        "rename it with letters, digits, `_`, `.` and `-`, at most 64",
    )
}

/// A schema that is valid nowhere is told of by the rule about that.
fn draft(listed: &Listed<'_>) -> Option<Finding> {
    let (path, reason) = newest_fault(&listed.schema).filter(|_| is_valid(&listed.schema))?;
    let place = if path.is_empty() {
        String::new()
    } else {
        format!(".{path}")
    };
    let message = format!("`inputSchema{place}` is not valid in draft 2020-12: {reason}");
    let instead =
        "write it in draft 2020-12: `prefixItems` for a list of `items`, numbers for `exclusiveMinimum`";
    let mut finding = Finding::new(
        &rules::ANTHROPIC_DRAFT,
        &listed.tool.name,
        Member::InputSchema,
        message,
        instead.to_owned(),
    );
    finding.path = path;
    Some(finding)
}

#[cfg(test)]
mod tests {
    use crate::Client::Anthropic;
    use crate::clients::tests::check;

    #[test]
    fn x3_what_anthropic_refuses() {
        check(
            Anthropic,
            r#"{"type":"object","properties":{"a.b-c_1":{"oneOf":[]}},"not":{}}"#,
            &[],
        );
        check(
            Anthropic,
            r#"{"type":"object","oneOf":[{}]}"#,
            &[(
                "anthropic-top-level",
                "`inputSchema` has `oneOf` at its top level",
            )],
        );
        check(
            Anthropic,
            r#"{"type":"object","properties":{"filter[id]":{},"$top":{},"nested":{"properties":{"$x":{}}}}}"#,
            &[(
                "anthropic-property-key",
                "`inputSchema.properties.filter[id]` is no name it takes, `inputSchema.properties.$top` is no name it takes",
            )],
        );
        check(
            Anthropic,
            r#"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"items":[{"type":"string"}]}}}"#,
            &[(
                "anthropic-draft",
                "`inputSchema.properties.a.items` is not valid in draft 2020-12: [{\"type\":\"string\"}] is not of types \"boolean\", \"object\"",
            )],
        );
    }
}
