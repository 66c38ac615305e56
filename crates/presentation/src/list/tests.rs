//! Are system tools, core tools and promoted tools listed where they belong?

use std::sync::Arc;

use handpick_domain::{Catalog, Tool, ToolGlobs, ToolKind, ToolSet};
use serde_json::json;

use super::*;

/// `app.t000` to `app.t{customers}`, and as many system tools of `sys`.
fn surface(customers: usize, system: usize) -> Surface {
    let tool = |app: &str, number: usize, kind| {
        let json = json!({"name": format!("t{number:03}"), "inputSchema": {}}).to_string();
        let mut tool = Tool::parse(app, &RawValue::from_string(json).unwrap()).unwrap();
        tool.kind = kind;
        Arc::new(tool)
    };
    let tools = (0..customers)
        .map(|number| tool("zebra", number, ToolKind::Customer))
        .chain((0..system).map(|number| tool("clock", number, ToolKind::System)))
        .collect();
    let catalog = Arc::new(Catalog::new(1, tools));
    let of = |kind| {
        ToolSet::from_fn(catalog.tools().len(), |position| {
            catalog.tools()[position].kind == kind
        })
    };
    Surface {
        gateway: None,
        bound: of(ToolKind::Customer),
        allowed: of(ToolKind::Customer),
        system: of(ToolKind::System),
        catalog,
    }
}

fn names(surface: &Surface, mode: Mode, gateway: &Gateway, promoted: &Promoted) -> Vec<String> {
    let (mut names, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let page = list_page(surface, mode, gateway, promoted, cursor.as_deref()).unwrap();
        assert!(page.tools.len() <= PAGE_SIZE);
        names.extend(page.tools.iter().map(|tool| {
            let tool: Value = serde_json::from_str(tool.get()).unwrap();
            tool["name"].as_str().unwrap().to_owned()
        }));
        cursor = page.next_cursor;
        if cursor.is_none() {
            return names;
        }
    }
}

/// P5, P11, P18, P23: system tools end the list of every mode, as themselves.
#[test]
fn p23_system_tools_are_listed_in_every_mode() {
    let surface = surface(2, 2);
    let gateway = Gateway::new("g");
    for mode in Mode::ALL {
        let listed = names(&surface, mode, &gateway, &Promoted::default());
        assert_eq!(
            listed[listed.len() - 2..],
            ["clock_t000", "clock_t001"],
            "{mode:?}"
        );
        let others = if mode == Mode::Direct {
            2
        } else {
            meta_tools(mode, &gateway).len()
        };
        assert_eq!(listed.len(), others + 2, "{mode:?}");
    }
}

/// A8: pages lead on from customers' tools into system tools, nothing twice and nothing lost.
#[test]
fn a8_pages_cross_into_system_tools() {
    for (customers, system) in [(100, 0), (100, 1), (99, 2), (250, 130), (0, 205)] {
        let surface = surface(customers, system);
        for mode in Mode::ALL {
            let gateway = Gateway::new("g");
            let listed = names(&surface, mode, &gateway, &Promoted::default());
            let shown = if mode == Mode::Direct {
                customers
            } else {
                meta_tools(mode, &gateway).len()
            };
            assert_eq!(listed.len(), shown + system, "{mode:?} {customers} {system}");
            let unique: std::collections::BTreeSet<_> = listed.iter().collect();
            assert_eq!(unique.len(), listed.len());
        }
    }
}

/// R1, R19: core tools and promoted tools stand in the list of the progressive mode and of no other.
#[test]
fn r19_core_and_promoted_tools_are_listed() {
    let surface = surface(5, 0);
    let gateway = Gateway {
        core: ToolGlobs::new(&["zebra.t001".to_owned()]).unwrap(),
        ..Gateway::new("g")
    };
    let mut promoted = Promoted::default();
    promoted.promote("zebra.t003");
    promoted.promote("zebra.gone");
    let listed = names(&surface, Mode::Progressive, &gateway, &promoted);
    assert_eq!(listed[3..], ["zebra_t001", "zebra_t003"]);
    assert_eq!(names(&surface, Mode::Discovery, &gateway, &promoted).len(), 3);
}
