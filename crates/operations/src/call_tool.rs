//! Run this tool.

use std::sync::Arc;
use std::time::{Duration, Instant};

use handpick_access::{Admitted, Denial, Permit, Reason};
use handpick_domain::{Caller, Surface, Tool, ToolKind};
use handpick_protocol::RpcError;
use handpick_store::{CallOutcome, CallRecord};
use handpick_upstream::{CallError, Client, ToolCall};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::sync::mpsc;

use crate::Runtime;
use crate::confirm::confirm;
use crate::runtime::now_ms;
use crate::select_tools::micros;
use crate::shown::shown_denial;
use crate::system::{self, SystemCall};
use crate::validate_arguments::ArgumentError;

/// An identifier for one execution. Ordered by time, so that the record grows at its end.
pub fn new_execution_id() -> String {
    uuid::Uuid::now_v7().to_string()
}

/// One call as any front asks for it.
pub struct Call<'a> {
    /// Identifies the execution in the record and, where the front shows it, in the answer.
    pub execution_id: String,
    /// What the caller was shown.
    pub surface: &'a Surface,
    /// Who asks.
    pub caller: &'a Caller,
    /// The tool's name as the caller wrote it.
    pub tool: &'a str,
    /// The tool's own arguments, an object; `None` means `{}`.
    pub arguments: Option<Box<RawValue>>,
    /// The recommendation it follows from; unknown ones are ignored (A21).
    pub query_id: Option<String>,
    /// The caller's `_meta`, without its progress token.
    pub meta: Option<Box<RawValue>>,
    /// Where progress goes, when the caller wants it.
    pub progress: Option<mpsc::UnboundedSender<Box<RawValue>>>,
    /// Who can be asked while it runs: for a person's word, for a model's.
    pub client: Option<Arc<dyn Client>>,
    /// Who records it: a presentation mode or `rest`.
    pub source: &'static str,
}

/// What came of a call that reached its tool.
#[derive(Debug)]
pub struct Called {
    /// The tool's result, exactly as its server sent it.
    pub result: Box<RawValue>,
    /// Whether the tool itself reports failure.
    pub is_error: bool,
    /// From request to result.
    pub duration: Duration,
}

/// Why a call did not reach its tool, or brought no result back.
#[derive(Debug, thiserror::Error)]
pub enum CallFailure {
    /// Not admitted.
    #[error(transparent)]
    Denied(#[from] Denial),
    /// The arguments break the tool's schema.
    #[error("invalid arguments for {tool}: {}", .errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Arguments {
        /// The tool, by its canonical name.
        tool: String,
        /// Each failing path.
        errors: Vec<ArgumentError>,
    },
    /// The server answered with a protocol error of its own.
    #[error(transparent)]
    Rpc(RpcError),
    /// The server could not be reached or did not answer in time.
    #[error(transparent)]
    Upstream(CallError),
}

/// Runs one tool: admit, check the arguments, ask the person where the gateway wants it, call, record.
///
/// Dropping the future cancels the call upstream; that is recorded too.
pub async fn call_tool(runtime: &Runtime, call: Call<'_>) -> Result<Called, CallFailure> {
    let mut entry = Entry::begin(runtime, &call);
    let outcome = admit_and_call(runtime, call, &mut entry).await;
    entry.finish(&outcome);
    outcome.map(|(result, is_error)| Called {
        result,
        is_error,
        duration: entry.started.elapsed(),
    })
}

async fn admit_and_call(
    runtime: &Runtime,
    mut call: Call<'_>,
    entry: &mut Entry<'_>,
) -> Result<(Box<RawValue>, bool), CallFailure> {
    let arguments = call
        .arguments
        .take()
        .unwrap_or_else(|| handpick_protocol::json::raw("{}".to_owned()));
    let permit = admit(runtime, &call, &arguments, entry).await?;
    if call.client.as_deref().is_some_and(|client| !client.is_waiting()) {
        // Its result would reach nobody, and the client is told to call again.
        let name = permit.tool().name.to_string();
        entry.record.decision = Some(Reason::NoAnswer.as_str().to_owned());
        return Err(Denial::NoAnswer { name }.into());
    }
    if let ToolKind::BuiltIn(toolkit) = permit.tool().kind {
        let own = SystemCall {
            permit: &permit,
            surface: call.surface,
            caller: call.caller,
            arguments: &arguments,
            client: call.client.as_ref(),
        };
        // A workflow calls tools in turn.
        let result = Box::pin(system::run(runtime, toolkit, own)).await;
        let is_error = reports_error(&result);
        return Ok((result, is_error));
    }
    let call = ToolCall {
        arguments,
        meta: call.meta,
        progress: call.progress,
        timeout: None,
        client: call.client,
    };
    let result = runtime
        .upstreams
        .call(permit, call)
        .await
        .map_err(|error| match error {
            CallError::Rpc(error) => CallFailure::Rpc(error),
            other => CallFailure::Upstream(other),
        })?;
    let is_error = reports_error(&result);
    Ok((result, is_error))
}

/// The one door (P24), with the arguments checked before a person is bothered with them.
async fn admit(
    runtime: &Runtime,
    call: &Call<'_>,
    arguments: &RawValue,
    entry: &mut Entry<'_>,
) -> Result<Permit, CallFailure> {
    let admitted = runtime.policy().admit(call.surface, call.tool, call.caller);
    let permit = match admitted {
        Err(denial) => {
            entry.record.decision = Some(denial.reason().as_str().to_owned());
            return Err(shown_denial(denial).into());
        }
        Ok(Admitted::Granted(permit)) => {
            check(runtime, permit.tool(), arguments, entry).await?;
            Ok(permit)
        }
        Ok(Admitted::Confirm(waiting)) => {
            check(runtime, waiting.tool(), arguments, entry).await?;
            let word = confirm(runtime, waiting, arguments, call.client.as_deref()).await;
            // The person may have taken minutes: the rules as they are now count, not those of before.
            word.and_then(|permit| {
                let again = runtime.policy().admit(call.surface, call.tool, call.caller)?;
                let same = Arc::ptr_eq(again.tool(), permit.tool());
                same.then_some(permit).ok_or_else(|| Denial::NotFound {
                    name: call.tool.to_owned(),
                })
            })
        }
    };
    let reason = match &permit {
        Ok(permit) => permit.reason(),
        Err(denial) => denial.reason(),
    };
    entry.record.decision = Some(reason.as_str().to_owned());
    Ok(permit.map_err(shown_denial)?)
}

async fn check(
    runtime: &Runtime,
    tool: &Tool,
    arguments: &RawValue,
    entry: &mut Entry<'_>,
) -> Result<(), CallFailure> {
    entry.record.tool = tool.name.as_str().to_owned();
    let checked = runtime.validators.check(tool, arguments).await;
    checked.map_err(|errors| CallFailure::Arguments {
        tool: tool.name.to_string(),
        errors,
    })
}

/// The one member of a result that is read; everything else is passed on unread.
fn reports_error(result: &RawValue) -> bool {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Peek {
        #[serde(default)]
        is_error: bool,
    }
    result.get().contains("isError")
        && serde_json::from_str::<Peek>(result.get()).is_ok_and(|peek| peek.is_error)
}

/// The record of a call in the making. A call whose future is dropped is recorded as cancelled.
struct Entry<'a> {
    runtime: &'a Runtime,
    started: Instant,
    record: CallRecord,
}

impl<'a> Entry<'a> {
    fn begin(runtime: &'a Runtime, call: &Call<'_>) -> Self {
        let record = CallRecord {
            id: call.execution_id.clone(),
            at_ms: now_ms(),
            key_id: call.caller.key_id.clone(),
            user_id: call.caller.user_id.clone(),
            gateway: call.surface.gateway.clone(),
            tool: call.tool.to_owned(),
            source: call.source.to_owned(),
            outcome: CallOutcome::Cancelled,
            error: None,
            latency_us: 0,
            query_id: call.query_id.clone(),
            arguments_json: runtime
                .options
                .record_content
                .then(|| {
                    call.arguments
                        .as_ref()
                        .map(|arguments| arguments.get().to_owned())
                })
                .flatten(),
            result_json: None,
            decision: None,
        };
        Self {
            runtime,
            started: Instant::now(),
            record,
        }
    }

    fn finish(&mut self, outcome: &Result<(Box<RawValue>, bool), CallFailure>) {
        let (name, error) = match outcome {
            Ok((_, false)) => (CallOutcome::Ok, None),
            Ok((_, true)) => (CallOutcome::ToolError, None),
            Err(failure) => (
                outcome_of(failure),
                Some(told(failure, self.runtime.options.record_content)),
            ),
        };
        self.record.outcome = name;
        self.record.error = error;
        if let (true, Ok((result, _))) = (self.runtime.options.record_content, outcome) {
            self.record.result_json = Some(result.get().to_owned());
        }
    }
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        self.record.latency_us = micros(self.started);
        self.runtime.recorder.record_call(self.record.clone());
    }
}

/// What the record says of a failure. Without `content` neither the values that break a schema nor a server's
/// own words are repeated: those are arguments and results.
fn told(failure: &CallFailure, content: bool) -> String {
    match failure {
        CallFailure::Arguments { tool, errors } if !content => {
            let paths: Vec<&str> = errors.iter().map(|error| error.path.as_str()).collect();
            match paths.iter().any(|path| !path.is_empty()) {
                true => format!("invalid arguments for {tool}: {}", paths.join("; ")),
                false => format!("invalid arguments for {tool}"),
            }
        }
        CallFailure::Rpc(error) if !content => format!("the server answered with error {}", error.code),
        failure => failure.to_string(),
    }
}

fn outcome_of(failure: &CallFailure) -> CallOutcome {
    match failure {
        CallFailure::Denied(_) => CallOutcome::Denied,
        CallFailure::Arguments { .. } => CallOutcome::Invalid,
        CallFailure::Rpc(_) => CallOutcome::RpcError,
        CallFailure::Upstream(CallError::TimedOut { .. }) => CallOutcome::Timeout,
        CallFailure::Upstream(CallError::NeedsClient { .. }) => CallOutcome::RpcError,
        CallFailure::Upstream(_) => CallOutcome::Unavailable,
    }
}
