//! How many texts may be computed at once, and on which threads?

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use rten::ThreadPool;

/// A fixed number of threads for inference, each lent to one text at a time.
///
/// One text runs on one thread: at the length of a query or a tool's first line, splitting it over
/// several costs more than it gains. Whoever finds all lanes taken waits, and gets one in the order of coming, so that
/// nobody is overtaken again and again.
pub struct Lanes {
    state: Mutex<State>,
    count: usize,
}

#[derive(Default)]
struct State {
    idle: Vec<Arc<ThreadPool>>,
    /// First come, first served. Nobody waits while a lane is idle.
    waiting: VecDeque<Arc<Waiter>>,
}

/// Somebody who waits, and the lane once it is there.
#[derive(Default)]
struct Waiter {
    given: Mutex<Option<Arc<ThreadPool>>>,
    changed: Condvar,
}

impl Lanes {
    /// Starts `count` lanes, at least one.
    pub fn new(count: usize) -> Self {
        let count = count.max(1);
        let pools = (0..count).map(|_| Arc::new(ThreadPool::with_num_threads(1)));
        Self {
            state: Mutex::new(State {
                idle: pools.collect(),
                waiting: VecDeque::new(),
            }),
            count,
        }
    }

    /// How many there are, idle or not.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many are idle now.
    pub fn idle(&self) -> usize {
        self.state().idle.len()
    }

    /// Waits for a lane. Dropping it gives it back, also while unwinding.
    pub fn take(&self) -> Lane<'_> {
        let mut state = self.state();
        if let Some(pool) = state.idle.pop() {
            return Lane { lanes: self, pool };
        }
        let waiter = Arc::new(Waiter::default());
        state.waiting.push_back(Arc::clone(&waiter));
        drop(state);
        Lane {
            lanes: self,
            pool: waiter.wait(),
        }
    }

    /// Never held while anything is waited for.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiter {
    fn wait(&self) -> Arc<ThreadPool> {
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(pool) = given.take() {
                return pool;
            }
            given = self.changed.wait(given).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn give(&self, pool: Arc<ThreadPool>) {
        *self.given.lock().unwrap_or_else(PoisonError::into_inner) = Some(pool);
        self.changed.notify_one();
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
        let pool = Arc::clone(&self.pool);
        let mut state = self.lanes.state();
        match state.waiting.pop_front() {
            Some(waiter) => {
                drop(state);
                waiter.give(pool);
            }
            None => state.idle.push(pool),
        }
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
        assert_eq!(lanes.idle(), 2);
    }

    #[test]
    fn whoever_waits_longest_is_next() {
        let lanes = Lanes::new(1);
        let lane = lanes.take();
        let order = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for number in 0..8 {
                let (lanes, order) = (&lanes, &order);
                scope.spawn(move || {
                    let _lane = lanes.take();
                    order.lock().unwrap().push(number);
                });
                while lanes.state().waiting.len() <= number {
                    std::thread::yield_now();
                }
            }
            drop(lane);
        });
        assert_eq!(order.into_inner().unwrap(), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(lanes.idle(), 1);
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
