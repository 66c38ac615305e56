//! Does every store keep the same promises?
//!
//! One suite, run against each store there is. A new store joins by one more test at the end.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may fail loudly")]

mod agents;
mod catalogs;
mod keys;
mod notes;
mod presentations;
mod record;
mod vectors;
mod workflows;

use handpick_store::Store;

/// Runs every case, each on a store of its own from `open`.
async fn suite(open: impl AsyncFn() -> Store) {
    keys::what_is_inserted_is_listed(&open().await).await;
    keys::revoked_keys_stay_listed(&open().await).await;
    keys::a_key_exists_once(&open().await).await;
    catalogs::bytes_survive(&open().await).await;
    catalogs::the_last_save_counts(&open().await).await;
    catalogs::removal_is_told(&open().await).await;
    vectors::encoders_are_kept_apart(&open().await).await;
    vectors::many_are_saved_and_pruned(&open().await).await;
    vectors::concurrent_writers_all_succeed(&open().await).await;
    agents::t24_catalogs_survive_byte_for_byte(&open().await).await;
    agents::t20_conversations_are_replaced_by_id(&open().await).await;
    agents::many_conversations_keep_their_order(&open().await).await;
    agents::t6_vectors_are_kept_by_agent(&open().await).await;
    agents::t26_removal_leaves_nothing(&open().await).await;
    agents::concurrent_writers_all_succeed(&open().await).await;
    presentations::p1_settings_change_one_by_one(&open().await).await;
    presentations::c13_an_agents_settings_go_with_it(&open().await).await;
    presentations::concurrent_changes_all_count(&open().await).await;
    notes::notes_come_back_newest_first(&open().await).await;
    notes::notes_are_found_by_their_words(&open().await).await;
    notes::notes_are_found_among_many(&open().await).await;
    notes::notes_belong_to_their_owner(&open().await).await;
    notes::the_oldest_notes_leave(&open().await).await;
    notes::notes_of_concurrent_writers_are_all_kept(&open().await).await;
    workflows::workflows_are_replaced_by_name(&open().await).await;
    workflows::runs_are_taken_up_by_one_at_a_time(&open().await).await;
    workflows::one_of_many_claims_is_granted(&open().await).await;
    workflows::open_runs_are_listed_for_their_owner(&open().await).await;
    record::everything_survives(&open().await).await;
    record::a21_calls_are_linked_to_their_own_selection(&open().await).await;
    record::a_call_outlives_its_selection(&open().await).await;
    record::pruning_keeps_the_newest(&open().await).await;
    record::recording_twice_changes_nothing(&open().await).await;
    record::recorders_and_readers_share_the_store(&open().await).await;
    record::linking_and_pruning_match_a_naive_twin(&open).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_in_memory() {
    suite(async || Store::in_memory().await.unwrap()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_in_a_file() {
    let root = tempfile::tempdir().unwrap();
    let count = std::cell::Cell::new(0);
    suite(async || {
        count.set(count.get() + 1);
        let folder = root.path().join(count.get().to_string());
        Store::open(&folder).await.unwrap()
    })
    .await;
}
