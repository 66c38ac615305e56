//! What speaks for each tool at this turn, in numbers?

use std::collections::{BTreeMap, BTreeSet};

use handpick_domain::{Message, Role, ToolSet};
use handpick_selection::{Ranker, Task, Weighed, weigh};

use crate::found::{FoundId, Place};
use crate::givens;
use crate::id_name::IdName;
use crate::index::AgentIndex;
use crate::prepared::Prepared;
use crate::reading::Leaning;
use crate::turn::candidates;
use crate::turn_type::TurnType;

/// Tools of the last turn, the latest first, that others are compared with.
const LAST_MAX: usize = 32;

macro_rules! evidence {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// The numbers of one tool at one turn. `NaN` where something does not exist.
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Evidence { $($(#[$doc])* pub $name: f32,)* }

        impl Evidence {
            /// Their names, in the order of [`Evidence::numbers`].
            pub const NAMES: [&'static str; [$(stringify!($name)),*].len()] = [$(stringify!($name)),*];

            /// The numbers in a row.
            pub fn numbers(&self) -> [f32; Self::NAMES.len()] {
                [$(self.$name),*]
            }
        }
    };
}

evidence! {
    /// Logarithm of the odds that the tool serves the message alone.
    own_odds,
    /// How far that is below the best tool.
    own_gap,
    /// How many tools are better.
    own_rank,
    /// Cosine of message and tool.
    own_cosine,
    /// Share of the message's words that the tool has.
    own_coverage,
    /// Whether the verbs of message and tool agree.
    own_action,
    /// The same as `own_odds` for the message with what it leans on.
    context_odds,
    /// How far that is below the best tool.
    context_gap,
    /// How many tools are better.
    context_rank,
    /// Cosine of that text and the tool.
    context_cosine,
    /// Whether the verbs of that text and the tool agree.
    context_action,
    /// The odds of the best tool for that text: whether anything fits.
    context_best,
    /// The odds, by words alone, that the tool serves what the assistant said last.
    offer_odds,
    /// How far that is below the best tool.
    offer_gap,
    /// Cosine of the message and the tool's closest example.
    example_own,
    /// The same for the message with what it leans on.
    example_context,
    /// How far `example_context` is below the best.
    example_gap,
    /// Cosine of the closest past turn that called the tool.
    memory_closest,
    /// How far that is below the closest past turn of all.
    memory_gap,
    /// Share of the nearest past turns that called it.
    memory_share,
    /// Calls of the tool in the last turn.
    called_last,
    /// Calls of the tool in the turn before the last.
    called_before,
    /// Calls of the tool in earlier turns.
    called_earlier,
    /// Whether it was the very last call.
    called_latest,
    /// Whether it was called within the matter at hand.
    called_in_matter,
    /// How much its name has in common with those of the tools of the last turn: 0 to 1.
    like_last,
    /// How often past conversations called it right after a tool of the last turn: a share, 0 to 1.
    follows_last,
    /// Required ids.
    needs,
    /// Required ids that are not known.
    missing,
    /// Required ids of which a list was shown and none is chosen.
    listed,
    /// Whether a required id first turned up in the last turn.
    acts_on_fresh,
    /// Whether the message itself gives a required id.
    acts_on_given,
    /// Whether it takes, without requiring it, an id that turned up in the last turn or in the message.
    takes_fresh,
    /// Required parameters beside ids that something in the message fits.
    fills,
    /// Other parameters that something in the message fits.
    fills_optional,
    /// Required parameters of a telling kind that nothing in the message fits.
    lacks,
    /// Share of the message's words that names and descriptions of its parameters have.
    parameter_words,
    /// Ids that it supplies to other tools.
    supplies,
    /// Of these, the share that is known already.
    supplies_known,
    /// 1 where the tool only looks things up, 0 where it does not, `NaN` where its verb is unknown.
    reads,
    /// Whether it answers questions in general, from help pages, policies or the like.
    reference,
    /// Whether that suits the kind of the turn: 1, 0, or 0.5 where either is unknown.
    suits_type,
    /// Whether the page gives a required id.
    page_id,
    /// Share of the words of the tool's name that the page has.
    page_words,
    /// Whether the turn asks for knowledge.
    knowledge,
    /// Whether the turn asks for an action.
    action,
    /// Whether the message stands alone.
    leans_not,
    /// Whether it is about something named before.
    refers,
    /// Whether it repeats the last request for another thing.
    repeats,
    /// Whether it answers the assistant.
    answers,
    /// Whether the thing talked about changes.
    new_subject,
    /// Words of the message.
    words,
    /// Turns before this one that are looked at.
    turns,
    /// Logarithm of the number of tools the user may have.
    tools,
}

/// The vectors of a turn's texts, as [`Prepared::texts`] lists them; empty where nothing could be encoded.
pub type Vectors = [Vec<f32>];

/// The evidence of every tool that the turn is chosen from, with its position: for fitting, and for a look inside.
pub fn of_turn(index: &AgentIndex, turn: &Prepared<'_>, vectors: &Vectors) -> Vec<(usize, Evidence)> {
    let allowed = candidates(turn);
    let evidence = gather(index, turn, vectors, &allowed);
    allowed.into_iter().zip(evidence).collect()
}

/// The evidence of every tool of `allowed`, by its position, in their order. A tool that is not looked at closely has
/// the numbers of a hopeless one.
pub(crate) fn gather(
    index: &AgentIndex,
    turn: &Prepared<'_>,
    vectors: &Vectors,
    allowed: &[usize],
) -> Vec<Evidence> {
    let agent = index.agent();
    let open = ToolSet::from_fn(agent.catalog().tools().len(), {
        let in_catalog: BTreeSet<usize> = allowed
            .iter()
            .map(|&position| agent.in_catalog()[position])
            .collect();
        move |position| in_catalog.contains(&position)
    });
    let ranker = Ranker::embedded();
    let weighed = |task: &Task<'_>| Weighing::new(weigh(index.tools(), task, &open, &ranker));
    let [own_vectors, context_vectors] = turn.split(vectors);
    let own = turn.own.ask(own_vectors, None, weighed);
    let context = match &turn.with_context {
        Some(wording) => wording.ask(context_vectors, None, weighed),
        None => own.clone(),
    };
    let offer = turn.offer().map(|text| {
        weighed(&Task {
            text,
            ..Task::default()
        })
    });
    let own_vector = own_vectors.first().map(Vec::as_slice);
    let context_vector = context_vectors.first().map(Vec::as_slice).or(own_vector);
    let example_own = index.closest_examples(own_vector);
    let example_context = match context_vectors.is_empty() {
        true => example_own.clone(),
        false => index.closest_examples(context_vector),
    };
    let best_example = best(allowed.iter().map(|&position| example_context[position]));
    let votes = if turn.request.memory {
        agent.memory().votes(index.memory_vectors(), context_vector)
    } else {
        BTreeMap::new()
    };
    let best_vote = best(votes.values().map(|vote| vote.closest));
    let calls = Calls::of(turn);
    let ids = Ids::of(turn);
    let page_words = turn.page_words();
    let (given, terms) = (
        givens::given(turn.request.message),
        givens::telling_terms(&turn.reading.own),
    );
    let flag = |yes: bool| f32::from(u8::from(yes));
    let leaning = turn.reading.leaning;
    allowed
        .iter()
        .map(|&position| {
            let place = agent.in_catalog()[position];
            let (own_here, context_here) = (own.at(place), context.at(place));
            let vote = votes.get(&position).copied().unwrap_or_default();
            let reads = index.tools().reads(place);
            let calls = calls.of_tool(turn, position);
            let takes = agent.takes(position);
            let (fills, fills_optional) = takes.filled(&given);
            let mut evidence = Evidence {
                own_odds: own_here.log_odds,
                own_gap: own.best - own_here.log_odds,
                own_rank: own.rank(own_here.log_odds),
                own_cosine: own_here.cosine.unwrap_or(f32::NAN),
                own_coverage: own_here.coverage,
                own_action: own_here.action,
                context_odds: context_here.log_odds,
                context_gap: context.best - context_here.log_odds,
                context_rank: context.rank(context_here.log_odds),
                context_cosine: context_here.cosine.unwrap_or(f32::NAN),
                context_action: context_here.action,
                context_best: context.best,
                offer_odds: offer.as_ref().map_or(f32::NAN, |offer| offer.at(place).log_odds),
                offer_gap: offer
                    .as_ref()
                    .map_or(f32::NAN, |offer| offer.best - offer.at(place).log_odds),
                example_own: example_own[position],
                example_context: example_context[position],
                example_gap: best_example - example_context[position],
                memory_closest: vote.closest,
                memory_gap: best_vote - vote.closest,
                memory_share: vote.share,
                called_last: calls.last,
                called_before: calls.before,
                called_earlier: calls.earlier,
                called_latest: flag(calls.latest),
                called_in_matter: flag(calls.in_matter),
                like_last: calls.like,
                follows_last: calls.follows,
                reference: flag(agent.words(position).is_reference),
                fills,
                fills_optional,
                lacks: takes.open(&given),
                parameter_words: takes.words(&terms),
                reads: reads.map_or(f32::NAN, flag),
                suits_type: suits(reads, turn.turn_type),
                page_words: share_in(&page_words, &agent.tools()[position].name),
                knowledge: flag(matches!(turn.turn_type, TurnType::Knowledge | TurnType::Mixed)),
                action: flag(matches!(turn.turn_type, TurnType::Action | TurnType::Mixed)),
                leans_not: flag(leaning == Leaning::Own),
                refers: flag(leaning == Leaning::Refers),
                repeats: flag(leaning == Leaning::Repeats),
                answers: flag(leaning == Leaning::Answers),
                new_subject: flag(turn.reading.new_subject),
                words: turn.reading.own.split_whitespace().take(50).count() as f32,
                turns: turn.recent_turns() as f32,
                tools: (allowed.len() as f32).ln(),
                ..Evidence::default()
            };
            ids.describe(turn, position, &mut evidence);
            evidence
        })
        .collect()
}

/// What selection says about every tool for one text.
#[derive(Clone)]
struct Weighing {
    by_place: BTreeMap<usize, Weighed>,
    /// Highest first.
    odds: Vec<f32>,
    best: f32,
    lowest: f32,
}

impl Weighing {
    fn new(weighed: Vec<Weighed>) -> Self {
        let mut odds: Vec<f32> = weighed.iter().map(|weighed| weighed.log_odds).collect();
        odds.sort_by(|a, b| b.total_cmp(a));
        Self {
            best: odds.first().copied().unwrap_or_default(),
            lowest: odds.last().copied().unwrap_or_default(),
            odds,
            by_place: weighed
                .into_iter()
                .map(|weighed| (weighed.position, weighed))
                .collect(),
        }
    }

    fn at(&self, place: usize) -> Weighed {
        self.by_place.get(&place).copied().unwrap_or(Weighed {
            position: place,
            log_odds: self.lowest,
            cosine: None,
            coverage: 0.0,
            action: 0.0,
        })
    }

    fn rank(&self, log_odds: f32) -> f32 {
        self.odds.partition_point(|&other| other > log_odds) as f32
    }
}

/// Which tools were called when.
struct Calls {
    of_tool: BTreeMap<usize, Called>,
    follows: BTreeMap<usize, f32>,
    /// Tools of the last turn.
    last: Vec<usize>,
}

#[derive(Clone, Copy, Default)]
struct Called {
    last: f32,
    before: f32,
    earlier: f32,
    latest: bool,
    in_matter: bool,
    follows: f32,
    like: f32,
}

impl Calls {
    fn of(turn: &Prepared<'_>) -> Self {
        let agent = turn.agent;
        let mut of_tool: BTreeMap<usize, Called> = BTreeMap::new();
        let mut follows: BTreeMap<usize, f32> = BTreeMap::new();
        let mut last = Vec::new();
        let mut distance = 1;
        let mut latest = true;
        for (number, message) in turn.recent().rev() {
            if message.role == Role::User {
                distance += 1;
                continue;
            }
            let in_matter = turn.reading.matter.contains(&number);
            for call in message.tool_calls.iter().rev() {
                let Some(position) = agent.position(&call.name) else {
                    continue;
                };
                let called = of_tool.entry(position).or_default();
                match distance {
                    1 => called.last += 1.0,
                    2 => called.before += 1.0,
                    _ => called.earlier += 1.0,
                }
                called.latest |= std::mem::take(&mut latest);
                called.in_matter |= in_matter;
                if distance == 1 && last.len() < LAST_MAX && !last.contains(&position) {
                    last.push(position);
                    for (next, share) in agent.graph().follows(position) {
                        let most = follows.entry(next).or_default();
                        *most = most.max(share);
                    }
                }
            }
        }
        Self {
            of_tool,
            follows,
            last,
        }
    }

    fn of_tool(&self, turn: &Prepared<'_>, position: usize) -> Called {
        let words = turn.agent.words(position);
        let likeness = |&other: &usize| words.likeness(turn.agent.words(other));
        Called {
            like: best(self.last.iter().map(likeness)),
            follows: self.follows.get(&position).copied().unwrap_or_default(),
            ..self.of_tool.get(&position).copied().unwrap_or_default()
        }
    }
}

/// When the ids that hold were last mentioned.
struct Ids<'a> {
    latest: BTreeMap<&'a IdName, &'a FoundId>,
    on_page: BTreeSet<&'a IdName>,
}

impl<'a> Ids<'a> {
    fn of(turn: &'a Prepared<'_>) -> Self {
        let mut latest: BTreeMap<&IdName, &FoundId> = BTreeMap::new();
        for found in &turn.found {
            if turn.resolved.values.get(&found.name) == Some(&found.value) {
                latest.insert(&found.name, found);
            }
        }
        let on_page = turn
            .found
            .iter()
            .filter(|found| found.place == Place::Page)
            .map(|found| &found.name)
            .collect();
        Self { latest, on_page }
    }

    fn describe(&self, turn: &Prepared<'_>, position: usize, evidence: &mut Evidence) {
        let flag = |yes: bool| f32::from(u8::from(yes));
        let (fresh_from, message) = (turn.last_turn_start(), turn.request.history.len());
        let fresh = |name: &IdName| {
            self.latest
                .get(name)
                .is_some_and(|found| found.message >= fresh_from)
        };
        let given = |name: &IdName| {
            self.latest
                .get(name)
                .is_some_and(|found| found.message == message)
        };
        for (name, required) in turn.agent.ids_taken(position) {
            if *required {
                evidence.needs += 1.0;
                evidence.missing += flag(turn.resolved.lacks(name));
                evidence.listed += flag(turn.resolved.open.contains_key(name));
                evidence.acts_on_fresh = evidence.acts_on_fresh.max(flag(fresh(name)));
                evidence.acts_on_given = evidence.acts_on_given.max(flag(given(name)));
                evidence.page_id = evidence.page_id.max(flag(self.on_page.contains(&name)));
            } else {
                evidence.takes_fresh = evidence.takes_fresh.max(flag(fresh(name)));
            }
        }
        let supplied = turn.agent.ids_supplied(position);
        evidence.supplies = supplied.len() as f32;
        let known = supplied.iter().filter(|&name| turn.resolved.has(name)).count();
        evidence.supplies_known = if supplied.is_empty() {
            f32::NAN
        } else {
            known as f32 / supplied.len() as f32
        };
    }
}

fn suits(reads: Option<bool>, turn_type: TurnType) -> f32 {
    match (reads, turn_type) {
        (Some(reads), TurnType::Knowledge) => f32::from(u8::from(reads)),
        (Some(reads), TurnType::Action) => f32::from(u8::from(!reads)),
        _ => 0.5,
    }
}

/// Share of the words of a tool's name that stand among `words`.
fn share_in(words: &BTreeSet<String>, name: &str) -> f32 {
    let spelled = handpick_selection::words::words(name);
    let terms: Vec<&str> = spelled
        .iter()
        .flat_map(|word| {
            let parts = word.parts.iter().map(String::as_str);
            let whole = word.parts.is_empty().then_some(word.term.as_str());
            parts.chain(whole)
        })
        .collect();
    if words.is_empty() || terms.is_empty() {
        return 0.0;
    }
    let found = terms.iter().filter(|&&term| words.contains(term)).count();
    found as f32 / terms.len() as f32
}

fn best(numbers: impl Iterator<Item = f32>) -> f32 {
    numbers.fold(0.0, f32::max)
}

/// Whether an assistant's message is worth reading as an offer.
pub(crate) fn says_something(message: &Message) -> bool {
    message.role == Role::Assistant && !message.content.trim().is_empty()
}
