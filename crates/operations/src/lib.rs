//! What can one ask for?
