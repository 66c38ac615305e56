//! Are definitions spelled as each provider wants them?

use std::sync::Arc;

use handpick_domain::{AgentTool, Parameter};
use serde_json::json;

use super::*;

fn parameter(name: &str, data_type: &str, required: bool, description: &str) -> Parameter {
    Parameter {
        name: name.to_owned(),
        description: (!description.is_empty()).then(|| description.to_owned()),
        data_type: (!data_type.is_empty()).then(|| data_type.to_owned()),
        required,
    }
}

fn refund() -> AgentTool {
    AgentTool {
        name: Arc::from("refund_invoice"),
        display_name: Some("Refund an invoice".to_owned()),
        description: "Refund a paid invoice fully or partially.\nNeeds a reason above 500 €.".to_owned(),
        parameters: vec![
            parameter("invoice_id", "string", true, "The invoice id, e.g. INV-1042"),
            parameter(
                "amount",
                "number",
                false,
                "Amount to refund; omit for a full refund",
            ),
            parameter("reason", "enum(duplicate, goodwill)", true, ""),
        ],
        examples: vec!["give them their money back".to_owned()],
        produces: vec!["refund_id".to_owned()],
        ..AgentTool::default()
    }
}

fn bare() -> AgentTool {
    AgentTool {
        name: Arc::from("incident.list-open"),
        description: "List open incidents.".to_owned(),
        ..AgentTool::default()
    }
}

fn rendered(format: DefinitionFormat) -> String {
    [refund(), bare()]
        .iter()
        .map(|tool| serde_json::to_string_pretty(&definition(tool, format)).unwrap())
        .collect::<Vec<_>>()
        .join("\n")
}

/// X1, X6, T9: the default spelling.
#[test]
fn x1_openai_chat() {
    insta::assert_snapshot!(rendered(DefinitionFormat::default()));
}

/// X2: flat.
#[test]
fn x2_openai_responses() {
    insta::assert_snapshot!(rendered(DefinitionFormat::OpenAiResponses));
}

/// X3.
#[test]
fn x3_anthropic() {
    insta::assert_snapshot!(rendered(DefinitionFormat::Anthropic));
}

/// X4: a tool without parameters has none.
#[test]
fn x4_gemini() {
    insta::assert_snapshot!(rendered(DefinitionFormat::Gemini));
}

/// X5: the name for people is the title.
#[test]
fn x5_mcp() {
    insta::assert_snapshot!(rendered(DefinitionFormat::Mcp));
}

/// X6: how users ask for a tool is for matching, not for the model; nor are what it produces and who may have it.
#[test]
fn x6_examples_and_other_matters_of_the_catalog_stay_out() {
    let tool = AgentTool {
        required_roles: ["secret-role".to_owned()].into(),
        ..refund()
    };
    for format in DefinitionFormat::ALL {
        let text = definition(&tool, format).to_string();
        for leaked in ["money back", "refund_id", "secret-role"] {
            assert!(!text.contains(leaked), "{} leaks {leaked}", format.as_str());
        }
    }
}

/// T45: five names, and no others.
#[test]
fn t45_formats_are_read_by_name() {
    for format in DefinitionFormat::ALL {
        assert_eq!(DefinitionFormat::parse(format.as_str()), Some(format));
    }
    for wrong in ["", "OpenAI", "openai ", "claude"] {
        assert_eq!(DefinitionFormat::parse(wrong), None);
    }
    assert_eq!(
        DefinitionFormat::names(),
        ["openai", "openai-responses", "anthropic", "gemini", "mcp"]
    );
}

/// T17: a `dataType` is any text; what is not known is a string.
#[test]
fn t17_what_a_data_type_means() {
    let string = json!({"type": "string"});
    let choice = json!({"type": "string", "enum": ["a", "b"]});
    for (written, expected) in [
        ("", string.clone()),
        ("string", string.clone()),
        ("uuid", string.clone()),
        ("👍", string.clone()),
        ("Number", json!({"type": "number"})),
        ("float", json!({"type": "number"})),
        ("double", json!({"type": "number"})),
        ("decimal", json!({"type": "number"})),
        ("integer", json!({"type": "integer"})),
        (" int ", json!({"type": "integer"})),
        ("long", json!({"type": "integer"})),
        ("boolean", json!({"type": "boolean"})),
        ("bool", json!({"type": "boolean"})),
        ("object", json!({"type": "object"})),
        ("array", json!({"type": "array", "items": {}})),
        ("string[]", json!({"type": "array", "items": {"type": "string"}})),
        (
            "array<integer>",
            json!({"type": "array", "items": {"type": "integer"}}),
        ),
        (
            "List<date>",
            json!({"type": "array", "items": {"type": "string", "format": "date"}}),
        ),
        ("string[][]", string.clone()),
        ("array<", string.clone()),
        ("date", json!({"type": "string", "format": "date"})),
        ("DateTime", json!({"type": "string", "format": "date-time"})),
        ("enum(a,b)", choice.clone()),
        ("enum(a, b, a)", choice.clone()),
        ("Enum['a', 'b']", choice.clone()),
        ("enum: a, b", choice.clone()),
        ("a|b", choice.clone()),
        ("\"a\" | \"b\"", choice),
        ("enum", string.clone()),
        ("enum()", string.clone()),
        ("enumeration of things", string.clone()),
        ("|", string.clone()),
        ("number|null", json!({"type": "number"})),
        ("string|null", string.clone()),
        ("string|integer", string),
        (
            "enum(low,null)",
            json!({"type": "string", "enum": ["low", "null"]}),
        ),
    ] {
        let tool = AgentTool {
            parameters: vec![parameter("x", written, false, " ")],
            ..bare()
        };
        let schema = definition(&tool, DefinitionFormat::Anthropic);
        let expected = json!({"type": "object", "properties": {"x": expected}});
        assert_eq!(schema["input_schema"], expected, "{written:?}");
    }
}

/// X.1: a tool may have any number of parameters, and a type any number of choices.
#[test]
fn a_huge_tool_is_rendered_in_linear_time() {
    let names = (0..100_000).map(|number| format!("p{number}"));
    let mut parameters: Vec<Parameter> = names.map(|name| parameter(&name, "string", true, "")).collect();
    let choices: Vec<String> = (0..100_000).map(|number| format!("c{number}")).collect();
    parameters.push(parameter("choice", &choices.join("|"), false, ""));
    let tool = AgentTool { parameters, ..bare() };
    let started = std::time::Instant::now();
    let schema = definition(&tool, DefinitionFormat::Anthropic);
    assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
    assert_eq!(
        schema["input_schema"]["required"].as_array().map(Vec::len),
        Some(100_000)
    );
}
