//! How does work that its writer may make long keep no other request waiting?

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// A few threads for such work. A thread cannot be stopped, so work that takes too long keeps its place until it is
/// done: however much of it there is, the rest of the machine stays with others.
pub(crate) struct Apart {
    places: Arc<Semaphore>,
    wait: Duration,
}

/// Why there is no answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NoAnswer {
    /// It took longer than there is time, waiting for a place included.
    TooLong(Duration),
    /// It broke off.
    BrokenOff,
}

impl Apart {
    /// So many at the same time, each for so long.
    pub fn new(places: usize, wait: Duration) -> Self {
        Self {
            places: Arc::new(Semaphore::new(places)),
            wait,
        }
    }

    /// Does the work on a thread of its own.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, NoAnswer> {
        let working = async {
            let place = Arc::clone(&self.places).acquire_owned().await;
            spawn_blocking(move || {
                let done = work();
                drop(place);
                done
            })
            .await
        };
        match timeout(self.wait, working).await {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(error)) => {
                tracing::error!(%error, "work on a thread of its own broke off");
                Err(NoAnswer::BrokenOff)
            }
            Err(_) => Err(NoAnswer::TooLong(self.wait)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    const SHORT: Duration = Duration::from_millis(20);

    /// Work that goes on until it is let go.
    fn endless() -> (Sender<()>, impl FnOnce() + Send + 'static) {
        let (let_go, wait): (Sender<()>, Receiver<()>) = channel();
        (let_go, move || {
            let _ = wait.recv();
        })
    }

    /// On one thread: while the work goes on, others are served, and its caller hears in time.
    #[tokio::test]
    async fn others_go_on_while_it_takes_too_long() {
        let apart = Arc::new(Apart::new(1, SHORT));
        let (let_go, work) = endless();
        let busy = Arc::clone(&apart);
        let working = tokio::spawn(async move { busy.run(work).await });
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        assert_eq!(working.await.unwrap(), Err(NoAnswer::TooLong(SHORT)));
        // The thread is still busy: what comes next finds no place, and none is started besides.
        assert_eq!(apart.run(|| 1).await, Err(NoAnswer::TooLong(SHORT)));
        let_go.send(()).unwrap();
        let answered = async { while apart.run(|| 1).await != Ok(1) {} };
        timeout(Duration::from_secs(60), answered).await.unwrap();
    }

    #[tokio::test]
    async fn work_that_breaks_off_leaves_its_place() {
        let apart = Apart::new(1, Duration::from_secs(60));
        assert_eq!(
            apart.run(|| panic!("on purpose")).await,
            Err::<(), _>(NoAnswer::BrokenOff)
        );
        assert_eq!(apart.run(|| 2).await, Ok(2));
    }
}
