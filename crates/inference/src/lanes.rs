//! How many texts may be computed at once, and on which threads?

use std::sync::{Arc, Condvar, Mutex, PoisonError};

use rten::ThreadPool;

/// A fixed number of threads for inference, each lent to one text at a time.
///
/// One text runs on one thread: at the length of a query or a tool's first line, splitting it over
/// several costs more than it gains. Whoever finds all lanes taken waits for the next one.
pub struct Lanes {
    idle: Mutex<Vec<Arc<ThreadPool>>>,
    returned: Condvar,
    count: usize,
}

impl Lanes {
    /// Starts `count` lanes, at least one.
    pub fn new(count: usize) -> Self {
        let count = count.max(1);
        let pools = (0..count).map(|_| Arc::new(ThreadPool::with_num_threads(1)));
        Self {
            idle: Mutex::new(pools.collect()),
            returned: Condvar::new(),
            count,
        }
    }

    /// How many there are, idle or not.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Waits for a lane. Dropping it gives it back, also while unwinding.
    pub fn take(&self) -> Lane<'_> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(pool) = idle.pop() {
                return Lane { lanes: self, pool };
            }
            idle = self.returned.wait(idle).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// One lane, taken.
pub struct Lane<'lanes> {
    lanes: &'lanes Lanes,
    pool: Arc<ThreadPool>,
}

impl Lane<'_> {
    /// Where to compute.
    pub fn pool(&self) -> &Arc<ThreadPool> {
        &self.pool
    }
}

impl Drop for Lane<'_> {
    fn drop(&mut self) {
        let mut idle = self.lanes.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(Arc::clone(&self.pool));
        drop(idle);
        self.lanes.returned.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn no_more_are_lent_than_there_are_and_all_come_back() {
        let lanes = Lanes::new(2);
        let (taken, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        let lane = lanes.take();
                        most.fetch_max(taken.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        lane.pool().run(std::thread::yield_now);
                        taken.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert!(most.load(Ordering::SeqCst) <= 2);
        assert_eq!(lanes.idle.lock().unwrap().len(), 2);
    }

    #[test]
    fn a_panic_gives_the_lane_back() {
        let lanes = Lanes::new(1);
        let result = std::thread::scope(|scope| {
            scope
                .spawn(|| {
                    let _lane = lanes.take();
                    panic!("on purpose");
                })
                .join()
        });
        assert!(result.is_err());
        lanes.take();
    }
}
