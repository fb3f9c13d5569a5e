"""Answers in the person's own words: the best thing said before that fits a question, with its day."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, tzinfo
from functools import cache, lru_cache

from cocoro_ghost.clock import local
from cocoro_ghost.language import read
from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.lexicon import table as data_table
from cocoro_ghost.language.morphology import content_words
from cocoro_ghost.language.read.cues import cue
from cocoro_ghost.language.read.forget_words import named_in
from cocoro_ghost.language.read.tables import entries, table, words_of
from cocoro_ghost.mind.embedded.phrases import bare, say
from cocoro_ghost.mind.embedded.voice import address
from cocoro_ghost.model.reading import Question, Slot
from cocoro_ghost.model.scene import Language, Recalled, Scene

_FOREIGN = frozenset({"app", "screen"})
_NEAR = frozenset({"今日", "昨日", "おととい"})
_QUOTED = 60
_SOCIAL, _IN_PASSING = ("thank", "greet", "farewell", "agree"), 24
_DAYS = 3
_A_NAME = 3
"""Letters of a time that can be looked for by its name: may, april."""
_INFLECTS = re.compile(r"(?<=[一-龥][ぁ-ん])る$|(?<=[一-龥])[うくすつぬむるぐぶい]$")


def days_told_of(question: Question, scene: Scene, zone: tzinfo | None) -> list[str]:
    """3月は何してた: what was told to have happened then, day by day."""
    today = date.fromisoformat(scene.now_local[:10])
    if question.period is None or question.period.first_day is None or question.period.first_day > today:
        return []
    kept = {
        item.text: item
        for item in (*scene.recalled, *_just_said(scene))
        if item.kind == "event" and _may_be_quoted(item, question, scene, zone) and _tells(item, scene)
    }
    fullest = sorted(kept.values(), key=lambda item: -_weight(item, scene))[:_DAYS]
    return [_on_its_day(item, scene, zone) for item in sorted(fullest, key=lambda item: item.said_at)]


def _tells(item: Recalled, scene: Scene) -> bool:
    """What was asked for, of it or of the keeper, is nothing that one did."""
    code = scene.language.value
    if any(cue(item.text, code, section) for section in ("remind", "forget", "ask_memory", "hypothetical")):
        return False
    if len(item.text) <= _IN_PASSING and any(cue(item.text, code, kind) for kind in _SOCIAL):
        return False
    return _fits(fold(item.text), _forgotten(scene))


def _weight(item: Recalled, scene: Scene) -> float:
    """What was felt, and told to have been done, weighs more than a remark."""
    reading = read(item.text, now=datetime.fromisoformat(scene.now_local[:19]), language=scene.language)
    done = any(claim.slot in {Slot.DONE, Slot.NOTE} for claim in reading.claims)
    return abs(reading.feeling.vad.v) + done + min(len(item.text), _QUOTED) / _QUOTED


def _on_its_day(item: Recalled, scene: Scene, zone: tzinfo | None) -> str:
    when, words = day_words(item.said_at, scene, zone), " ".join(item.text.split()).rstrip("。.!！")
    return (
        f"{when}「{words[:_QUOTED]}」"
        if scene.language is Language.JA
        else f"{when}: “{words[: 2 * _QUOTED]}”"
    )


def joint(scene: Scene) -> str:
    return "、" if scene.language is Language.JA else "; "


def _fits(body: str, forgotten: Sequence[Sequence[str]]) -> bool:
    """True where no wish to forget covers it."""
    return not any(all(has_word(body, word) for word in wish) for wish in forgotten)


def _may_be_quoted(item: Recalled, question: Question, scene: Scene, zone: tzinfo | None) -> bool:
    """What an app or a screen said is no word of the person's, and is not told back as one."""
    if item.kind == "event_affect" or item.origin in _FOREIGN or not item.text.strip():
        return False
    # A summary tells how a time was; of one thing asked after it says too much and too little.
    if item.kind == "summary" and question.period is None:
        return False
    return not _asked_itself(item, scene) and (question.period is None or _in_period(item, question, zone))


def quotable(question: Question, scene: Scene, zone: tzinfo | None) -> list[Recalled]:
    """What was recalled and just said that may be told back, without what is to be forgotten."""
    told, forgotten = (*scene.recalled, *_just_said(scene)), _forgotten(scene)
    if any(word in wish for wish in forgotten for word in search_words(question, scene.language)):
        return []
    may_be = [item for item in told if _may_be_quoted(item, question, scene, zone)]
    return [item for item in may_be if _fits(fold(item.text), forgotten)]


def _forgotten(scene: Scene) -> list[list[str]]:
    """What was asked to be forgotten in this talk, by the words that name it."""
    code, found = scene.language.value, []
    for turn in scene.history:
        if cue(turn.user_text, code, "forget"):
            words = [fold(word) for word in content_words(named_in(turn.user_text, code), scene.language)]
            found.append([word[:5] if word.isascii() and len(word) > 5 else word for word in words])
    return [words for words in found if words]


def has_word(body: str, word: str) -> bool:
    """True when a text has the word; an English one only where a word begins."""
    if not word.isascii():
        return word in body
    if re.search(rf"\b{re.escape(word)}", body) is not None:
        return True
    known = data_table("irregular_en")  # taught answers for teach
    return any(known.get(said) == word for said in re.findall(r"[a-z]+", body))


@cache
def _answering(language: Language) -> dict[str, re.Pattern[str]]:
    known = table(f"{language.value}/acts").get("answered_by", {})
    return {asked: re.compile("|".join(words_of(told))) for asked, told in known.items()}


def answered_by(word: str, body: str, language: Language) -> bool:
    """左利き answers for 利き手, 部長 for 役職: what is asked for need not be named."""
    known = next((told for asked, told in _answering(language).items() if word.startswith(asked)), None)
    return known is not None and known.search(body) is not None


def tells_word(body: str, word: str, language: Language) -> bool:
    """True when a text has the word, in whatever form, or what answers for it."""
    if has_word(body, word) or answered_by(word, body, language):
        return True
    return language is Language.JA and word in _words_of(body)


@lru_cache(maxsize=1024)
def _words_of(body: str) -> frozenset[str]:
    return frozenset(stem(fold(word)) for word in content_words(body, Language.JA))


def _just_said(scene: Scene) -> list[Recalled]:
    """The last turns of the talk itself, newest first: they need not be searched for."""
    return [
        Recalled("", "event", turn.user_text, turn.assistant_text, turn.created_at, None, 0.0, "")
        for turn in reversed(scene.history)
    ]


def search_words(question: Question, language: Language) -> list[str]:
    skipped = entries(f"{language.value}/acts", "general_things")
    text = question.search_text
    if question.period is not None:
        text = text.replace(question.period.text, " ")
    words = [fold(w) for w in content_words(text, language)]
    kept = [w for w in words if w not in skipped and (len(w) > 1 or not w.isascii())]
    return [w[:5] if w.isascii() and len(w) > 5 else stem(w) for w in kept]


def stem(word: str) -> str:
    """植え of 植える: as it stands in 植えました."""
    return _INFLECTS.sub("", word)


def _asked_itself(item: Recalled, scene: Scene) -> bool:
    return fold(item.text) == fold(scene.user_text) or item.text.rstrip().endswith(("?", "？"))


def _in_period(item: Recalled, question: Question, zone: tzinfo | None) -> bool:
    period = question.period
    if period is None or period.first_day is None or period.last_day is None:
        return period is None or period.life_stage is not None
    when = local(item.happened_at or item.said_at, zone).date()
    return period.first_day <= when <= period.last_day


def spoken_of(question: Question, scene: Scene, zone: tzinfo | None) -> str:
    """Where am I going in April: what was said with that very time in it, though it is no plan."""
    when = fold(question.period.text) if question.period is not None else ""
    if len(when) < _A_NAME or scene.language is Language.JA:
        return ""
    said = (item for item in (*scene.recalled, *_just_said(scene)) if item.origin not in _FOREIGN)
    fits = (item for item in said if item.kind == "event" and not _asked_itself(item, scene))
    found = next((item for item in fits if has_word(fold(item.text), when)), None)
    return as_quoted(found, scene, zone) if found is not None else ""


def as_quoted(item: Recalled, scene: Scene, zone: tzinfo | None) -> str:
    if item.kind != "event":
        return say(
            scene,
            "answer_past" if item.closed else "answer",
            items=bare(item.text, address(scene.language, scene.persona.second_person), scene.language),
        )
    words = " ".join(item.text.split())
    short = (
        words
        if len(words) <= _QUOTED * (2 if scene.language is Language.EN else 1)
        else words[: _QUOTED * 2 - 1] + "…"
    )
    when = day_words(item.said_at, scene, zone)
    return say(
        scene,
        "quote",
        items=short.rstrip("。.!！"),
        when=when,
        when_ni=when if when in _NEAR else f"{when}に",
    )


def day_words(stamp: int, scene: Scene, zone: tzinfo | None) -> str:
    """今日, 昨日, 3月18日; with the year where it is another."""
    day, today = local(stamp, zone).date(), date.fromisoformat(scene.now_local[:10])
    gone = (today - day).days
    if scene.language is Language.JA:
        near = {0: "今日", 1: "昨日", 2: "おととい"}.get(gone)
        year = f"{day.year}年" if day.year != today.year else ""
        return near or f"{year}{day.month}月{day.day}日"
    near = {0: "today", 1: "yesterday"}.get(gone)
    return near or (f"on {day:%B} {day.day}" + (f", {day.year}" if day.year != today.year else ""))
