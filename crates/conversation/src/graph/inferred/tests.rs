//! Does the index find what reading every name against every id finds?

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use handpick_domain::{AgentTool, Parameter};
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

fn tools() -> impl Strategy<Value = Vec<AgentTool>> {
    let verb = select(&["find", "list", "create", "cancel", "my", ""][..]);
    let noun = || select(&["order", "orders", "item", "gift_card", ""][..]);
    let id = select(
        &[
            "order_id",
            "item_id",
            "order_item_id",
            "gift_card_id",
            "old_order_id",
            "card_id",
        ][..],
    );
    let ids = proptest::collection::vec(id, 0..2);
    let tool = (verb, noun(), noun(), ids).prop_map(|(verb, first, second, ids)| {
        let words = [verb, first, second].into_iter().filter(|word| !word.is_empty());
        let parameter = |name: &str| Parameter {
            name: name.to_owned(),
            required: true,
            ..Parameter::default()
        };
        AgentTool {
            name: Arc::from(words.collect::<Vec<_>>().join("_")),
            parameters: ids.into_iter().map(parameter).collect(),
            ..AgentTool::default()
        }
    });
    proptest::collection::vec(tool, 1..8).prop_map(|mut tools| {
        let mut names = HashSet::new();
        tools.retain(|tool| names.insert(Arc::clone(&tool.name)));
        tools
    })
}

/// The tools of a style whose object ends in a thing, or has it further in front, and which can be called without an id
/// of those in `taken`.
fn about(
    needs: &Needs<'_>,
    style: Style,
    thing: &[String],
    at_the_end: bool,
    taken: &dyn Fn(&IdName) -> bool,
) -> BTreeSet<usize> {
    let things = needs.entities();
    let fits = |&position: &usize| {
        let Some(purpose) = Purpose::of(&needs.tools[position].name, &things) else {
            return false;
        };
        let ends = purpose.object.ends_with(thing);
        let has = purpose.object.windows(thing.len()).any(|row| row == thing);
        let free = !needs.required(position).iter().any(taken);
        purpose.style == style && has && ends == at_the_end && free
    };
    (0..needs.tools.len()).filter(fits).collect()
}

fn naive(needs: &Needs<'_>, name: &IdName) -> BTreeSet<usize> {
    let thing = entity_words(name);
    let itself = |id: &IdName| id == name;
    let mut found = about(needs, Style::Lookup, &thing, true, &itself);
    if found.is_empty() {
        found = about(needs, Style::Lookup, &thing, false, &itself);
        let of_the_kind = (1..thing.len()).map(|start| {
            let taken = |id: &IdName| id == name || entity_words(id) == thing[start..];
            about(needs, Style::Lookup, &thing[start..], true, &taken)
        });
        found.extend(
            of_the_kind
                .into_iter()
                .find(|found| !found.is_empty())
                .unwrap_or_default(),
        );
    }
    found.extend(about(needs, Style::Maker, &thing, true, &itself));
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn t15_the_index_finds_what_a_naive_reader_finds(tools in tools()) {
        let needs = Needs::of(&tools);
        let inferred = providers(&needs);
        for (name, _) in needs.consumers() {
            let found: BTreeSet<usize> = inferred.providers(name).iter().map(|&(tool, _)| tool).collect();
            prop_assert_eq!(found, naive(&needs, name), "{}", name.as_str());
        }
    }
}
