"""What the keeper tells of a scope: sentences out of facts, tastes, plans and feelings, never stray words."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import tzinfo
from functools import cache
from importlib import resources

from cocoro_ghost.clock import local
from cocoro_ghost.language.fold import fold, fold_name, guess_language
from cocoro_ghost.language.wording import day_in_words, month_in_words
from cocoro_ghost.mind.embedded.voice import address, unbanned
from cocoro_ghost.model.material import SummaryMaterial
from cocoro_ghost.model.preference import Polarity
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import ScopeType, State, StateKind

LIMIT = 380
_FELT = 0.15
_MAX_TASTES, _MAX_NAMES = 3, 3
_MAX_PLANS = 2


@cache
def _sentences(language: Language) -> Mapping[str, str]:
    file = resources.files("cocoro_ghost.mind.embedded") / "data" / language.value / "narrative.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def narrative(material: SummaryMaterial, zone: tzinfo | None) -> str:
    """When it was spoken of, what is known of it, how it felt; as many sentences as fit."""
    told = [
        _opening(material, zone),
        *(_ended(state.body_text.strip(), material.language) for state in _facts(material)),
        *_tastes(material),
        _plans(material),
        _named(material),
    ]
    ending = _feeling(material)
    joint = "" if material.language is Language.JA else " "
    text = ""
    for sentence in dict.fromkeys(filter(None, told)):
        if len(text) + len(sentence) + len(ending) + 2 <= LIMIT:
            text = f"{text}{joint}{sentence}"
    return unbanned(f"{text}{joint}{ending}".strip(), material.language)


def _opening(material: SummaryMaterial, zone: tzinfo | None) -> str:
    days = sorted({local(event.created_at, zone).date() for event in material.events})
    if not days:
        return ""
    kind = material.scope_type.value
    today, language = local(material.now_ts, zone).date(), material.language
    label = material.scope_label
    if material.scope_type is ScopeType.TOPIC:
        label = f"「{label}」" if language is Language.JA else label
    return _say(material, f"{kind}_{'one' if len(days) == 1 else 'many'}").format(
        you=address(language, material.second_person),
        label=label,
        month=month_in_words(days[0], language),
        days=len(days),
        day=day_in_words(days[-1], today, language),
        first=day_in_words(days[0], today, language),
        last=day_in_words(days[-1], today, language),
    )


def _facts(material: SummaryMaterial) -> list[State]:
    """What still holds, strongest first; in the language that is spoken here, or it would be no sentence."""
    held = [
        state
        for state in material.states
        if state.active_at(material.now_ts)
        and state.kind not in {StateKind.SUMMARY, StateKind.LONG_MOOD, StateKind.TASK}
        and guess_language(state.body_text, material.language) is material.language
    ]
    return sorted(held, key=_strength)


def _strength(state: State) -> tuple[bool, float, int, int]:
    return not state.pin, -(state.salience + state.confidence), -state.last_confirmed_at, state.state_id


def _tastes(material: SummaryMaterial) -> Iterable[str]:
    for polarity in Polarity:
        subjects = [taste.subject for taste in material.tastes if taste.polarity is polarity][:_MAX_TASTES]
        if subjects:
            yield _listed(material, polarity.value, subjects)


def _plans(material: SummaryMaterial) -> str:
    plans = [
        state.body_text.strip().rstrip("。.")
        for state in material.states
        if state.kind is StateKind.TASK
        and state.active_at(material.now_ts)
        and guess_language(state.body_text, material.language) is material.language
    ]
    if not plans:
        return ""
    quoted = [f"「{plan}」" if material.language is Language.JA else plan for plan in plans[:_MAX_PLANS]]
    return _listed(material, "plans", quoted)


def _named(material: SummaryMaterial) -> str:
    """Who and what else was named; what the facts already tell of is not told twice."""
    own = fold_name(material.scope_label)
    known = fold(" ".join(state.body_text for state in material.states))
    counts: Counter[str] = Counter()
    for event in material.events:
        counts.update({entity.name for entity in event.entities if entity.confidence >= 0.6})
    names = [
        name
        for name in sorted(counts, key=lambda name: (-counts[name], name))
        if fold_name(name) != own and fold(name) not in known
    ]
    return _listed(material, "named", names[:_MAX_NAMES]) if names else ""


def _feeling(material: SummaryMaterial) -> str:
    if not material.valences:
        return ""
    mean = sum(material.valences) / len(material.valences)
    return _say(material, "bright" if mean > _FELT else "heavy" if mean < -_FELT else "calm")


def _listed(material: SummaryMaterial, key: str, items: Sequence[str]) -> str:
    if material.language is Language.JA:
        joined = "、".join(items)
    else:
        joined = items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
    you = address(material.language, material.second_person)
    return _say(material, key).format(you=you, items=joined)


def _say(material: SummaryMaterial, key: str) -> str:
    return _sentences(material.language)[key]


def _ended(text: str, language: Language) -> str:
    if not text or text.endswith(("。", "！", "？", ".", "!", "?", "…")):
        return text
    return text + ("。" if language is Language.JA else ".")
