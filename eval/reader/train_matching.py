"""Trains the network that tells what a message means: `python -m eval.reader.train_matching`.

Needs PyTorch, which the ghost itself does not: `pip install torch`. The same lives and steps give the same
weights on the same machine; `--sealed` prints how it does on the lives nothing is trained on.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cocoro_ghost.language.encoder import shared
from cocoro_ghost.language.matching import LONGEST, Does, Task, match, places
from eval.reader.lives import Life, Message, lives, sealed_lives

PLACE = Path(__file__).parents[2] / "cocoro_ghost" / "language" / "data" / "matching.npz"
WIDTH, ROUNDS, SPEED, DROPPED = 96, 12, 2e-3, 0.2
BESIDE, AT_ONCE = 10, 28
"""Other tellings beside the one that is meant, and messages of a life in one step."""
TOLD = 8
"""Tellings of a life that are shown as messages of no kind."""
HIDDEN = 0.15
"""How often the answer to a question is left out, so that nothing answers it."""
TASKS = {"?": Task.ANSWERS, "!": Task.ANSWERS, "x": Task.FORGETS}
DOES = {
    "?": Does.ASKS, "~": Does.PUTS_RIGHT, "x": Does.FORGETS, "s": Does.MOVES_ON, "!": Does.ASKS_OTHER,
    ".": Does.NOTHING,
}  # fmt: skip
OLD, NEW = 1, 2


def network(torch: Any) -> Any:
    """The layers under the names by which `language.matching` knows them."""
    nn = torch.nn
    sizes = {"inp": (1280, WIDTH), "sv": (512, WIDTH), "h": (3 * WIDTH + 2, WIDTH), "o": (WIDTH, 3)}
    sizes |= {name: (WIDTH, WIDTH) for name in "qkv"} | {name: (4 * WIDTH, WIDTH) for name in ("cmp", "cmp2")}
    sizes |= {"w": (WIDTH, 1), "w2": (WIDTH, 1), "null": (WIDTH, 3), "kind": (WIDTH, len(Does))}
    sizes |= {"tag": (2 * WIDTH, 3)}
    layers = {name: nn.Linear(*size) for name, size in sizes.items()}
    layers["conv"] = nn.Conv1d(WIDTH, WIDTH, 3, padding=1)
    layers["c2"] = nn.Conv1d(WIDTH, WIDTH, 5, padding=2)
    layers["n1"] = nn.LayerNorm(WIDTH)
    return nn.ModuleDict(layers)


class Lesson:
    """One life in one step: what is made of its texts, and how far that is from what is meant."""

    def __init__(self, torch: Any, net: Any, drop: Any, seen: dict[str, Any], chance: random.Random) -> None:
        self._torch, self._net, self._drop, self._seen, self._chance = torch, net, drop, seen, chance

    def loss(self, life: Life) -> Any:
        """How far the network is from what the life says."""
        f = self._torch.nn.functional
        messages = self._chance.sample(life.messages, min(len(life.messages), AT_ONCE))
        told = [(at, text) for at, texts in enumerate(life.told) for text in texts]
        shown = [self._shown(message, told) for message in messages]
        asked, about = self._tokens([m.text for m in messages]), self._tokens([text for _, text in told])
        pairs = [(at, one) for at, ones in enumerate(shown) for one in ones]
        scores = self._scores(messages, told, asked, about, pairs)
        whole = self._pooled("w", asked[0], asked[1])
        tasks = self._torch.tensor([TASKS.get(m.kind, Task.PUTS_RIGHT) for m in messages])
        none = self._net["null"](whole).gather(1, tasks[:, None])[:, 0]
        found, start = 0.0, 0
        for at, (message, ones) in enumerate(zip(messages, shown, strict=True)):
            row = self._torch.cat([scores[start : start + len(ones)], none[at : at + 1]])
            right = [n for n, one in enumerate(ones) if told[one][0] == message.about] or [len(ones)]
            found, start = found - row.log_softmax(0)[right].logsumexp(0), start + len(ones)
        # What is told for the first time does nothing to what was told before.
        first = self._chance.sample([text for text, *_ in life.told], min(len(life.told), TOLD))
        rows, mask, _ = self._tokens(first)
        kinds = self._torch.tensor([*(DOES[m.kind] for m in messages), *[Does.NOTHING] * len(first)])
        said = self._torch.cat([whole, self._pooled("w", rows, mask)])
        found = found / len(messages) + 0.3 * f.cross_entropy(self._net["kind"](said), kinds)
        return found + 1.5 * self._marks(messages, asked[0])

    def _shown(self, message: Message, told: Sequence[tuple[int, str]]) -> list[int]:
        """The telling that is meant, those that share most with the message, and some others."""
        right = [n for n, (at, _) in enumerate(told) if at == message.about]
        hidden = message.kind == "?" and self._chance.random() < HIDDEN
        right = [] if hidden or not right else [self._chance.choice(right)]
        rest = [n for n, (at, _) in enumerate(told) if at != message.about]
        rest.sort(key=lambda n: -self._shared(message.text, told[n][1]))
        near, far = rest[: BESIDE // 2], rest[BESIDE // 2 :]
        self._chance.shuffle(far)
        return right + near + far[: BESIDE - BESIDE // 2]

    def _shared(self, message: str, text: str) -> float:
        own, other = self._seen[message][0], self._seen[text][0]
        return len(own & other) / max(1, len(own))

    def _tokens(self, texts: Sequence[str]) -> tuple[Any, Any, Any]:
        torch, gelu = self._torch, self._gelu
        longest = max(len(self._seen[text][1]) for text in texts)
        rows, mask = torch.zeros(len(texts), longest, 1280), torch.zeros(len(texts), longest)
        for at, text in enumerate(texts):
            own = torch.from_numpy(self._seen[text][1].astype(np.float32))
            rows[at, : len(own)], mask[at, : len(own)] = own, 1
        vectors = torch.from_numpy(np.stack([self._seen[text][2] for text in texts]))
        own = gelu(self._net["inp"](self._drop(rows)))
        around = gelu(self._net["conv"]((own * mask[..., None]).transpose(1, 2)).transpose(1, 2))
        return self._net["n1"](own + self._drop(around)) * mask[..., None], mask, vectors

    def _gelu(self, rows: Any) -> Any:
        return self._torch.nn.functional.gelu(rows, approximate="tanh")

    def _pooled(self, name: str, rows: Any, mask: Any) -> Any:
        shares = self._net[name](rows)[..., 0].masked_fill(mask == 0, -1e4).softmax(-1)
        return (shares[..., None] * rows).sum(-2)

    def _scores(
        self, messages: Sequence[Message], told: Sequence[tuple[int, str]], asked: Any, about: Any,
        pairs: Sequence[tuple[int, int]],
    ) -> Any:  # fmt: skip
        torch, net = self._torch, self._net
        left, right = torch.tensor([a for a, _ in pairs]), torch.tensor([b for _, b in pairs])
        q, of_q, vq = (part[left] for part in asked)
        t, of_t, vt = (part[right] for part in about)
        like = torch.einsum("nqd,ntd->nqt", net["q"](q), net["k"](t)) / WIDTH**0.5
        found = like.masked_fill(of_t[:, None, :] == 0, -1e4).softmax(-1) @ net["v"](t)
        asks = like.transpose(1, 2).masked_fill(of_q[:, None, :] == 0, -1e4).softmax(-1) @ net["v"](q)
        whole = [
            self._pooled("w", self._compared("cmp", q, found), of_q),
            self._pooled("w2", self._compared("cmp2", t, asks), of_t),
            self._gelu(net["sv"](vq * vt * 20)),
        ]
        share = torch.tensor([self._shared(messages[a].text, told[b][1]) for a, b in pairs])
        whole += [(vq * vt).sum(-1, keepdim=True) * 3, share[:, None]]
        scores = net["o"](self._drop(self._gelu(net["h"](torch.cat(whole, -1)))))
        tasks = torch.tensor([TASKS.get(messages[a].kind, Task.PUTS_RIGHT) for a, _ in pairs])
        return scores.gather(1, tasks[:, None])[:, 0]

    def _compared(self, name: str, own: Any, other: Any) -> Any:
        both = self._torch.cat([own, other, own * other, (own - other).abs()], -1)
        return self._drop(self._gelu(self._net[name](both)))

    def _marks(self, messages: Sequence[Message], rows: Any) -> Any:
        """Which pieces of a correction are the old value and which the new one."""
        torch, corrects = self._torch, [at for at, m in enumerate(messages) if m.kind == "~"]
        if not corrects:
            return 0.0
        around = self._gelu(self._net["c2"](rows.transpose(1, 2)).transpose(1, 2))
        said = self._net["tag"](torch.cat([rows, around], -1))
        wanted = [marks(messages[at]) for at in corrects]
        found = torch.cat([said[at, : len(own)] for at, own in zip(corrects, wanted, strict=True)])
        labels = torch.tensor([mark for own in wanted for mark in own])
        return torch.nn.functional.cross_entropy(found, labels, weight=torch.tensor([0.5, 1.0, 1.0]))


def marks(message: Message) -> list[int]:
    """A mark a piece, with those that stand around every text."""
    text = message.text[:LONGEST]
    new = text.rfind(message.new) if message.new not in message.old else text.find(message.new)
    spans = [(new, new + len(message.new), NEW)]
    if message.old:
        old = text.find(message.old)
        spans.append((old, old + len(message.old), OLD))
    found = [0]
    for first, last in places(text, shared().surfaces(text)):
        own = [mark for begin, end, mark in spans if begin <= first < end or first < begin < last]
        found.append(own[-1] if own else 0)
    return [*found, 0]


def looked_at(known: Sequence[Life]) -> dict[str, Any]:
    """Every text of the lives as the encoder sees it."""
    texts = {text: None for life in known for told in life.told for text in told}
    texts |= {message.text: None for life in known for message in life.messages}
    found = {}
    for text in texts:
        ((pieces, rows, vector),) = shared().looked_at([text[:LONGEST]])
        found[text] = (frozenset(pieces[1:-1]), rows.astype(np.float16), vector.astype(np.float32))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sealed", action="store_true", help="print how it does on the sealed lives")
    options = parser.parse_args()
    import torch  # only who trains needs it

    torch.manual_seed(1)
    torch.set_num_threads(1)
    chance, known = random.Random(1), [*lives("ja"), *lives("en")]
    net, drop = network(torch), torch.nn.Dropout(DROPPED)
    lesson = Lesson(torch, net, drop, looked_at(known), chance)
    steps = torch.optim.AdamW(net.parameters(), lr=SPEED, weight_decay=0.05)
    pace = torch.optim.lr_scheduler.OneCycleLR(steps, SPEED, total_steps=ROUNDS * len(known), pct_start=0.15)
    for number in range(ROUNDS):
        chance.shuffle(known)
        total = 0.0
        for life in known:
            loss = lesson.loss(life)
            steps.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            steps.step()
            pace.step()
            total += float(loss.detach())
        print(f"round {number + 1} of {ROUNDS}: {total / len(known):.3f}", flush=True)
    kept = {name: part.numpy().astype(np.float16) for name, part in net.state_dict().items()}
    np.savez_compressed(PLACE, allow_pickle=False, **kept)
    if options.sealed:
        report()


def report() -> None:
    """How often what is meant comes first, and is held to be there at all, in lives nothing is trained on."""
    for code in ("ja", "en"):
        found: dict[str, list[tuple[bool, bool]]] = {}
        for life in sealed_lives(code):
            told = [(at, text) for at, texts in enumerate(life.told) for text in texts]
            for message in life.messages:
                task = TASKS.get(message.kind, Task.PUTS_RIGHT)
                worth = match(task, message.text, [text for _, text in told]) or []
                best = max(range(len(told)), key=worth.__getitem__)
                first, there = told[best][0] == message.about, worth[best] > 0
                right = first and there if message.about >= 0 else not there
                found.setdefault(message.kind, []).append((first, right))
        for kind, rows in found.items():
            shares = [sum(part) / len(rows) for part in zip(*rows, strict=True)]
            print(code, kind, len(rows), *(f"{share:.3f}" for share in shares))


if __name__ == "__main__":
    main()
