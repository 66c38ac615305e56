"""Which requests and tools are there to learn from and to judge by? Reads the labelled sets."""

import dataclasses
import json
import pathlib
import re

PUBLIC = [
    "azure_mcp", "livemcpbench", "bfcl_v4", "toole", "toollinkos",
    "tooltalk", "seal_tools", "toolalpaca", "apibench", "tau2_tasks",
]  # fmt: skip
LANGUAGES = ("de", "es", "fr", "pt", "ru", "zh", "ja")


@dataclasses.dataclass
class Set:
    """A catalog and labelled requests over it."""

    name: str
    tools: list  # of (name, server, text as the encoder reads it)
    requests: list  # of (text, positions of relevant tools, positions of accepted tools, kind)


def spelled_out(name):
    """A name as plain lower-case words, as `words::spelled_out` in crates/selection writes it."""
    words = []
    for run in re.findall(r"[^\W_]+", name):
        pieces = re.findall(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+|[^\WA-Za-z\d_]+", run)
        words += [piece.lower() for piece in pieces]
    return " ".join(words)


def tool_text(server, name, description):
    """Name and first line: all that matching ever reads of a tool."""
    line = (description or "").split("\n")[0].strip()
    text = f"{spelled_out(server)} {spelled_out(name)}"
    return f"{text}: {line}" if line else text


def own_name(server, name):
    for separator in ("__", "."):
        if server and name.startswith(server + separator):
            return name[len(server) + len(separator) :]
    return name


def read(path):
    return [json.loads(line) for line in pathlib.Path(path).read_text().splitlines() if line.strip()]


def labelled(folder):
    """One set as it lies in the folder of labelled data."""
    folder = pathlib.Path(folder)
    tools, positions = [], {}
    for row in read(folder / "tools.jsonl"):
        positions.setdefault(row["name"], len(tools))
        server = row.get("server") or "api"
        name = own_name(row.get("server"), row["name"])
        tools.append((row["name"], server, tool_text(server, name, row.get("description"))))
    requests = []
    for row in read(folder / "queries.jsonl"):
        find = lambda names: [positions[name] for name in names if name in positions]
        kind = row.get("kind") or row.get("split") or ""
        requests.append((row["query"], find(row["relevant"]), find(row.get("also_accept") or []), kind))
    return Set(folder.name, tools, requests)


def written(folder, parts=(1, 2, 3, 4, 5, 6), glosses=None, corners=None):
    """The tools and requests written for training: one set a file, `near_miss` requests fit nothing.

    `parts` are the numbers at the end of the files' names that are read, `corners` what stands before. `glosses` maps requests in other languages
    to what they say in English words, as the program asks the encoder; every second one is replaced by it.
    """
    sets = []
    for path in sorted(pathlib.Path(folder).glob("*.jsonl")):
        corner, part = path.stem.rsplit("_", 1)
        if int(part) not in parts or (corners and corner not in corners):
            continue
        tools, requests = [], []
        for position, row in enumerate(read(path)):
            tools.append((row["name"], row["server"], tool_text(row["server"], row["name"], row["description"])))
            asked = row["requests"]
            for kind in ("plain", "paraphrase", "indirect", "detail", "other"):
                texts = asked.get(kind) or []
                for text in [texts] if isinstance(texts, str) else texts:
                    if kind == "other":
                        text = re.sub(r"^(%s):\s*" % "|".join(LANGUAGES), "", text).replace("\n", " ")
                        if glosses and len(requests) % 2 == 0:
                            text = glosses.get(text, text)
                    requests.append((text, [position], [], kind))
            missed = row.get("near_miss") or []
            for text in [missed] if isinstance(missed, str) else missed:
                requests.append((text, [], [], "near_miss"))
        sets.append(Set(path.stem, tools, requests))
    return sets
