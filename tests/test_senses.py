"""Senses over real TLS sockets: a whole day on the domain clock, looks, quiet hours, slow readers."""

from __future__ import annotations

import asyncio
import base64
import json
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import websockets
from websockets.asyncio.client import ClientConnection

from cocoro_ghost.api.hub import EventHub
from cocoro_ghost.clock import local
from cocoro_ghost.errors import StoreError
from cocoro_ghost.hear.wishes import wish_to_be_seen
from cocoro_ghost.model.answers import ReminderCandidate
from cocoro_ghost.model.event import EventStatus, Origin, Source
from cocoro_ghost.reply.quiet_hours import QuietHours
from cocoro_ghost.senses import reminder_book
from cocoro_ghost.senses.looking import Looking
from cocoro_ghost.store import events
from tests.conftest import Figures
from tests.serving import House, house, say
from tests.test_images import picture

TOKYO = ZoneInfo("Asia/Tokyo")
CLIENT = "console-1"
PICTURE = "data:image/png;base64," + base64.b64encode(picture()).decode()
CAPS = ["vision.desktop", "vision.camera"]


@asynccontextmanager
async def listening(
    home: House, client_id: str = CLIENT, caps: list[str] | None = None
) -> AsyncIterator[ClientConnection]:
    """A desktop client on the event stream, over TLS."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    url = home.addresses.https.replace("https", "wss") + "/api/events/stream"
    async with websockets.connect(url, ssl=context, additional_headers=home.bearer, proxy=None) as socket:
        hello = {"type": "hello", "client_id": client_id, "caps": CAPS if caps is None else caps}
        await socket.send(json.dumps(hello))
        yield socket


async def frame(socket: ClientConnection, kind: str) -> dict[str, Any]:
    """The next frame, which must be of this kind."""
    found: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), 60))
    assert found["type"] == kind, found
    return found


async def until(home: House, hour: str) -> int:
    """Seconds from now to the next local wall time."""
    now = local(home.ghost.clock.domain_now(), TOKYO)
    wanted = datetime.combine(now.date(), datetime.strptime(hour, "%H:%M").time(), TOKYO)
    return int((wanted - now).total_seconds()) % 86_400


async def test_a_day_with_the_ghost(tmp_path: Path, figures: Figures) -> None:
    async with house(tmp_path) as home, home.client() as client, listening(home) as socket:

        async def advance(seconds: int) -> None:
            answer = await client.post("/api/control/time/advance", json={"seconds": seconds})
            assert answer.status_code == 200

        await advance(await until(home, "06:00"))
        day = local(home.ghost.clock.domain_now(), TOKYO).date()
        once = {"repeat_kind": "once", "content": "歯医者に行く", "scheduled_at": f"{day}T12:15:00+09:00"}
        daily = {"repeat_kind": "daily", "content": "薬を飲む", "time_of_day": "07:00"}
        for reminder in (once, daily):
            assert (await client.post("/api/reminders", json=reminder)).status_code == 201

        await advance(3600)
        morning = await frame(socket, "reminder")
        assert "薬を飲む" in morning["data"]["message"]
        assert "7:00" in morning["data"]["message"] or "7時" in morning["data"]["message"]
        assert len(morning["data"]["message"]) <= 50

        body: dict[str, Any] = {"source_system": "Mail", "text": "会議は15時からです", "images": [PICTURE]}
        assert (await client.post("/api/v2/notification", json=body)).status_code == 204
        told = await frame(socket, "notification")
        assert told["data"]["system_text"] == "[Mail] 会議は15時からです"
        assert "Mail" in told["data"]["message"]
        assert told["data"]["images"] == body["images"]

        await advance(await until(home, "12:15"))
        noon = await frame(socket, "reminder")
        assert "歯医者に行く" in noon["data"]["message"]

        wish = {"instruction": "ひみつの合図: 昼休みに声をかけて", "payload_text": "ひみつの資料"}
        assert (await client.post("/api/v2/meta-request", json=wish)).status_code == 204
        proactive = await frame(socket, "meta-request")
        assert proactive["data"]["message"]

        await _watch(home, client, socket, advance)
        await advance(await until(home, "07:00"))
        assert "薬を飲む" in (await frame(socket, "reminder"))["data"]["message"]

        missed = (await client.get("/api/events", params={"after": 0})).json()
        assert [one["type"] for one in missed["items"]] == [
            "reminder", "notification", "reminder", "meta-request", "desktop_watch", "reminder",
        ]  # fmt: skip
        assert missed["items"][1]["event_id"] == told["event_id"]
        assert not _found_in_files(tmp_path, "ひみつ")
        await _all_are_learned_from(home)
    figures("senses", "a day over TLS: 6 unasked lines, each an event with its jobs; the wish kept nowhere")


def _found_in_files(folder: Path, text: str) -> bool:
    return any(text.encode() in path.read_bytes() for path in folder.rglob("*") if path.is_file())


async def _watch(home: House, client: Any, socket: ClientConnection, advance: Any) -> None:
    """Desktop watch: five seconds after being switched on; a skip is silent; a picture gets a comment."""
    settings = (await client.get("/api/settings")).json()
    settings |= {"desktop_watch_enabled": True, "desktop_watch_interval_seconds": 600}
    settings["desktop_watch_target_client_id"] = CLIENT
    assert (await client.put("/api/settings", json=settings)).status_code == 200
    answers: list[dict[str, Any]] = [
        {"images": [], "error": "capture skipped (idle)"},
        {"images": [PICTURE], "client_context": {"active_app": "Code", "window_title": "turn.py"}},
    ]
    for wait, answer in zip((5, 600), answers, strict=True):
        await advance(wait)
        asked = await frame(socket, "vision.capture_request")
        assert asked["event_id"] == 0
        assert {**asked["data"], "request_id": ""} == {
            "request_id": "",
            "source": "desktop",
            "mode": "still",
            "purpose": "desktop_watch",
            "timeout_ms": 5000,
        }
        sent = {"request_id": asked["data"]["request_id"], "client_id": CLIENT, **answer}
        assert (await client.post("/api/v2/vision/capture-response", json=sent)).status_code == 204
    seen = await frame(socket, "desktop_watch")
    assert seen["data"]["system_text"] == "[desktop_watch] Code turn.py"
    assert 0 < len(seen["data"]["message"]) <= 60
    settings["desktop_watch_enabled"] = False
    await client.put("/api/settings", json=settings)


async def _all_are_learned_from(home: House) -> None:
    stored = await home.ghost.memory.read(lambda r: events.after(r, 0, 100))
    assert {event.status for event in stored} == {EventStatus.DONE}
    for event in stored:
        waiting = await home.ghost.memory.read(partial(_jobs_of, event_id=event.event_id))
        assert {"embed_event", "generate_write_plan"} <= waiting
    origins = {event.source: event.origin for event in stored}
    assert origins[Source.NOTIFICATION] is Origin.APP
    assert origins[Source.DESKTOP_WATCH] is Origin.SCREEN
    assert origins[Source.META_PROACTIVE] is Origin.GHOST


def _jobs_of(reader: Any, event_id: int) -> set[str]:
    rows = reader.rows(
        "SELECT kind FROM jobs WHERE json_extract(payload_json, '$.event_id') = :id", {"id": event_id}
    )
    return {row["kind"] for row in rows}


async def test_a_chat_that_asks_to_be_seen_is_answered_in_the_same_turn(tmp_path: Path) -> None:
    async with house(tmp_path) as home, home.client() as client, listening(home) as socket:
        talking = asyncio.create_task(say(client, "ねえ、画面見て"))
        asked = await frame(socket, "vision.capture_request")
        assert (asked["data"]["source"], asked["data"]["purpose"]) == ("desktop", "chat")
        body = {"request_id": asked["data"]["request_id"], "client_id": CLIENT, "images": [PICTURE]}
        await client.post("/api/v2/vision/capture-response", json=body)
        assert (await talking)[-1][0] == "done"
        stored = await home.ghost.memory.read(lambda r: events.after(r, 0, 10))
        assert [event.source for event in stored] == [Source.CHAT, Source.VISION_DETAIL]
        assert stored[0].image_summaries == stored[1].image_summaries
        assert stored[0].image_summaries


@pytest.mark.parametrize("asked", ["明日の7時に起こして", "remind me tomorrow at 7 am to call mom"])
async def test_a_reminder_asked_for_outright_is_set(tmp_path: Path, asked: str) -> None:
    async with house(tmp_path, worker=True) as home, home.client() as client:
        await say(client, asked)
        heard = await _reminder_heard(home, client)
        assert (heard["confirmed"], heard["source_event_id"]) == (True, 1)
        when = local(heard["next_fire_at_utc"], TOKYO)
        assert (when.hour, when.minute) == (7, 0)


@pytest.mark.parametrize("answer", ["うん、お願い", "yes please"])
async def test_a_reminder_heard_in_the_talk_is_set_by_a_yes(tmp_path: Path, answer: str) -> None:
    async with house(tmp_path, worker=True) as home, home.client() as client:
        await say(client, "明日は早いんだ")
        wish = ReminderCandidate(content="起きる", scheduled_at="2099-01-01T07:00:00")
        await home.ghost.reminders_db.write(lambda tx: reminder_book.suggest(tx, 1, [wish], TOKYO))
        changed = _reminders_changed(home)
        await say(client, answer)
        await asyncio.wait_for(changed.wait(), 60)
        (set_now,) = (await client.get("/api/reminders")).json()["items"]
        assert set_now["confirmed"]
        when = local(set_now["next_fire_at_utc"], TOKYO)
        assert (when.hour, when.minute) == (7, 0)


def _reminders_changed(home: House) -> asyncio.Event:
    changed, loop = asyncio.Event(), asyncio.get_running_loop()
    home.ghost.reminders_db.listen("reminders", lambda: loop.call_soon_threadsafe(changed.set))
    return changed


async def _reminder_heard(home: House, client: Any) -> dict[str, Any]:
    """Waits for the worker, which hears it off the reply path."""
    heard = _reminders_changed(home)
    if not (await client.get("/api/reminders")).json()["items"]:
        await asyncio.wait_for(heard.wait(), 60)
    (found,) = (await client.get("/api/reminders")).json()["items"]
    return dict(found)


async def test_without_a_client_that_can_see_it_says_so(tmp_path: Path) -> None:
    async with house(tmp_path) as home, home.client() as client, listening(home, caps=[]):
        frames = await say(client, "画面見てくれる？")
        event = await home.ghost.memory.read(lambda r: events.get(r, 1))
        assert frames[-1][0] == "done"
        assert event.image_summaries == ("",)
        honest = ("見え", "見られ", "読み取れ", "うつらな", "映らな")
        assert any(words in frames[-1][1]["reply_text"] for words in honest)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/v2/notification", {"source_system": "MyApp", "text": ""}),
        ("/api/v2/notification", {"source_system": "", "text": "x"}),
        ("/api/v2/notification", {"source_system": "MyApp", "text": "x" * 4001}),
        (
            "/api/v2/notification",
            {"source_system": "MyApp", "text": "x", "images": ["data:image/png;base64,"] * 6},
        ),
        ("/api/v2/meta-request", {}),
        ("/api/v2/meta-request", {"instruction": "x" * 4001}),
    ],
)
async def test_bad_input_is_a_400_and_leaves_nothing(tmp_path: Path, path: str, body: dict[str, Any]) -> None:
    async with house(tmp_path) as home, home.client() as client:
        answer = await client.post(path, json=body)
        assert answer.status_code == 400
        assert answer.json()["detail"]["code"]
        assert await home.ghost.memory.read(events.count) == 0


async def test_in_quiet_hours_it_listens_and_says_nothing(tmp_path: Path) -> None:
    async with house(tmp_path) as home, home.client() as client, listening(home) as socket:
        await client.post("/api/control/time/advance", json={"seconds": await until(home, "12:00")})
        settings = (await client.get("/api/settings")).json()
        settings["speech"] = {"quiet_from": "00:00", "quiet_until": "23:59", "daily_cap": 5}
        assert (await client.put("/api/settings", json=settings)).json()["speech"] == settings["speech"]
        del settings["speech"]
        assert (await client.put("/api/settings", json=settings)).json()["speech"]["quiet_from"] == "00:00"
        await client.post("/api/v2/notification", json={"source_system": "Mail", "text": "静かに"})
        soon = local(home.ghost.clock.domain_now() + 60, TOKYO).strftime("%Y-%m-%dT%H:%M:%S+09:00")
        asked = {"repeat_kind": "once", "content": "頼まれたこと", "scheduled_at": soon}
        await client.post("/api/reminders", json=asked)
        await client.post("/api/control/time/advance", json={"seconds": 61})
        assert "頼まれたこと" in (await frame(socket, "reminder"))["data"]["message"]
        heard, _ = await home.ghost.memory.read(lambda r: events.after(r, 0, 10))
        assert (heard.user_text, heard.assistant_text) == ("[Mail] 静かに", None)


async def test_the_daily_cap_ends_unasked_speech_until_tomorrow(tmp_path: Path) -> None:
    async with house(tmp_path) as home, home.client() as client, listening(home) as socket:
        settings = (await client.get("/api/settings")).json()
        settings["speech"] = {"quiet_from": None, "quiet_until": None, "daily_cap": 1}
        await client.put("/api/settings", json=settings)
        for text in ("一つ目", "二つ目"):
            await client.post("/api/v2/notification", json={"source_system": "Mail", "text": text})
        assert "一つ目" in (await frame(socket, "notification"))["data"]["system_text"]
        # The second is kept and stays untold; only then may the next day come.
        while await home.ghost.memory.read(events.open_ones):
            pass
        await client.post("/api/control/time/advance", json={"seconds": 86_400})
        await client.post("/api/v2/notification", json={"source_system": "Mail", "text": "三つ目"})
        assert "三つ目" in (await frame(socket, "notification"))["data"]["system_text"]


def at(hour: str) -> int:
    return int(datetime.fromisoformat(f"2026-01-01T{hour}:00+09:00").timestamp())


@pytest.mark.parametrize(
    ("start", "end", "hour", "silent"),
    [
        ("22:00", "07:00", "23:30", True),
        ("22:00", "07:00", "06:59", True),
        ("22:00", "07:00", "07:00", False),
        ("13:00", "14:00", "13:30", True),
        ("13:00", "14:00", "14:00", False),
        (None, "07:00", "03:00", False),
        ("07:00", "07:00", "07:00", False),
    ],
)
def test_quiet_hours_reach_over_midnight(start: str | None, end: str | None, hour: str, silent: bool) -> None:
    assert QuietHours(start, end).silent_at(at(hour), TOKYO) is silent


@pytest.mark.parametrize(
    ("text", "eye"),
    [
        ("画面見て", "desktop"),
        ("ねえ、いまの画面どう思う？", "desktop"),
        ("can you see my screen?", "desktop"),
        ("take a look at my desktop", "desktop"),
        ("カメラで見てみて", "camera"),
        ("can you see me?", "camera"),
        ("映画を見てきた", None),
        ("I saw a screen door", None),
        ("画面が割れた", None),
    ],
)
def test_which_eye_the_words_ask_for(text: str, eye: str | None) -> None:
    assert wish_to_be_seen(text) == eye


class Reader:
    """A socket that takes frames at its own pace."""

    def __init__(self, *, stuck: bool) -> None:
        self.stuck, self.got, self.closed = stuck, list[str](), asyncio.Event()

    async def send_text(self, data: str) -> None:
        if self.stuck:
            await asyncio.Event().wait()
        self.got.append(data)

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        self.closed.set()


async def test_r18_slow_readers_are_cut_and_hold_nobody_up(figures: Figures) -> None:
    hub = EventHub(slow_seconds=1.0)
    readers = [Reader(stuck=number % 2 == 0) for number in range(20)]
    pumps = []
    for reader in readers:
        client = hub.join(reader)
        assert client is not None
        pumps.append(asyncio.create_task(hub.pump(client)))
    frames: list[Mapping[str, Any]] = [{"message": str(number)} for number in range(200)]
    for number, data in enumerate(frames):
        hub.publish(number, "notification", data)
    quick, stuck = readers[1::2], readers[::2]
    await asyncio.gather(*(reader.closed.wait() for reader in stuck))
    assert all(len(reader.got) == 200 for reader in quick)
    assert not any(reader.got for reader in stuck)
    stats = hub.stats()
    assert stats["clients"] == 10
    assert stats["send_errors"] == 10
    hub.close()
    await asyncio.gather(*pumps)
    figures("R18", "10 of 20 readers stuck: cut off, the other 10 got all 200 frames, queues bounded")


async def test_a_full_queue_cuts_the_reader_instead_of_growing() -> None:
    hub = EventHub(queue_frames=10)
    assert hub.join(Reader(stuck=True)) is not None
    sent = sum(hub.publish(number, "notification", {}) for number in range(1000))
    assert sent == 10
    assert hub.stats()["clients"] == 0
    assert hub.stats()["dropped"] == 1


async def test_what_is_woken_while_it_is_closed_ends(tmp_path: Path) -> None:
    """A wake and a cancel in one moment: the cancel must not be lost, or closing waits for ever."""
    async with house(tmp_path) as home:
        attendant = home.app_state.attendant
        for _ in range(20):
            await home.ghost.memory.read(events.count)
        attendant.wake()
        async with asyncio.timeout(60):
            await attendant.close()


async def test_what_looks_again_and_again_outlives_what_goes_wrong() -> None:
    troubles: list[Exception] = [ZeroDivisionError("a bug"), StoreError("busy")]
    looked = asyncio.Event()

    async def look() -> None:
        if troubles:
            raise troubles.pop()
        looked.set()

    running = asyncio.create_task(Looking(look, 0.001, "it waits").run())
    await looked.wait()
    running.cancel()
    assert not troubles
