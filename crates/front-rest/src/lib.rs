//! How does a program ask, over REST?
