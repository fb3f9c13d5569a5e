"""The labelled sentences beside this file as cases: a text, its label, its family, sealed or not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from eval.reader import turns
from eval.reader.lives import Life, lives, sealed_lives

HERE = Path(__file__).parent
_SEALED = 5
"""Every fifth family of an act is sealed; of a later file, which has few of each act, every fifth of all."""
_PLAIN = frozenset(
    {
        "ask_me",
        "ask_past",
        "ask_world",
        "ask_ghost",
        "request",
        "remind",
        "greet",
        "farewell",
        "thank",
        "agree",
    }
)
# fmt: off
_UNMOVED = frozenset({
    "home", "home_place", "household", "work", "study", "routines", "habits", "abilities", "owned",
    "possessions", "things", "hobbies", "dates", "transport_commute", "tech_setup", "tech_tools",
    "garden_car", "quirks", "names_ids", "community", "language_origin", "media_roles", "colleagues",
    "friends", "pets", "siblings", "shop", "terse", "kansai_dialect", "teen", "elders", "weather",
    "meals", "meal", "just_ate", "commands", "work_chatter", "plans_today", "plans_tonight", "shopping",
    "housework", "chores", "cooking_now", "questions_world", "phone_net", "transit_now", "task",
    "hypothetical", "quotes_lyrics", "jokes", "dreams_goals", "plans_dreams", "body", "age_body",
})
# fmt: on
"""Families of the sentences for what lasts that are told without feeling."""
_NEAR = "near"
"""Near misses of distress: ordinary talk."""
_MOVED = frozenset({"death", "tired", "body", "sad_but_safe", "low_but_ok"})
"""Such near misses as weigh all the same."""


@dataclass(frozen=True, slots=True)
class Case:
    text: str
    label: str
    family: str
    sealed: bool


def feelings(language: str) -> list[Case]:
    return _lines(f"feelings_{language}")


def own_acts(language: str) -> list[Case]:
    """What each sentence does, by the sentences written for it."""
    return [
        Case(one.text, "chat" if one.label == _NEAR else one.label, one.family, one.sealed)
        for one in _by_family("acts", language)
    ]


def acts(language: str) -> list[Case]:
    """The same; tellings of other sets keep ordinary talk from being taken for anything else."""
    told = [Case(one.text, "teach", one.family, False) for one in _teaching(language)]
    felt = [Case(one.text, "chat", one.family, False) for one in feelings(language) if not one.sealed]
    return [*own_acts(language), *told, *(one for one in felt if one.family.endswith("-free"))]


def asked(language: str) -> list[Case]:
    """What asks for something told before against everything else that people say."""
    kinds = dict.fromkeys(("ask_me", "ask_past"), "memory")
    own = [Case(one.text, kinds.get(one.label, "other"), one.family, one.sealed) for one in acts(language)]
    rest = [Case(one.text, "other", one.family, one.sealed) for one in _by_family("lasting", language)]
    said = _of_lives(language, {"?": "memory", "!": "memory", **dict.fromkeys("T~xs.", "other")})
    return list({one.text: one for one in [*rest, *own, *said]}.values())


def _of_lives(language: str, kinds: Mapping[str, str]) -> list[Case]:
    """The messages of lives by their kind, T what is told; of what is asked, every second."""
    found = [(life, False) for life in lives(language)] + [(life, True) for life in sealed_lives(language)]
    return [
        Case(text, kinds[kind], "lives", sealed)
        for life, sealed in found
        for kind, text in _said(life)
        if kind in kinds
    ]


def _said(life: Life) -> list[tuple[str, str]]:
    asked = [("?", one.text) for one in life.messages if one.kind == "?"]
    others = [(one.kind, one.text) for one in life.messages if one.kind != "?"]
    return [*(("T", told[0]) for told in life.told), *asked[::2], *others]


def distress(language: str) -> list[Case]:
    """Distress against everything else that people say."""
    marked = _lines(f"distress_{language}")
    # Loss, illness and quarrels weigh, and are no distress.
    heavy = _by_family("tones", language)
    rest = [*heavy, *acts(language), *feelings(language), *_by_family("lasting", language)]
    own = [
        Case(one.text, "distress" if one.label == "distress" else "calm", one.family, one.sealed)
        for one in rest
    ]
    return list({one.text: one for one in [*own, *marked]}.values())


def lasting(language: str) -> list[Case]:
    """What tells something lasting against everything else that people say."""
    marked = _by_family("lasting", language)
    kinds = {"teach": "lasting", "lasting": "lasting"}
    rest = [Case(one.text, kinds.get(one.label, "passing"), one.family, one.sealed) for one in acts(language)]
    untold = [Case(one.text, "passing", one.family, False) for one in _teaching(language, teaches=False)]
    return list({one.text: one for one in [*rest, *untold, *marked]}.values())


def tones(language: str) -> list[Case]:
    """What a message wants to be met with; what people ask and command is plain."""
    plain = [one for one in _by_family("acts", language) if one.label in {*_PLAIN, _NEAR}]
    plain = [one for one in plain if one.label != _NEAR or one.family.split()[-1] not in _MOVED]
    plain += [one for one in _by_family("lasting", language) if one.family.split()[-1] in _UNMOVED]
    rest = [Case(one.text, "plain", one.family, one.sealed) for one in plain]
    return list({one.text: one for one in [*rest, *_by_family("tones", language)]}.values())


def _lines(name: str) -> list[Case]:
    """The cases of every file whose name begins so."""
    files = sorted(HERE.glob(f"{name}*.jsonl"))
    lines = (line for file in files for line in file.read_text(encoding="utf-8").splitlines())
    found = (json.loads(line) for line in lines if line)
    return [Case(case["text"], case["label"], case["family"], case["sealed"]) for case in found]


def _by_family(folder: str, language: str) -> list[Case]:
    """The sentences of every file of a language, each once."""
    found: dict[str, Case] = {}
    families: dict[str, int] = {}
    act = family = counted = ""
    for file in sorted((HERE / folder).glob(f"{language}*.txt")):
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("== "):
                _, act, family = line.split()
                counted = act if file.stem == language else file.stem
                families[counted] = families.get(counted, 0) + 1
            elif line.strip() and not line.startswith("#"):
                sealed = families[counted] % _SEALED == 0
                found.setdefault(line, Case(line, act, f"{file.stem} {act} {family}", sealed))
    return list(found.values())


def _teaching(language: str, *, teaches: bool = True) -> list[Case]:
    """The turns labelled with something lasting, or with nothing of the kind."""
    found = []
    for name in turns.FILES:
        for case in turns.cases(name) if name.startswith(language) else ():
            wanted = [case["expect"].get(part) for part in ("preferences", "states")]
            if any(wanted) if teaches else wanted == [[], []]:
                found.append(Case(case["user_text"], "teach", name, False))
    return found
