"""The MemoryPack: sections in a fixed order, each line worth its room, never over budget.

Nothing is dropped while everything fits. Over budget the order is: episodes, open loops, narrative (shortened
first), relationships (whole), facts of the lowest score; none goes below its share before all are at it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from cocoro_ghost.language.fold import strip_decorations
from cocoro_ghost.language.tokens import count_tokens
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
MAX_EPISODES = 5
_QUOTE_CHARS, _SUMMARY_CHARS, _FULL_CHARS = 160, 100, 2000
_SHORTENED_CHARS = 60
_INTRO = {
    Language.JA: "以下は現在の会話に関連する過去のやりとりです。",
    Language.EN: "Past exchanges that bear on the present talk:",
}

_Blocks = dict[SectionName, list[str]]


def worth_injecting(episodes: Sequence[Episode]) -> bool:
    """One that matters much, or two that matter somewhat."""
    return (
        any(one.relevance >= HIGH for one in episodes)
        or sum(one.relevance >= MEDIUM for one in episodes) >= 2
    )


def build_pack(material: PackMaterial, max_tokens: int) -> MemoryPack:
    """The pack's text within the budget, with sizes and what was left out."""
    blocks = _blocks(material)
    before = {name: len(lines) for name, lines in blocks.items()}
    _fit(blocks, max_tokens, material.language)
    text = _render(blocks, material.language)
    sections = {
        name.value: count_tokens(_section(name, lines, material.language))
        for name, lines in blocks.items()
        if lines
    }
    dropped = {
        name.value: before[name] - len(blocks[name]) for name in blocks if before[name] > len(blocks[name])
    }
    return MemoryPack(
        text=text,
        tokens=count_tokens(text),
        sections=sections,
        lines={name.value: len(lines) for name, lines in blocks.items() if lines},
        dropped=dropped,
        kept_facts=tuple(blocks[SectionName.STABLE_FACTS]),
        kept_loops=tuple(blocks[SectionName.OPEN_LOOPS]),
    )


def _blocks(material: PackMaterial) -> _Blocks:
    """Lines by section, best first: the last of each is the first to go."""
    episodes = sorted(material.episodes, key=lambda one: -one.score)[:MAX_EPISODES]
    shown = [_episode(one, material) for one in episodes] if worth_injecting(episodes) else []
    return {
        SectionName.CONTEXT_CAPSULE: [line for line in material.capsule if line],
        SectionName.STABLE_FACTS: _best_first(material.facts),
        SectionName.SHARED_NARRATIVE: [_flat(line.text) for line in material.narrative],
        SectionName.RELATIONSHIP_STATE: [_flat(line.text) for line in material.relationships[:5]],
        SectionName.OPEN_LOOPS: [_flat(line.text) for line in material.loops],
        SectionName.EPISODE_EVIDENCE: shown,
    }


def _fit(blocks: _Blocks, max_tokens: int, language: Language) -> None:
    if _size(blocks, language) <= max_tokens:
        return
    for name in DROP_ORDER:
        if _shrink(blocks, name, max_tokens, language, floor=int(SHARES[name] * max_tokens)):
            return
    for name in DROP_ORDER:
        if _shrink(blocks, name, max_tokens, language, floor=0):
            return
    # A capsule that alone is over budget loses its last lines; the time comes first and stays longest.
    while blocks[SectionName.CONTEXT_CAPSULE] and _size(blocks, language) > max_tokens:
        blocks[SectionName.CONTEXT_CAPSULE].pop()


def _shrink(blocks: _Blocks, name: SectionName, max_tokens: int, language: Language, floor: int) -> bool:
    """Takes lines off one section down to its floor; True as soon as everything fits."""
    lines = blocks[name]
    if name is SectionName.SHARED_NARRATIVE:
        _shorten(lines, floor)
    while lines and _size(blocks, language) > max_tokens:
        if count_tokens(_section(name, lines, language)) <= floor:
            return False
        if name is SectionName.RELATIONSHIP_STATE:
            lines.clear()
        else:
            lines.pop()
    return _size(blocks, language) <= max_tokens


def _shorten(lines: list[str], floor: int) -> None:
    """Paragraphs of the narrative become short ones before any goes."""
    if count_tokens("\n".join(lines)) > floor:
        lines[:] = [_cut(line, _SHORTENED_CHARS) for line in lines]


def _size(blocks: _Blocks, language: Language) -> int:
    return count_tokens(_render(blocks, language))


def _render(blocks: _Blocks, language: Language) -> str:
    return "\n\n".join(_section(name, blocks[name], language) for name in SectionName if blocks[name])


def _section(name: SectionName, lines: Sequence[str], language: Language) -> str:
    if not lines:
        return ""
    mark = f"<<<COCORO_GHOST_SECTION:{name.value}>>>"
    if name is SectionName.CONTEXT_CAPSULE:
        return "\n".join([mark, *lines])
    if name is SectionName.EPISODE_EVIDENCE:
        return "\n\n".join([f"{mark}\n{_INTRO[language]}", *lines])
    return "\n".join([mark, *(f"- {line}" for line in lines)])


def _episode(episode: Episode, material: PackMaterial) -> str:
    japanese = material.language is Language.JA
    speaker = episode.speaker or material.second_person or ("あなた" if japanese else "You")
    persona = material.persona_name or ("私" if japanese else "Me")
    user, reply = _told(episode, material)
    lines = [f"[{episode.when}] {episode.title}".rstrip()]
    if user:
        lines.append(f"{speaker}: 「{user}」" if japanese else f'{speaker}: "{user}"')
    if reply:
        lines.append(f"{persona}: 「{reply}」" if japanese else f'{persona}: "{reply}"')
    if episode.reason:
        lines.append(f"→ 関連: {_flat(episode.reason)}" if japanese else f"→ why: {_flat(episode.reason)}")
    return "\n".join(lines)


def _told(episode: Episode, material: PackMaterial) -> tuple[str, str]:
    user, reply = _flat(strip_decorations(episode.user_text)), _flat(strip_decorations(episode.reply_text))
    if material.strategy == "full":
        return _cut(user, _FULL_CHARS), _cut(reply, _FULL_CHARS)
    if material.strategy == "summarize":
        return _cut(user, _SUMMARY_CHARS), _cut(episode.reply_summary or reply, _SUMMARY_CHARS)
    return _cut(user, _QUOTE_CHARS), _cut(episode.reply_summary or reply, _QUOTE_CHARS)


def _best_first(lines: Sequence[Line]) -> list[str]:
    return list(dict.fromkeys(_flat(line.text) for line in sorted(lines, key=lambda line: -line.score)))


def _flat(text: str) -> str:
    """One line, and nothing that could pass for a section mark."""
    return " ".join(text.replace("<<<", "«").replace(">>>", "»").replace("<<", "«").split())


def _cut(text: str, chars: int) -> str:
    return text if len(text) <= chars else text[: chars - 1].rstrip() + "…"
