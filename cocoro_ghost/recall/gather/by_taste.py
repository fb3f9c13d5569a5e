"""What the person likes or cannot stand, when that is asked: the turns in which they said so."""

from __future__ import annotations

from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.model.preference import Preference, PreferenceStatus
from cocoro_ghost.model.retrieval import Hit, Ref, TasteAsked
from cocoro_ghost.recall.route import GatherContext
from cocoro_ghost.store import preferences
from cocoro_ghost.store.ports import Reader

_LOOKED_AT = 200
_SAID = 2
"""So many turns of one taste, the newest: the rest say the same."""
_NAMED, _HELD, _GUESSED = 1.0, 0.6, 0.4
"""How well a taste answers: the thing asked about itself, one of those asked for, one not yet confirmed."""


async def gather(context: GatherContext) -> list[Hit]:
    """A question after tastes shares no word with its answers: 何が好き？ — ラーメンなら毎日でもいい."""
    asked = context.plan.taste
    if asked is None:
        return []
    return await context.db.read(lambda reader: _find(reader, context, asked))


def _find(reader: Reader, context: GatherContext, asked: TasteAsked) -> list[Hit]:
    words, last = fold_key(context.text), context.before_id or 1 << 62
    best: dict[int, float] = {}
    for one in preferences.with_status(
        reader, domain=asked.domain, polarity=asked.polarity, limit=_LOOKED_AT
    ):
        worth = _worth(one, words, past=context.plan.past)
        for event_id in sorted(one.evidence_event_ids, reverse=True)[:_SAID]:
            if worth and event_id < last:
                best[event_id] = max(best.get(event_id, 0.0), worth)
    strongest = sorted(best.items(), key=lambda pair: (-pair[1], -pair[0]))[: context.config.tastes]
    return [Hit(Ref("event", event_id), worth, worth) for event_id, worth in strongest]


def _worth(one: Preference, words: str, *, past: bool) -> float:
    if one.status is PreferenceStatus.REVOKED and not past:
        return 0.0
    if one.subject_key and one.subject_key in words:
        return _NAMED
    return _GUESSED if one.status is PreferenceStatus.CANDIDATE else _HELD
