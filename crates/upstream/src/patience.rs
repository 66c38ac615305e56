//! How long is an answer waited for?

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

/// However much progress a server reports, a call ends after this long (or after its time-out, where
/// that is longer).
const LIFETIME_MAX: Duration = Duration::from_secs(60 * 60);

/// Longest time-out that is honoured; keeps sums of instants from overflowing.
const TIMEOUT_MAX: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// When a call last gave a sign of life.
#[derive(Debug)]
pub(crate) struct Patience {
    begun: Instant,
    /// Milliseconds after `begun`.
    touched_ms: AtomicU64,
}

impl Patience {
    /// The clock starts.
    pub fn new() -> Self {
        Self {
            begun: Instant::now(),
            touched_ms: AtomicU64::new(0),
        }
    }

    /// The server reported progress: it gets its full time again.
    pub fn touch(&self) {
        let elapsed = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.touched_ms.fetch_max(elapsed, Ordering::Relaxed);
    }

    /// Waits until `timeout` has passed since the start or the last touch. Progress costs the waiting
    /// side nothing: the clock is looked at only when it runs out.
    pub async fn within<T>(&self, timeout: Duration, future: impl Future<Output = T>) -> Result<T, Duration> {
        let timeout = timeout.min(TIMEOUT_MAX);
        let mut future = pin!(future);
        loop {
            let deadline = self.deadline(timeout);
            if let Ok(output) = timeout_at(deadline, future.as_mut()).await {
                return Ok(output);
            }
            if self.deadline(timeout) <= Instant::now() {
                return Err(self.begun.elapsed());
            }
        }
    }

    fn deadline(&self, timeout: Duration) -> Instant {
        let touched = self.begun + Duration::from_millis(self.touched_ms.load(Ordering::Relaxed));
        (touched + timeout).min(self.begun + timeout.max(LIFETIME_MAX))
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn silence_ends_a_call() {
        let patience = Patience::new();
        let waited = patience.within(Duration::from_secs(5), pending::<()>()).await;
        assert_eq!(waited.unwrap_err().as_secs(), 5);
    }

    #[tokio::test(start_paused = true)]
    async fn progress_gives_the_full_time_again() {
        let patience = Patience::new();
        let working = async {
            for _ in 0..10 {
                tokio::time::sleep(Duration::from_secs(4)).await;
                patience.touch();
            }
            pending::<()>().await;
        };
        let waited = patience.within(Duration::from_secs(5), working).await;
        assert_eq!(waited.unwrap_err().as_secs(), 45);
    }

    #[tokio::test(start_paused = true)]
    async fn endless_progress_ends_after_an_hour() {
        let patience = Patience::new();
        let working = async {
            loop {
                tokio::time::sleep(Duration::from_secs(1)).await;
                patience.touch();
            }
        };
        let waited = patience.within(Duration::from_secs(5), working).await;
        assert_eq!(waited.map(|(): ()| ()).unwrap_err().as_secs(), 3600);
    }
}
