//! Which vector does the network give these tokens? One text a run, so nothing is padded or masked.

use std::path::Path;
use std::sync::Arc;

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, ValueView};
use rten_tensor::prelude::*;

/// The output our own conversion writes; other exports are read by their first output.
const SENTENCE_OUTPUT: &str = "sentence_embedding";

/// A loaded sentence encoder.
pub struct Network {
    model: Model,
    inputs: Vec<(NodeId, Input)>,
    output: NodeId,
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
        let output = model
            .find_node(SENTENCE_OUTPUT)
            .or_else(|| model.output_ids().first().copied());
        let output = output.ok_or("it has no output")?;
        Ok(Self {
            model,
            inputs,
            output,
        })
    }

    /// The vector of one text, not yet of unit length.
    pub fn vector(&self, tokens: &[i32], pool: &Arc<ThreadPool>) -> Result<Vec<f32>, String> {
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
        // Either the sentence's vector, [1, n], or one vector a token, [1, tokens, n], to be averaged.
        match *output.shape() {
            [1, _] => Ok(output.to_vec()),
            [1, count, length] if count == tokens.len() => Ok(mean(&output.to_vec(), length)),
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
