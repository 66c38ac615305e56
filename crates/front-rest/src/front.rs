//! What do all REST requests share?

use std::sync::Arc;

use handpick_operations::Runtime;

use crate::context::rate::{Buckets, RateLimit};

/// Largest body of a select or search request, in bytes (E8).
pub const SELECT_BODY_BYTES_MAX: usize = 1024 * 1024;
/// Largest body of an execute request, in bytes (E8).
pub const EXECUTE_BODY_BYTES_MAX: usize = 8 * 1024 * 1024;

/// The REST side of one gateway process.
pub struct RestFront {
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) buckets: Buckets,
}

impl RestFront {
    /// A front over `runtime`.
    pub fn new(runtime: Arc<Runtime>) -> Self {
        Self::with_rate_limit(runtime, RateLimit::default())
    }

    /// A front whose context API may be asked this often (T51).
    pub fn with_rate_limit(runtime: Arc<Runtime>, limit: RateLimit) -> Self {
        Self {
            runtime,
            buckets: Buckets::new(limit),
        }
    }
}
