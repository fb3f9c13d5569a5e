"""Wishes to forget: whether a sentence makes one, and what it names. Words: `forget` in `acts.toml`."""

from __future__ import annotations

import re
from functools import cache

from cocoro_ghost.language.morphology import content_words
from cocoro_ghost.language.read.asked import asked_about, polarity_of, slot_of
from cocoro_ghost.language.read.cues import cue, plain
from cocoro_ghost.language.read.engine import Line
from cocoro_ghost.language.read.kinds import Context
from cocoro_ghost.language.read.tables import entries, table, words_of
from cocoro_ghost.model.reading import Forget, Slot, Who

_MARKS = " 、,。.!！?？…~〜-:：;「」\"'()（）"


def wish_of(line: Line, context: Context) -> Forget | None:
    """The wish of a sentence that says in so many words that something be forgotten."""
    code, text = context.code, line.text
    if not cue(text, code, "forget") or cue(text, code, "not_forget"):
        return None
    return wish_in(line, context) if not context.japanese or _is_asked_for(text) else None


def wish_in(line: Line, context: Context) -> Forget:
    """What a sentence that asks to forget wants forgotten; no subject and no slot: what was just said."""
    code, words = context.code, named_in(line.text, context.code)
    slot = slot_of(words, code, asked_about(line, context)) if words else None
    polarity, _ = polarity_of(words, code, slot)
    subject = _without(words, code, "taste") if slot is Slot.TASTE else words
    return Forget("" if _only_slot(subject, slot, context) else subject, line.span, slot, polarity, words)


def named_in(text: str, code: str) -> str:
    """The words of a wish that name what shall go: what stands beside the verb, without what leads to it."""
    said = text.replace("’", "'")
    found = _pattern(code, "verbs", "{}").search(said)
    if found is None:
        return _trimmed(said, code)
    before, after = said[: found.start()], said[found.end() :]
    if code == "ja":
        # 忘れて、元カノのこと: what comes after the verb is meant where nothing stands before it.
        about = _pattern(code, "about", "{}").search(after)
        return _trimmed(before, code) or (_trimmed(after, code) if about else "")
    return _trimmed(re.split(r"[,;.!?]", after)[0], code) or _with_mark(before, code)


def _with_mark(text: str, code: str) -> str:
    """`About my ex, forget it`: a clause before the verb names something only where a word says so."""
    about = [part for part in re.split(r"[,;.!?]", text) if " about " in f" {part.lower()} "]
    return _trimmed(about[-1], code) if about else ""


def _trimmed(text: str, code: str) -> str:
    """A text without what only leads to the thing or away from it, however often."""
    was, said = "", text.strip(_MARKS)
    if code == "en" and " about " in f" {said.lower()}":
        said = re.split(r"\babout\b", said, flags=re.IGNORECASE)[-1].strip(_MARKS) or said
    while said != was:
        was = said
        said = _pattern(code, "heads", r"\A{}").sub("", said).strip(_MARKS)
        said = _pattern(code, "tails", r"{}\Z").sub("", said).strip(_MARKS)
    return "" if said.lower() in entries(f"{code}/acts", "nothing_named") else said


def _without(text: str, code: str, section: str) -> str:
    return " ".join(_pattern(code, section, "{}").sub(" ", text).split()).strip(_MARKS + "がはをもの")


@cache
def _pattern(code: str, section: str, shape: str) -> re.Pattern[str]:
    listed = sorted(words_of(table(f"{code}/acts")["forgetting"][section]), key=len, reverse=True)
    words = "|".join(map(re.escape, listed))
    bound = rf"(?:{words})" if code == "ja" else rf"(?<![\w'])(?:{words})(?![\w'])"
    return re.compile(shape.format(bound), re.IGNORECASE)


def _only_slot(subject: str, slot: Slot | None, context: Context) -> bool:
    """`where I live`, 仕事のこと: the words name what is kept there and nothing of it."""
    if slot is None or slot is Slot.TASTE:
        return False
    cues = str(table(f"{context.code}/acts")["slots"][slot.value]).replace("my ", "")
    known = {part.strip() for part in re.split(r"[,+]", cues)}
    known |= entries(f"{context.code}/acts", "general_things")
    named = content_words(subject, context.language)
    return not named or all(any(word in part or part in word for part in known if part) for word in named)


def _is_asked_for(text: str) -> bool:
    """今の話は忘れて is meant for the ghost; 財布を忘れて、戻った and 傘を忘れて are not."""
    said = plain(text)
    found = list(_pattern("ja", "verbs", "{}").finditer(said))
    rest = said[found[-1].end() :] if found else said
    asks = not _pattern("ja", "asking", "{}").sub("", rest).strip(_MARKS)
    before = said[: found[-1].start()] if found else said
    about = _pattern("ja", "about", "{}").search(said) is not None
    return (asks or not _trimmed(before, "ja")) and (about or slot_of(said, "ja", Who()) is not None)
