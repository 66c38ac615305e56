//! Does a tool that the user may not have leave a trace in an answer?

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use handpick_conversation::{Agent, AgentIndex, Prepared, Request, TurnTuning, tools_of_turn};
use handpick_domain::{AgentTool, Message, Parameter, Role, ToolCall};
use serde_json::json;

fn tool(name: &str, takes: &[&str], produces: &[&str], roles: &[&str]) -> AgentTool {
    let parameter = |name: &&str| Parameter {
        name: (*name).to_owned(),
        required: true,
        ..Parameter::default()
    };
    AgentTool {
        name: name.into(),
        description: name.replace('_', " "),
        parameters: takes.iter().map(parameter).collect(),
        produces: produces.iter().map(|&name| name.to_owned()).collect(),
        required_roles: roles.iter().map(|&role| role.to_owned()).collect(),
        ..AgentTool::default()
    }
}

fn resolved(roles: &[&str]) -> BTreeMap<String, String> {
    let tools = vec![
        tool("find_customer", &["query"], &["customer_id"], &[]),
        tool("get_order", &["id", "customerIds"], &[], &[]),
        tool("wipe_payroll", &["payroll_id", "customerID"], &[], &["admin"]),
    ];
    let index = AgentIndex::build(Arc::new(Agent::learn(tools, &[])), |_| None);
    let result = json!({"customer_id": "cus_1", "payroll_id": "pay_2", "order_id": "ord_3"});
    let history = [Message {
        role: Role::Assistant,
        content: String::new(),
        tool_calls: vec![ToolCall {
            name: "find_customer".to_owned(),
            result: Some(result.to_string()),
            ..ToolCall::default()
        }],
    }];
    let roles: BTreeSet<String> = roles.iter().map(|&role| role.to_owned()).collect();
    let request = Request {
        message: "wipe it",
        history: &history,
        roles: &roles,
        page: None,
        tools_max: 10,
        memory: true,
    };
    let turn = Prepared::read(index.agent(), request, false);
    tools_of_turn(&index, &turn, &[], &TurnTuning::default()).resolved_params
}

/// T29, T39: ids, and spellings of ids, that only closed tools know are not told.
#[test]
fn t29_t39_ids_of_closed_tools_are_not_told() {
    let admin = resolved(&["admin"]);
    assert_eq!(admin.get("payroll_id").map(String::as_str), Some("pay_2"));
    assert_eq!(admin.get("customerID").map(String::as_str), Some("cus_1"));
    let anybody = resolved(&[]);
    assert!(
        !anybody.contains_key("payroll_id") && !anybody.contains_key("customerID"),
        "{anybody:?}"
    );
    assert_eq!(anybody.get("id"), admin.get("id"));
    assert_eq!(anybody.get("customer_id"), admin.get("customer_id"));
}
