//! Are the names of real tools unique, valid everywhere, and the same whoever answers first? (C1)

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use async_trait::async_trait;
use handpick_domain::{Catalog, Resolution, Tool};
use handpick_protocol::{LocalServer, RpcError};
use handpick_testkit::{Recorded, ReplayServer};
use handpick_upstream::{NoCache, ServerConfig, Transport, Upstreams};
use serde_json::value::RawValue;

use super::{TOOLS, recordings};
use crate::deployment::PATIENCE;

/// C1: every rendered name fits every provider and means one tool, whatever the order in which servers are
/// configured and in which they answer.
#[tokio::test]
async fn c1_real_names_are_unique_valid_and_stable() {
    let Some(recordings) = recordings("c1_real_names_are_unique_valid_and_stable") else {
        return;
    };
    let ordered: Vec<&Recorded> = recordings.iter().collect();
    let expected = checked_names(&*merged(&ordered, |_| 0).await);
    let shuffled = shuffled(&recordings, 1);
    let answering = |server: &str| scatter(server, 2) % 300;
    let names = checked_names(&*merged(&shuffled, answering).await);
    assert_eq!(names, expected);
}

/// C1: the same where names have to be cut. Under their own servers' names no real tool is long enough.
#[test]
fn c1_real_names_are_cut_without_order_mattering() {
    let Some(recordings) = recordings("c1_real_names_are_cut_without_order_mattering") else {
        return;
    };
    let catalog = |recordings: &[&Recorded]| {
        let tools = recordings.iter().flat_map(|recorded| {
            let app = format!(
                "{}-of_the_second-department_of_the-northern_branch",
                recorded.server
            );
            recorded
                .tools
                .iter()
                .map(move |definition| Arc::new(Tool::parse(&app, definition).unwrap()))
        });
        Catalog::new(1, tools.collect())
    };
    let ordered: Vec<&Recorded> = recordings.iter().collect();
    let expected = checked_names(&catalog(&ordered));
    assert_eq!(checked_names(&catalog(&shuffled(&recordings, 3))), expected);
    let cut = expected
        .iter()
        .filter(|(canonical, _)| canonical.len() > 64)
        .count();
    assert!(cut > TOOLS / 2, "{cut} names were cut");
}

/// Rendered names by canonical name. Each has the right form, is there once, and both are read back.
fn checked_names(catalog: &Catalog) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for (position, tool) in catalog.tools().iter().enumerate() {
        let (canonical, rendered) = (tool.name.as_str(), &**catalog.rendered(position));
        for written in [canonical, rendered] {
            assert_eq!(catalog.resolve(written), Resolution::Found(position), "{written}");
        }
        let valid = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        assert!(
            (1..=64).contains(&rendered.len()) && rendered.bytes().all(valid),
            "{rendered}"
        );
        names.insert(canonical.to_owned(), rendered.to_owned());
    }
    let distinct: BTreeSet<&String> = names.values().collect();
    assert_eq!((names.len(), distinct.len()), (TOOLS, TOOLS));
    names
}

/// What the recorded servers offer together, configured in this order. Before one answers, it lets others go
/// first `turns` times.
async fn merged(recordings: &[&Recorded], turns: impl Fn(&str) -> u64) -> Arc<Catalog> {
    let configs = recordings.iter().map(|recorded| {
        let server = Late {
            inner: ReplayServer::new(recorded.tools.clone()),
            turns: turns(&recorded.server),
        };
        ServerConfig::new(&recorded.server, Transport::Local(Arc::new(server)))
    });
    let upstreams = Upstreams::start(configs.collect(), Arc::new(NoCache)).await;
    upstreams.settled(PATIENCE).await;
    upstreams.catalog()
}

/// A server that lets others go first.
struct Late {
    inner: ReplayServer,
    turns: u64,
}

#[async_trait]
impl LocalServer for Late {
    async fn handle(&self, method: &str, params: Option<&RawValue>) -> Result<Box<RawValue>, RpcError> {
        for _ in 0..self.turns {
            tokio::task::yield_now().await;
        }
        self.inner.handle(method, params).await
    }
}

fn shuffled(recordings: &[Recorded], seed: u64) -> Vec<&Recorded> {
    let mut shuffled: Vec<&Recorded> = recordings.iter().collect();
    shuffled.sort_by_key(|recorded| scatter(&recorded.server, seed));
    shuffled
}

/// A number that looks like chance and is the same in every run.
fn scatter(text: &str, seed: u64) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let hash = text.bytes().fold(start, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    hash >> 16
}
