"""The labelled sentences beside this file as cases: a text, its label, its family, sealed or not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.reader import turns

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


def answers() -> list[Case]:
    """A question and something told, a line each behind the language: whether the one answers the other."""
    found: list[Case] = []
    for code in ("ja", "en"):
        lines = (HERE / "answers" / f"{code}.jsonl").read_text(encoding="utf-8").splitlines()
        asked = [json.loads(line) for line in lines if line]
        told = [text for one in asked for text in one["yes"]]
        for at, one in enumerate(asked):
            # What answers other questions altogether is easy, and most of a memory.
            far = [told[(at * 3 + step) % len(told)] for step in (40, 80, 120)]
            others = [text for text in (*one["no"], *far) if text not in one["yes"]]
            found += _pairs(code, one["q"], one["yes"], others, one["family"], sealed=at % _SEALED == 3)
        found += _lives(code)
    return found


def _lives(code: str) -> list[Case]:
    """Lives told line by line: what answers a question about one is a near miss for every other; the last
    life is sealed."""
    found: list[Case] = []
    text = (HERE / "answers" / f"{code}_lives.txt").read_text(encoding="utf-8")
    lives = text.split("\n== ")[1:]
    for number, life in enumerate(lives, 1):
        family, *lines = life.strip().splitlines()
        told = [line.split(" | ") for line in lines if line[0] not in "?!"]
        answering: list[str] = []
        for at, line in enumerate(lines):
            answering = line.split(" | ") if line[0] not in "?!" else answering
            if line[0] in "?!":
                yes = answering if line[0] == "?" else []
                own = len(lines) - at
                others = [one[(at + step) % len(one)] for step, one in enumerate(told) if one != yes]
                near = [text for step, text in enumerate(others) if (step + own) % 2 == 0]
                # A question asked before is no answer to the next one.
                asked = [one[2:] for one in lines[at + 1 : at + 2] if one[0] in "?!"]
                sealed = number == len(lives)
                found += _pairs(code, line[2:], yes, [*near, *asked], family, sealed=sealed)
    return found


def _pairs(
    code: str, question: str, yes: Sequence[str], no: Sequence[str], family: str, *, sealed: bool
) -> list[Case]:
    told = [*((text, "answers") for text in yes), *((text, "other") for text in no)]
    return [Case(f"{code}\n{question}\n{text}", label, family, sealed) for text, label in told]


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
