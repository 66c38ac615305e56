//! What is there to try without any server of one's own?
