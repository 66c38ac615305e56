//! Which texts were asked about just now? Their vectors need no second computation.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use handpick_selection::{EncodeError, Encoder};

/// Longer texts are not kept: they hardly ever come back word for word, and they bound the memory.
const TEXT_BYTES_MAX: usize = 4096;

/// Larger batches are somebody's catalog; they would push every query out. A turn of a conversation has some twenty
/// texts at the most.
const BATCH_TEXTS_MAX: usize = 32;

/// An encoder that remembers the vectors of the questions asked most recently.
///
/// Holds at most `capacity` questions of at most 4 KiB, so at most about `capacity` × (4 KiB + one
/// vector). A text that a batch has several times is encoded once. Batches of more than 32 pass by it, and so do
/// descriptions, whose vectors are kept elsewhere.
pub struct CachedEncoder<E> {
    inner: E,
    capacity: usize,
    recent: Mutex<Recent>,
}

#[derive(Default)]
struct Recent {
    vectors: HashMap<Box<str>, Remembered>,
    /// Counts uses; the smallest `last_use` is the least recent.
    uses: u64,
}

struct Remembered {
    vector: Vec<f32>,
    last_use: u64,
}

impl<E: Encoder> CachedEncoder<E> {
    /// Puts a memory of `capacity` texts before `inner`. A capacity of 0 remembers nothing.
    pub fn new(inner: E, capacity: usize) -> Self {
        Self {
            inner,
            capacity,
            recent: Mutex::default(),
        }
    }

    /// Never held while encoding.
    fn recent(&self) -> MutexGuard<'_, Recent> {
        // A panic elsewhere cannot leave half an entry behind, so the content is still good.
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<E: Encoder> Encoder for CachedEncoder<E> {
    fn id(&self) -> &str {
        self.inner.id()
    }

    fn dimensions(&self) -> usize {
        self.inner.dimensions()
    }

    fn is_multilingual(&self) -> bool {
        self.inner.is_multilingual()
    }

    fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        self.inner.encode(texts)
    }

    fn encode_questions(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        if texts.len() > BATCH_TEXTS_MAX {
            return self.inner.encode_questions(texts);
        }
        let mut vectors: Vec<Option<Vec<f32>>> = {
            let mut recent = self.recent();
            texts.iter().map(|text| recent.find(text)).collect()
        };
        let mut missing: Vec<&str> = Vec::new();
        for (text, vector) in texts.iter().zip(&vectors) {
            if vector.is_none() && !missing.contains(text) {
                missing.push(text);
            }
        }
        tracing::debug!(
            asked = texts.len(),
            encoded = missing.len(),
            "vectors of questions"
        );
        if !missing.is_empty() {
            let found = self.inner.encode_questions(&missing)?;
            if found.len() != missing.len() {
                return Err(EncodeError(
                    "the encoder gave fewer vectors than texts".to_owned(),
                ));
            }
            let mut recent = self.recent();
            for (text, vector) in missing.iter().zip(&found) {
                recent.remember(text, vector, self.capacity);
            }
            drop(recent);
            for (text, vector) in texts.iter().zip(&mut vectors) {
                let number = missing.iter().position(|missing| missing == text);
                *vector = vector.take().or_else(|| Some(found[number?].clone()));
            }
        }
        Ok(vectors.into_iter().flatten().collect())
    }
}

impl Recent {
    fn find(&mut self, text: &str) -> Option<Vec<f32>> {
        let remembered = self.vectors.get_mut(text)?;
        self.uses += 1;
        remembered.last_use = self.uses;
        Some(remembered.vector.clone())
    }

    fn remember(&mut self, text: &str, vector: &[f32], capacity: usize) {
        if capacity == 0 || text.len() > TEXT_BYTES_MAX {
            return;
        }
        if self.vectors.len() >= capacity && !self.vectors.contains_key(text) {
            self.forget_one();
        }
        self.uses += 1;
        let remembered = Remembered {
            vector: vector.to_vec(),
            last_use: self.uses,
        };
        self.vectors.insert(Box::from(text), remembered);
    }

    /// Looks through all entries: a thousand take microseconds, a thousandth of the encoding that
    /// led here.
    fn forget_one(&mut self) {
        let oldest = self
            .vectors
            .iter()
            .min_by_key(|(_, remembered)| remembered.last_use);
        if let Some(text) = oldest.map(|(text, _)| text.clone()) {
            self.vectors.remove(&text);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Counts the texts it is asked for; the vector of a text is its length.
    #[derive(Default)]
    struct Counting(AtomicUsize);

    impl Encoder for Counting {
        fn id(&self) -> &'static str {
            "counting"
        }

        fn dimensions(&self) -> usize {
            1
        }

        fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
            self.0.fetch_add(texts.len(), Ordering::SeqCst);
            if texts.contains(&"bad") {
                return Err(EncodeError("bad".to_owned()));
            }
            #[allow(clippy::cast_precision_loss, reason = "lengths of test texts")]
            Ok(texts.iter().map(|text| vec![text.len() as f32]).collect())
        }
    }

    /// Encodes batch after batch and gives how many texts reached the inner encoder each time.
    fn reached(capacity: usize, batches: &[&[&str]]) -> Vec<usize> {
        let cached = CachedEncoder::new(Counting::default(), capacity);
        let mut reached = Vec::new();
        for batch in batches {
            let before = cached.inner.0.load(Ordering::SeqCst);
            let vectors = cached.encode_questions(batch).unwrap();
            let expected = Counting::default().encode(batch).unwrap();
            assert_eq!(vectors, expected, "{batch:?}");
            reached.push(cached.inner.0.load(Ordering::SeqCst) - before);
            assert!(cached.recent().vectors.len() <= capacity);
        }
        reached
    }

    #[test]
    fn a_repeated_text_costs_nothing() {
        assert_eq!(
            reached(8, &[&["aa"], &["aa"], &["b", "aa", "ccc"], &["ccc", "b"]]),
            [1, 0, 2, 0]
        );
        assert_eq!(reached(8, &[&["aa"], &["b", "aa", "b", "ccc", "b"]]), [1, 2]);
        assert_eq!(reached(0, &[&["aa", "b", "aa"]]), [2]);
    }

    #[test]
    fn the_least_recently_used_text_is_forgotten() {
        assert_eq!(
            reached(2, &[&["a"], &["bb"], &["a"], &["ccc"], &["a"], &["bb"]]),
            [1, 1, 0, 1, 0, 1]
        );
    }

    #[test]
    fn long_texts_catalogs_and_a_capacity_of_zero_are_not_kept() {
        let long = "x".repeat(TEXT_BYTES_MAX + 1);
        assert_eq!(reached(8, &[&[&long], &[&long]]), [1, 1]);
        let catalog = ["a"; BATCH_TEXTS_MAX + 1];
        assert_eq!(reached(8, &[&catalog, &["a"], &catalog]), [33, 1, 33]);
        assert_eq!(reached(0, &[&["a"], &["a"]]), [1, 1]);
    }

    #[test]
    fn descriptions_are_not_kept() {
        let cached = CachedEncoder::new(Counting::default(), 8);
        cached.encode(&["a"]).unwrap();
        cached.encode(&["a"]).unwrap();
        assert_eq!(cached.inner.0.load(Ordering::SeqCst), 2);
        assert!(cached.recent().vectors.is_empty());
    }

    #[test]
    fn an_error_passes_through_and_is_not_kept() {
        let cached = CachedEncoder::new(Counting::default(), 8);
        cached.encode_questions(&["good"]).unwrap();
        assert_eq!(
            cached.encode_questions(&["good", "bad"]),
            Err(EncodeError("bad".to_owned()))
        );
        assert_eq!(cached.encode_questions(&["good"]), Ok(vec![vec![4.0]]));
        assert!(cached.recent().vectors.len() == 1);
    }
}
