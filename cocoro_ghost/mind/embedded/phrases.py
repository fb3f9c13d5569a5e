"""Which words the keeper uses: by kind, language and speech level; never the same twice in a row."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from importlib import resources
from typing import Any

from cocoro_ghost.language.read.tables import entries, phrases
from cocoro_ghost.language.wording import days_told, month_in_words, told_to_you
from cocoro_ghost.model.reading import Claim, Slot, Who
from cocoro_ghost.model.scene import Language, Scene

_STRIDE = 7919
"""A prime larger than any list of wordings: neighbouring seeds give different lines."""


_OF_ONE = ("は", "が", "も", "って", "、")
"""After one's name or role: what follows is told of them."""


@cache
def _book(language: Language) -> Mapping[str, Any]:
    file = resources.files("cocoro_ghost.mind.embedded") / "data" / language.value / "say.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def level(scene: Scene) -> str:
    """`polite` when the persona speaks です and ます, else `plain`."""
    if scene.language is Language.EN:
        return "plain"
    text = scene.persona.text
    polite = text.count("です") + text.count("ます") + text.count("敬語") * 3 + text.count("丁寧") * 3
    plain = text.count("タメ口") * 4 + text.count("だよ") + text.count("くだけ") * 3
    return "polite" if polite > plain and ("敬語" in text or "丁寧" in text or "口調" in text) else "plain"


def say(scene: Scene, kind: str, **fills: str) -> str:
    """One line of a kind; the same scene gives the same line, and none comes back while others are left."""
    book = _book(scene.language)
    lines: list[str] = list(book[level(scene)][kind])
    start = (scene.seed * _STRIDE + len(kind)) % len(lines)
    turned = lines[start:] + lines[:start]
    said = [turn.assistant_text for turn in scene.history]
    return _filled(min(turned, key=lambda line: _last_said(line, said)), fills)


def named_something(scene: Scene) -> bool:
    """True where the reply before said something back, more than a line that says the same to everybody."""
    last = scene.history[-1].assistant_text if scene.history else ""
    lines = (line for kinds in _book(scene.language)[level(scene)].values() for line in kinds)
    return bool(last) and last not in set(lines)


def _last_said(line: str, said: Sequence[str]) -> int:
    """How lately a line was said in this talk, whatever it was filled with; 0 where it was not."""
    parts = max(re.split(r"\{\w+\}", line), key=len)
    told = (at for at, text in enumerate(said, 1) if parts in text and len(parts) > 1)
    return max(told, default=0)


def _filled(line: str, fills: Mapping[str, str]) -> str:
    """A line that begins with what is filled in begins with a capital all the same."""
    told = line.format(**fills)
    first = told.split(" ", 1)[0]
    return told[:1].upper() + told[1:] if first.isascii() and first.islower() and line[0] == "{" else told


def piece(language: Language, name: str, /, **fills: object) -> str:
    """A part of a sentence that has one wording only."""
    return str(_book(language)["pieces"][name]).format(**fills)


def of_slot(language: Language, slot: str, **fills: str) -> str:
    """What stands in a slot, in a few words; nothing for a slot that is not said back."""
    return str(_book(language)["slots"].get(slot, "")).format(**fills)


@cache
def unclear(language: Language) -> frozenset[str]:
    """Words that no plain name of a thing has."""
    return frozenset(str(_book(language)["unclear"]).split())


def day_named(day: date, language: Language) -> str:
    """11月16日(月), Monday, November 16."""
    weekdays = piece(language, "weekdays")
    return piece(language, "day", date=day, weekday=weekdays[day.weekday() : day.weekday() + 1])


def kind_of(language: Language, section: str, text: str, otherwise: str) -> str:
    """The kind of greeting or farewell a text is, by its words."""
    low = text.lower()
    found = (kind for kind, words in _book(language)[section].items() if any(word in low for word in words))
    return next(found, otherwise)


def lines_of(scene: Scene, kind: str) -> list[str]:
    """All lines of a kind, shortest first."""
    return sorted(_book(scene.language)[level(scene)][kind], key=len)


def hint(language: Language) -> str:
    """The words by which the hint at a language model is known again."""
    return str(_book(language)["hint"])


def bare(body: str, you: str, language: Language) -> str:
    """A note as it is said to the person: without their label before it and the mark behind it."""
    text = body.strip().rstrip("。.")
    if language is Language.EN:
        plain = text.removeprefix("About you: ")
        return plain[0].lower() + plain[1:] if re.match(r"You(?:r|'\w+)?\b", plain) else plain
    for joint in _book(language)["bare_prefixes"]:
        if text.startswith(f"{you}{joint}"):
            return (
                text.removeprefix(f"{you}{joint}").replace("：", "は", 1)
                if joint != "："
                else text.removeprefix(f"{you}{joint}")
            )
    return text


def with_article(claim: Claim) -> str:
    """`at a bakery` for who said so; a name stands alone."""
    found = re.search(rf"\b(an?|the|my|our) {re.escape(claim.value)}", claim.detail, re.IGNORECASE)
    return told_to_you(f"{found[1].lower()} {claim.value}" if found else claim.value)


def work_shape(claim: Claim) -> str:
    """How English tells it: `as a nurse` for who said `a nurse`, `in sales`, `you are retired`."""
    value, said = re.escape(claim.value), claim.detail
    if claim.slot is Slot.SCHOOL:
        core = re.split(r" (?:in|at|from) ", claim.value.lower())[0]
        pupil = core.rpartition(" ")[2] in entries("en/claims", "pupils")
        at = claim.value.lower().endswith(phrases("en/claims", "school_tail"))
        return "school_is" if pupil else "school_at" if at else "school"
    if claim.value.lower() in entries("en/claims", "line_of_work"):
        return "occupation_in"
    if claim.slot is Slot.EMPLOYER:
        return claim.slot.value
    a_job = claim.value.rpartition(" ")[2].lower() in entries("en/lexicon", "job") and value not in said
    if a_job or re.search(rf"\ban? {value}\b", said, re.IGNORECASE):
        return "occupation_an" if claim.value[:1].lower() in "aeiou" else "occupation_a"
    is_so = re.search(rf"\b(?:i'm|i’m|i am) {value}\b", said, re.IGNORECASE)
    return "occupation_is" if is_so else "occupation"


def until_told(body: str, last: date | None, bodies: Mapping[str, Any], language: Language) -> str:
    """What is over, with the month or the year in which it ended, where that was told."""
    if last is None:
        return body
    year = (last.month, last.day) == (12, 31)
    when = days_told(date(last.year, 1, 1), last, language) if year else month_in_words(last, language)
    return str(bodies["past"]["until"]).format(body=body.rstrip("。."), when=when)


def closed(text: str) -> str:
    """A clause that leads on, as if it ended: 消防士で, 痛めていて."""
    text = re.sub(r"(?:なん)?(?:だ|です)?(?:けど|けれど)$", "", text)
    text = re.sub(r"(?<=[一-龥ァ-ヶー々])で$", "", text)
    return re.sub(r"([てで])い?て$", r"\1いる", text)


def of_somebody(told_of: Sequence[str], who: Who, head: str, language: Language) -> str:
    """What is told of somebody, after who it is (`head`) unless it begins with that."""
    if language is Language.JA:
        detail = "。".join(told_of)
        names = (f"{who.role}の{who.name}", who.name, who.role, *entries("ja/words", "he_she"))
        called = next((one for one in names if one and detail.startswith(one)), "")
        rest = detail.removeprefix(called)
        return f"{head}{rest}" if called and rest.startswith(_OF_ONE) else f"{head}。{detail}"
    said = dict.fromkeys(_of_them(one, who, head) for one in told_of)
    # That there is such a one is said by the others.
    detail = ". ".join(one for one in said if one != head or len(said) == 1)
    return detail if detail.startswith(head) else f"{head}. {detail}"


def _beside_the_name(rest: str, name: str) -> str:
    """'s name is Megan and she teaches yoga → teaches yoga: the name is told by who it is."""
    begins = r"^(?:'s name(?:'s| is)|'s| is)(?: called| named)?"
    told = rf"{begins} {re.escape(name)}(?: btw| by the way)?\b(?:,| and|$)\s*"
    found = re.match(told, rest, re.IGNORECASE) if name else None
    if found is None:
        return "" if rest.startswith("'s name") else rest
    more = re.sub(r"^(?:he|she|they)(?:'s|'re| is| are) ", "is ", rest[found.end() :])
    more = re.sub(r"^(?:he|she|they) ", "", more)
    return f" {more}" if more else ""


def _of_them(text: str, who: Who, head: str) -> str:
    """English: what begins with the one it is about begins with how they are called in memory."""
    own, some = f"your {who.role}", (f"a {who.role} ", f"an {who.role} ")
    text = f"{own} {text.partition(who.role)[2].strip()}" if text.lower().startswith(some) else text
    spoken = re.match(r"\w+", text)
    if spoken is not None and spoken[0].lower() in entries("en/words", "he_she"):
        return f"{head}{text[spoken.end() :]}"
    for named in filter(None, (who.role and who.name and f"{own} {who.name}", who.role and own, who.name)):
        # My sister, Anna, lives in Leeds: the name is told by the head already.
        rest = (
            re.sub(rf"^, ?{re.escape(who.name)},", "", text[len(named) :]) if who.name else text[len(named) :]
        )
        if text.lower().startswith(named.lower()):
            return f"{head}{_beside_the_name(rest, who.name)}"
    return text[:1].upper() + text[1:]
