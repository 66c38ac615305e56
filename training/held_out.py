#!/usr/bin/env python3
"""Which written requests does the encoder not learn from? Writes them as labelled sets, for the ranker to learn from.

    python held_out.py data/written OUT_DIR --parts 5 6

One set for each corner of the written data (`cloud`, `office`, ...): its held-back files together are a catalog.
With `--beside SET...` one more, `together`: the requests of all corners over the tools of all corners and of those sets.
With `--voices FILE SET...` one more for each corner that the file asks, `voices_CORNER`: its requests over the corner's
tools; and `voices_together`: all that are no better served elsewhere, over the tools of all corners and of those sets.
"""

import argparse
import json
import pathlib

import labelled


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("written", type=pathlib.Path)
    parser.add_argument("out_dir", type=pathlib.Path)
    parser.add_argument("--parts", type=int, nargs="*", default=[5, 6])
    parser.add_argument("--corners", nargs="*", help="beginnings of their names; all unless given")
    parser.add_argument("--beside", type=pathlib.Path, nargs="*", help="folders of labelled sets whose tools are added")
    parser.add_argument("--voices", type=pathlib.Path, nargs="+", help="requests by several voices, and folders of sets")
    arguments = parser.parse_args()
    everything, asked = {}, []
    voices = labelled.read(arguments.voices[0]) if arguments.voices else []
    corners = {}
    for path in sorted(arguments.written.glob("*.jsonl")):
        corner, part = path.stem.rsplit("_", 1)
        if int(part) in arguments.parts and corner in (arguments.corners or [corner]):
            corners.setdefault(corner, []).extend(labelled.read(path))
    for corner, rows in corners.items():
        folder = arguments.out_dir / f"written_{corner}"
        folder.mkdir(parents=True, exist_ok=True)
        names = [f"{row['server']}__{row['name']}" for row in rows]
        tools = [
            {"name": name, "description": row["description"], "server": row["server"]} for name, row in zip(names, rows)
        ]
        queries = []
        for name, row in zip(names, rows):
            for kind, texts in row["requests"].items():
                for text in [texts] if isinstance(texts, str) else texts:
                    if kind == "other":
                        text = text.split(":", 1)[1].strip()
                    queries.append({"query": text, "relevant": [name], "kind": kind})
            missed = row.get("near_miss") or []
            for text in [missed] if isinstance(missed, str) else missed:
                queries.append({"query": text, "relevant": [], "kind": "none"})
        for number, query in enumerate(queries):
            query["id"] = f"{corner}-{number}"
        everything |= {tool["name"]: tool for tool in tools}
        asked += queries
        write(folder / "tools.jsonl", tools)
        write(folder / "queries.jsonl", queries)
        print(f"{folder}: {len(tools)} tools, {len(queries)} requests")
        heard = [row for row in voices if row["corner"] == corner]
        if heard:
            write_voices(arguments.out_dir / f"voices_{corner}", tools, heard)
    if voices:
        tools = dict(everything)
        for path in arguments.voices[1:]:
            add_tools(tools, path)
        heard = [row for row in voices if not row.get("elsewhere")]
        write_voices(arguments.out_dir / "voices_together", list(tools.values()), heard)
    if arguments.beside:
        for path in arguments.beside:
            add_tools(everything, path)
        folder = arguments.out_dir / "together"
        folder.mkdir(parents=True, exist_ok=True)
        write(folder / "tools.jsonl", list(everything.values()))
        write(folder / "queries.jsonl", asked)
        print(f"{folder}: {len(everything)} tools, {len(asked)} requests")


def add_tools(tools, path):
    for row in labelled.read(path / "tools.jsonl"):
        tool = {"name": row["name"], "description": row.get("description"), "server": row.get("server") or path.name}
        tools.setdefault(row["name"], tool)


def write_voices(folder, tools, rows):
    folder.mkdir(parents=True, exist_ok=True)
    queries = [
        {"id": f"{row['corner']}-{number}", "query": row["query"], "relevant": row["tools"], "kind": row["voice"]}
        for number, row in enumerate(rows)
    ]
    write(folder / "tools.jsonl", tools)
    write(folder / "queries.jsonl", queries)
    print(f"{folder}: {len(tools)} tools, {len(queries)} requests")


def write(path, rows):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


if __name__ == "__main__":
    main()
