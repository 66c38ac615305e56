//! What is to be changed of a presentation, and which fields of the request are wrong?

use std::collections::BTreeSet;

use handpick_domain::{Autonomy, Presentation, SystemToolkit};
use handpick_store::{Edit, PresentationEdit};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, OneOfBuilder, Schema, SchemaType, Type};

use crate::error::FieldError;

/// A change of a presentation. What is left out stays; `null` takes an earlier change back.
#[derive(Debug, ToSchema)]
#[schema(example = json!({
    "mode": "recommend", "autonomy": {"level": "confirm"}, "system_tools": ["journal"]
}))]
#[allow(dead_code, reason = "only describes")]
pub struct PresentationRequest {
    /// How tools are shown.
    #[schema(schema_with = mode_schema, required = false)]
    pub mode: String,
    /// How freely tools may be run.
    #[schema(schema_with = autonomy_schema, required = false)]
    pub autonomy: String,
    /// Toolkits of the gateway itself that are turned on.
    #[schema(schema_with = system_tools_schema, required = false)]
    pub system_tools: Vec<String>,
}

fn mode_schema() -> Schema {
    let described = "How tools are shown: every tool as itself; behind a search; behind one tool that takes a request in \
                     words; as the number of tools decides; behind recommendations; behind a search whose finds join the \
                     list.";
    one_or_null(Presentation::ALL.map(Presentation::as_str))
        .description(Some(described))
        .build()
        .into()
}

fn autonomy_schema() -> Schema {
    let level = || one_or_null(Autonomy::ALL.map(Autonomy::as_str));
    let described = "How freely tools may be run, as an object or as the level alone: all of them; some only once a \
                     person has agreed; only those that say that they change nothing. It counts at once.";
    let object = ObjectBuilder::new().property("level", level());
    OneOfBuilder::new()
        .description(Some(described))
        .item(level())
        .item(object)
        .build()
        .into()
}

fn system_tools_schema() -> Schema {
    let toolkit = ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(SystemToolkit::ALL.map(SystemToolkit::as_str)));
    let described = "Toolkits of the gateway itself that are turned on, in place of those that were. Their tools are \
                     listed as themselves, however the others are shown.";
    let toolkits = ArrayBuilder::new().schema_type(SchemaType::from_iter([Type::Array, Type::Null]));
    toolkits
        .items(toolkit)
        .description(Some(described))
        .build()
        .into()
}

fn one_or_null<const N: usize>(values: [&str; N]) -> ObjectBuilder {
    let values = values.into_iter().map(Value::from).chain([Value::Null]);
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
        .enum_values(Some(values))
}

/// Everything that is wrong with a request.
pub type Wrong = Vec<FieldError>;

/// Reads a change. Unknown fields are ignored, the threshold of `adaptive` among them: it cannot be changed (P8, E9).
pub fn read(body: &Map<String, Value>) -> Result<PresentationEdit, Wrong> {
    let mut wrong = Wrong::new();
    let edit = PresentationEdit {
        mode: setting(body.get("mode"), |value| mode(value, &mut wrong)),
        autonomy: autonomy(body.get("autonomy"), &mut wrong),
        system_tools: setting(body.get("system_tools"), |value| system_tools(value, &mut wrong)),
    };
    if wrong.is_empty() { Ok(edit) } else { Err(wrong) }
}

/// A setting that is absent stays, and one that is `null` goes back. What cannot be read has been noted as wrong.
fn setting<T>(value: Option<&Value>, read: impl FnOnce(&Value) -> Option<T>) -> Edit<T> {
    match value {
        None => Edit::Keep,
        Some(Value::Null) => Edit::Back,
        Some(value) => read(value).map_or(Edit::Keep, Edit::To),
    }
}

fn mode(value: &Value, wrong: &mut Wrong) -> Option<Presentation> {
    let read = value.as_str().and_then(Presentation::parse);
    if read.is_none() {
        refuse(
            wrong,
            "mode",
            &one_of(Presentation::ALL.map(Presentation::as_str)),
        );
    }
    read
}

/// `{"level": …}`, or the level alone.
fn autonomy(value: Option<&Value>, wrong: &mut Wrong) -> Edit<Autonomy> {
    let (field, value) = match value {
        Some(Value::Object(members)) => ("autonomy.level", members.get("level")),
        value => ("autonomy", value),
    };
    setting(value, |value| {
        let read = value.as_str().and_then(Autonomy::parse);
        if read.is_none() {
            refuse(wrong, field, &one_of(Autonomy::ALL.map(Autonomy::as_str)));
        }
        read
    })
}

fn system_tools(value: &Value, wrong: &mut Wrong) -> Option<BTreeSet<SystemToolkit>> {
    let known = listed(SystemToolkit::ALL.map(SystemToolkit::as_str));
    let Some(values) = value.as_array() else {
        refuse(
            wrong,
            "system_tools",
            &format!("must be an array of {known}{OR_NULL}"),
        );
        return None;
    };
    let mut toolkits = BTreeSet::new();
    for (index, value) in values.iter().enumerate() {
        match value.as_str().and_then(SystemToolkit::parse) {
            Some(toolkit) => drop(toolkits.insert(toolkit)),
            None => refuse(
                wrong,
                &format!("system_tools[{index}]"),
                &format!("must be {known}"),
            ),
        }
    }
    Some(toolkits)
}

/// How every change is taken back.
const OR_NULL: &str = ", or null to take an earlier change back";

fn one_of<const N: usize>(values: [&str; N]) -> String {
    format!("must be {}{OR_NULL}", listed(values))
}

/// `a`, `b` or `c`.
fn listed<const N: usize>(values: [&str; N]) -> String {
    let quoted = values.map(|value| format!("`{value}`"));
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

fn refuse(wrong: &mut Wrong, field: &str, message: &str) {
    wrong.push(FieldError {
        field: field.to_owned(),
        message: message.to_owned(),
    });
}
