"""Where several memories answer a question about equally well, they are read piece by piece.

A word is found or missed, and a vector is that of a whole turn. Each piece of the question beside the one
most like it in a text tells apart what both leave side by side. It is seldom needed, and for two or three.
"""

from __future__ import annotations

from collections.abc import Sequence

from cocoro_ghost.language.encoder import held_pieces
from cocoro_ghost.model.retrieval import Candidate
from cocoro_ghost.recall.route import GatherContext
from cocoro_ghost.recall.select import read_previews
from cocoro_ghost.store.ports import Reader

STEP = "pieces"
_READ = 800
"""Characters of one text: a turn, or the beginning of a long one."""


async def told_apart(ranked: list[Candidate], context: GatherContext) -> list[Candidate]:
    """The order again, in which only the first that are nearly equal may have changed places."""
    config = context.config
    if context.embed is None or not context.plan.only_asks or not config.uses(STEP):
        return ranked
    first = ranked[: config.first]
    weight = config.pieces * _said(first) ** 2
    alike = _alike(first, weight * config.alike)
    if len(alike) < 2:
        return ranked
    shares = await context.db.read(lambda reader: _shares(reader, context, alike))
    if shares is None:
        return ranked
    least = min(shares)
    found = [_raised(one, weight * (share - least)) for one, share in zip(alike, shares, strict=True)]
    return sorted(found, key=lambda one: -one.score) + ranked[len(alike) :]


def _said(first: Sequence[Candidate]) -> float:
    """How far they hold the question's words: of what was told in other words, pieces say nothing."""
    return min(1.0, max((one.parts["words"] for one in first), default=0.0))


def _alike(first: Sequence[Candidate], reach: float) -> list[Candidate]:
    return [one for one in first if first[0].score - one.score < reach]


def _shares(reader: Reader, context: GatherContext, alike: Sequence[Candidate]) -> list[float] | None:
    texts = read_previews(reader, [one.ref for one in alike], _READ, context.zone)
    said = [texts[one.ref][0] if one.ref in texts else "" for one in alike]
    return held_pieces(context.words or context.text, said)


def _raised(one: Candidate, by: float) -> Candidate:
    return one._replace(score=one.score + by, parts={**one.parts, STEP: by})
