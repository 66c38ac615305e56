//! Which JSON Schema do the parameters of a catalog mean?

use std::collections::HashSet;

use handpick_domain::Parameter;
use serde_json::{Map, Value, json};

/// The schema of an object with these members, in their order.
pub(super) fn of_parameters(parameters: &[Parameter]) -> Value {
    let mut properties = Map::new();
    let mut required: Vec<&str> = Vec::new();
    let mut seen: HashSet<&str> = HashSet::new();
    for parameter in parameters {
        properties.insert(parameter.name.clone(), of_parameter(parameter));
        if parameter.required && seen.insert(&parameter.name) {
            required.push(&parameter.name);
        }
    }
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    Value::Object(schema)
}

fn of_parameter(parameter: &Parameter) -> Value {
    let mut schema = of_type(parameter.data_type.as_deref().unwrap_or_default());
    let description = parameter.description.as_deref().unwrap_or_default();
    if !description.trim().is_empty() {
        schema.insert("description".to_owned(), json!(description));
    }
    Value::Object(schema)
}

/// What a `dataType` means; a string where that is unknown (X.1).
fn of_type(written: &str) -> Map<String, Value> {
    let lower = written.trim().to_lowercase();
    if let Some(schema) = known(&lower) {
        return members(schema);
    }
    if let Some(element) = element_of_list(written.trim()) {
        return members(json!({"type": "array", "items": of_type(element)}));
    }
    let choices = choices(written.trim());
    let mut types = choices.iter().filter_map(|choice| known(&choice.to_lowercase()));
    match (choices.is_empty(), types.next()) {
        (true, _) => members(json!({"type": "string"})),
        // `number|null` allows nothing but a number; of several types a string holds them all.
        (false, Some(schema)) if types.next().is_none() && only_one_type(&choices) => members(schema),
        (false, Some(_)) => members(json!({"type": "string"})),
        (false, None) => members(json!({"type": "string", "enum": choices})),
    }
}

fn known(lower: &str) -> Option<Value> {
    Some(match lower {
        "string" | "str" | "text" => json!({"type": "string"}),
        "number" | "float" | "double" | "decimal" => json!({"type": "number"}),
        "integer" | "int" | "long" => json!({"type": "integer"}),
        "boolean" | "bool" => json!({"type": "boolean"}),
        // Providers refuse a list that says nothing of its elements.
        "array" | "list" => json!({"type": "array", "items": {}}),
        "object" => json!({"type": "object"}),
        "date" => json!({"type": "string", "format": "date"}),
        "datetime" | "date-time" => json!({"type": "string", "format": "date-time"}),
        _ => return None,
    })
}

/// `string` of `string[]`, `array<string>` and `list<string>`.
fn element_of_list(written: &str) -> Option<&str> {
    let named = ["array<", "list<"].into_iter().find_map(|opening| {
        let head = written.get(..opening.len())?;
        head.eq_ignore_ascii_case(opening)
            .then_some(&written[opening.len()..])
    });
    let element = match named {
        Some(rest) => rest.strip_suffix('>')?,
        None => written.strip_suffix("[]")?,
    };
    let element = element.trim();
    // Lists of lists are rare and only cost depth.
    (!element.is_empty() && !element.ends_with(['>', ']'])).then_some(element)
}

/// The values of `enum(a, b)`, `enum[a, b]`, `enum<a, b>`, `enum: a, b` and `a|b`; none where it is no such list.
fn choices(written: &str) -> Vec<String> {
    let list = match written.get(..4) {
        Some(head) if head.eq_ignore_ascii_case("enum") => {
            let rest = written[4..].trim();
            let enclosed = [('(', ')'), ('[', ']'), ('<', '>'), ('{', '}')]
                .into_iter()
                .find_map(|(opening, closing)| rest.strip_prefix(opening)?.strip_suffix(closing));
            enclosed.or_else(|| rest.strip_prefix(':')).unwrap_or_default()
        }
        _ if written.contains('|') => written,
        _ => return Vec::new(),
    };
    let separator = if list.contains('|') { '|' } else { ',' };
    let quotes: &[char] = &['"', '\'', '`'];
    let mut choices: Vec<String> = Vec::new();
    let mut seen: HashSet<&str> = HashSet::new();
    for choice in list.split(separator) {
        let choice = choice.trim().trim_matches(quotes);
        if !choice.is_empty() && seen.insert(choice) {
            choices.push(choice.to_owned());
        }
    }
    choices
}

fn only_one_type(choices: &[String]) -> bool {
    let is_nothing = |choice: &str| matches!(choice, "null" | "none" | "undefined");
    choices
        .iter()
        .filter(|choice| !is_nothing(&choice.to_lowercase()))
        .count()
        == 1
}

fn members(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}
