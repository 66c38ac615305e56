#!/usr/bin/env python3
"""How does the encoder learn which tool serves which request? Contrastive fine-tuning on the CPU.

    python train_encoder.py BASE_DIR OUT_DIR --written data/written --eval SETS_DIR --judge mcp87

Every step takes requests with one tool that serves each, and for each some tools that look alike (hard
negatives, mostly of the same server). A request's logits are its cosines with all tools of the step and one
more, `nothing`: a constant that is right when no tool serves the request. That gives cosines an absolute
meaning, which the abstention of the ranker builds on.
"""

import argparse
import json
import math
import pathlib
import random
import time

import numpy as np
import torch
import torch.nn.functional as F

import judge
import labelled
from minilm import MiniLm


def gather(arguments):
    glosses = json.loads(arguments.glosses.read_text()) if arguments.glosses else None
    sets = labelled.written(arguments.written, arguments.parts, glosses, arguments.corners) if arguments.written else []
    for name in arguments.public:
        sets.append(labelled.labelled(arguments.eval / name))
    return sets


class Pairs:
    """All requests with their tools, as token lists, and the hard negatives of each."""

    def __init__(self, model, sets, arguments, chance):
        self.request_tokens, self.tool_tokens = [], []
        self.served, self.refused, self.hard = [], [], []  # per request: tools of any set, by global position
        for one in sets:
            first = len(self.tool_tokens)
            texts = [text for _, _, text in one.tools]
            self.tool_tokens += [row[: arguments.tokens] for row in model.tokens(texts)]
            requests = list(one.requests)
            if len(requests) > arguments.per_set:
                requests = chance.sample(requests, arguments.per_set)
            self.request_tokens += [row[: arguments.tokens] for row in model.tokens([text for text, *_ in requests])]
            vectors = model.encode(texts)
            cosines = model.encode([text for text, *_ in requests]) @ vectors.T
            numbers = {server: number for number, (_, server, _) in enumerate(one.tools)}
            servers = np.array([numbers[server] for _, server, _ in one.tools])
            for row, (_, relevant, accepted, _) in zip(cosines, requests):
                right = set(relevant) | set(accepted)
                same_text = {texts[tool] for tool in right}
                # Tools of the same server are nearer in purpose than their texts may show.
                boosted = row + (0.1 * np.isin(servers, servers[list(right)]) if right else 0.0)
                order = [tool for tool in np.argsort(-boosted)[: arguments.pool + len(right)].tolist()]
                hard = [tool for tool in order if tool not in right and texts[tool] not in same_text]
                self.served.append([first + tool for tool in relevant])
                self.refused.append({first + tool for tool in right})
                self.hard.append([first + tool for tool in hard])
        print(f"{len(self.request_tokens)} requests, {len(self.tool_tokens)} tools, {len(sets)} sets", flush=True)


def step_loss(model, nothing, pairs, batch, arguments, chance):
    documents, targets, absent = [], [], []
    place = {}

    def position(tool):
        if tool not in place:
            place[tool] = len(documents)
            documents.append(tool)
        return place[tool]

    for request in batch:
        served = pairs.served[request]
        is_absent = not served or chance.random() < arguments.absent
        absent.append(is_absent)
        targets.append(-1 if is_absent else position(chance.choice(served)))
        for tool in chance.sample(pairs.hard[request], min(arguments.hard, len(pairs.hard[request]))):
            position(tool)
    vectors = model.in_buckets([pairs.tool_tokens[tool] for tool in documents], 4)
    asked = model.in_buckets([pairs.request_tokens[request] for request in batch], 3)
    cosines = asked @ vectors.T
    # Other tools that serve the request as well are neither right nor wrong here.
    ignored = torch.zeros_like(cosines, dtype=torch.bool)
    for row, request in enumerate(batch):
        for tool in pairs.refused[request]:
            if tool in place and place[tool] != targets[row]:
                ignored[row, place[tool]] = True
    cosines = cosines.masked_fill(ignored, -1.0)
    logits = torch.cat([cosines, nothing.expand(len(batch), 1)], 1) / arguments.temperature
    goal = torch.tensor([len(documents) if target < 0 else target for target in targets])
    loss = F.cross_entropy(logits, goal)
    present = [row for row, is_absent in enumerate(absent) if not is_absent]
    back = cosines[:, goal[present]].T / arguments.temperature
    return loss + arguments.back * F.cross_entropy(back, torch.tensor(present))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model_dir", type=pathlib.Path)
    parser.add_argument("out_dir", type=pathlib.Path)
    parser.add_argument("--eval", type=pathlib.Path, help="folder of the labelled sets")
    parser.add_argument("--written", type=pathlib.Path, help="folder of the requests written for training")
    parser.add_argument("--parts", type=int, nargs="*", default=[1, 2, 3, 4], help="which of those files")
    parser.add_argument("--corners", nargs="*", help="beginnings of their names; all unless given")
    parser.add_argument("--glosses", type=pathlib.Path, help="JSON: request in another language -> in English words")
    parser.add_argument("--save-every", type=int, default=0, help="steps between checkpoints")
    parser.add_argument("--public", nargs="*", default=[], help="labelled sets to learn from")
    parser.add_argument("--judge", nargs="*", default=[], help="labelled sets to be judged by, never learnt from")
    parser.add_argument("--epochs", type=float, default=2)
    parser.add_argument("--batch", type=int, default=96)
    parser.add_argument("--hard", type=int, default=2, help="hard negatives a request")
    parser.add_argument("--pool", type=int, default=20, help="of how many nearest wrong tools they are drawn")
    parser.add_argument("--absent", type=float, default=0.1, help="share of requests whose tool is held back")
    parser.add_argument("--per-set", type=int, default=1500, help="requests of one set at most")
    parser.add_argument("--tokens", type=int, default=56, help="tokens of a text that count")
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--temperature", type=float, default=0.05)
    parser.add_argument("--back", type=float, default=0.3, help="weight of finding the request for a tool")
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    overlap = set(arguments.public) & set(arguments.judge)
    if overlap:
        parser.error(f"{', '.join(sorted(overlap))}: a set never judges what saw it")
    torch.manual_seed(arguments.seed)
    chance = random.Random(arguments.seed)
    model = MiniLm(arguments.model_dir)
    pairs = Pairs(model, gather(arguments), arguments, chance)
    nothing = torch.nn.Parameter(torch.tensor(0.35))
    model.dropout = 0.05
    model.train()
    decayed = [value for value in model.parameters() if value.dim() > 1]
    plain = [value for value in model.parameters() if value.dim() <= 1]
    groups = [{"params": decayed, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}]
    groups.append({"params": [nothing], "weight_decay": 0.0, "lr": 20 * arguments.rate})
    optimizer = torch.optim.AdamW(groups, lr=arguments.rate)
    steps = math.ceil(arguments.epochs * len(pairs.served) / arguments.batch)
    warmup = max(1, steps // 15)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, (step + 1) / warmup) * max(0.0, 1 - step / steps)
    )
    order, started, running = [], time.time(), None
    for step in range(steps):
        if len(order) < arguments.batch:
            order += chance.sample(range(len(pairs.served)), len(pairs.served))
        batch, order = order[: arguments.batch], order[arguments.batch :]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = step_loss(model, nothing, pairs, batch, arguments, chance)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad(set_to_none=True)
        running = loss.item() if running is None else 0.95 * running + 0.05 * loss.item()
        if step % 20 == 19 or step == steps - 1:
            spent = time.time() - started
            print(f"step {step + 1}/{steps} loss {running:.3f} nothing {nothing.item():.3f} {spent:.0f} s", flush=True)
        if arguments.save_every and step % arguments.save_every == arguments.save_every - 1:
            model.save(arguments.out_dir / "checkpoint", arguments.model_dir)
    model.eval()
    model.save(arguments.out_dir, arguments.model_dir)
    for name in arguments.judge:
        print(judge.line(name, *judge.measure(model, labelled.labelled(arguments.eval / name))), flush=True)


if __name__ == "__main__":
    main()
