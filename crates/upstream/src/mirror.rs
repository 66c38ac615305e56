//! Which arguments does a tool want repeated as HTTP headers?
//!
//! Modern servers mark parameters with `x-mcp-header`; a client must mirror them as `Mcp-Param-*` and
//! must refuse a tool whose marks break the rules.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderName, HeaderValue};
use serde_json::Value;
use serde_json::value::RawValue;

/// The keyword that marks a parameter.
const MARK: &str = "x-mcp-header";

/// One parameter that is mirrored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mirror {
    header: HeaderName,
    /// The chain of property names that leads to the value.
    path: Vec<String>,
}

/// Finds the marks of an input schema, or says which rule they break.
pub(crate) fn plan(schema: &RawValue) -> Result<Vec<Mirror>, String> {
    // Hardly any tool has marks; those without are not parsed.
    if !schema.get().contains(MARK) {
        return Ok(Vec::new());
    }
    let schema: Value = serde_json::from_str(schema.get()).map_err(|error| error.to_string())?;
    let mut mirrors = Vec::new();
    let mut path = Vec::new();
    walk(&schema, true, &mut path, &mut mirrors)?;
    let mut seen = BTreeSet::new();
    for mirror in &mirrors {
        if !seen.insert(mirror.header.as_str()) {
            return Err(format!("`{MARK}` marks two parameters with the same name"));
        }
    }
    Ok(mirrors)
}

/// `reachable`: this place was reached through `properties` alone.
fn walk(
    schema: &Value,
    reachable: bool,
    path: &mut Vec<String>,
    mirrors: &mut Vec<Mirror>,
) -> Result<(), String> {
    let members = match schema {
        Value::Object(members) => members,
        Value::Array(items) => {
            return items.iter().try_for_each(|item| walk(item, false, path, mirrors));
        }
        _ => return Ok(()),
    };
    if let Some(mark) = members.get(MARK) {
        if !reachable || path.is_empty() {
            return Err(format!("`{MARK}` stands where no single argument can be meant"));
        }
        mirrors.push(Mirror {
            header: header_name(mark)?,
            path: path.clone(),
        });
        if !matches!(
            members.get("type").and_then(Value::as_str),
            Some("string" | "integer" | "boolean")
        ) {
            return Err(format!(
                "`{MARK}` marks a parameter that is not a string, integer or boolean"
            ));
        }
    }
    for (keyword, inner) in members {
        match inner {
            // Plain data may hold anything.
            _ if matches!(keyword.as_str(), MARK | "default" | "const" | "enum" | "examples") => {}
            Value::Object(properties) if keyword == "properties" => {
                for (name, property) in properties {
                    path.push(name.clone());
                    walk(property, reachable, path, mirrors)?;
                    path.pop();
                }
            }
            inner => walk(inner, false, path, mirrors)?,
        }
    }
    Ok(())
}

fn header_name(mark: &Value) -> Result<HeaderName, String> {
    mark.as_str()
        .filter(|name| !name.is_empty())
        .and_then(|name| HeaderName::try_from(format!("mcp-param-{name}")).ok())
        .ok_or_else(|| format!("`{MARK}` is {mark}, not a header name"))
}

/// The headers for one call. Arguments that are missing, `null` or of another type are left out.
pub(crate) fn headers(mirrors: &[Mirror], arguments: &RawValue) -> Vec<(HeaderName, HeaderValue)> {
    if mirrors.is_empty() {
        return Vec::new();
    }
    let Ok(arguments) = serde_json::from_str::<Value>(arguments.get()) else {
        return Vec::new();
    };
    mirrors
        .iter()
        .filter_map(|mirror| {
            let value = mirror
                .path
                .iter()
                .try_fold(&arguments, |value, key| value.get(key))?;
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Bool(value) => value.to_string(),
                Value::Number(number) => number.to_string(),
                _ => return None,
            };
            Some((mirror.header.clone(), header_value(&text)))
        })
        .collect()
}

/// Text as a header value: as it is where that is safe, else in Base64 between the sentinels.
pub(crate) fn header_value(text: &str) -> HeaderValue {
    let plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t'))
        && text.trim_matches([' ', '\t']) == text
        && !(text.starts_with("=?base64?") && text.ends_with("?="));
    let encoded = if plain {
        HeaderValue::from_str(text)
    } else {
        HeaderValue::from_str(&format!("=?base64?{}?=", STANDARD.encode(text)))
    };
    encoded.unwrap_or(HeaderValue::from_static(""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    /// The examples of the specification.
    #[test]
    fn values_are_encoded_where_needed() {
        for (text, expected) in [
            ("us-west1", "us-west1"),
            ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
            (" padded ", "=?base64?IHBhZGRlZCA=?="),
            ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
            ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
            ("", ""),
        ] {
            assert_eq!(header_value(text).to_str().unwrap(), expected, "{text:?}");
        }
    }

    #[test]
    fn marked_arguments_become_headers() {
        let schema = raw(
            r#"{"properties":{"region":{"type":"string","x-mcp-header":"Region"},"deep":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"N"}}},"on":{"type":"boolean","x-mcp-header":"On"}}}"#,
        );
        let mirrors = plan(&schema).unwrap();
        let sent = |arguments: &str| -> Vec<String> {
            headers(&mirrors, &raw(arguments))
                .iter()
                .map(|(name, value)| format!("{name}={}", value.to_str().unwrap()))
                .collect()
        };
        assert_eq!(
            sent(r#"{"region":"eu","deep":{"n":-7},"on":true}"#),
            ["mcp-param-region=eu", "mcp-param-n=-7", "mcp-param-on=true"]
        );
        assert_eq!(sent(r#"{"region":null,"deep":5}"#), [] as [&str; 0]);
    }

    #[test]
    fn broken_marks_are_named() {
        for (schema, expected) in [
            (
                r#"{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}"#,
                "not a string",
            ),
            (
                r#"{"properties":{"a":{"type":"string","x-mcp-header":""}}}"#,
                "not a header name",
            ),
            (
                r#"{"properties":{"a":{"type":"string","x-mcp-header":"a b"}}}"#,
                "not a header name",
            ),
            (
                r#"{"properties":{"a":{"type":"string","x-mcp-header":5}}}"#,
                "not a header name",
            ),
            (
                r#"{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}"#,
                "same name",
            ),
            (
                r#"{"items":{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}}"#,
                "no single argument",
            ),
            (
                r#"{"anyOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]}"#,
                "no single argument",
            ),
            (r#"{"type":"string","x-mcp-header":"A"}"#, "no single argument"),
        ] {
            let reason = plan(&raw(schema)).unwrap_err();
            assert!(reason.contains(expected), "{schema}: {reason}");
        }
        for harmless in [
            r#"{"properties":{"a":{"default":{"x-mcp-header":"A"}}}}"#,
            r#"{"properties":{"a":{"description":"x-mcp-header"}}}"#,
        ] {
            assert_eq!(plan(&raw(harmless)).unwrap(), [], "{harmless}");
        }
    }
}
