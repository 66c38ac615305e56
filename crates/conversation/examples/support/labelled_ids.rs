//! How many labelled ids of a folder of conversations are right?

use std::collections::BTreeMap;
use std::path::Path;

use handpick_conversation::found::{self, Page};
use handpick_conversation::{Agent, published, reading, resolved};
use handpick_domain::{Conversation, Message};
use serde_json::{Value, json};

/// What was counted in one domain, and every miss in words.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Ids that a label lists, and how many of them are right.
    pub listed: usize,
    /// Of these, the right ones.
    pub right: usize,
    /// Ids of a topic that the user left, and how many of them are offered.
    pub stale: usize,
    /// Of these, the ones that are offered.
    pub offered: usize,
    /// Ids of the page, and how many of them are found.
    pub page: usize,
    /// Of these, the ones that are found.
    pub page_right: usize,
    /// Lookups that a turn needs, and how many of them an id hides because it is offered already.
    pub lookups: usize,
    /// Of these, the hidden ones.
    pub hidden: usize,
    /// Every miss in words.
    pub misses: Vec<String>,
}

impl Counts {
    /// Adds the counts of another domain.
    pub fn add(&mut self, other: &Self) {
        self.listed += other.listed;
        self.right += other.right;
        self.stale += other.stale;
        self.offered += other.offered;
        self.page += other.page;
        self.page_right += other.page_right;
        self.lookups += other.lookups;
        self.hidden += other.hidden;
    }

    /// One row of a table.
    pub fn row(&self, name: &str) -> String {
        format!(
            "{name:<12} right {:>3} of {:>3} = {:.3}   stale offered {} of {}   page {} of {}   lookups hidden {} of {}",
            self.right,
            self.listed,
            share(self.right, self.listed),
            self.offered,
            self.stale,
            self.page_right,
            self.page,
            self.hidden,
            self.lookups,
        )
    }
}

/// The share of a count; all of nothing is 1.
pub fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        1.0
    } else {
        part as f64 / whole as f64
    }
}

/// Counts the labelled ids of a folder.
pub fn measure(folder: &Path) -> Counts {
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let json = |name: &str| -> Value { serde_json::from_str(&read(name)).unwrap() };
    let tools = published::catalog(&json("catalog.json")).unwrap();
    let past: Vec<Conversation> = published::conversations(&json("traces.json"))
        .unwrap()
        .into_iter()
        .map(|published| published.conversation)
        .collect();
    let agent = Agent::learn(tools, &past);
    let mut counts = Counts::default();
    for line in read("conversations.jsonl")
        .lines()
        .filter(|line| !line.trim().is_empty())
    {
        conversation(&agent, &serde_json::from_str(line).unwrap(), &mut counts);
    }
    counts
}

fn conversation(agent: &Agent, labelled: &Value, counts: &mut Counts) {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let page = labelled.get("page").map(|page| Page {
        url: text(&page["url"]),
        title: text(&page["title"]),
    });
    let mut history = Vec::new();
    for turn in labelled["turns"].as_array().unwrap() {
        let message = turn["message"].as_str().unwrap();
        let mut defects = Vec::new();
        let said: Vec<Message> = published::messages(&Value::Array(history.clone()), "history", &mut defects);
        assert!(defects.is_empty(), "{defects:?}");
        let reading = reading::read(message, &said);
        let found = found::ids(agent, &said, message, page.as_ref());
        let resolved = resolved::resolve(agent, &said, message, &reading, &found);
        let given = resolved.spelled(agent);
        let before = counts.misses.len();
        judge(&turn["expect"], &given, counts);
        hidden_lookups(agent, &turn["expect"], &given, counts);
        for miss in &mut counts.misses[before..] {
            let id = labelled["id"].as_str().unwrap();
            *miss = format!(
                "{id} {message:?} ({:?}{}, matter {:?}): {miss}",
                reading.leaning,
                if reading.new_subject { ", new subject" } else { "" },
                reading.matter
            );
        }
        history.push(json!({"role": "user", "content": message}));
        let mut answer = turn["assistant"].clone();
        if answer.is_object() {
            answer["role"] = json!("assistant");
            history.push(answer);
        }
    }
}

fn judge(expect: &Value, given: &BTreeMap<String, String>, counts: &mut Counts) {
    let pairs = |name: &str| -> Vec<(String, String)> {
        let members = expect.get(name).and_then(Value::as_object).into_iter().flatten();
        members
            .map(|(key, value)| {
                (
                    key.clone(),
                    value.as_str().map_or(value.to_string(), str::to_owned),
                )
            })
            .collect()
    };
    for (key, value) in pairs("resolvedParams") {
        counts.listed += 1;
        if given.get(&key) == Some(&value) {
            counts.right += 1;
        } else {
            let got = given.get(&key).map_or("nothing", String::as_str);
            counts.misses.push(format!("{key} is {value}, got {got}"));
        }
    }
    for (key, value) in pairs("staleParams") {
        counts.stale += 1;
        if given.get(&key) == Some(&value) {
            counts.offered += 1;
            counts.misses.push(format!("stale {key} {value} is offered"));
        }
    }
    for (key, value) in pairs("pageParams") {
        counts.page += 1;
        if given.get(&key) == Some(&value) {
            counts.page_right += 1;
        } else {
            counts.misses.push(format!("page: {key} is {value}"));
        }
    }
}

/// A needed tool requires an id that another needed tool produces: the id is not known yet.
fn hidden_lookups(agent: &Agent, expect: &Value, given: &BTreeMap<String, String>, counts: &mut Counts) {
    let needed: Vec<_> = expect["needed"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|name| agent.position(name.as_str()?))
        .map(|position| &agent.tools()[position])
        .collect();
    for provider in &needed {
        let wanted = needed
            .iter()
            .filter(|tool| tool.name != provider.name)
            .flat_map(|tool| &tool.parameters)
            .find(|parameter| parameter.required && provider.produces.contains(&parameter.name));
        if let Some(parameter) = wanted {
            counts.lookups += 1;
            if let Some(value) = given.get(&parameter.name) {
                counts.hidden += 1;
                counts.misses.push(format!(
                    "{} is needed, but {} {value} is offered",
                    provider.name, parameter.name
                ));
            }
        }
    }
}
