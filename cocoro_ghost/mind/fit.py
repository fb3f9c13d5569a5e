"""Every call fits the model's window: room for the answer first, then the rules, then the newest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cocoro_ghost.language.tokens import count_tokens
from cocoro_ghost.mind.arrange import without_oldest
from cocoro_ghost.mind.client import Message, PlanRequest, Purpose

RESERVES: dict[Purpose, int] = {
    "search_result_pack": 300, "write_plan": 1200, "tidy_plan": 800, "reply_summary": 500, "state_links": 400,
    "scope_summary": 500,
    "mood_text": 300,
}  # fmt: skip
SMALL_WINDOW = 8192
"""Up to here a model lives by the small profile: less history, a shorter pack."""
SMALL_PROMPT = 1700
_MARGIN = 0.94
_A_MESSAGE = 5
"""Tokens that a template spends around each message."""


def cost(messages: Sequence[Message]) -> int:
    return sum(_A_MESSAGE + count_tokens(one.content) for one in messages)


def reply_reserve(wanted: int, window: int) -> int:
    """What a reply may take: as set, but never more than a quarter of a small window."""
    return wanted if not window else min(wanted, max(256, window // 4))


def answer_limit(purpose: Purpose, wanted: int, window: int) -> int:
    """What a typed answer may take. In a wide window the setting stands, for some models think within it."""
    return max(RESERVES[purpose], wanted) if not window or window > 4 * SMALL_WINDOW else RESERVES[purpose]


def fitted(messages: Sequence[Message], room: int) -> tuple[Message, ...]:
    """A reply's messages within so many tokens: history goes first, in blocks, then lines of the context."""
    kept = tuple(messages)
    while cost(kept) > room:
        fewer = without_oldest(kept)
        if fewer == kept:
            break
        kept = fewer
    for shorten in (_without_memories, _without_middle):
        while (over := cost(kept) - room) > 0:
            fewer = shorten(kept, over)
            if fewer == kept:
                break
            kept = fewer
    return kept


def fitted_question(request: PlanRequest, messages: Sequence[Message], room: int) -> tuple[Message, ...]:
    """A typed question within so many tokens: its spare lines go, the least important first."""
    kept = tuple(messages)
    *heads, last = kept
    spare, gone = iter(request.spare), set[str]()
    # Measured again after each round: sizes of single lines do not add up exactly.
    while (over := cost(kept) - room) > 0 and (going := _worth(spare, over)):
        gone |= going
        lines = (line for line in last.content.split("\n") if line not in gone)
        kept = (*heads, replace(last, content="\n".join(lines)))
    while (more := cost(kept) - room) > 0:
        fewer = _without_middle(kept, more)
        if fewer == kept:
            break
        kept = fewer
    return kept


def _worth(lines: Iterator[str], tokens: int) -> set[str]:
    """The next lines that make up so many tokens together."""
    taken: set[str] = set()
    for line in lines:
        taken.add(line)
        tokens -= count_tokens(line) + 1
        if tokens <= 0:
            break
    return taken


def room_for(window: int, reserve: int, ratio: float) -> int:
    """Tokens, as we estimate them, that may go in; `ratio` is what this model's own count makes of ours."""
    # A ratio below one half would be a miscount, and overfill the window.
    room = int((window - reserve) * _MARGIN / max(ratio, 0.5))
    # A model with a small window runs at home and reads slowly: what it need not read it is spared.
    return max(64, min(room, SMALL_PROMPT) if window <= SMALL_WINDOW else room)


def _without_memories(messages: tuple[Message, ...], over: int) -> tuple[Message, ...]:
    """The context block without its last lines of memory; its closing paragraph, the anchor, stays."""
    place = next((index for index, one in enumerate(messages) if one.internal), None)
    if place is None:
        return messages
    body, _, anchor = messages[place].content.rpartition("\n\n")
    lines = body.split("\n")
    if len(lines) <= 3:
        return messages
    while len(lines) > 3 and over > 0:
        over -= count_tokens(lines.pop()) + 1
    shorter = replace(messages[place], content="\n".join(lines).rstrip() + "\n\n" + anchor)
    return (*messages[:place], shorter, *messages[place + 1 :])


def _without_middle(messages: tuple[Message, ...], over: int) -> tuple[Message, ...]:
    """The longest message with its middle cut out: the last means, for a persona as long as a window."""
    place = max(range(len(messages)), key=lambda index: len(messages[index].content))
    text = messages[place].content
    if len(text) < 400:
        return messages
    keep = max(0.3, 1.0 - (over + 8) / max(1, count_tokens(text)))
    side = int(len(text) * keep / 2)
    shorter = replace(messages[place], content=f"{text[:side]}\n…\n{text[-side:]}")
    return (*messages[:place], shorter, *messages[place + 1 :])
