//! Why did a demo tool not do what it was asked, and what would have worked?

use std::fmt;

/// How many close names a refusal offers.
const CLOSE_MAX: usize = 3;

/// A tool's failure in one sentence. It reaches the caller as a result with `isError`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Refusal(String);

impl Refusal {
    /// A refusal in these words.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Nothing of this kind has that key; names the closest that exist.
    pub fn unknown<'a>(noun: &str, key: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let close = closest(key, known);
        Self(match close.as_slice() {
            [] => format!("no {noun} `{key}`, and no other {noun} either"),
            close => format!("no {noun} `{key}`; the closest are {}", quoted(close)),
        })
    }
}

/// Returns a refusal in these words, formatted, unless the condition holds.
macro_rules! ensure {
    ($condition:expr, $($words:tt)+) => {
        if !$condition {
            return Err($crate::refusal::Refusal::new(format!($($words)+)));
        }
    };
}

pub(crate) use ensure;

/// Refuses unless the thing with that key is in one of the states that allow what was asked.
pub(crate) fn expect_state<C: Copy + PartialEq + fmt::Display>(
    key: &str,
    state: C,
    allowed: &[C],
) -> Result<(), Refusal> {
    let names: Vec<String> = allowed.iter().map(C::to_string).collect();
    ensure!(
        allowed.contains(&state),
        "{key} is {state}; it would have to be {}",
        names.join(" or ")
    );
    Ok(())
}

/// The known names most like the one given, best first; ties keep their order.
pub(crate) fn closest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let given = given.to_lowercase();
    let mut scored: Vec<(f64, &str)> = known
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&given, &name.to_lowercase()), name))
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().take(CLOSE_MAX).map(|(_, name)| name).collect()
}

/// "`a`, `b`, `c`".
pub(crate) fn quoted(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_names_come_with_close_ones() {
        let known = ["INV-2038", "INV-2041", "INV-2040", "INV-2045"];
        for (given, expected) in [
            (
                "INV-2014",
                "no invoice `INV-2014`; the closest are `INV-2041`, `INV-2040`, `INV-2045`",
            ),
            (
                "inv-2041",
                "no invoice `inv-2041`; the closest are `INV-2041`, `INV-2040`, `INV-2045`",
            ),
        ] {
            assert_eq!(Refusal::unknown("invoice", given, known).to_string(), expected);
        }
        assert_eq!(
            Refusal::unknown("invoice", "x", []).to_string(),
            "no invoice `x`, and no other invoice either"
        );
    }
}
