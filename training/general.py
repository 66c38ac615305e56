#!/usr/bin/env python3
"""Does an encoder still understand text that has nothing to do with tools? Finds words by their dictionary definitions.

    python general.py MODEL_DIR... --wordnet /usr/share/wordnet

Needs WordNet's `data.noun` and `data.verb` (Debian: wordnet-base). 3,000 definitions are asked for the word they define,
among all 3,000; hit@1 and hit@10.
"""

import argparse
import pathlib
import random

import numpy as np

from minilm import MiniLm

ENTRIES = 3000


def entries(folder):
    """(word, definition) of nouns and verbs."""
    found = []
    for name in ("data.noun", "data.verb"):
        for line in (folder / name).read_text().splitlines():
            if line.startswith(" ") or "|" not in line:
                continue
            head, gloss = line.split("|", 1)
            word = head.split()[4].replace("_", " ")
            definition = gloss.split(";")[0].strip()
            if word.islower() and len(definition.split()) >= 5:
                found.append((word, definition))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", type=pathlib.Path, nargs="+")
    parser.add_argument("--wordnet", type=pathlib.Path, default=pathlib.Path("/usr/share/wordnet"))
    arguments = parser.parse_args()
    chosen = random.Random(5).sample(sorted(dict(entries(arguments.wordnet)).items()), ENTRIES)
    for folder in arguments.models:
        model = MiniLm(folder)
        words, definitions = (model.encode(part) for part in zip(*chosen))
        ranks = (definitions @ words.T > np.sum(definitions * words, axis=1)[:, None]).sum(axis=1)
        print(f"{folder}: hit@1 {np.mean(ranks < 1):.3f}, hit@10 {np.mean(ranks < 10):.3f}", flush=True)


if __name__ == "__main__":
    main()
