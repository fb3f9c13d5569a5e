"""Which thread of talk an event belongs to, and which earlier events it continues."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cocoro_ghost.language.fold import fold, fold_name, guess_language
from cocoro_ghost.language.morphology import content_words, tokens
from cocoro_ghost.language.names import find_names
from cocoro_ghost.mind.embedded.lexicon import word_set
from cocoro_ghost.model.answers import ContextUpdates, LinkUpdate, ThreadUpdate
from cocoro_ghost.model.event import Entity, Event, Source
from cocoro_ghost.model.link import EventLinkLabel
from cocoro_ghost.model.scene import Language

_EN_NOUN = re.compile(
    r"\b(?:the|my|our|an?|his|her|some|this|that)\s+(?:(?:new|old|big|little|whole|other|own)\s+)*([a-z][a-z'-]{2,}(?:\s(?:show|game|trip|test|exam|report|plan|job|class|party|book|club|lesson|practice|bill))?)"
)
_SITTING = 30 * 60
_MAX_LINKS = 3


def context_updates(
    event: Event, text: str, recent: Sequence[Event], threads: Sequence[str], subjects: Sequence[str]
) -> ContextUpdates:
    """Threads (known ones first) and links to recent events; both empty for talk without a topic."""
    language = guess_language(text)
    names = find_names(text, language)
    words = topic_words(text, language)
    return ContextUpdates(
        threads=_threads(text, words, names, threads, subjects),
        links=_links(event, words, names, recent),
    )


def topic_words(text: str, language: Language) -> list[str]:
    """Content words that can name a topic, in order."""
    if language is Language.EN:
        return [
            word
            for word in content_words(text, language)
            if word not in word_set("en/topics", "weak") and len(word) > 2
        ]
    skipped = word_set("ja/preferences", "generic") | word_set("ja/people", "self")
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


def _threads(
    text: str, words: list[str], names: list[Entity], known: Sequence[str], subjects: Sequence[str]
) -> list[ThreadUpdate]:
    matched = sorted(
        ((_thread_score(key, text, words, names), key) for key in known), key=lambda pair: (-pair[0], pair[1])
    )
    good = [
        ThreadUpdate(thread_key=key, confidence=min(0.9, 0.5 + 0.2 * score))
        for score, key in matched
        if score >= 1
    ]
    if good:
        return good[:2]
    key = _new_key(text, words, names, subjects)
    return [ThreadUpdate(thread_key=key[:60], confidence=0.6)] if key else []


def _thread_score(key: str, text: str, words: list[str], names: list[Entity]) -> float:
    folded, body = fold(key), fold(text)
    entities = {fold_name(entity.name) for entity in names}
    score = (
        1.0
        if len(folded) >= 2 and folded in body and (not folded.isascii() or folded in body.split())
        else 0.0
    )
    score += 1.0 if folded in entities else 0.0
    parts = {fold(part) for part in content_words(key)}
    return score + float(len(parts & {fold(word) for word in words}))


def _new_key(text: str, words: list[str], names: list[Entity], subjects: Sequence[str]) -> str:
    """A readable name for a new thread: what is liked, who is named, else the main noun."""
    if subjects:
        return subjects[0]
    if names:
        return names[0].name
    if guess_language(text) is Language.JA:
        return words[0] if words else ""
    nouns = [
        noun
        for noun in _EN_NOUN.findall(text.lower())
        if noun.split()[-1] not in word_set("en/topics", "weak")
    ]
    return str(nouns[0]) if nouns else ""


def _links(event: Event, words: list[str], names: list[Entity], recent: Sequence[Event]) -> list[LinkUpdate]:
    here = {fold(word) for word in words} | {fold_name(name.name) for name in names}
    earlier = [
        past for past in recent if past.event_id != event.event_id and past.created_at <= event.created_at
    ]
    scored: list[tuple[float, int, LinkUpdate]] = []
    for past in earlier:
        text = " ".join(part for part in (past.user_text, past.assistant_text) if part)
        if not text or not here:
            continue
        there = {fold(word) for word in topic_words(text, guess_language(text))} | {
            fold_name(e.name) for e in past.entities
        }
        shared = len(here & there)
        if shared:
            scored.append((shared, past.created_at, _link(event, past, shared)))
    scored.sort(key=lambda item: (-item[0], -item[1]))
    return [link for _, _, link in scored[:_MAX_LINKS]]


def _link(event: Event, past: Event, shared: int) -> LinkUpdate:
    near = event.created_at - past.created_at <= _SITTING and past.source is Source.CHAT
    label = EventLinkLabel.CONTINUATION if near else EventLinkLabel.SAME_TOPIC
    return LinkUpdate(to_event_id=past.event_id, label=label, confidence=min(0.9, 0.55 + 0.1 * shared))
