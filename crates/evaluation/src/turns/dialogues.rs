//! What do recorded dialogues without labels say about the tools of each turn?
//!
//! A dialogue is messages in order, the assistant's with the tools it called. What it called in answer to a message is
//! what that message needed; nothing is known of kinds and ids.

#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};

use super::labels::{Conversation, Turn, as_object, each_line, list};
use crate::labelled::{Mistake, id, kind_of, object, text};

/// Reads dialogues, one JSON object a line with `messages`. Several messages of one speaker in a row are one turn.
pub fn read(source: &str) -> Result<Vec<Conversation>, Mistake> {
    each_line(source, |row, number| {
        let messages = list(row, "messages")?.ok_or("`messages` is required: what was said, in order")?;
        let mut turns: Vec<Turn> = Vec::new();
        let mut answered = false;
        for (nth, message) in messages.iter().enumerate() {
            let told = |text: String| format!("`messages[{nth}]`: {text}");
            let message = as_object(message).map_err(told)?;
            let content = text(message, "content").map_err(told)?.unwrap_or_default();
            match message.get("role").and_then(Value::as_str) {
                Some("user") => match turns.last_mut().filter(|_| !answered) {
                    Some(turn) => push(&mut turn.message, &content),
                    None => turns.push(Turn {
                        message: content,
                        ..Turn::default()
                    }),
                },
                Some("assistant") => {
                    // What is said before anybody asked opens no turn.
                    if let Some(turn) = turns.last_mut() {
                        answer(turn, &content, message).map_err(told)?;
                    }
                }
                // What a tool or the system says is no message of either.
                _ => continue,
            }
            answered = message.get("role").is_some_and(|role| role == "assistant");
        }
        turns.retain(|turn| !turn.message.trim().is_empty());
        Ok(Conversation {
            id: id(row)?.unwrap_or_else(|| number.to_string()),
            turns,
            ..Conversation::default()
        })
    })
}

/// Adds an assistant's message to the turn it answers.
fn answer(turn: &mut Turn, content: &str, message: &Map<String, Value>) -> Result<(), String> {
    let mut said = turn
        .assistant
        .get("content")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    push(&mut said, content);
    let mut calls = match turn.assistant.remove("toolCalls") {
        Some(Value::Array(calls)) => calls,
        _ => Vec::new(),
    };
    for call in list(message, "toolCalls")?.unwrap_or_default() {
        let call = as_object(call)?;
        let name = text(call, "name")?.ok_or("`toolCalls`: `name` is required")?;
        if !turn.expected.needed.contains(&name) {
            turn.expected.needed.push(name.clone());
        }
        calls.push(as_sent(&name, call));
    }
    turn.assistant.insert("content".to_owned(), json!(said));
    turn.assistant.insert("toolCalls".to_owned(), json!(calls));
    Ok(())
}

/// A call as a request sends it: arguments are an object and a result is a text.
fn as_sent(name: &str, call: &Map<String, Value>) -> Value {
    let arguments = call.get("arguments").filter(|arguments| arguments.is_object());
    let mut sent = json!({"name": name, "arguments": arguments.unwrap_or(&json!({}))});
    match call.get("result") {
        None | Some(Value::Null) => {}
        Some(Value::String(result)) => sent["result"] = json!(result),
        Some(other) => sent["result"] = json!(other.to_string()),
    }
    sent
}

fn push(text: &mut String, more: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push('\n');
    }
    text.push_str(more);
}

/// A catalog body made from tools one a line, each with `name`, `description` and `input_schema` (or `inputSchema`): its
/// properties become parameters.
pub fn catalog(source: &str) -> Result<Value, Mistake> {
    let lines = source.trim_start_matches('\u{feff}').lines().enumerate();
    let tools = lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| {
            tool(line).map_err(|text| Mistake {
                line: Some(index + 1),
                text,
            })
        })
        .collect::<Result<Vec<Value>, Mistake>>()?;
    if tools.is_empty() {
        return Err(Mistake {
            line: None,
            text: "holds no tool: one JSON object a line is expected".to_owned(),
        });
    }
    Ok(json!({"tools": tools}))
}

fn tool(line: &str) -> Result<Value, String> {
    let row = object(line)?;
    let name = text(&row, "name")?.ok_or("`name` is required")?;
    let description = text(&row, "description")?.filter(|description| !description.trim().is_empty());
    let schema = match row.get("input_schema").or_else(|| row.get("inputSchema")) {
        None | Some(Value::Null) => None,
        Some(Value::Object(schema)) => Some(schema),
        Some(other) => {
            return Err(format!(
                "`input_schema` must be an object, not {}",
                kind_of(other)
            ));
        }
    };
    // A published tool needs a description; a name says at least something.
    let description = description.unwrap_or_else(|| name.clone());
    let parameters = schema.map(parameters).unwrap_or_default();
    Ok(json!({"name": name, "description": description, "parameters": parameters}))
}

fn parameters(schema: &Map<String, Value>) -> Vec<Value> {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required =
        |name: &str| required.is_some_and(|required| required.iter().any(|known| known == name));
    let properties = schema.get("properties").and_then(Value::as_object);
    properties
        .into_iter()
        .flatten()
        .map(|(name, property)| {
            let mut parameter = json!({"name": name, "required": is_required(name)});
            for (from, to) in [("description", "description"), ("type", "dataType")] {
                if let Some(text) = property.get(from).and_then(Value::as_str) {
                    parameter[to] = json!(text);
                }
            }
            parameter
        })
        .collect()
}
