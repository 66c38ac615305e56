//! What does a sentence encoder make of a text? Any model whose folder holds what is needed.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use handpick_selection::{EncodeError, Encoder};

use crate::files::EncoderFiles;
use crate::fingerprint::fingerprint;
use crate::lanes::Lanes;
use crate::load_error::{LoadError, unreadable};
use crate::network::Network;
use crate::recipe::{BadRecipe, Recipe};
use crate::tokenizer::Tokenizer;

/// The version of everything around a network (tokens, truncation, pooling), to be raised when the same text
/// would give another vector.
pub(crate) const PREPROCESSING_VERSION: u32 = 1;

/// The same for models of a folder, whose vectors are centred besides.
const FOLDER_VERSION: u32 = 1;

/// Plain requests about all sorts of things, one a line. Their mean is what all vectors of a model have in common,
/// and says nothing.
const REFERENCE: &str = include_str!("sentence/reference.txt");

/// Tokens of a text that count, its two markers included. The embedded model was trained on 128; 256 take twice
/// as long and move NDCG@10 on the labelled sets by less than .003, 512 no further.
pub const TOKENS_MAX: usize = 128;

/// More threads than this gain nothing for the catalogs a gateway meets.
const LANES_MAX: usize = 16;

/// A network with everything around it.
///
/// Each text is computed by itself on one thread, so its vector never depends on what else was in
/// the call, and calls are deterministic on one machine.
///
/// Questions and catalogs have threads of their own: while a catalog is being encoded, a question
/// shares the processor with it but does not wait behind it.
pub struct SentenceEncoder {
    id: String,
    dimensions: usize,
    tokenizer: Tokenizer,
    network: Network,
    recipe: Recipe,
    /// Taken from every vector of unit length before it is scaled again.
    centre: Option<Vec<f32>>,
    multilingual: bool,
    question_lanes: Lanes,
    catalog_lanes: Lanes,
}

/// What was made of a folder, to be told.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The model file, relative to the folder.
    pub model: String,
    /// How texts are split.
    pub tokenizer: &'static str,
    /// How the vectors of tokens become one.
    pub pooling: &'static str,
    /// Length of a vector.
    pub dimensions: usize,
    /// Whether requests are read in their own language.
    pub multilingual: bool,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let languages = if self.multilingual {
            "many languages"
        } else {
            "English"
        };
        write!(
            f,
            "{} ({} tokenizer, {} pooling, {} dimensions, {languages})",
            self.model, self.tokenizer, self.pooling, self.dimensions
        )
    }
}

impl SentenceEncoder {
    /// Loads the model of a folder: its network, its tokenizer (`tokenizer.json` or `vocab.txt`), and what it says
    /// on pooling and prompts. `model` names one network of several, relative to the folder; see
    /// [`EncoderFiles::choose`] for which is taken without.
    ///
    /// The network takes `input_ids` and, if it likes, `attention_mask` and `token_type_ids`, and gives one vector a
    /// text or one a token. Vectors are centred: the cosines of many models lie between .7 and .9 whatever two texts
    /// say, and only without what all vectors have in common are they spread as those of the embedded model are.
    ///
    /// All files are read once more to make the identity, which follows from their content alone.
    pub fn from_folder(folder: &Path, model: Option<&str>) -> Result<(Self, Summary), LoadError> {
        let files = EncoderFiles::in_folder(folder, model)
            .map_err(|source| unreadable(folder, source))?
            .map_err(|reason| LoadError::Incomplete {
                folder: folder.to_owned(),
                reason,
            })?;
        let recipe = Recipe::read(folder)
            .map_err(|BadRecipe { file: path, reason }| LoadError::Recipe { path, reason })?;
        let tokenizer_file = folder.join(&files.tokenizer);
        let text =
            std::fs::read_to_string(&tokenizer_file).map_err(|source| unreadable(&tokenizer_file, source))?;
        let tokenizer = if files.tokenizer.ends_with(".json") {
            Tokenizer::from_json(&text, TOKENS_MAX)
        } else {
            Tokenizer::from_vocabulary(&text)
        };
        let tokenizer = tokenizer.map_err(|reason| LoadError::Tokenizer {
            path: tokenizer_file.clone(),
            reason,
        })?;
        let model = folder.join(&files.model);
        let settings: Vec<PathBuf> = files.settings.iter().map(|name| folder.join(name)).collect();
        let others = std::iter::once(&tokenizer_file).chain(&settings);
        let digest = fingerprint(&model, others.map(PathBuf::as_path))
            .map_err(|(path, source)| LoadError::Unreadable { path, source })?;
        let id = format!("folder/{digest}/{FOLDER_VERSION}");
        let network = Network::from_file(&model).map_err(LoadError::Model)?;
        let mut encoder = Self::new(id, tokenizer, network, recipe)?;
        encoder.multilingual = encoder.tokenizer.is_multilingual();
        encoder.centre = Some(encoder.common().map_err(|error| LoadError::Model(error.0))?);
        let summary = Summary {
            model: files.model,
            tokenizer: encoder.tokenizer.scheme(),
            pooling: encoder.pooling(),
            dimensions: encoder.dimensions,
            multilingual: encoder.multilingual,
        };
        Ok((encoder, summary))
    }

    /// Puts an encoder together. It counts as one for English until told otherwise.
    pub(crate) fn new(
        id: String,
        tokenizer: Tokenizer,
        network: Network,
        recipe: Recipe,
    ) -> Result<Self, LoadError> {
        if let Some(step) = recipe
            .further_step
            .as_ref()
            .filter(|_| !network.gives_sentences())
        {
            return Err(LoadError::Model(format!(
                "its modules.json asks for a step `{step}` after the network, which only an export with an output \
                 `sentence_embedding` includes"
            )));
        }
        let lanes = std::thread::available_parallelism()
            .map_or(1, NonZeroUsize::get)
            .min(LANES_MAX);
        let mut encoder = Self {
            id,
            dimensions: 0,
            tokenizer,
            network,
            recipe,
            centre: None,
            multilingual: false,
            question_lanes: Lanes::new(lanes),
            catalog_lanes: Lanes::new(lanes),
        };
        // One text tells the length of all vectors, and that the parts fit together.
        let probe = encoder.encode_one("a", &encoder.question_lanes);
        encoder.dimensions = probe.map_err(|error| LoadError::Model(error.0))?.len();
        Ok(encoder)
    }

    /// What the vectors of requests and of descriptions have in common.
    fn common(&self) -> Result<Vec<f32>, EncodeError> {
        let texts: Vec<&str> = REFERENCE.lines().collect();
        let vectors = [self.encode(&texts)?, self.encode_questions(&texts)?].concat();
        let mut mean = vec![0.0; self.dimensions];
        for vector in &vectors {
            for (sum, value) in mean.iter_mut().zip(vector) {
                *sum += value / vectors.len() as f32;
            }
        }
        Ok(mean)
    }

    fn pooling(&self) -> &'static str {
        if self.network.gives_sentences() {
            "its own"
        } else {
            self.recipe.pooling.as_str()
        }
    }

    fn encode_one(&self, text: &str, lanes: &Lanes) -> Result<Vec<f32>, EncodeError> {
        let tokens = self.tokenizer.tokens(text, TOKENS_MAX).map_err(EncodeError)?;
        let vector = self
            .network
            .vector(&tokens, self.recipe.pooling, lanes.take().pool())
            .map_err(EncodeError)?;
        let mut vector = normalized(vector)?;
        let Some(centre) = &self.centre else {
            return Ok(vector);
        };
        for (value, common) in vector.iter_mut().zip(centre) {
            *value -= common;
        }
        normalized(vector)
    }

    /// Encodes on up to `threads` of the given lanes. Long texts go first, so that no lane ends up alone with one.
    fn encode_all(
        &self,
        texts: &[&str],
        prefix: &str,
        lanes: &Lanes,
        threads: usize,
    ) -> Result<Vec<Vec<f32>>, EncodeError> {
        let texts: Vec<Cow<'_, str>> = texts.iter().map(|text| prefixed(prefix, text)).collect();
        if let [text] = texts.as_slice() {
            return Ok(vec![self.encode_one(text, lanes)?]);
        }
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|&index| std::cmp::Reverse(texts[index].len()));
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            while let Some(&index) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                done.push((index, self.encode_one(&texts[index], lanes)));
            }
            done
        };
        let mut vectors = vec![Vec::new(); texts.len()];
        let done = std::thread::scope(|scope| {
            // A thread the system refuses is one fewer: the rest do its share.
            let helpers: Vec<_> = (1..threads.min(texts.len()))
                .filter_map(|_| std::thread::Builder::new().spawn_scoped(scope, work).ok())
                .collect();
            let mut done = work();
            // All are joined before any failure is told: a failed thread left alone fails the scope.
            let parts: Vec<_> = helpers.into_iter().map(|helper| helper.join()).collect();
            for part in parts {
                done.extend(part.map_err(|_| EncodeError("the encoder failed on a text".to_owned()))?);
            }
            Ok(done)
        })?;
        for (index, vector) in done {
            vectors[index] = vector?;
        }
        Ok(vectors)
    }
}

impl Encoder for SentenceEncoder {
    fn id(&self) -> &str {
        &self.id
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        let lanes = &self.catalog_lanes;
        self.encode_all(texts, &self.recipe.passage_prefix, lanes, lanes.count())
    }

    fn encode_questions(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        // Where others keep the lanes busy, further threads would only stand in line with them.
        let lanes = &self.question_lanes;
        self.encode_all(texts, &self.recipe.question_prefix, lanes, lanes.idle())
    }

    fn is_multilingual(&self) -> bool {
        self.multilingual
    }
}

fn prefixed<'a>(prefix: &str, text: &'a str) -> Cow<'a, str> {
    if prefix.is_empty() {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("{prefix}{text}"))
    }
}

/// `vector` scaled to unit length.
fn normalized(mut vector: Vec<f32>) -> Result<Vec<f32>, EncodeError> {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    if !length.is_normal() {
        return Err(EncodeError(
            "the model gave a vector without a direction".to_owned(),
        ));
    }
    for value in &mut vector {
        *value /= length;
    }
    Ok(vector)
}
