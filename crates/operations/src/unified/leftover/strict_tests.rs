//! Is told what a call overlooks, and nothing of what it says?

use handpick_mapping::Source;
use handpick_protocol::json::to_raw;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::*;

/// What a call of this tool, with arguments read from these words, leaves unsaid.
fn left(tool: (&str, &str, Value), request: &str, read: &[(&str, &str)]) -> Leftover {
    let (name, description, properties) = tool;
    let schema = json!({ "properties": properties });
    let definition = json!({"name": name, "description": description, "inputSchema": schema});
    let tool = Tool::parse("app", &to_raw(&definition)).unwrap();
    let source = |words: &str| Source {
        origin: Origin::Request,
        words: words.to_owned(),
    };
    let mapped = Mapped {
        arguments: read
            .iter()
            .map(|(name, value)| ((*name).to_owned(), json!(value)))
            .collect(),
        sources: read
            .iter()
            .map(|(name, words)| ((*name).to_owned(), source(words)))
            .collect(),
        ..Mapped::default()
    };
    let now = Now::utc("2026-11-30T10:00:00Z".parse::<Timestamp>().unwrap());
    Said::new(request, None, now).leftover(&tool, &schema, &mapped)
}

fn build() -> (&'static str, &'static str, Value) {
    let properties = json!({
        "path": {"type": "string"},
        "use_container": {"type": "boolean"},
        "includeUntracked": {"type": "boolean"},
        "no_cache": {"type": "boolean"},
        "force": {"type": "boolean"},
        "done": {"type": "boolean"},
        "change_kind": {"enum": ["StateUpdate", "ConfigurationUpdate", "Action"]},
        "shape": {"enum": ["open", "round"], "default": "open"},
        "overwrite": {"type": "boolean", "description": "Whether to touch resources that already exist"}
    });
    (
        "build_project",
        "Builds a project. Runs in a container if told so.",
        properties,
    )
}

/// P19: a parameter that is not given is named by a part of its name, an other form of it, its opposite, a word that
/// tells its choice, or the state it is about.
#[test]
fn p19_a_parameter_is_named_by_what_tells_it() {
    for (request, expected) in [
        ("build /srv/app inside a container", 1.0),
        ("build /srv/app containerized", 1.0),
        ("build /srv/app incl. untracked files", 1.0),
        ("build /srv/app with the tracked files", 1.0),
        ("build /srv/app, don't use the cache", 1.0),
        ("build /srv/app, state changes only", 1.0),
        ("build what is still to do in /srv/app", 1.0),
        ("build /srv/app, just what's outstanding", 1.0),
        ("build /srv/app, don't force it", 1.0),
        ("build the project /srv/app", 0.0),
        ("please build /srv/app today", 0.0),
        ("build the open project in /srv/app", 0.0),
    ] {
        let left = left(build(), request, &[("path", "/srv/app")]);
        assert_eq!(left.named.min(1.0), expected, "{request}: {left:?}");
    }
}

/// P19: a choice behind a reference is named by another form of it, even where the description has the word; not where
/// an argument's value or the tool's name took it.
#[test]
fn p19_a_choice_is_named_whatever_the_description_says() {
    let schema = json!({
        "properties": {"request": {"$ref": "#/$defs/Request"}},
        "$defs": {"Request": {"type": "object", "properties": {
            "ids": {"type": "array", "items": {"type": "string"}},
            "note": {"type": "string"},
            "status": {"anyOf": [{"enum": ["acknowledged", "resolved"], "type": "string"}, {"type": "null"}]},
            "urgency": {"$ref": "#/$defs/Urgency"}
        }},
        "Urgency": {"enum": ["high", "low"]}}
    });
    for (name, about, request, given, expected) in [
        (
            "manage_alerts",
            "Manage alerts.",
            "Acknowledge the alerts Q2X",
            &["request"][..],
            1.0,
        ),
        (
            "manage_alerts",
            "Manage alerts.",
            "Set the alerts Q2X to low",
            &["request"],
            1.0,
        ),
        (
            "manage_alerts",
            "Acknowledge or resolve alerts.",
            "Acknowledge the alerts Q2X",
            &["request"],
            1.0,
        ),
        (
            "manage_alerts",
            "Manage alerts.",
            "Note on the alerts Q2X: acknowledged by Mo",
            &["request", "acknowledged by Mo"],
            0.0,
        ),
        (
            "acknowledge_alerts",
            "Manage alerts.",
            "Acknowledge the alerts Q2X",
            &["request"],
            0.0,
        ),
    ] {
        let definition = json!({"name": name, "description": about, "inputSchema": schema});
        let tool = Tool::parse("pager", &to_raw(&definition)).unwrap();
        let read = |name: &str, words: &str| {
            let source = Source {
                origin: Origin::Request,
                words: words.to_owned(),
            };
            (name.to_owned(), source)
        };
        let mut arguments = json!({"request": {"ids": ["Q2X"]}});
        let mut sources = vec![read("request.ids", "Q2X")];
        if let Some(note) = given.get(1) {
            arguments["request"]["note"] = json!(note);
            sources.push(read("request.note", note));
        }
        let mapped = Mapped {
            arguments: arguments
                .as_object()
                .cloned()
                .unwrap_or_default()
                .into_iter()
                .collect(),
            sources: sources.into_iter().collect(),
            ..Mapped::default()
        };
        let now = Now::utc("2026-11-30T10:00:00Z".parse::<Timestamp>().unwrap());
        let left = Said::new(request, None, now).leftover(&tool, &schema, &mapped);
        assert_eq!(left.named, expected, "{request} {name}: {left:?}");
    }
}

/// P19: a word that only a description of a parameter has counts, where no argument and no first sentence has it.
#[test]
fn p19_descriptions_of_what_is_not_given_are_read() {
    for (request, expected) in [
        ("build /srv/app but leave what already exists", 1.0),
        ("build /srv/app and touch nothing", 1.0),
        ("build the project /srv/app", 0.0),
    ] {
        let left = left(build(), request, &[("path", "/srv/app")]);
        assert_eq!(left.described.min(1.0), expected, "{request}: {left:?}");
    }
}

/// P19: what narrows, widens or forbids counts where the call does not say it.
#[test]
fn p19_words_that_narrow_count() {
    for (request, read, expected) in [
        (
            "list reports of CUS-1, only drafts",
            &[("customer_id", "CUS-1")][..],
            1.0,
        ),
        (
            "list reports of CUS-1, drafts only",
            &[("customer_id", "CUS-1")],
            1.0,
        ),
        (
            "list reports of CUS-1 without the drafts",
            &[("customer_id", "CUS-1")],
            1.0,
        ),
        (
            "list all reports except those of CUS-1",
            &[("customer_id", "CUS-1")],
            1.0,
        ),
        (
            "list reports of CUS-1 but no drafts",
            &[("customer_id", "CUS-1")],
            2.0,
        ),
        (
            "list reports of CUS-1 including subsidiaries",
            &[("customer_id", "CUS-1")],
            1.0,
        ),
        (
            "list reports of CUS-1 --archived",
            &[("customer_id", "CUS-1")],
            1.0,
        ),
        ("list reports -n CUS-1", &[("customer_id", "CUS-1")], 0.0),
        ("list only the reports of CUS-1", &[("customer_id", "CUS-1")], 0.0),
        ("list all reports of CUS-1", &[("customer_id", "CUS-1")], 0.0),
        (
            "list reports of CUS-1, just the first 20 pages",
            &[("customer_id", "CUS-1"), ("limit", "20")],
            0.0,
        ),
        (
            "we just heard of it: list reports of CUS-1",
            &[("customer_id", "CUS-1")],
            0.0,
        ),
    ] {
        let tool = (
            "list_reports",
            "List the reports of a customer",
            json!({"customer_id": {"type": "string"}, "limit": {"type": "integer"}}),
        );
        let left = left(tool, request, read);
        assert_eq!(left.modifiers, expected, "{request}: {left:?}");
    }
}

/// P19: of a list all members are meant.
#[test]
fn p19_members_of_a_list_belong_together() {
    for (request, value, expected) in [
        ("values of instanceType and tenancy in EU", "instanceType", 1.0),
        ("values of tenancy and instanceType in EU", "instanceType", 1.0),
        ("values of INV-1, INV-2", "INV-1", 1.0),
        ("values of INV-1, INV-2 and INV-3", "INV-3", 1.0),
        ("values of a@x.example & b@x.example", "b@x.example", 1.0),
        ("values of 'alpha' and 'beta'", "alpha", 1.0),
        ("values of Maud or Ravi", "Maud", 1.0),
        ("values of alpha or beta", "alpha", 1.0),
        ("values of INV-1 and send it", "INV-1", 0.0),
        ("values of INV-1, please", "INV-1", 0.0),
        ("values of instanceType and show them", "instanceType", 0.0),
        ("values of alpha, sorted", "alpha", 0.0),
        ("values of INV-1 for CUS-2", "INV-1", 0.0),
    ] {
        let tool = (
            "get_values",
            "Gets values",
            json!({"attribute": {"type": "string"}}),
        );
        let left = left(tool, request, &[("attribute", value)]);
        assert_eq!(left.siblings, expected, "{request}");
    }
}

/// P19: an id is for what the request says it is of.
#[test]
fn p19_an_id_is_of_what_it_is_said_to_be() {
    for (request, value, parameter, expected) in [
        ("what's in the trace 9d4c2f", "9d4c2f", "project_id", 2.0),
        (
            "show the cloud trace with the id 9d4c2f",
            "9d4c2f",
            "project_id",
            2.0,
        ),
        ("show this span 77ab01", "77ab01", "project_id", 2.0),
        ("show banana 77ab01", "77ab01", "project_id", 1.0),
        ("traces of project shop-01", "shop-01", "project_id", 0.0),
        ("traces of repo shop-01", "shop-01", "project_id", 0.0),
        ("traces of shop-01", "shop-01", "project_id", 0.0),
        ("show trace 9d4c2f", "9d4c2f", "id", 0.0),
        ("show the trace 9d4c2f", "9d4c2f", "trace_key", 0.0),
        ("show the projct shop-01", "shop-01", "project_id", 0.0),
        ("trace shop-01", "shop-01", "query", 0.0),
    ] {
        let tool = (
            "list_traces",
            "List the traces of a project",
            json!({parameter: {"type": "string"}, "span_id": {"type": "string"}}),
        );
        let left = left(tool, request, &[(parameter, value)]);
        assert_eq!(left.strays, expected, "{request} {parameter}");
    }
}

/// P20: what is to be deleted is not looked up, what is to be shown is not changed, and nothing is undone.
#[test]
fn p20_a_tool_that_does_the_opposite_is_told() {
    let mode = json!({"mode": {"enum": ["get", "clear"]}});
    for (request, tool, properties, expected) in [
        ("Delete the dashboard abc-1", "get_dashboard", json!({}), true),
        ("please send INV-1 to Maud", "get_invoice", json!({}), true),
        ("Could you rename list 7?", "list_lists", json!({}), true),
        (
            "Lösche bitte das Dashboard abc-1",
            "get_dashboard",
            json!({}),
            true,
        ),
        ("Show me the dashboard abc-1", "delete_dashboard", json!({}), true),
        ("Which dashboards are there?", "create_dashboard", json!({}), true),
        (
            "How many dashboards are there?",
            "remove_dashboard",
            json!({}),
            true,
        ),
        ("Add a dashboard", "delete_dashboard", json!({}), true),
        ("Update the dashboard abc-1", "delete_dashboard", json!({}), true),
        ("Delete the dashboard abc-1", "create_dashboard", json!({}), true),
        ("Unlock the card 7", "lock_card", json!({}), true),
        ("Disable the rule 7", "enable_rule", json!({}), true),
        ("Reopen case 7", "close_case", json!({}), true),
        ("Clear the console", "get_console", mode, false),
        ("Send me the link of FILE-7", "get_file_link", json!({}), false),
        ("Archive the card 7", "delete_card", json!({}), false),
        ("Show the chart of sales", "create_chart", json!({}), false),
        ("Which cards can I delete?", "delete_card", json!({}), false),
        ("Find cat and replace it by dog", "replace_text", json!({}), false),
        ("update history of CUS-1", "get_history", json!({}), false),
        ("Delete the dashboard abc-1", "delete_dashboard", json!({}), false),
        (
            "Delete the dashboard abc-1",
            "manage_dashboards",
            json!({}),
            false,
        ),
        ("dashboard abc-1", "get_dashboard", json!({}), false),
        ("", "get_dashboard", json!({}), false),
    ] {
        let left = left((tool, "", properties), request, &[]);
        assert_eq!(left.opposed > 0.0, expected, "{request} {tool}");
    }
}

/// P19: what a model read in several places is in the call as well.
#[test]
fn p19_parts_of_a_list_are_read_where_they_stand() {
    let tool = (
        "get_values",
        "Gets values",
        json!({"attributes": {"type": "array"}}),
    );
    let left = left(
        tool,
        "values of INV-1 and INV-2",
        &[("attributes", "INV-1, INV-2")],
    );
    assert_eq!((left.values, left.siblings), (0.0, 0.0));
}
