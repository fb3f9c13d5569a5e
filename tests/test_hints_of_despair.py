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
        "I'm not planning to be here by next summer, I can't do this",
    ],
    "a death wished for from outside": [
        "寝てる間に心臓が止まってくれたらって祈ってる",
        "it would be a relief if I got hit by a car",
    ],
    "a burden that would be forgotten": [
        "お荷物でしかないから、いなくなれば一週間で忘れてもらえる",
        "everyone would be better off without me",
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
    # Everyday words that stand in a rule of hints: the trained head must hear it too.
    "my toddler will cry for a bit at nursery but she'll be fine",
    "he'll be sad for a while and then move on, it was only a hamster",
    "I pray the pain in my knee will stop, whatever it takes",
    "how many painkillers is too many for a headache?",
    "gave away my old things before the move, won't need a coat in Spain next year",
    "the kids would be happier with a different mum, says my teenager lol",
    "I stopped eating sugar, doesn't matter anymore",
    "every time I wait on the platform the train is late too long",
    "how long does it take to freeze ice cream",
    "we decided to put our papers in order for the mortgage, won't need them after",
    "引っ越すから家のものを人にあげて片付けてる",
    "駅のホームで電車を待つたびに寒い",
    "薬って何錠まで飲んでいいんだっけ、頭痛",
    "子どもはちょっと泣くけどすぐ忘れるよ",
    "パスワードを妻に渡しておいた、念のため",
]


def of(text: str) -> Language:
    return Language.EN if text.isascii() else Language.JA


@pytest.mark.parametrize("text", [text for texts in HINTS.values() for text in texts])
def test_a_hint_is_heard(text: str) -> None:
    assert find_distress(text, of(text)) is not None


@pytest.mark.parametrize("text", NEAR)
def test_what_only_sounds_alike_is_left_alone(text: str) -> None:
    assert find_distress(text, of(text)) is None
