//! How long does something compute, however busy the machine is?

use std::time::{Duration, Instant};

/// Runs something and tells how long this thread computed for it. Other programs that take the processor
/// meanwhile do not count, nor do other threads. Where the system does not tell, it is the time that passed.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let (started, spent) = (Instant::now(), spent());
    let done = work();
    let computed = spent
        .zip(self::spent())
        .map(|(before, after)| after.saturating_sub(before));
    (done, computed.unwrap_or_else(|| started.elapsed()))
}

/// How long this thread has run on a processor, as Linux tells.
fn spent() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleep_does_not_count_and_work_does() {
        if spent().is_none() {
            return;
        }
        let second = Duration::from_secs(1);
        let ((), asleep) = timed(|| std::thread::sleep(second));
        assert!(asleep < second / 2, "{asleep:?}");
        let begun = spent();
        let (rounds, computed) = timed(|| {
            let mut rounds = 0_u64;
            while spent()
                .zip(begun)
                .is_some_and(|(now, begun)| now - begun < second / 4)
            {
                rounds += 1;
            }
            rounds
        });
        assert!(rounds > 0 && computed > second / 5, "{computed:?}");
    }
}
