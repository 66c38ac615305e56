//! How is a mutex entered when nothing under it can be left half done?

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Enters the mutex. A panic elsewhere does not close it for good: what it guards is replaced whole.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
