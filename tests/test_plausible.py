"""What a row takes for a name, home, work or age of the speaker must be able to be one."""

from __future__ import annotations

from datetime import datetime

import pytest

from cocoro_ghost.language import read
from cocoro_ghost.model.reading import Slot
from cocoro_ghost.model.scene import Language

JA, EN = Language.JA, Language.EN
CHECKED = {Slot.NAME, Slot.HOME, Slot.WORK, Slot.EMPLOYER, Slot.AGE}


def own(text: str, language: Language) -> set[str]:
    claims = read(text, now=datetime(2026, 3, 18, 20), language=language).claims
    return {claim.value for claim in claims if claim.who.kind == "me" and claim.slot in CHECKED}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Here I am, feet up at work, tea in hand", EN),
        ("ta, you're a gem", EN),
        ("I do this for a living", EN),
        ("restoring an old truck, been at it 9 years", EN),
        ("わしはな、缶コーヒーは微糖て決めとるねん", JA),
        ("やっほー、はじめまして。ひまなとき相手してね", JA),
        ("妹のことりは17で、よく寝る", JA),
        ("れい子、出てった", JA),
    ],
)
def test_idioms_greetings_and_what_is_told_of_another_are_none(text: str, language: Language) -> None:
    assert not own(text, language)


@pytest.mark.parametrize(
    ("text", "language", "values"),
    [
        ("I'm Morag, I work at a bakery in Perth", EN, {"Morag"}),
        ("I live in Kyoto and work as a nurse", EN, {"Kyoto", "nurse"}),
        ("はじめまして、白石かなえ、22歳です", JA, {"22"}),
        ("名前は美緒。家は春日井です", JA, {"美緒", "春日井"}),
    ],
)
def test_plain_ones_are_kept(text: str, language: Language, values: set[str]) -> None:
    assert values <= own(text, language)
