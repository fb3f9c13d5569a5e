"""Every call fits the model's window: what goes first, what never goes, and that it ends."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cocoro_ghost.language.tokens import count_tokens
from cocoro_ghost.mind.client import Message, PlanRequest
from cocoro_ghost.mind.fit import (
    RESERVES,
    SMALL_PROMPT,
    SMALL_WINDOW,
    answer_limit,
    cost,
    fitted,
    fitted_question,
    reply_reserve,
    room_for,
)
from cocoro_ghost.model.material import TidyMaterial
from cocoro_ghost.model.scene import Language

RULES = Message("system", "You are Kokoro. You speak gently, briefly and plainly.")
ANCHOR = "Answer the last message, in its own language."
CONTEXT = Message(
    "system",
    "\n".join(f"- memory {n}: 京都で抹茶を飲んだ" for n in range(30)) + f"\n\n{ANCHOR}",
    internal=True,
)
ASKED = Message("user", "昨日の話、覚えてる？")


def talk(turns: int, words: str = "今日はよく晴れた一日だった。") -> tuple[Message, ...]:
    history = [Message(role, f"{words} {n}") for n in range(turns) for role in ("user", "assistant")]
    return (RULES, *history, CONTEXT, ASKED)


@given(st.integers(0, 40), st.integers(60, 4000))
def test_a_reply_fits_or_nothing_is_left_to_take_away(turns: int, room: int) -> None:
    messages = talk(turns)
    kept = fitted(messages, room)
    assert kept[-1] == ASKED, "what was asked is never touched"
    if cost(messages) <= room:
        assert kept == messages, "what fits stays as it is"
    assert cost(kept) <= max(room, cost(fitted(messages, 60)))
    assert fitted(kept, room) == kept, "what was made to fit fits"


def test_history_goes_before_memories_and_memories_before_the_rules() -> None:
    messages = talk(20)
    without_history = (RULES, CONTEXT, ASKED)
    assert fitted(messages, cost(without_history)) == without_history
    tight = fitted(messages, cost((RULES, ASKED)) + 60)
    (block,) = [one for one in tight if one.internal]
    assert RULES in tight
    assert block.content.endswith(ANCHOR), "the anchor closes the block however short it gets"
    assert "memory 0" in block.content, "the first memories are the best ones"
    assert "memory 29" not in block.content


def test_the_newest_of_a_history_stays_longest() -> None:
    messages = talk(20)
    kept = fitted(messages, cost(messages) - 100)
    left = [one.content for one in kept if one.role == "user" and one != ASKED]
    assert left == [one.content for one in messages if one.role == "user" and one != ASKED][-len(left) :]
    assert left


def test_a_persona_as_long_as_a_window_loses_its_middle() -> None:
    persona = "いつも" * 2000
    (kept, asked) = fitted((Message("system", persona), ASKED), 500)
    assert asked == ASKED
    assert kept.content.startswith("いつも")
    assert kept.content.endswith("いつも")
    assert "\n…\n" in kept.content
    assert cost((kept, asked)) <= 500


@given(st.integers(1, 30), st.integers(40, 1200))
def test_a_question_loses_its_spare_lines_from_the_least_important_on(count: int, room: int) -> None:
    lines = [f"s{n} fact: あなたは趣味{n}号を続けている" for n in range(count)]
    messages = (Message("system", "Which say the same?"), Message("user", "\n".join(lines)))
    request = PlanRequest(
        "tidy_plan", messages, TidyMaterial((), Language.JA, 0), "hash", tuple(reversed(lines[2:]))
    )
    kept = fitted_question(request, messages, room)[-1].content.split("\n")
    if cost(messages) <= room:
        assert kept == lines
    else:
        whole = [line for line in kept if line in lines]
        assert whole == lines[: len(whole)], "from the end on, none out of the middle"


@given(st.integers(256, 1_000_000), st.floats(0.1, 6.0))
def test_the_room_leaves_the_answer_its_own(window: int, ratio: float) -> None:
    reserve = reply_reserve(4096, window)
    room = room_for(window, reserve, ratio)
    assert reserve <= max(256, window // 4)
    assert room >= 64
    if window <= SMALL_WINDOW:
        assert room <= max(64, SMALL_PROMPT), "a small model at home is spared what it need not read"
    if room > 64:
        assert room * max(ratio, 0.5) + reserve <= window, "in the model's own tokens it fits"


def test_a_typed_answer_may_think_where_there_is_room() -> None:
    assert answer_limit("write_plan", 4096, 0) == 4096
    assert answer_limit("write_plan", 100, 200_000) == RESERVES["write_plan"], "never less than it needs"
    assert answer_limit("write_plan", 4096, SMALL_WINDOW) == RESERVES["write_plan"]
    assert reply_reserve(4096, 0) == 4096
    assert cost((ASKED,)) > count_tokens(ASKED.content), "a template spends some on every message"
