//! Are calls read as the contracts say, in every mode?

use std::sync::Arc;

use handpick_domain::{Catalog, Tool, ToolSet};

use super::*;
use crate::list::PAGE_SIZE;
use crate::list_page;

fn surface(tools: usize) -> Surface {
    let tools = (0..tools).map(|index| {
        let json = serde_json::json!({"name": format!("do_{index:04}"), "inputSchema": {"type": "object"}});
        Arc::new(Tool::parse("app", &RawValue::from_string(json.to_string()).unwrap()).unwrap())
    });
    let catalog = Arc::new(Catalog::new(1, tools.collect()));
    let all = ToolSet::all(catalog.tools().len());
    Surface {
        gateway: Some("default".into()),
        catalog,
        bound: all.clone(),
        allowed: all,
        system: ToolSet::default(),
    }
}

fn gateway() -> Gateway {
    Gateway::new("default")
}

fn read(mode: Mode, name: &str, arguments: &str) -> Result<ToolRequest, BadRequest> {
    let raw = RawValue::from_string(arguments.to_owned()).unwrap();
    read_call(
        &surface(3),
        mode,
        &gateway(),
        &Promoted::default(),
        name,
        Some(&raw),
    )
}

#[track_caller]
fn runs(mode: Mode, name: &str, arguments: &str, expected: (&str, Option<&str>)) {
    match read(mode, name, arguments) {
        Ok(ToolRequest::Run { name, arguments, .. }) => {
            assert_eq!((name.as_str(), arguments.as_deref().map(RawValue::get)), expected);
        }
        other => panic!("{name} {arguments}: {other:?}"),
    }
}

#[track_caller]
fn refuses(mode: Mode, name: &str, arguments: &str, field: &str) {
    assert_eq!(
        read(mode, name, arguments).unwrap_err().field,
        field,
        "{name} {arguments}"
    );
}

/// A4, A20, A21, C12: both spellings; `inputs` wins over its aliases; strings are parsed.
#[test]
fn a20_use_tool_reads_its_arguments() {
    for name in ["Arcade.UseTool", "Arcade_UseTool"] {
        runs(
            Mode::Recommend,
            name,
            r#"{"tool_name":"a.b","inputs":{"x":1}}"#,
            ("a.b", Some(r#"{"x":1}"#)),
        );
    }
    runs(
        Mode::Recommend,
        "Arcade_UseTool",
        r#"{"tool_name":"a.b"}"#,
        ("a.b", None),
    );
    runs(
        Mode::Recommend,
        "Arcade_UseTool",
        r#"{"tool_name":"a.b","inputs":"{\"x\":1}"}"#,
        ("a.b", Some(r#"{"x":1}"#)),
    );
    runs(
        Mode::Recommend,
        "Arcade_UseTool",
        r#"{"tool_name":"a.b","arguments":{"y":2},"inputs":{"x":1}}"#,
        ("a.b", Some(r#"{"x":1}"#)),
    );
    runs(
        Mode::Recommend,
        "Arcade_UseTool",
        r#"{"tool_name":"a.b","query_id":7}"#,
        ("a.b", None),
    );
    refuses(Mode::Recommend, "Arcade_UseTool", r#"{"inputs":{}}"#, "tool_name");
    refuses(
        Mode::Recommend,
        "Arcade_UseTool",
        r#"{"tool_name":"a.b","inputs":[1]}"#,
        "inputs",
    );
}

/// A12, E1, E2, E3, E6.
#[test]
fn a12_tasks_are_checked_one_by_one() {
    let select = |arguments: &str| read(Mode::Recommend, "Arcade_SelectTools", arguments);
    match select(r#"{"tasks":["a","a"],"context":"c","top_k":9}"#) {
        Ok(ToolRequest::Meta(MetaCall::Select { tasks, context })) => {
            assert_eq!((tasks.len(), context.as_deref()), (2, Some("c")));
        }
        other => panic!("{other:?}"),
    }
    for (arguments, field) in [
        ("{}", "tasks"),
        (r#"{"tasks":[]}"#, "tasks"),
        (r#"{"tasks":"a"}"#, "tasks"),
        (r#"{"tasks":["a"," "]}"#, "tasks[1]"),
        (r#"{"tasks":["a",5]}"#, "tasks[1]"),
        (r#"{"tasks":["a"],"context":5}"#, "context"),
        (r#""no object""#, "arguments"),
    ] {
        refuses(Mode::Recommend, "Arcade_SelectTools", arguments, field);
    }
    let many = serde_json::json!({"tasks": vec!["a"; 51]}).to_string();
    refuses(Mode::Recommend, "Arcade_SelectTools", &many, "tasks");
}

/// A10, P13, C7: what is callable depends on the mode.
#[test]
fn p13_what_is_callable_depends_on_the_mode() {
    runs(
        Mode::Direct,
        "app_do_0001",
        r#"{"x":1}"#,
        ("app_do_0001", Some(r#"{"x":1}"#)),
    );
    runs(Mode::Recommend, "app.do_0001", "{}", ("app.do_0001", Some("{}")));
    assert!(matches!(
        read(Mode::Discovery, "app_do_0001", "{}"),
        Ok(ToolRequest::Unknown)
    ));
    for mode in [Mode::Direct, Mode::Discovery] {
        assert!(matches!(
            read(mode, "Arcade.SelectTools", "{}"),
            Ok(ToolRequest::NotEnabled)
        ));
    }
    assert!(matches!(
        read(Mode::Recommend, "Arcade.SearchTools", "{}"),
        Ok(ToolRequest::Run { .. })
    ));
}

/// P15, P16, P17, E4.
#[test]
fn p15_discovery_arguments() {
    let limit = |arguments: &str| match read(Mode::Discovery, "discover_tools", arguments) {
        Ok(ToolRequest::Meta(MetaCall::Discover { limit, .. })) => limit,
        other => panic!("{other:?}"),
    };
    for (arguments, expected) in [
        ("{}", 10),
        (r#"{"query":"x","limit":null}"#, 10),
        (r#"{"limit":0}"#, 1),
        (r#"{"limit":-4}"#, 1),
        (r#"{"limit":5.0}"#, 5),
        (r#"{"limit":900}"#, 50),
    ] {
        assert_eq!(limit(arguments), expected, "{arguments}");
    }
    refuses(Mode::Discovery, "discover_tools", r#"{"limit":2.5}"#, "limit");
    refuses(Mode::Discovery, "discover_tools", r#"{"limit":"5"}"#, "limit");
    refuses(
        Mode::Discovery,
        "get_tool_schema",
        r#"{"tool_name":" "}"#,
        "tool_name",
    );
    runs(
        Mode::Discovery,
        "execute_tool",
        r#"{"tool_name":"a.b","input":{"x":1}}"#,
        ("a.b", Some(r#"{"x":1}"#)),
    );
}

/// A2, A8, P26: the recommend and discovery lists do not grow; the direct list pages.
#[test]
fn p26_meta_lists_have_constant_size() {
    for mode in [Mode::Discovery, Mode::Unified, Mode::Recommend, Mode::Progressive] {
        let size = |tools| -> usize {
            let page = list_page(&surface(tools), mode, &gateway(), &Promoted::default(), None).unwrap();
            assert!(page.next_cursor.is_none());
            page.tools.iter().map(|tool| tool.get().len()).sum()
        };
        assert_eq!(size(1), size(3_000));
    }
    let surface = surface(250);
    let (mut names, mut cursor, mut pages) = (Vec::new(), None, 0);
    loop {
        let page = list_page(
            &surface,
            Mode::Direct,
            &gateway(),
            &Promoted::default(),
            cursor.as_deref(),
        )
        .unwrap();
        assert!(page.tools.len() <= PAGE_SIZE);
        pages += 1;
        names.extend(
            page.tools
                .iter()
                .map(|tool| serde_json::from_str::<serde_json::Value>(tool.get()).unwrap()["name"].clone()),
        );
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!((pages, names.len()), (3, 250));
    assert!(names.is_sorted_by_key(|name| name.as_str().unwrap().to_owned()));
    assert!(
        list_page(
            &surface,
            Mode::Direct,
            &gateway(),
            &Promoted::default(),
            Some("nonsense")
        )
        .is_err()
    );
}

/// A3, A5: exactly two tools, and their descriptions lead from one to the other.
#[test]
fn a5_descriptions_teach_the_flow() {
    let page = list_page(
        &surface(40),
        Mode::Recommend,
        &gateway(),
        &Promoted::default(),
        None,
    )
    .unwrap();
    let text: Vec<&str> = page.tools.iter().map(|tool| tool.get()).collect();
    assert_eq!(text.len(), 2);
    for word in ["Arcade_UseTool", "tasks", "query_id"] {
        assert!(text[0].contains(word), "{word}");
    }
    for word in ["Arcade_SelectTools", "inputs", "query_id", "tool_name"] {
        assert!(text[1].contains(word), "{word}");
    }
    insta::assert_json_snapshot!("recommend_tools", page.tools);
    let page = list_page(
        &surface(40),
        Mode::Discovery,
        &gateway(),
        &Promoted::default(),
        None,
    )
    .unwrap();
    insta::assert_json_snapshot!("discovery_tools", page.tools);
    for (mode, name) in [
        (Mode::Unified, "unified_tools"),
        (Mode::Progressive, "progressive_tools"),
    ] {
        let page = list_page(&surface(40), mode, &gateway(), &Promoted::default(), None).unwrap();
        insta::assert_json_snapshot!(name, page.tools);
    }
}
