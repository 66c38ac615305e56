//! How long is an answer waited for?

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

/// However much progress a server reports, and however long a person takes to answer, a call ends after this long (or after its time-out, where
/// that is longer).
pub(crate) const LIFETIME_MAX: Duration = Duration::from_secs(60 * 60);

/// Longest time-out that is honoured; keeps sums of instants from overflowing.
const TIMEOUT_MAX: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// While the clock stands still it is looked at this often at most, however short the time-out.
const LOOK_MIN: Duration = Duration::from_millis(100);

/// When a call last gave a sign of life.
#[derive(Debug)]
pub(crate) struct Patience {
    begun: Instant,
    /// Milliseconds after `begun`.
    touched_ms: AtomicU64,
    /// For so many reasons the clock stands still.
    paused: AtomicUsize,
}

/// The clock stands still while this lives, and starts again when it is dropped.
#[derive(Debug)]
pub(crate) struct Paused(Arc<Patience>);

impl Drop for Paused {
    fn drop(&mut self) {
        self.0.touch();
        // Whoever sees the clock running sees the touch.
        self.0.paused.fetch_sub(1, Ordering::Release);
    }
}

impl Patience {
    /// The clock starts.
    pub fn new() -> Self {
        Self {
            begun: Instant::now(),
            touched_ms: AtomicU64::new(0),
            paused: AtomicUsize::new(0),
        }
    }

    /// The server reported progress: it gets its full time again.
    pub fn touch(&self) {
        let elapsed = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.touched_ms.fetch_max(elapsed, Ordering::Relaxed);
    }

    /// Somebody else's answer is waited for, not the server's.
    pub fn pause(self: &Arc<Self>) -> Paused {
        self.paused.fetch_add(1, Ordering::Relaxed);
        Paused(Arc::clone(self))
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
        let last = self.begun + timeout.max(LIFETIME_MAX);
        if self.paused.load(Ordering::Acquire) > 0 {
            // When this comes the clock is looked at again: the full time after it was started again is later.
            return (Instant::now() + timeout.max(LOOK_MIN)).min(last);
        }
        let touched = self.begun + Duration::from_millis(self.touched_ms.load(Ordering::Relaxed));
        (touched + timeout).min(last)
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
    async fn a_paused_clock_starts_again_with_the_full_time() {
        let patience = Arc::new(Patience::new());
        let asking = async {
            tokio::time::sleep(Duration::from_secs(4)).await;
            let (first, second) = (patience.pause(), patience.pause());
            tokio::time::sleep(Duration::from_secs(601)).await;
            drop(first);
            tokio::time::sleep(Duration::from_secs(7)).await;
            drop(second);
            pending::<()>().await;
        };
        let waited = patience.within(Duration::from_secs(5), asking).await;
        assert_eq!(waited.unwrap_err().as_secs(), 4 + 601 + 7 + 5);
    }

    #[tokio::test(start_paused = true)]
    async fn a_clock_that_stands_still_ends_after_an_hour() {
        for timeout in [0, 5, 7000] {
            let patience = Arc::new(Patience::new());
            let _paused = patience.pause();
            let waited = patience
                .within(Duration::from_secs(timeout), pending::<()>())
                .await;
            assert_eq!(waited.unwrap_err().as_secs(), timeout.max(3600));
        }
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
