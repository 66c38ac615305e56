//! Are numbers read where a text could take them, and qualified ones by their own parameter?

use serde_json::json;

use crate::assign::rows::check;

/// P19: a colon in front of nothing but numbers, or of a day, opens no text where something takes just those.
#[test]
fn p19_numbers_behind_a_colon_are_no_text() {
    let schema = json!({"properties": {
        "survey_id": {"type": "string", "examples": ["SUR-1"]},
        "marks": {"type": "array", "items": {"type": "integer"}, "description": "One mark a question"},
        "comment": {"type": "string", "description": "Something to add"},
    }, "required": ["survey_id", "marks"]});
    check(
        "submit_survey Answer a survey",
        &schema,
        &[
            (
                "SUR-8 answers: 5, 3, 4",
                json!({"survey_id": "SUR-8", "marks": [5, 3, 4]}),
            ),
            (
                "SUR-8 answers: 5, 3 and 4",
                json!({"survey_id": "SUR-8", "marks": [5, 3, 4]}),
            ),
        ],
    );
    let card = json!({"properties": {
        "cardId": {"type": "string"},
        "dueDate": {"type": "string", "description": "New due date (ISO 8601 format)"},
        "description": {"type": "string"},
    }, "required": ["cardId"]});
    check(
        "update_card Update a card",
        &card,
        &[(
            "Due date of card 5f0aa11b2c3d: 5 December 2026",
            json!({"cardId": "5f0aa11b2c3d", "dueDate": "2026-12-05"}),
        )],
    );
}

/// P19: the word in front of a shared noun tells which of two is meant.
#[test]
fn p19_a_qualified_number_goes_to_its_own_parameter() {
    let schema = json!({"properties": {
        "srcport": {"type": "integer", "description": "Source port to filter by"},
        "dstport": {"type": "integer", "description": "Destination port to filter by"},
    }});
    check(
        "flow_logs Read flow logs",
        &schema,
        &[
            ("flow logs, destination port 5432", json!({"dstport": 5432})),
            ("flow logs, source port 5432", json!({"srcport": 5432})),
            ("flow logs, port 5432", json!({})),
        ],
    );
}

/// P19: an amount without its currency is told by its decimals, and a value may be a number.
#[test]
fn p19_amounts_and_values_without_a_unit() {
    let payment = json!({"properties": {"amount": {"type": "number", "description": "How much came in, in euros"}}, "required": ["amount"]});
    check(
        "record_payment Record a payment",
        &payment,
        &[
            ("the bakery has wired us 212.40", json!({"amount": 212.4})),
            ("the bakery has called 3 times", json!({})),
        ],
    );
    let setting = json!({"properties": {"key": {"type": "string"}, "value": {"type": "string"}}, "required": ["key", "value"]});
    check(
        "set_setting Set a setting",
        &setting,
        &[(
            "set the key max_items to 25",
            json!({"key": "max_items", "value": "25"}),
        )],
    );
}

/// P19: a count in a schema that takes texts too is a number.
#[test]
fn p19_counts_of_either_type_are_numbers() {
    let schema = json!({"properties": {
        "count": {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]},
        "since": {"type": "string", "description": "Entries more recent than a date (ISO 8601 format)"},
    }});
    check(
        "read_console Read the console",
        &schema,
        &[
            ("the last 20 from the console", json!({"count": 20})),
            ("the console since 1 November", json!({"since": "2026-11-01"})),
        ],
    );
}
