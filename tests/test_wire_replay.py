"""The calls of an existing desktop client (tests/data/wire_replay.json), replayed over real TLS sockets."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import re
import ssl
from pathlib import Path
from typing import Any

import httpx2
import pytest
import websockets
from websockets.asyncio.client import ClientConnection

from tests.conftest import Figures
from tests.serving import House, frames_in, house
from tests.test_images import picture
from tests.turning import HeldMind

pytestmark = pytest.mark.anyio
PLAN = json.loads((Path(__file__).parent / "data" / "wire_replay.json").read_text(encoding="utf-8"))
STEPS = {step["id"]: step for step in PLAN["steps"]}
CLIENT = "console-00000000-0000-4000-8000-000000000001"
ISO_OFFSET = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$")


async def test_the_whole_replay(tmp_path: Path, figures: Figures) -> None:
    async with (
        house(tmp_path) as home,
        home.client(headers={**PLAN["default_headers"], **home.bearer}) as client,
    ):
        await _health_and_settings(client)
        await _bad_token_socket(home)
        async with _socket(home, "/api/events/stream") as events:
            await events.send(json.dumps(STEPS["WS_EVENTS"]["send_first"]))
            await _chats(client)
            await _settings_round_trip(client)
            await _reminders(client)
            await _vision(client)
            await _mood(client)
            await _unasked(client, events)
        await _logs(home)
        assert (await client.post("/api/control", json=STEPS["H13_BAD"]["json"])).status_code == 422
        assert (await client.post("/api/control", json=STEPS["H13"]["json"])).status_code == 204
        await asyncio.wait_for(asyncio.shield(home.serving), 60)
    figures("wire", f"{len(STEPS)} steps of the desktop client's wire answered as it expects, over TLS")


async def test_a_second_chat_is_told_it_is_busy(tmp_path: Path) -> None:
    mind = HeldMind(["うん"])
    async with house(tmp_path, mind=mind) as home, home.client() as client:
        first = asyncio.create_task(client.post("/api/chat", json={"input_text": "一"}))
        await mind.started.wait()
        second = frames_in((await client.post("/api/chat", json={"input_text": "二"})).text)
        assert [(name, data["code"]) for name, data in second] == [("error", "chat_busy")]
        mind.let(2)
        assert frames_in((await first).text)[-1][0] == "done"


async def _health_and_settings(client: httpx2.AsyncClient) -> None:
    health = await client.get("/api/health", headers={"Authorization": "Bearer wrong"})
    assert (health.status_code, health.json()) == (200, {"status": "healthy"})
    settings = (await client.get("/api/settings")).json()
    _check_types(settings, STEPS["H2"]["expect_types"])


async def _bad_token_socket(home: House) -> None:
    wrong = STEPS["WS_EVENTS_BAD_TOKEN"]["headers"]
    async with _socket(home, "/api/events/stream", wrong) as socket:
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008


async def _chats(client: httpx2.AsyncClient) -> None:
    step = STEPS["H10_TEXT"]
    answer = await client.post(step["path"], json=step["json"], headers=step["headers"])
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert b"\r" not in answer.content
    *tokens, (last, done) = frames_in(answer.text)
    assert {name for name, _ in tokens} == {"token"}
    assert last == "done"
    assert 0 < done["event_id"] < 2**31
    assert "".join(data["text"] for _, data in tokens).strip() == done["reply_text"]
    empty = frames_in((await client.post("/api/chat", json=STEPS["H10_EMPTY"]["json"])).text)
    assert [(name, data["code"]) for name, data in empty] == [("error", "invalid_request")]
    wrong = await client.post("/api/chat", json=step["json"], headers=STEPS["H10_401"]["headers"])
    assert wrong.status_code == 401


async def _settings_round_trip(client: httpx2.AsyncClient) -> None:
    before = (await client.get("/api/settings")).json()
    body = _without_nulls(before)
    body["desktop_watch_target_client_id"] = None
    assert (await client.put("/api/settings", json=body)).json() == before
    for preset in body["llm_preset"]:
        preset.pop("reply_web_search_enabled", None)
    assert (await client.put("/api/settings", json=body)).json() == before
    off = await client.put("/api/settings", json={**body, "memory_enabled": False})
    assert off.status_code == 400
    assert off.json()["detail"]["code"] == "invalid_request"


async def _reminders(client: httpx2.AsyncClient) -> None:
    assert (await client.put("/api/reminders/settings", json=STEPS["H5"]["json"])).is_success
    assert (await client.get("/api/reminders/settings")).json() == {"reminders_enabled": True}
    made = [await client.post("/api/reminders", json=STEPS[name]["json"]) for name in ("H7a", "H7b", "H7c")]
    ids = [answer.json()["id"] for answer in made]
    assert all(isinstance(one, str) for one in ids)
    assert (await client.patch(f"/api/reminders/{ids[1]}", json=STEPS["H8"]["json"])).is_success
    items = (await client.get("/api/reminders")).json()["items"]
    for item in items:
        _check_types({"items": [item]}, STEPS["H6"]["expect_types"])
    assert (await client.delete(f"/api/reminders/{ids[0]}")).is_success
    assert (await client.delete("/api/reminders/none")).status_code == 204


async def _vision(client: httpx2.AsyncClient) -> None:
    image = "data:image/png;base64," + base64.b64encode(picture()).decode()
    shown = {**STEPS["H11_OK"]["json"], "request_id": "late", "client_id": CLIENT, "images": [image]}
    skipped = {**STEPS["H11_SKIP"]["json"], "request_id": "late", "client_id": CLIENT}
    for body in (shown, skipped):
        assert (await client.post("/api/v2/vision/capture-response", json=body)).status_code == 204


async def _mood(client: httpx2.AsyncClient) -> None:
    found = (await client.get("/api/mood/debug")).json()
    assert found["limits"] == {"recent_affects_limit": 8}
    assert isinstance(found["recent_affects"], list)
    if found["mood"] is not None:
        assert ISO_OFFSET.match(found["mood"]["now"])


async def _unasked(client: httpx2.AsyncClient, events: ClientConnection) -> None:
    assert (await client.post("/api/v2/notification", json=STEPS["H14a"]["json"])).status_code == 204
    frame = json.loads(await asyncio.wait_for(events.recv(), 60))
    assert frame["type"] == "notification"
    assert frame["data"]["system_text"] == "[MyApp] 処理完了"
    assert frame["data"]["images"] == []
    assert frame["data"]["message"]
    assert isinstance(frame["event_id"], int)
    empty = await client.post("/api/v2/notification", json=STEPS["H14a_EMPTY"]["json"])
    assert (empty.status_code, empty.json()["detail"]["code"]) == (400, "invalid_request")
    assert (await client.post("/api/v2/meta-request", json=STEPS["H14b"]["json"])).status_code == 204
    frame = json.loads(await asyncio.wait_for(events.recv(), 60))
    assert frame["type"] == "meta-request"
    assert frame["data"]["message"]


async def _logs(home: House) -> None:
    logging.getLogger("tests").warning("before anyone listened")
    async with _socket(home, "/api/logs/stream") as socket:
        line = json.loads(await asyncio.wait_for(socket.recv(), 60))
        assert set(line) == {"ts", "level", "logger", "msg"}


def _socket(home: House, path: str, headers: dict[str, str] | None = None) -> websockets.connect:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    url = home.addresses.https.replace("https", "wss") + path
    return websockets.connect(url, ssl=context, additional_headers=headers or home.bearer, proxy=None)


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nulls(item) for name, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


_TYPES: dict[str, type] = {"bool": bool, "int": int, "str": str, "list": list}


def _check_types(found: dict[str, Any], wanted: dict[str, Any]) -> None:
    for name, kind in wanted.items():
        if name.endswith("[]"):
            assert found[name[:-2]]
            for item in found[name[:-2]]:
                _check_types(item, kind)
            continue
        value, kinds = found[name], kind.split("|")
        if value is None:
            assert "null" in kinds, name
        elif kinds[0] in _TYPES:
            assert type(value) is _TYPES[kinds[0]], (name, value)
        elif kinds[0] == "iso8601+offset":
            assert ISO_OFFSET.match(value), value
        elif kinds[0] == "HH:MM":
            assert re.match(r"^\d\d:\d\d$", value)
        else:
            assert value in kinds, (name, value)
