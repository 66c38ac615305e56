//! Does anything fit at all, and what is hopeless beside the best?

/// When a tool counts as no match (A35). Reads probabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floor {
    /// The least probability that anything fits ([`crate::answerability`]).
    pub needed: f32,
    /// Share of the best probability below which a tool is hopeless, though something fits.
    pub share_of_best: f32,
}

impl Default for Floor {
    /// Measured on labelled sets, see docs/selection.md.
    fn default() -> Self {
        Self {
            needed: 0.678,
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

    /// The least probability of a tool that may be suggested beside one with the probability `best`, where
    /// anything fits with the probability `fits`. `None` when nothing fits.
    pub fn under(&self, fits: f32, best: f32) -> Option<f32> {
        (fits >= self.needed).then_some(self.share_of_best * best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A35: nothing fits when that is improbable, whatever the best tool; beside the best the others may be less
    /// probable.
    #[test]
    fn a35_improbable_is_no_match() {
        let floor = Floor {
            needed: 0.2,
            share_of_best: 0.1,
        };
        assert_eq!(floor.under(0.19, 0.9), None);
        assert_eq!(floor.under(0.2, 0.5), Some(0.05));
        assert_eq!(Floor::NONE.under(0.0, 0.0), Some(0.0));
    }
}
