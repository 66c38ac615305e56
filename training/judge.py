"""How well does an encoder alone find the tools? NDCG@10, hit@1, hit@5 by set and kind."""

import collections

import numpy as np


def measure(model, labelled, limit=400):
    """kind -> (requests, NDCG@10, hit@1, hit@5), and `all` over the answerable ones; AUROC of the best cosine."""
    requests = labelled.requests
    if len(requests) > limit:
        requests = [requests[index * len(requests) // limit] for index in range(limit)]
    tools = model.encode([text for _, _, text in labelled.tools])
    cosines = model.encode([text for text, *_ in requests]) @ tools.T
    kinds = collections.defaultdict(list)
    best = {True: [], False: []}
    for row, (_, relevant, accepted, kind) in zip(cosines, requests):
        best[bool(relevant)].append(row.max())
        if relevant:
            kinds[kind].append(score(row, relevant, accepted))
    if len(kinds) > 8:
        kinds = collections.defaultdict(list, {"": [item for part in kinds.values() for item in part]})
    means = {kind: (len(items), *np.mean(items, axis=0)) for kind, items in kinds.items()}
    everything = [item for items in kinds.values() for item in items]
    means["all"] = (len(everything), *np.mean(everything, axis=0))
    return means, auroc(best[True], best[False])


def score(row, relevant, accepted):
    order = np.argsort(-row, kind="stable")[:60]
    judged = [tool for tool in order if tool in relevant or tool not in accepted][:10]
    gain = sum(1 / np.log2(rank + 2) for rank, tool in enumerate(judged) if tool in relevant)
    ideal = sum(1 / np.log2(rank + 2) for rank in range(min(10, len(set(relevant)))))
    hit = [tool in relevant or tool in accepted for tool in order[:5]]
    return gain / ideal, float(hit[0]), float(any(hit))


def auroc(above, below):
    if not above or not below:
        return float("nan")
    above, below = np.asarray(above), np.asarray(below)
    return float(np.mean((above[:, None] > below) + 0.5 * (above[:, None] == below)))


def line(name, means, auroc_value):
    cells = [f"{kind or '-'} {ndcg:.3f}/{one:.2f}/{five:.2f}" for kind, (_, ndcg, one, five) in means.items()]
    tail = "" if np.isnan(auroc_value) else f" | auroc {auroc_value:.2f}"
    return f"{name:<13} {' | '.join(cells)}{tail}"
