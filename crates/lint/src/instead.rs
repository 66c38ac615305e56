//! What first line would be better?

use handpick_domain::Tool;
use serde_json::Value;

use crate::listing::{Listed, Server};
use crate::{sentences, words};

/// A better first line for a tool whose own says too little: a sentence out of its description if one
/// says what it does, else its own line, or its name, with the service.
pub fn first_line(server: &Server<'_>, listed: &Listed<'_>) -> String {
    match sentence(listed.tool) {
        Some(sentence) => format!("write instead: \"{sentence}\" (a sentence from further down)"),
        // Measured: the service's name alone gains nothing, so this is a beginning and says so.
        None => format!(
            "write instead: \"{} …\", with what comes back, what it is for or what people call it in place of the dots",
            completed(server, listed)
        ),
    }
}

/// The sentence below the first line that says what a tool does. Where there is no first line, a short one is
/// better than none.
pub(crate) fn sentence(tool: &Tool) -> Option<String> {
    let least = if tool.first_line().is_empty() { 2 } else { 4 };
    sentences::telling(later(&tool.description), tool.name.tool(), least)
}

/// A description without its first line; all of it where that is empty.
fn later(description: &str) -> &str {
    match description.split_once('\n') {
        Some((first, rest)) if !first.trim().is_empty() => rest,
        Some(_) => description,
        None => "",
    }
}

/// `Delete a team in PagerDuty`: the line as it is, and the service. Not its parameters: measured, their names
/// in the first line cost more than they bring.
pub fn completed(server: &Server<'_>, listed: &Listed<'_>) -> String {
    let line = listed.tool.first_line().trim_end_matches(['.', '!', ':', ' ']);
    if words::telling(line).len() < 2 {
        return named(server, listed);
    }
    // `Service | Do this` and markup say nothing that is not said otherwise.
    let line = line.rsplit(" | ").next().unwrap_or(line).replace("**", "");
    with_service(
        server,
        sentences::capitalised(line.trim_start_matches(['#', ' '])),
    )
}

/// `Delete team in PagerDuty`: the words of the name, and the service.
pub fn named(server: &Server<'_>, listed: &Listed<'_>) -> String {
    with_service(server, from_name(server, listed))
}

fn with_service(server: &Server<'_>, mut completed: String) -> String {
    let mut added = String::new();
    let service = &server.service;
    if service.is_name && !service.is_named_in(&completed) {
        added.push_str(" in ");
        added.push_str(&service.title);
    }
    // Behind the statement, before what else the line says.
    let end = ["; ", " (", ". ", ": "]
        .iter()
        .filter_map(|mark| completed.find(mark))
        .min()
        .unwrap_or(completed.len());
    completed.insert_str(end, &added);
    completed
}

/// The words of a tool's name that are not its server's, the verb first.
fn from_name(server: &Server<'_>, listed: &Listed<'_>) -> String {
    let parts = words::words(listed.tool.name.tool());
    let app = words::words(server.app);
    let spoken: Vec<String> = parts
        .iter()
        .filter(|part| !app.contains(part) && *part != "api")
        .cloned()
        .collect();
    let parts = if spoken.is_empty() { parts } else { spoken };
    sentences::capitalised(&in_order(parts).join(" "))
}

/// The words of a name with its verb first: `users list` becomes `list users`.
fn in_order(mut parts: Vec<String>) -> Vec<String> {
    if let Some(verb) = parts.iter().position(|part| words::is_verb(part))
        && verb + 1 == parts.len()
    {
        parts.rotate_right(1);
    }
    parts
}

/// Names of the required properties.
pub fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::servers;
    use crate::listing::tests::tool;
    use handpick_domain::Catalog;
    use std::sync::Arc;

    #[track_caller]
    fn check(app: &str, name: &str, description: &str, expected: &str) {
        let tool = tool(app, name, description, r#"{"required":["team_id"]}"#);
        let catalog = Catalog::new(1, vec![Arc::new(tool)]);
        let servers = servers(&catalog);
        assert_eq!(first_line(&servers[0], &servers[0].tools[0]), expected);
    }

    #[test]
    fn a_sentence_of_its_own_or_one_made_of_its_name() {
        check(
            "pagerduty",
            "delete_team",
            "Delete a team.\n\nArgs:\n  team_id: the PagerDuty team",
            "write instead: \"Delete a team in PagerDuty …\", with what comes back, what it is for or what people call it in place of the dots",
        );
        check(
            "shortcut",
            "users-list",
            "",
            "write instead: \"List users in Shortcut …\", with what comes back, what it is for or what people call it in place of the dots",
        );
        check(
            "chat",
            "list",
            "List.\n\nTIP: Lists the signed-in user's chats with their last message.",
            "write instead: \"Lists the signed-in user's chats with their last message.\" (a sentence from further down)",
        );
    }
}
