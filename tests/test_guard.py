"""The speech guard: nothing internal leaves, however the text is cut; everything else does."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cocoro_ghost.model.internal import NAMES
from cocoro_ghost.reply.guard import MAX_REPLY_BYTES, SpeechGuard

SPOKEN = [
    ("こんにちは。[face:Joy] 元気?", "こんにちは。[face:Joy] 元気?"),
    ("a < b and b << 2 is fine", "a < b and b << 2 is fine"),
    ("x{y}z and [1, 2] stay", "x{y}z and [1, 2] stay"),
    ("見て ```python\nprint({1})\n``` だよ", "見て ```python\nprint({1})\n``` だよ"),
    ("<<<おーい>>>", "<<<おーい>>>"),
    ("言葉は <<hello there>> だよ", "言葉は <<hello there>> だよ"),
    ('こう: {"name": "Momo", "age": 3} だよ', 'こう: {"name": "Momo", "age": 3} だよ'),
    ('```json\n[{"a": 1}, {"a": 2}]\n```\nはい', '```json\n[{"a": 1}, {"a": 2}]\n```\nはい'),
    ("std::cout << MAX_SIZE << x; y >> z", "std::cout << MAX_SIZE << x; y >> z"),
    ("- 一つ\n- 二つ\n--------", "- 一つ\n- 二つ\n--------"),
    ("a <| b |> c", "a <| b |> c"),
]
HIDDEN = [
    ("<<INTERNAL_CONTEXT>>\nTimeContext:\nnow_local: 1\n\nおはよう。", "おはよう。"),
    ("おはよう。<<<COCORO_GHOST_SECTION:STABLE_FACTS>>>\n- secret", "おはよう。"),
    ('うん {"state_updates": [{"kind": "fact"}]} だね', "うん  だね"),
    ('```json\n{"summary_text": "x"}\n```\nはい', "はい"),
    ("うん。\n- STABLE_FACTS: 秘密\nそうだね", "うん。\n"),
    ("うん。\nMemoryPackによると猫が好き\nそうだね", "うん。\nそうだね"),
    ('[{"ref": "e1"}] それね', "それね"),
    ("<think>内緒の考え</think>\n\nうん", "うん"),
    ("<THINKING>a</think></THINKING>うん", "うん"),
    ("[THINK]hm[/THINK]うん", "うん"),
    ("考え中…\n</think>\n\nうん", "うん"),
    (
        "<|channel|>analysis<|message|>secret<|end|><|start|>assistant<|channel|>final<|message|>うん<|return|>",
        "うん",
    ),
    ("うん<|im_end|>", "うん"),
    ("<<<SOME_OTHER_MARK>>>\n- secret\n \nうん", "うん"),
    ("TimeContext:\nlast_chat: 三日ぶり\n\nうん", "うん"),
]
NOTHING = [
    "<<INTERNAL_CONTEXT>> それだけ",
    "<think>まだ考えて",
    "STABLE_FACTS: を見ると",
    '{"selected": [{"ref": "e1"}]}',
    '- {"state_id": "s7"',
    "<<<COCORO_GHOST_SECTION:OPEN_LOOPS>>>\n- 約束",
    "…<|im_end|>",
]


def guarded(text: str) -> str:
    """A whole text at once."""
    guard = SpeechGuard()
    guard.feed(text)
    guard.finish()
    return guard.text.strip()


@pytest.mark.parametrize(("text", "spoken"), SPOKEN + HIDDEN)
def test_whole_text(text: str, spoken: str) -> None:
    assert guarded(text) == spoken.strip()


@pytest.mark.parametrize(("text", "spoken"), SPOKEN + HIDDEN)
def test_every_split_in_two_gives_the_same(text: str, spoken: str) -> None:
    for cut in range(len(text) + 1):
        assert _in_pieces([text[:cut], text[cut:]]) == spoken.strip()


@pytest.mark.parametrize("text", NOTHING)
def test_residue_is_no_reply(text: str) -> None:
    assert guarded(text) == ""
    assert _in_pieces(list(text)) == ""


_PIECES = st.sampled_from(
    [
        *NAMES,
        "<think>",
        "</think>",
        "<|channel|>",
        "analysis",
        "<|im_end|>",
        "- ",
        "state_id",
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
    pieces = ("お", "は{", '"state_id":1}', "よう")
    fed = "".join([*(guard.feed(piece) for piece in pieces), guard.finish()])
    assert fed == guard.text == "おはよう"


def test_a_bracket_that_never_closes_is_spoken_in_the_end() -> None:
    assert guarded('いいよ {"まだ') == 'いいよ {"まだ'


def test_what_was_thought_aloud_is_not_kept() -> None:
    guard = SpeechGuard()
    assert guard.feed("The user wants ") == "The user wants "
    assert guard.feed("a greeting.</think>おはよう") == "おはよう"
    assert (guard.text, guard.thought_aloud) == ("おはよう", True)


@pytest.mark.parametrize(
    "unit", ["{", '{"', "<<", "```", "\n- ", "<think>", " ", "<|", "[{", "\n \t", '{"a":[', "あ"]
)
def test_a_reply_is_bounded_and_every_character_is_handled_a_bounded_number_of_times(unit: str) -> None:
    """Counted, not timed: what is held over from chunk to chunk stays small, whatever is repeated."""
    guard, longest = SpeechGuard(), 0
    for _ in range(2 * MAX_REPLY_BYTES // (8 * len(unit.encode()))):
        guard.feed(unit * 8)
        longest = max(longest, guard.pending)
    guard.finish()
    assert longest <= 200
    assert len(guard.text.encode()) <= MAX_REPLY_BYTES


def _in_pieces(pieces: list[str]) -> str:
    guard = SpeechGuard()
    for piece in pieces:
        guard.feed(piece)
    guard.finish()
    return guard.text.strip()
