"""Whatever is said to the keeper, it says no clause of it back, and what it says is a whole sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from cocoro_ghost.language.fold import fold
from cocoro_ghost.mind.embedded.phrases import hint
from cocoro_ghost.model.reading import HEAVY
from cocoro_ghost.model.scene import Language, PastTurn
from eval.reader import sentences
from eval.reader.sentences import Case
from tests.speaking import EN, JA, scene, spoken

MANY = 150
MOST_CHARS, MOST_WORDS = 12, 4
QUOTED = re.compile(r"「[^「」]*」|\"[^\"]*\"|“[^”]*”")
WORD = re.compile(r"[a-z0-9']+")
BROKEN = re.compile(
    r"ですです|だねだ|[、，,]{2}|。。|[^.]\.\.(?!\.)|  | [うよ][、。]|[がへ][。、]|するだ|ますだ|ですだ"
    r"|\b(?:your?|my) (?:your?|my)\b|\b(?:the the|a a|to to)\b|\{|\}|のことのこと|[:：][。.]",
    re.IGNORECASE,
)


def cases(language: Language) -> list[Case]:
    told = [one for one in sentences.lasting(language.value) if len(one.text) < 90]
    felt = sentences.tones(language.value)
    return [*told[:: max(1, len(told) // MANY)][:MANY], *felt[:: max(1, len(felt) // MANY)][:MANY]]


def longest_run(reply: str, message: str, *, words: bool) -> int:
    """How much of a message stands in a reply in one piece, outside quotation marks."""
    said, heard = fold(QUOTED.sub("¦", reply)), fold(message)
    if not words:
        runs = (n for n in range(MOST_CHARS + 1, 0, -1))
        return next(
            (n for n in runs if any(said[at : at + n] in heard for at in range(len(said) - n + 1))), 0
        )
    parts, whole = WORD.findall(said), f" {' '.join(WORD.findall(heard))} "
    for n in range(MOST_WORDS + 1, 0, -1):
        if any(f" {' '.join(parts[at : at + n])} " in whole for at in range(len(parts) - n + 1)):
            return n
    return 0


def faults(message: str, reply: str, language: Language) -> list[str]:
    """What is wrong with a reply whatever was meant."""
    found = [one[0] for one in BROKEN.finditer(QUOTED.sub("¦", reply))]
    most = MOST_CHARS if language is JA else MOST_WORDS
    # A name or a date in figures is said as it is.
    if longest_run(reply, message, words=language is EN) > most:
        found.append("a clause said back")
    if reply.count("「") != reply.count("」") or reply.count('"') % 2:
        found.append("unbalanced quotation marks")
    return found if reply.strip() else ["nothing said"]


@pytest.mark.parametrize("language", [JA, EN])
def test_no_clause_is_said_back_and_nothing_is_broken(language: Language) -> None:
    wrong = []
    for at, case in enumerate(cases(language)):
        reply = spoken(scene(language, case.text, seed=at))
        wrong += [(case.text, reply, fault) for fault in faults(case.text, reply, language)]
    assert wrong == []


@pytest.mark.parametrize("language", [JA, EN])
def test_who_tells_something_sad_is_not_sent_to_the_settings(language: Language) -> None:
    told = [case for case in sentences.tones(language.value) if case.label in HEAVY]
    sent = [case.text for case in told[::8] if hint(language) in spoken(scene(language, case.text))]
    assert sent == []


@pytest.mark.parametrize("language", [JA, EN])
def test_ten_turns_of_small_talk_get_ten_answers(language: Language) -> None:
    said: Sequence[PastTurn] = ()
    text = "今日は洗濯物がよく乾いた" if language is JA else "The laundry dried well"
    for at in range(10):
        now = scene(language, text, seed=at, history=tuple(said))
        said = (*said, PastTurn(text, spoken(now), now.now_ts - 100))
    replies = [turn.assistant_text for turn in said]
    assert len(set(replies)) == len(replies)
