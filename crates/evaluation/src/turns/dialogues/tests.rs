//! Do dialogues become turns, and tools a catalog?

use super::*;

#[test]
fn what_was_called_in_answer_was_needed() {
    let source = json!({"id": "d", "messages": [
        {"role": "assistant", "content": "Hello!"},
        {"role": "user", "content": "Wake me"},
        {"role": "user", "content": "at six."},
        {"role": "assistant", "content": "", "toolCalls": [
            {"name": "AddAlarm", "arguments": {"time": "06:00"}, "result": {"alarm_id": "5b"}}]},
        {"role": "tool", "content": "ignored"},
        {"role": "assistant", "content": "Done.", "toolCalls": [
            {"name": "AddAlarm", "arguments": "(time='06:30')", "result": null},
            {"name": "Log", "result": "as text"}]},
        {"role": "user", "content": "Thanks"}]});
    let conversation = read(&source.to_string()).unwrap().remove(0);
    let messages: Vec<&str> = conversation
        .turns
        .iter()
        .map(|turn| turn.message.as_str())
        .collect();
    assert_eq!(messages, ["Wake me\nat six.", "Thanks"]);
    assert_eq!(conversation.turns[0].expected.needed, ["AddAlarm", "Log"]);
    assert!(!conversation.turns[1].expected.needs_a_tool());
    assert_eq!(
        conversation.history(1)[1],
        json!({"role": "assistant", "content": "Done.", "toolCalls": [
            {"name": "AddAlarm", "arguments": {"time": "06:00"}, "result": "{\"alarm_id\":\"5b\"}"},
            {"name": "AddAlarm", "arguments": {}},
            {"name": "Log", "arguments": {}, "result": "as text"}]})
    );
    assert_eq!(
        conversation.history(2).as_array().unwrap().len(),
        3,
        "nobody answered the thanks"
    );
}

#[test]
fn a_schema_becomes_parameters() {
    let tool = json!({"name": "AddAlarm", "description": "Set an alarm.", "input_schema": {
        "properties": {"time": {"type": "string", "description": "When"}, "days": {"type": ["array", "null"]}},
        "required": ["time"]}});
    let bare = json!({"name": "Log", "description": "", "inputSchema": null});
    assert_eq!(
        catalog(&format!("{tool}\n\n{bare}\n")).unwrap(),
        json!({"tools": [
            {"name": "AddAlarm", "description": "Set an alarm.", "parameters": [
                {"name": "time", "required": true, "description": "When", "dataType": "string"},
                {"name": "days", "required": false}]},
            {"name": "Log", "description": "Log", "parameters": []}]})
    );
    for (source, told) in [
        ("", "holds no tool"),
        ("{}", "`name` is required"),
        (
            r#"{"name": "a", "input_schema": 1}"#,
            "`input_schema` must be an object",
        ),
    ] {
        let mistake = catalog(source).unwrap_err();
        assert!(mistake.text.contains(told), "{mistake}");
    }
}
