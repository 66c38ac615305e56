//! Are bounds read however people say them, and nothing else for one?

use serde_json::json;

use crate::assign::rows::check;

/// P19: at most so many, in all the ways of saying it.
#[test]
fn p19_bounds_are_read_however_they_are_said() {
    let schema = json!({"properties": {
        "limit": {"type": "integer", "description": "How many to give back at most"},
        "offset": {"type": "integer", "description": "How many to skip"},
        "min_rating": {"type": "integer"},
    }});
    let of = |count: u8| json!({"limit": count});
    check(
        "list_hotels List hotels of a city",
        &schema,
        &[
            ("list hotels, at most 10", of(10)),
            ("list hotels, ten at most", of(10)),
            ("list at most ten hotels", of(10)),
            ("list hotels, max 10", of(10)),
            ("list hotels, 10 max", of(10)),
            ("list hotels (max. 10)", of(10)),
            ("list hotels, up to 10", of(10)),
            ("list hotels, no more than 10 please", of(10)),
            ("list hotels, limit 10", of(10)),
            ("list hotels, limit it to 10", of(10)),
            ("list hotels, limited to 10 results", of(10)),
            ("list hotels, capped at 10", of(10)),
            ("list hotels with a maximum of 10", of(10)),
            ("list hotels, a maximum of 10 results", of(10)),
            ("list the 10 newest hotels", of(10)),
            ("list the ten most recent hotels", of(10)),
            ("list the 10 latest", of(10)),
            ("list the last 10 hotels", of(10)),
            ("list the first 10 hotels", of(10)),
            ("the top 10 hotels", of(10)),
            ("list hotels, 10 of them", of(10)),
            ("list hotels, 10 are enough", of(10)),
            ("list hotels. Ten are enough", of(10)),
            ("list hotels, 10 is plenty", of(10)),
            ("list hotels, the first 10 will do", of(10)),
            ("list hotels, 10 results", of(10)),
            ("list hotels, 10 or fewer", of(10)),
            ("list hotels, 10 hits max", of(10)),
            ("list 10 hotels", of(10)),
            ("zeig mir hotels, höchstens 10", of(10)),
            ("zeig mir hotels, maximal zehn", of(10)),
            ("zeig mir hotels, 10 reichen", of(10)),
            ("montre les hotels, 10 au maximum", of(10)),
            ("liste 10 hotels", of(10)),
            ("muestra hoteles, 10 como máximo", of(10)),
            ("list hotels with at most 3 rooms", json!({})),
            ("list hotels with 3 rooms", json!({})),
            ("hotels with less than 3 complaints", json!({})),
            ("list hotels rated 4 at most", json!({})),
            ("list hotels with less than 90 reviews", json!({})),
            ("list hotels for more than 3 people", json!({})),
            ("list hotels within 20 minutes at most", json!({})),
            ("list hotels for 3 guests", json!({})),
            ("list hotels in room block 7", json!({})),
            ("list hotels, one line each", json!({})),
            ("list hotels from the last 7 days", json!({})),
            ("list hotels opened in the last 12 months", json!({})),
            ("list hotels up to version 3", json!({})),
            ("list hotels at least 4 stars", json!({})),
        ],
    );
}

/// P19: a count that names what it counts takes that and nothing else.
#[test]
fn p19_counts_go_by_what_they_count() {
    let schema = json!({"properties": {
        "iterationCount": {"type": "number", "description": "Number of iterations to run (default: 1)"},
        "maxRetries": {"type": "integer"},
        "max_tokens": {"type": "integer", "description": "The maximum number of tokens to generate"},
    }});
    check(
        "run_collection Run a collection",
        &schema,
        &[
            ("run it with 3 iterations", json!({"iterationCount": 3})),
            ("run 3 itertions", json!({"iterationCount": 3})),
            ("run it, at most 200 tokens", json!({"max_tokens": 200})),
            ("run it, 3 at most", json!({})),
            ("run the last 3", json!({})),
        ],
    );
    let logs = json!({"properties": {
        "tail_lines": {"type": "integer", "description": "Number of lines from the end of the logs"},
        "limit_bytes": {"type": "integer", "description": "Maximum number of bytes to return"},
        "page_size": {"type": "integer", "description": "Lines per page"},
    }});
    check(
        "get_logs Read the logs of a pod",
        &logs,
        &[
            ("the last 300 lines of the logs", json!({"tail_lines": 300})),
            ("the last 300 log lines", json!({"tail_lines": 300})),
            ("logs, 50 per page", json!({"page_size": 50})),
        ],
    );
    let pages = json!({"properties": {
        "max_results": {"type": "integer"},
        "max_pages": {"type": "integer", "description": "Maximum number of pages to retrieve"},
        "details": {"type": "object", "properties": {"maxItems": {"type": "integer"}}},
    }});
    check(
        "list_costs List costs",
        &pages,
        &[
            ("list costs, 20 at most", json!({"max_results": 20})),
            ("list costs, at most 3 pages", json!({"max_pages": 3})),
        ],
    );
}
