//! Does anything fit at all, and what is hopeless beside the best?

/// When a tool counts as no match (A35). Reads probabilities, which mean the same in every catalog.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floor {
    /// Something fits when the best tool serves the task with at least this probability.
    pub needed: f32,
    /// Share of the best probability below which a tool is hopeless, though something fits.
    pub share_of_best: f32,
}

impl Default for Floor {
    /// Measured on labelled sets, see docs/selection.md.
    fn default() -> Self {
        Self {
            needed: 0.08,
            share_of_best: 0.04,
        }
    }
}

impl Floor {
    /// A floor that lets everything through.
    pub const NONE: Self = Self {
        needed: 0.0,
        share_of_best: 0.0,
    };

    /// The least probability of a tool that may be suggested beside one with the probability `best`.
    /// `None` when nothing fits.
    pub fn under(&self, best: f32) -> Option<f32> {
        (best >= self.needed).then_some(self.share_of_best * best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A35: nothing fits when the best is improbable; beside a probable one the others may be less so.
    #[test]
    fn a35_an_improbable_best_is_no_match() {
        let floor = Floor {
            needed: 0.2,
            share_of_best: 0.1,
        };
        assert_eq!(floor.under(0.19), None);
        assert_eq!(floor.under(0.5), Some(0.05));
        assert_eq!(Floor::NONE.under(0.0), Some(0.0));
    }
}
