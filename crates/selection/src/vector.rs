//! How is a vector kept small and compared fast? One byte a dimension.

/// Largest magnitude of one component of a [`Probe`]: finer than a stored byte, and small enough that a
/// product of the two and the sum of [`BLOCK`] of them fit an `i32`.
const PROBE_STEPS: f32 = 4_095.0;

/// Components summed up in an `i32` before the sum moves on to an `i64`.
const BLOCK: usize = 1_024;

/// A direction in the encoder's space, quantised to one signed byte a dimension.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    components: Box<[i8]>,
    /// What a component is worth, so that the whole has unit length.
    scale: f32,
}

impl Vector {
    /// Quantises a vector of any length but zero. `None` for an empty one, one of zeros, and one with a
    /// component that is not a number.
    pub fn from_f32(vector: &[f32]) -> Option<Self> {
        let largest = largest(vector)?;
        let components = vector
            .iter()
            .map(|&x| (x / largest * 127.0).round() as i8)
            .collect();
        Self::from_components(components)
    }

    /// The stored form: one byte a dimension. The scale is not stored, the bytes determine it.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.components.iter().map(|&x| x.cast_unsigned()).collect()
    }

    /// Reads the stored form. `None` when the bytes are no direction: empty or all zero.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Self::from_components(bytes.iter().map(|&x| x.cast_signed()).collect())
    }

    /// Number of components.
    pub fn dimensions(&self) -> usize {
        self.components.len()
    }

    pub(crate) fn components(&self) -> &[i8] {
        &self.components
    }

    pub(crate) fn scale(&self) -> f32 {
        self.scale
    }

    fn from_components(components: Box<[i8]>) -> Option<Self> {
        let square: i64 = components.iter().map(|&x| i64::from(x) * i64::from(x)).sum();
        (square > 0).then(|| Self {
            components,
            scale: 1.0 / (square as f32).sqrt(),
        })
    }
}

/// A question's vector, prepared to be compared with many stored ones.
#[derive(Clone, Debug)]
pub struct Probe {
    components: Box<[i16]>,
    scale: f32,
}

impl Probe {
    /// Prepares a vector. `None` under the same conditions as [`Vector::from_f32`].
    pub fn new(vector: &[f32]) -> Option<Self> {
        let largest = largest(vector)?;
        let components: Box<[i16]> = vector
            .iter()
            .map(|&x| (x / largest * PROBE_STEPS).round() as i16)
            .collect();
        let square: i64 = components.iter().map(|&x| i64::from(x) * i64::from(x)).sum();
        Some(Self {
            components,
            scale: 1.0 / (square as f32).sqrt(),
        })
    }

    /// Number of components.
    pub fn dimensions(&self) -> usize {
        self.components.len()
    }

    /// Cosine with a stored vector, given as its components and scale.
    pub(crate) fn cosine(&self, components: &[i8], scale: f32) -> f32 {
        dot(components, &self.components) as f32 * scale * self.scale
    }
}

/// Written so that the compiler turns it into wide multiply-and-add instructions.
fn dot(stored: &[i8], probe: &[i16]) -> i64 {
    stored
        .chunks(BLOCK)
        .zip(probe.chunks(BLOCK))
        .map(|(stored, probe)| {
            let sum: i32 = stored
                .iter()
                .zip(probe)
                .map(|(&a, &b)| i32::from(i16::from(a)) * i32::from(b))
                .sum();
            i64::from(sum)
        })
        .sum()
}

/// The largest magnitude, when the vector has a direction.
fn largest(vector: &[f32]) -> Option<f32> {
    if !vector.iter().all(|x| x.is_finite()) {
        return None;
    }
    let largest = vector.iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
    (largest >= f32::MIN_POSITIVE).then_some(largest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cosine(a: &[f32], b: &[f32]) -> f32 {
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
        dot(a, b) / (dot(a, a).sqrt() * dot(b, b).sqrt())
    }

    #[test]
    fn what_has_no_direction_is_no_vector() {
        for garbage in [
            &[][..],
            &[0.0, 0.0],
            &[f32::NAN, 1.0],
            &[f32::INFINITY],
            &[1.0e-40],
        ] {
            assert_eq!(Vector::from_f32(garbage), None, "{garbage:?}");
            assert!(Probe::new(garbage).is_none(), "{garbage:?}");
        }
        assert_eq!(Vector::from_bytes(&[]), None);
        assert_eq!(Vector::from_bytes(&[0, 0]), None);
    }

    /// The sums stay exact at the largest magnitudes and with many dimensions.
    #[test]
    fn extremes_do_not_overflow() {
        for length in [1, BLOCK - 1, BLOCK, 10 * BLOCK + 1] {
            let vector = vec![-3.0e38_f32; length];
            let stored = Vector::from_bytes(&vec![0x80; length]).unwrap();
            let cosine = Probe::new(&vector)
                .unwrap()
                .cosine(stored.components(), stored.scale());
            assert!((cosine - 1.0).abs() < 1e-3, "{length}: {cosine}");
        }
    }

    proptest! {
        #[test]
        fn quantised_cosine_is_close(pair in proptest::collection::vec((-1.0_f32..1.0, -1.0_f32..1.0), 16..400)) {
            let (a, b): (Vec<f32>, Vec<f32>) = pair.into_iter().unzip();
            let stored = Vector::from_f32(&a).unwrap();
            let found = Probe::new(&b).unwrap().cosine(stored.components(), stored.scale());
            prop_assert!((found - cosine(&a, &b)).abs() < 0.01);
        }

        #[test]
        fn stored_bytes_survive(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            if let Some(vector) = Vector::from_bytes(&bytes) {
                prop_assert_eq!(vector.to_bytes(), bytes);
            }
        }
    }
}
