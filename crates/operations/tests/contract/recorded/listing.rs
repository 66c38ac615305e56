//! Are real tools listed as their servers describe them, or not at all? (A2, A8, A26, P5)

use std::collections::BTreeMap;

use handpick_domain::Tool;
use handpick_operations::describe_tool::describe_tool;
use handpick_protocol::json::{members, to_raw};
use handpick_testkit::Recorded;

use super::{SERVERS, TOOLS, admin, open, pages, plan, recordings};

/// The recorded definitions by canonical name.
fn recorded_definitions(recordings: &[Recorded]) -> BTreeMap<String, &str> {
    let named = recordings.iter().flat_map(|recorded| {
        recorded.tools.iter().map(|definition| {
            let tool = Tool::parse(&recorded.server, definition).unwrap();
            (tool.name.to_string(), definition.get())
        })
    });
    named.collect()
}

/// P5, A8, A26: 33 pages hold every tool once, and every member of every definition but the name is there
/// byte for byte and in its place. What a suggestion shows of a schema is the schema, too.
#[tokio::test]
async fn p5_definitions_are_listed_byte_for_byte() {
    let Some(recordings) = recordings("p5_definitions_are_listed_byte_for_byte") else {
        return;
    };
    let recorded = recorded_definitions(&recordings);
    let deployment = plan(&recordings).start().await;
    let opened = open(&deployment, "direct");
    let pages = pages(&opened);
    assert_eq!(pages.len(), TOOLS.div_ceil(100));
    let listed: Vec<_> = pages.iter().flat_map(|page| &page.tools).collect();
    assert_eq!(listed.len(), TOOLS);
    for ((position, tool), listed) in opened.surface.tools().zip(listed) {
        let rendered = &**opened.surface.catalog.rendered(position);
        let mut expected = members(recorded[tool.name.as_str()]).unwrap();
        for (_, value) in expected.iter_mut().filter(|(key, _)| key == "name") {
            *value = to_raw(&rendered);
        }
        let shown = members(listed.get()).unwrap();
        assert_eq!(
            spelled(&shown),
            spelled(&expected),
            "{rendered} is listed differently"
        );
        let described = describe_tool(&deployment.runtime, &opened.surface, &admin(), rendered).unwrap();
        let schema = expected.iter().find(|(key, _)| key == "inputSchema").unwrap();
        assert_eq!(described.tool.input_schema.get(), schema.1.get(), "{rendered}");
    }
}

fn spelled(members: &[(String, Box<serde_json::value::RawValue>)]) -> Vec<(&str, &str)> {
    members
        .iter()
        .map(|(key, value)| (key.as_str(), value.get()))
        .collect()
}

/// A2: the lists of recommend and discovery do not grow with what is behind them.
#[tokio::test]
async fn a2_meta_tool_lists_have_one_size() {
    let Some(recordings) = recordings("a2_meta_tool_lists_have_one_size") else {
        return;
    };
    let mut seen: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for servers in [1, 10, SERVERS] {
        let deployment = plan(&recordings[..servers]).start().await;
        for gateway in ["recommend", "discovery"] {
            let opened = open(&deployment, gateway);
            let pages = pages(&opened);
            assert_eq!(pages.len(), 1);
            let text: String = pages[0].tools.iter().map(|tool| tool.get()).collect();
            assert!(text.len() < 6_000, "{gateway}: {} bytes", text.len());
            seen.entry(gateway).or_default().push(text);
        }
        let bound = open(&deployment, "recommend").surface.bound.len();
        let recorded: usize = recordings[..servers].iter().map(|one| one.tools.len()).sum();
        assert_eq!(bound, recorded);
    }
    for (gateway, lists) in seen {
        assert!(lists.windows(2).all(|two| two[0] == two[1]), "{gateway}");
    }
}
