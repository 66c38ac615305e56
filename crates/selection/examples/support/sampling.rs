//! Which part of a catalog is a request asked over? The same in every run.

/// Whether a tool belongs to the small part of the catalog that a request is asked over: from 3 tools to a quarter of
/// all, evenly on a logarithmic scale.
pub fn few(tools: usize, number: usize, position: usize) -> bool {
    let share = mixed(number as u64) as f64 / u64::MAX as f64;
    let wanted = 3.0 * (tools as f64 / 12.0).max(1.0).powf(share);
    (mixed((number << 20 | position) as u64) as f64) < wanted / tools as f64 * u64::MAX as f64
}

/// Scrambled bits of a number (the finalizer of SplitMix64).
pub fn mixed(number: u64) -> u64 {
    let mut x = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
