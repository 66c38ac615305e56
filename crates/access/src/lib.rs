//! May this caller do this?
//!
//! The one door: only [`Policy::admit`] can make a [`Permit`], and only a permit opens an upstream.

pub mod key;
pub mod permit;
pub mod policy;

pub use key::{KeyHash, NewKey};
pub use permit::{Admitted, Confirmation, Denial, Permit, Reason};
pub use policy::Policy;
