//! Which values in calls and results can only have come from one place?

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::id_name::IdName;
use crate::words::words;

/// Longest value that is followed, in bytes.
const VALUE_MAX: usize = 128;
/// Values of one result, or of the arguments of one call, that are followed.
const LEAVES_MAX: usize = 5_000;
/// Shortest value that is followed, in characters, unless its member names an id.
const CHARS_MIN: usize = 3;
/// Shortest value of digits alone that is followed where nothing calls it an id.
const DIGITS_MIN: usize = 5;

/// A string or a number in JSON.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Leaf<'a> {
    /// The member it stands in; that of the list for elements of a list; empty at the top.
    pub(super) member: &'a str,
    pub(super) value: Cow<'a, str>,
}

/// The JSON object or list, or the JSON string or number, that a result is. Text that holds JSON within JSON, as
/// content blocks do, is read too. `None` for any other text (E18).
pub(super) fn parsed(result: &str) -> Option<Vec<Value>> {
    let value: Value = serde_json::from_str(result).ok()?;
    let mut inner = Vec::new();
    each(&value, "", &mut |leaf| {
        if leaf.value.starts_with(['{', '[']) && inner.len() < LEAVES_MAX {
            inner.extend(serde_json::from_str::<Value>(&leaf.value));
        }
    });
    inner.push(value);
    Some(inner)
}

/// The values of a JSON value that can be followed.
pub(super) fn leaves<'a>(value: &'a Value) -> Vec<Leaf<'a>> {
    let mut leaves = Vec::new();
    each(value, "", &mut |leaf: Leaf<'a>| {
        if leaves.len() < LEAVES_MAX && can_be_followed(&leaf) {
            leaves.push(leaf);
        }
    });
    leaves
}

/// The values that a call passed in one argument.
pub(super) fn arguments(arguments: &Map<String, Value>) -> impl Iterator<Item = (&str, Vec<Leaf<'_>>)> {
    arguments.iter().map(|(param, value)| {
        let mut leaves = Vec::new();
        each(value, param, &mut |leaf| {
            if leaves.len() < LEAVES_MAX && !leaf.value.is_empty() && leaf.value.len() <= VALUE_MAX {
                leaves.push(leaf);
            }
        });
        (param.as_str(), leaves)
    })
}

fn can_be_followed(leaf: &Leaf<'_>) -> bool {
    let value = &leaf.value;
    !value.is_empty()
        && value.len() <= VALUE_MAX
        && (value.chars().nth(CHARS_MIN - 1).is_some() || IdName::of(leaf.member).is_some())
}

/// Depth is bounded by the parser.
fn each<'a>(value: &'a Value, member: &'a str, seen: &mut dyn FnMut(Leaf<'a>)) {
    match value {
        Value::Null | Value::Bool(_) => {}
        Value::String(text) => seen(Leaf {
            member,
            value: Cow::Borrowed(text),
        }),
        Value::Number(number) => seen(Leaf {
            member,
            value: Cow::Owned(number.to_string()),
        }),
        Value::Array(elements) => elements.iter().for_each(|element| each(element, member, seen)),
        Value::Object(members) => members.iter().for_each(|(name, value)| each(value, name, seen)),
    }
}

/// Whether a value that stood in `member` of a result tells where an argument called `param`, which takes no id, came
/// from: `ZX-1993` does, `open`, `49.90` and `2026-05-01` turn up everywhere.
pub(super) fn is_telling(value: &str, member: &str, param: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    if value.chars().any(char::is_whitespace) || is_moment(value) {
        return false;
    }
    let alike = || words(member).last() == words(param).last();
    match (digits, value.chars().any(char::is_alphabetic)) {
        (0, _) => value.contains(['@', '/', '.', '-', ':']) && alike(),
        (_, true) => value.chars().count() > CHARS_MIN || alike(),
        (digits, false) => digits >= DIGITS_MIN && !value.contains('.') && alike(),
    }
}

/// Whether a text is a date or a time: digits in groups, as `2026-05-01`, `01.05.2026`, `09:30`, `2026-05-01T09:30Z`.
fn is_moment(value: &str) -> bool {
    let groups = value
        .split(|c: char| !c.is_ascii_digit())
        .filter(|group| !group.is_empty());
    let lengths: Vec<usize> = groups.map(str::len).take(3).collect();
    let starts = value.starts_with(|c: char| c.is_ascii_digit());
    let allowed = |c: char| c.is_ascii_digit() || "-./:TZ+ ".contains(c);
    starts
        && value.chars().all(allowed)
        && matches!(
            lengths[..],
            [4, 2] | [4, 2, 2] | [2, 2, 4] | [2, 2] | [2, 2, 2] | [1, 2]
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t21_what_tells_where_it_came_from() {
        for (value, member, param, expected) in [
            ("ZX-1993", "serial", "serial_no", true),
            ("DE12345", "account", "to_iban", true),
            ("ann@example.com", "email", "email", true),
            ("ann@example.com", "email", "to", false),
            ("checkout-api", "service_name", "service_name", true),
            ("checkout-api", "service_name", "text", false),
            ("open", "status", "status", false),
            ("two words 2", "x", "x", false),
            ("49.90", "amount", "amount", false),
            ("120", "amount", "amount", false),
            ("40012345", "barcode", "barcode", true),
            ("40012345", "total", "barcode", false),
            ("2026-05-01", "date", "date", false),
            ("2026-05-01T09:30:00Z", "at", "at", false),
            ("01.05.2026", "date", "date", false),
            ("09:30", "at", "at", false),
            ("2026-05", "month", "month", false),
        ] {
            assert_eq!(
                is_telling(value, member, param),
                expected,
                "{value} {member} {param}"
            );
        }
    }

    #[test]
    fn e18_values_are_read_out_of_json_only() {
        let values = |text: &str| {
            let parsed = parsed(text).unwrap_or_default();
            let mut values: Vec<String> = parsed
                .iter()
                .flat_map(leaves)
                .map(|leaf| leaf.value.into())
                .collect();
            values.sort();
            values
        };
        assert_eq!(
            values(r#"{"id": 7, "n": 7, "ok": true, "a": ["x-1", null, {"b": "y-2"}]}"#),
            ["7", "x-1", "y-2"]
        );
        assert_eq!(values("\"T-100\""), ["T-100"]);
        assert_eq!(values("4411"), ["4411"]);
        assert!(values("ticket T-100").is_empty());
        assert!(values("").is_empty());
        assert!(values(&"[".repeat(10_000)).is_empty());
        let blocks = r#"{"content": [{"type": "text", "text": "{\"customer_id\": \"cus_1\"}"}]}"#;
        assert!(values(blocks).contains(&"cus_1".to_owned()));
    }
}
