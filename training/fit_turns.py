#!/usr/bin/env python3
"""How does evidence become the probability that a turn needs a tool? Fits the two models of a turn.

    python fit_turns.py EVIDENCE_DIR --out ../crates/conversation/data/turns.json --learn billing clinic ...

EVIDENCE_DIR holds two files a domain, written by the example `evidence` of crates/conversation: with its past
conversations and without (`-bare`). The first model looks at each tool alone; the second also at what the tools that
the first one finds probable need, and at what past conversations called beside them. Domains are judged by models that
saw nothing of them: every domain of --learn by one fitted on the others, every other domain by the final one.
"""

import argparse
import collections
import json
import pathlib

import lightgbm
import numpy as np

SEED = 7
PARTS = 3  # the first model judges each third of the domains as fitted on the others
MORE = ["alone_odds", "alone_gap", "alone_rank", "supplies_need", "supplies_rank", "supplies_sure", "follows_likely", "beside_likely"]
ABSENT = -1e9  # absent numbers go left in every tree
HELPFUL_WEIGHT = 0.3  # neither needed nor noise
ALONE = dict(num_leaves=8, max_depth=4, learning_rate=0.03, n_estimators=300, min_child_samples=15, reg_lambda=2.0,
             colsample_bytree=0.3, subsample=0.8, subsample_freq=1)
TOGETHER = dict(ALONE, n_estimators=240)
# Which way evidence may count; what is not listed may count either way.
RISING = {name: 1 for name in ("own_odds", "own_cosine", "context_odds", "context_cosine", "example_own", "example_context",
                               "memory_closest", "memory_share", "offer_odds", "alone_odds", "follows_last", "supplies_need",
                               "follows_likely", "beside_likely", "acts_on_given", "page_id", "fills", "parameter_words")}
RISING |= {name: -1 for name in ("own_gap", "own_rank", "context_gap", "context_rank", "example_gap", "alone_gap", "alone_rank",
                                 "supplies_rank")}


class Turn:
    def __init__(self, line, domain):
        self.domain = domain
        self.message, self.conversation = line["message"], line["conversation"]
        self.names, self.labels = line["names"], np.array(line["labels"])
        self.numbers = np.array([[ABSENT if v is None else v for v in row] for row in line["numbers"]], np.float32)
        self.supplies, self.follows, self.beside = line["supplies"], line["follows"], line["beside"]
        self.never = len(line["never"])
        self.idle = line["turn_type"] == "SMALLTALK"
        self.line = line

    def together(self, alone):
        """The numbers of the second model, as crates/conversation/src/together.rs makes them."""
        probable = 1 / (1 + np.exp(-alone))
        need, rank, sure = np.zeros(len(alone)), np.full(len(alone), ABSENT), np.zeros(len(alone))
        groups = collections.defaultdict(list)
        for provider, consumer, name, confidence in self.supplies:
            if provider != consumer:
                groups[consumer, name].append((provider, confidence))
        for (consumer, _), providers in sorted(groups.items()):
            providers.sort(key=lambda p: (-probable[p[0]] * p[1], p[0]))
            for place, (provider, confidence) in enumerate(providers):
                if probable[consumer] * confidence > need[provider]:
                    need[provider], rank[provider], sure[provider] = probable[consumer] * confidence, place, confidence
        follows, beside = np.zeros(len(alone)), np.zeros(len(alone))
        for table, links in ((follows, self.follows), (beside, self.beside)):
            for tool, other, share in links:
                if tool != other:
                    table[other] = max(table[other], probable[tool] * share)
        order = np.argsort(np.argsort(-alone, kind="stable"), kind="stable")
        more = [alone, alone.max() - alone, order, need, rank, sure, follows, beside]
        return np.hstack([self.numbers, np.array(more, np.float32).T])

    def target(self):
        return (self.labels >= 2).astype(float)

    def weight(self):
        return np.where(self.labels == 1, HELPFUL_WEIGHT, np.where(self.labels == 3, 0.5, 1.0))


def load(folder, domain):
    turns, names = [], None
    for suffix in ("", "-bare"):
        with open(folder / f"{domain}{suffix}.jsonl") as file:
            names = json.loads(next(file))["evidence"]
            turns += [Turn(json.loads(line), domain + suffix) for line in file]
    return [turn for turn in turns if len(turn.labels)], names


def train(turns, matrices, names, settings):
    x = np.vstack(matrices)
    y = np.concatenate([turn.target() for turn in turns])
    w = np.concatenate([turn.weight() for turn in turns])
    model = lightgbm.LGBMClassifier(**settings, random_state=SEED, n_jobs=1, verbose=-1, deterministic=True, force_row_wise=True,
                                    monotone_constraints=[RISING.get(name, 0) for name in names], use_missing=False)
    return model.fit(x, y, sample_weight=w)


def odds(model, matrix):
    return model.predict(matrix, raw_score=True) if len(matrix) else np.zeros(0)


def fit(turns, names):
    """Both models. The second one learns from what the first says of domains that it did not see."""
    active = [turn for turn in turns if not turn.idle]
    alone = train(active, [turn.numbers for turn in active], names, ALONE)
    domains = sorted({turn.domain.removesuffix("-bare") for turn in active})
    part = {domain: number % PARTS for number, domain in enumerate(domains)}
    unseen = {}
    for number in range(PARTS):
        others = [turn for turn in active if part[turn.domain.removesuffix("-bare")] != number]
        model = train(others, [turn.numbers for turn in others], names, ALONE)
        for turn in active:
            if part[turn.domain.removesuffix("-bare")] == number:
                unseen[id(turn)] = odds(model, turn.numbers)
    together = train(active, [turn.together(unseen[id(turn)]) for turn in active], names + MORE, TOGETHER)
    return alone, together


def choose(turn, score, keep, cap):
    """The tools handed out, lookups included: as crates/conversation/src/{turn,lookups}.rs do."""
    chosen = [i for i in np.argsort(-score, kind="stable")[:cap] if score[i] >= keep]
    groups = collections.defaultdict(list)
    for provider, consumer, name, confidence in turn.supplies:
        if provider != consumer:
            groups[consumer].append((name, provider, confidence))
    there, level = set(chosen), list(chosen)
    required = turn.numbers[:, turn.columns.index("missing")]
    for _ in range(3):
        following = []
        for consumer in level:
            if required[consumer] <= 0:
                continue
            for name in sorted({name for name, _, _ in groups[consumer]}):
                providers = [(score[p] + 0.2 * c, p) for n, p, c in groups[consumer] if n == name]
                if not any(p in there for _, p in providers):
                    best = max(providers, key=lambda item: (item[0], -item[1]))[1]
                    there.add(best)
                    following.append(best)
        level = following
    return there


def judge(turns, scores, keep, cap=10):
    found = wanted = complete = asked = shown = noise = 0
    for turn, score in zip(turns, scores):
        picked = set() if turn.idle else choose(turn, score, keep, cap)
        needed = set(np.flatnonzero(turn.labels == 2))
        shown += len(picked)
        noise += sum(turn.labels[i] == 0 for i in picked)
        if needed or turn.never:
            asked += 1
            wanted += len(needed) + turn.never
            found += len(needed & picked)
            complete += needed <= picked and not turn.never
    return found / wanted, complete / asked, shown / len(turns), noise / len(turns)


def show(turns, scores, keeps):
    domains = sorted({turn.domain for turn in turns})
    for keep in keeps:
        print(f"keep {keep:.3f}   found complete  shown  noise")
        for domain in domains + ["traced", "bare"]:
            pick = [i for i, turn in enumerate(turns) if turn.domain == domain or (domain in ("traced", "bare") and turn.domain.endswith("-bare") == (domain == "bare"))]
            row = judge([turns[i] for i in pick], [scores[i] for i in pick], keep)
            if domain in ("traced", "bare") or len(keeps) == 1:
                print(f"  {domain:18} {row[0]:6.3f} {row[1]:7.3f} {row[2]:6.2f} {row[3]:6.2f}")


def export(model, names):
    dump = model.booster_.dump_model()
    trees = []
    for tree in dump["tree_info"]:
        nodes = []

        def walk(node):
            place = len(nodes)
            nodes.append(None)
            if "leaf_value" in node:
                nodes[place] = [round(node["leaf_value"], 5)]
                return place
            left, right = walk(node["left_child"]), walk(node["right_child"])
            nodes[place] = [node["split_feature"], float(np.float32(node["threshold"])), left, right]
            return place

        walk(tree["tree_structure"])
        trees.append(nodes)
    return {"evidence": names, "base": 0.0, "trees": trees}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--learn", nargs="+", required=True)
    parser.add_argument("--judge", nargs="*", default=[])
    parser.add_argument("--keep", nargs="+", type=float, default=[0.02, 0.03, 0.04, 0.05, 0.07, 0.1])
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--misses", type=int, default=0)
    arguments = parser.parse_args()
    turns, names = [], None
    for domain in arguments.learn:
        more, names = load(arguments.folder, domain)
        turns += more
    for turn in turns:
        turn.columns = names
    judged, scores = [], []
    for domain in arguments.learn:
        rest = [turn for turn in turns if turn.domain.removesuffix("-bare") != domain]
        alone, together = fit(rest, names)
        for turn in turns:
            if turn.domain.removesuffix("-bare") == domain:
                judged.append(turn)
                scores.append(1 / (1 + np.exp(-odds(together, turn.together(odds(alone, turn.numbers))))))
    print("each domain judged by models of the others")
    show(judged, scores, arguments.keep)
    if arguments.misses:
        worst = []
        for turn, score in zip(judged, scores):
            if turn.domain.endswith("-bare"):
                continue
            picked = set() if turn.idle else choose(turn, score, arguments.keep[0], 10)
            missing = [turn.names[i] for i in np.flatnonzero(turn.labels == 2) if i not in picked]
            if missing or turn.never:
                worst.append((turn, missing, [(turn.names[i], round(float(score[i]), 3)) for i in np.argsort(-score)[:6]]))
        for turn, missing, top in worst[: arguments.misses]:
            print(turn.domain, turn.conversation, "|", turn.message, "|", turn.line["turn_type"], turn.line["leaning"], "|", turn.line["with_context"], "| MISSING", missing, turn.line["never"], "| TOP", top)
    if arguments.out:
        alone, together = fit(turns, names)
        provenance = {"by": "training/fit_turns.py", "learned from": arguments.learn, "turns": len(turns), "seed": SEED,
                      "lightgbm": lightgbm.__version__}
        model = {"provenance": provenance, "alone": export(alone, names), "together": export(together, names + MORE)}
        arguments.out.write_text(json.dumps(model, separators=(",", ":")).replace('],[[', '],\n[[') + "\n")
        print("wrote", arguments.out, arguments.out.stat().st_size, "bytes")
        for domain in arguments.judge:
            others, _ = load(arguments.folder, domain)
            for turn in others:
                turn.columns = names
            print("judge", domain)
            show(others, [1 / (1 + np.exp(-odds(together, t.together(odds(alone, t.numbers))))) for t in others], arguments.keep)


main()
