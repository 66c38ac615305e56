#!/usr/bin/env python3
"""How do features become a probability? Fits the additive ranker and judges it on sets it has not seen.

    python fit_ranker.py FEATURES_DIR --out ../crates/selection/data/ranker.json

FEATURES_DIR holds one file a set, written by the example `features` of crates/selection. Every set that is fitted
weighs the same; all others judge: a set never judges a ranker that saw it.
"""

import argparse
import json
import pathlib

import numpy as np
from scipy.optimize import minimize

import measures

# Knots of each curve; the ends are level. A feature that is absent adds nothing.
MEANING = {
    "cosine": [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75],
    "cosine_gap": [0.0, 0.01, 0.03, 0.07, 0.12, 0.2, 0.35],
    "cosine_margin": [0.0, 0.02, 0.06, 0.15],
    "crowd": [0.0, 0.7, 1.4, 2.3, 3.5],
    "words": [0.0, 0.25, 0.5, 0.75, 0.9, 1.0],
    "coverage": [0.0, 0.15, 0.3, 0.5, 0.8, 1.0],
    "coverage_gap": [0.0, 0.05, 0.15, 0.3, 0.6],
    "name_found": [0.0, 0.25, 0.5, 0.75, 1.0],
    "name_run": [0.0, 0.34, 0.67, 1.0],
    "tool_found": [0.0, 0.1, 0.25, 0.5, 0.8],
    "rarest": [0.0, 0.25, 0.5, 0.75, 1.0],
    "hints": [0.0, 0.25, 0.5, 0.75, 1.0],
    "hints_found": [0.0, 0.15, 0.35, 0.7],
    "exact_name": [0.0, 1.0],
    "app": [0.0, 0.5, 1.0],
    "other_app": [0.0, 0.5, 1.0],
    "vendor": [-1.0, 0.0, 1.0],
    "action": [-1.0, 0.0, 1.0],
}
WORDS = {name: knots for name, knots in MEANING.items() if not name.startswith(("cosine", "crowd"))}
CONTEXT = {"context_lift": [-0.1, 0.0, 0.15, 0.3, 0.5], "context_words": [0.0, 0.5, 1.0], "context_app": [0.0, 0.5, 1.0], "context_vendor": [-1.0, 0.0, 1.0], "context_action": [-1.0, 0.0, 1.0]}
# Evidence that can only speak for a tool (1) or against it (-1) the more there is of it.
RISING = {name: 1 for name in ("cosine", "cosine_margin", "coverage", "name_found", "tool_found", "hints", "hints_found")}
RISING |= {name: 1 for name in ("app", "vendor", "action", "context_lift", "context_words", "context_app", "context_vendor", "context_action")}
RISING |= {"cosine_gap": -1, "coverage_gap": -1, "other_app": -1}
# Too rare in the data to be fitted. Who writes a tool's exact name means that tool, and a situation that says what is
# to be done or with which app says it of the tool.
GIVEN = {"exact_name": [0.0, 4.0], "context_action": [-0.8, 0.0, 0.8], "context_app": [0.0, 0.7, 1.4]}
# How many of a reading's candidates, best cosine and words first, take part in fitting.
CANDIDATES = 20
UNANSWERABLE_WEIGHT = 3.0  # of a request that nothing fits, beside one that something fits
ROUGHNESS = 0.3  # penalty on bends of a curve
SIZE = 0.01  # penalty on its height


class Features:
    """The candidates of one set: rows of features with their request, reading and label."""

    def __init__(self, path):
        self.name = path.stem
        with open(path) as file:
            self.columns = json.loads(next(file))["features"]
            self.requests = [json.loads(line) for line in file]
        rows, owners = [], []
        for number, request in enumerate(self.requests):
            for reading, candidates in enumerate(request["readings"]):
                for position, label, values in candidates:
                    owners.append((number, reading, position, label))
                    rows.append([np.nan if value is None else value for value in values])
        self.values = np.array(rows, np.float32)
        self.owner = np.array(owners, np.float64)


def basis(values, columns, curves):
    """One column a knot: how much of the knot's value a candidate takes."""
    parts = []
    for name, knots in curves.items():
        x = values[:, columns.index(name)]
        knots = np.asarray(knots, np.float32)
        clipped = np.clip(np.nan_to_num(x), knots[0], knots[-1])
        right = np.clip(np.searchsorted(knots, clipped, side="right"), 1, len(knots) - 1)
        share = (clipped - knots[right - 1]) / (knots[right] - knots[right - 1])
        part = np.zeros((len(x), len(knots)), np.float32)
        rows = np.arange(len(x))
        part[rows, right - 1] = 1 - share
        part[rows, right] = share
        part[np.isnan(x)] = 0
        parts.append(part)
    return np.concatenate(parts, axis=1)


def penalty(curves):
    """Square root of the penalty matrix: bends and heights."""
    size = sum(map(len, curves.values()))
    rows, start = [], 0
    for knots in curves.values():
        for at in range(1, len(knots) - 1):
            row = np.zeros(size)
            left, right = knots[at] - knots[at - 1], knots[at + 1] - knots[at]
            span = knots[-1] - knots[0]
            row[start + at - 1], row[start + at + 1] = span / left / len(knots), span / right / len(knots)
            row[start + at] = -row[start + at - 1] - row[start + at + 1]
            rows.append(np.sqrt(ROUGHNESS) * row)
        start += len(knots)
    return np.concatenate([np.sqrt(SIZE) * np.eye(size), np.array(rows).reshape(-1, size)])


def steps(curves):
    """From a curve's first value and its steps from knot to knot to its values; and which steps have a sign."""
    size = sum(map(len, curves.values()))
    transform, bounds, start = np.zeros((size, size)), [], 0
    for name, knots in curves.items():
        transform[start : start + len(knots), start : start + len(knots)] = np.tri(len(knots))
        sign = RISING.get(name, 0)
        bounds += [(None, None)] + [(0 if sign > 0 else None, 0 if sign < 0 else None)] * (len(knots) - 1)
        start += len(knots)
    return transform, bounds


def fit(x, y, weight, curves, offset=None):
    """Intercept and knot values that make y most likely, smoothly."""
    transform, bounds = steps(curves)
    smooth = penalty(curves) @ transform
    quadratic = smooth.T @ smooth / 1000
    total = weight.sum()
    offset = np.zeros(len(y)) if offset is None else offset
    x = (x @ transform.astype(np.float32)).astype(np.float32)

    def loss(parameters):
        z = parameters[0] + x @ parameters[1:].astype(np.float32) + offset
        p = 1 / (1 + np.exp(-z))
        value = (weight * (np.logaddexp(0, z) - y * z)).sum() / total
        error = weight * (p - y) / total
        bend = quadratic @ parameters[1:]
        gradient = np.concatenate([[error.sum()], x.T @ error.astype(np.float32) + 2 * bend])
        return float(value + parameters[1:] @ bend), gradient.astype(np.float64)

    first = np.zeros(x.shape[1] + 1)
    first[0] = -3
    options = {"maxiter": 400}
    found = minimize(loss, first, jac=True, method="L-BFGS-B", bounds=[(None, None)] + bounds, options=options).x
    return np.concatenate([found[:1], transform @ found[1:]])


class Ranker:
    """The parameters of one additive model."""

    def __init__(self, curves, parameters):
        self.curves, self.parameters = curves, parameters

    def log_odds(self, features, rows=slice(None)):
        x = basis(features.values[rows], features.columns, self.curves)
        return self.parameters[0] + x @ self.parameters[1:].astype(np.float32)

    def file(self, mean):
        """As crates/selection reads it; every curve is level with the average candidate at zero."""
        curves, start, intercept = [], 1, float(self.parameters[0])
        for name, knots in self.curves.items():
            values = self.parameters[start : start + len(knots)]
            level = float(mean[start - 1 : start - 1 + len(knots)] @ values)
            intercept += level
            curves.append(
                {"feature": name, "knots": knots, "values": [round(float(value - level), 4) for value in values]}
            )
            if name in GIVEN:
                curves[-1]["values"] = GIVEN[name]
            start += len(knots)
        return {"intercept": round(intercept, 4), "curves": curves}


def chosen(features):
    """Rows that take part in fitting: the most promising of each reading of the whole task, and all relevant ones."""
    cosine = features.values[:, features.columns.index("cosine")]
    words = features.values[:, features.columns.index("words")]
    promise = 0.7 * np.nan_to_num(cosine) + 0.3 * words
    keep = np.zeros(len(promise), bool)
    requests = features.owner[:, 0]
    starts = np.flatnonzero(np.r_[True, requests[1:] != requests[:-1]])
    for start, end in zip(starts, np.r_[starts[1:], len(requests)]):
        whole = np.arange(start, end)[features.owner[start:end, 1] == 0]
        keep[whole[np.argsort(-promise[whole])[:CANDIDATES]]] = True
        keep[whole[features.owner[whole, 3] > 0]] = True
    return keep


def together(sets, curves):
    """Basis, labels and weights of several sets, each set weighing the same."""
    x, y, weight = [], [], []
    for features in sets:
        rows = features.keep
        x.append(basis(features.values[rows], features.columns, curves))
        y.append((features.owner[rows, 3] > 0).astype(np.float32))
        owners = features.owner[rows, 0].astype(int)
        unanswerable = np.array([request["relevant"] == 0 for request in features.requests])
        requests = len(np.unique(owners))
        weight.append(np.where(unanswerable[owners], UNANSWERABLE_WEIGHT, 1.0).astype(np.float32) / requests)
    return np.concatenate(x), np.concatenate(y), np.concatenate(weight)


def fitted(sets, curves):
    x, y, weight = together(sets, curves)
    mean = np.average(x, axis=0, weights=weight)
    return Ranker(curves, fit(x, y, weight, curves)), mean


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("features", type=pathlib.Path)
    parser.add_argument("--fit", default="written_", help="beginning of the names of the sets to fit")
    parser.add_argument("--context", nargs="*", default=["bfcl_v4", "tooltalk"], help="sets to fit the context on")
    parser.add_argument("--provenance", default="", help="what to say of the origin in the file")
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    sets = [Features(path) for path in sorted(arguments.features.glob("*.jsonl"))]
    for features in sets:
        features.keep = chosen(features)
    learnt = [features for features in sets if features.name.startswith(arguments.fit)]
    others = [features for features in sets if features not in learnt]
    full, mean = fitted(learnt, MEANING)
    print(measures.HEADER)
    for features in others:
        log_odds = full.log_odds(features)
        print(measures.line(features, log_odds), flush=True)
        print(measures.kinds(features, log_odds), flush=True)
    public = [measures.ndcg(features, full.log_odds(features)) for features in others if features.name != "mcp87"]
    print(f"mean NDCG@10 of {len(public)} sets beside mcp87: {np.mean(public):.4f}")
    if arguments.out:
        words, words_mean = fitted(learnt, WORDS)
        with_context = [features for features in others if features.name in arguments.context]
        context, context_mean = fit_context(with_context, full)
        file = {
            "provenance": arguments.provenance,
            "meaning": full.file(mean),
            "words": words.file(words_mean),
            "context": context.file(context_mean),
        }
        file["context"]["intercept"] = 0.0
        arguments.out.write_text(dump(file) + "\n")


def fit_context(sets, full):
    """What a context adds, where a set has one; the ranker itself stays as it is."""
    x, y, weight, offset = [], [], [], []
    for features in sets:
        rows = features.keep & ~np.isnan(features.values[:, features.columns.index("context_words")])
        if rows.any():
            x.append(basis(features.values[rows], features.columns, CONTEXT))
            y.append((features.owner[rows, 3] > 0).astype(np.float32))
            weight.append(np.full(rows.sum(), 1.0 / len(np.unique(features.owner[rows, 0])), np.float32))
            offset.append(full.log_odds(features, rows))
    x, y, weight, offset = map(np.concatenate, (x, y, weight, offset))
    mean = np.average(x, axis=0, weights=weight)
    return Ranker(CONTEXT, fit(x, y, weight, CONTEXT, offset)), mean


def dump(file):
    """JSON with one curve a line, so that a change of the numbers can be read."""
    lines = ["{", f'  "provenance": {json.dumps(file["provenance"])},']
    names = [name for name in ("meaning", "words", "context") if name in file]
    for name in names:
        lines.append(f'  "{name}": {{"intercept": {file[name]["intercept"]}, "curves": [')
        lines.append(",\n".join(f"    {json.dumps(curve)}" for curve in file[name]["curves"]))
        lines.append("  ]}" + ("," if name != names[-1] else ""))
    return "\n".join(lines + ["}"])


if __name__ == "__main__":
    main()
