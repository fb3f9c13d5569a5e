"""Everything known that may answer a question, as one kind of thing: facts, plans, likings, own words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.read.kinds import is_such, narrower, same_role
from cocoro_ghost.language.read.tables import phrases, table, words_of
from cocoro_ghost.mind.embedded.phrases import bare, piece, say
from cocoro_ghost.mind.embedded.quoted import as_quoted, quotable
from cocoro_ghost.mind.embedded.voice import address
from cocoro_ghost.model.reading import Question, Slot, Who
from cocoro_ghost.model.scene import KnownPreference, Language, Recalled, Scene
from cocoro_ghost.model.state import State, StateKind


@dataclass(frozen=True, slots=True)
class Known:
    """One thing known; `said` tells it to the person."""

    text: str
    told_at: int
    said: Callable[[], str]
    slot: str = ""
    role: str = ""
    name: str = ""
    over: bool = False
    plan: bool = False
    state: State | None = None


def everything_known(question: Question, scene: Scene, zone: tzinfo | None) -> Iterator[Known]:
    """All that may be told back: of a time that is asked about only what was said then."""
    if question.period is None:
        yield from (fact(state, scene) for state in scene.told)
        yield from (_liking(taste, scene) for taste in scene.preferences if taste.domain != "style")
    told = {state.body_text for state in scene.told}
    for item in quotable(question, scene, zone):
        if item.kind == "event":
            yield _quote(item, scene, zone)
        elif item.kind == StateKind.FACT and item.text not in told:
            yield _recalled(item, scene)


def fact(state: State, scene: Scene) -> Known:
    told, over, payload = told_words(state, scene), not holds(state, scene), state.payload
    kind, words = ("answer_past", _value(state, scene)) if over else ("answer", told)
    return Known(
        told,
        max(state.created_at, state.updated_at if state.kind is StateKind.TASK else 0),
        lambda: say(scene, kind, items=words),
        str(payload.get("about") or payload.get("slot") or ""),
        str(payload.get("role") or ""),
        str(payload.get("name") or ""),
        over,
        state.kind is StateKind.TASK,
        state,
    )


def _value(state: State, scene: Scene) -> str:
    """横浜 of a home that is over, a plan that is done as it was told."""
    return str(state.payload.get("value") or told_words(state, scene))


def _liking(taste: KnownPreference, scene: Scene) -> Known:
    told = piece(scene.language, taste.polarity.value, items=taste.subject)
    return Known(told, 0, lambda: say(scene, "answer", items=told), Slot.TASTE.value)


def _recalled(item: Recalled, scene: Scene) -> Known:
    """A fact that only recall brought."""
    words = bare(item.text, address(scene.language, scene.persona.second_person), scene.language)
    return Known(words, item.said_at, lambda: say(scene, "answer", items=words))


def _quote(item: Recalled, scene: Scene, zone: tzinfo | None) -> Known:
    return Known(item.text, item.said_at, lambda: as_quoted(item, scene, zone))


def tells_of(one: Known, who: Who, language: Language) -> bool:
    """True when something is told of somebody: by their role, by their name, or by words that hold either."""
    said = fold(one.text)
    if who.name and fold(who.name) in said:
        return True
    if who.name and one.name:
        return False
    by_role = bool(one.role) and is_such(language.value, who.role, one.role.rpartition("'s ")[2])
    return by_role or (not who.name and any(word in said for word in whose_words(who, language)))


def whose_words(who: Who, language: Language) -> list[str]:
    """Every word by which who is asked after may have been spoken of."""
    if who.kind not in {"person", "pet"}:
        return []
    code, found = language.value, [who.name, who.role]
    groups = (words_of(group) for group in phrases(f"{code}/words", "same_role"))
    for group in groups:
        found += group if any(same_role(code, who.role, word) for word in group[:1]) else ()
    for kin in words_of(who.role and table(f"{code}/acts").get("kin_among", {}).get(who.role, "")):
        found.append(kin)
    found += narrower(code, who.role)
    return [fold(word) for word in dict.fromkeys(found) if word]


def told_once(states: Sequence[State], scene: Scene) -> list[str]:
    """What is told, once: what says more of somebody says it all, that they are there too."""
    told_of = {s.payload.get("name") for s in states if not _merely_named(s, scene)}
    fuller = [s for s in states if not (_merely_named(s, scene) and s.payload.get("name") in told_of)]
    told = list(dict.fromkeys(told_words(s, scene) for s in fuller))
    return [one for one in told if not any(one != other and one in other for other in told)]


def _merely_named(state: State, scene: Scene) -> bool:
    role, name = state.payload.get("role"), state.payload.get("name")
    form = str(table(f"{scene.language.value}/bodies")["other"]["alone"])
    you = address(scene.language, scene.persona.second_person)
    return bool(role and name) and state.body_text == form.format(you=you, role=role, name=name)


def holds(state: State, scene: Scene) -> bool:
    return state.valid_to_ts is None or state.valid_to_ts > scene.now_ts


def told_words(state: State, scene: Scene) -> str:
    return bare(state.body_text, address(scene.language, scene.persona.second_person), scene.language)


def joined(items: Sequence[str], language: Language) -> str:
    if language is Language.JA:
        return "、".join(items)
    return ", ".join(items[:-1]) + " and " + items[-1] if len(items) > 1 else "".join(items)
