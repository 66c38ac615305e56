//! Does every store keep the same promises?
//!
//! One suite, run against each store there is. A new store joins by one more test at the end.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may fail loudly")]

mod agents;
mod catalogs;
mod keys;
mod record;
mod vectors;

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
