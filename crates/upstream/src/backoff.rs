//! When may a server be started again?

use std::time::{Duration, Instant};

/// The first pause; each further one doubles.
const PAUSE_FIRST: Duration = Duration::from_millis(250);

/// The longest pause before a server is started for a call.
pub(crate) const START_PAUSE_MAX: Duration = Duration::from_secs(30);

/// The longest pause before a list is tried again in the background.
pub(crate) const LIST_PAUSE_MAX: Duration = Duration::from_secs(5 * 60);

/// A server that lived this long starts again without a history.
pub(crate) const HEALTHY_AFTER: Duration = Duration::from_secs(60);

/// Exponential pauses after failures in a row.
#[derive(Debug)]
pub(crate) struct Backoff {
    failures: u32,
    until: Option<Instant>,
    pause_max: Duration,
}

impl Backoff {
    /// No failure yet.
    pub fn new(pause_max: Duration) -> Self {
        Self {
            failures: 0,
            until: None,
            pause_max,
        }
    }

    /// One more failure at `now`: the pause until the next attempt.
    pub fn fail(&mut self, now: Instant) -> Duration {
        let pause = PAUSE_FIRST
            .saturating_mul(2_u32.saturating_pow(self.failures))
            .min(self.pause_max);
        self.failures = self.failures.saturating_add(1);
        self.until = now.checked_add(pause);
        pause
    }

    /// Forgets the failures.
    pub fn reset(&mut self) {
        self.failures = 0;
        self.until = None;
    }

    /// How much of the pause is left at `now`; `None` when it is over.
    pub fn remaining(&self, now: Instant) -> Option<Duration> {
        self.until
            .and_then(|until| until.checked_duration_since(now))
            .filter(|left| !left.is_zero())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_limit_and_end() {
        let (mut backoff, now) = (Backoff::new(START_PAUSE_MAX), Instant::now());
        let pauses: Vec<u128> = (0..10).map(|_| backoff.fail(now).as_millis()).collect();
        assert_eq!(
            pauses,
            [250, 500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000]
        );
        assert_eq!(backoff.remaining(now), Some(START_PAUSE_MAX));
        assert_eq!(backoff.remaining(now + START_PAUSE_MAX), None);
        backoff.reset();
        assert_eq!(backoff.remaining(now), None);
        assert_eq!(backoff.fail(now), PAUSE_FIRST);
    }
}
