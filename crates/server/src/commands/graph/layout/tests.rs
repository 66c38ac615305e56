//! Is everything in its place: apart, left of what needs it, and in no layer twice?

use super::*;

fn graph(links: &[(&str, &str, &str)]) -> Graph {
    let link = |&(provider, consumer, param): &(&str, &str, &str)| Link {
        provider: provider.to_owned(),
        consumer: consumer.to_owned(),
        param: param.to_owned(),
        confidence: 0.5,
        source: Source::Declared,
    };
    Graph {
        name: "test".to_owned(),
        links: links.iter().map(link).collect(),
    }
}

fn tool<'a>(layout: &'a Layout, name: &str) -> &'a Node {
    let wanted = What::Tool(name.to_owned());
    layout.nodes.iter().find(|node| node.what == wanted).unwrap()
}

#[test]
fn what_supplies_stands_left_of_what_needs() {
    let layout = laid_out(&graph(&[
        ("find", "get", "customer_id"),
        ("get", "change", "subscription_id"),
        ("find", "change", "customer_id"),
        ("plans", "change", "plan_id"),
    ]));
    let x = |name| tool(&layout, name).x;
    assert!(x("find") < x("get") && x("get") < x("change"));
    assert_eq!(tool(&layout, "plans").layer + 2, tool(&layout, "change").layer);
}

#[test]
fn an_id_from_the_same_suppliers_is_drawn_once() {
    let ids = |links: &[(&str, &str, &str)]| {
        let layout = laid_out(&graph(links));
        let ids = layout
            .nodes
            .iter()
            .filter(|node| matches!(node.what, What::Id(_)));
        ids.count()
    };
    assert_eq!(
        ids(&[
            ("a", "x", "id"),
            ("b", "x", "id"),
            ("a", "y", "id"),
            ("b", "y", "id")
        ]),
        1
    );
    assert_eq!(ids(&[("a", "x", "id"), ("b", "x", "id"), ("a", "y", "id")]), 2);
}

#[test]
fn circles_selves_and_nothing_are_drawn_too() {
    let circle = laid_out(&graph(&[("a", "b", "x"), ("b", "a", "y"), ("a", "a", "z")]));
    assert_eq!(circle.lines.len(), 4);
    assert_eq!(laid_out(&graph(&[])).nodes, []);
}

#[test]
fn nothing_overlaps_and_all_is_within() {
    let mut links = Vec::new();
    let names: Vec<String> = (0..40).map(|number| format!("tool_{number}")).collect();
    for (number, name) in names.iter().enumerate() {
        for step in [3, 7, 11] {
            let to = (number * step + 1) % names.len();
            links.push((
                name.as_str(),
                names[to].as_str(),
                if step == 3 { "a_id" } else { "b_id" },
            ));
        }
    }
    let layout = laid_out(&graph(&links));
    let boxes: Vec<&Node> = layout
        .nodes
        .iter()
        .filter(|node| node.what != What::Bend)
        .collect();
    for (nth, a) in boxes.iter().enumerate() {
        assert!(a.x >= 0.0 && a.x + a.width <= layout.width, "{a:?}");
        assert!(
            a.y - a.height / 2.0 >= 0.0 && a.y + a.height / 2.0 <= layout.height,
            "{a:?}"
        );
        for b in &boxes[nth + 1..] {
            let beside = a.x + a.width <= b.x || b.x + b.width <= a.x;
            assert!(
                beside || (a.y - b.y).abs() >= (a.height + b.height) / 2.0,
                "{a:?} {b:?}"
            );
        }
    }
    assert_eq!(layout, laid_out(&graph(&links)));
}
