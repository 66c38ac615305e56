//! How is memory given back that only the start needed?
//!
//! Reading dozens of cached tool lists takes a multiple of what they hold in the end. The allocator keeps
//! freed memory a moment for the next allocation, which makes calls cheaper but leaves the peak of the
//! start resident; so it gives memory back at once while the gateway starts, and lazily from then on.

use std::ffi::c_long;

/// mimalloc's option for how many milliseconds freed memory is kept: its number in `mi_option_t`, which
/// the bindings do not name.
const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;

/// mimalloc's own choice.
const PURGE_DELAY_MS: c_long = 10;

/// Gives freed memory back to the system at once, or after a moment.
pub fn give_back_at_once(at_once: bool) {
    let delay_ms = if at_once { 0 } else { PURGE_DELAY_MS };
    #[allow(unsafe_code, reason = "the allocator's settings have no safe binding")]
    // SAFETY: sets one number inside the allocator, which any thread may do at any time.
    unsafe {
        libmimalloc_sys::mi_option_set(PURGE_DELAY, delay_ms);
    }
}
