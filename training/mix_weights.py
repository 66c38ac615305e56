#!/usr/bin/env python3
"""How much of the original encoder is kept? Writes the weighted mean of two checkpoints.

    python mix_weights.py ORIGINAL TUNED OUT_DIR --keep 0.2
"""

import argparse
import pathlib

from minilm import MiniLm


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("original", type=pathlib.Path)
    parser.add_argument("tuned", type=pathlib.Path)
    parser.add_argument("out_dir", type=pathlib.Path)
    parser.add_argument("--keep", type=float, required=True, help="share of the original weights, 0 to 1")
    arguments = parser.parse_args()
    model = MiniLm(arguments.original)
    original = {name: value.clone() for name, value in model.state_dict().items()}
    tuned = MiniLm(arguments.tuned).state_dict()
    keep = arguments.keep
    model.load_state_dict({name: (1 - keep) * tuned[name] + keep * original[name] for name in original})
    model.save(arguments.out_dir, arguments.original)


if __name__ == "__main__":
    main()
