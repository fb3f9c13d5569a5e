"""Summaries and links by rule: replies made short, scopes weighed, states compared."""

from __future__ import annotations

import re
from datetime import tzinfo

from cocoro_ghost.language.fold import fold_key, fold_name, strip_decorations
from cocoro_ghost.mind.embedded.narrative import narrative
from cocoro_ghost.model.affect import clamp
from cocoro_ghost.model.answers import ProposedStateLink, ReplySummary, ScopeSummary, StateLinks
from cocoro_ghost.model.link import StateLinkLabel
from cocoro_ghost.model.material import Near, ReplyMaterial, StateLinkMaterial, SummaryMaterial
from cocoro_ghost.model.state import ScopeType, State, StateKind

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
    if StateKind.SUMMARY in {state.kind, other.kind}:
        return (StateLinkLabel.DERIVED_FROM, 0.75) if _sums_up(state, other) else None
    if state.kind is other.kind and _says_the_same(state, other):
        return StateLinkLabel.SUPPORTS, 0.8
    names = {fold_name(entity.name) for entity in state.entities} & {
        fold_name(entity.name) for entity in other.entities
    }
    confidence = round(clamp(1.0 - distance + (0.1 if names else 0.0), 0.0, 0.95), 3)
    return (StateLinkLabel.RELATES_TO, confidence) if names or confidence >= _MIN_CONFIDENCE + 0.1 else None


def _sums_up(state: State, other: State) -> bool:
    """A summary is derived from what it sums up, never the other way, nor one summary from another."""
    shared = set(state.evidence_event_ids) & set(other.evidence_event_ids)
    return bool(shared) and state.kind is StateKind.SUMMARY and other.kind is not StateKind.SUMMARY


def _says_the_same(state: State, other: State) -> bool:
    one, two = fold_key(state.body_text), fold_key(other.body_text)
    return min(len(one), len(two)) >= 4 and (one in two or two in one)


def scope_summary(material: SummaryMaterial, zone: tzinfo | None) -> ScopeSummary:
    """What is known of a scope, told by the ghost; persons carry a favorability that moves slowly."""
    favorability = _favorability(material) if material.scope_type is ScopeType.PERSON else None
    return ScopeSummary(
        scope_type=material.scope_type,
        scope_key=material.scope_key,
        body_text=narrative(material, zone),
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
