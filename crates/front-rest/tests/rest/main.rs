//! What does a program get over REST, request by request?

mod document;
mod errors;
mod execute;
mod search;
mod select;
mod status;
mod support;
