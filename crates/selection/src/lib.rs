//! Which tools fit?
