"""The speech guard: nothing internal leaves, however the text is cut; everything else does."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cocoro_ghost.reply.guard import NAMES, SpeechGuard, guarded

SPOKEN = [
    ("こんにちは。[face:Joy] 元気?", "こんにちは。[face:Joy] 元気?"),
    ("a < b and b << 2 is fine", "a < b and b << 2 is fine"),
    ("x{y}z and [1, 2] stay", "x{y}z and [1, 2] stay"),
    ("見て ```python\nprint({1})\n``` だよ", "見て ```python\nprint({1})\n``` だよ"),
    ("<<<おーい>>>", "<<<おーい>>>"),
]
HIDDEN = [
    ("<<INTERNAL_CONTEXT>>\nTimeContext:\nnow_local: 1\n\nおはよう。", "おはよう。"),
    ("おはよう。<<<COCORO_GHOST_SECTION:STABLE_FACTS>>>\n- secret", "おはよう。"),
    ('うん {"mood": {"v": 1}} だね', "うん  だね"),
    ('```json\n{"a": 1}\n```\nはい', "はい"),
    ("STABLE_FACTS: を見ると", "を見ると"),
    ("MemoryPackによると猫が好き", "によると猫が好き"),
    ('[{"ref": "e1"}] それね', "それね"),
    ("<<INTERNAL_CONTEXT>> それだけ", "それだけ"),
]


@pytest.mark.parametrize(("text", "spoken"), SPOKEN + HIDDEN)
def test_whole_text(text: str, spoken: str) -> None:
    assert guarded(text) == spoken


@pytest.mark.parametrize(("text", "spoken"), SPOKEN + HIDDEN)
def test_every_split_in_two_gives_the_same(text: str, spoken: str) -> None:
    for cut in range(len(text) + 1):
        assert _in_pieces([text[:cut], text[cut:]]) == spoken


_PIECES = st.sampled_from(
    [
        *NAMES,
        "<<",
        "<",
        ">>",
        ">",
        "{",
        "}",
        '"',
        "[",
        "]",
        "[face:Joy]",
        "```",
        "json",
        "\n",
        "\n\n",
        " ",
        "猫",
        "a",
        ":",
        "1",
    ]
)


@given(st.lists(_PIECES, max_size=25), st.lists(st.integers(0, 200), max_size=6))
def test_cutting_never_changes_what_is_spoken(parts: list[str], cuts: list[int]) -> None:
    text = "".join(parts)
    places = sorted({min(cut, len(text)) for cut in cuts} | {0, len(text)})
    pieces = [text[start:end] for start, end in pairwise(places)]
    assert _in_pieces(pieces) == guarded(text)


@given(st.lists(_PIECES, max_size=25))
def test_no_internal_name_is_ever_spoken(parts: list[str]) -> None:
    spoken = guarded("".join(parts))
    assert not any(name in spoken for name in ("INTERNAL_CONTEXT", "COCORO_GHOST_SECTION", "STABLE_FACTS"))


def test_what_is_fed_is_what_is_kept() -> None:
    guard = SpeechGuard()
    fed = "".join([*(guard.feed(piece) for piece in ("お", "は{", '"a":1}', "よう")), guard.finish()])
    assert fed == guard.text == "おはよう"


def test_a_bracket_that_never_closes_is_spoken_in_the_end() -> None:
    assert guarded('いいよ {"まだ') == 'いいよ {"まだ'


def _in_pieces(pieces: list[str]) -> str:
    guard = SpeechGuard()
    for piece in pieces:
        guard.feed(piece)
    guard.finish()
    return guard.text.strip()
