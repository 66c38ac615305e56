//! An encoder for tests that knows a few concepts: texts about the same thing point the same way.

use handpick_selection::{EncodeError, Encoder, Vector};

/// Words of one line mean the same; every line is one dimension.
const CONCEPTS: &[&str] = &[
    "tell send message post notify announce",
    "team channel slack everyone chat",
    "rollout deploy release done finished",
    "issue bug ticket defect",
    "create open file new",
    "invoice bill payment charge",
    "weather rain forecast",
];

/// Counts concepts; the last dimension is what every text has in common.
pub struct Concepts;

impl Encoder for Concepts {
    fn id(&self) -> &str {
        "concepts"
    }

    fn dimensions(&self) -> usize {
        CONCEPTS.len() + 1
    }

    fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        Ok(texts.iter().map(|text| encode(text)).collect())
    }
}

/// One text.
pub fn encode(text: &str) -> Vec<f32> {
    let text = text.to_lowercase();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    let mut vector: Vec<f32> = CONCEPTS
        .iter()
        .map(|concept| {
            words
                .iter()
                .filter(|word| concept.split(' ').any(|known| known == **word))
                .count() as f32
        })
        .collect();
    vector.push(0.05);
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    vector.iter().map(|x| x / length).collect()
}

/// One text, as it is stored.
pub fn stored(text: &str) -> Vector {
    Vector::from_f32(&encode(text)).unwrap()
}
