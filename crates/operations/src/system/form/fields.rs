//! Which form do these fields make, and does an answer fit it?

use handpick_protocol::json::to_raw;
use jsonschema::Validator;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::secrets::asks_for_secret;
use crate::limits::{FORM_FIELDS_MAX, FORM_OPTIONS_MAX};
use crate::shown::shown;

/// One field, as the model asks for it.
#[derive(Deserialize)]
pub(super) struct Field {
    name: String,
    title: Option<String>,
    description: Option<String>,
    #[serde(rename = "type")]
    kind: Kind,
    options: Option<Vec<String>>,
    #[serde(default)]
    required: bool,
    format: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    String,
    Number,
    Integer,
    Boolean,
    Enum,
}

/// A form that the protocol allows: flat, with simple values.
pub(super) struct Form {
    schema: Value,
    validator: Validator,
}

impl Form {
    /// Puts the fields together, or names the one that cannot be asked.
    pub fn new(fields: &[Field]) -> Result<Self, String> {
        if fields.is_empty() || fields.len() > FORM_FIELDS_MAX {
            return Err(format!(
                "`fields` must be 1 to {FORM_FIELDS_MAX}, not {}",
                fields.len()
            ));
        }
        let mut properties = Map::new();
        for (index, field) in fields.iter().enumerate() {
            let property = field
                .property()
                .map_err(|told| format!("`fields[{index}]{told}"))?;
            if properties.insert(field.name.clone(), property).is_some() {
                return Err(format!("`fields[{index}].name` must differ from those before it"));
            }
        }
        let required: Vec<&str> = fields
            .iter()
            .filter(|field| field.required)
            .map(|field| field.name.as_str())
            .collect();
        let mut schema = json!({"type": "object", "properties": properties});
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        let validator = jsonschema::options()
            .should_validate_formats(true)
            .build(&schema)
            .map_err(|error| format!("`fields` make no form: {}", shown(&error.to_string())))?;
        Ok(Self { schema, validator })
    }

    /// What is sent as `requestedSchema`.
    pub fn schema(&self) -> &Value {
        &self.schema
    }

    /// What was filled in, without what nobody asked for and without fields left empty; or what does not fit.
    pub fn check(&self, mut content: Map<String, Value>) -> Result<Map<String, Value>, String> {
        let asked = &self.schema["properties"];
        content.retain(|name, value| asked.get(name).is_some() && !value.is_null());
        let content = Value::Object(content);
        let errors: Vec<String> = self
            .validator
            .iter_errors(&content)
            .map(|error| {
                let field = error.instance_path().as_str().trim_start_matches('/').to_owned();
                match field.as_str() {
                    "" => shown(&error.to_string()).into_owned(),
                    field => format!("`{field}`: {}", shown(&error.to_string())),
                }
            })
            .collect();
        match (errors.is_empty(), content) {
            (true, Value::Object(content)) => Ok(content),
            _ => Err(errors.join("; ")),
        }
    }
}

impl Field {
    /// Its schema, or the rest of the path of what is wrong with it, and what would be right.
    fn property(&self) -> Result<Value, String> {
        let title = self.title.as_deref().unwrap_or_default();
        if matches!(self.kind, Kind::String | Kind::Number | Kind::Integer)
            && (asks_for_secret(&self.name) || asks_for_secret(title))
        {
            return Err(format!(
                ".name` must not ask for a secret (`{}`): a form is never for passwords, keys or card numbers; let the \
                 person enter those in the program they belong to",
                shown(&self.name)
            ));
        }
        if self.format.is_some() && self.kind != Kind::String {
            return Err(".format` is for the type `string` alone".to_owned());
        }
        let mut property = match self.kind {
            Kind::String => json!({"type": "string"}),
            Kind::Number => json!({"type": "number"}),
            Kind::Integer => json!({"type": "integer"}),
            Kind::Boolean => json!({"type": "boolean"}),
            Kind::Enum => json!({"type": "string", "enum": self.options()?}),
        };
        if self.kind != Kind::Enum && self.options.is_some() {
            return Err(".options` is for the type `enum` alone".to_owned());
        }
        for (key, text) in [
            ("title", &self.title),
            ("description", &self.description),
            ("format", &self.format),
        ] {
            if let Some(text) = text {
                property[key] = json!(text);
            }
        }
        Ok(property)
    }

    fn options(&self) -> Result<&[String], String> {
        let options = self.options.as_deref().unwrap_or_default();
        if options.is_empty() || options.len() > FORM_OPTIONS_MAX {
            return Err(format!(
                ".options` must be 1 to {FORM_OPTIONS_MAX} texts to choose from, for the type `enum`"
            ));
        }
        let twice = options
            .iter()
            .enumerate()
            .find(|(index, option)| options.iter().take(*index).any(|earlier| earlier == *option));
        match twice {
            Some((index, option)) => Err(format!(
                ".options[{index}]` must differ from those before it, not be {} again",
                to_raw(&shown(option)).get()
            )),
            None => Ok(options),
        }
    }
}
