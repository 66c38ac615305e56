//! Which texts of a task are looked for? The whole in English words, and each separate thing it asks for.

use crate::clauses::clauses;
use crate::features::{Clause, Task};
use crate::gloss::gloss;

/// A task as words and encoder read it. Encode [`Wording::texts`] and ask with [`Wording::ask`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wording {
    /// The whole task in English words first, then as it was written where that is read too, then its clauses.
    texts: Vec<String>,
    /// Whether the second text is the task as it was written.
    twofold: bool,
}

impl Wording {
    /// Reads a task. What is not English is glossed word by word; descriptions are mostly English.
    ///
    /// A `multilingual` encoder reads the task as it was written, too. Neither replaces the other: where a model
    /// misses a word the gloss may know it, and the other way round (`docs/encoders.md` has the numbers).
    pub fn read(task: &str, multilingual: bool) -> Self {
        let gloss = gloss(task).map(|gloss| gloss.english);
        let written = gloss.as_ref().filter(|_| multilingual).map(|_| task.to_owned());
        let twofold = written.is_some();
        let whole = gloss.unwrap_or_else(|| task.to_owned());
        let clauses: Vec<String> = clauses(&whole).into_iter().map(str::to_owned).collect();
        Self {
            texts: std::iter::once(whole).chain(written).chain(clauses).collect(),
            twofold,
        }
    }

    /// The texts to encode: at most two more than [`crate::clauses::CLAUSES_MAX`].
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Calls `with` with the task, given the vectors of [`Wording::texts`] or none, and the context.
    pub fn ask<T>(
        &self,
        vectors: &[Vec<f32>],
        context: Option<(&str, Option<&[f32]>)>,
        with: impl FnOnce(&Task<'_>) -> T,
    ) -> T {
        let vector = |number: usize| vectors.get(number).map(Vec::as_slice);
        let clauses: Vec<Clause<'_>> = (1 + usize::from(self.twofold)..self.texts.len())
            .map(|number| Clause {
                text: &self.texts[number],
                vector: vector(number),
            })
            .collect();
        // The direction between the two; how long it is does not matter.
        let between = vector(0).zip(vector(1)).filter(|_| self.twofold);
        let between: Option<Vec<f32>> =
            between.map(|(gloss, written)| gloss.iter().zip(written).map(|(a, b)| a + b).collect());
        with(&Task {
            text: &self.texts[0],
            vector: between.as_deref().or(vector(0)),
            context: context.map(|(text, _)| text),
            context_vector: context.and_then(|(_, vector)| vector),
            clauses: &clauses,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_multilingual_encoder_reads_what_was_written_too() {
        let task = "Überweise den Betrag an den Lieferanten";
        let (english, both) = (Wording::read(task, false), Wording::read(task, true));
        assert_eq!(english.texts().len(), 1);
        assert_eq!(both.texts(), [english.texts()[0].as_str(), task]);
        let vectors = [vec![1.0, 0.0], vec![0.0, 1.0]];
        let asked = |wording: &Wording, vectors: &[Vec<f32>]| {
            wording.ask(vectors, None, |task| {
                assert!(task.clauses.is_empty());
                (task.text.to_owned(), task.vector.map(<[f32]>::to_vec))
            })
        };
        let words = english.texts()[0].clone();
        assert_eq!(asked(&both, &vectors), (words.clone(), Some(vec![1.0, 1.0])));
        assert_eq!(
            asked(&english, &vectors[..1]),
            (words.clone(), Some(vec![1.0, 0.0]))
        );
        assert_eq!(asked(&both, &[]), (words, None));
    }

    #[test]
    fn english_and_unknown_languages_are_read_once() {
        for task in ["list orders", "청구서를 고객에게 보내줘"] {
            assert_eq!(Wording::read(task, true), Wording::read(task, false));
        }
    }
}
