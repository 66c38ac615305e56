//! Which tools are close in meaning? A scan over every allowed vector: exact, and fast enough.

use handpick_domain::ToolSet;

use crate::vector::{Probe, Vector};

/// The vectors of a catalog, by position; a tool may still lack one.
#[derive(Clone, Debug, Default)]
pub struct Semantic {
    dimensions: usize,
    components: Vec<i8>,
    /// Zero where there is no vector.
    scales: Vec<f32>,
}

impl Semantic {
    /// Lays the vectors out for scanning. Vectors whose length differs from the first one's come from
    /// another encoder and count as absent.
    pub fn build(vectors: &[Option<Vector>]) -> Self {
        let dimensions = vectors
            .iter()
            .flatten()
            .map(Vector::dimensions)
            .next()
            .unwrap_or_default();
        let mut semantic = Self {
            dimensions,
            components: vec![0; dimensions * vectors.len()],
            scales: vec![0.0; vectors.len()],
        };
        for (position, vector) in vectors.iter().enumerate() {
            if let Some(vector) = vector.as_ref().filter(|vector| vector.dimensions() == dimensions) {
                semantic.components[position * dimensions..][..dimensions]
                    .copy_from_slice(vector.components());
                semantic.scales[position] = vector.scale();
            }
        }
        semantic
    }

    /// Whether the tool at `position` has a vector.
    pub fn has(&self, position: usize) -> bool {
        self.scales.get(position).is_some_and(|&scale| scale > 0.0)
    }

    /// How many tools have a vector.
    pub fn count(&self) -> usize {
        self.scales.iter().filter(|&&scale| scale > 0.0).count()
    }

    /// The cosine of every allowed tool with the question, in the order of `allowed`; `None` for a tool
    /// without a vector, and for all of them when the question has none of the right length.
    pub fn cosines(&self, question: Option<&[f32]>, allowed: &ToolSet) -> Vec<Option<f32>> {
        let probe = question
            .and_then(Probe::new)
            .filter(|probe| probe.dimensions() == self.dimensions);
        allowed
            .iter()
            .map(|position| {
                let probe = probe.as_ref().filter(|_| self.has(position))?;
                let components = &self.components[position * self.dimensions..][..self.dimensions];
                Some(probe.cosine(components, self.scales[position]))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn absent_and_foreign_vectors_are_told_apart_from_zero() {
        let vectors = [
            None,
            Vector::from_f32(&[1.0, 0.0]),
            Vector::from_f32(&[1.0, 0.0, 0.0]),
        ];
        let semantic = Semantic::build(&vectors);
        assert_eq!(semantic.count(), 1);
        let all = ToolSet::all(4);
        let cosines = semantic.cosines(Some(&[0.0, 1.0]), &all);
        assert_eq!(cosines, [None, Some(0.0), None, None]);
        assert_eq!(semantic.cosines(Some(&[1.0]), &all), [None; 4]);
        assert_eq!(semantic.cosines(None, &all), [None; 4]);
        assert_eq!(
            Semantic::build(&[None]).cosines(Some(&[]), &ToolSet::all(1)),
            [None]
        );
    }

    proptest! {
        /// The scan orders tools as plain arithmetic does, up to what one byte a dimension can tell.
        #[test]
        fn scan_agrees_with_plain_arithmetic(
            vectors in proptest::collection::vec(proptest::collection::vec(-1.0_f32..1.0, 32), 1..40),
            question in proptest::collection::vec(-1.0_f32..1.0, 32),
            seed in any::<u64>(),
        ) {
            let allowed = ToolSet::from_fn(vectors.len(), |position| seed >> (position % 64) & 1 == 1);
            let stored: Vec<_> = vectors.iter().map(|vector| Vector::from_f32(vector)).collect();
            let found = Semantic::build(&stored).cosines(Some(&question), &allowed);
            let length = |v: &[f32]| v.iter().map(|x| x * x).sum::<f32>().sqrt();
            let plain: Vec<f32> = allowed
                .iter()
                .map(|position| {
                    let dot: f32 = vectors[position].iter().zip(&question).map(|(a, b)| a * b).sum();
                    dot / length(&vectors[position]) / length(&question)
                })
                .collect();
            prop_assert_eq!(found.len(), plain.len());
            for (a, &naive_a) in found.iter().zip(&plain) {
                for (b, &naive_b) in found.iter().zip(&plain) {
                    prop_assert!(naive_a - naive_b < 0.03 || a > b);
                }
            }
        }
    }
}
