//! Does the one door open for exactly the right calls?

use std::collections::BTreeSet;
use std::sync::Arc;

use handpick_domain::{
    Autonomy, Caller, Catalog, Gateway, Presentation, Restriction, Scope, SystemToolkit, Tool, ToolGlobs,
    ToolKind,
};
use serde_json::value::RawValue;

use crate::Permit;

use super::*;

fn catalog(names: &[(&str, &str)]) -> Arc<Catalog> {
    let tools = names.iter().map(|(app, tool)| {
        let json = serde_json::json!({"name": tool, "inputSchema": {}}).to_string();
        let raw = serde_json::value::RawValue::from_string(json).unwrap();
        Arc::new(Tool::parse(app, &raw).unwrap())
    });
    Arc::new(Catalog::new(1, tools.collect()))
}

fn gateway(allow: &[&str]) -> Gateway {
    let allow: Vec<String> = allow.iter().map(|pattern| (*pattern).to_owned()).collect();
    Gateway {
        presentation: Presentation::Direct,
        allow: ToolGlobs::new(&allow).unwrap(),
        ..Gateway::new("default")
    }
}

fn policy(allow: &[&str], restricted: &[(&str, &str)]) -> Policy {
    Policy {
        gateways: [("default".to_owned(), gateway(allow))].into(),
        restrictions: restricted
            .iter()
            .map(|(glob, role)| Restriction {
                tools: ToolGlobs::new(&[(*glob).to_owned()]).unwrap(),
                roles: [(*role).to_owned()].into(),
            })
            .collect(),
    }
}

fn caller(roles: &[&str], scopes: &[Scope]) -> Caller {
    Caller {
        key_id: "k".into(),
        user_id: None,
        roles: roles
            .iter()
            .map(|role| (*role).to_owned())
            .collect::<BTreeSet<_>>(),
        scopes: scopes.iter().copied().collect(),
    }
}

fn permit(admitted: Admitted) -> Permit {
    match admitted {
        Admitted::Granted(permit) => permit,
        Admitted::Confirm(waiting) => panic!("{} waits for a person", waiting.tool().name),
    }
}

/// P24: what is allowed, denied or unknown answers the same whoever probes.
#[test]
fn p24_denied_and_unknown_read_alike() {
    let policy = policy(&["crm.*", "mail.send"], &[("crm.delete_*", "ops")]);
    let catalog = catalog(&[
        ("crm", "get"),
        ("crm", "delete_all"),
        ("mail", "send"),
        ("mail", "purge"),
    ]);
    let plain = caller(&[], &[Scope::Execute]);
    let surface = policy.open_surface(catalog, policy.gateways.get("default"), &plain);
    assert_eq!((surface.bound.len(), surface.allowed.len()), (3, 2));
    for (written, admitted) in [
        ("crm.get", true),
        ("crm_get", true),
        ("CRM.Get@2", true),
        ("crm.delete_all", false),
        ("mail_purge", false),
        ("nothing", false),
        ("", false),
    ] {
        match policy.admit(&surface, written, &plain) {
            Ok(admission) => {
                let permit = permit(admission);
                assert!(admitted, "{written} gave {}", permit.tool().name);
            }
            Err(denial) => {
                assert!(!admitted, "{written}");
                assert_eq!(
                    denial,
                    Denial::NotFound {
                        name: written.to_owned()
                    }
                );
            }
        }
    }
    let ops = caller(&["ops"], &[Scope::Execute]);
    let surface = policy.open_surface(Arc::clone(&surface.catalog), policy.gateways.get("default"), &ops);
    assert!(policy.admit(&surface, "crm.delete_all", &ops).is_ok());
}

/// P14: a tool unbound after the surface opened stays in the snapshot and fails admission; one bound
/// later is not callable until a new surface.
#[test]
fn p14_snapshot_and_live_rules_both_count() {
    let wide = policy(&["*"], &[]);
    let narrow = policy(&["crm.*"], &[]);
    let catalog = catalog(&[("crm", "get"), ("mail", "send")]);
    let caller = caller(&[], &[Scope::Admin]);
    let opened_wide = wide.open_surface(Arc::clone(&catalog), wide.gateways.get("default"), &caller);
    let opened_narrow = narrow.open_surface(catalog, narrow.gateways.get("default"), &caller);
    assert!(
        opened_wide
            .tools()
            .any(|(_, tool)| tool.name.as_str() == "mail.send")
    );
    assert!(narrow.admit(&opened_wide, "mail.send", &caller).is_err());
    assert!(wide.admit(&opened_narrow, "mail.send", &caller).is_err());
    assert!(narrow.admit(&opened_wide, "crm.get", &caller).is_ok());
}

#[test]
fn a_key_that_may_only_read_runs_nothing() {
    let policy = policy(&["*"], &[]);
    let reader = caller(&[], &[Scope::Read]);
    let surface = policy.open_surface(
        catalog(&[("crm", "get")]),
        policy.gateways.get("default"),
        &reader,
    );
    assert_eq!(
        policy.admit(&surface, "crm.get", &reader).unwrap_err(),
        Denial::Scope
    );
    assert!(matches!(
        policy.admit(&surface, "crm.nope", &reader),
        Err(Denial::NotFound { .. })
    ));
}

/// C1, E11: an ambiguous spelling says so to whoever may use several of its tools; to everybody else the
/// hidden ones do not exist.
#[test]
fn c1_ambiguity_is_not_a_leak() {
    let catalog = catalog(&[("a_b", "c"), ("a", "b_c"), ("x", "y")]);
    let caller = caller(&[], &[Scope::Admin]);
    let open = policy(&["*"], &[]);
    let surface = open.open_surface(Arc::clone(&catalog), open.gateways.get("default"), &caller);
    assert!(matches!(
        open.admit(&surface, "a_b_c", &caller),
        Err(Denial::Ambiguous { .. })
    ));
    let half = policy(&["x.*", "a.*"], &[]);
    let surface = half.open_surface(Arc::clone(&catalog), half.gateways.get("default"), &caller);
    for written in ["a_b_c", "A_B_C", "a_b_c@1"] {
        let permit = permit(half.admit(&surface, written, &caller).unwrap());
        assert_eq!(permit.tool().name.as_str(), "a.b_c", "{written}");
    }
    let closed = policy(&["x.*"], &[]);
    let surface = closed.open_surface(catalog, closed.gateways.get("default"), &caller);
    assert!(matches!(
        closed.admit(&surface, "a_b_c", &caller),
        Err(Denial::NotFound { .. })
    ));
}

/// E11: a hidden tool takes no name away from one that differs in case alone.
#[test]
fn e11_a_hidden_twin_does_not_show() {
    let catalog = catalog(&[("app", "Get"), ("app", "get")]);
    let caller = caller(&[], &[Scope::Admin]);
    let open = policy(&["*"], &[]);
    let mut surface = open.open_surface(catalog, open.gateways.get("default"), &caller);
    surface.allowed = ToolSet::from_fn(2, |position| position == 1);
    for written in ["app.get", "app.Get", "APP_GET"] {
        let permit = permit(open.admit(&surface, written, &caller).unwrap());
        assert_eq!(permit.tool().name.as_str(), "app.get", "{written}");
    }
}

/// P4: what a tool says of itself decides, and a tool that says nothing counts as destructive.
#[test]
fn p4_autonomy_reads_annotations() {
    let tools = [
        (
            r#"{"readOnlyHint":true}"#,
            "granted read_only_tool",
            "granted read_only_tool",
        ),
        (
            r#"{"readOnlyHint":true,"destructiveHint":true}"#,
            "asks",
            "read_only_gateway",
        ),
        (
            r#"{"destructiveHint":false}"#,
            "granted harmless_tool",
            "read_only_gateway",
        ),
        (r#"{"destructiveHint":true}"#, "asks", "read_only_gateway"),
        (r#"{"readOnlyHint":false}"#, "asks", "read_only_gateway"),
        ("{}", "asks", "read_only_gateway"),
        (r#""yes""#, "asks", "read_only_gateway"),
    ];
    for (annotations, confirm, read_only) in tools {
        let json = format!(r#"{{"name":"act","inputSchema":{{}},"annotations":{annotations}}}"#);
        let tool = Tool::parse("app", &RawValue::from_string(json).unwrap()).unwrap();
        let catalog = Arc::new(Catalog::new(1, vec![Arc::new(tool)]));
        let caller = caller(&[], &[Scope::Execute]);
        for (autonomy, expected) in [
            (Autonomy::Full, "granted full_autonomy"),
            (Autonomy::Confirm, confirm),
            (Autonomy::ReadOnly, read_only),
        ] {
            let mut policy = policy(&["*"], &[]);
            policy.gateways.get_mut("default").unwrap().autonomy = autonomy;
            let surface = policy.open_surface(Arc::clone(&catalog), policy.gateways.get("default"), &caller);
            let verdict = match policy.admit(&surface, "app.act", &caller) {
                Ok(Admitted::Granted(permit)) => format!("granted {}", permit.reason().as_str()),
                Ok(Admitted::Confirm(_)) => "asks".to_owned(),
                Err(denial) => denial.reason().as_str().to_owned(),
            };
            assert_eq!(verdict, expected, "{annotations} under {autonomy:?}");
        }
    }
}

/// P9, P23: system tools are neither counted nor found among the customers' tools, callable all the same, and
/// those of the gateway itself exist only where they are turned on.
#[test]
fn p23_system_tools_stand_apart() {
    let mut tools: Vec<Arc<Tool>> = catalog(&[("crm", "get"), ("clock", "now"), ("journal", "read")])
        .tools()
        .to_vec();
    for tool in &mut tools {
        let tool = Arc::make_mut(tool);
        tool.kind = match tool.name.app() {
            "clock" => ToolKind::System,
            "journal" => ToolKind::BuiltIn(SystemToolkit::Journal),
            _ => ToolKind::Customer,
        };
    }
    let catalog = Arc::new(Catalog::new(1, tools));
    let caller = caller(&[], &[Scope::Execute]);
    let names = |surface: &Surface| -> Vec<String> {
        surface
            .system_tools()
            .map(|(_, tool)| tool.name.to_string())
            .collect()
    };
    let mut policy = policy(&["*"], &[("clock.*", "ops")]);
    let off = policy.open_surface(Arc::clone(&catalog), policy.gateways.get("default"), &caller);
    assert_eq!((off.bound.len(), off.allowed.len()), (1, 1));
    assert_eq!(
        names(&off),
        [] as [&str; 0],
        "the role is missing, the toolkit is off"
    );
    assert!(policy.admit(&off, "journal.read", &caller).is_err());
    policy.restrictions.clear();
    policy.gateways.get_mut("default").unwrap().system_tools = [SystemToolkit::Journal].into();
    let on = policy.open_surface(Arc::clone(&catalog), policy.gateways.get("default"), &caller);
    assert_eq!(
        (on.bound.len(), names(&on)),
        (1, vec!["clock.now".to_owned(), "journal.read".to_owned()])
    );
    for name in ["journal.read", "journal_read", "JOURNAL_READ", "clock.now"] {
        assert!(policy.admit(&on, name, &caller).is_ok(), "{name}");
    }
    let project = policy.open_surface(catalog, None, &caller);
    assert_eq!(names(&project), ["clock.now"]);
}
