//! Which tool do people's conversations call after which, and which in the same turn?

use std::collections::{BTreeMap, BTreeSet, HashMap};

use handpick_domain::{AgentTool, Conversation, Message, Role, ToolCall};

use super::needs::Needs;

/// Conversations that have to show a pattern before it counts (T19).
pub(super) const CONVERSATIONS_MIN: u32 = 2;

/// Tools of one turn that are paired with each other.
const BESIDE_MAX: usize = 16;
/// Tools that are remembered as following, or as standing beside, one tool.
const KEPT: usize = 32;

/// What follows, or stands beside, each tool, with its share.
type Habits = Vec<BTreeMap<usize, f32>>;

/// The calls of one past conversation.
pub(super) struct Past<'a> {
    pub(super) messages: &'a [Message],
    pub(super) calls: Vec<PastCall<'a>>,
}

/// A call of a tool of the catalog.
pub(super) struct PastCall<'a> {
    pub(super) tool: usize,
    /// Number of the user's messages before it.
    pub(super) turn: usize,
    /// Number of the message it stands in.
    pub(super) message: usize,
    pub(super) call: &'a ToolCall,
}

/// The calls of all conversations. Of those with the same id the last one counts (T20); tools that are not in the
/// catalog are passed over (E19).
pub(super) fn calls<'a>(needs: &Needs<'_>, conversations: &'a [Conversation]) -> Vec<Past<'a>> {
    let last: HashMap<&str, usize> = conversations
        .iter()
        .enumerate()
        .map(|(number, conversation)| (conversation.id.as_str(), number))
        .collect();
    conversations
        .iter()
        .enumerate()
        .filter(|(number, conversation)| last.get(conversation.id.as_str()) == Some(number))
        .map(|(_, conversation)| Past::of(needs, &conversation.messages))
        .collect()
}

impl<'a> Past<'a> {
    fn of(needs: &Needs<'_>, messages: &'a [Message]) -> Self {
        let mut turn = 0;
        let mut calls = Vec::new();
        for (number, message) in messages.iter().enumerate() {
            turn += usize::from(message.role == Role::User);
            let known = message.tool_calls.iter().filter_map(|call| {
                let tool = needs.position(&call.name)?;
                Some(PastCall {
                    tool,
                    turn,
                    message: number,
                    call,
                })
            });
            calls.extend(known);
        }
        Self { messages, calls }
    }
}

/// What was called right after each tool, within one turn or first in the next, and what in the same turn: as shares of
/// all that came after it, and of all its turns. Only what two conversations show (T19).
pub(super) fn habits(tools: &[AgentTool], conversations: &[Past<'_>]) -> (Habits, Habits) {
    let (mut after, mut beside) = (Pairs::default(), Pairs::default());
    let mut successors = vec![0_u32; tools.len()];
    let mut turns = vec![0_u32; tools.len()];
    for (number, conversation) in conversations.iter().enumerate() {
        for pair in conversation
            .calls
            .windows(2)
            .filter(|pair| follows(&pair[0], &pair[1]))
        {
            after.see(pair[0].tool, pair[1].tool, number);
            successors[pair[0].tool] += 1;
        }
        for turn in conversation.calls.chunk_by(|a, b| a.turn == b.turn) {
            let called: BTreeSet<usize> = turn.iter().map(|call| call.tool).collect();
            for &tool in &called {
                turns[tool] += 1;
                if called.len() <= BESIDE_MAX {
                    let others = called.iter().filter(|&&other| other != tool);
                    others.for_each(|&other| beside.see(tool, other, number));
                }
            }
        }
    }
    (after.shares(tools, &successors), beside.shares(tools, &turns))
}

/// Whether a call comes right after another.
pub(super) fn follows(call: &PastCall<'_>, next: &PastCall<'_>) -> bool {
    next.turn - call.turn <= 1
}

/// How often two tools were seen together, and in how many conversations.
#[derive(Default)]
struct Pairs(HashMap<(usize, usize), Seen>);

struct Seen {
    times: u32,
    conversations: u32,
    latest: usize,
}

impl Pairs {
    fn see(&mut self, tool: usize, other: usize, conversation: usize) {
        let first = Seen {
            times: 0,
            conversations: 1,
            latest: conversation,
        };
        let seen = self.0.entry((tool, other)).or_insert(first);
        seen.times += 1;
        seen.conversations += u32::from(seen.latest != conversation);
        seen.latest = conversation;
    }

    fn shares(self, tools: &[AgentTool], of_all: &[u32]) -> Habits {
        let mut ranked: Vec<Vec<(u32, usize)>> = vec![Vec::new(); tools.len()];
        let repeated = self
            .0
            .into_iter()
            .filter(|(_, seen)| seen.conversations >= CONVERSATIONS_MIN);
        for ((tool, other), seen) in repeated {
            ranked[tool].push((seen.times, other));
        }
        let keep = |(tool, mut others): (usize, Vec<(u32, usize)>)| {
            others.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| tools[a.1].name.cmp(&tools[b.1].name)));
            others.truncate(KEPT);
            let share = |times: u32| times as f32 / of_all[tool].max(1) as f32;
            others
                .into_iter()
                .map(|(times, other)| (other, share(times)))
                .collect()
        };
        ranked.into_iter().enumerate().map(keep).collect()
    }
}
