//! How does a run go from step to step, and where does it stop?

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use handpick_presentation::result::failure;
use handpick_store::{NewWorkflowRun, Owner, RunProgress, RunStatus, Store, StoreError};
use handpick_upstream::CallError;
use serde_json::value::RawValue;
use tokio::time::{Instant, interval_at};

use super::super::SystemCall;
use super::answer::{Summary, finished, steps, stopped, text_of, value_of};
use super::kept::RunState;
use super::template::{Reference, at};
use crate::Runtime;
use crate::call_tool::{Call, CallFailure, Called, call_tool, new_execution_id};
use crate::exactly::only;
use crate::limits::{WORKFLOW_HOLD, WORKFLOW_HOLD_RENEWAL, WORKFLOW_RUNS_MAX};
use crate::runtime::now_ms;

/// Characters of a step's own words that are passed on.
const ERROR_CHARS: usize = 4_000;

/// A run in the hands of this call.
pub(super) struct Run<'a> {
    runtime: &'a Runtime,
    call: &'a SystemCall<'a>,
    hold: Hold,
    state: RunState,
}

/// Why a step brought no result that the run can go on with.
enum Stop {
    /// It failed.
    Failed {
        /// Why, in words.
        error: String,
        /// Whether it may have happened all the same.
        unsure: bool,
    },
    /// The run is somebody else's by now.
    TakenOver,
}

impl<'a> Run<'a> {
    /// Starts a run.
    pub async fn begin(
        runtime: &'a Runtime,
        call: &'a SystemCall<'a>,
        state: RunState,
    ) -> Result<Self, StoreError> {
        let id = uuid::Uuid::now_v7().to_string();
        let owner = call.owner();
        let now = now_ms();
        let json = state.json();
        let run = NewWorkflowRun {
            id: &id,
            workflow: &state.workflow.name,
            json: &json,
            started_at_ms: now,
            held_until_ms: held_until(now),
        };
        let attempt = runtime
            .store
            .workflow_run_begin(&owner, run, WORKFLOW_RUNS_MAX)
            .await?;
        let hold = Hold::new(runtime, owner, id, attempt);
        Ok(Self {
            runtime,
            call,
            hold,
            state,
        })
    }

    /// Goes on with a run that was taken up.
    pub fn resumed(
        runtime: &'a Runtime,
        call: &'a SystemCall<'a>,
        (id, attempt): (String, i64),
        state: RunState,
    ) -> Self {
        let hold = Hold::new(runtime, call.owner(), id, attempt);
        Self {
            runtime,
            call,
            hold,
            state,
        }
    }

    /// Runs step after step until all are done or one fails.
    ///
    /// Dropping the future cancels the step that is under way; the run can be taken up at it.
    pub async fn go_on(mut self, cut_short: bool) -> Box<RawValue> {
        let warning = self.warning(cut_short);
        self.state.unsure = false;
        loop {
            let result = match self.step().await {
                Ok(result) => result,
                Err(Stop::TakenOver) => return self.taken_over(),
                Err(Stop::Failed { error, unsure }) => return self.failed(&error, unsure).await,
            };
            self.take_values(&result);
            self.state.done += 1;
            if self.state.done >= self.state.workflow.steps.len() {
                return self.finished(&result, warning).await;
            }
            match self.save(RunStatus::Running).await {
                Ok(true) => {}
                Ok(false) => return self.taken_over(),
                Err(error) => {
                    let told = super::super::store_failed(&error);
                    return self.failed(&told, false).await;
                }
            }
        }
    }

    /// Runs the next step through the same door as any call.
    async fn step(&self) -> Result<Box<RawValue>, Stop> {
        let certain = |error: String| Stop::Failed { error, unsure: false };
        let Some(step) = self.state.workflow.steps.get(self.state.done) else {
            return Err(certain("there is no such step".to_owned()));
        };
        let arguments = self.state.placeholders().fill(&step.template());
        // The name was decided on when the workflow was saved.
        let surface = only(self.call.surface, &step.tool);
        let call = Call {
            execution_id: new_execution_id(),
            surface: &surface,
            caller: self.call.caller,
            tool: &step.tool,
            arguments: Some(arguments.map_err(certain)?),
            query_id: None,
            meta: None,
            progress: None,
            client: self.call.client.map(Arc::clone),
            source: "workflow",
        };
        let (called, still_held) = self.hold.while_running(boxed(self.runtime, call)).await;
        if !still_held {
            return Err(Stop::TakenOver);
        }
        match called {
            Ok(called) if called.is_error => Err(certain(match text_of(&called.result) {
                text if text.trim().is_empty() => "the tool reports an error without words".to_owned(),
                text => cut(&text),
            })),
            Ok(called) => Ok(called.result),
            Err(failure) => Err(Stop::Failed {
                unsure: may_have_happened(&failure),
                error: cut(&failure.to_string()),
            }),
        }
    }

    /// Keeps what later steps need of a result, and nothing else.
    fn take_values(&mut self, result: &RawValue) {
        let needed = self.state.workflow.needed_of(self.state.done);
        if needed.is_empty() {
            return;
        }
        let value = value_of(result);
        for reference in needed {
            let Reference::Step { path, .. } = &reference else {
                continue;
            };
            if let Some(found) = at(&value, path) {
                self.state.values.insert(reference.key(), found.to_owned());
            }
        }
    }

    async fn save(&self, status: RunStatus) -> Result<bool, StoreError> {
        let json = match status {
            // Nothing is needed any more, so nothing is kept.
            RunStatus::Finished => "{}".to_owned(),
            _ => self.state.json(),
        };
        let progress = RunProgress {
            status,
            json: &json,
            held_until_ms: match status {
                RunStatus::Running => held_until(now_ms()),
                _ => 0,
            },
        };
        let hold = &self.hold;
        self.runtime
            .store
            .workflow_run_save(&hold.owner, &hold.id, hold.attempt, progress)
            .await
    }

    async fn finished(mut self, last: &RawValue, warning: Option<String>) -> Box<RawValue> {
        // The steps are done whatever the store says; at worst the run can be taken up at its last step.
        match self.save(RunStatus::Finished).await {
            Ok(_) => self.hold.let_go(),
            Err(error) => tracing::warn!(%error, "a run cannot be noted as finished"),
        }
        let value = value_of(last);
        let summary = Summary {
            status: "finished",
            result: Some(&value),
            warning,
            ..self.summary(false)
        };
        finished(last, &summary)
    }

    async fn failed(mut self, error: &str, unsure: bool) -> Box<RawValue> {
        self.state.unsure = unsure;
        let kept = match self.save(RunStatus::Failed).await {
            Ok(true) => true,
            Ok(false) => return self.taken_over(),
            Err(error) => {
                tracing::warn!(%error, "a run that failed cannot be kept");
                false
            }
        };
        if kept {
            self.hold.let_go();
        }
        let step = self
            .state
            .workflow
            .steps
            .get(self.state.done)
            .map(|step| step.id.as_str());
        let id = step.unwrap_or_default();
        let summary = Summary {
            status: "failed",
            failed_step: step,
            error: Some(error),
            warning: unsure
                .then(|| format!("step `{id}` brought no answer; it may have happened all the same")),
            hint: Some(match kept {
                true => format!(
                    "workflow_resume with this run_id goes on at step `{id}`; what is done is not done again"
                ),
                false => {
                    "how far the run came could not be kept; read the steps before you run anything again"
                        .to_owned()
                }
            }),
            ..self.summary(true)
        };
        stopped(&summary)
    }

    fn taken_over(mut self) -> Box<RawValue> {
        self.hold.let_go();
        failure(&format!(
            "run {} is no longer this call's: another workflow_resume has taken it up, or it has left to make room; \
             workflow_list tells how it stands",
            self.hold.id
        ))
    }

    fn summary(&self, failed: bool) -> Summary<'_> {
        let workflow = &self.state.workflow;
        Summary {
            run_id: &self.hold.id,
            workflow: &workflow.name,
            status: "",
            steps: steps(&workflow.steps, self.state.done, failed),
            failed_step: None,
            error: None,
            warning: None,
            hint: None,
            result: None,
        }
    }

    fn warning(&self, cut_short: bool) -> Option<String> {
        let step = self.state.workflow.steps.get(self.state.done)?;
        (cut_short || self.state.unsure).then(|| {
            format!(
                "step `{}` was under way when this run was cut short and has been run again; it may have happened twice",
                step.id
            )
        })
    }
}

/// Whether a call that brought no result may still have done its work.
fn may_have_happened(failure: &CallFailure) -> bool {
    matches!(
        failure,
        CallFailure::Upstream(CallError::TimedOut { .. } | CallError::Unavailable { .. })
    )
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(ERROR_CHARS) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}

fn held_until(now: i64) -> i64 {
    now.saturating_add(millis(WORKFLOW_HOLD))
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

type Calling<'a> = Pin<Box<dyn Future<Output = Result<Called, CallFailure>> + Send + 'a>>;

/// A call within a call: its size must not depend on itself.
fn boxed<'a>(runtime: &'a Runtime, call: Call<'a>) -> Calling<'a> {
    Box::pin(call_tool(runtime, call))
}

/// The right to work on a run. When it is dropped before [`Hold::let_go`], the run is free to be taken up at the
/// step that was under way.
struct Hold {
    store: Store,
    owner: Owner,
    id: String,
    attempt: i64,
    held: bool,
}

impl Hold {
    fn new(runtime: &Runtime, owner: Owner, id: String, attempt: i64) -> Self {
        Self {
            store: runtime.store.clone(),
            owner,
            id,
            attempt,
            held: true,
        }
    }

    /// Waits for a step and says meanwhile that somebody is there. The second value is `false` when the run is no
    /// longer ours.
    async fn while_running(&self, mut step: Calling<'_>) -> (Result<Called, CallFailure>, bool) {
        let mut renewal = interval_at(Instant::now() + WORKFLOW_HOLD_RENEWAL, WORKFLOW_HOLD_RENEWAL);
        let mut still_held = true;
        loop {
            tokio::select! {
                called = &mut step => return (called, still_held),
                _ = renewal.tick() => still_held &= self.renew().await,
            }
        }
    }

    async fn renew(&self) -> bool {
        let until = held_until(now_ms());
        let renewed = self
            .store
            .workflow_run_hold(&self.owner, &self.id, self.attempt, until)
            .await;
        renewed.unwrap_or_else(|error| {
            tracing::warn!(%error, "a run cannot be held; it goes on as long as nobody takes it up");
            true
        })
    }

    /// The run has ended, or is somebody else's.
    fn let_go(&mut self) {
        self.held = false;
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        // Without a runtime the process is ending; then the run is free once its time is over.
        let (true, Ok(runtime)) = (self.held, tokio::runtime::Handle::try_current()) else {
            return;
        };
        let (store, owner, id, attempt) = (
            self.store.clone(),
            self.owner.clone(),
            self.id.clone(),
            self.attempt,
        );
        runtime.spawn(async move {
            if let Err(error) = store.workflow_run_cancel(&owner, &id, attempt).await {
                tracing::warn!(%error, "a run that was given up cannot be freed before its time is over");
            }
        });
    }
}
