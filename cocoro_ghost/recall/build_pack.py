"""The MemoryPack: sections in a fixed order, each line worth its room, never over budget.

Nothing is dropped while everything fits. Over budget the order is: episodes, open loops, narrative (shortened
first), relationships (whole), facts of the lowest score; none goes below its share before all are at it, and
what is to be kept (who someone is, pins, what is due next) goes after every old quote.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from cocoro_ghost.language.fold import strip_decorations
from cocoro_ghost.language.grams import content_terms, query_terms
from cocoro_ghost.language.tokens import count_tokens, weigh, whole
from cocoro_ghost.model.pack import Episode, Line, MemoryPack, PackMaterial, SectionName
from cocoro_ghost.model.scene import Language

SHARES: Mapping[SectionName, float] = MappingProxyType(
    {
        SectionName.STABLE_FACTS: 0.25,
        SectionName.SHARED_NARRATIVE: 0.15,
        SectionName.RELATIONSHIP_STATE: 0.05,
        SectionName.OPEN_LOOPS: 0.10,
        SectionName.EPISODE_EVIDENCE: 0.35,
    }
)
DROP_ORDER = (
    SectionName.EPISODE_EVIDENCE,
    SectionName.OPEN_LOOPS,
    SectionName.SHARED_NARRATIVE,
    SectionName.RELATIONSHIP_STATE,
    SectionName.STABLE_FACTS,
)
HIGH, MEDIUM = 0.5, 0.33
_QUOTE_CHARS, _SUMMARY_CHARS, _FULL_CHARS = 160, 100, 2000
_SHORTENED_CHARS = 60
_BETWEEN = "\n\n"
_INTRO = {
    Language.JA: "以下は現在の会話に関連する過去のやりとりです。",
    Language.EN: "Past exchanges that bear on the present talk:",
}

_Blocks = dict[SectionName, list[Line]]


def worth_injecting(episodes: Sequence[Episode]) -> bool:
    """One that matters much, or two that matter somewhat."""
    return (
        any(one.relevance >= HIGH for one in episodes)
        or sum(one.relevance >= MEDIUM for one in episodes) >= 2
    )


def build_pack(material: PackMaterial, max_tokens: int) -> MemoryPack:
    """The pack's text within the budget, with what it tells and the names of what was left out."""
    blocks, unworthy = _blocks(material)
    before = {name: [line.name for line in lines] for name, lines in blocks.items()}
    text, tokens, sections = _fit(blocks, max_tokens, material.language)
    held = {name: lines for name, lines in blocks.items() if lines}
    before[SectionName.EPISODE_EVIDENCE] += unworthy
    # Of two that say the same one line stands; the other is not told under its own name.
    told_once = before[SectionName.STABLE_FACTS]
    told_once += [line.name for line in material.facts if line.name and line.name not in told_once]
    return MemoryPack(
        text=text,
        tokens=tokens,
        sections=sections,
        told={name: tuple(lines) for name, lines in held.items()},
        dropped=_dropped(before, blocks),
    )


def _dropped(before: Mapping[SectionName, list[str]], blocks: _Blocks) -> dict[str, tuple[str, ...]]:
    """By section what no longer stands; a line without a name is named by its place."""
    found = {}
    for name, names in before.items():
        left = len(blocks[name])
        gone = [one or f"{name.value.lower()}[{at}]" for at, one in enumerate(names) if at >= left]
        if gone:
            found[name.value] = tuple(gone)
    return found


def _blocks(material: PackMaterial) -> tuple[_Blocks, list[str]]:
    """Lines by section, best first: the last of each is the first to go."""
    episodes = sorted(material.episodes, key=lambda one: -one.score)
    worthy = worth_injecting(episodes)
    asked = frozenset(query_terms(material.asked))
    shown = [_episode(one, material, asked) for one in episodes] if worthy else []
    return {
        # Whoever names a window must not be able to open a section of their own.
        SectionName.CONTEXT_CAPSULE: [Line(flat(line)) for line in material.capsule if line],
        SectionName.STABLE_FACTS: _best_first(material.facts),
        SectionName.SHARED_NARRATIVE: _flattened(material.narrative),
        SectionName.RELATIONSHIP_STATE: _flattened(material.relationships[:5]),
        SectionName.OPEN_LOOPS: _flattened(material.loops),
        SectionName.EPISODE_EVIDENCE: shown,
    }, [] if worthy else [one.name for one in episodes]


def _fit(blocks: _Blocks, max_tokens: int, language: Language) -> _Measured:
    """Takes off what is over the budget; returns the text that is left, and its size."""
    at_first = _measured(blocks, language)
    if at_first.tokens <= max_tokens:
        return at_first
    over = at_first.tokens - max_tokens
    for floors in (True, False):
        for name in DROP_ORDER:
            if over <= 0:
                break
            over -= _shrink(blocks[name], name, over, language, int(SHARES[name] * max_tokens) * floors)
    # Sizes of single lines do not add up exactly: what is still over goes by the same order, measured whole.
    while (measured := _measured(blocks, language)).tokens > max_tokens:
        name = next((name for name in DROP_ORDER if blocks[name]), SectionName.CONTEXT_CAPSULE)
        # A capsule that alone is over budget loses its last lines; the time comes first and stays longest.
        blocks[name].pop()
    return measured


def _shrink(lines: list[Line], name: SectionName, over: int, language: Language, floor: int) -> int:
    """Takes lines off one section, down to its floor, until so many tokens are gone; says how many went."""
    size = before = count_tokens(_section(name, lines, language))
    if name is SectionName.SHARED_NARRATIVE and lines:
        _shorten(lines, floor)
        size = count_tokens(_section(name, lines, language))
    while lines and before - size < over and size > floor and not (floor and lines[-1].keep):
        if name is SectionName.RELATIONSHIP_STATE:
            lines.clear()
        else:
            size -= count_tokens(f"- {lines.pop().text}\n")
        if lines and size <= floor:
            # Sizes of single lines do not add up exactly: the floor is judged by the section itself.
            size = count_tokens(_section(name, lines, language))
        if not lines:
            size = 0
    return before - size


def _shorten(lines: list[Line], floor: int) -> None:
    """Paragraphs of the narrative become short ones before any goes."""
    if count_tokens("\n".join(line.text for line in lines)) > floor:
        lines[:] = [replace(line, text=cut(line.text, _SHORTENED_CHARS)) for line in lines]


class _Measured(NamedTuple):
    """A pack's text with its tokens, whole and by section."""

    text: str
    tokens: int
    sections: dict[str, int]


def _measured(blocks: _Blocks, language: Language) -> _Measured:
    texts = {name: _section(name, blocks[name], language) for name in SectionName if blocks[name]}
    weights = {name.value: weigh(text) for name, text in texts.items()}
    # Each sign is weighed once: between two sections stand two line ends.
    size = sum(weights.values()) + weigh(_BETWEEN) * (len(texts) - 1)
    sections = {name: whole(weight) for name, weight in weights.items()}
    return _Measured(_BETWEEN.join(texts.values()), whole(size) if texts else 0, sections)


def _section(name: SectionName, lines: Sequence[Line], language: Language) -> str:
    if not lines:
        return ""
    mark = f"<<<COCORO_GHOST_SECTION:{name.value}>>>"
    texts = [line.text for line in lines]
    if name is SectionName.CONTEXT_CAPSULE:
        return "\n".join([mark, *texts])
    if name is SectionName.EPISODE_EVIDENCE:
        return "\n\n".join([f"{mark}\n{_INTRO[language]}", *texts])
    return "\n".join([mark, *(f"- {text}" for text in texts)])


def _episode(episode: Episode, material: PackMaterial, asked: frozenset[str]) -> Line:
    japanese = material.language is Language.JA
    speaker = episode.speaker or material.second_person or ("あなた" if japanese else "You")
    persona = material.persona_name or ("私" if japanese else "Me")
    user, reply = _told(episode, material, asked)
    lines = [f"[{episode.when}] {flat(episode.title)}".rstrip()]
    if user:
        lines.append(f"{speaker}: 「{user}」" if japanese else f'{speaker}: "{user}"')
    if reply:
        lines.append(f"{persona}: 「{reply}」" if japanese else f'{persona}: "{reply}"')
    if episode.reason:
        lines.append(f"→ 関連: {flat(episode.reason)}" if japanese else f"→ why: {flat(episode.reason)}")
    return Line("\n".join(lines), episode.score, episode.name)


def _told(episode: Episode, material: PackMaterial, asked: frozenset[str]) -> tuple[str, str]:
    user, reply = flat(strip_decorations(episode.user_text)), flat(strip_decorations(episode.reply_text))
    if material.strategy == "full":
        return cut(user, _FULL_CHARS), cut(reply, _FULL_CHARS)
    if material.strategy == "summarize":
        return cut(user, _SUMMARY_CHARS), cut(episode.reply_summary or reply, _SUMMARY_CHARS)
    snippet = flat(episode.snippet)

    def shared(part: str) -> int:
        return len(asked.intersection(content_terms(part)))

    short = reply if snippet and snippet in reply else episode.reply_summary or reply
    return key_parts(user, _QUOTE_CHARS, snippet, shared), key_parts(short, _QUOTE_CHARS, snippet, shared)


def _best_first(lines: Sequence[Line]) -> list[Line]:
    ordered = sorted(lines, key=lambda line: (not line.keep, -line.score))
    return list({line.text: line for line in reversed(_flattened(ordered))}.values())[::-1]


def _flattened(lines: Sequence[Line]) -> list[Line]:
    told = [flat(line.text) for line in lines]
    return [
        line if line.text == text else replace(line, text=text)
        for line, text in zip(lines, told, strict=True)
    ]


_SENTENCE = re.compile(r"[^。！？!?.\n]+(?:[。！？!?]+|\.+(?=\s|$)|$|\.)?")


def flat(text: str) -> str:
    """One line, and nothing that could pass for a section mark."""
    return " ".join(text.replace("<<<", "«").replace(">>>", "»").replace("<<", "«").split())


def cut(text: str, chars: int) -> str:
    return text if len(text) <= chars else text[: chars - 1].rstrip() + "…"


def key_parts(text: str, chars: int, snippet: str, fit: Callable[[str], int]) -> str:
    """The chosen snippet, else the sentences that fit best in their order, with dots for what is left out."""
    if len(text) <= chars:
        return text
    if snippet and snippet in text:
        return cut(snippet, chars)
    sentences = [part.strip() for part in _SENTENCE.findall(text) if part.strip()]
    fits = [fit(part) for part in sentences]
    if not any(fits):
        return cut(text, chars)
    taken: set[int] = set()
    room = chars
    for at in sorted(range(len(sentences)), key=lambda at: (-fits[at], at)):
        if fits[at] and len(sentences[at]) + 2 <= room:
            taken.add(at)
            room -= len(sentences[at]) + 2
    if not taken:
        return cut(sentences[max(range(len(fits)), key=fits.__getitem__)], chars)
    return _joined(sentences, taken)


def _joined(sentences: list[str], taken: set[int]) -> str:
    parts: list[str] = []
    for at, sentence in enumerate(sentences):
        if at in taken:
            parts.append(sentence if at == 0 or at - 1 in taken else f"…{sentence}")
    return " ".join(parts) + ("" if len(sentences) - 1 in taken else "…")
