//! How are small catalogs and conversations written down?

use handpick_conversation::{EdgeSource, Graph, published};
use handpick_domain::{AgentTool, Conversation};
use serde_json::{Value, json};

/// A catalog of lines like `find_customer(query) -> customer_id`; a parameter with `?` is optional.
pub fn catalog(lines: &[&str]) -> Vec<AgentTool> {
    let tool = |line: &&str| {
        let (head, produces) = line.split_once(" -> ").unwrap_or((line, ""));
        let (name, parameters) = head.split_once('(').unwrap();
        let parameters = parameters.trim_end_matches(')');
        let list = |text: &str| -> Vec<String> {
            text.split(", ")
                .filter(|part| !part.is_empty())
                .map(str::to_owned)
                .collect()
        };
        let parameters: Vec<Value> = list(parameters)
            .iter()
            .map(|name| json!({"name": name.trim_end_matches('?'), "required": !name.ends_with('?')}))
            .collect();
        json!({"name": name, "description": "Does it.", "parameters": parameters, "produces": list(produces)})
    };
    published::catalog(&json!({"tools": lines.iter().map(tool).collect::<Vec<_>>()})).unwrap()
}

/// A call, to stand in a turn.
#[allow(
    clippy::needless_pass_by_value,
    reason = "callers write the arguments down where they call"
)]
pub fn call(name: &str, arguments: Value, result: &str) -> Value {
    let mut call = json!({"name": name, "arguments": arguments});
    if !result.is_empty() {
        call["result"] = json!(result);
    }
    call
}

/// A conversation whose turns are what the user said and what was called.
pub fn conversation(id: &str, turns: &[(&str, Vec<Value>)]) -> Conversation {
    let messages: Vec<Value> = turns
        .iter()
        .flat_map(|(said, calls)| {
            let asked = json!({"role": "user", "content": said});
            [
                asked,
                json!({"role": "assistant", "content": "Done.", "toolCalls": calls}),
            ]
        })
        .collect();
    let body = json!([{"id": id, "messages": messages}]);
    published::conversations(&body).unwrap().remove(0).conversation
}

/// The edges, as `provider -> consumer (param) SOURCE`, in their order.
pub fn edges(tools: &[AgentTool], conversations: &[Conversation]) -> Vec<String> {
    let graph = Graph::learn(tools, conversations);
    let told = graph.edges().iter().map(|edge| {
        let (provider, consumer) = (&tools[edge.provider].name, &tools[edge.consumer].name);
        format!(
            "{provider} -> {consumer} ({}) {}",
            edge.param,
            edge.source.as_str()
        )
    });
    told.collect()
}

/// How many edges of each source there are, strongest first.
pub fn counts(tools: &[AgentTool], conversations: &[Conversation]) -> [usize; 3] {
    let graph = Graph::learn(tools, conversations);
    [EdgeSource::Declared, EdgeSource::Trace, EdgeSource::Static].map(|source| graph.count(source))
}
