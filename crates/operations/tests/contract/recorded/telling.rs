//! Is it told which real tools are not offered, and do their neighbours stay? (P27)

use handpick_operations::report_status::{Status, report_status};
use handpick_protocol::json::raw;
use handpick_testkit::Recorded;
use serde_json::value::RawValue;

use super::{SERVERS, TOOLS, plan, recordings};

fn skipped(status: &Status) -> usize {
    status.servers.iter().map(|server| server.skipped.len()).sum()
}

/// Nothing of what real servers list is left out, and nothing is wrong with any of them.
#[tokio::test]
async fn p27_every_real_tool_is_offered() {
    let Some(recordings) = recordings("p27_every_real_tool_is_offered") else {
        return;
    };
    let deployment = plan(&recordings).start().await;
    let status = report_status(&deployment.runtime);
    assert_eq!((status.servers.len(), status.tools), (SERVERS, TOOLS));
    assert!(status.reserved.is_empty(), "{:?}", status.reserved);
    for server in &status.servers {
        assert_eq!(server.problem, None, "{}", server.name);
        assert_eq!(server.skipped, [], "{}", server.name);
    }
    for (server, recorded) in status.servers.iter().zip(&recordings) {
        assert_eq!(
            (&server.name, server.tools),
            (&recorded.server, recorded.tools.len())
        );
    }
}

/// One defect of each kind, put among the tools of every server, costs itself alone and is told.
#[tokio::test]
async fn defects_are_told_and_cost_only_themselves() {
    let Some(mut recordings) = recordings("defects_are_told_and_cost_only_themselves") else {
        return;
    };
    recordings.iter_mut().for_each(spoil);
    let deployment = plan(&recordings).start().await;
    let status = report_status(&deployment.runtime);
    assert_eq!((status.tools, skipped(&status)), (TOOLS, SERVERS * 5));
    for server in &status.servers {
        assert_eq!(server.problem, None, "{}", server.name);
        let reasons: Vec<&str> = server
            .skipped
            .iter()
            .map(|skipped| skipped.reason.as_str())
            .collect();
        for (reason, expected) in reasons.iter().zip([
            "a tool without a usable `name`",
            "tool `schemaless`: `inputSchema` must be a JSON object",
            "tool `listed`: `inputSchema` must be a JSON object",
            "is nested more than 128 levels deep",
            "is listed twice; the first one is offered",
        ]) {
            assert_eq!(*reason, expected, "{}", server.name);
        }
    }
}

/// Puts defective tools in front of, among and behind the others.
fn spoil(recorded: &mut Recorded) {
    let tools = &mut recorded.tools;
    let again: Box<RawValue> = tools[0].clone();
    let deep = format!(
        r#"{{"name":"deep","inputSchema":{{"a":{}{}}}}}"#,
        "[".repeat(200),
        "]".repeat(200)
    );
    let middle = tools.len() / 2;
    tools.insert(middle, raw(deep));
    tools.insert(middle, raw(r#"{"name":"listed","inputSchema":[]}"#.to_owned()));
    tools.insert(0, raw(r#"{"name":"schemaless"}"#.to_owned()));
    tools.insert(0, raw("7".to_owned()));
    tools.push(again);
}
