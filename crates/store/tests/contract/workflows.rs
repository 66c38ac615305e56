//! Are workflows kept for their owner, and is a run worked on by one at a time?

use handpick_store::{
    Claim, NewWorkflow, NewWorkflowRun, Owner, RunProgress, RunStatus, Store, WorkflowRow, WorkflowSaved,
};

/// More than any test here keeps.
const MOST: u32 = 1_000;

fn owner() -> Owner {
    Owner::user("main", "ann")
}

async fn save(store: &Store, owner: &Owner, name: &str, json: &str, most: u32) -> WorkflowSaved {
    let workflow = NewWorkflow {
        name,
        description: "what for",
        json,
    };
    store.workflow_save(owner, workflow, 5, most).await.unwrap()
}

async fn begin(store: &Store, owner: &Owner, id: &str, most: u32) -> i64 {
    let run = NewWorkflowRun {
        id,
        workflow: "w",
        json: "{\"next\":0}",
        started_at_ms: 100,
        held_until_ms: 200,
    };
    store.workflow_run_begin(owner, run, most).await.unwrap()
}

fn progress(status: RunStatus, json: &str) -> RunProgress<'_> {
    RunProgress {
        status,
        json,
        held_until_ms: 300,
    }
}

async fn claim(store: &Store, owner: &Owner, id: &str, now_ms: i64) -> Claim {
    store
        .workflow_run_claim(owner, id, now_ms, now_ms + 100)
        .await
        .unwrap()
}

fn granted(attempt: i64, json: &str, cut_short: bool) -> Claim {
    Claim::Granted {
        attempt,
        json: json.to_owned(),
        cut_short,
    }
}

/// The last save counts, names are told apart by case, and there is an end to their number.
pub async fn workflows_are_replaced_by_name(store: &Store) {
    let (owner, other) = (owner(), Owner::key("main", "ann"));
    assert_eq!(save(store, &owner, "b", "{}", 2).await, WorkflowSaved::Added);
    assert_eq!(save(store, &owner, "B", "{ }", 2).await, WorkflowSaved::Added);
    assert_eq!(save(store, &owner, "c", "{}", 2).await, WorkflowSaved::Full);
    assert_eq!(
        save(store, &owner, "b", "{\"x\": 1.0}", 2).await,
        WorkflowSaved::Replaced
    );
    assert_eq!(save(store, &other, "b", "{}", 2).await, WorkflowSaved::Added);
    let load = async |owner: &Owner, name: &str| store.workflow_load(owner, name).await.unwrap();
    assert_eq!(load(&owner, "b").await.as_deref(), Some("{\"x\": 1.0}"));
    assert_eq!(load(&owner, "c").await, None);
    assert_eq!(load(&other, "B").await, None);
    let row = |name: &str| WorkflowRow {
        name: name.to_owned(),
        description: "what for".to_owned(),
        updated_at_ms: 5,
    };
    assert_eq!(store.workflow_list(&owner).await.unwrap(), [row("B"), row("b")]);
    assert!(store.workflow_remove(&owner, "b").await.unwrap());
    assert!(!store.workflow_remove(&owner, "b").await.unwrap());
    assert_eq!(store.workflow_list(&owner).await.unwrap(), [row("B")]);
    assert_eq!(store.workflow_list(&other).await.unwrap(), [row("b")]);
}

/// A run is taken up where it stopped, by one at a time; what an earlier attempt still writes is not taken.
pub async fn runs_are_taken_up_by_one_at_a_time(store: &Store) {
    let owner = owner();
    let first = begin(store, &owner, "1", MOST).await;
    assert_eq!(claim(store, &owner, "1", 150).await, Claim::Busy);
    let save = async |attempt: i64, status: RunStatus, json: &str| {
        store
            .workflow_run_save(&owner, "1", attempt, progress(status, json))
            .await
            .unwrap()
    };
    assert!(save(first, RunStatus::Running, "{\"next\":1}").await);
    assert_eq!(
        claim(store, &owner, "1", 299).await,
        Claim::Busy,
        "saving holds it"
    );
    assert!(save(first, RunStatus::Failed, "{\"next\":1}").await);
    assert_eq!(
        claim(store, &owner, "1", 0).await,
        granted(2, "{\"next\":1}", false)
    );
    assert_eq!(claim(store, &owner, "1", 50).await, Claim::Busy);
    assert!(
        !save(first, RunStatus::Finished, "{}").await,
        "the first attempt is over"
    );
    assert!(!store.workflow_run_hold(&owner, "1", first, 900).await.unwrap());
    assert!(store.workflow_run_hold(&owner, "1", 2, 900).await.unwrap());
    assert_eq!(claim(store, &owner, "1", 899).await, Claim::Busy);
    // Nobody holds it any more: its process died.
    assert_eq!(
        claim(store, &owner, "1", 900).await,
        granted(3, "{\"next\":1}", true)
    );
    store.workflow_run_cancel(&owner, "1", 2).await.unwrap();
    assert_eq!(
        claim(store, &owner, "1", 950).await,
        Claim::Busy,
        "not the attempt that was given up"
    );
    store.workflow_run_cancel(&owner, "1", 3).await.unwrap();
    assert_eq!(
        claim(store, &owner, "1", 950).await,
        granted(4, "{\"next\":1}", true)
    );
    assert!(save(4, RunStatus::Finished, "{}").await);
    store.workflow_run_cancel(&owner, "1", 4).await.unwrap();
    assert_eq!(claim(store, &owner, "1", 9_000).await, Claim::Finished);
}

/// Of many that take up a run at once, one is granted.
pub async fn one_of_many_claims_is_granted(store: &Store) {
    let owner = owner();
    let attempt = begin(store, &owner, "1", MOST).await;
    store.workflow_run_cancel(&owner, "1", attempt).await.unwrap();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let store = store.clone();
        tasks.spawn(async move { claim(&store, &self::owner(), "1", 500).await });
    }
    let claims = tasks.join_all().await;
    let granted = claims
        .iter()
        .filter(|claim| matches!(claim, Claim::Granted { .. }));
    assert_eq!(granted.count(), 1);
    assert_eq!(claims.iter().filter(|&claim| *claim == Claim::Busy).count(), 19);
}

/// Open runs are told apart and belong to their owner; the oldest leave.
pub async fn open_runs_are_listed_for_their_owner(store: &Store) {
    let (owner, other) = (owner(), Owner::user("other", "ann"));
    for id in ["1", "2", "3", "4"] {
        begin(store, &owner, id, 3).await;
    }
    begin(store, &other, "1", 3).await;
    let save = async |id: &str, status: RunStatus| {
        store
            .workflow_run_save(&owner, id, 1, progress(status, "{}"))
            .await
            .unwrap()
    };
    assert!(!save("1", RunStatus::Failed).await, "the oldest has left");
    assert!(save("2", RunStatus::Finished).await);
    assert!(save("3", RunStatus::Failed).await);
    let open = async |now_ms: i64, limit: u32| -> Vec<(String, RunStatus)> {
        let runs = store.workflow_run_list_open(&owner, now_ms, limit).await.unwrap();
        runs.into_iter().map(|run| (run.id, run.status)).collect()
    };
    let of = |id: &str, status: RunStatus| (id.to_owned(), status);
    assert_eq!(
        open(150, 9).await,
        [of("4", RunStatus::Running), of("3", RunStatus::Failed)]
    );
    assert_eq!(
        open(200, 1).await,
        [of("4", RunStatus::Cancelled)],
        "nobody holds it"
    );
    assert_eq!(claim(store, &other, "3", 0).await, Claim::Unknown);
    assert_eq!(store.workflow_run_list_open(&other, 0, 9).await.unwrap().len(), 1);
}
