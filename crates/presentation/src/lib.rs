//! What does the agent see?
