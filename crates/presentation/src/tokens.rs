//! About how many tokens does a list cost a model?

/// Estimated tokens of JSON text: one for every four bytes, the usual rule of thumb for English and
/// JSON. Good enough to compare two lists, not to bill by.
pub fn estimate(text: &str) -> usize {
    text.len().div_ceil(4)
}
