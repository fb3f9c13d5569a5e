"""Summaries and links by rule: replies made short, scopes told in the ghost's voice, states compared."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import tzinfo

from cocoro_ghost.clock import local
from cocoro_ghost.language.fold import fold_key, fold_name, guess_language, strip_decorations
from cocoro_ghost.mind.embedded.topics import topic_words
from cocoro_ghost.mind.embedded.voice import address, unbanned
from cocoro_ghost.model.affect import clamp
from cocoro_ghost.model.answers import ProposedStateLink, ReplySummary, ScopeSummary, StateLinks
from cocoro_ghost.model.link import StateLinkLabel
from cocoro_ghost.model.material import Near, ReplyMaterial, StateLinkMaterial, SummaryMaterial
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import ScopeType, State, StateKind

_LIMIT = 380
_REPLY_LIMIT = 120
_FAR = 0.35
_MIN_CONFIDENCE = 0.65
_MAX_LINKS = 6
_PRIOR = 4.0
"""How many neutral moments stand against the first felt ones of a person."""


def reply_summary(material: ReplyMaterial) -> ReplySummary:
    """The reply's first sentences, as many as fit."""
    plain = re.sub(r"\s+", " ", strip_decorations(material.assistant_text)).strip()
    kept = ""
    for sentence in re.findall(r"[^。！？!?]*[。！？!?]+|[^。！？!?]+$", plain):
        if kept and len(kept) + len(sentence) > _REPLY_LIMIT:
            break
        kept += sentence
    kept = kept.strip()
    return ReplySummary(summary_text=kept if len(kept) <= _REPLY_LIMIT else kept[: _REPLY_LIMIT - 1] + "…")


def state_links(material: StateLinkMaterial) -> StateLinks:
    """How states relate to their neighbours: contradiction by slot, support by wording, else shared names."""
    return StateLinks(links=[link for near in material.groups for link in _links_of(near)])


def _links_of(near: Near) -> list[ProposedStateLink]:
    links = []
    for neighbour, distance in zip(near.neighbours, near.distances, strict=True):
        judged = _judge(near.state, neighbour, distance)
        if judged is not None and neighbour.state_id != near.state.state_id:
            label, confidence = judged
            links.append(
                ProposedStateLink(
                    from_state_id=near.state.state_id,
                    to_state_id=neighbour.state_id,
                    label=label,
                    confidence=confidence,
                )
            )
    links.sort(key=lambda link: (-link.confidence, link.to_state_id))
    return links[:_MAX_LINKS]


def _judge(state: State, other: State, distance: float) -> tuple[StateLinkLabel, float] | None:
    slot = state.payload.get("slot")
    if slot and slot == other.payload.get("slot"):
        same = fold_key(str(state.payload.get("value", ""))) == fold_key(str(other.payload.get("value", "")))
        return (StateLinkLabel.SUPPORTS, 0.85) if same else (StateLinkLabel.CONTRADICTS, 0.8)
    if distance > _FAR:
        return None
    if other.kind is StateKind.SUMMARY or state.kind is StateKind.SUMMARY:
        shared = set(state.evidence_event_ids) & set(other.evidence_event_ids)
        return (StateLinkLabel.DERIVED_FROM, 0.75) if shared else None
    one, two = fold_key(state.body_text), fold_key(other.body_text)
    if state.kind is other.kind and min(len(one), len(two)) >= 4 and (one in two or two in one):
        return StateLinkLabel.SUPPORTS, 0.8
    names = {fold_name(entity.name) for entity in state.entities} & {
        fold_name(entity.name) for entity in other.entities
    }
    confidence = round(clamp(1.0 - distance + (0.1 if names else 0.0), 0.0, 0.95), 3)
    return (StateLinkLabel.RELATES_TO, confidence) if names or confidence >= _MIN_CONFIDENCE + 0.1 else None


def scope_summary(material: SummaryMaterial, zone: tzinfo | None) -> ScopeSummary:
    """What is known of a scope, told by the ghost; persons carry a favorability that moves slowly."""
    told = _told_ja(material, zone) if material.language is Language.JA else _told_en(material, zone)
    favorability = _favorability(material) if material.scope_type is ScopeType.PERSON else None
    return ScopeSummary(
        scope_type=material.scope_type,
        scope_key=material.scope_key,
        body_text=unbanned(told, material.language)[:_LIMIT],
        favorability_score=favorability,
    )


def _favorability(material: SummaryMaterial) -> float:
    """0.5 is neutral; each felt moment pulls, the prior and the previous score hold."""
    previous = 0.5
    if material.previous is not None:
        previous = clamp(float(material.previous.payload.get("favorability_score", 0.5)), 0.0, 1.0)
    if not material.valences:
        return round(previous, 3)
    count = len(material.valences)
    felt = 0.5 + 0.5 * sum(material.valences) / count
    return round(clamp((previous * _PRIOR + felt * count) / (_PRIOR + count), 0.0, 1.0), 3)


def _topics(material: SummaryMaterial, limit: int) -> list[str]:
    counts: Counter[str] = Counter()
    for event in material.events:
        text = event.user_text or ""
        counts.update(set(topic_words(text, guess_language(text, material.language))))
    own = fold_name(material.scope_label)
    ranked = sorted(
        (word for word in counts if fold_name(word) != own), key=lambda word: (-counts[word], word)
    )
    return ranked[:limit]


def _notes(material: SummaryMaterial) -> list[str]:
    """Bodies of what still holds, strongest first."""
    held = [
        state
        for state in material.states
        if state.active_at(material.now_ts) and state.kind not in {StateKind.SUMMARY, StateKind.LONG_MOOD}
    ]
    ordered = sorted(
        held,
        key=lambda state: (
            -state.pin,
            -(state.salience + state.confidence),
            -state.last_confirmed_at,
            state.state_id,
        ),
    )
    return [state.body_text.strip() for state in ordered if state.body_text.strip()]


def _days(material: SummaryMaterial, zone: tzinfo | None) -> tuple[str, str] | None:
    if not material.events:
        return None
    times = [event.created_at for event in material.events]
    return local(min(times), zone).strftime("%Y-%m-%d"), local(max(times), zone).strftime("%Y-%m-%d")


def _fill(parts: Sequence[str], notes: Sequence[str], joiner: str) -> str:
    """The opening parts, then as many notes as fit."""
    text = joiner.join(part for part in parts if part)
    for note in notes:
        if len(text) + len(joiner) + len(note) > _LIMIT:
            break
        text += joiner + note
    return text


def _told_ja(material: SummaryMaterial, zone: tzinfo | None) -> str:
    you, days = address(Language.JA, material.second_person), _days(material, zone)
    topics = "、".join(_topics(material, 4))
    span = f"{days[0]}から{days[1]}まで" if days and days[0] != days[1] else (days[0] if days else "")
    opening = {
        ScopeType.BOND: f"この頃の{you}と私は、{len(material.events)}回ことばを交わした。",
        ScopeType.PERSON: f"{material.scope_label}について、私が{you}から聞いたこと。",
        ScopeType.TOPIC: f"「{material.scope_label}」について、私と{you}が話したこと。",
        ScopeType.PERIOD: f"{material.scope_label}に、私が{you}と過ごした日々。",
    }[material.scope_type]
    about = f"話に出たのは{topics}。" if topics else ""
    return _fill(
        [opening, f"{span}の記憶。" if span else "", about, _mood_ja(material.valences)], _notes(material), ""
    )


def _told_en(material: SummaryMaterial, zone: tzinfo | None) -> str:
    days = _days(material, zone)
    topics = ", ".join(_topics(material, 4))
    span = (
        f"from {days[0]} to {days[1]}" if days and days[0] != days[1] else (f"on {days[0]}" if days else "")
    )
    opening = {
        ScopeType.BOND: f"Lately you and I have talked {len(material.events)} times.",
        ScopeType.PERSON: f"What you have told me about {material.scope_label}.",
        ScopeType.TOPIC: f"What we have said about {material.scope_label}.",
        ScopeType.PERIOD: f"The days we shared in {material.scope_label}.",
    }[material.scope_type]
    about = f"We touched on {topics}." if topics else ""
    return _fill(
        [opening, f"I remember it {span}." if span else "", about, _mood_en(material.valences)],
        _notes(material),
        " ",
    )


def _mood_ja(valences: Sequence[float]) -> str:
    if not valences:
        return ""
    mean = sum(valences) / len(valences)
    return (
        "明るい気持ちになることが多かった。"
        if mean > 0.15
        else "胸の重くなる話が多かった。"
        if mean < -0.15
        else "穏やかな時間だった。"
    )


def _mood_en(valences: Sequence[float]) -> str:
    if not valences:
        return ""
    mean = sum(valences) / len(valences)
    return (
        "Much of it was bright."
        if mean > 0.15
        else "Much of it weighed on me."
        if mean < -0.15
        else "It was a calm time."
    )
