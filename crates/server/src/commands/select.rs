//! `handpick select`: which tools fit these tasks?

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use handpick_domain::{Caller, Scope};
use handpick_front_rest::explanation::Explanation;
use handpick_operations::limits::SELECT_MAX;
use handpick_operations::open_surface::open_project;
use handpick_operations::select_tools::{Selection, TaskOutcome, select_tools};
use handpick_store::SelectionSource;
use http::Method;
use serde_json::{Value, json};

use super::suggestions::{Row, show};
use crate::args::SelectArgs;
use crate::client::Client;
use crate::commands::catalog_file::open;
use crate::terminal::{Paint, say};

/// Asks the running gateway, or a catalog file.
pub async fn run(args: SelectArgs) -> anyhow::Result<()> {
    let answer = match &args.place.catalog {
        Some(file) => select_in_file(&args, file).await?,
        None => select_at_gateway(&args).await?,
    };
    if args.json {
        say(&answer);
        return Ok(());
    }
    let paint = Paint::for_stdout();
    for result in answer["results"].as_array().into_iter().flatten() {
        say(paint.bold(result["task"].as_str().unwrap_or_default()));
        let rows: Vec<Row> = result["suggestions"]
            .as_array()
            .into_iter()
            .flatten()
            .map(Row::read)
            .collect();
        show(&rows, args.explain);
    }
    Ok(())
}

async fn select_at_gateway(args: &SelectArgs) -> anyhow::Result<Value> {
    let body = json!({
        "tasks": args.tasks,
        "context": args.context,
        "top_k": args.top_k,
        "explain": args.explain,
        "user_id": args.place.user.user,
        "gateway_id": args.place.gateway,
    });
    Client::new(&args.place.service)?
        .send(Method::POST, "/v1/tools/select", Some(&body))
        .await
}

async fn select_in_file(args: &SelectArgs, file: &Path) -> anyhow::Result<Value> {
    if let Some(index) = args.tasks.iter().position(|task| task.trim().is_empty()) {
        bail!("`tasks[{index}]` must not be blank");
    }
    let gateway = open(file, args.place.encoder.as_ref(), true).await?;
    let caller = Caller {
        scopes: [Scope::Read].into(),
        ..Caller::default()
    };
    let surface = open_project(&gateway.runtime, &caller);
    let selection = Selection {
        tasks: &args.tasks,
        context: args.context.as_deref(),
        limit: args.top_k.clamp(1, SELECT_MAX),
        floor: None,
        source: SelectionSource::Select,
    };
    let selected = select_tools(&gateway.runtime, &surface, &caller, selection).await;
    let results: Vec<Value> = args
        .tasks
        .iter()
        .zip(&selected.tasks)
        .map(|(task, outcome)| {
            let found = match outcome {
                TaskOutcome::Found(found) => found.as_slice(),
                TaskOutcome::Unavailable => &[],
            };
            let suggestions: Vec<Value> = found
                .iter()
                .map(|found| {
                    let mut suggestion = handpick_operations::answer::suggestion(found);
                    if let (true, Some(explanation)) = (args.explain, &found.explanation) {
                        suggestion["score"] = json!(found.score);
                        suggestion["explanation"] = json!(Explanation::new(explanation, &found.tool.name));
                    }
                    suggestion
                })
                .collect();
            json!({"task": task, "suggestions": suggestions})
        })
        .collect();
    let answer = json!({"query_id": selected.query_id, "results": results});
    let _keep = Arc::clone(&gateway.runtime);
    gateway.close().await;
    Ok(answer)
}
