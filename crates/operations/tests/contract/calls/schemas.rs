//! Does a schema that its server made hard to check cost that server's calls alone?

use std::time::Instant;

use serde_json::{Map, Value, json};
use tokio::runtime::{Builder, Runtime};

use super::*;

/// The wait for a schema, and what a slow machine may take besides.
const IN_TIME: Duration = Duration::from_secs(30);

/// A schema that tries what it holds twice as often with every one of its references.
fn doubling(references: usize) -> Value {
    let mut definitions = Map::new();
    for nth in 0..references {
        let next = json!({"$ref": format!("#/$defs/a{}", nth + 1)});
        definitions.insert(format!("a{nth}"), json!({"anyOf": [next, next]}));
    }
    definitions.insert(format!("a{references}"), json!({"type": "integer"}));
    json!({"type": "object", "$defs": definitions, "$ref": "#/$defs/a0"})
}

/// A schema that leads from reference to reference before it says anything, in a circle through `a` at the end.
fn leading_on(references: usize) -> Value {
    let mut definitions = Map::new();
    for nth in 0..references {
        let next = json!({"$ref": format!("#/$defs/a{}", nth + 1)});
        definitions.insert(format!("a{nth}"), json!({"anyOf": [{"not": next}]}));
    }
    let last = json!({"properties": {"a": {"$ref": "#/$defs/a0"}}});
    definitions.insert(format!("a{references}"), last);
    json!({"type": "object", "$defs": definitions, "$ref": "#/$defs/a0"})
}

fn looking_again(times: usize) -> Value {
    (0..times).fold(json!({"properties": {"a": {"type": "string"}}}), |inner, _| {
        json!({"type": "object", "anyOf": [inner, {"properties": {"b": true}}], "unevaluatedProperties": false})
    })
}

fn nested(levels: usize) -> String {
    format!("{}1{}", r#"{"a":"#.repeat(levels), "}".repeat(levels))
}

fn plan(evil: &[(&str, Value)]) -> (Arc<Scripted>, Plan) {
    let tool = |(name, schema): &(&str, Value)| json!({"name": name, "inputSchema": schema});
    let evil = Scripted::new(evil.iter().map(tool).collect());
    let good = Scripted::new(vec![
        json!({"name": "plain", "inputSchema": {"type": "object", "required": ["a"]}}),
        json!({"name": "pattern", "inputSchema": {"type": "object", "properties": {"a": {"pattern": "^x+$"}}}}),
    ]);
    let plan = Plan::new().server("evil", &evil).server("good", &good);
    (evil, plan.gateway("all", Presentation::Direct, &["*"]))
}

/// On one thread, as the worst case of few; what is still under way at the end is left behind.
fn one_thread(test: impl Future<Output = ()>) {
    let runtime: Runtime = Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(test);
    runtime.shutdown_background();
}

/// P17: while one server's schema is still being tried, another's calls are checked and answered, those included that
/// are checked apart; its own call goes on unchecked when its time is up.
#[test]
fn p17_a_schema_that_takes_long_keeps_no_other_waiting() {
    one_thread(async {
        let (evil, plan) = plan(&[("double", doubling(27))]);
        let deployment = plan.start().await;
        let started = Instant::now();
        let slow = run(&deployment, "evil.double", Some(r#"{"a":1}"#));
        let others = async {
            // The slow call has begun.
            tokio::time::sleep(Duration::from_millis(50)).await;
            for (tool, arguments, fits) in [
                ("good.plain", r#"{"a":1}"#, true),
                ("good.plain", "{}", false),
                ("good.pattern", r#"{"a":"xx"}"#, true),
                ("good.pattern", r#"{"a":"y"}"#, false),
            ] {
                let answered = run(&deployment, tool, Some(arguments)).await;
                assert_eq!(answered.is_ok(), fits, "{tool} {arguments}: {answered:?}");
            }
            assert!(evil.calls().is_empty(), "the slow call is still under way");
        };
        let (slow, ()) = tokio::join!(slow, others);
        slow.unwrap();
        assert_eq!(evil.calls().len(), 1, "the server judges itself");
        assert!(started.elapsed() < IN_TIME, "{:?}", started.elapsed());
    });
}

/// P17: what could never be tried to the end, or leads so deep that the stack would end, is not begun.
#[test]
fn p17_a_schema_without_end_is_not_tried() {
    one_thread(async {
        let schemas = [
            ("double", doubling(60)),
            ("doublemore", doubling(4_000)),
            ("again", looking_again(40)),
            ("chain", leading_on(4_000)),
            ("circle", leading_on(100)),
            (
                "self",
                json!({"type": "object", "anyOf": [{"type": "null"}, {"$ref": "#"}]}),
            ),
        ];
        let (evil, plan) = plan(&schemas);
        let deployment = plan.start().await;
        let started = Instant::now();
        for (nth, (name, _)) in schemas.iter().enumerate() {
            for arguments in [r#"{"a":"x"}"#, &nested(120)] {
                let answered = run(&deployment, &format!("evil.{name}"), Some(arguments)).await;
                answered.unwrap_or_else(|failed| panic!("{name} {arguments}: {failed}"));
            }
            assert_eq!(evil.calls().len(), 2 * nth + 2);
        }
        assert!(started.elapsed() < 2 * IN_TIME, "{:?}", started.elapsed());
    });
}
