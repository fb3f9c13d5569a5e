"""Forty replies of models that imitate, think, cut off or refuse: nothing internal is heard or learned."""

from __future__ import annotations

from typing import Any

import pytest

from cocoro_ghost.model.internal import names_inside
from cocoro_ghost.reply.stream import Done, Failed
from cocoro_ghost.store.ports import Database
from tests.asking import mind_at
from tests.conftest import Figures
from tests.model_server import model_server, streams
from tests.turning import StubRecall, end_of, parts_of, stored, turn, words_of

pytestmark = pytest.mark.anyio

SECRET = "きみの秘密は猫アレルギー"
PACK = f"<<<COCORO_GHOST_SECTION:STABLE_FACTS>>>\n- {SECRET}"
BLOCK = f"<<INTERNAL_CONTEXT>>\nTimeContext:\nnow_local: 2026-01-01T09:00\n\n{PACK}"
# The same slips as models make them: whole, in other words, at the end, in the middle, in every wrapping.
IMITATIONS = [
    BLOCK + "\n\nおはよう。",
    f"おはよう。\n{PACK}",
    f"おはよう。 {PACK}\n\nまたね。",
    f"STABLE_FACTS:\n- {SECRET}\n\nおはよう。",
    f"- OPEN_LOOPS: {SECRET}\nおはよう。",
    f"MemoryPack によると {SECRET}\nおはよう。",
    f"おはよう。persona_mood_state: {SECRET}",
    f"<<<cocoro_ghost_section:stable_facts>>>\n{SECRET}\n\nおはよう。",
    f"<<END_OF_CONTEXT>>\n{SECRET}\n\nおはよう。",
    f'{{"state_updates": [{{"body_text": "{SECRET}"}}]}}\nおはよう。',
    f'```json\n{{"summary_text": "{SECRET}"}}\n```\nおはよう。',
    f'[{{"ref": "e12", "reason": "{SECRET}"}}] おはよう。',
]
THOUGHTS = [
    f"<think>{SECRET}</think>おはよう。",
    f"<think>\n{SECRET}\n</think>\n\nおはよう。",
    f"<thinking>{SECRET}</thinking>おはよう。",
    f"<reasoning>{SECRET}</reasoning>おはよう。",
    f"[THINK]{SECRET}[/THINK]おはよう。",
    f"<|channel|>analysis<|message|>{SECRET}<|end|><|start|>assistant<|channel|>final<|message|>おはよう。",
    f"おはよう。<think>{SECRET}</think>",
    f"<think>{SECRET}",
]
ONLY_RESIDUE = [BLOCK, PACK, f"<think>{SECRET}</think>", f"EPISODE_EVIDENCE: {SECRET}"]
ENDS: list[tuple[str, dict[str, Any]]] = [
    ("おはよう。", {"finish": "length"}),
    ("おはよう。", {"finish": None}),
    ("おはよう。", {"then": "cut"}),
    ("", {"finish": "content_filter"}),
    ("", {"finish": "tool_calls"}),
    ("", {"refusal": SECRET}),
    (f"<think>{SECRET}", {"finish": "length"}),
    (f"おはよう。<<<COCORO_GHOST_SECTION:STABLE_FACTS>>>\n- {SECRET}", {"finish": "length"}),
]
REPLIES: list[tuple[str, dict[str, Any]]] = [
    (text, {}) for text in (*IMITATIONS, *THOUGHTS, *ONLY_RESIDUE)
] + ENDS
PIECES = (1, 3, 1000)


def _in_pieces(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


@pytest.mark.parametrize("size", PIECES)
async def test_no_reply_leaks_and_none_is_learned(memory: Database, size: int, figures: Figures) -> None:
    assert len(REPLIES) == 32
    heard, kept = [], []
    for number, (text, end) in enumerate(REPLIES, 1):
        async with model_server(streams(*_in_pieces(text, size), **end)) as server:
            parts = parts_of(memory, mind_at(server), StubRecall((), PACK))
            frames = await turn(parts, "おはよう")
        heard.append(words_of(frames))
        kept.append((await stored(memory, number)).assistant_text or "")
        ended = end_of(frames)
        assert isinstance(ended, Done) == bool(
            kept[-1] and end.get("then") != "cut" and end.get("finish", 0) is not None
        )
    for said in [*heard, *kept]:
        assert SECRET not in said
        assert not names_inside(said)
        assert "think" not in said.lower()
        assert "<|" not in said
    figures(
        "minds", f"{len(REPLIES)} replies that imitate, think, cut or refuse, in pieces of {size}: 0 leaks"
    )


STREAMED_FIRST = [f"考えると{SECRET}だ。</think>おはよう。", f"まず{SECRET}。\n</think>\n\nおはよう。"] * 4


async def test_thoughts_that_begin_in_the_template_are_never_kept_and_held_back_from_then_on(
    memory: Database,
) -> None:
    """The first time nobody can know; nothing of it is stored, and the second time nothing is heard."""
    async with model_server(*[streams(*_in_pieces(text, 3)) for text in STREAMED_FIRST]) as server:
        mind = mind_at(server)
        for number in range(1, len(STREAMED_FIRST) + 1):
            frames = await turn(parts_of(memory, mind), "おはよう")
            assert (await stored(memory, number)).assistant_text == "おはよう。"
            if number > 1:
                assert words_of(frames).strip() == "おはよう。"
    assert mind.learned.thinks_first


@pytest.mark.parametrize(
    ("end", "code", "kept"),
    [
        ({"finish": "length"}, "length", "おはよう。"),
        ({"finish": None}, "llm_stream_failed", "おはよう。"),
        ({"finish": "content_filter"}, "llm_declined", "おはよう。"),
    ],
)
async def test_how_a_reply_ended_is_told(memory: Database, end: dict[str, Any], code: str, kept: str) -> None:
    async with model_server(streams("おはよう。", **end)) as server:
        ended = end_of(await turn(parts_of(memory, mind_at(server)), "おはよう"))
    assert (await stored(memory, 1)).assistant_text == kept
    told = ended.finish_reason if isinstance(ended, Done) else ended.code
    assert told == code
    if isinstance(ended, Failed):
        assert ended.message


@pytest.mark.parametrize("size", PIECES)
async def test_what_a_model_is_told_about_itself_is_not_said_back(memory: Database, size: int) -> None:
    said = "おはよう。覚え書きは書き写さない。話し言葉だけを返す。いい天気だね。覚え書きは大事だね。"
    async with model_server(streams(*_in_pieces(said, size))) as server:
        ended = end_of(await turn(parts_of(memory, mind_at(server)), "おはよう"))
    assert isinstance(ended, Done)
    assert ended.reply_text == "おはよう。いい天気だね。覚え書きは大事だね。"


async def test_residue_is_asked_for_again_with_the_context_elsewhere(memory: Database) -> None:
    async with model_server(streams(BLOCK), streams("おはよう。")) as server:
        mind = mind_at(server)
        ended = end_of(await turn(parts_of(memory, mind, StubRecall((), PACK)), "おはよう"))
    assert isinstance(ended, Done)
    assert ended.reply_text == "おはよう。"
    first, second = ([one["role"] for one in request["messages"]] for request in server.requests)
    assert first == ["system", "assistant", "user"]
    assert second == ["system", "user"]
    assert mind.learned.context_in == "user"


async def test_residue_up_to_the_limit_is_asked_for_again_too(memory: Database) -> None:
    """As SmolLM2 did: it copied its notes until its tokens were spent."""
    async with model_server(streams(BLOCK, finish="length"), streams("おはよう。")) as server:
        ended = end_of(await turn(parts_of(memory, mind_at(server), StubRecall((), PACK)), "おはよう"))
    assert isinstance(ended, Done)
    assert (ended.reply_text, ended.finish_reason) == ("おはよう。", "stop")
