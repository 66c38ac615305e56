//! What does a reference in a schema refer to?
//!
//! Read as the validator reads it; where the two could differ, there is no answer.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde_json::{Map, Value};

/// Identifies a value of the schema; never followed.
pub(super) type Place = *const Value;

pub(super) fn place(value: &Value) -> Place {
    std::ptr::from_ref(value)
}

/// Where a reference leads.
pub(super) enum Target<'a> {
    /// To a subschema.
    Here(&'a Value),
    /// To one of the schemas of JSON Schema itself, which the validator brings along.
    Metaschema,
}

/// The names that references can use.
pub(super) struct Places<'a> {
    root: &'a Value,
    root_id: Option<&'a str>,
    id_keyword: &'static str,
    /// The schema with an identifier that each object lies in.
    bases: HashMap<Place, &'a Value>,
    by_id: HashMap<&'a str, &'a Value>,
    by_anchor: HashMap<(Place, &'a str), &'a Value>,
    has_dynamic: bool,
    pub is_plain: bool,
    pub has_alternatives: bool,
}

impl<'a> Places<'a> {
    /// `None` where two places have the same name, or a name whose meaning depends on others.
    pub fn of(root: &'a Value) -> Option<Self> {
        let dialect = root.get("$schema").and_then(Value::as_str).unwrap_or("");
        let id_keyword = match dialect.contains("draft-04") {
            true => "id",
            false => "$id",
        };
        let root_id = root.get(id_keyword).and_then(Value::as_str);
        let mut places = Self {
            root,
            root_id: root_id.map(|id| id.trim_end_matches('#')),
            id_keyword,
            bases: HashMap::new(),
            by_id: HashMap::new(),
            by_anchor: HashMap::new(),
            has_dynamic: false,
            is_plain: true,
            has_alternatives: false,
        };
        places.walk(root, root)?;
        // What a dynamic reference means then depends on the way that led there.
        let is_clear = !places.has_dynamic || places.by_id.is_empty();
        is_clear.then_some(places)
    }

    fn walk(&mut self, value: &'a Value, base: &'a Value) -> Option<()> {
        let members = match value {
            Value::Object(members) => members,
            Value::Array(items) => return items.iter().try_for_each(|item| self.walk(item, base)),
            _ => return Some(()),
        };
        let id = members.get(self.id_keyword).and_then(Value::as_str);
        let id = id.filter(|_| !std::ptr::eq(value, self.root));
        let base = if id.is_some() { value } else { base };
        if let Some(id) = id {
            let is_plain = id
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            let unique = self.by_id.insert(id, value).is_none();
            (is_plain && !id.is_empty() && unique).then_some(())?;
        }
        self.bases.insert(place(value), base);
        self.note(value, members, base)?;
        members.values().try_for_each(|member| self.walk(member, base))
    }

    fn note(&mut self, value: &'a Value, members: &'a Map<String, Value>, base: &'a Value) -> Option<()> {
        for anchor in ["$anchor", "$dynamicAnchor"] {
            let Some(anchor) = members.get(anchor).and_then(Value::as_str) else {
                continue;
            };
            match self.by_anchor.entry((place(base), anchor)) {
                Entry::Occupied(_) => return None,
                Entry::Vacant(free) => free.insert(value),
            };
        }
        let has = |name: &str| members.contains_key(name);
        self.has_dynamic |= has("$dynamicRef") || has("$recursiveRef");
        self.has_alternatives |= has("anyOf") || has("oneOf");
        let is_regex = |name: &str| members.get(name).is_some_and(Value::is_string);
        let costs_more = has("patternProperties")
            || has("unevaluatedProperties")
            || has("unevaluatedItems")
            || is_regex("pattern")
            || members.get("format").and_then(Value::as_str) == Some("regex");
        self.is_plain &= !costs_more;
        Some(())
    }

    /// What a reference in `from` refers to; `None` where that is nothing, or not certain.
    pub fn target(&self, from: &Value, reference: &str) -> Option<Target<'a>> {
        let (document, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let base = match (document, self.by_id.get(document)) {
            ("", _) => *self.bases.get(&place(from))?,
            (document, _) if Some(document) == self.root_id => self.root,
            (_, Some(base)) => *base,
            (document, None) => {
                let is_official = ["http://json-schema.org/", "https://json-schema.org/"]
                    .into_iter()
                    .any(|official| document.starts_with(official));
                return is_official.then_some(Target::Metaschema);
            }
        };
        let target = match fragment {
            "" => base,
            pointer if pointer.starts_with('/') => base.pointer(&decoded(pointer)?)?,
            anchor => self.by_anchor.get(&(place(base), anchor)).copied()?,
        };
        // A way that leads into a schema with an identifier of its own is read in more than one manner.
        let stays = match self.bases.get(&place(target)) {
            Some(its_own) => std::ptr::eq(*its_own, base),
            None => target.is_boolean(),
        };
        stays.then_some(Target::Here(target))
    }
}

/// Percent escapes read.
fn decoded(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
                let value = digit(rest.next())? * 16 + digit(rest.next())?;
                u8::try_from(value).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}
