//! How do we call a tool?
