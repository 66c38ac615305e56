#!/usr/bin/env python3
"""How probable is it that a tool with its arguments is what a request in words asks for? Fits the two models.

    handpick eval unified ../quality/unified/fit.jsonl --catalogs CATALOGS --signals fit-signals.jsonl
    handpick eval unified ../quality/unified/dev.jsonl --catalogs CATALOGS --signals dev-signals.jsonl
    python fit_unified.py fit-signals.jsonl --tuned dev-signals.jsonl --out ../crates/operations/data/unified.json

The first model tells whether a tool is the one meant, over all tools that arguments were read for; the second, over the
meant ones alone, whether the arguments are exactly what was said. Their product is the probability. `caution` moves it
so that, over requests held back, fewer than one in a hundred is wrongly executed at the fixed line of 0.7.
Weights may only count the way that evidence can count; what is printed is what requests get from models that have not
seen them. Requests of --tuned are those the reading of arguments was tuned on: it errs on them less than elsewhere, so
they count little for the second model, and nothing for the choice of `caution`.
"""

import argparse
import json
import pathlib

import numpy as np
from scipy.optimize import minimize

NEEDED = 0.7
WRONG_MAX = 0.0075  # of all requests: below the one in a hundred that may be, since requests written for fitting are easier
PENALTY = 0.5  # what a tool that destroys must have more, in log odds, at least
FOLDS, REPEATS, SEED = 10, 10, 7
TUNED_WEIGHT = 0.25  # of the arguments of a request that they were tuned on
# Which way evidence counts; 0 lets the data say.
TOOL = {"tool": 1, "lead": 1, "fits": 1, "exact_name": 1, "action": 1, "cosine_gap": -1, "name_found": 1, "explained": 1,
        "explained_lead": 1, "missing": -1, "nothing_needed": -1, "explicit_id": 1,
        "left_words": -1, "left_objects": -1, "left_values": -1, "left_named": -1, "left_context": -1, "ready_lead": 1,
        "stray_id": -1, "opposed": -1,
        "twin": -1, "kin": -1, "done_elsewhere": -1, "app_named": 1, "all_said": 1, "mean_sure": 1, "least_sure": 1,
        "weak_optional": -1, "weak_target": -1}
ARGUMENTS = {"least_sure": 1, "mean_sure": 1, "least_required": 1, "explained": 1, "torn": -1, "weak_optional": -1, "whole_text": -1,
             "optional": -1, "required": -1, "from_context": 0, "explicit_id": 1,
             "left_words": -1, "left_objects": -1, "left_values": -1, "left_named": -1, "torn_off": -1,
             "left_described": -1, "left_modifiers": -1, "left_siblings": -1, "stray_id": -1}
# Too rare in the data to be fitted, and plain in what they mean: who writes a tool's exact name means that tool; a
# value, a parameter's name, a member of a list or a `for X` that no argument takes up was overlooked; a tool that does
# the opposite was not meant, nor an id for something else (1 where that may be, 2 where it is plain), nor a tool
# beside one that is called after the verb of the request.
GIVEN = {"tool": {"exact_name": 3.0, "opposed": -4.0, "done_elsewhere": -4.0},
         "arguments": {"left_objects": -6.0, "left_values": -5.5, "left_named": -7.0, "left_siblings": -7.0,
                       "left_described": -6.0, "left_modifiers": -6.0, "stray_id": -5.0}}
SIZE = {"tool": 0.001, "arguments": 0.001}  # penalty on weights, beside the mean loss of a row


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


class Logistic:
    """A logistic model with weights of known sign, over standardised signals."""

    def __init__(self, signs, size, given):
        self.signs, self.size, self.given = signs, size, given

    def fit(self, x, y, weight):
        self.scale = np.maximum(x.std(axis=0), 1e-3)
        z = x / self.scale
        weight = weight / weight.sum()

        def loss(parameters):
            odds = parameters[0] + z @ parameters[1:]
            value = weight @ (np.logaddexp(0, odds) - y * odds) + self.size * parameters[1:] @ parameters[1:] / 2
            slope = weight * (sigmoid(odds) - y)
            return value, np.concatenate([[slope.sum()], slope @ z + self.size * parameters[1:]])

        allowed = {1: (0, None), -1: (None, 0), 0: (None, None)}
        given = [self.given[name] * scale if name in self.given else None for name, scale in zip(self.signs, self.scale)]
        bounds = [(None, None)] + [(g, g) if g is not None else allowed[sign] for g, sign in zip(given, self.signs.values())]
        best = minimize(loss, np.array([0.0] + [g or 0.0 for g in given]), jac=True, method="L-BFGS-B", bounds=bounds)
        self.intercept, self.weights = best.x[0], best.x[1:] / self.scale
        return self

    def probability(self, x):
        return sigmoid(self.intercept + x @ self.weights)

    def file(self):
        weights = {name: round(float(weight), 4) for name, weight in zip(self.signs, self.weights) if abs(weight) > 5e-5}
        return {"intercept": round(float(self.intercept), 4), "weights": weights}


class Rows:
    """Every tool that arguments were read for, of every request."""

    def __init__(self, fresh, tuned):
        read = lambda path, is_tuned: [json.loads(line) | {"tuned": is_tuned} for line in open(path)]
        self.requests = [request for path in fresh for request in read(path, False)]
        self.requests += [request for path in tuned for request in read(path, True)]
        self.tuned = np.array([request["tuned"] for request in self.requests])
        rows = [(nth, row) for nth, request in enumerate(self.requests) for row in request["candidates"]]
        self.request = np.array([nth for nth, _ in rows])
        column = lambda key: np.array([row[key] for _, row in rows], bool)
        self.meant, self.right, self.held = column("meant"), column("right"), column("held")
        self.signals = [row["signals"] for _, row in rows]
        self.destroys = np.array([row["signals"]["destroys"] for _, row in rows])
        self.runs = np.array([request["kind"] == "run" for request in self.requests])
        self.destructive = np.array([request["destructive"] for request in self.requests])

    def matrix(self, names):
        return np.array([[row[name] for name in names] for row in self.signals], float)


class Both:
    def fit(self, rows, chosen, x_tool, x_arguments):
        weight = np.ones(chosen.sum())
        self.tool = Logistic(TOOL, SIZE["tool"], GIVEN["tool"]).fit(x_tool[chosen], rows.meant[chosen].astype(float), weight)
        # Where a value is missing nothing runs: what its arguments look like teaches nothing.
        of_meant = chosen & rows.meant & rows.runs[rows.request] & ~rows.held
        y = rows.right[of_meant].astype(float)
        weight = np.where(rows.tuned[rows.request[of_meant]], TUNED_WEIGHT, 1.0)
        self.arguments = Logistic(ARGUMENTS, SIZE["arguments"], GIVEN["arguments"]).fit(x_arguments[of_meant], y, weight)
        return self

    def judge(self, x_tool, x_arguments):
        """The probability of each tool, and the logarithm of the odds of tool and arguments together."""
        tool = self.tool.probability(x_tool)
        p = np.clip(tool * self.arguments.probability(x_arguments), 1e-6, 1 - 1e-6)
        return np.stack([tool, np.log(p / (1 - p))])


def firsts(rows, tool):
    """The tool that is most probably meant by each request: the only one that may run."""
    best = np.full(len(rows.requests), -1)
    for row in np.argsort(tool, kind="stable"):
        best[rows.request[row]] = row
    return best[best >= 0]


def held_back(rows, x_tool, x_arguments, seed):
    judged = np.zeros((2, len(rows.request)))
    part = np.random.default_rng(seed).permutation(len(rows.requests)) % FOLDS
    for fold in range(FOLDS):
        out = part[rows.request] == fold
        judged[:, out] = Both().fit(rows, ~out, x_tool, x_arguments).judge(x_tool[out], x_arguments[out])
    return judged


def outcome(rows, judged, caution, penalty, of):
    """What comes of the requests `of`."""
    tool, odds = judged
    odds = odds - caution - penalty * rows.destroys
    first = firsts(rows, tool)
    first = first[of[rows.request[first]]]
    runs = (sigmoid(odds[first]) >= NEEDED) & ~rows.held[first]
    right = rows.right[first]
    request = rows.request[first]
    wrong = runs & ~right
    should = rows.runs[of].sum()
    said, free = sigmoid(odds[first]), ~rows.held[first]
    bins = np.where(free, np.minimum((said * 10).astype(int), 9), -1)
    return {
        "executed": (runs & right).sum() / should,
        "wrongly_asked": 1 - ((runs & right).sum() + (wrong & rows.runs[request]).sum()) / should,
        "wrong": wrong.sum() / of.sum(),
        "wrong_destructive": (wrong & (rows.destructive[request] | (rows.destroys[first] > 0))).sum(),
        "calibration_error": sum(abs((said[bins == b] - right[bins == b]).sum()) for b in range(10)) / free.sum(),
        "which": [rows.requests[nth]["id"] for nth in request[wrong]],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("signals", type=pathlib.Path, nargs="+")
    parser.add_argument("--tuned", type=pathlib.Path, nargs="*", default=[])
    parser.add_argument("--provenance", default="training/fit_unified.py on quality/unified/fit.jsonl and dev.jsonl")
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    rows = Rows(arguments.signals, arguments.tuned)
    x_tool, x_arguments = rows.matrix(TOOL), rows.matrix(ARGUMENTS)
    runs = [held_back(rows, x_tool, x_arguments, SEED + repeat) for repeat in range(REPEATS)]
    fresh = ~rows.tuned
    mean = lambda key, caution, penalty, of: np.mean([outcome(rows, run, caution, penalty, of)[key] for run in runs])
    penalty = PENALTY
    caution = next((c for c in np.arange(0, 6, 0.05) if mean("wrong", c, penalty, fresh) < WRONG_MAX), 6.0)
    # Nothing that destroys may run wrongly, in no repeat.
    while max(outcome(rows, run, caution, penalty, fresh)["wrong_destructive"] for run in runs) > 0 and penalty < 5:
        penalty += 0.1
    keys = ("executed", "wrongly_asked", "wrong", "wrong_destructive", "calibration_error")
    for c in sorted({0.0, round(caution / 2, 2), round(caution, 2)}):
        for name, of in (("fresh", fresh), ("tuned", rows.tuned)):
            if of.any():
                told = {key: round(float(mean(key, c, penalty, of)), 4) for key in keys}
                print(f"held back, {name}, caution {c:.2f}, penalty {penalty:.1f}: {told}")
    often = {}
    for run in runs:
        for name in outcome(rows, run, caution, penalty, fresh | rows.tuned)["which"]:
            often[name] = often.get(name, 0) + 1
    print("wrongly executed, of", REPEATS, "repeats:", dict(sorted(often.items(), key=lambda item: -item[1])))
    both = Both().fit(rows, np.ones(len(rows.request), bool), x_tool, x_arguments)
    model = {
        "provenance": arguments.provenance,
        "tool": both.tool.file(),
        "arguments": both.arguments.file(),
        "caution": round(float(caution), 3),
        "destructive_penalty": round(float(penalty), 3),
    }
    text = json.dumps(model, indent=2)
    print(text)
    if arguments.out:
        arguments.out.write_text(text + "\n")


if __name__ == "__main__":
    main()
