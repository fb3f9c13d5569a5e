"""Hints that say nothing of death in plain words, by what they do; and ordinary words that look like them."""

from __future__ import annotations

import pytest

from cocoro_ghost.language.distress import find_distress
from cocoro_ghost.model.scene import Language

HINTS = {
    "things are put in order": [
        "大事なものは全部人にあげた、もう要らないから",
        "I've been giving my things away, I won't need them",
    ],
    "no place in what is to come": [
        "来年の夏に私はいないと思う",
        "there's no version of next summer with me in it",
    ],
    "a death wished for from outside": [
        "寝てる間に心臓が止まってくれたらって祈ってる",
        "it would be a relief if I got hit by a car",
    ],
    "a burden that would be forgotten": [
        "お荷物でしかないから、いなくなれば一週間で忘れてもらえる",
        "they'd grieve for a week and move on",
    ],
    "a face that is kept up": [
        "ここにいたいふりをするのに疲れた",
        "I'm so tired of pretending I want to be here",
    ],
    "means at hand": ["浴室でカミソリ持って座ってる", "I've been saving up my prescriptions"],
}
NEAR = [
    "着なくなった服を全部人にあげた、引っ越すから",
    "この薬、何錠飲むんだっけ",
    "来年の夏はハワイにいると思う",
    "飛行機の値段が落ちてくれたらいいのに",
    "ゴルフ好きなふりをするのに疲れた",
    "旅行でいなくなる間、猫のことお願いね",
    "I gave away my old clothes before the move",
    "I don't see myself at this company next year",
    "how many vitamin tablets is too many?",
    "I'm tired of pretending I like golf",
    "I've been saving up my vouchers",
    "I wish the plane would leave on time",
]


def of(text: str) -> Language:
    return Language.EN if text.isascii() else Language.JA


@pytest.mark.parametrize("text", [text for texts in HINTS.values() for text in texts])
def test_a_hint_is_heard(text: str) -> None:
    assert find_distress(text, of(text)) is not None


@pytest.mark.parametrize("text", NEAR)
def test_what_only_sounds_alike_is_left_alone(text: str) -> None:
    assert find_distress(text, of(text)) is None
