//! What shape does a value have, said once in Rust and handed out as JSON Schema?
//!
//! `record!` and `choices!` declare a type and its schema together: the comment on a field is its
//! description, so what a tool promises in its `outputSchema` cannot drift from what it returns.

use serde_json::{Map, Value, json};

use crate::euros::Euros;

/// A type that knows its JSON Schema.
pub(crate) trait Described {
    /// The schema; `null` for a type that carries no data.
    fn schema() -> Value;
}

/// A closed set of words, declared by `choices!`.
pub(crate) trait Choices: Sized + 'static {
    /// What the data of an app calls the set.
    const TYPE: &'static str;
    /// Every word, in order.
    const NAMES: &'static [&'static str];
    /// Every variant, in order.
    const ALL: &'static [Self];
}

macro_rules! described {
    ($($type:ty => $schema:tt),+ $(,)?) => {
        $(impl Described for $type {
            fn schema() -> Value {
                json!($schema)
            }
        })+
    };
}

described! {
    () => null,
    String => {"type": "string"},
    bool => {"type": "boolean"},
    i64 => {"type": "integer"},
    f64 => {"type": "number"},
    Euros => {"type": "number"},
}

impl<T: Described> Described for Vec<T> {
    fn schema() -> Value {
        json!({"type": "array", "items": T::schema()})
    }
}

impl<T: Described> Described for Option<T> {
    fn schema() -> Value {
        json!({"anyOf": [T::schema(), {"type": "null"}]})
    }
}

/// The schema of an object whose members are all present.
pub(crate) fn object(fields: &[(&str, &str, Value)]) -> Value {
    let required: Vec<&str> = fields.iter().map(|(name, ..)| *name).collect();
    let properties: Map<String, Value> = fields
        .iter()
        .map(|(name, about, schema)| {
            let mut schema = schema.clone();
            if let Some(members) = schema.as_object_mut() {
                members.insert("description".into(), about.trim().into());
            }
            ((*name).to_owned(), schema)
        })
        .collect();
    json!({"type": "object", "properties": properties, "required": required})
}

/// Declares a struct with its schema. With `= noun, plural, prefix` after the name it is a row of a
/// table, and its first field is the key.
macro_rules! record {
    ($(#[doc = $about:literal])+ $name:ident = $noun:literal, $plural:literal, $prefix:literal {
        $(#[doc = $key_doc:literal])+ $key:ident : String,
        $($rest:tt)+
    }) => {
        $crate::schema::record! {
            $(#[doc = $about])+
            $name { $(#[doc = $key_doc])+ $key: String, $($rest)+ }
        }
        impl $crate::table::Record for $name {
            const NOUN: &'static str = $noun;
            const PLURAL: &'static str = $plural;
            const PREFIX: &'static str = $prefix;
            const KEY: &'static str = stringify!($key);
            fn key(&self) -> &str {
                &self.$key
            }
        }
    };
    ($(#[doc = $about:literal])+ $name:ident {
        $($(#[doc = $doc:literal])+ $field:ident : $type:ty),+ $(,)?
    }) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
        pub(crate) struct $name {
            $($(#[doc = $doc])+ pub $field: $type),+
        }
        impl $crate::schema::Described for $name {
            fn schema() -> serde_json::Value {
                $crate::schema::object(&[
                    $((
                        stringify!($field),
                        concat!($($doc),+),
                        <$type as $crate::schema::Described>::schema(),
                    )),+
                ])
            }
        }
    };
}

/// Declares enums whose variants are words in JSON.
macro_rules! choices {
    ($($(#[doc = $about:literal])+ $name:ident { $($variant:ident = $word:literal),+ $(,)? })+) => {$(
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub(crate) enum $name {
            $(#[doc = $word] #[serde(rename = $word)] $variant),+
        }
        impl $crate::schema::Choices for $name {
            const TYPE: &'static str = stringify!($name);
            const NAMES: &'static [&'static str] = &[$($word),+];
            const ALL: &'static [Self] = &[$(Self::$variant),+];
        }
        impl $crate::schema::Described for $name {
            fn schema() -> serde_json::Value {
                serde_json::json!({"type": "string", "enum": <Self as $crate::schema::Choices>::NAMES})
            }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $(Self::$variant => $word),+ })
            }
        }
    )+};
}

pub(crate) use {choices, record};

#[cfg(test)]
mod tests {
    use super::*;

    choices! {
        /// How ripe.
        Ripeness { Green = "green", Ripe = "ripe" }
    }

    record! {
        /// A fruit.
        Fruit {
            /// What it is
            /// called.
            name: String,
            /// How ripe it is, when known.
            ripeness: Option<Ripeness>,
        }
    }

    #[test]
    fn comments_become_descriptions() {
        assert_eq!(
            Fruit::schema(),
            json!({
                "type": "object",
                "properties": {
                    "name": {"type": "string", "description": "What it is called."},
                    "ripeness": {
                        "anyOf": [{"type": "string", "enum": ["green", "ripe"]}, {"type": "null"}],
                        "description": "How ripe it is, when known.",
                    },
                },
                "required": ["name", "ripeness"],
            })
        );
        let fruit = Fruit {
            name: "pear".into(),
            ripeness: Some(Ripeness::Ripe),
        };
        assert_eq!(
            serde_json::to_value(&fruit).unwrap(),
            json!({"name": "pear", "ripeness": "ripe"})
        );
        assert_eq!(Ripeness::Green.to_string(), "green");
    }
}
