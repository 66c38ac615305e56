#!/usr/bin/env python3
"""What does the program make of requests in other languages? Writes request -> English words as JSON.

    python glosses.py data/written glosses.json
"""

import json
import pathlib
import re
import subprocess
import sys

import labelled

COMMAND = ["cargo", "run", "--quiet", "--release", "--example", "gloss_lines", "-p", "handpick-selection"]


def main():
    folder, out = map(pathlib.Path, sys.argv[1:])
    texts = []
    for path in sorted(folder.glob("*.jsonl")):
        for row in labelled.read(path):
            other = row["requests"].get("other") or []
            for text in [other] if isinstance(other, str) else other:
                texts.append(re.sub(r"^(%s):\s*" % "|".join(labelled.LANGUAGES), "", text).replace("\n", " "))
    told = subprocess.run(COMMAND, input="\n".join(texts) + "\n", text=True, capture_output=True, check=True).stdout
    glosses = dict(zip(texts, told.split("\n")))
    out.write_text(json.dumps(glosses, ensure_ascii=False))
    print(f"{len(glosses)} requests")


if __name__ == "__main__":
    main()
