"""How good are the rankings (of the variant `full`), the abstention and the calibration of a ranker? Measures as in `handpick eval`."""

import collections

import numpy as np

HEADER = "set            requests  NDCG@10 hit@1 hit@5 complete@10 | mix NDCG@10 | AUROC | ECE top5 top1"


def rankings(features, log_odds):
    """Per request: (request, [(log odds, label) best first])."""
    best = collections.defaultdict(dict)
    for (number, _, position, label), score in zip(features.owner, log_odds):
        known = best[int(number)].get(int(position))
        if known is None or score > known[0]:
            best[int(number)][int(position)] = (float(score), label)
    for number, request in enumerate(features.requests):
        if request.get("variant", "full") == "full" and best[number]:
            yield request, sorted(best[number].values(), key=lambda item: -item[0])


def judge(request, ranking):
    judged = [label for _, label in ranking if label != 0.5][:10]
    gain = sum(1 / np.log2(rank + 2) for rank, label in enumerate(judged) if label == 1)
    ideal = sum(1 / np.log2(rank + 2) for rank in range(min(10, request["relevant"])))
    labels = [label > 0 for _, label in ranking]
    top = [label for _, label in ranking[:10]]
    return gain / ideal, float(any(labels[:1])), float(any(labels[:5])), float(top.count(1) == request["relevant"])


def mix(features):
    """The fixed mix that the ranker is to beat: .3 relative BM25 and .7 relative cosine."""
    column = lambda name: features.values[:, features.columns.index(name)]
    gap, words = column("cosine_gap"), column("words")
    return np.where(features.owner[:, 1] == 0, 0.7 * (1 - gap / 0.8) + 0.3 * words, -9)


def ndcg(features, log_odds):
    return float(np.mean([judge(r, ranking)[0] for r, ranking in rankings(features, log_odds) if r["relevant"]]))


def auroc(above, below):
    if not above or not below:
        return float("nan")
    above, below = np.asarray(above), np.asarray(below)
    return float(np.mean((above[:, None] > below) + 0.5 * (above[:, None] == below)))


def ece(probabilities, right, bins=10):
    """Expected calibration error in bins of equal width."""
    probabilities, right = np.asarray(probabilities), np.asarray(right, float)
    if not len(right):
        return float("nan")
    which = np.minimum((probabilities * bins).astype(int), bins - 1)
    parts = [which == number for number in range(bins)]
    return float(
        sum(part.sum() * abs(probabilities[part].mean() - right[part].mean()) for part in parts if part.any())
        / len(right)
    )


def line(features, log_odds):
    judged, tops, five, one = [], {True: [], False: []}, ([], []), ([], [])
    for request, ranking in rankings(features, log_odds):
        tops[bool(request["relevant"])].append(ranking[0][0])
        for rank, (score, label) in enumerate(ranking[:5]):
            for population in [five] + ([one] if rank == 0 else []):
                population[0].append(1 / (1 + np.exp(-score)))
                population[1].append(label > 0)
        if request["relevant"]:
            judged.append(judge(request, ranking))
    means = np.mean(judged, axis=0)
    return (
        f"{features.name:<14} {len(judged):>8}  {means[0]:.3f}   {means[1]:.2f}  {means[2]:.2f}  {means[3]:.2f}        "
        f"| {ndcg(features, mix(features)):.3f}       | {auroc(tops[True], tops[False]):.2f}  "
        f"| {ece(*five):.3f} {ece(*one):.3f}{floor(tops)}"
    )


def floor(tops):
    """The share of unanswerable requests below the top score that 5 % of the answerable ones do not reach."""
    if not tops[False]:
        return ""
    limit = np.quantile(tops[True], 0.05)
    share = np.mean(np.asarray(tops[False]) < limit)
    return f" | at 5 % wrongly empty (p {1 / (1 + np.exp(-limit)):.3f}): {share:.2f} of none empty"


def kinds(features, log_odds):
    groups = collections.defaultdict(list)
    for request, ranking in rankings(features, log_odds):
        if request["relevant"]:
            groups[request["kind"]].append(judge(request, ranking))
    cells = [f"{kind} {'/'.join(f'{mean:.2f}' for mean in np.mean(group, axis=0))}" for kind, group in groups.items()]
    return "    " + " | ".join(cells)
