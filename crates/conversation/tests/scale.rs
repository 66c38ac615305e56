//! Does a turn stay answerable whatever was published and whatever is sent?

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use handpick_conversation::found::Page;
use handpick_conversation::{Agent, AgentIndex, Prepared, Reason, Request, Turn, TurnTuning, tools_of_turn};
use handpick_domain::{AgentTool, Message, Parameter, Role, ToolCall};

/// Of computing. Generous, since machines differ; what is not linear takes minutes.
const LIMIT: Duration = Duration::from_secs(20);

fn tool(name: &str, parameters: Vec<Parameter>, produces: &[&str]) -> AgentTool {
    AgentTool {
        name: name.into(),
        description: format!("{} something", name.replace('_', " ")),
        parameters,
        produces: produces.iter().map(|&name| name.to_owned()).collect(),
        ..AgentTool::default()
    }
}

fn needs(name: String, description: Option<&str>) -> Parameter {
    Parameter {
        name,
        description: description.map(str::to_owned),
        required: true,
        ..Parameter::default()
    }
}

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let (done, took) = handpick_testkit::cpu::timed(work);
    assert!(took < LIMIT, "{what} took {took:?}");
    done
}

fn learned(what: &str, tools: Vec<AgentTool>) -> AgentIndex {
    timed(what, || {
        AgentIndex::build(Arc::new(Agent::learn(tools, &[])), |_| None)
    })
}

fn asked(what: &str, index: &AgentIndex, message: &str, history: &[Message], page: Option<&Page>) -> Turn {
    let roles = BTreeSet::new();
    timed(what, || {
        let request = Request {
            message,
            history,
            roles: &roles,
            page,
            tools_max: 50,
            memory: true,
        };
        let turn = Prepared::read(index.agent(), request, false);
        tools_of_turn(index, &turn, &[], &TurnTuning::default())
    })
}

/// E2, T38: a tool that needs tens of thousands of ids.
#[test]
fn e2_a_tool_with_any_number_of_ids() {
    let ids = (0..50_000).map(|number| needs(format!("a{number}x_id"), None));
    let tools = vec![
        tool("change_it", ids.collect(), &[]),
        tool("find_a7x", vec![], &["a7x_id"]),
    ];
    let index = learned("one tool of many ids", tools);
    let turn = asked("asking for it", &index, "please change it", &[], None);
    assert!(
        turn.tools.iter().any(|tool| tool.position == 1),
        "{:?}",
        turn.tools
    );
}

/// E2: ten thousand tools with ids of their own, all of whose values look alike.
#[test]
fn e2_ids_that_look_alike() {
    let tools = (0..10_000).map(|number| {
        let ids = (0..5).map(|nth| needs(format!("a{number}x{nth}_id"), Some("e.g. T-1")));
        tool(&format!("change_thing_{number}"), ids.collect(), &[])
    });
    let index = learned("ids that look alike", tools.collect());
    asked(
        "asking with such values",
        &index,
        &"T-1 ".repeat(30_000),
        &[],
        None,
    );
}

/// E2, T36: ten thousand tools, all of them called in the last turn, and a page of many words.
#[test]
fn e2_a_turn_that_called_everything() {
    let tools = (0..10_000).map(|number| tool(&format!("get_thing_{number}_of_list"), vec![], &[]));
    let index = learned("many tools", tools.collect());
    let call = |number: usize| ToolCall {
        name: format!("get_thing_{number}_of_list"),
        ..ToolCall::default()
    };
    let said = Message {
        role: Role::Assistant,
        content: "Done.".to_owned(),
        tool_calls: (0..10_000).map(call).collect(),
    };
    let words: Vec<String> = (0..40_000).map(|number| format!("w{number}")).collect();
    let page = Page {
        url: Some(format!("https://x.example/{}", words.join("/"))),
        title: Some(words.join(" ")),
    };
    let turn = asked(
        "after calling all",
        &index,
        "and the next thing?",
        &[said],
        Some(&page),
    );
    assert!(
        turn.tools
            .iter()
            .filter(|tool| tool.reason != Reason::Dependency)
            .count()
            <= 50
    );
}
