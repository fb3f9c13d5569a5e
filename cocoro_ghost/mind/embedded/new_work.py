"""Work that new work ends: whoever tells of a new job no longer has the one they told of before."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cocoro_ghost.mind.embedded.endings import Ending
from cocoro_ghost.mind.embedded.facts import Found
from cocoro_ghost.mind.embedded.sentences import Sentence
from cocoro_ghost.model.state import State, StateKind

_WORK = frozenset({"job", "occupation"})
_CHANGED = re.compile(
    r"転職|転身|就職|入社|採用|異動|新しい(?:職場|会社|仕事)|働き(?:はじめ|始め)|勤め始め|配属|"
    r"\b(?:new|another|different) (?:\w+ )?(?:job|position|role|gig|employer|company|workplace|career)\b|"
    r"\b(?:switched|changed) (?:jobs|careers)\b|\b(?:got|landed|took|accepted) (?:an?|the) (?:\w+ )?"
    r"(?:job|position|role)\b|\bstarted (?:working|as|at)\b|\bhired\b|\bretrained\b|\bbecame\b",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"副業|掛け持ち|バイトも|\b(?:second|side|weekend|part-time|extra|summer) (?:job|gig)\b|"
    r"\balso\b|\bon the side\b",
    re.IGNORECASE,
)
_WORKPLACE = re.compile(r"\b(?:at|for|in|with)\s+\S|で(?!す)|(?:院|社|店|局|園|校|所)の")


def changes_work(sentence: Sentence) -> bool:
    """True when a sentence tells of new work, so that one job ends and another begins."""
    return _CHANGED.search(sentence.raw) is not None


def ended_by_new_work(
    found: Sequence[Found], sentence: Sentence, states: Sequence[State], now_ts: int
) -> list[Ending]:
    """The known jobs and occupations that the sentence's new work replaces.

    A calling without a workplace stays when only the workplace is new: a nurse at a new clinic is a nurse.
    """
    new = [fact for fact in found if fact.payload.get("slot") in _WORK]
    if not new or not changes_work(sentence) or _BESIDE.search(sentence.raw):
        return []
    slots = {str(fact.payload["slot"]) for fact in new}
    return [
        Ending("close", state, new[0].body)
        for state in states
        if state.kind is StateKind.FACT
        and state.active_at(now_ts)
        and state.payload.get("slot") in _WORK - slots
        and ("occupation" in slots or _WORKPLACE.search(state.body_text))
    ]
