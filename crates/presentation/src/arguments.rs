//! How are the arguments of a meta-tool read, and what is wrong with them?

use std::collections::HashMap;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::BadRequest;

/// The members of a call's `arguments`, each still raw JSON. Unknown members are ignored (E9).
#[derive(Debug, Default)]
pub struct Arguments {
    members: HashMap<String, Box<RawValue>>,
}

impl Arguments {
    /// Reads an arguments object. Absent and `null` are an empty object; a string that holds an object
    /// is read as that object, since models do write it.
    pub fn read(raw: Option<&RawValue>) -> Result<Self, BadRequest> {
        let Some(object) = object_of(raw).map_err(|_| BadRequest::new("arguments", "must be an object"))?
        else {
            return Ok(Self::default());
        };
        let members = serde_json::from_str(object.get())
            .map_err(|_| BadRequest::new("arguments", "must be an object"))?;
        Ok(Self { members })
    }

    /// The first of `names` that is present and not `null`, as raw JSON.
    pub fn raw(&self, names: &[&str]) -> Option<&RawValue> {
        names
            .iter()
            .filter_map(|name| self.members.get(*name))
            .map(AsRef::as_ref)
            .find(|raw| raw.get() != "null")
    }

    /// An optional member; `expected` says in words what it must be.
    pub fn optional<T: DeserializeOwned>(
        &self,
        names: &[&str],
        expected: &str,
    ) -> Result<Option<T>, BadRequest> {
        self.raw(names)
            .map(|raw| serde_json::from_str(raw.get()).map_err(|_| BadRequest::new(names[0], expected)))
            .transpose()
    }

    /// A required text that is not blank.
    pub fn text(&self, names: &[&str]) -> Result<String, BadRequest> {
        self.optional::<String>(names, "must be a string")?
            .filter(|text| !text.trim().is_empty())
            .ok_or_else(|| BadRequest::new(names[0], "is required and must not be blank"))
    }

    /// An object to hand on untouched, under the first of `names` that is present (C12). Absent is an
    /// empty object; a string that holds an object is that object.
    pub fn object(&self, names: &[&str]) -> Result<Option<Box<RawValue>>, BadRequest> {
        let raw = self.raw(names);
        object_of(raw)
            .map_err(|_| BadRequest::new(names[0], "must be an object holding the tool's own arguments"))
    }
}

/// The value is neither an object nor a string that holds one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAnObject;

/// The object a raw value is, or holds as a string. `Ok(None)` when absent or `null`.
pub fn object_of(raw: Option<&RawValue>) -> Result<Option<Box<RawValue>>, NotAnObject> {
    let Some(raw) = raw.filter(|raw| raw.get() != "null") else {
        return Ok(None);
    };
    match raw.get().as_bytes().first() {
        Some(b'{') => Ok(Some(raw.to_owned())),
        Some(b'"') => {
            let text: String = serde_json::from_str(raw.get()).map_err(|_| NotAnObject)?;
            if text.trim().is_empty() {
                return Ok(None);
            }
            let inner = RawValue::from_string(text.trim().to_owned()).map_err(|_| NotAnObject)?;
            if inner.get().starts_with('{') {
                Ok(Some(inner))
            } else {
                Err(NotAnObject)
            }
        }
        _ => Err(NotAnObject),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, expected: Result<Option<&str>, NotAnObject>) {
        let raw = RawValue::from_string(json.to_owned()).unwrap();
        let object = object_of(Some(&raw));
        assert_eq!(
            object.as_ref().map(|o| o.as_ref().map(|raw| raw.get())),
            expected.as_ref().map(|o| o.as_deref()),
            "{json}"
        );
    }

    #[test]
    fn stringified_objects_are_parsed_not_dropped() {
        check(r#"{"a":1}"#, Ok(Some(r#"{"a":1}"#)));
        check(r#""{\"a\":1}""#, Ok(Some(r#"{"a":1}"#)));
        check(r#"" {} ""#, Ok(Some("{}")));
        check(r#""""#, Ok(None));
        check("null", Ok(None));
        for broken in [r#""not json""#, r#""[1]""#, "[1]", "7", "true"] {
            check(broken, Err(NotAnObject));
        }
    }
}
