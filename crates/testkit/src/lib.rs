//! What do tests and benchmarks stand on?
