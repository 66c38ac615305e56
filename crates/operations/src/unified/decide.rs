//! Which tool, with which arguments, and may it run? Nothing runs here.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use handpick_domain::{Caller, Surface, Tool};
use handpick_mapping::{Asking, Mapped, Now, Request, asks_for_action, map_arguments};
use handpick_presentation::UnifiedRequest;
use handpick_presentation::unified::CONFIDENCE_NEEDED;
use handpick_protocol::json::to_raw;
use handpick_selection::Explanation;
use serde_json::Value;
use tokio::time::timeout;

use super::confidence::{confidence_preferred, meant};
use super::deeds::{Asked, Named, is_done_elsewhere};
use super::harm::{Harm, harm, is_mere_question};
use super::leftover::{Leftover, Said};
use super::rank::{PREFERENCE, Ranked, Ranking, rank};
use super::signals::{Rival, Signal, Signals};
use crate::Runtime;
use crate::limits::UNIFIED_CHARS;
use crate::search_tools::Unavailable;
use crate::validate_arguments::ArgumentError;

/// The most that something can be called sure which must not run: just below the line (P20).
const BELOW: f32 = CONFIDENCE_NEEDED - 0.01;
/// Below this share of the best one's probability another tool is no rival.
const RIVAL: f32 = 0.5;
/// From this lead on, in log odds, a tool that does the same in another app is no twin.
const TWIN_LEAD: f32 = 4.0;
/// Where even the best tool is less sure than this, nothing here does what was asked.
const NOTHING: f32 = 0.12;
/// Tools beyond those the ranking found that are compared with them.
const SPARE: usize = 4;
/// How long each tool's schema has to check the arguments read for it.
const CHECK_WAIT: Duration = Duration::from_millis(100);

/// What a request in words comes to.
#[derive(Debug)]
pub struct Decision {
    /// Names the selection in the record; the execution is linked to it.
    pub query_id: String,
    /// Whether the request asks for one thing to be done now.
    pub asking: Asking,
    /// Whether the request is longer than what is read.
    pub too_long: bool,
    /// Whether it is a question, so that nothing that destroys may run.
    mere_question: bool,
    /// The request beside names of tools.
    asked: Asked,
    /// Tools that are called after the verb the request begins with.
    doers: Vec<Named>,
    /// Tools with the arguments they would get, the one most probably meant first. Only the first may run.
    pub candidates: Vec<Candidate>,
}

/// A tool with the arguments that the request holds for it.
#[derive(Debug)]
pub struct Candidate {
    /// The tool.
    pub tool: Arc<Tool>,
    /// Its listed name.
    pub rendered: Arc<str>,
    /// The arguments, where they were read, and what is missing.
    pub mapped: Mapped,
    /// Words of the request that neither the tool nor an argument takes up.
    pub unsaid: Vec<String>,
    /// Where the arguments break the tool's schema, beyond what is missing.
    pub errors: Vec<ArgumentError>,
    /// What speaks for it.
    pub signals: Signals,
    /// How probable it is that this tool with these arguments is what was asked, 0 to 1; below the line for what must
    /// not run.
    pub confidence: f32,
    /// Whether it must not run, however sure it is: something is missing, unclear or not asked for.
    pub held: bool,
    /// How probable it is that the tool is the one meant, whatever its arguments: by it tools are ordered.
    meant: f32,
    /// What it does, by its name.
    pub(super) named: Named,
    /// Its parameters that the context has by name.
    pub(super) in_context: BTreeSet<String>,
    /// Whether it is only there to be compared with.
    pub(super) is_spare: bool,
    lead_preferred: f32,
    explanation: Option<Explanation>,
}

/// Whether the first candidate runs, and why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is sure enough and complete.
    Run,
    /// It is not.
    Ask(Why),
}

/// What stands in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The request is longer than what is read.
    TooLong,
    /// Nothing is asked to be done now.
    NotAsked,
    /// Several things are asked at once.
    Several,
    /// No tool does it.
    Nothing,
    /// A required argument is not given.
    Missing,
    /// Two values fit one argument.
    Torn,
    /// The arguments break the tool's schema.
    Invalid,
    /// Other tools fit about equally.
    Ambiguous,
    /// It is not sure enough for no other reason.
    Unsure,
}

/// Ranks the caller's tools, reads the arguments of the best and tells how sure each is (P19 to P21).
pub async fn decide(
    runtime: &Runtime,
    surface: &Surface,
    caller: &Caller,
    asked: &UnifiedRequest,
    now: Now,
) -> Result<Decision, Unavailable> {
    let Ranking {
        query_id,
        fits,
        mut ranked,
    } = rank(runtime, surface, caller, asked).await?;
    let too_long = asked.request.chars().nth(UNIFIED_CHARS).is_some();
    let near = if too_long {
        Near::default()
    } else {
        near(surface, &asked.request, &ranked).await?
    };
    let spare = near.alike.iter();
    ranked.extend(spare.map(|position| Ranked::spare(surface, *position)));
    let read = if too_long {
        ranked.iter().map(|_| Read::default()).collect()
    } else {
        read_arguments(asked, &ranked, now).await?
    };
    let mut candidates = Vec::with_capacity(ranked.len());
    for (ranked, read) in ranked.into_iter().zip(read) {
        candidates.push(Candidate::new(runtime, ranked, read, fits).await);
    }
    let mut decision = Decision {
        query_id,
        asking: asks_for_action(&asked.request),
        mere_question: is_mere_question(&asked.request),
        too_long,
        asked: near.asked,
        doers: near.doers,
        candidates,
    };
    decision.weigh();
    Ok(decision)
}

/// Tools that a request may mean by their names, whatever the ranking says.
#[derive(Default)]
struct Near {
    asked: Asked,
    /// Positions of those that do the same as one that was ranked.
    alike: Vec<usize>,
    doers: Vec<Named>,
}

/// Looks through the names of all tools the caller may use, on a thread of its own: there may be thousands.
async fn near(surface: &Surface, request: &str, ranked: &[Ranked]) -> Result<Near, Unavailable> {
    let request = request.to_owned();
    let all: Vec<(usize, Arc<Tool>)> = surface
        .tools()
        .map(|(position, tool)| (position, Arc::clone(tool)))
        .collect();
    let ranked: Vec<Arc<Tool>> = ranked
        .iter()
        .map(|ranked| Arc::clone(&ranked.found.tool))
        .collect();
    let look = move || {
        let asked = Asked::new(&request);
        let known: Vec<Named> = ranked.iter().map(|tool| named(tool)).collect();
        let mut near = Near::default();
        for (position, tool) in all {
            let name = Named::new(&tool);
            if name.is_asked_for(&asked) {
                near.doers.push(name.clone());
            }
            let is_ranked = || ranked.iter().any(|ranked| ranked.name == tool.name);
            if near.alike.len() < SPARE && name.may_be_meant(&asked) && !is_ranked() {
                let name = name.with_choices(|| schema(&tool));
                if known.iter().any(|known| known.is_like(&name, &asked)) {
                    near.alike.push(position);
                }
            }
        }
        near.asked = asked;
        near
    };
    tokio::task::spawn_blocking(look).await.map_err(|error| {
        tracing::error!(%error, "names of tools cannot be read");
        Unavailable
    })
}

fn named(tool: &Tool) -> Named {
    Named::new(tool).with_choices(|| schema(tool))
}

/// Reads for each tool on a thread of its own: a long request takes milliseconds.
async fn read_arguments(
    asked: &UnifiedRequest,
    ranked: &[Ranked],
    now: Now,
) -> Result<Vec<Read>, Unavailable> {
    let asked = asked.clone();
    let tools: Vec<Arc<Tool>> = ranked
        .iter()
        .map(|ranked| Arc::clone(&ranked.found.tool))
        .collect();
    let read = move || {
        let request = Request {
            text: &asked.request,
            context: asked.context.as_ref(),
            now,
        };
        let said = Said::new(&asked.request, asked.context.as_ref(), now);
        tools.iter().map(|tool| read_for(&request, &said, tool)).collect()
    };
    tokio::task::spawn_blocking(read).await.map_err(|error| {
        tracing::error!(%error, "a request in words cannot be read");
        Unavailable
    })
}

/// What a request holds for one tool.
#[derive(Default)]
struct Read {
    mapped: Mapped,
    leftover: Leftover,
    named: Named,
    in_context: BTreeSet<String>,
}

fn read_for(request: &Request<'_>, said: &Said<'_>, tool: &Tool) -> Read {
    let schema = schema(tool);
    let mapped = map_arguments(request, &tool_words(tool), &schema);
    Read {
        leftover: said.leftover(tool, &schema, &mapped),
        in_context: in_context(request.context, &schema),
        named: Named::new(tool).with_choices(|| schema),
        mapped,
    }
}

/// The parameters that a context has by name.
fn in_context(context: Option<&Value>, schema: &Value) -> BTreeSet<String> {
    let keys = context.and_then(Value::as_object).into_iter().flatten();
    keys.map(|(key, _)| key)
        .filter(|key| !schema["properties"][key.as_str()].is_null())
        .cloned()
        .collect()
}

/// The tool's input schema as values; `{}` where it nests too deep to be read.
pub(super) fn schema(tool: &Tool) -> Value {
    handpick_protocol::json::value(tool.input_schema.get()).unwrap_or_else(|_| Value::Object(<_>::default()))
}

/// What the tool is called and described by.
fn tool_words(tool: &Tool) -> String {
    format!("{}\n{}", tool.name.as_str(), tool.first_line())
}

impl Candidate {
    async fn new(runtime: &Runtime, ranked: Ranked, read: Read, fits: f32) -> Self {
        let signals = Signals::of_tool(&ranked, fits, harm(&ranked.found.tool));
        let lead_preferred = ranked.lead_preferred;
        let mut candidate = Self {
            tool: ranked.found.tool,
            rendered: ranked.found.rendered,
            mapped: Mapped::default(),
            unsaid: Vec::new(),
            errors: Vec::new(),
            signals,
            confidence: 0.0,
            held: true,
            meant: 0.0,
            named: read.named,
            in_context: read.in_context,
            is_spare: ranked.is_spare,
            lead_preferred,
            explanation: ranked.found.explanation,
        };
        candidate.take(runtime, read.mapped, read.leftover).await;
        candidate
    }

    /// Takes these arguments over, checked against the tool's schema. One that takes its time has none here: the tool
    /// may not be the one meant, and the call is checked again.
    pub(super) async fn take(&mut self, runtime: &Runtime, mapped: Mapped, leftover: Leftover) {
        let arguments = to_raw(&mapped.arguments);
        let checking = runtime.validators.check(&self.tool, &arguments);
        let checked = timeout(CHECK_WAIT, checking).await.unwrap_or(Ok(()));
        let is_known = |error: &ArgumentError| {
            let names = mapped
                .missing
                .iter()
                .filter_map(|missing| missing.name.rsplit('.').next());
            names
                .into_iter()
                .any(|name| error.message == format!("\"{name}\" is a required property"))
        };
        self.errors = checked.err().unwrap_or_default();
        self.errors.retain(|error| !is_known(error));
        self.signals = self.signals.with_arguments(&mapped).with_leftover(&leftover);
        self.mapped = mapped;
        self.unsaid = leftover.unsaid;
    }

    /// Whether the tool needs nothing, and all that was read for it was read from weak cues: then nothing of the request
    /// need have meant it.
    fn hangs_on_weak_cues(&self) -> bool {
        self.signals.get(Signal::Required) == 0.0 && self.signals.get(Signal::WeakOptional) >= 1.0
    }

    /// Whether it is one of those that do the same.
    pub(super) fn is_rival(&self) -> bool {
        self.signals.get(Signal::Twin) > 0.0 || self.is_kin()
    }

    /// Whether another app's tool is called the same.
    pub(super) fn is_kin(&self) -> bool {
        self.signals.get(Signal::Kin) > 0.0
    }

    /// Whether a tool of another app does the same for all that the request says, and the ranking does not clearly
    /// prefer this one.
    fn has_twin(&self) -> bool {
        let twin = self.signals.get(Signal::Twin);
        // Names that say the same are told apart by nothing but a preference.
        let kin = self.is_kin() && self.lead_preferred - self.signals.get(Signal::Lead) < PREFERENCE / 2.0;
        kin || twin > 1.0 || twin > 0.0 && self.lead_preferred < TWIN_LEAD
    }

    /// How sure it could become if every argument were there.
    pub(super) fn potential(&self) -> f32 {
        confidence_preferred(&self.signals.with_ideal_arguments(), self.lead_preferred)
    }

    /// Why the tool was chosen, in a few words for a model.
    pub(super) fn rationale(&self) -> String {
        match &self.explanation {
            Some(explanation) => explanation.in_words(&self.tool.name),
            None => "it fits best".to_owned(),
        }
    }
}

impl Decision {
    /// Tells how sure each tool is, given all of them, and puts the one most probably meant
    /// first.
    pub(super) fn weigh(&mut self) {
        let rivals: Vec<Rival> = self.candidates.iter().map(Rival::of).collect();
        let hindered = self.too_long || self.asking != Asking::Yes;
        for (nth, candidate) in self.candidates.iter_mut().enumerate() {
            let elsewhere = is_done_elsewhere(
                &self.asked,
                &self.doers,
                &candidate.tool,
                &candidate.named,
                &candidate.mapped,
            );
            candidate.signals = candidate
                .signals
                .beside(&rivals, nth, &self.asked)
                .with(Signal::DoneElsewhere, f32::from(elsewhere));
            candidate.meant = meant(&candidate.signals, candidate.lead_preferred);
            let only_asks = self.mere_question && harm(&candidate.tool) == Harm::Destroys;
            candidate.held = hindered
                || candidate.is_spare
                || only_asks
                || !candidate.mapped.missing.is_empty()
                || !candidate.mapped.torn.is_empty()
                || candidate.signals.forbid()
                || candidate.has_twin()
                || candidate.hangs_on_weak_cues()
                || !candidate.errors.is_empty();
            let confidence = confidence_preferred(&candidate.signals, candidate.lead_preferred);
            candidate.confidence = if candidate.held {
                confidence.min(BELOW)
            } else {
                confidence
            };
        }
        self.candidates.sort_by(|a, b| {
            a.is_spare
                .cmp(&b.is_spare)
                .then_with(|| b.meant.total_cmp(&a.meant))
                .then_with(|| a.tool.name.cmp(&b.tool.name))
        });
    }

    /// Whether the first candidate runs (P20).
    pub fn verdict(&self) -> Verdict {
        let Some(best) = self.candidates.first() else {
            return Verdict::Ask(Why::Nothing);
        };
        if best.confidence >= CONFIDENCE_NEEDED {
            return Verdict::Run;
        }
        Verdict::Ask(self.why(best))
    }

    fn why(&self, best: &Candidate) -> Why {
        let rival = self.candidates.get(1).map_or(0.0, |next| next.meant);
        match self.asking {
            _ if self.too_long => Why::TooLong,
            Asking::No(_) => Why::NotAsked,
            Asking::Several => Why::Several,
            Asking::Yes if best.meant < NOTHING => Why::Nothing,
            Asking::Yes if !best.mapped.missing.is_empty() => Why::Missing,
            Asking::Yes if !best.mapped.torn.is_empty() => Why::Torn,
            Asking::Yes if !best.errors.is_empty() => Why::Invalid,
            Asking::Yes if best.has_twin() || rival >= RIVAL * best.meant => Why::Ambiguous,
            Asking::Yes => Why::Unsure,
        }
    }
}
