//! Which vector does the network give these tokens? One text a run, so nothing is padded or masked.

use std::path::Path;
use std::sync::Arc;

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, ValueView};
use rten_tensor::prelude::*;

use crate::recipe::Pooling;

/// An output that is the vector of the text already.
const SENTENCE_OUTPUT: &str = "sentence_embedding";

/// Outputs that are known to be the vectors of the tokens; without one of them the first output is read.
const TOKEN_OUTPUTS: [&str; 2] = ["last_hidden_state", "token_embeddings"];

/// A loaded sentence encoder.
pub struct Network {
    model: Model,
    inputs: Vec<(NodeId, Input)>,
    output: NodeId,
    gives_sentences: bool,
}

/// What the network wants to be told about each token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Input {
    /// The token numbers.
    Tokens,
    /// 1 for each token: none is padding.
    Attention,
    /// 0 for each token: all belong to the first segment.
    Segment,
}

impl Network {
    /// Reads a graph and its weights that are part of the program; the weights are used in place.
    /// `data_name` is the name by which the graph refers to `data`.
    pub fn from_static(graph: &'static [u8], data_name: &str, data: &'static [u8]) -> Result<Self, String> {
        let model = options()
            .external_data_static(data_name, data)
            .load_static_slice(graph)
            .map_err(|error| error.to_string())?;
        Self::new(model)
    }

    /// Reads an ONNX file, and the weights beside it if it keeps them apart.
    pub fn from_file(path: &Path) -> Result<Self, String> {
        let model = options().load_file(path).map_err(|error| error.to_string())?;
        Self::new(model)
    }

    fn new(model: Model) -> Result<Self, String> {
        let mut inputs = Vec::new();
        for &node in model.input_ids() {
            let info = model.node_info(node);
            let input = match info.as_ref().and_then(|info| info.name()) {
                Some("input_ids") => Input::Tokens,
                Some("attention_mask") => Input::Attention,
                Some("token_type_ids") => Input::Segment,
                name => {
                    let name = name.unwrap_or_default();
                    return Err(format!(
                        "it has an input `{name}`: expected only input_ids, attention_mask and token_type_ids"
                    ));
                }
            };
            inputs.push((node, input));
        }
        if !inputs.iter().any(|&(_, input)| input == Input::Tokens) {
            return Err("it has no input `input_ids`".to_owned());
        }
        let output_named = |name: &str| {
            let mut outputs = model.output_ids().iter().copied();
            outputs.find(|&node| {
                model
                    .node_info(node)
                    .is_some_and(|info| info.name() == Some(name))
            })
        };
        let sentence = output_named(SENTENCE_OUTPUT);
        let output = sentence
            .or_else(|| TOKEN_OUTPUTS.into_iter().find_map(output_named))
            .or_else(|| model.output_ids().first().copied())
            .ok_or("it has no output")?;
        Ok(Self {
            model,
            inputs,
            output,
            gives_sentences: sentence.is_some(),
        })
    }

    /// Whether its output is the vector of the text, whatever is said on pooling.
    pub fn gives_sentences(&self) -> bool {
        self.gives_sentences
    }

    /// The vector of one text, not yet of unit length.
    pub fn vector(
        &self,
        tokens: &[i32],
        pooling: Pooling,
        pool: &Arc<ThreadPool>,
    ) -> Result<Vec<f32>, String> {
        let shape = [1, tokens.len()];
        let (ones, zeros) = (vec![1; tokens.len()], vec![0; tokens.len()]);
        let mut values = Vec::with_capacity(self.inputs.len());
        for &(node, input) in &self.inputs {
            let data: &[i32] = match input {
                Input::Tokens => tokens,
                Input::Attention => &ones,
                Input::Segment => &zeros,
            };
            let value = ValueView::from_shape(shape, data).map_err(|error| error.to_string())?;
            values.push((node, value.into()));
        }
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(pool)));
        let [output] = self
            .model
            .run_n(values, [self.output], Some(options))
            .map_err(|error| error.to_string())?;
        let output = output
            .into_tensor::<f32>()
            .ok_or("its output is not of 32-bit floats")?;
        // Either the sentence's vector, [1, n], or one vector a token, [1, tokens, n], to be pooled.
        match *output.shape() {
            [1, _] => Ok(output.to_vec()),
            [1, count, length] if count == tokens.len() => Ok(pooled(&output.to_vec(), length, pooling)),
            ref shape => Err(format!(
                "its output has shape {shape:?}: expected [1, n] or [1, tokens, n]"
            )),
        }
    }
}

/// Packing the weights once takes 10 ms and 11 MB; without it every run packs them anew, which makes a
/// short text take two to three times as long.
fn options() -> ModelOptions {
    let mut options = ModelOptions::with_all_ops();
    options.prepack_weights(true);
    options
}

/// One row of the rows of `rows`, each of `length` values.
fn pooled(rows: &[f32], length: usize, pooling: Pooling) -> Vec<f32> {
    let mut each = rows.chunks_exact(length.max(1));
    match pooling {
        Pooling::Mean => mean(rows, length),
        Pooling::First => each.next().unwrap_or_default().to_vec(),
        Pooling::Last => each.next_back().unwrap_or_default().to_vec(),
        Pooling::Max => each.fold(vec![f32::NEG_INFINITY; length], |most, row| {
            most.iter().zip(row).map(|(a, b)| a.max(*b)).collect()
        }),
    }
}

/// The mean of the rows of `rows`, each of `length` values.
fn mean(rows: &[f32], length: usize) -> Vec<f32> {
    let mut sum = vec![0.0; length];
    let mut count = 0.0_f32;
    for row in rows.chunks_exact(length.max(1)) {
        count += 1.0;
        for (total, value) in sum.iter_mut().zip(row) {
            *total += value;
        }
    }
    sum.iter().map(|total| total / count.max(1.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_pooled() {
        let rows = [1.0, 5.0, 2.0, -1.0, 6.0, 2.0];
        for (pooling, expected) in [
            (Pooling::Mean, [3.0, 2.0]),
            (Pooling::First, [1.0, 5.0]),
            (Pooling::Last, [6.0, 2.0]),
            (Pooling::Max, [6.0, 5.0]),
        ] {
            assert_eq!(pooled(&rows, 2, pooling), expected);
        }
    }
}
