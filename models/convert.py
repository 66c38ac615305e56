#!/usr/bin/env python3
"""Turns a BERT sentence encoder in safetensors into the ONNX files that Handpick runs.

    python convert.py MODEL_DIR OUT_DIR              the int8 graph that is shipped
    python convert.py MODEL_DIR OUT_DIR --float32    the same graph unquantised, to compare with

MODEL_DIR holds config.json and model.safetensors. OUT_DIR receives model.onnx (the graph, small) and
model.onnx.data (the weights, aligned so that a program can use them in place).

The graph is written node by node from the checkpoint, so no deep learning framework is needed:
only numpy and onnx. The output is the same bytes for the same input.

    input_ids [batch, sequence] int64  ->  sentence_embedding [batch, hidden] float32

Every text of a batch has the same length: there is no padding and therefore no attention mask. The vector
is the mean over the tokens, not yet normalised.
"""

import argparse
import hashlib
import json
import pathlib
import struct

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 23  # the first with the Attention operator
DATA_FILE = "model.onnx.data"
ALIGNMENT_BYTES = 64
# Weights use 7 bits, not 8. Processors without int8 dot products (x86-64 before VNNI) add two u8 x i8 products
# in 16 bits, which overflows beyond 64 x 255 x 2. With 7 bits every processor computes the same sums.
WEIGHT_MAX = 63
# The embedding table is only looked up and never multiplied in integers, so it may use all 8 bits.
EMBEDDING_MAX = 127


def read_safetensors(path):
    """Name -> array of one safetensors file."""
    raw = path.read_bytes()
    (header_bytes,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8 : 8 + header_bytes])
    dtypes = {"F32": np.float32, "I64": np.int64}
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        start, end = (8 + header_bytes + offset for offset in entry["data_offsets"])
        tensors[name] = np.frombuffer(raw[start:end], dtypes[entry["dtype"]]).reshape(entry["shape"])
    return tensors, hashlib.sha256(raw).hexdigest()


def quantize(weights, axis, limit):
    """Symmetric int8 with one scale per slice along `axis`; returns (integers, scales)."""
    other = tuple(a for a in range(weights.ndim) if a != axis)
    scales = np.maximum(np.abs(weights).max(axis=other), 1e-12) / limit
    shape = [1] * weights.ndim
    shape[axis] = -1
    integers = np.rint(weights / scales.reshape(shape)).clip(-limit, limit)
    return integers.astype(np.int8), scales.astype(np.float32)


class GraphWriter:
    """Collects nodes and weights. Methods return the name of what they computed."""

    def __init__(self, float32):
        self.float32 = float32
        self.nodes = []
        self.initializers = []
        if not float32:
            self.constant("last_axis", np.array([-1], np.int64))
            self.constant("tiny", np.float32(1e-6))  # keeps an all-zero token from dividing by zero
            self.constant("weight_zero", np.int8(0))

    def constant(self, name, array):
        self.initializers.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def node(self, operator, inputs, outputs, **attributes):
        outputs = [outputs] if isinstance(outputs, str) else outputs
        self.nodes.append(helper.make_node(operator, inputs, outputs, name=outputs[0], **attributes))
        return outputs[0] if len(outputs) == 1 else outputs

    def lookup(self, name, table, ids):
        """Row of `table` for each id; the table is stored in int8 with a scale per row."""
        if self.float32:
            return self.node("Gather", [self.constant(f"{name}.table", table), ids], name, axis=0)
        integers, scales = quantize(table, 0, EMBEDDING_MAX)
        rows = self.node("Gather", [self.constant(f"{name}.table", integers), ids], f"{name}.rows", axis=0)
        scales = self.constant(f"{name}.scales", scales.reshape(-1, 1))
        scale = self.node("Gather", [scales, ids], f"{name}.scale", axis=0)
        rows = self.node("Cast", [rows], f"{name}.float", to=TensorProto.FLOAT)
        return self.node("Mul", [rows, scale], name)

    def linear(self, name, x, weights, bias):
        """x @ weights + bias."""
        if self.float32:
            product = self.node("MatMul", [x, self.constant(f"{name}.weight", weights)], f"{name}.product")
        else:
            product = self.int8_product(name, x, weights)
        return self.node("Add", [product, self.constant(f"{name}.bias", bias)], name)

    def int8_product(self, name, x, weights):
        """x @ weights in int8: weights with a scale per column, x with a scale per token."""
        # The ONNX operators know only one scale for all of x, which a single loud token ([SEP], mostly) would set
        # for every other one. So each token is divided by its own largest magnitude first and multiplied by it
        # afterwards; this halves the distance to the float model.
        highest = self.node("ReduceMax", [x, "last_axis"], f"{name}.highest", keepdims=1)
        lowest = self.node("ReduceMin", [x, "last_axis"], f"{name}.lowest", keepdims=1)
        depth = self.node("Neg", [lowest], f"{name}.depth")
        magnitude = self.node("Max", [highest, depth, "tiny"], f"{name}.magnitude")
        even = self.node("Div", [x, magnitude], f"{name}.even")

        integers, scales = quantize(weights, 1, WEIGHT_MAX)
        names = [f"{name}.x", f"{name}.x_scale", f"{name}.x_zero"]
        x_integers, x_scale, x_zero = self.node("DynamicQuantizeLinear", [even], names)
        inputs = [x_integers, self.constant(f"{name}.weight", integers), x_zero, "weight_zero"]
        total = self.node("MatMulInteger", inputs, f"{name}.integers")
        scale = self.node("Mul", [x_scale, self.constant(f"{name}.scales", scales)], f"{name}.scale")
        total = self.node("Cast", [total], f"{name}.float", to=TensorProto.FLOAT)
        total = self.node("Mul", [total, scale], f"{name}.scaled")
        return self.node("Mul", [total, magnitude], f"{name}.product")

    def layer_norm(self, name, x, weight, bias, epsilon):
        inputs = [x, self.constant(f"{name}.weight", weight), self.constant(f"{name}.bias", bias)]
        return self.node("LayerNormalization", inputs, name, axis=-1, epsilon=epsilon)


def write_embeddings(graph, tensors, config):
    """Word plus position plus the one segment that is ever used, normalised."""
    words = graph.lookup("words", tensors["embeddings.word_embeddings.weight"], "input_ids")
    # The segment is always the first: its row is added to every position once, here.
    positions = tensors["embeddings.position_embeddings.weight"] + tensors["embeddings.token_type_embeddings.weight"][0]
    length = graph.node("Shape", ["input_ids"], "length", start=1, end=2)
    zero = graph.constant("zero", np.array([0], np.int64))
    positions = graph.node("Slice", [graph.constant("positions.table", positions), zero, length, zero], "positions")
    total = graph.node("Add", [words, positions], "embeddings.sum")
    return graph.layer_norm(
        "embeddings",
        total,
        tensors["embeddings.LayerNorm.weight"],
        tensors["embeddings.LayerNorm.bias"],
        config["layer_norm_eps"],
    )


def write_layer(graph, x, tensors, index, config):
    """One transformer layer: attention and feed-forward, each added to its input and normalised."""
    source = f"encoder.layer.{index}"
    weight = lambda part: tensors[f"{source}.{part}.weight"].T
    bias = lambda part: tensors[f"{source}.{part}.bias"]
    name = f"layer{index}"
    epsilon = config["layer_norm_eps"]

    # One product for query, key and value, so that x is quantised once.
    parts = [f"attention.self.{part}" for part in ("query", "key", "value")]
    joined = graph.linear(
        f"{name}.qkv",
        x,
        np.concatenate([weight(part) for part in parts], axis=1),
        np.concatenate([bias(part) for part in parts]),
    )
    qkv = graph.node("Split", [joined], [f"{name}.{part}" for part in "qkv"], axis=-1, num_outputs=3)
    heads = config["num_attention_heads"]
    mixed = graph.node("Attention", qkv, f"{name}.mixed", q_num_heads=heads, kv_num_heads=heads)
    mixed = graph.linear(f"{name}.attention", mixed, weight("attention.output.dense"), bias("attention.output.dense"))
    x = graph.layer_norm(
        f"{name}.attention_norm",
        graph.node("Add", [mixed, x], f"{name}.attention_sum"),
        tensors[f"{source}.attention.output.LayerNorm.weight"],
        tensors[f"{source}.attention.output.LayerNorm.bias"],
        epsilon,
    )
    wide = graph.linear(f"{name}.wide", x, weight("intermediate.dense"), bias("intermediate.dense"))
    wide = graph.node("Gelu", [wide], f"{name}.gelu")
    narrow = graph.linear(f"{name}.narrow", wide, weight("output.dense"), bias("output.dense"))
    return graph.layer_norm(
        name,
        graph.node("Add", [narrow, x], f"{name}.sum"),
        tensors[f"{source}.output.LayerNorm.weight"],
        tensors[f"{source}.output.LayerNorm.bias"],
        epsilon,
    )


def build(tensors, config, float32):
    """The whole model, weights still inside."""
    if config["hidden_act"] != "gelu" or config["model_type"] != "bert":
        raise SystemExit("only BERT encoders with the gelu activation are understood")
    graph = GraphWriter(float32)
    x = write_embeddings(graph, tensors, config)
    for index in range(config["num_hidden_layers"]):
        x = write_layer(graph, x, tensors, index, config)
    axes = graph.constant("sequence_axis", np.array([1], np.int64))
    graph.node("ReduceMean", [x, axes], "sentence_embedding", keepdims=0)
    inputs = [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "sequence"])]
    shape = ["batch", config["hidden_size"]]
    outputs = [helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, shape)]
    body = helper.make_graph(graph.nodes, "sentence_encoder", inputs, outputs, graph.initializers)
    return helper.make_model(
        body, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=11, producer_name="handpick convert.py"
    )


def save(model, out_dir):
    """Writes the graph and, beside it, all large weights at aligned offsets."""
    out_dir.mkdir(parents=True, exist_ok=True)
    with open(out_dir / DATA_FILE, "wb") as data:
        for tensor in model.graph.initializer:
            raw = tensor.raw_data
            if len(raw) < ALIGNMENT_BYTES:
                continue
            data.write(b"\0" * (-data.tell() % ALIGNMENT_BYTES))
            place = {"location": DATA_FILE, "offset": data.tell(), "length": len(raw)}
            for key, value in place.items():
                tensor.external_data.add(key=key, value=str(value))
            tensor.data_location = TensorProto.EXTERNAL
            tensor.ClearField("raw_data")
            data.write(raw)
    (out_dir / "model.onnx").write_bytes(model.SerializeToString(deterministic=True))
    onnx.checker.check_model(str(out_dir / "model.onnx"), full_check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model_dir", type=pathlib.Path)
    parser.add_argument("out_dir", type=pathlib.Path)
    parser.add_argument("--float32", action="store_true")
    arguments = parser.parse_args()
    config = json.loads((arguments.model_dir / "config.json").read_text())
    tensors, digest = read_safetensors(arguments.model_dir / "model.safetensors")
    save(build(tensors, config, arguments.float32), arguments.out_dir)
    print(f"{digest}  model.safetensors (read)")
    for name in ("model.onnx", DATA_FILE):
        raw = (arguments.out_dir / name).read_bytes()
        print(f"{hashlib.sha256(raw).hexdigest()}  {name} ({len(raw)} bytes)")


if __name__ == "__main__":
    main()
