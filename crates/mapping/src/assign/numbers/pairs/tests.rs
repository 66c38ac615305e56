//! Are two ends read together, and only where both belong to one thing?

use serde_json::json;

use crate::assign::rows::check;

/// P19: from one number to another.
#[test]
fn p19_ranges_have_two_ends() {
    let lines = json!({"properties": {
        "path": {"type": "string"},
        "startLine": {"type": "integer", "description": "First line"},
        "endLine": {"type": "integer", "description": "Last line"},
    }});
    let both = |start: u8, end: u8| json!({"startLine": start, "endLine": end});
    check(
        "blame Who wrote which line of a file",
        &lines,
        &[
            ("who wrote lines 40 to 80", both(40, 80)),
            ("who wrote lines 40-80", both(40, 80)),
            ("who wrote lines 40–80", both(40, 80)),
            ("who wrote lines 40 - 80", both(40, 80)),
            ("who wrote line 40 to line 80", both(40, 80)),
            ("who wrote lines 40 through 80", both(40, 80)),
            ("blame from line 40 to 80", both(40, 80)),
            ("blame between lines 40 and 80", both(40, 80)),
            ("wer schrieb Zeile 40 bis 80", json!({})),
            ("who wrote it between 4 December and 9 December", json!({})),
            ("who wrote it from 10:00 to 11:00", json!({})),
            ("who wrote pages 40 to 80", json!({})),
        ],
    );
    let versions = json!({"properties": {
        "page": {"type": "string"},
        "from_version": {"type": "integer"},
        "to_version": {"type": "integer"},
    }, "required": ["from_version", "to_version"]});
    let both = |from: u8, to: u8| json!({"from_version": from, "to_version": to});
    check(
        "diff_page What changed between two versions of a page",
        &versions,
        &[
            ("what changed between version 4 and version 9", both(4, 9)),
            ("what changed between versions 4 and 9", both(4, 9)),
            ("what changed between version 4 and 9", both(4, 9)),
            ("diff version 4 against version 9", both(4, 9)),
            ("compare version 4 with version 9", both(4, 9)),
            ("diff from v4 to v9", both(4, 9)),
            ("what changed from version 4 to 9", both(4, 9)),
        ],
    );
    let bare = json!({"properties": {"from": {"type": "integer"}, "to": {"type": "integer"}}, "required": ["from", "to"]});
    check(
        "roll Roll a number",
        &bare,
        &[
            ("roll a number between 1 and 6", json!({"from": 1, "to": 6})),
            ("roll from 1 to 6", json!({"from": 1, "to": 6})),
            ("roll between Monday and Friday", json!({})),
            ("roll 1 and 6", json!({})),
        ],
    );
}

/// P19: two of one thing, and one of several.
#[test]
fn p19_two_of_one_thing() {
    let runs = json!({"properties": {
        "run_id_a": {"type": "string", "description": "First run ID"},
        "run_id_b": {"type": "string", "description": "Second run ID"},
    }, "required": ["run_id_a", "run_id_b"]});
    check(
        "compare_runs Compare two runs",
        &runs,
        &[
            (
                "compare run 4417 with run 4419",
                json!({"run_id_a": "4417", "run_id_b": "4419"}),
            ),
            (
                "compare runs 4417 and 4419",
                json!({"run_id_a": "4417", "run_id_b": "4419"}),
            ),
        ],
    );
    let sum = json!({"properties": {
        "a": {"type": "number", "description": "First number"},
        "b": {"type": "number", "description": "Second number"},
    }, "required": ["a", "b"]});
    check(
        "get-sum Add two numbers",
        &sum,
        &[
            ("what is the sum of 1874.5 and 32?", json!({"a": 1874.5, "b": 32})),
            ("add 3 and 4", json!({"a": 3, "b": 4})),
            ("3 plus 4", json!({"a": 3, "b": 4})),
            ("subtract 3 from 4", json!({})),
            ("add 3", json!({})),
            ("add 3, 4 and 5", json!({})),
        ],
    );
    let steps = json!({"properties": {
        "stepNumber": {"type": "integer"},
        "totalSteps": {"type": "integer"},
    }});
    check(
        "log_step Log a step",
        &steps,
        &[
            ("log step 2 of 5", json!({"stepNumber": 2, "totalSteps": 5})),
            ("step 2 out of 5", json!({"stepNumber": 2, "totalSteps": 5})),
            ("log step 2", json!({"stepNumber": 2})),
        ],
    );
}
