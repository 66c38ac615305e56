//! How often may one key ask?

use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};

/// Longest time between two requests of a key that asks all the time.
const PERIOD_MAX: Duration = Duration::from_secs(365 * 24 * 60 * 60);
/// Longest time that a bucket takes to fill.
const FILL_MAX: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// How often one key may ask for, or change, anything of the context API (T51).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateLimit {
    /// Requests a second over time, more than 0.
    pub requests_per_second: f64,
    /// Requests that may come at once.
    pub burst: NonZeroU32,
}

impl Default for RateLimit {
    /// Far above what the turns of people come to, and low enough that a program gone wild is noticed.
    fn default() -> Self {
        Self {
            requests_per_second: 1_000.0,
            burst: NonZeroU32::MIN.saturating_add(1_999),
        }
    }
}

impl RateLimit {
    /// The same as a quota, kept to spans of time that its arithmetic bears.
    fn quota(&self) -> Quota {
        let period = Duration::try_from_secs_f64(1.0 / self.requests_per_second)
            .unwrap_or(PERIOD_MAX)
            .clamp(Duration::from_nanos(1), PERIOD_MAX);
        let burst = u32::try_from(FILL_MAX.as_nanos() / period.as_nanos()).unwrap_or(u32::MAX);
        let burst = NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN).min(self.burst);
        Quota::with_period(period)
            .unwrap_or_else(|| Quota::per_second(burst))
            .allow_burst(burst)
    }
}

/// One bucket a key. Only keys that are known get here, so their number is bounded.
pub(crate) struct Buckets<C: Clock = DefaultClock> {
    limiter: RateLimiter<String, DefaultKeyedStateStore<String>, C, NoOpMiddleware<C::Instant>>,
    clock: C,
}

impl Buckets {
    /// Full buckets.
    pub(crate) fn new(limit: RateLimit) -> Self {
        Self::by_clock(limit, DefaultClock::default())
    }
}

impl<C: Clock + Clone> Buckets<C> {
    fn by_clock(limit: RateLimit, clock: C) -> Self {
        let buckets = DefaultKeyedStateStore::default();
        Self {
            limiter: RateLimiter::new(limit.quota(), buckets, clock.clone()),
            clock,
        }
    }

    /// Takes one request out of the bucket of this key, or tells in how many whole seconds there is one again.
    pub(crate) fn take(&self, key_id: &str) -> Result<(), u64> {
        self.limiter.check_key(&key_id.to_owned()).map_err(|not_until| {
            let wait = not_until.wait_time_from(self.clock.now());
            let begun = u64::from(wait.subsec_nanos() > 0);
            wait.as_secs().saturating_add(begun).max(1)
        })
    }
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;

    use super::*;

    fn limit(requests_per_second: f64, burst: u32) -> RateLimit {
        RateLimit {
            requests_per_second,
            burst: NonZeroU32::new(burst).unwrap(),
        }
    }

    /// T51: a bucket a key; when it is empty, the wait is told in whole seconds, rounded up.
    #[test]
    fn t51_each_key_has_a_bucket() {
        for (requests_per_second, burst, wait) in [(0.1, 3, 10), (0.4, 1, 3), (50.0, 5, 1)] {
            // A clock that stands still: with a real one a bucket may fill again meanwhile.
            let clock = FakeRelativeClock::default();
            let buckets = Buckets::by_clock(limit(requests_per_second, burst), clock);
            for _ in 0..burst {
                assert_eq!(buckets.take("a"), Ok(()));
            }
            assert_eq!(buckets.take("a"), Err(wait), "{requests_per_second}");
            assert_eq!(buckets.take("b"), Ok(()), "another key");
        }
    }

    /// T51: extreme settings neither panic nor let a bucket run over.
    #[test]
    fn t51_extreme_limits() {
        for requests_per_second in [f64::MIN_POSITIVE, 1e-9, 1e9, f64::MAX, f64::INFINITY] {
            for burst in [1, u32::MAX] {
                let _ = Buckets::new(limit(requests_per_second, burst)).take("a");
            }
        }
        assert_eq!(RateLimit::default().burst.get(), 2_000);
    }
}
