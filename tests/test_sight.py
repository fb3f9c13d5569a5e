"""What a turn sees and keeps of it: a look is learned from with its window, a wish leaves no picture."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping
from typing import Any

import pytest
from PIL import Image

from cocoro_ghost.hear.capture import Captures
from cocoro_ghost.hear.images import check_images
from cocoro_ghost.model.client_turn import Standing
from cocoro_ghost.model.event import ClientContext, Event, Origin, Source
from cocoro_ghost.model.heard import Heard, SentMessage, Unasked
from cocoro_ghost.model.link import EventLinkLabel
from cocoro_ghost.model.scene import Occasion
from cocoro_ghost.reply.stream import Done
from cocoro_ghost.store import events, graph
from cocoro_ghost.store.ports import Database, Reader
from cocoro_ghost.testing import ScriptedMind
from tests.turning import StubRecall, end_of, parts_of, stored, turn

WISH = Unasked(Occasion.META_REQUEST, Source.META_PROACTIVE, Origin.GHOST, kept=None)
LOOK = ["ねえ、画面見て", "can you see my screen?"]


def picture() -> str:
    out = io.BytesIO()
    Image.new("RGB", (8, 6)).save(out, "PNG")
    return "data:image/png;base64," + base64.b64encode(out.getvalue()).decode()


class Desk:
    """One client that shows its screen at once, with the title of its window."""

    def __init__(self) -> None:
        self.captures = Captures(self, timeout_ms=5)
        self.context = ClientContext("Code", "mood.py — Cocoro")

    def with_cap(self, cap: str) -> list[str]:
        return ["desk"]

    def send_to(self, client_id: str, kind: str, data: Mapping[str, Any], event_id: int = 0) -> bool:
        return self.captures.answer(data["request_id"], (picture(),), self.context, None)


def looked(reader: Reader) -> list[Event]:
    return [event for event in events.after(reader, 0, 20) if event.source is Source.VISION_DETAIL]


def jobs_of(reader: Reader, event_id: int) -> set[str]:
    rows = reader.rows("SELECT kind, payload_json FROM jobs")
    return {
        row["kind"]
        for row in rows
        if f'"event_id": {event_id}' in row["payload_json"].replace('":', '": ').replace("  ", " ")
    }


@pytest.mark.parametrize("words", LOOK)
async def test_a_look_is_learned_from_with_its_client_and_its_window(memory: Database, words: str) -> None:
    desk, recall = Desk(), StubRecall()
    mind = ScriptedMind(replies=["見たよ。"], images=["エディタの画面"])
    parts = parts_of(memory, mind, recall, captures=desk.captures)
    assert isinstance(end_of(await turn(parts, Heard(words, client_id="page"))), Done)
    (look,) = await memory.read(looked)
    assert (look.image_summaries, look.client_id, look.client_context) == (
        ("エディタの画面",),
        "desk",
        desk.context,
    )
    assert {"embed_event", "generate_write_plan"} <= await memory.read(lambda r: jobs_of(r, look.event_id))
    # The mind that speaks is told which window was in front.
    assert recall.asked[0].context == desk.context


async def test_a_look_of_a_doubtful_caller_is_not_learned_from(memory: Database) -> None:
    desk = Desk()
    parts = parts_of(memory, ScriptedMind(), captures=desk.captures)
    via = SentMessage("other", standing=Standing.DOUBTFUL)
    await turn(parts, Heard(LOOK[0], via=via, conversation="elsewhere"))
    (look,) = await memory.read(looked)
    assert (look.searchable, look.conversation) == (False, "elsewhere")
    assert await memory.read(lambda r: jobs_of(r, look.event_id)) == set()


async def test_of_a_wish_neither_words_nor_pictures_are_kept(memory: Database) -> None:
    mind = ScriptedMind(replies=["いい写真だね。"], images=["ひみつの書類"])
    parts = parts_of(memory, mind)
    heard = Heard("この写真に一言", check_images([picture()]), unasked=WISH)
    end = end_of(await turn(parts, heard))
    assert isinstance(end, Done)
    event = await stored(memory, end.event_id)
    assert (event.source, event.user_text, event.assistant_text) == (
        Source.META_PROACTIVE,
        None,
        "いい写真だね。",
    )
    assert not event.image_summaries


async def test_a_message_answers_the_last_turn_of_its_own_client(memory: Database) -> None:
    parts = parts_of(memory, ScriptedMind())

    async def say(text: str, client: str | None) -> int:
        end = end_of(await turn(parts, Heard(text, client_id=client)))
        assert isinstance(end, Done)
        return end.event_id

    phone = await say("電話から", "phone")
    desk = await say("机から", "desk")
    again = await say("また電話から", "phone")
    first = await say("はじめての端末", "watch")
    nobody = await say("名乗らない", None)

    def answered(reader: Reader) -> dict[int, list[int]]:
        return {
            event_id: [
                link.to_event_id
                for link in graph.links_of(reader, event_id)
                if link.from_event_id == event_id and link.label is EventLinkLabel.REPLY_TO
            ]
            for event_id in (desk, again, first, nobody)
        }

    assert await memory.read(answered) == {desk: [phone], again: [phone], first: [again], nobody: [first]}
