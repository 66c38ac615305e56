//! How is somebody else's JSON edited without re-spelling the rest of it?

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// A JSON object whose members keep their order and their exact spelling.
pub type RawObject = Vec<(String, Box<RawValue>)>;

/// The nesting depth beyond which JSON is refused (E20).
pub const DEPTH_MAX: usize = 128;

/// Whether arrays and objects nest deeper than [`DEPTH_MAX`]. Expects syntactically valid JSON.
pub fn too_deep(text: &str) -> bool {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => {
                depth += 1;
                if depth > DEPTH_MAX {
                    return true;
                }
            }
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    false
}

/// JSON as values, down to [`DEPTH_MAX`] levels: the reader below gives up one level too early, so the outermost
/// one is taken off first.
pub fn value(text: &str) -> serde_json::Result<Value> {
    inner_values(text).map_err(|error| {
        let reason =
            |error: &serde_json::Error| error.to_string().split(" at line ").next().map(str::to_owned);
        // The plain reader says where in the whole text a mistake stands, unless it gives up before.
        let plain = serde_json::from_str::<Value>(text).err();
        plain
            .filter(|plain| reason(plain) == reason(&error))
            .unwrap_or(error)
    })
}

fn inner_values(text: &str) -> serde_json::Result<Value> {
    let outer: &RawValue = serde_json::from_str(text)?;
    match outer.get().as_bytes().first() {
        Some(b'{') => {
            let mut object = serde_json::Map::new();
            for (name, member) in serde_json::from_str::<Members>(text)?.0 {
                object.insert(name, serde_json::from_str(member.get())?);
            }
            Ok(Value::Object(object))
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text)?;
            let items = items.into_iter().map(|item| serde_json::from_str(item.get()));
            items.collect::<Result<_, _>>().map(Value::Array)
        }
        _ => serde_json::from_str(outer.get()),
    }
}

/// An object on its way to [`RawObject`].
struct Members(RawObject);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Members;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::with_capacity(map.size_hint().unwrap_or(8));
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

/// The members of an object, in order; `None` when the text is not an object.
pub fn members(text: &str) -> Option<RawObject> {
    serde_json::from_str::<Members>(text)
        .ok()
        .map(|members| members.0)
}

/// Writes an object back.
pub fn object(members: &[(String, Box<RawValue>)]) -> Box<RawValue> {
    let mut text = String::with_capacity(
        members
            .iter()
            .map(|(k, v)| k.len() + v.get().len() + 4)
            .sum::<usize>()
            + 2,
    );
    text.push('{');
    for (index, (key, value)) in members.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        text.push_str(&serde_json::to_string(key).unwrap_or_default());
        text.push(':');
        text.push_str(value.get());
    }
    text.push('}');
    raw(text)
}

/// The object with one member set: replaced where it stands, or appended.
pub fn with_member(text: &str, key: &str, value: &str) -> Option<Box<RawValue>> {
    let mut members = members(text)?;
    let value = RawValue::from_string(value.to_owned()).ok()?;
    match members.iter_mut().find(|(name, _)| name == key) {
        Some((_, present)) => *present = value,
        None => members.push((key.to_owned(), value)),
    }
    Some(object(&members))
}

/// Wraps text that is known to be valid JSON; anything else becomes `null`.
pub fn raw(text: String) -> Box<RawValue> {
    RawValue::from_string(text).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// A serializable value as raw JSON.
pub fn to_raw(value: &impl serde::Serialize) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_member_changes_and_the_rest_keeps_its_spelling() {
        let text = r#"{ "b" : 1.0e2, "name":"x", "é": {"deep" :[ 1 ]} }"#;
        let edited = with_member(text, "name", r#""y""#).unwrap();
        assert_eq!(edited.get(), r#"{"b":1.0e2,"name":"y","é":{"deep" :[ 1 ]}}"#);
        assert_eq!(with_member("{}", "a", "1").unwrap().get(), r#"{"a":1}"#);
        assert!(with_member("[]", "a", "1").is_none());
    }

    /// E20: values are read as deep as bodies may be, and are the ones that the plain reader gives.
    #[test]
    fn e20_values_are_read_to_the_last_level() {
        for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
            let deep = format!("{}1{}", open.repeat(DEPTH_MAX), close.repeat(DEPTH_MAX));
            assert!(value(&deep).is_ok());
        }
        for text in [
            r#" {"b":[1,{"a":null}],"a":"é\n","b":2} "#,
            "[1.5,[],{}]",
            "\"x\"",
            " 7",
            "null",
        ] {
            assert_eq!(value(text).unwrap(), serde_json::from_str::<Value>(text).unwrap());
        }
        for text in ["", "{", "[1,]", r#"{"a":1e999}"#, r#"["\ud800"]"#, "{} x", "nul"] {
            assert!(value(text).is_err(), "{text}");
        }
        // A mistake is told where it stands in the whole text.
        for text in ["{\"b\": 2,\n \"a\":[1e999]}", r#"[7, "\ud800"]"#] {
            let plain = serde_json::from_str::<Value>(text).unwrap_err();
            assert_eq!(value(text).unwrap_err().to_string(), plain.to_string());
        }
        let deep = format!("{}1e999{}", "[".repeat(DEPTH_MAX), "]".repeat(DEPTH_MAX));
        assert!(
            value(&deep)
                .unwrap_err()
                .to_string()
                .starts_with("number out of range")
        );
    }

    /// E20: 128 levels pass, 129 do not, and brackets inside strings are not levels.
    #[test]
    fn e20_depth() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(!too_deep(&nested(DEPTH_MAX)));
        assert!(too_deep(&nested(DEPTH_MAX + 1)));
        assert!(!too_deep(&format!(
            r#"["{}\"{}"]"#,
            "[".repeat(500),
            "{".repeat(500)
        )));
    }
}
