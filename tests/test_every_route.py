"""Every route of the wire: pages that lose nothing, details of all that is listed, refusals in one shape."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from cocoro_ghost.api.app import create_app
from cocoro_ghost.api.schemas.parts import MAX_ID
from cocoro_ghost.store import graph, revisions
from cocoro_ghost.store.ports import Reader
from tests.crowded import crowd
from tests.serving import House, house

pytestmark = pytest.mark.anyio
DOCUMENT: dict[str, Any] = create_app(None).openapi()
STREAMS = {"/api/export", "/api/chat", "/api/logs/stream", "/api/events/stream", "/metrics"}
NOT_HERE = {"/api/control", "/api/auth/logout", "/api/auth/logout_all"}
"""They would end the ghost, or the caller's own way in."""


class Wire:
    """A served ghost with a full memory, asked over a real socket."""

    def __init__(self, home: House, client: httpx2.AsyncClient) -> None:
        self.home = home
        self.client = client

    async def get(self, path: str, **params: Any) -> Any:
        answer = await self.client.get(path, params=params)
        assert answer.status_code == 200, (path, params, answer.text)
        return answer.json()

    async def walked(self, path: str, size: int, **params: Any) -> list[Any]:
        """All pages of a list; a cursor that leads nowhere new would go on for ever."""
        found: list[Any] = []
        seen: set[int] = set()
        cursor: int | None = None
        while True:
            page = await self.get(path, limit=size, **params, **({"cursor": cursor} if cursor else {}))
            assert len(page["items"]) <= size
            found += page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return found
            assert cursor not in seen, (path, cursor)
            seen.add(cursor)


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def wire(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Wire]:
    folder: Path = tmp_path_factory.mktemp("wire")
    async with house(folder) as home, home.client(secure=False) as client:
        await home.ghost.memory.write(lambda tx: crowd(tx, 1, 40))
        yield Wire(home, client)


def _routes(method: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, calls in sorted(DOCUMENT["paths"].items()):
        if method in calls and path not in STREAMS | NOT_HERE:
            yield path, calls[method]


def _paged() -> list[str]:
    return [
        path
        for path, call in _routes("get")
        if {"limit", "cursor"} <= {one["name"] for one in call.get("parameters", [])} and "{" not in path
    ]


def _shaped(answer: httpx2.Response, where: object) -> None:
    """A code for programs, a sentence for people, and nothing of the inside."""
    detail = answer.json()["detail"]
    assert re.fullmatch(r"[a-z_]+", detail["code"]), where
    assert len(detail["message"]) > 5, where
    for word in ("Traceback", "apsw", "sqlite", "psycopg", "pydantic", "File "):
        assert word not in answer.text, where


# -- lists


async def test_there_are_lists_to_look_at() -> None:
    assert len(_paged()) >= 10


@pytest.mark.parametrize("path", _paged())
async def test_a_list_read_in_pages_of_any_size_is_the_whole_list(wire: Wire, path: str) -> None:
    whole = await wire.walked(path, 500)
    assert whole, "the memory holds some of everything"
    assert len({json.dumps(one, sort_keys=True) for one in whole}) == len(whole)
    for size in (1, 7) if len(whole) < 60 else (7,):
        assert await wire.walked(path, size) == whole


@pytest.mark.parametrize("path", _paged())
async def test_the_borders_of_a_page_are_told(wire: Wire, path: str) -> None:
    for params in (
        {"limit": 0}, {"limit": 501}, {"limit": -1}, {"limit": "many"}, {"limit": 1.5}, {"cursor": 0},
        {"cursor": MAX_ID + 1}, {"cursor": "x"}, {"cursor": -5}, {"limit": 10**30},
    ):  # fmt: skip
        answer = await wire.client.get(path, params=params)
        assert answer.status_code == 422, (path, params)
        _shaped(answer, (path, params))
    for params in ({"limit": 1}, {"limit": 500}, {"cursor": MAX_ID}, {"cursor": 1}):
        page = await wire.get(path, **params)
        assert isinstance(page["items"], list)


async def test_the_changes_of_one_thing_are_paged_and_filtered_as_all_are(wire: Wire) -> None:
    def most_changed(reader: Reader) -> tuple[str, int]:
        counted = "SELECT entity_type, entity_id, count(*) AS n FROM revisions GROUP BY 1, 2"
        rows = reader.rows(f"{counted} ORDER BY n DESC LIMIT 1")
        return rows[0]["entity_type"], rows[0]["entity_id"]

    kind, number = await wire.home.ghost.memory.read(most_changed)
    one = {"entity_type": kind, "entity_id": number}
    whole = await wire.walked("/api/memory/revisions", 500, **one)
    assert len(whole) > 2
    assert {(item["entity_type"], item["entity_id"]) for item in whole} == {(kind, number)}
    assert await wire.walked("/api/memory/revisions", 1, **one) == whole
    actor = whole[0]["actor"]
    by_actor = await wire.walked("/api/memory/revisions", 500, **one, actor=actor)
    assert by_actor == [item for item in whole if item["actor"] == actor]


# -- what is listed can be opened


DETAILS = {
    "/api/memory/events": ("event_id", "/api/memory/events/{}"),
    "/api/memory/turns": ("event_id", "/api/memory/turns/{}"),
    "/api/memory/state": ("state_id", "/api/memory/state/{}"),
    "/api/memory/retrieval-runs": ("run_id", "/api/memory/retrieval-runs/{}"),
}


@pytest.mark.parametrize("path", DETAILS)
async def test_everything_that_is_listed_can_be_opened(wire: Wire, path: str) -> None:
    key, detail = DETAILS[path]
    for item in await wire.walked(path, 100):
        shown = await wire.get(detail.format(item[key]))
        assert shown.get(key, item[key]) == item[key]


async def test_every_topic_that_is_listed_can_be_opened(wire: Wire) -> None:
    listed = await wire.walked("/api/memory/threads", 3)
    whole = await wire.home.ghost.memory.read(lambda r: graph.threads(r, 1000))
    assert len(listed) == len(whole)
    for item in listed:
        key = item["thread_key"]
        if not key or "/" in key:
            continue  # no address can name it
        shown = await wire.client.get(f"/api/memory/threads/{_quoted(key)}")
        assert shown.status_code == 200, key
        events = [one["event_id"] for one in shown.json()["items"]]
        assert events == sorted(events, reverse=True)
        assert events[0] == item["last_event_id"], "the list and the topic tell of the same last turn"
        assert len(events) == item["events"]


def _quoted(text: str) -> str:
    return "".join(f"%{one:02X}" for one in text.encode())


# -- refusals


def _with_ids() -> list[tuple[str, str]]:
    return [
        (method, path)
        for method in ("get", "post", "put", "patch", "delete")
        for path, call in _routes(method)
        if any(
            one["in"] == "path" and one["schema"].get("type") == "integer"
            for one in call.get("parameters", [])
        )
    ]


@pytest.mark.parametrize(("method", "path"), _with_ids())
async def test_what_is_not_there_is_told_in_one_shape(wire: Wire, method: str, path: str) -> None:
    known = {"{kind}": "event", "{key}": "x"}
    for name, value in known.items():
        path = path.replace(name, value)
    body: dict[str, Any] = {"json": {}} if method in ("post", "put", "patch") else {}
    gone = await wire.client.request(method, re.sub(r"\{[^}]+\}", str(MAX_ID), path), **body)
    assert gone.status_code in (200, 204, 404, 409, 422), path
    if gone.status_code >= 400:
        _shaped(gone, (method, path))
    for wrong in ("0", "-1", str(MAX_ID + 1), "x", "1e3", "%00", "１"):
        answer = await wire.client.request(method, re.sub(r"\{[^}]+\}", wrong, path), **body)
        assert answer.status_code in (404, 405, 422), (path, wrong)
        _shaped(answer, (method, path, wrong))


def _with_bodies() -> list[tuple[str, str]]:
    return [
        (method, path)
        for method in ("post", "put", "patch")
        for path, call in _routes(method)
        if "requestBody" in call
    ]


BAD_BODIES = (b"{", b"[]", b'"text"', b"5", b"\xff\xfe", b"[" * 3000, b'{"a": 1e999', b"")


@pytest.mark.parametrize(("method", "path"), _with_bodies())
async def test_a_body_of_the_wrong_kind_is_told_in_one_shape(wire: Wire, method: str, path: str) -> None:
    path = path.replace("{kind}", "event")
    place = re.sub(r"\{[^}]+\}", "1", path)
    before = await wire.home.ghost.memory.read(revisions.newest_id)
    for body in BAD_BODIES:
        headers = {"content-type": "application/json"}
        answer = await wire.client.request(method, place, content=body, headers=headers)
        if body == b"" and answer.status_code < 400:
            continue  # what may be left out is left out
        assert 400 <= answer.status_code < 500, (path, body[:20], answer.status_code)
        _shaped(answer, (method, path, body[:20]))
    if "{" not in path:
        assert await wire.home.ghost.memory.read(revisions.newest_id) == before, "and nothing was done"


async def test_an_unknown_place_and_a_wrong_verb_have_the_same_shape(wire: Wire) -> None:
    for method, path in (
        ("GET", "/api/nowhere"),
        ("DELETE", "/api/status"),
        ("POST", "/api/memory/events/1"),
    ):
        answer = await wire.client.request(method, path)
        assert answer.status_code in (404, 405)
        _shaped(answer, (method, path))


async def test_filters_that_no_row_can_have_are_refused_or_find_nothing(wire: Wire) -> None:
    for path, params in (
        ("/api/memory/events", {"source": "nowhere"}),
        ("/api/memory/events", {"year": "next"}),
        ("/api/memory/state", {"kind": "x"}),
        ("/api/memory/state", {"min_confidence": 2}),
        ("/api/memory/jobs", {"status": "x"}),
        ("/api/memory/revisions", {"entity_type": "events"}),
        ("/api/memory/revisions", {"entity_id": 0}),
        ("/api/memory/preferences", {"domain": "x"}),
    ):
        answer = await wire.client.get(path, params=params)
        assert answer.status_code == 422, (path, params)
        _shaped(answer, (path, params))
    for text in ("%", "_", "\\", "'", '"', "\u0000", "猫" * 100, "%' OR 1=1 --"):
        found = await wire.get("/api/memory/events", q=text)
        plain = text.replace("\u0000", "").lower()
        for item in found["items"]:
            told = " ".join(
                str(item[name] or "") for name in ("user_text", "assistant_text", "image_summaries")
            )
            assert plain in told.lower().replace("\\\\", "\\") or plain in ("'", '"'), text


async def test_every_change_can_be_taken_back_over_the_wire_or_says_why_not(wire: Wire) -> None:
    """Newest first, as a person would: nothing is refused but what others rest on or was undone already."""
    listed = (await wire.get("/api/memory/revisions", limit=40))["items"]
    for item in listed:
        answer = await wire.client.post(
            f"/api/memory/revisions/{item['revision_id']}/undo", json={"reason": "いいえ"}
        )
        assert answer.status_code in (200, 409), answer.text
        if answer.status_code == 409:
            _shaped(answer, item)
            continue
        made = answer.json()
        assert (made["before"], made["after"]) == (item["after"], item["before"])
        again = await wire.client.post(f"/api/memory/revisions/{item['revision_id']}/undo", json={})
        assert again.status_code == 409
