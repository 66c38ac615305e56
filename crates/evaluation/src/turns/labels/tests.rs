//! Are labels read as they are meant, and mistakes told where they are?

use super::*;

const LINE: &str = r#"{"id": "b-1", "user": {"roles": ["agent"]}, "page": {"url": "/orders/7", "title": "Order 7"},
 "turns": [
  {"message": "what plan is Globex on?",
   "expect": {"turnType": "KNOWLEDGE", "turnTypeAlso": ["ACTION"], "needed": ["find"], "helpful": ["list"],
              "anyOf": [["mail", "call"]], "forbidden": ["erase"], "resolvedParams": {"order_id": 7},
              "staleParams": {"a_id": "1"}, "pageParams": {"order_id": "7"}},
   "assistant": {"content": "Growth.", "toolCalls": [{"name": "find", "arguments": {"query": "Globex"}, "result": "{}"}]}},
  {"message": "thanks", "expect": {"turnType": "SMALLTALK", "needed": []}, "assistant": {"content": "Sure."}}]}"#;

fn line() -> String {
    LINE.replace('\n', " ")
}

#[test]
fn a_conversation_reads_whole() {
    let conversations = read(&format!("\n{}\n", line())).unwrap();
    let [conversation] = conversations.as_slice() else {
        panic!("{conversations:?}")
    };
    assert_eq!(
        (conversation.id.as_str(), conversation.roles.as_slice()),
        ("b-1", &["agent".to_owned()][..])
    );
    assert_eq!(
        conversation.page.as_ref().unwrap().url.as_deref(),
        Some("/orders/7")
    );
    let expected = &conversation.turns[0].expected;
    assert_eq!(expected.turn_types, ["KNOWLEDGE", "ACTION"]);
    assert_eq!(expected.any_of, [["mail", "call"]]);
    assert_eq!(expected.resolved["order_id"], "7");
    assert!(expected.accepts("call") && expected.accepts("list") && !expected.accepts("erase"));
    assert!(!conversation.turns[1].expected.needs_a_tool());
    assert_eq!(conversation.turn_id(1), "b-1#2");
}

#[test]
fn a_history_is_everything_before() {
    let conversation = read(&line()).unwrap().remove(0);
    assert_eq!(conversation.history(0), json!([]));
    assert_eq!(
        conversation.history(1),
        json!([
            {"role": "user", "content": "what plan is Globex on?"},
            {"role": "assistant", "content": "Growth.",
             "toolCalls": [{"name": "find", "arguments": {"query": "Globex"}, "result": "{}"}]}
        ])
    );
    assert_eq!(conversation.history(2).as_array().unwrap().len(), 4);
}

#[test]
fn mistakes_name_line_and_field() {
    let changed = |from: &str, to: &str| line().replace(from, to);
    for (source, number, told) in [
        (String::new(), None, "holds no conversation"),
        ("\nnope".to_owned(), Some(2), "is not JSON"),
        ("[]".to_owned(), Some(1), "must be a JSON object"),
        ("{}".to_owned(), Some(1), "`turns` is required"),
        (
            changed(r#""message": "thanks","#, ""),
            Some(1),
            "`turns[1]`: `message` is required",
        ),
        (
            changed(r#"["find"]"#, r#""find""#),
            Some(1),
            "`turns[0]`: `expect`: `needed` must be an array",
        ),
        (changed("SMALLTALK", "CHAT"), Some(1), "`CHAT` is no turn type"),
        (
            changed(r#"["mail", "call"]"#, "7"),
            Some(1),
            "group 1: `anyOf` must be an array",
        ),
        (
            changed(r#"{"order_id": 7}"#, r#"{"order_id": []}"#),
            Some(1),
            "`resolvedParams.order_id` must be a string",
        ),
        (
            format!("{0}\n{0}", line()),
            Some(2),
            "an earlier line has `b-1` too",
        ),
    ] {
        let mistake = read(&source).unwrap_err();
        assert_eq!(mistake.line, number, "{mistake}");
        assert!(mistake.text.contains(told), "{mistake}\nexpected: {told}");
    }
}
