#!/usr/bin/env python3
"""How do the signals of a whole answer become the probability that anything fits? Fits it, and chooses the floor.

    python fit_answerability.py SIGNALS_DIR --judge mcp87 demo --out ../crates/selection/data/answerability.json

SIGNALS_DIR holds one file a set, written by the example `answerability` of crates/selection. The floor is chosen on
requests held back corner by corner; the sets of `--judge` take no part in anything.
"""

import argparse
import json
import pathlib

import numpy as np

import fit_ranker
from measures import auroc

# Knots of each curve; the ends are level. A signal that is absent adds nothing.
MEANING = {
    "fit": [-4.0, -2.5, -1.5, -0.5, 0.5, 2.0],
    "lead": [0.0, 0.7, 1.4, 2.2, 3.2, 5.0],
    "cosine": [0.15, 0.3, 0.4, 0.5, 0.6, 0.75],
    "cosine_mean": [-0.06, -0.02, 0.02, 0.06, 0.1, 0.15],
    "vendor": [-1.0, 0.0, 1.0],
}
WORDS = {name: MEANING[name] for name in ("fit", "lead", "vendor")}
WORDS |= {"app_lead": [0.0, 0.5, 1.0, 2.0, 3.5], "coverage": [0.0, 0.15, 0.3, 0.5, 0.8, 1.0]}
# All can only speak for it that something fits, the more there is of them.
RISING = dict.fromkeys(MEANING | WORDS, 1)
# Of the weight of unanswerable requests. Near misses differ from other requests in what they ask for at all, so that a
# model could tell them without a look at the tools; requests that have lost their tools cannot be told so.
NEAR_MISSES, LOST_APPS, LOST_TOOLS = 0.25, 0.45, 0.3
# Requests in six voices differ less in what they ask for, so their near misses may weigh more, and each of them counts double.
VOICES, VOICES_NEAR_MISSES = 2.0, 0.5
SMALL = 60  # tools: catalogs below it are weighed apart from those above
RATIO = 5.0  # answerable requests for one that is not, where the product is used
WRONGLY_EMPTY = 0.05  # what the floor may cost: of held-back answerable requests, every source counting the same
FOLDS = 3


class Answers:
    """All answers of all sets."""

    def __init__(self, folder):
        self.rows, self.names = [], []
        for path in sorted(folder.glob("*.jsonl")):
            with open(path) as file:
                self.names = json.loads(next(file))["signals"]
                self.rows += [json.loads(line) | {"set": path.stem} for line in file]
        column = lambda key: np.array([row[key] for row in self.rows])
        self.set, self.variant, self.tools = column("set"), column("variant"), column("tools")
        self.fits = column("answerable").astype(bool)
        self.near_miss = ~self.fits & np.isin(self.variant, ["full", "few"])
        corner = {row["text"]: row["set"].split("_")[-1] for row in self.rows if row["set"].startswith(("written_", "voices_"))}
        # The same request must not be fitted over one catalog and judge over another.
        self.group = np.array([corner.get(row["text"], row["set"]) for row in self.rows])

    def basis(self, by, curves):
        values = [[row[by][self.names.index(name)] for name in curves] for row in self.rows]
        return fit_ranker.basis(np.array(values, np.float32), list(curves), curves)

    def weights(self, judges):
        """Each source and size weighs the same on both sides."""
        written = np.char.startswith(self.set, "written_")
        together = self.set == "together"
        voices = np.char.startswith(self.set, "voices_")
        public = ~written & ~together & ~voices & ~np.isin(self.set, judges)
        lost_apps = ~self.fits & np.isin(self.variant, ["absent", "neither"])
        weight = np.zeros(len(self.rows))
        for source, times in ((written, 1.0), (together, 1.0), (public, 1.0), (voices, VOICES)):
            near = VOICES_NEAR_MISSES if source is voices else NEAR_MISSES
            lost = (1 - near) / (LOST_APPS + LOST_TOOLS)
            for size, share in ((self.tools >= SMALL, 0.3), (self.tools < SMALL, 0.12)):
                part = source & size
                sides = [
                    [(self.fits, 1.0)],
                    [
                        (self.near_miss, near),
                        (lost_apps, lost * LOST_APPS),
                        (self.variant == "removed", lost * LOST_TOOLS),
                    ],
                ]
                for side in sides:
                    known = [(part & rows, of_side) for rows, of_side in side if (part & rows).sum() >= 15]
                    total = sum(of_side for _, of_side in known)
                    for rows, of_side in known:
                        weight[rows] = times * share * of_side / total / rows.sum()
        return weight / weight.sum()


def fitted(x, answers, weight, rows, curves):
    fit_ranker.RISING = RISING
    y = answers.fits[rows].astype(float)
    parameters = fit_ranker.fit(x[rows], y, weight[rows] / weight[rows].sum(), curves)
    parameters[0] += np.log(RATIO)
    return parameters


def log_odds(x, parameters):
    return parameters[0] + x @ parameters[1:].astype(np.float32)


def held_back(x, answers, weight, curves):
    """What every request gets from a model that saw no request of its corner or set."""
    scores = np.full(len(answers.rows), np.nan)
    groups = sorted(set(answers.group[weight > 0]))
    for fold in (groups[start::FOLDS] for start in range(FOLDS)):
        out = np.isin(answers.group, fold)
        parameters = fitted(x, answers, weight, np.flatnonzero(~out & (weight > 0)), curves)
        scores[out] = log_odds(x[out], parameters)
    return scores


def cost_limit(answers, scores, judges):
    """Below which score WRONGLY_EMPTY of the answerable requests lie, each source weighing the same."""
    source = np.where(np.char.startswith(answers.set, "written_"), "written", answers.set)
    source = np.where(np.char.startswith(answers.set, "voices_"), "voices", source)
    judged = answers.fits & (answers.variant == "full") & ~np.isin(answers.set, judges)
    scores, source = scores[judged], source[judged]
    share = np.array([1 / np.sum(source == name) for name in source]) / len(set(source))
    order = np.argsort(scores)
    at = np.searchsorted(np.cumsum(share[order]), WRONGLY_EMPTY)
    # Just above it: requests that share no word with any tool all have the same score, and get nothing.
    return scores[order][at] + 1e-3


def report(answers, scores, sets, floor):
    for name in sets:
        here = (answers.set == name) if isinstance(name, str) else np.isin(answers.set, name)
        label = name if isinstance(name, str) else "all written"
        fits = scores[here & answers.fits & (answers.variant == "full")]
        cells = [f"{label:<16} wrongly empty {np.mean(fits < floor):.3f}"]
        for kind, rows in (
            ("near misses", answers.near_miss & (answers.variant == "full")),
            ("apps lost", answers.variant == "absent"),
            ("tools lost", answers.variant == "removed"),
        ):
            nothing = scores[here & rows]
            if len(nothing) >= 15:
                cells.append(f"{kind} {auroc(list(fits), list(nothing)):.3f}, empty {np.mean(nothing < floor):.2f}")
        print(" | ".join(cells), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("signals", type=pathlib.Path)
    parser.add_argument("--judge", nargs="*", default=[], help="sets that only judge")
    parser.add_argument("--provenance", default="", help="what to say of the origin in the file")
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    answers = Answers(arguments.signals)
    weight = answers.weights(arguments.judge)
    sets = sorted(set(answers.set) - set(arguments.judge))
    models, limit = {}, None
    for by, curves in (("meaning", MEANING), ("words", WORDS)):
        x = answers.basis(by, curves)
        scores = held_back(x, answers, weight, curves)
        own = cost_limit(answers, scores, arguments.judge)
        limit = own if limit is None else limit
        # There is one floor: what words alone say is moved to where it costs the same.
        shift = limit - own
        print(f"\n{by}: the floor is {1 / (1 + np.exp(-limit)):.3f}, moved by {shift:.3f}")
        report(answers, scores + shift, [[name for name in sets if name.startswith("written_")], *sets], limit)
        parameters = fitted(x, answers, weight, np.flatnonzero(weight > 0), curves)
        parameters[0] += shift
        print("judges:")
        report(answers, log_odds(x, parameters), arguments.judge, limit)
        mean = np.average(x, axis=0, weights=weight)
        models[by] = fit_ranker.Ranker(curves, parameters).file(mean)
    if arguments.out:
        arguments.out.write_text(fit_ranker.dump({"provenance": arguments.provenance} | models) + "\n")


if __name__ == "__main__":
    main()
