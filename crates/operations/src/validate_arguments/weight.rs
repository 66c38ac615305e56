//! How much work can a schema make of arguments, before anybody has tried?
//!
//! A server writes the schema, so it can double what is to be checked with every reference, or lead the validator so
//! deep that the stack ends and the process with it. What is counted here is an upper bound, by nesting of the arguments.

mod places;

use handpick_protocol::json::DEPTH_MAX;
use serde_json::{Map, Value};

use self::places::{Place, Places};

/// Times that what lies beside `unevaluated…` is looked through again.
const AGAIN: u64 = 4;
/// A schema about schemas, counted as one step: what it holds, and how deep it leads.
const METASCHEMA: Load = Load { work: 200, steps: 16 };

/// What arguments can cost at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Load {
    /// Subschemas tried for one value and all it lies in.
    pub work: u64,
    /// How deep subschemas lead within each other.
    pub steps: u64,
}

/// A schema, weighed.
#[derive(Debug)]
pub(super) struct Weight {
    /// For values alone, for values within one object or list, and so on; the last holds for all that nests deeper.
    by_depth: Vec<Load>,
    /// Whether nothing in it costs more than its place suggests: no patterns, no looking again.
    pub is_plain: bool,
    /// Whether it has alternatives: to say why none fits, the misfits of all are collected.
    pub has_alternatives: bool,
}

impl Weight {
    /// Weighs a schema. `None` where references lead out of it, nowhere, or in circles on the same value.
    pub fn of(schema: &Value) -> Option<Self> {
        let places = Places::of(schema)?;
        let graph = Graph::of(schema, &places)?;
        Some(Self {
            by_depth: graph.loads()?,
            is_plain: places.is_plain,
            has_alternatives: places.has_alternatives,
        })
    }

    /// The load of arguments that nest this deep.
    pub fn at(&self, depth: usize) -> Load {
        let load = self.by_depth.get(depth).or(self.by_depth.last());
        load.copied().unwrap_or_default()
    }
}

/// A subschema, and where it leads.
#[derive(Default)]
struct Node {
    own: Load,
    /// Subschemas for the same value.
    same: Vec<usize>,
    /// Subschemas for values in it, each for all of them.
    below: Vec<usize>,
    /// Subschemas for values in it, each value meeting one of them.
    either: Vec<usize>,
    again: bool,
}

impl Node {
    fn load(&self, same: &[Load], below: &[Load]) -> Load {
        let again = if self.again { AGAIN } else { 1 };
        let of = |list: &'_ [usize], loads: &[Load]| -> Vec<Load> {
            list.iter().filter_map(|nth| loads.get(*nth)).copied().collect()
        };
        let (same, below, either) = (
            of(&self.same, same),
            of(&self.below, below),
            of(&self.either, below),
        );
        let sum = |loads: &[Load]| {
            loads
                .iter()
                .fold(0_u64, |sum, load| sum.saturating_add(load.work))
        };
        let work = [
            sum(&same).saturating_mul(again),
            sum(&below),
            either.iter().map(|load| load.work).max().unwrap_or(0),
        ];
        let steps = [&same, &below, &either].into_iter().flatten();
        Load {
            work: work.into_iter().fold(self.own.work, u64::saturating_add),
            steps: self.own.steps + steps.map(|load| load.steps).max().unwrap_or(0),
        }
    }
}

/// All subschemas that can be reached; the first is the schema itself.
struct Graph {
    nodes: Vec<Node>,
}

impl Graph {
    fn of(schema: &Value, places: &Places<'_>) -> Option<Self> {
        let mut reached = Reached::default();
        reached.place(schema);
        let mut nodes = Vec::new();
        while let Some(subschema) = reached.subschemas.get(nodes.len()).copied() {
            nodes.push(match subschema {
                Value::Object(members) => node(subschema, members, places, &mut reached)?,
                _ => Node {
                    own: Load { work: 1, steps: 1 },
                    ..Node::default()
                },
            });
        }
        Some(Self { nodes })
    }

    /// The load of the whole for each depth, until it grows no more.
    fn loads(&self) -> Option<Vec<Load>> {
        let order = self.order()?;
        let mut before = vec![Load::default(); self.nodes.len()];
        let mut by_depth = Vec::new();
        for _ in 0..=DEPTH_MAX {
            let mut now = vec![Load::default(); self.nodes.len()];
            for nth in &order {
                let load = self.nodes.get(*nth)?.load(&now, &before);
                *now.get_mut(*nth)? = load;
            }
            if now == before {
                break;
            }
            by_depth.push(*now.first()?);
            before = now;
        }
        Some(by_depth)
    }

    /// The subschemas, each after those it leads to for the same value. `None` where that is a circle.
    fn order(&self) -> Option<Vec<usize>> {
        let mut leads_here = vec![Vec::new(); self.nodes.len()];
        let mut open: Vec<usize> = self.nodes.iter().map(|node| node.same.len()).collect();
        for (nth, node) in self.nodes.iter().enumerate() {
            for to in &node.same {
                leads_here.get_mut(*to)?.push(nth);
            }
        }
        let none_open = |(nth, open): (usize, &usize)| (*open == 0).then_some(nth);
        let mut order: Vec<usize> = open.iter().enumerate().filter_map(none_open).collect();
        let mut done = 0;
        while let Some(nth) = order.get(done).copied() {
            done += 1;
            for from in leads_here.get(nth)? {
                let open = open.get_mut(*from)?;
                *open -= 1;
                if *open == 0 {
                    order.push(*from);
                }
            }
        }
        (order.len() == self.nodes.len()).then_some(order)
    }
}

/// Subschemas in the order they were met.
#[derive(Default)]
struct Reached<'a> {
    subschemas: Vec<&'a Value>,
    numbers: std::collections::HashMap<Place, usize>,
}

impl<'a> Reached<'a> {
    fn place(&mut self, subschema: &'a Value) -> usize {
        let next = self.subschemas.len();
        let number = *self.numbers.entry(places::place(subschema)).or_insert(next);
        if number == next {
            self.subschemas.push(subschema);
        }
        number
    }

    fn all(&mut self, subschemas: impl Iterator<Item = &'a Value>) -> Vec<usize> {
        subschemas.map(|subschema| self.place(subschema)).collect()
    }
}

fn node<'a>(
    subschema: &'a Value,
    members: &'a Map<String, Value>,
    places: &Places<'a>,
    reached: &mut Reached<'a>,
) -> Option<Node> {
    let mut node = Node {
        own: Load { work: 1, steps: 1 },
        ..Node::default()
    };
    for (name, member) in members {
        match name.as_str() {
            "$ref" | "$dynamicRef" | "$recursiveRef" => match places.target(subschema, member.as_str()?)? {
                places::Target::Here(target) => node.same.push(reached.place(target)),
                places::Target::Metaschema => {
                    node.own.work += METASCHEMA.work;
                    node.own.steps += METASCHEMA.steps;
                    // It holds for the schemas in it, too.
                    node.either.push(reached.place(subschema));
                }
            },
            "not" | "if" | "then" | "else" => node.same.push(reached.place(member)),
            "allOf" | "anyOf" | "oneOf" | "dependentSchemas" | "dependencies" => {
                node.same.extend(reached.all(within(member)));
            }
            "properties" | "prefixItems" => node.either.extend(reached.all(within(member))),
            "items" if member.is_array() => node.either.extend(reached.all(within(member))),
            "items" | "additionalItems" | "additionalProperties" => {
                node.either.push(reached.place(member));
            }
            "patternProperties" => node.below.extend(reached.all(within(member))),
            "contains" | "propertyNames" => node.below.push(reached.place(member)),
            "unevaluatedProperties" | "unevaluatedItems" => {
                node.again = true;
                node.below.push(reached.place(member));
            }
            _ => {}
        }
        node.own.work = node.own.work.saturating_add(own_work(name, member));
    }
    Some(node)
}

/// What a member costs by itself.
fn own_work(name: &str, member: &Value) -> u64 {
    match name {
        "enum" | "const" | "required" | "type" | "dependentRequired" | "dependencies" => values(member),
        _ => within(member).count().min(1) as u64 + 1,
    }
}

/// The members of an object or list.
fn within(value: &Value) -> Box<dyn Iterator<Item = &Value> + '_> {
    match value {
        Value::Object(members) => Box::new(members.values()),
        Value::Array(items) => Box::new(items.iter()),
        _ => Box::new(std::iter::empty()),
    }
}

/// How many values there are in it, itself and names of members included.
pub(super) fn values(value: &Value) -> u64 {
    let names = value.as_object().map_or(0, |members| members.len() as u64);
    within(value).map(values).sum::<u64>() + names + 1
}

/// How deep it nests.
pub(super) fn depth(value: &Value) -> usize {
    match value {
        Value::Object(_) | Value::Array(_) => within(value).map(depth).max().unwrap_or(0) + 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn at(schema: &Value, depth: usize) -> Load {
        Weight::of(schema).unwrap_or_else(|| panic!("{schema}")).at(depth)
    }

    /// Each reference to the same adds what it holds; a circle adds it with each level of the arguments.
    #[test]
    fn work_is_counted_through_references() {
        let a = json!({"$ref": "#/$defs/a"});
        let once = json!({"$defs": {"a": {"type": "string"}}, "allOf": [a]});
        let twice = json!({"$defs": {"a": {"type": "string"}}, "allOf": [a, a]});
        assert!(at(&twice, 1).work > at(&once, 1).work);
        assert_eq!(
            at(&twice, 1),
            at(&twice, 100),
            "it does not depend on the arguments"
        );

        let list = json!({"properties": {"next": {"$ref": "#"}}});
        let (some, more) = (at(&list, 10).work, at(&list, 20).work);
        assert!(some * 3 / 2 < more && more < some * 3, "{some} {more}");
        let tree = json!({"properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}}});
        assert!(at(&tree, 20).work < 10 * more, "a value is either left or right");
        let both = json!({"properties": {"a": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}}});
        assert!(at(&both, 20).work > 1 << 20);
        assert_eq!(at(&both, 128).work, u64::MAX);
    }

    #[test]
    fn references_are_read_as_the_validator_reads_them() {
        for schema in [
            json!({"$ref": "#/definitions/a%20b~1c", "definitions": {"a b/c": {"type": "null"}}}),
            json!({"$id": "https://example.test/a", "$ref": "https://example.test/a#/$defs/x", "$defs": {"x": {"type": "null"}}}),
            json!({"$ref": "#x", "$defs": {"x": {"$anchor": "x", "type": "null"}}}),
            json!({"$ref": "x", "$defs": {"x": {"$id": "x", "type": "null"}}}),
            json!({"$dynamicRef": "#x", "$defs": {"x": {"$dynamicAnchor": "x", "type": "null"}}}),
            json!({"$ref": "#/$defs/x", "$defs": {"x": false}}),
            json!({"$schema": "http://json-schema.org/draft-04/schema#", "id": "https://example.test/a", "allOf": [{"$ref": "#/definitions/x"}],
                "definitions": {"x": {"type": "null"}}}),
            json!({"$schema": "http://json-schema.org/draft-07/schema#",
                "properties": {"a": {"$ref": "http://json-schema.org/draft-07/schema#"}}, "required": ["b"]}),
            json!({"properties": {"a": {"$ref": "https://json-schema.org/draft/2020-12/schema"}}, "required": ["b"]}),
            json!({"properties": {"id": {"type": "string"}, "$ref": {"type": "string"}, "$id": true}, "required": ["b"]}),
        ] {
            assert!(Weight::of(&schema).is_some(), "{schema}");
            let validator = jsonschema::validator_for(&schema).unwrap();
            assert!(!validator.is_valid(&json!({"a": {}})), "{schema}");
        }
    }

    /// Where a reference could be read in two ways, or never ends, nothing is weighed.
    #[test]
    fn what_is_not_certain_is_not_weighed() {
        for schema in [
            json!({"$ref": "#"}),
            json!({"anyOf": [{"not": {"$ref": "#"}}]}),
            json!({"$ref": "https://example.test/b"}),
            json!({"$ref": "#/nowhere"}),
            json!({"$ref": "#nowhere"}),
            json!({"$ref": 5}),
            json!({"$ref": "#x", "$defs": {"x": {"$anchor": "x"}, "y": {"$anchor": "x"}}}),
            json!({"$ref": "x", "$defs": {"x": {"$id": "x"}, "y": {"$id": "x"}}}),
            json!({"$ref": "x/y", "$defs": {"x": {"$id": "x/y"}}}),
            json!({"$ref": "#/$defs/x/$defs/y", "$defs": {"x": {"$id": "x", "$defs": {"y": {}}}}}),
            json!({"$dynamicRef": "#x", "$dynamicAnchor": "x", "$defs": {"x": {"$id": "x", "$dynamicAnchor": "x"}}}),
        ] {
            assert!(Weight::of(&schema).is_none(), "{schema}");
        }
    }
}
