//! How do named things keep the order they came in, in JSON too?

use std::fmt;
use std::marker::PhantomData;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Named values in the order of a file, written as a JSON object.
#[derive(Clone, Debug, PartialEq)]
pub struct Ordered<T>(pub Vec<(String, T)>);

impl<T> Ordered<T> {
    /// Each name with its value, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// The value with this name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    }
}

impl<T: Serialize> Serialize for Ordered<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Ordered<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(InOrder(PhantomData))
    }
}

struct InOrder<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for InOrder<T> {
    type Value = Ordered<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Ordered(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_survives() {
        let text = r#"{"b":1,"a":2,"c":3}"#;
        let ordered: Ordered<u8> = serde_json::from_str(text).unwrap();
        assert_eq!(ordered.get("a"), Some(&2));
        assert_eq!(serde_json::to_string(&ordered).unwrap(), text);
    }
}
