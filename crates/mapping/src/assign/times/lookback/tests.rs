//! Is it read how far back to look, and are short lengths written as the schema shows them?

use serde_json::json;

use crate::assign::rows::check;

/// P19: the unit is the schema's.
#[test]
fn p19_the_last_hours_are_counted_in_the_schemas_unit() {
    let hours = json!({"properties": {
        "hours": {"type": "number", "description": "The number of hours prior to now"},
        "retry-delay": {"type": "number", "description": "Delay in seconds between retry attempts"},
    }});
    check(
        "list_events List events",
        &hours,
        &[
            ("events of the last 48 hours", json!({"hours": 48})),
            ("events of the past 48 hours", json!({"hours": 48})),
            ("events of the last 48h", json!({"hours": 48})),
            ("events of the last two days", json!({"hours": 48})),
            ("events of the last 2 days", json!({"hours": 48})),
            ("events of the last hour", json!({"hours": 1})),
            ("events of the past day", json!({"hours": 24})),
            ("events of the last 90 minutes", json!({})),
            ("events of the last 5 users", json!({})),
        ],
    );
    let days = json!({"properties": {"lookback_days": {"type": "integer"}}});
    check(
        "list_events List events",
        &days,
        &[
            ("events of the last 7 days", json!({"lookback_days": 7})),
            ("events of the last 2 weeks", json!({"lookback_days": 14})),
            ("events of the past week", json!({"lookback_days": 7})),
        ],
    );
}

/// P19: a begin, and an end where one is needed.
#[test]
fn p19_the_last_hours_begin_and_end() {
    let epoch = |about: &str| json!({"type": "integer", "description": about});
    let needed = json!({"properties": {
        "from": epoch("Start, seconds since the Unix epoch"),
        "to": epoch("End, seconds since the Unix epoch"),
    }, "required": ["from", "to"]});
    check(
        "query_metrics Query metrics",
        &needed,
        &[
            (
                "metrics of the last hour",
                json!({"from": 1_796_029_200, "to": 1_796_032_800}),
            ),
            (
                "metrics of the last 30 minutes",
                json!({"from": 1_796_031_000, "to": 1_796_032_800}),
            ),
        ],
    );
    let moment = json!({"type": "string", "format": "date-time"});
    let optional = json!({"properties": {"start_time": moment, "end_time": moment}});
    check(
        "query_logs Query logs",
        &optional,
        &[(
            "logs of the last 2 hours",
            json!({"start_time": "2026-11-30T08:00:00Z"}),
        )],
    );
}

/// P19: lengths in short.
#[test]
fn p19_short_lengths_are_written_as_shown() {
    let spent = json!({"properties": {"time_spent": {"type": "string", "description": "E.g. '1h 30m', '1d', '30m'"}}, "required": ["time_spent"]});
    check(
        "add_worklog Log work",
        &spent,
        &[
            ("log 1h 30m", json!({"time_spent": "1h 30m"})),
            ("log 1h30m", json!({"time_spent": "1h 30m"})),
            ("log 90 minutes", json!({"time_spent": "90m"})),
            ("log 2 hours", json!({"time_spent": "2h"})),
            ("log an hour and 30 minutes", json!({"time_spent": "1h 30m"})),
            ("log it", json!({})),
        ],
    );
    let since = json!({"properties": {"since": {"type": "string", "description": "Logs since relative time (e.g. '5s', '2m', '3h')"}}});
    check(
        "logs Read logs",
        &since,
        &[
            ("logs of the last 10 minutes", json!({"since": "10m"})),
            ("logs of the last hour", json!({"since": "1h"})),
            ("logs of the last 2 days", json!({"since": "48h"})),
        ],
    );
    // `now-1h` is no plain length, and a moment is taken as well.
    let start = json!({"properties": {"start_time": {"type": "string", "description": "RFC3339, or relative ('now-1h', 'now-24h')"}}});
    check(
        "logs Read logs",
        &start,
        &[(
            "logs from tomorrow at 9am",
            json!({"start_time": "2026-12-01T09:00:00Z"}),
        )],
    );
    let step = json!({"properties": {"step": {"type": "string", "description": "Resolution (e.g. '60s', '5m')"}}, "required": ["step"]});
    check(
        "query_range Query a range",
        &step,
        &[
            ("query the last hour", json!({})),
            (
                "query the last hour with a step of 5 minutes",
                json!({"step": "5m"}),
            ),
        ],
    );
    let timeout = json!({"properties": {"timeout": {"type": "string", "description": "How long to wait (e.g. '30s', '2m30s')"}}});
    check(
        "drain Drain a node",
        &timeout,
        &[
            ("drain it with a timeout of 5 minutes", json!({"timeout": "5m"})),
            ("drain it, timeout 2m30s", json!({"timeout": "2m30s"})),
        ],
    );
}

/// P20: a look back is no time to wait.
#[test]
fn p20_looking_back_sets_no_timeout() {
    let whole = |about: &str| json!({"type": "integer", "description": about});
    let schema = json!({"properties": {
        "timeout_seconds": whole("How long to wait, in seconds"),
        "poll_interval_seconds": whole("Seconds between two looks"),
    }});
    crate::assign::rows::check(
        "get_history Get the history of a thing",
        &schema,
        &[
            ("history of the last 6 hours", json!({})),
            ("history of the past 90 seconds", json!({})),
            ("history, timeout 30 seconds", json!({"timeout_seconds": 30})),
        ],
    );
    let back = json!({"properties": {"hours_back": {"type": "integer", "default": 1}, "timeout_seconds": whole("Longest wait")}});
    crate::assign::rows::check(
        "get_history Get the history of a thing",
        &back,
        &[
            ("history of the last 6 hours", json!({"hours_back": 6})),
            ("history of the past two hours", json!({"hours_back": 2})),
        ],
    );
}
