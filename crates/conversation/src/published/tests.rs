//! Is every wrong field named, and everything right kept?

use serde_json::json;

use super::*;

fn fields(defects: &[FieldDefect]) -> Vec<&str> {
    defects.iter().map(|defect| defect.field.as_str()).collect()
}

#[test]
fn t9_t10_t12_a_catalog_is_read_as_published() {
    let tools = catalog(&json!({"tools": [
        {"name": "b", "description": "B.", "displayName": "Be", "core": true, "requiredRoles": ["lead"],
         "parameters": [{"name": "customer_id", "description": "e.g. cus_1", "dataType": "string", "required": true}, {"name": "x"}],
         "examples": ["do b"], "produces": ["b_id"], "unknown": {"kept": "elsewhere"}},
        {"name": "a", "description": "A.", "displayName": null, "parameters": null, "examples": null, "produces": null,
         "core": null, "requiredRoles": null},
    ], "more": 1}))
    .unwrap();
    assert_eq!(
        tools.iter().map(|tool| &*tool.name).collect::<Vec<_>>(),
        ["b", "a"]
    );
    let tool = &tools[0];
    assert_eq!(tool.display_name.as_deref(), Some("Be"));
    assert!(tool.core && tool.parameters[0].required && !tool.parameters[1].required);
    assert_eq!(tool.parameters[0].description.as_deref(), Some("e.g. cus_1"));
    assert_eq!(tool.parameters[0].data_type.as_deref(), Some("string"));
    assert_eq!(
        (&tool.examples[..], &tool.produces[..]),
        (&["do b".to_owned()][..], &["b_id".to_owned()][..])
    );
    assert!(tool.required_roles.contains("lead"));
    let bare = AgentTool {
        name: "a".into(),
        description: "A.".into(),
        ..AgentTool::default()
    };
    assert_eq!(tools[1], bare);
    assert_eq!(catalog(&json!({"tools": []})), Ok(Vec::new()));
}

#[test]
fn t17_t48_every_wrong_field_of_a_catalog_is_named() {
    let many: Vec<String> = (0..101).map(|number| format!("example {number}")).collect();
    let tool = |extra: Value| {
        let mut tool = json!({"name": "x", "description": "X."});
        tool.as_object_mut()
            .unwrap()
            .extend(extra.as_object().unwrap().clone());
        json!({"tools": [tool]})
    };
    for (body, expected) in [
        (json!([]), vec!["body"]),
        (json!({}), vec!["tools"]),
        (json!({"tools": null}), vec!["tools"]),
        (json!({"tools": {}}), vec!["tools"]),
        (json!({"tools": [1]}), vec!["tools[0]"]),
        (
            json!({"tools": [{}]}),
            vec!["tools[0].name", "tools[0].description"],
        ),
        (tool(json!({"name": "  "})), vec!["tools[0].name"]),
        (tool(json!({"name": "a\nb"})), vec!["tools[0].name"]),
        (tool(json!({"name": "a\u{0}"})), vec!["tools[0].name"]),
        (tool(json!({"name": 5})), vec!["tools[0].name"]),
        (tool(json!({"description": " "})), vec!["tools[0].description"]),
        (tool(json!({"description": ["X"]})), vec!["tools[0].description"]),
        (tool(json!({"displayName": 1})), vec!["tools[0].displayName"]),
        (tool(json!({"parameters": {}})), vec!["tools[0].parameters"]),
        (
            tool(json!({"parameters": ["id"]})),
            vec!["tools[0].parameters[0]"],
        ),
        (
            tool(json!({"parameters": [{"name": "a"}, {}]})),
            vec!["tools[0].parameters[1].name"],
        ),
        (
            tool(json!({"parameters": [{"name": "a\u{7}"}]})),
            vec!["tools[0].parameters[0].name"],
        ),
        (
            tool(json!({"parameters": [{"name": "a", "description": 1, "dataType": [], "required": "yes"}]})),
            vec![
                "tools[0].parameters[0].description",
                "tools[0].parameters[0].dataType",
                "tools[0].parameters[0].required",
            ],
        ),
        (tool(json!({"examples": "do"})), vec!["tools[0].examples"]),
        (
            tool(json!({"examples": ["a", 2, " "]})),
            vec!["tools[0].examples[1]", "tools[0].examples[2]"],
        ),
        (tool(json!({"examples": many})), vec!["tools[0].examples"]),
        (tool(json!({"produces": [""]})), vec!["tools[0].produces[0]"]),
        (tool(json!({"core": 1})), vec!["tools[0].core"]),
        (
            tool(json!({"requiredRoles": "lead"})),
            vec!["tools[0].requiredRoles"],
        ),
    ] {
        assert_eq!(fields(&catalog(&body).unwrap_err()), expected, "{body}");
    }
    assert!(
        catalog(&tool(
            json!({"examples": &many[1..], "description": "two\nlines", "dataType": 5})
        ))
        .is_ok()
    );
}

#[test]
fn t17_duplicates_and_limits() {
    let tool = |name: &str| json!({"name": name, "description": "X."});
    let defects = catalog(&json!({"tools": [tool("a"), tool("x"), tool("b"), tool("x")]})).unwrap_err();
    assert_eq!(fields(&defects), ["tools[3].name"]);
    assert!(
        defects[0].message.starts_with("duplicate \"x\""),
        "{}",
        defects[0].message
    );
    assert!(catalog(&json!({"tools": [tool("x"), tool("X"), tool("x ")]})).is_ok());
    let tools: Vec<Value> = (0..=TOOLS_MAX).map(|number| tool(&number.to_string())).collect();
    assert_eq!(catalog(&json!({"tools": tools[1..]})).unwrap().len(), TOOLS_MAX);
    assert_eq!(
        fields(&catalog(&json!({ "tools": tools })).unwrap_err()),
        ["tools"]
    );
    let empty: Vec<Value> = (0..500).map(|_| json!({})).collect();
    assert_eq!(catalog(&json!({"tools": empty})).unwrap_err().len(), DEFECTS_MAX);
}

#[test]
fn t18_t20_conversations_are_read_and_the_last_of_an_id_counts() {
    let body = json!([
        {"id": "one", "messages": [{"role": "user", "content": "old"}]},
        {"id": "two", "messages": [], "note": 1},
        {"id": "one", "messages": [
            {"role": "user", "content": "new"},
            {"role": "assistant", "toolCalls": [{"name": "t", "arguments": {"a": 1}, "result": "not { json"}, {"name": "gone"}]}]},
    ]);
    let read = conversations(&body).unwrap();
    assert_eq!(
        read.iter()
            .map(|one| one.conversation.id.as_str())
            .collect::<Vec<_>>(),
        ["two", "one"]
    );
    assert_eq!(serde_json::from_str::<Value>(&read[0].json).unwrap(), body[1]);
    let messages = &read[1].conversation.messages;
    assert_eq!(
        (messages[0].role, messages[0].content.as_str()),
        (Role::User, "new")
    );
    assert_eq!(
        (messages[1].role, messages[1].content.as_str()),
        (Role::Assistant, "")
    );
    assert_eq!(messages[1].tool_calls[0].arguments["a"], json!(1));
    assert_eq!(messages[1].tool_calls[0].result.as_deref(), Some("not { json"));
    assert_eq!(
        messages[1].tool_calls[1],
        ToolCall {
            name: "gone".into(),
            ..ToolCall::default()
        }
    );
    assert_eq!(conversations(&json!([])), Ok(Vec::new()));
}

#[test]
fn t18_t20_t48_every_wrong_field_of_a_conversation_is_named() {
    for (body, expected) in [
        (json!({}), vec!["body"]),
        (json!(["x"]), vec!["[0]"]),
        (json!([{}]), vec!["[0].id", "[0].messages"]),
        (json!([{"id": " ", "messages": []}]), vec!["[0].id"]),
        (json!([{"id": 4, "messages": []}]), vec!["[0].id"]),
        (json!([{"id": "a", "messages": null}]), vec!["[0].messages"]),
        (
            json!([{"id": "a", "messages": []}, {"id": "b", "messages": [{"role": "system", "content": ""}]}]),
            vec!["[1].messages[0].role"],
        ),
    ] {
        assert_eq!(fields(&conversations(&body).unwrap_err()), expected, "{body}");
    }
}

#[test]
fn t22_every_wrong_field_of_a_history_is_named() {
    let read = |value: Value| {
        let mut defects = Vec::new();
        let messages = messages(&value, "history", &mut defects);
        (
            messages.len(),
            defects.into_iter().map(|defect| defect.field).collect::<Vec<_>>(),
        )
    };
    let call = |call: Value| json!([{"role": "assistant", "content": null, "toolCalls": [call]}]);
    for (value, expected) in [
        (json!("x"), vec!["history"]),
        (json!([null]), vec!["history[0]"]),
        (json!([{"content": "x"}]), vec!["history[0].role"]),
        (json!([{"role": "tool", "content": "x"}]), vec!["history[0].role"]),
        (json!([{"role": "user"}]), vec!["history[0].content"]),
        (
            json!([{"role": "user", "content": "a"}, {"role": "user", "content": 1}]),
            vec!["history[1].content"],
        ),
        (
            json!([{"role": "assistant", "content": null}]),
            vec!["history[0].content"],
        ),
        (
            json!([{"role": "assistant", "content": "a", "toolCalls": {}}]),
            vec!["history[0].toolCalls"],
        ),
        (call(json!("t")), vec!["history[0].toolCalls[0]"]),
        (call(json!({})), vec!["history[0].toolCalls[0].name"]),
        (
            call(json!({"name": "t", "arguments": "{}"})),
            vec!["history[0].toolCalls[0].arguments"],
        ),
        (
            call(json!({"name": "t", "result": {"a": 1}})),
            vec!["history[0].toolCalls[0].result"],
        ),
    ] {
        assert_eq!(read(value.clone()).1, expected, "{value}");
    }
    assert_eq!(read(Value::Null), (0, Vec::new()));
    assert_eq!(read(json!([])), (0, Vec::new()));
    assert_eq!(
        read(call(json!({"name": "t", "arguments": null, "result": null}))),
        (1, Vec::new())
    );
    assert_eq!(
        read(json!([{"role": "assistant", "content": ""}, {"role": "user", "content": "\u{0}"}])).1,
        Vec::<String>::new()
    );
    let wrong: Vec<Value> = (0..300).map(|_| json!(1)).collect();
    assert_eq!(read(json!(wrong)).1.len(), DEFECTS_MAX);
}

/// T48: an answer names the field, it does not send the body back.
#[test]
fn t48_a_long_name_is_told_by_its_beginning() {
    let tool = json!({"name": "é".repeat(100_000), "description": "x"});
    let defects = catalog(&json!({"tools": [tool, tool]})).unwrap_err();
    let [defect] = &defects[..] else {
        panic!("{} defects", defects.len())
    };
    assert_eq!(defect.field, "tools[1].name");
    assert!(defect.message.len() < 300, "{}", defect.message.len());
}
