//! Are settings read as written, and mistakes told with file, line and key?

use handpick_domain::Presentation;

use super::*;

fn load_text(text: &str) -> Result<Settings, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("handpick.toml");
    std::fs::write(&file, text).unwrap();
    load(Some(&file), None).map_err(|mistake| {
        let told = mistake.to_string();
        told.rsplit_once("handpick.toml")
            .map_or(told.clone(), |(_, rest)| format!("handpick.toml{rest}"))
    })
}

#[track_caller]
fn refused(text: &str, expected: &str) {
    match load_text(text) {
        Ok(_) => panic!("accepted: {text}"),
        Err(told) => assert!(told.contains(expected), "told: {told}\nwanted: {expected}"),
    }
}

#[test]
fn nothing_written_is_one_open_gateway() {
    let settings = load_text("").unwrap();
    assert_eq!(settings.listen.to_string(), LISTEN_DEFAULT);
    let gateway = &settings.policy.gateways["default"];
    assert_eq!(
        (gateway.presentation, gateway.namespace.as_str()),
        (Presentation::Adaptive, "Arcade")
    );
    assert!(
        gateway
            .allow
            .matches(&handpick_domain::ToolName::new("any", "tool"))
    );
}

#[test]
fn the_documented_shape_is_read() {
    let settings = load_text(
        r#"
[gateways.default]
presentation = "recommend"
allow = ["files.*"]

[servers.files]
command = "npx"
args = ["-y", "@modelcontextprotocol/server-filesystem", "./docs"]

[servers.tickets]
url = "https://tickets.example/mcp"
headers = { Authorization = "${NOBODY_SETS_THIS:-none}" }
call_timeout_seconds = 0.5
"#,
    )
    .unwrap();
    assert_eq!(settings.servers.len(), 2);
    assert_eq!(settings.servers[1].call_timeout, Duration::from_millis(500));
    assert!(
        matches!(&settings.servers[1].transport, Transport::Http { headers, .. } if headers["Authorization"] == "none")
    );
}

#[test]
fn mistakes_name_file_line_and_key() {
    refused(
        "[gateways.default]\npresentaton = \"direct\"",
        "handpick.toml:2: unknown key `presentaton`; did you mean `presentation`?",
    );
    refused(
        "\n\n[servers.a]\ncommand = 5",
        "handpick.toml:4: `servers.a.command` must be a text in quotes, not integer `5`",
    );
    refused(
        "[gateways.default]\npresentation = \"sideways\"",
        "handpick.toml:2: `gateways.default.presentation` must be one of `direct`, `discovery`,",
    );
    refused(
        "[gateways.default]\nallow = [\n\"a\",\n5]",
        "handpick.toml:4: `gateways.default.allow[1]` must be a text in quotes",
    );
    refused(
        "[servers.a.env]\nA = 5",
        "handpick.toml:2: `servers.a.env.A` must be a text in quotes, not integer `5`",
    );
    refused(
        "[record]\nkeep_days = -1",
        "handpick.toml:2: `record.keep_days` must be a whole number from 0 to 4294967295, not integer `-1`",
    );
    refused(
        "[restrictions]\ntools = []",
        "handpick.toml:1: `restrictions` must be a list",
    );
    refused("a = 1\na = 2", "handpick.toml:2: `a` is written twice");
    refused("data = \"\"", "handpick.toml:1: `data` must name a folder");
    refused(
        "allowed_origins = [\"http://a\",\n\"b\"]",
        "handpick.toml:2: `allowed_origins[1]` must be an origin",
    );
    refused("x = [", "handpick.toml:1");
    refused(
        "listen = \"nowhere\"",
        "handpick.toml:1: `listen` must be an address",
    );
    refused(
        "[gateways.a]\nallow = [\"x.*\", \"b[\"]",
        "handpick.toml:2: `gateways.a.allow` has a bad pattern `b[`",
    );
    refused(
        "[servers.a]\nargs = []",
        "handpick.toml:1: `servers.a.command` or `url` is required",
    );
    refused(
        "[servers.a]\ncommand = \"x\"\nurl = \"http://y\"",
        "handpick.toml:2: `servers.a.command` and `url` exclude each other",
    );
    refused("[servers.a]\nurl = \"ftp://y\"", "must begin with http://");
    refused(
        "[servers.a]\nurl = \"http://a b\"",
        "handpick.toml:2: `servers.a.url` must be an address",
    );
    refused(
        "[servers.a]\ncommand = \" \"",
        "handpick.toml:2: `servers.a.command` must name a program",
    );
    refused(
        "[servers.a]\nurl = \"http://a\"\nargs = [\"b\"]",
        "handpick.toml:3: `servers.a.args` belongs to servers with a `command`; this one has a `url`",
    );
    refused(
        "[servers.a]\ncommand = \"a\"\nheaders = { A = \"b\" }",
        "handpick.toml:3: `servers.a.headers` belongs to servers with a `url`",
    );
    refused(
        "[servers.a]\nurl = \"http://a\"\nheaders = { A = \"s3cret\\n\" }",
        "handpick.toml:3: `servers.a.headers` has a value for `A` with a line break",
    );
    refused(
        "[servers.a]\ncommand = \"${NOBODY_SETS_THIS}\"",
        "handpick.toml:2: `servers.a.command` needs the environment variable NOBODY_SETS_THIS",
    );
    refused(
        "[servers.\"a.b\"]\ncommand = \"x\"",
        "handpick.toml:1: `servers.a.b` must be named with letters",
    );
    refused(
        "[servers.a]\ncommand = \"x\"\ncall_timeout_seconds = -1",
        "handpick.toml:3: `servers.a.call_timeout_seconds` must be a positive number",
    );
    refused(
        "[selection]\nfloor = 7.0",
        "handpick.toml:2: `selection.floor` must be from 0 to 1",
    );
    for (tools, told) in [("-1", "-1"), ("51", "51"), ("300", "300")] {
        refused(
            &format!("[context]\nmemory = true\ntools = {tools}"),
            &format!("handpick.toml:3: `context.tools` must be from 0 to 50, not {told}"),
        );
    }
    refused(
        "[context]\ntools = 3.5",
        "handpick.toml:2: `context.tools` must be a whole number, not floating point `3.5`",
    );
    refused(
        "[context]\nmemory = \"yes\"",
        "handpick.toml:2: `context.memory` must be true or false",
    );
    refused("[context]\ntool = 5", "unknown key `tool`; did you mean `tools`?");
    refused(
        "[selection]\nencoder = \"./no such folder\"",
        "handpick.toml:2: `selection.encoder` must name a folder or a file that exists, or a model of a hub",
    );
    refused(
        "[[restrictions]]\ntools = [\"*\"]\nroles = [\"x\"]\n[[restrictions]]\ntools = [\"*\"]\nroles = []",
        "handpick.toml:6: `restrictions[1].roles` must name at least one role",
    );
    refused(
        "[[restrictions]]\ntools = [\"*\"]",
        "handpick.toml:1: `restrictions[0]` needs `roles`",
    );
}

/// T31: how many tools a turn gets where its request names no number.
#[test]
fn t31_turns_can_be_set() {
    let read = |text: &str| {
        let settings = load_text(text).unwrap();
        (settings.turn_tools_max, settings.turn_memory)
    };
    assert_eq!(read(""), (10, true));
    assert_eq!(read("[context]\ntools = 0\nmemory = false"), (0, false));
    assert_eq!(read("[context]\ntools = 50"), (50, true));
}

/// T51: how often a key may ask.
#[test]
fn t51_limits_are_read() {
    for (text, requests_per_second, burst) in [
        ("", 1000.0, 2000),
        ("[limits]\nrequests_per_second = 5", 5.0, 10),
        ("[limits]\nrequests_per_second = 0.2", 0.2, 1),
        ("[limits]\nburst = 7", 1000.0, 7),
        ("[limits]\nrequests_per_second = 2.5\nburst = 1", 2.5, 1),
    ] {
        let limit = load_text(text).unwrap().rate_limit;
        assert_eq!(
            (limit.requests_per_second, limit.burst.get()),
            (requests_per_second, burst),
            "{text}"
        );
    }
    for (text, told) in [
        (
            "[limits]\nrequests_per_second = 0",
            "handpick.toml:2: `limits.requests_per_second` must be from 0.001 to 1000000, not 0",
        ),
        (
            "[limits]\nrequests_per_second = nan",
            "handpick.toml:2: `limits.requests_per_second` must be from 0.001 to 1000000, not NaN",
        ),
        (
            "[limits]\nrequests_per_second = \"many\"",
            "handpick.toml:2: `limits.requests_per_second` must be a number, not string \"many\"",
        ),
        (
            "[limits]\n\nburst = 0",
            "handpick.toml:3: `limits.burst` must be at least 1, not 0",
        ),
        (
            "[limits]\nburst = -1",
            "handpick.toml:2: `limits.burst` must be a whole number from 0 to 4294967295, not integer `-1`",
        ),
        (
            "[limits]\nbursts = 1",
            "handpick.toml:2: unknown key `bursts`; did you mean `burst`?",
        ),
    ] {
        refused(text, told);
    }
}

/// P8: the adaptive threshold is nobody's setting.
#[test]
fn p8_the_threshold_cannot_be_set() {
    refused("[gateways.default]\nthreshold = 10", "unknown key `threshold`");
}

/// P23: the folder of skills is there, and toolkits share no name with a server.
#[test]
fn p23_system_tools_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "[system]\nskills = {:?}\n[gateways.a]\nsystem_tools = [\"skills\", \"form\"]",
        folder.path()
    );
    let settings = load_text(&text).unwrap();
    assert_eq!(settings.skills.as_deref(), Some(folder.path()));
    assert_eq!(settings.policy.gateways["a"].system_tools.len(), 2);
    assert_eq!(load_text("").unwrap().skills, None);
    refused(
        "[system]\nskills = \"./nowhere/at/all\"",
        "`system.skills` must name a folder with a folder for each skill, not `./nowhere/at/all`",
    );
    refused("[system]\nskill = \"x\"", "unknown key `skill`");
    refused("[gateways.a]\nsystem_tools = [\"diary\"]", "diary");
    refused(
        "[gateways.a]\nsystem_tools = [\"journal\"]\n[servers.journal]\ncommand = \"x\"",
        "must not turn on `journal` while a server is named `journal`; rename the server",
    );
}

/// The example documents every key, and is itself a valid file that changes nothing.
#[test]
fn the_example_is_valid_and_holds_the_defaults() {
    let example = include_str!("../../../../../handpick.toml.example");
    let (example, defaults) = (load_text(example).unwrap(), load_text("").unwrap());
    assert_eq!(example.listen, defaults.listen);
    assert_eq!(example.tuning.floor, defaults.tuning.floor);
    assert_eq!(example.retention, defaults.retention);
    assert_eq!(example.record_content, defaults.record_content);
    assert_eq!(example.rate_limit, defaults.rate_limit);
    assert_eq!(example.turn_tools_max, defaults.turn_tools_max);
    assert_eq!(example.turn_memory, defaults.turn_memory);
    let presentation = |settings: &Settings| settings.policy.gateways["default"].presentation;
    assert_eq!(presentation(&example), presentation(&defaults));
}

/// A model for requests in words is named whole, and its key is never told.
#[test]
fn requests_in_words_may_have_a_model() {
    let settings = load_text(
        "[unified]\nmodel_url = \"http://localhost:1/v1\"\nmodel = \"small\"\napi_key = \"${NOBODY_SETS_THIS:-s3cret}\"\ntimeout_seconds = 2.5\nutc_offset = \"-05:30\"\n",
    )
    .unwrap();
    let unified = settings.unified;
    assert_eq!(unified.timeout, Duration::from_millis(2_500));
    assert_eq!(unified.offset.seconds(), -19_800);
    let model = unified.model.unwrap();
    assert_eq!(model.origin(), "http://localhost:1");
    assert!(!format!("{model:?}").contains("s3cret"));
    assert!(load_text("").unwrap().unified.model.is_none());
    for (lines, expected) in [
        ("model = \"x\"", "`unified.model`"),
        ("model_url = \"http://localhost/v1\"", "`unified.model_url`"),
        ("model_url = \"localhost\"\nmodel = \"x\"", "`unified.model_url`"),
        ("api_key = \"x\"", "`unified.api_key`"),
        ("timeout_seconds = 0", "`unified.timeout_seconds`"),
        ("timeout_seconds = 1000", "`unified.timeout_seconds`"),
        ("utc_offset = \"Berlin\"", "`unified.utc_offset`"),
        ("model_name = \"x\"", "model_name"),
    ] {
        refused(&format!("[unified]\n{lines}\n"), expected);
    }
}
