//! What did past conversations call for such words?
