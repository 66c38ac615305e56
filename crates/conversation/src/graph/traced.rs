//! Which tools do past conversations show to supply which parameter of which other tool (T19, T21)?
//!
//! A value that first turned up in the result of one tool and was then passed to another shows it. Where results were
//! not kept, or are no JSON, an order that repeats does, if nobody else is known to supply what the later tool needs.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use handpick_domain::{Message, Role};
use serde_json::Value;

use super::inferred::Inferred;
use super::needs::Needs;
use super::sequence::{CONVERSATIONS_MIN, Past, PastCall, follows};
use super::values::{self, Leaf};
use crate::id_name::IdName;

/// Ids of one tool whose origin is guessed from an order of calls.
const IDS_MAX: usize = 64;
/// Such guesses that are followed.
const BEFORE_MAX: usize = 500_000;

/// What past conversations show.
pub(super) struct Link {
    pub(super) provider: usize,
    pub(super) consumer: usize,
    pub(super) param: Arc<str>,
    pub(super) confidence: f32,
}

/// A parameter of a tool, as called.
type Taken<'a> = (usize, &'a str);

/// The links that at least two conversations show.
pub(super) fn links<'a>(
    needs: &'a Needs<'a>,
    inferred: &Inferred<'_>,
    declared: &HashMap<IdName, Vec<usize>>,
    conversations: &[Past<'a>],
) -> Vec<Link> {
    let mut seen = Seen::default();
    for conversation in conversations {
        seen.read(needs, conversation);
    }
    let repeated = |count: &u32| *count >= CONVERSATIONS_MIN;
    let mut links = Vec::new();
    let mut known: HashSet<Taken<'_>> = HashSet::new();
    for (&(provider, taken), count) in seen.passed.iter().filter(|(_, count)| repeated(count)) {
        known.insert(taken);
        links.push(Link::new(
            provider,
            taken,
            *count,
            seen.sourced.get(&taken).copied().unwrap_or_default(),
        ));
    }
    for (&(provider, taken), count) in seen.before.iter().filter(|(_, count)| repeated(count)) {
        let Some(name) = needs.id(&needs.tools[taken.0], taken.1) else {
            continue;
        };
        let is_declared = declared.get(&name).is_some_and(|providers| !providers.is_empty());
        let suggested = inferred.providers(&name);
        let contradicts = !suggested.is_empty() && !suggested.iter().any(|&(other, _)| other == provider);
        if !known.contains(&taken) && !is_declared && !contradicts && !needs.requires(provider, &name) {
            let unsure = Link::new(
                provider,
                taken,
                *count,
                seen.preceded.get(&taken).copied().unwrap_or_default(),
            );
            links.push(Link {
                confidence: unsure.confidence / 2.0,
                ..unsure
            });
        }
    }
    links
}

impl Link {
    /// A link that `shown` of `all` conversations show in which anything could be seen.
    fn new(provider: usize, taken: Taken<'_>, shown: u32, all: u32) -> Self {
        Self {
            provider,
            consumer: taken.0,
            param: Arc::from(taken.1),
            confidence: (shown as f32 + 0.5) / (all.max(shown) as f32 + 1.0),
        }
    }
}

/// In how many conversations something was seen.
#[derive(Default)]
struct Seen<'a> {
    /// A value came out of a tool and went into a parameter.
    passed: BTreeMap<(usize, Taken<'a>), u32>,
    /// A value came out of any tool and went into a parameter.
    sourced: HashMap<Taken<'a>, u32>,
    /// A tool was called right before another that needed an id of unknown origin.
    before: BTreeMap<(usize, Taken<'a>), u32>,
    /// Any tool was.
    preceded: HashMap<Taken<'a>, u32>,
}

impl<'a> Seen<'a> {
    fn read(&mut self, needs: &'a Needs<'a>, conversation: &Past<'a>) {
        let results: Vec<Option<Vec<Value>>> = conversation
            .calls
            .iter()
            .map(|past| past.call.result.as_deref().and_then(values::parsed))
            .collect();
        let mut said = None;
        let mut origins = Origins::default();
        let mut passed: HashSet<(usize, Taken<'a>)> = HashSet::new();
        let mut before: BTreeSet<(usize, Taken<'a>)> = BTreeSet::new();
        for (number, (past, result)) in conversation.calls.iter().zip(&results).enumerate() {
            let given = origins.take(needs, past, &mut passed);
            let previous = number
                .checked_sub(1)
                .map(|previous| &conversation.calls[previous]);
            if let Some(previous) = previous.filter(|previous| is_before(previous, past)) {
                let has_values = results[number - 1].is_some();
                for (param, name) in needs.spelled(past.tool).take(IDS_MAX) {
                    let is_open = match given.get(param) {
                        None => true,
                        Some(value) => {
                            let said = said.get_or_insert_with(|| words_said(conversation.messages));
                            let is_said =
                                |value: &str| said.get(value).is_some_and(|&when| when <= past.message);
                            !has_values && value.as_deref().is_some_and(|value| !is_said(value))
                        }
                    };
                    let has_room = before.len() < BEFORE_MAX;
                    if is_open && has_room && !needs.requires(previous.tool, name) {
                        before.insert((previous.tool, (past.tool, param)));
                    }
                }
            }
            origins.give(past.tool, result.as_deref().unwrap_or_default());
        }
        count(&mut self.sourced, passed.iter().map(|&(_, taken)| taken));
        count(&mut self.preceded, before.iter().map(|&(_, taken)| taken));
        passed
            .into_iter()
            .for_each(|link| *self.passed.entry(link).or_default() += 1);
        for link in before {
            if self.before.len() < BEFORE_MAX || self.before.contains_key(&link) {
                *self.before.entry(link).or_default() += 1;
            }
        }
    }
}

/// Counts each parameter once for this conversation.
fn count<'a>(counts: &mut HashMap<Taken<'a>, u32>, taken: impl Iterator<Item = Taken<'a>>) {
    let once: HashSet<Taken<'a>> = taken.collect();
    once.into_iter()
        .for_each(|taken| *counts.entry(taken).or_default() += 1);
}

fn is_before(previous: &PastCall<'_>, past: &PastCall<'_>) -> bool {
    previous.tool != past.tool && follows(previous, past)
}

/// Where each value of a conversation first turned up.
#[derive(Default)]
struct Origins<'r>(HashMap<Cow<'r, str>, Origin<'r>>);

#[derive(Clone, Copy)]
enum Origin<'r> {
    /// In a tool's result, in this member.
    Result { tool: usize, member: &'r str },
    /// In the arguments of a call: the user or the model knew it.
    Argument,
}

impl<'r> Origins<'r> {
    /// Reads what a call was given, and adds what tools it came out of to `passed`. For each argument: a value that
    /// had not turned up before, or none where all had.
    fn take<'a: 'r>(
        &mut self,
        needs: &Needs<'_>,
        past: &PastCall<'a>,
        passed: &mut HashSet<(usize, Taken<'a>)>,
    ) -> HashMap<&'a str, Option<Cow<'a, str>>> {
        let mut given = HashMap::new();
        for (param, leaves) in values::arguments(&past.call.arguments) {
            let mut is_known = false;
            let mut unknown = None;
            for leaf in leaves {
                match self.0.get(&leaf.value) {
                    Some(&Origin::Result { tool, member }) => {
                        is_known = true;
                        if tool != past.tool && takes(needs, past.tool, param, &leaf, member) {
                            passed.insert((tool, (past.tool, param)));
                        }
                    }
                    Some(Origin::Argument) => is_known = true,
                    None => {
                        unknown = Some(leaf.value.clone());
                        self.0.insert(leaf.value, Origin::Argument);
                    }
                }
            }
            given.insert(param, unknown.filter(|_| !is_known));
        }
        given
    }

    fn give(&mut self, tool: usize, results: &'r [Value]) {
        for leaf in results.iter().flat_map(values::leaves) {
            self.0.entry(leaf.value).or_insert(Origin::Result {
                tool,
                member: leaf.member,
            });
        }
    }
}

/// Whether a value from `member` of another tool's result says where this parameter's values come from.
fn takes(needs: &Needs<'_>, consumer: usize, param: &str, leaf: &Leaf<'_>, member: &str) -> bool {
    let tool = &needs.tools[consumer];
    let published = needs.parameter(consumer, param);
    if published.is_none() && !tool.parameters.is_empty() {
        return false;
    }
    if needs.id(tool, param).is_some() {
        return true;
    }
    published.is_none_or(|parameter| parameter.required) && values::is_telling(&leaf.value, member, param)
}

/// The words of the user's messages, each with the number of the first message that has it.
fn words_said(messages: &[Message]) -> HashMap<&str, usize> {
    let mut said = HashMap::new();
    let asked = messages
        .iter()
        .enumerate()
        .filter(|(_, message)| message.role == Role::User);
    for (number, message) in asked {
        let separates = |c: char| c.is_whitespace() || "()[]{}<>\"'`,;:!?".contains(c);
        for word in message.content.split(separates) {
            said.entry(word.trim_matches(['.', '#', '*'])).or_insert(number);
        }
    }
    said
}
