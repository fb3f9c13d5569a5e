"""Feelings in the dialects of front ends, and texts as they are read aloud and compared."""

from __future__ import annotations

import pytest

from cocoro_ghost.connect.outgoing_reply import Spoken
from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.client import EmotionTags
from cocoro_ghost.reply.expression import expression_of, speech_text, tag, without_tags


@pytest.mark.parametrize(
    ("vad", "name"),
    [
        (Vad(0.8, 0.4, 0.1), "happy"),
        (Vad(0.5, -0.5, 0.0), "relaxed"),
        (Vad(-0.7, -0.2, -0.3), "sad"),
        (Vad(-0.6, 0.7, 0.5), "angry"),
        (Vad(0.0, 0.8, 0.0), "surprised"),
        (Vad(0.05, 0.05, 0.9), "neutral"),
    ],
)
def test_a_feeling_has_a_face(vad: Vad, name: str) -> None:
    assert expression_of(vad).name == name


@pytest.mark.parametrize("dialect", list(EmotionTags))
def test_every_dialect_is_taken_off_again(dialect: EmotionTags) -> None:
    for vad in (Vad(0.8, 0.4, 0.1), Vad(-0.7, -0.2, -0.3), Vad(-0.6, 0.7, 0.5), Vad(0.0, 0.8, 0.0)):
        written = tag(expression_of(vad), dialect)
        assert bool(written) is (dialect is not EmotionTags.NONE)
        assert without_tags(f"{written}こんにちは") == "こんにちは"


def test_a_text_is_read_aloud_without_what_is_only_to_be_seen() -> None:
    text = (
        "[face:Joy]**やった** 🎉 [地図](https://example.org/map) を見て\n```\ncode\n```\nhttps://example.org"
    )
    assert speech_text(text) == "やった 地図 を見て\n \nlink"


@pytest.mark.parametrize("size", [1, 2, 3, 50])
def test_a_stop_string_cuts_however_the_pieces_fall(size: int) -> None:
    text, spoken = "one two\nMika: three", Spoken("<tag>", ("\nMika:",))
    out = "".join(spoken.feed(text[at : at + size]) for at in range(0, len(text), size)) + spoken.finish()
    assert out == "<tag>one two"


def test_the_beginning_of_a_stop_string_alone_is_spoken() -> None:
    spoken = Spoken("", ("END",))
    assert spoken.feed("the EN") + spoken.finish() == "the EN"
