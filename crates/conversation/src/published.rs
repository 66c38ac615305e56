//! What does a published body say, and which field is wrong?
//!
//! Shared by the front that takes the body, by whoever reads it back from the store, and by `handpick eval turns`,
//! so that all three mean the same. Unknown fields are ignored (T7); every wrong field is named by its path
//! (T17, T48). An optional field that is `null` is as good as absent.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use handpick_domain::{AgentTool, Conversation, Message, Parameter, Role, ToolCall};
use serde_json::{Map, Value};

mod field;
#[cfg(test)]
mod tests;

use field::Field;

/// Most tools of one catalog (E2).
pub const TOOLS_MAX: usize = 10_000;

/// Most examples of one tool (T10).
pub const EXAMPLES_MAX: usize = 100;

/// Most wrong fields that are told of one body.
pub const DEFECTS_MAX: usize = 20;

/// One wrong field of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDefect {
    /// Its path, such as `tools[3].name`; `body` for the whole of it.
    pub field: String,
    /// What would be right.
    pub message: String,
}

/// A past conversation with the JSON it came as.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedConversation {
    /// What it says.
    pub conversation: Conversation,
    /// Its own JSON text.
    pub json: String,
}

/// The tools of a catalog body, `{"tools": [...]}`, in the order published (T9, T10, T17).
pub fn catalog(body: &Value) -> Result<Vec<AgentTool>, Vec<FieldDefect>> {
    let mut defects = Vec::new();
    let Some(members) = body.as_object() else {
        return Err(vec![whole("must be an object with an array `tools`")]);
    };
    let path = "tools".to_owned();
    let values = Field {
        members,
        path: String::new(),
    }
    .required_array("tools", "an array of tools", &mut defects);
    if values.len() > TOOLS_MAX {
        let message = format!("must have at most {TOOLS_MAX} tools, has {}", values.len());
        return Err(vec![FieldDefect { field: path, message }]);
    }
    let mut tools = Vec::with_capacity(values.len());
    let mut first: HashMap<Arc<str>, usize> = HashMap::new();
    for (position, value) in values.iter().enumerate() {
        let path = format!("tools[{position}]");
        let Some(members) = object(value, &path, &mut defects) else {
            continue;
        };
        let tool = tool(
            &Field {
                members,
                path: path.clone(),
            },
            &mut defects,
        );
        if !tool.name.is_empty()
            && let Some(before) = first.insert(Arc::clone(&tool.name), position)
        {
            let message = format!(
                "duplicate \"{}\", the name of tools[{before}]; every tool needs its own",
                field::shown(&tool.name)
            );
            field::tell(&mut defects, format!("{path}.name"), message);
        }
        tools.push(tool);
        if defects.len() >= DEFECTS_MAX {
            break;
        }
    }
    if defects.is_empty() {
        Ok(tools)
    } else {
        Err(defects)
    }
}

fn tool(fields: &Field<'_>, defects: &mut Vec<FieldDefect>) -> AgentTool {
    let name = fields.required_name("name", defects);
    let description = fields.required_text("description", defects);
    let mut parameters = Vec::new();
    for (position, value) in fields
        .array("parameters", "an array of parameters", defects)
        .iter()
        .enumerate()
    {
        let path = fields.path_of(&format!("parameters[{position}]"));
        if let Some(members) = object(value, &path, defects) {
            parameters.push(parameter(&Field { members, path }, defects));
        }
    }
    let examples = fields.texts("examples", defects);
    if examples.len() > EXAMPLES_MAX {
        let message = format!(
            "must have at most {EXAMPLES_MAX} examples, has {}",
            examples.len()
        );
        field::tell(defects, fields.path_of("examples"), message);
    }
    AgentTool {
        name: Arc::from(name),
        display_name: fields.text("displayName", defects),
        description,
        parameters,
        examples,
        produces: fields.texts("produces", defects),
        core: fields.flag("core", defects),
        required_roles: fields
            .texts("requiredRoles", defects)
            .into_iter()
            .collect::<BTreeSet<_>>(),
    }
}

fn parameter(fields: &Field<'_>, defects: &mut Vec<FieldDefect>) -> Parameter {
    Parameter {
        name: fields.required_name("name", defects),
        description: fields.text("description", defects),
        data_type: fields.text("dataType", defects),
        required: fields.flag("required", defects),
    }
}

/// The conversations of a traces body, a JSON array. Of those with the same id the last one counts (E10, T20).
pub fn conversations(body: &Value) -> Result<Vec<PublishedConversation>, Vec<FieldDefect>> {
    let mut defects = Vec::new();
    let Some(values) = body.as_array() else {
        return Err(vec![whole("must be an array of conversations")]);
    };
    let mut published: Vec<PublishedConversation> = Vec::with_capacity(values.len());
    for (position, value) in values.iter().enumerate() {
        let path = format!("[{position}]");
        let Some(members) = object(value, &path, &mut defects) else {
            continue;
        };
        let fields = Field { members, path };
        let id = fields.required_text("id", &mut defects);
        let said = fields.required_array("messages", "an array of messages", &mut defects);
        let messages = list(said, &fields.path_of("messages"), &mut defects);
        let conversation = Conversation { id, messages };
        published.push(PublishedConversation {
            conversation,
            json: value.to_string(),
        });
        if defects.len() >= DEFECTS_MAX {
            break;
        }
    }
    if !defects.is_empty() {
        return Err(defects);
    }
    let last: HashMap<String, usize> = published
        .iter()
        .enumerate()
        .map(|(position, one)| (one.conversation.id.clone(), position))
        .collect();
    let mut position = 0;
    published.retain(|one| {
        position += 1;
        last.get(&one.conversation.id) == Some(&(position - 1))
    });
    Ok(published)
}

/// Messages in the shape of `history`, found at `path` of a body (T22). Wrong fields are added to `defects`.
pub fn messages(value: &Value, path: &str, defects: &mut Vec<FieldDefect>) -> Vec<Message> {
    match value {
        Value::Null => Vec::new(),
        Value::Array(values) => list(values, path, defects),
        other => {
            field::tell(
                defects,
                path.to_owned(),
                field::not("an array of messages", other),
            );
            Vec::new()
        }
    }
}

fn list(values: &[Value], path: &str, defects: &mut Vec<FieldDefect>) -> Vec<Message> {
    let mut messages = Vec::with_capacity(values.len());
    for (position, value) in values.iter().enumerate() {
        if defects.len() >= DEFECTS_MAX {
            break;
        }
        let path = format!("{path}[{position}]");
        if let Some(members) = object(value, &path, defects) {
            messages.push(message(&Field { members, path }, defects));
        }
    }
    messages
}

fn message(fields: &Field<'_>, defects: &mut Vec<FieldDefect>) -> Message {
    let role = match fields.get("role") {
        Some(Value::String(role)) if role == "user" => Role::User,
        Some(Value::String(role)) if role == "assistant" => Role::Assistant,
        _ => {
            field::tell(
                defects,
                fields.path_of("role"),
                "must be \"user\" or \"assistant\"".to_owned(),
            );
            Role::User
        }
    };
    let mut tool_calls = Vec::new();
    for (position, value) in fields
        .array("toolCalls", "an array of tool calls", defects)
        .iter()
        .enumerate()
    {
        let path = fields.path_of(&format!("toolCalls[{position}]"));
        if let Some(members) = object(value, &path, defects) {
            tool_calls.push(tool_call(&Field { members, path }, defects));
        }
    }
    // A model that only calls tools says nothing.
    let may_be_silent = role == Role::Assistant && fields.get("toolCalls").is_some();
    if fields.get("content").is_none() && !may_be_silent {
        field::tell(
            defects,
            fields.path_of("content"),
            "is required: a string".to_owned(),
        );
    }
    Message {
        role,
        content: fields.text("content", defects).unwrap_or_default(),
        tool_calls,
    }
}

fn tool_call(fields: &Field<'_>, defects: &mut Vec<FieldDefect>) -> ToolCall {
    let arguments = match fields.get("arguments") {
        None => Map::new(),
        Some(Value::Object(arguments)) => arguments.clone(),
        Some(other) => {
            field::tell(
                defects,
                fields.path_of("arguments"),
                field::not("an object", other),
            );
            Map::new()
        }
    };
    let result = match fields.get("result") {
        None => None,
        Some(Value::String(result)) => Some(result.clone()),
        Some(other) => {
            let message = format!("{}; send JSON as text", field::not("a string", other));
            field::tell(defects, fields.path_of("result"), message);
            None
        }
    };
    ToolCall {
        name: fields.required_text("name", defects),
        arguments,
        result,
    }
}

fn object<'a>(
    value: &'a Value,
    path: &str,
    defects: &mut Vec<FieldDefect>,
) -> Option<&'a Map<String, Value>> {
    if value.as_object().is_none() {
        field::tell(defects, path.to_owned(), field::not("an object", value));
    }
    value.as_object()
}

fn whole(message: &str) -> FieldDefect {
    FieldDefect {
        field: "body".to_owned(),
        message: message.to_owned(),
    }
}
