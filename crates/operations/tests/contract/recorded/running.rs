//! Can every real tool be run, whatever its schema is like? (P17, A24, A26)

use handpick_domain::Surface;
use handpick_operations::call_tool::{Call, CallFailure, Called, call_tool, new_execution_id};
use handpick_protocol::json::raw;
use serde_json::Value;

use super::{TOOLS, admin, open, plan, recordings};
use crate::deployment::Deployment;

async fn run(deployment: &Deployment, surface: &Surface, tool: &str) -> Result<Called, CallFailure> {
    let caller = admin();
    let call = Call {
        execution_id: new_execution_id(),
        surface,
        caller: &caller,
        tool,
        arguments: Some(raw("{ }".to_owned())),
        query_id: None,
        meta: None,
        progress: None,
        client: None,
        source: "test",
    };
    call_tool(&deployment.runtime, call).await
}

/// P17: every tool is called without arguments, by its rendered name and by its canonical one in turn. Where
/// its schema wants more, the call is refused under the tool's name; otherwise it arrives. All of them
/// compile; one that did not would refuse nothing.
#[tokio::test]
async fn p17_every_real_schema_is_checked_or_harmless() {
    let Some(recordings) = recordings("p17_every_real_schema_is_checked_or_harmless") else {
        return;
    };
    let deployment = plan(&recordings).start().await;
    let opened = open(&deployment, "direct");
    let surface = &opened.surface;
    let (mut arrived, mut refused, mut unchecked) = (0, 0, 0);
    for (position, tool) in surface.tools() {
        let schema: Value = serde_json::from_str(tool.input_schema.get()).unwrap();
        let fits = match jsonschema::validator_for(&schema) {
            Ok(validator) => validator.is_valid(&serde_json::json!({})),
            Err(_) => {
                unchecked += 1;
                true
            }
        };
        let written = match position % 2 {
            0 => tool.name.as_str(),
            _ => surface.catalog.rendered(position),
        };
        match run(&deployment, surface, written).await {
            Ok(called) => {
                assert!(fits, "{written} was called although its schema wants more");
                let expected = r#"{"content":[{"type":"text","text":"{ }"}]}"#;
                assert_eq!(called.result.get(), expected, "{written}");
                arrived += 1;
            }
            Err(CallFailure::Arguments { tool: named, errors }) => {
                assert!(!fits, "{written} was refused: {errors:?}");
                assert_eq!(named, tool.name.as_str());
                assert!(!errors.is_empty());
                refused += 1;
            }
            Err(failure) => panic!("{written}: {failure}"),
        }
    }
    assert_eq!((arrived + refused, unchecked), (TOOLS, 0), "{arrived} arrived");
}
