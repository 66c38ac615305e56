//! How long does a text take? Loading, one query, and a catalog of the length real tools have.
//!
//! Run with `cargo bench -p handpick-inference`. The texts: first lines of real tools have 18 tokens
//! in the median, 32 in the mean and 87 at the 90th percentile; queries are as short.

#![allow(clippy::expect_used, reason = "a benchmark may fail loudly")]

use std::sync::LazyLock;

use divan::{Bencher, counter::ItemsCount};
use handpick_inference::{CachedEncoder, MiniLm};
use handpick_selection::Encoder;

static MODEL: LazyLock<MiniLm> = LazyLock::new(|| MiniLm::load().expect("the embedded model loads"));

const QUERY: &str = "how many orders did we ship to France last week?";

/// A quarter of them long, as in real catalogs: 32 tokens in the mean.
const TOOLS: [&str; 8] = [
    "create_issue Create a new issue in a repository",
    "list_orders List the orders of a customer, newest first",
    "send_email Send an email with attachments to one or more recipients",
    "get_weather Current weather for a city",
    "search_documents Full text search over all documents of a workspace with filters for author and date",
    "delete_file Delete a file permanently",
    "run_query Run a read-only SQL query against the analytics warehouse and return the rows as JSON. Only SELECT \
     statements are allowed; results are limited to 10,000 rows and the query is cancelled after 60 seconds. Use \
     describe_table first to learn the column names",
    "update_deployment Change the number of replicas, the image or the environment of a deployment and wait until \
     the rollout has finished or failed. Returns the status of each replica and the last lines of the log of those \
     that did not start. Needs the role of an operator in the namespace of the deployment; a change to production \
     is put on hold until a second person has approved it. Do not use this to restart a deployment whose image has \
     not changed: call restart_deployment, which replaces one replica after the other without a gap",
];

fn main() {
    LazyLock::force(&MODEL);
    divan::main();
}

#[divan::bench]
fn load() -> MiniLm {
    MiniLm::load().expect("the embedded model loads")
}

#[divan::bench]
fn one_query(bencher: Bencher) {
    bencher.bench(|| MODEL.encode(divan::black_box(&[QUERY])));
}

#[divan::bench]
fn one_query_remembered(bencher: Bencher) {
    let cached = CachedEncoder::new(MiniLm::load().expect("the embedded model loads"), 1024);
    bencher.bench(|| cached.encode_questions(divan::black_box(&[QUERY])));
}

#[divan::bench]
fn one_text_of_full_length(bencher: Bencher) {
    let text = "word ".repeat(500);
    bencher.bench(|| MODEL.encode(divan::black_box(&[text.as_str()])));
}

#[divan::bench]
fn batch_of_32_tools(bencher: Bencher) {
    let tools = TOOLS.repeat(4);
    bencher
        .counter(ItemsCount::new(tools.len()))
        .bench(|| MODEL.encode(divan::black_box(&tools)));
}
