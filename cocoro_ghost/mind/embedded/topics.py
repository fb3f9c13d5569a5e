"""Which thread of talk an event belongs to, and which earlier events it continues.

Threads come from entities, tastes and lasting claims, never from stray words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from cocoro_ghost.language.fold import fold, fold_name, guess_language
from cocoro_ghost.language.morphology import content_words, tokens
from cocoro_ghost.language.read.tables import entries
from cocoro_ghost.model.answers import ContextUpdates, LinkUpdate, ThreadUpdate
from cocoro_ghost.model.event import Event, Source
from cocoro_ghost.model.link import EventLinkLabel
from cocoro_ghost.model.reading import Reading, Slot
from cocoro_ghost.model.scene import Language

_SITTING = 30 * 60
_MAX_LINKS = 3
_FOLLOWS = re.compile(
    r"(?:だから|そのせいで|そのおかげで|おかげで|その結果|それが原因で|なので)(?:[、,]|[^。？?]{2})"
    r"|(?:that(?:'|’)?s why|because of (?:that|it|this)|as a result|thanks to that|so that(?:'|’)?s why)\b",
    re.IGNORECASE,
)
_LASTING = frozenset(
    {Slot.PET, Slot.PERSON, Slot.FAMILY, Slot.STUDY, Slot.HEALTH, Slot.SCHOOL, Slot.EMPLOYER}
)


def context_updates(
    event: Event, reading: Reading, recent: Sequence[Event], threads: Sequence[str]
) -> ContextUpdates:
    """Threads (known ones first) and links to recent events; both empty for talk without a topic."""
    keys = _keys(reading)
    here = {fold(word) for word in topic_words(reading.text, reading.language)} | {
        fold_name(key) for key in keys
    }
    links = _links(event, here, recent)
    cause = _cause(event, reading, recent)
    if cause is not None:
        links = [cause, *(link for link in links if link.to_event_id != cause.to_event_id)]
    return ContextUpdates(threads=_threads(reading, keys, here, threads), links=links[:_MAX_LINKS])


def _cause(event: Event, reading: Reading, recent: Sequence[Event]) -> LinkUpdate | None:
    """「だから…」, "that's why …": what is told follows from what was said just before."""
    if not _FOLLOWS.match(reading.text.strip()):
        return None
    before = [
        past
        for past in recent
        if past.source is Source.CHAT
        and past.event_id < event.event_id
        and past.conversation == event.conversation
        and 0 <= event.created_at - past.created_at <= _SITTING
    ]
    if not before:
        return None
    newest = max(before, key=lambda past: past.event_id)
    return LinkUpdate(to_event_id=newest.event_id, label=EventLinkLabel.CAUSED_BY, confidence=0.7)


def topic_words(text: str, language: Language) -> list[str]:
    """Content words that can name a topic, in order."""
    if language is Language.EN:
        weak = entries("en/words", "weak_topics")
        return [word for word in content_words(text, language) if word not in weak and len(word) > 2]
    skipped = entries("ja/tastes", "not_subject") | entries("ja/words", "self")
    nouns = {
        token.lemma
        for token in tokens(text)
        if token.is_noun and token.pos[1] != "数詞" and "副詞可能" not in token.pos
    }
    return [
        word
        for word in content_words(text, language)
        if word in nouns and word not in skipped and len(word) > 1
    ]


def _keys(reading: Reading) -> list[str]:
    """What may name a new thread: a named thing, a taste's subject, what lasts."""
    named = [name.name for name in reading.names if name.confidence >= 0.5]
    tastes = [taste.subject for taste in reading.tastes]
    lasting = [claim.who.name or claim.value for claim in reading.claims if claim.slot in _LASTING]
    return [key for key in (*tastes, *named, *lasting) if 1 < len(key) <= 24]


def _threads(
    reading: Reading, keys: Sequence[str], here: set[str], known: Sequence[str]
) -> list[ThreadUpdate]:
    body = fold(reading.text)
    matched = [key for key in known if _belongs(key, body, here)]
    if matched:
        return [ThreadUpdate(thread_key=key, confidence=0.8) for key in matched[:2]]
    return [ThreadUpdate(thread_key=keys[0][:60], confidence=0.6)] if keys else []


def _belongs(key: str, body: str, here: set[str]) -> bool:
    folded = fold(key)
    spoken = folded in body if not folded.isascii() else folded in body.split()
    return len(folded) > 1 and (spoken or folded in here)


def _links(event: Event, here: set[str], recent: Sequence[Event]) -> list[LinkUpdate]:
    scored: list[tuple[int, int, LinkUpdate]] = []
    for past in recent:
        text = past.user_text or past.assistant_text or ""
        if past.event_id == event.event_id or past.created_at > event.created_at or not text or not here:
            continue
        there = {fold(word) for word in topic_words(text, guess_language(text))}
        shared = len(here & (there | {fold_name(entity.name) for entity in past.entities}))
        if shared:
            scored.append((shared, past.created_at, _link(event, past, shared)))
    scored.sort(key=lambda item: (-item[0], -item[1]))
    return [link for _, _, link in scored[:_MAX_LINKS]]


def _link(event: Event, past: Event, shared: int) -> LinkUpdate:
    near = event.created_at - past.created_at <= _SITTING and past.source is Source.CHAT
    label = EventLinkLabel.CONTINUATION if near else EventLinkLabel.SAME_TOPIC
    return LinkUpdate(to_event_id=past.event_id, label=label, confidence=min(0.9, 0.55 + 0.1 * shared))
