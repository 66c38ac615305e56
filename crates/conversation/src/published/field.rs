//! How is one field of an object read, and what is said when it is wrong?

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{DEFECTS_MAX, FieldDefect};

/// How much of a name is told, in characters.
const SHOWN_MAX: usize = 80;

/// An object of a body, and where it stands.
pub(super) struct Field<'a> {
    pub(super) members: &'a Map<String, Value>,
    pub(super) path: String,
}

impl<'a> Field<'a> {
    /// The path of a member.
    pub(super) fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() {
            name.to_owned()
        } else {
            format!("{}.{name}", self.path)
        }
    }

    /// A member that is there and not `null`.
    pub(super) fn get(&self, name: &str) -> Option<&'a Value> {
        self.members.get(name).filter(|value| !value.is_null())
    }

    /// An optional string.
    pub(super) fn text(&self, name: &str, defects: &mut Vec<FieldDefect>) -> Option<String> {
        match self.get(name)? {
            Value::String(text) => Some(text.clone()),
            other => {
                tell(defects, self.path_of(name), not("a string", other));
                None
            }
        }
    }

    /// A string that has to say something.
    pub(super) fn required_text(&self, name: &str, defects: &mut Vec<FieldDefect>) -> String {
        if self.get(name).is_none() {
            tell(defects, self.path_of(name), "is required: a string".to_owned());
        }
        let text = self.text(name, defects);
        if text.as_ref().is_some_and(|text| text.trim().is_empty()) {
            tell(defects, self.path_of(name), "must not be blank".to_owned());
        }
        text.unwrap_or_default()
    }

    /// A required string of one line: a model has to write it.
    pub(super) fn required_name(&self, name: &str, defects: &mut Vec<FieldDefect>) -> String {
        let text = self.required_text(name, defects);
        if !text.trim().is_empty() && text.chars().any(char::is_control) {
            tell(
                defects,
                self.path_of(name),
                "must not have control characters".to_owned(),
            );
        }
        text
    }

    /// An optional truth value, by default false.
    pub(super) fn flag(&self, name: &str, defects: &mut Vec<FieldDefect>) -> bool {
        match self.get(name) {
            None => false,
            Some(Value::Bool(flag)) => *flag,
            Some(other) => {
                tell(defects, self.path_of(name), not("true or false", other));
                false
            }
        }
    }

    /// An optional array.
    pub(super) fn array(&self, name: &str, what: &str, defects: &mut Vec<FieldDefect>) -> &'a [Value] {
        match self.get(name) {
            None => &[],
            Some(Value::Array(values)) => values,
            Some(other) => {
                tell(defects, self.path_of(name), not(what, other));
                &[]
            }
        }
    }

    /// An array that has to be there.
    pub(super) fn required_array(
        &self,
        name: &str,
        what: &str,
        defects: &mut Vec<FieldDefect>,
    ) -> &'a [Value] {
        if self.get(name).is_none() {
            tell(defects, self.path_of(name), format!("is required: {what}"));
        }
        self.array(name, what, defects)
    }

    /// An optional array of strings that say something.
    pub(super) fn texts(&self, name: &str, defects: &mut Vec<FieldDefect>) -> Vec<String> {
        let mut texts = Vec::new();
        for (position, value) in self
            .array(name, "an array of strings", defects)
            .iter()
            .enumerate()
        {
            let message = match value {
                Value::String(text) if !text.trim().is_empty() => {
                    texts.push(text.clone());
                    continue;
                }
                Value::String(_) => "must not be blank".to_owned(),
                other => not("a string", other),
            };
            tell(defects, self.path_of(&format!("{name}[{position}]")), message);
        }
        texts
    }
}

/// What would be right, and what came instead.
pub(super) fn not(what: &str, value: &Value) -> String {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    };
    format!("must be {what}, is {kind}")
}

/// A text as it is told: a long one by its beginning.
pub(super) fn shown(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(SHOWN_MAX) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Adds a defect, unless enough are told.
pub(super) fn tell(defects: &mut Vec<FieldDefect>, field: String, message: String) {
    if defects.len() < DEFECTS_MAX {
        defects.push(FieldDefect { field, message });
    }
}
