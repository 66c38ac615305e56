#!/usr/bin/env python3
"""How far are the vectors of the int8 graph from those of the float graph?

    python compare.py MODEL_DIR FLOAT_DIR INT8_DIR < texts      one text a line

Needs the packages tokenizers and onnxruntime. Prints the cosine between the two vectors of a text (lowest, 5th
percentile, mean) and how often both graphs find the same nearest other text.
"""

import pathlib
import sys

import numpy as np
import onnxruntime
import tokenizers

TOKENS_MAX = 128


def vectors(graph_dir, token_lists):
    session = onnxruntime.InferenceSession(str(graph_dir / "model.onnx"), providers=["CPUExecutionProvider"])
    rows = [session.run(None, {"input_ids": np.array([tokens], np.int64)})[0][0] for tokens in token_lists]
    return np.array([row / np.linalg.norm(row) for row in rows])


def nearest(rows):
    similarities = rows @ rows.T
    np.fill_diagonal(similarities, -1)
    return similarities.argmax(axis=1)


def main():
    model_dir, float_dir, int8_dir = map(pathlib.Path, sys.argv[1:])
    tokenizer = tokenizers.Tokenizer.from_file(str(model_dir / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(TOKENS_MAX)
    token_lists = [tokenizer.encode(line.rstrip("\n")).ids for line in sys.stdin]
    exact, quantised = vectors(float_dir, token_lists), vectors(int8_dir, token_lists)
    cosines = (exact * quantised).sum(axis=1)
    print(f"{len(cosines)} texts")
    print(f"cosine: lowest {cosines.min():.4f}, 5th percentile {np.percentile(cosines, 5):.4f}, mean {cosines.mean():.4f}")
    print(f"same nearest neighbour: {(nearest(exact) == nearest(quantised)).mean():.1%}")


if __name__ == "__main__":
    main()
