//! What does a developer of this repository run?

fn main() {}
