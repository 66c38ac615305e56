//! What does a tool's input schema say about each of its parameters?
//!
//! Reads JSON Schema as servers write it (draft-07 and 2020-12). References, `allOf` and the branches of `anyOf`
//! and `oneOf` flow together; what cannot be read says nothing, and work is bounded whatever the schema holds.

use std::cell::Cell;

use serde_json::{Map, Value};

/// Parameters that are read of one tool.
const PARAMETERS_MAX: usize = 150;
/// Objects within objects.
const DEPTH_MAX: usize = 5;
/// Schemas that are looked at for one tool.
const STEPS_MAX: u32 = 4_000;
/// Choices that are read of one parameter.
const CHOICES_MAX: usize = 400;

/// One value that a tool takes: a leaf of its schema, wherever objects hide it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parameter {
    /// Where it goes in the arguments.
    pub path: Vec<String>,
    /// What is said about it.
    pub description: String,
    /// What kind of value it takes; of a list, its items.
    pub shape: Shape,
    /// Whether it takes a list of such values.
    pub list: bool,
    /// Whether that list is sent as one text with commas between.
    pub joined: bool,
    /// Whether its own object needs it.
    pub own_required: bool,
    /// Whether no call is right without it.
    pub required: bool,
    /// The only value that may stand there.
    pub only: Option<Value>,
}

impl Parameter {
    /// Its own name, without the objects around it.
    pub fn name(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }

    /// Its name with the objects around it: `request.projectKey`.
    pub fn dotted(&self) -> String {
        self.path.join(".")
    }
}

/// What kind of value fits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    /// Texts fit, or nothing is said about types.
    pub string: bool,
    /// Texts fit, and the schema says so.
    pub typed_string: bool,
    /// Numbers fit.
    pub number: bool,
    /// Only whole numbers fit.
    pub integer: bool,
    /// `true` and `false` fit.
    pub boolean: bool,
    /// `format`.
    pub format: Option<String>,
    /// `pattern`.
    pub pattern: Option<String>,
    /// `enum`, and `const`s that are branches.
    pub choices: Vec<Value>,
    /// Values that the schema gives as examples, as texts.
    pub examples: Vec<String>,
    /// Smallest number.
    pub minimum: Option<f64>,
    /// Greatest number.
    pub maximum: Option<f64>,
    /// Longest text.
    pub length_max: Option<u64>,
    /// What an object of a list holds.
    pub fields: Vec<Parameter>,
}

/// The parameters of an input schema in its order, required ones told. Garbage has none.
pub(crate) fn parameters(schema: &Value) -> Vec<Parameter> {
    let reader = Reader {
        root: schema,
        steps: Cell::new(0),
    };
    let mut found = Vec::new();
    reader.object(&reader.flat(schema, 0), &[], true, &mut found);
    found
}

/// A schema with everything flowed together that it refers to.
#[derive(Debug, Default)]
struct Flat<'s> {
    types: Vec<&'s str>,
    format: Option<&'s str>,
    pattern: Option<&'s str>,
    choices: Vec<Value>,
    fixed: Option<&'s Value>,
    examples: Vec<&'s Value>,
    minimum: Option<f64>,
    maximum: Option<f64>,
    length_max: Option<u64>,
    items: Option<&'s Value>,
    properties: Vec<(&'s str, &'s Value)>,
    required: Vec<&'s str>,
    description: String,
}

struct Reader<'s> {
    root: &'s Value,
    steps: Cell<u32>,
}

impl<'s> Reader<'s> {
    fn may_go_on(&self) -> bool {
        let steps = self.steps.get();
        self.steps.set(steps.saturating_add(1));
        steps < STEPS_MAX
    }

    /// A schema and all that it refers to.
    fn flat(&self, schema: &'s Value, depth: usize) -> Flat<'s> {
        let mut flat = Flat::default();
        self.pour(schema, depth, &mut flat);
        flat
    }

    fn pour(&self, schema: &'s Value, depth: usize, flat: &mut Flat<'s>) {
        let Value::Object(map) = schema else { return };
        if depth > 2 * DEPTH_MAX || !self.may_go_on() {
            return;
        }
        keywords(map, flat);
        if let Some(target) = map
            .get("$ref")
            .and_then(Value::as_str)
            .and_then(|to| self.referred(to))
        {
            self.pour(target, depth + 1, flat);
        }
        for part in array(map, "allOf") {
            self.pour(part, depth + 1, flat);
        }
        for key in ["anyOf", "oneOf"] {
            self.branches(array(map, key), depth, flat);
        }
    }

    /// One of several: what any branch allows is allowed, and nothing is required that only some require.
    fn branches(&self, branches: &'s [Value], depth: usize, flat: &mut Flat<'s>) {
        let read: Vec<Flat<'s>> = branches
            .iter()
            .map(|branch| self.flat(branch, depth + 1))
            .collect();
        let real: Vec<Flat<'s>> = read
            .into_iter()
            .filter(|branch| branch.types != ["null"] && branch.fixed != Some(&Value::Null))
            .collect();
        let alone = real.len() == 1;
        let closed = real
            .iter()
            .all(|branch| !branch.choices.is_empty() || branch.fixed.is_some());
        for branch in real {
            flat.types.extend(branch.types);
            flat.format = flat.format.or(branch.format);
            flat.pattern = flat.pattern.or(branch.pattern.filter(|_| alone));
            flat.examples.extend(branch.examples);
            flat.items = flat.items.or(branch.items);
            if flat.description.is_empty() {
                flat.description = branch.description;
            }
            if closed {
                flat.choices.extend(branch.choices);
                flat.choices.extend(branch.fixed.cloned());
            } else {
                // Where other values fit as well, listed ones are still good to know.
                flat.examples.extend(branch.fixed);
            }
            if alone {
                flat.minimum = flat.minimum.or(branch.minimum);
                flat.maximum = flat.maximum.or(branch.maximum);
                flat.length_max = flat.length_max.or(branch.length_max);
                flat.required.extend(branch.required);
            }
            for (name, schema) in branch.properties {
                if flat.properties.iter().all(|(known, _)| *known != name) {
                    flat.properties.push((name, schema));
                }
            }
        }
    }

    /// What a reference within the document means: `#/$defs/Thing`.
    fn referred(&self, to: &str) -> Option<&'s Value> {
        let pointer = to.strip_prefix('#')?;
        let decoded = pointer.replace("%24", "$").replace("%25", "%");
        self.root.pointer(&decoded)
    }

    fn object(&self, flat: &Flat<'s>, path: &[String], needed: bool, found: &mut Vec<Parameter>) {
        for (name, schema) in &flat.properties {
            if found.len() >= PARAMETERS_MAX || !self.may_go_on() {
                return;
            }
            let inner = self.flat(schema, path.len());
            let own_required = flat.required.contains(name);
            let required = needed && own_required;
            let mut to = path.to_vec();
            to.push((*name).to_owned());
            let is_object = !inner.properties.is_empty() && !has(&inner, "array") && !has(&inner, "string");
            if is_object && path.len() < DEPTH_MAX {
                self.object(&inner, &to, required, found);
            } else {
                found.push(self.leaf(&inner, to, own_required, required, path.len()));
            }
        }
    }

    fn leaf(
        &self,
        flat: &Flat<'s>,
        path: Vec<String>,
        own_required: bool,
        required: bool,
        depth: usize,
    ) -> Parameter {
        let plural = path.last().is_some_and(|name| name.ends_with('s'));
        let scalar = ["string", "number", "integer", "boolean"]
            .iter()
            .any(|kind| has(flat, kind));
        let list =
            (has(flat, "array") && (!scalar || plural)) || (flat.items.is_some() && flat.types.is_empty());
        let joined = !list && is_joined(flat);
        let shape = match flat.items.filter(|_| list) {
            Some(items) if depth < DEPTH_MAX => {
                let inner = self.flat(items, depth + 1);
                let mut shape = shape(&inner);
                shape.examples.extend(listed_examples(flat));
                self.object(&inner, &[], true, &mut shape.fields);
                shape
            }
            _ => shape(flat),
        };
        Parameter {
            path,
            description: flat.description.clone(),
            list: list || joined,
            joined,
            own_required,
            required,
            only: only_value(flat),
            shape,
        }
    }
}

/// Whether a text is to hold several values with commas between: `Comma-separated list of issue keys`.
fn is_joined(flat: &Flat<'_>) -> bool {
    let about = flat.description.to_lowercase();
    let said = [
        "comma-separated",
        "comma separated",
        "comma-delimited",
        "comma delimited",
        "separated by commas",
        "separated by a comma",
    ];
    has(flat, "string")
        && flat.choices.is_empty()
        && !has(flat, "array")
        && said.iter().any(|said| about.contains(said))
}

/// The keywords that stand in a schema itself; what is said first holds.
fn keywords<'s>(map: &'s Map<String, Value>, flat: &mut Flat<'s>) {
    match map.get("type") {
        Some(Value::String(one)) => flat.types.push(one),
        Some(Value::Array(many)) => flat.types.extend(many.iter().filter_map(Value::as_str)),
        _ => {}
    }
    flat.format = flat.format.or(text(map, "format"));
    flat.pattern = flat.pattern.or(text(map, "pattern"));
    for value in array(map, "enum").iter().take(CHOICES_MAX) {
        if !value.is_null() && !flat.choices.contains(value) {
            flat.choices.push(value.clone());
        }
    }
    flat.fixed = flat.fixed.or(map.get("const"));
    flat.examples.extend(array(map, "examples"));
    flat.examples.extend(map.get("example"));
    flat.minimum = flat
        .minimum
        .or(number(map, "minimum"))
        .or(number(map, "exclusiveMinimum"));
    flat.maximum = flat
        .maximum
        .or(number(map, "maximum"))
        .or(number(map, "exclusiveMaximum"));
    flat.length_max = flat.length_max.or(map.get("maxLength").and_then(Value::as_u64));
    flat.items = flat.items.or(map.get("items").filter(|items| items.is_object()));
    if let Some(Value::Object(properties)) = map.get("properties") {
        for (name, schema) in properties {
            flat.properties.push((name, schema));
        }
    }
    flat.required
        .extend(array(map, "required").iter().filter_map(Value::as_str));
    if flat.description.is_empty()
        && let Some(said) = text(map, "description")
    {
        flat.description = said.chars().take(1_000).collect();
    }
}

fn shape(flat: &Flat<'_>) -> Shape {
    let untyped = flat.types.is_empty() && flat.choices.is_empty();
    let all_texts = !flat.choices.is_empty() && flat.choices.iter().all(Value::is_string);
    Shape {
        string: has(flat, "string")
            || (flat.types.is_empty() && (untyped || all_texts) && flat.properties.is_empty()),
        typed_string: has(flat, "string"),
        number: has(flat, "number") || has(flat, "integer"),
        integer: has(flat, "integer") && !has(flat, "number"),
        boolean: has(flat, "boolean"),
        format: flat.format.map(str::to_owned),
        pattern: flat.pattern.map(str::to_owned),
        choices: flat.choices.clone(),
        examples: listed_examples(flat),
        minimum: flat.minimum,
        maximum: flat.maximum,
        length_max: flat.length_max,
        fields: Vec::new(),
    }
}

/// Examples as texts; an example of a list gives its items.
fn listed_examples(flat: &Flat<'_>) -> Vec<String> {
    let mut texts = Vec::new();
    for example in flat.examples.iter().take(20) {
        match example {
            Value::String(text) => texts.push(text.clone()),
            Value::Number(number) => texts.push(number.to_string()),
            Value::Array(items) => {
                texts.extend(items.iter().filter_map(Value::as_str).take(20).map(str::to_owned));
            }
            _ => {}
        }
    }
    texts
}

/// `const`, or an `enum` of one, where it is no list.
fn only_value(flat: &Flat<'_>) -> Option<Value> {
    if let Some(fixed) = flat.fixed {
        return Some(fixed.clone());
    }
    match flat.choices.as_slice() {
        [one] => Some(one.clone()),
        _ => None,
    }
}

fn has(flat: &Flat<'_>, kind: &str) -> bool {
    flat.types.contains(&kind)
}

fn array<'s>(map: &'s Map<String, Value>, key: &str) -> &'s [Value] {
    map.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text<'s>(map: &'s Map<String, Value>, key: &str) -> Option<&'s str> {
    map.get(key).and_then(Value::as_str)
}

fn number(map: &Map<String, Value>, key: &str) -> Option<f64> {
    map.get(key).and_then(Value::as_f64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn one(schema: &Value) -> Parameter {
        parameters(&json!({"type": "object", "properties": {"x": schema}, "required": ["x"]}))
            .into_iter()
            .next()
            .expect("a parameter")
    }

    /// P19: parameters are read as real servers write them.
    #[test]
    fn p19_types_are_read_wherever_they_hide() {
        for (schema, told) in [
            (json!({"type": "string"}), "string"),
            (json!({"type": ["string", "null"]}), "string"),
            (
                json!({"anyOf": [{"type": "integer"}, {"type": "null"}]}),
                "integer",
            ),
            (json!({"oneOf": [{"type": "boolean"}]}), "boolean"),
            (json!({"allOf": [{"type": "number"}, {"minimum": 1}]}), "number"),
            (
                json!({"type": "array", "items": {"type": "string"}}),
                "string list",
            ),
            (
                json!({"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]}),
                "integer list",
            ),
            (json!({"enum": ["a", "b"]}), "string"),
            (json!({"type": "object", "additionalProperties": true}), "nothing"),
            (json!({}), "string"),
            (json!(true), "string"),
        ] {
            let read = one(&schema);
            let kind = match &read.shape {
                shape if shape.integer => "integer",
                shape if shape.number => "number",
                shape if shape.boolean => "boolean",
                shape if shape.string => "string",
                _ => "nothing",
            };
            let list = if read.list { " list" } else { "" };
            assert_eq!(format!("{kind}{list}"), told, "{schema}");
        }
    }

    /// P21: what an optional object needs is not needed of every call.
    #[test]
    fn p21_required_follows_the_objects_around() {
        let schema = json!({
            "$defs": {"Filter": {"properties": {"field": {"type": "string"}}, "required": ["field"], "type": "object"}},
            "properties": {
                "request": {"properties": {"id": {"type": "string"}, "note": {"type": "string"}}, "required": ["id"]},
                "filter": {"anyOf": [{"$ref": "#/$defs/Filter"}, {"type": "null"}]},
            },
            "required": ["request"],
        });
        let told: Vec<(String, bool, bool)> = parameters(&schema)
            .iter()
            .map(|parameter| (parameter.dotted(), parameter.own_required, parameter.required))
            .collect();
        let expected = [
            ("request.id", true, true),
            ("request.note", false, false),
            ("filter.field", true, false),
        ];
        let mut expected: Vec<(String, bool, bool)> = expected
            .map(|(path, own, whole)| (path.to_owned(), own, whole))
            .to_vec();
        let mut told_sorted = told;
        told_sorted.sort();
        expected.sort();
        assert_eq!(told_sorted, expected);
    }

    #[test]
    fn schemas_that_turn_in_circles_end() {
        let schema = json!({
            "$defs": {"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}, "name": {"type": "string"}}}},
            "type": "object",
            "properties": {"node": {"$ref": "#/$defs/Node"}},
        });
        assert!(!parameters(&schema).is_empty());
        for garbage in [
            json!(null),
            json!([]),
            json!("x"),
            json!({"properties": []}),
            json!({"$ref": "#/$ref"}),
        ] {
            assert!(parameters(&garbage).is_empty(), "{garbage}");
        }
    }
}
