//! What does a text mean, in numbers?
