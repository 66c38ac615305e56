//! Are switches and listed values set only where a person would say that the request sets them?

use serde_json::{Map, Value, json};

use crate::{Now, Request, map_arguments};

/// What is read of one tool, required values aside.
fn read(tool: &str, schema: &Value, text: &str) -> Value {
    let request = Request {
        text,
        context: None,
        now: Now::utc("2026-11-30T10:00:00Z".parse().expect("a timestamp")),
    };
    let settings: Map<String, Value> = map_arguments(&request, tool, schema)
        .arguments
        .into_iter()
        .filter(|(_, value)| !value.is_null())
        .collect();
    Value::Object(settings)
}

fn check(tool: &str, properties: &Value, rows: &[(&str, Value)]) {
    let schema = json!({"type": "object", "properties": properties});
    for (text, expected) in rows {
        assert_eq!(read(tool, &schema, text), *expected, "{text}");
    }
}

fn flag(about: &str) -> Value {
    json!({"type": "boolean", "description": about})
}

fn one_of(choices: &[&str]) -> Value {
    json!({"type": "string", "enum": choices})
}

/// P19: a switch is set by the words of its name, however they are joined, and turned off by their denial.
#[test]
fn p19_switches_are_set_in_the_words_of_their_names() {
    check(
        "crawl_site Crawl a website",
        &json!({
            "includeSubdomains": flag(""),
            "use_container": flag("Render in a container"),
            "include_stacktrace": {"anyOf": [{"type": "boolean"}, {"type": "string"}]},
            "generate_sample_usage": flag("Generate usage examples"),
            "oneline": flag("Abbreviated output"),
            "raw": flag("The actual HTML, unchanged"),
            "stopOnError": flag("Halt on errors"),
            "skipTlsVerification": flag(""),
        }),
        &[
            (
                "crawl it including subdomains",
                json!({"includeSubdomains": true}),
            ),
            ("crawl it incl. subdomains", json!({"includeSubdomains": true})),
            (
                "crawl it, but without subdomains",
                json!({"includeSubdomains": false}),
            ),
            ("crawl it inside a container", json!({"use_container": true})),
            ("crawl the container site", json!({})),
            ("crawl it with stack traces", json!({"include_stacktrace": true})),
            (
                "crawl it, no sample usage",
                json!({"generate_sample_usage": false}),
            ),
            ("crawl it, one line each", json!({"oneline": true})),
            ("crawl it and give me the raw HTML", json!({"raw": true})),
            (
                "crawl it and stop on the first error",
                json!({"stopOnError": true}),
            ),
            (
                "crawl it without TLS verification",
                json!({"skipTlsVerification": true}),
            ),
            ("crawl it", json!({})),
        ],
    );
}

/// P19: people set switches in turns of phrase that the name has no word of.
#[test]
fn p19_switches_are_set_in_turns_of_phrase() {
    check(
        "restart_pod Restart a pod",
        &json!({
            "previous": flag("Logs of the terminated container"),
            "async": flag("Do not block"),
            "dryRun": flag("Preview"),
            "recursive": flag(""),
            "confirmed": flag("Must be true to confirm"),
        }),
        &[
            (
                "restart it with the logs from before its restart",
                json!({"previous": true}),
            ),
            ("restart it in the background", json!({"async": true})),
            ("restart it and wait for it to finish", json!({"async": false})),
            ("restart it, as a dry run", json!({"dryRun": true})),
            ("restart it, nur simulieren", json!({"dryRun": true})),
            ("restart everything recursively", json!({"recursive": true})),
            ("restart it, but not recursively", json!({"recursive": false})),
            ("restart it, confirmed", json!({"confirmed": true})),
            ("restart the confirmed pods", json!({})),
            ("restart the \"dry run\" pod", json!({})),
        ],
    );
    check(
        "list_tasks List tasks",
        &json!({"done": flag("Only done ones, or only those still to do"), "include_archived": flag("")}),
        &[
            ("tasks that are still to do", json!({"done": false})),
            ("was ist noch zu erledigen?", json!({"done": false})),
            ("tasks, archived ones too", json!({"include_archived": true})),
            ("tasks, auch die archivierten", json!({"include_archived": true})),
            ("tasks of the archive team", json!({})),
        ],
    );
    check(
        "decide_request Approve or decline a request",
        &json!({"approve": flag("True approves, false declines")}),
        &[
            ("say no to it", json!({"approve": false})),
            ("turn it down", json!({"approve": false})),
            ("do not approve it", json!({"approve": false})),
        ],
    );
}

/// P19: reports, and words of something else, set nothing.
#[test]
fn p19_reports_set_nothing() {
    check(
        "reply_comment Reply to a comment",
        &json!({"resolve": flag("Resolve the thread"), "read": flag(""), "draft": flag("")}),
        &[
            ("that ticket is solved, the customer is happy", json!({})),
            ("reply about the reading lists", json!({})),
            ("Draft a survey", json!({})),
            ("reply as a draft", json!({"draft": true})),
        ],
    );
}

/// P19: listed values are said in other forms and languages, one after another, and only where they are meant.
#[test]
fn p19_listed_values_are_said_in_many_ways() {
    check(
        "list_pipelines List pipelines",
        &json!({
            "state": one_of(&["open", "closed", "failed", "running"]),
            "levels": {"type": "array", "items": one_of(&["error", "warning", "no data"])},
            "sort": one_of(&["asc", "desc"]),
            "country": one_of(&["DE", "ES", "FR", "IT", "NO"]),
            "language": one_of(&["de", "en", "fr", "it"]),
        }),
        &[
            (
                "pipelines with errors or no data",
                json!({"levels": ["error", "no data"]}),
            ),
            (
                "open pipelines, oldest first",
                json!({"state": "open", "sort": "asc"}),
            ),
            (
                "fehlgeschlagene pipelines, neueste zuerst",
                json!({"state": "failed", "sort": "desc"}),
            ),
            ("pipelines from Spain", json!({"country": "ES"})),
            ("pipelines in French", json!({"language": "fr"})),
            ("pipelines for french bulldogs", json!({})),
            ("show it, no matter what it is", json!({})),
            ("pipelines that mention open hours", json!({})),
            ("Open the pipelines page", json!({})),
        ],
    );
    check(
        "get_logs Logs of a service",
        &json!({"timeframe": one_of(&["last_hour", "last_24h", "last_7d", "all"])}),
        &[
            ("logs of the last hour", json!({"timeframe": "last_hour"})),
            ("logs of the past day", json!({"timeframe": "last_24h"})),
            (
                "die Logs der letzten 24 Stunden",
                json!({"timeframe": "last_24h"}),
            ),
            ("logs of the past week", json!({"timeframe": "last_7d"})),
            ("logs of the last 3 hours", json!({})),
            ("logs of all services", json!({})),
        ],
    );
    check(
        "route Find a route",
        &json!({"profile": one_of(&["mapbox/driving", "mapbox/cycling", "mapbox/walking"]), "units": one_of(&["kilometers", "miles"])}),
        &[
            ("how far does a cyclist get", json!({"profile": "mapbox/cycling"})),
            (
                "a route by bike, in miles",
                json!({"profile": "mapbox/cycling", "units": "miles"}),
            ),
            ("how many miles is it", json!({"units": "miles"})),
            ("a route from Walking Street to Mile End", json!({})),
        ],
    );
}

/// P19: the verb of a request tells the operation, and the first thing it is done to the kind of thing.
#[test]
fn p19_verbs_tell_operations() {
    check(
        "kubectl_context Manage contexts",
        &json!({"operation": one_of(&["list", "get", "set"])}),
        &[
            ("switch the context to staging", json!({"operation": "set"})),
            ("Cambia el contexto a staging", json!({"operation": "set"})),
            ("which contexts are there", json!({"operation": "list"})),
            ("How do I get there", json!({})),
        ],
    );
    let schema = json!({"properties": {"axis": one_of(&["rows", "columns"])}, "required": ["axis"]});
    for (text, expected) in [
        ("insert 3 rows at row 12", json!({"axis": "rows"})),
        ("insert two columns", json!({"axis": "columns"})),
        ("insert rows or columns", json!({})),
        ("insert 3 at 12", json!({})),
    ] {
        let told = read("insert_rows_or_columns Insert rows or columns", &schema, text);
        assert_eq!(told, expected, "{text}");
    }
}
