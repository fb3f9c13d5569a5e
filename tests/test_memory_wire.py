"""Looking into memory over the wire: browsing, correcting, forgetting, undoing what a talk left behind."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest

from cocoro_ghost.api.schemas.parts import ANSWER_BYTES
from cocoro_ghost.bootstrap import Stand, build_ghost
from cocoro_ghost.model.event import NewEvent, Origin, Source
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.store import events, jobs
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.testing import HashEmbedder
from cocoro_ghost.tidy.separate import separate
from tests.serving import House, house, say

pytestmark = pytest.mark.anyio
TALK = (
    "私は京都に住んでいます",
    "ラーメンが大好き",
    "妹の花子と奈良に行った",
    "来週の金曜までにレポートを出さなきゃ",
    "今日はとても悲しいことがあった",
)


class Lived:
    """A ghost that was told a few things and has thought them over."""

    def __init__(self, home: House, client: httpx2.AsyncClient) -> None:
        self.home = home
        self.client = client

    async def get(self, path: str) -> Any:
        answer = await self.client.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def post(self, path: str, body: dict[str, Any] | None = None, status: int = 200) -> Any:
        answer = await self.client.post(path, json=body or {})
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None

    async def fact(self) -> dict[str, Any]:
        found: list[dict[str, Any]] = (await self.get("/api/memory/state?kind=fact&q=京都"))["items"]
        return found[0]


@pytest.fixture
async def lived(tmp_path: Path) -> AsyncIterator[Lived]:
    async with house(tmp_path) as home, home.client(secure=False) as client:
        for text in TALK:
            await say(client, text)
        worker = build_ghost(home.ghost.base, Stand(embedder=HashEmbedder())).worker
        assert worker is not None
        await worker.run_until_idle()
        yield Lived(home, client)


async def test_states_are_filtered_by_pin_certainty_and_end(lived: Lived) -> None:
    async def ids(query: str) -> set[int]:
        return {one["state_id"] for one in (await lived.get(f"/api/memory/state?limit=500&{query}"))["items"]}

    every, home = await ids(""), (await lived.fact())["state_id"]
    assert await ids("pin=true") == set()
    answer = await lived.client.patch(f"/api/memory/state/{home}", json={"pin": True, "confidence": 1.0})
    assert answer.status_code == 200, answer.text
    assert (await ids("pin=true"), await ids("pin=false")) == ({home}, every - {home})
    assert await ids("min_confidence=1") == {home}
    now = lived.home.ghost.clock.domain_now()
    ended = await ids(f"closed_at={now}")
    assert home not in ended
    await lived.post(f"/api/memory/state/{home}/close")
    assert await ids(f"closed_at={now + 1}") == ended | {home}


async def test_events_are_paged_filtered_and_found(lived: Lived) -> None:
    first = await lived.get("/api/memory/events?limit=2")
    second = await lived.get(f"/api/memory/events?limit=500&cursor={first['next_cursor']}")
    assert [one["event_id"] for one in first["items"] + second["items"]] == [5, 4, 3, 2, 1]
    assert second["next_cursor"] is None
    assert [
        one["event_id"] for one in (await lived.get("/api/memory/events?q=ラーメン&source=chat"))["items"]
    ] == [2]
    assert (await lived.get("/api/memory/events?searchable=false"))["items"] == []
    named = (await lived.get("/api/memory/events?entity=花子さん"))["items"]
    assert [one["event_id"] for one in named] == [3]
    assert (await lived.get("/api/memory/events?start_ts=1&end_ts=2"))["items"] == []
    found = await lived.get("/api/memory/search?q=京都")
    assert found["events"][0]["event_id"] == 1
    assert "京都" in found["states"][0]["body_text"]
    timeline = await lived.get("/api/memory/timeline?by=recorded&bucket=day")
    assert sum(one["events"] for one in timeline["items"]) == 5


async def test_an_event_shows_all_that_hangs_on_it(lived: Lived) -> None:
    event = await lived.get("/api/memory/events/1")
    assert {job["kind"] for job in event["jobs"]} >= {"embed_event", "generate_write_plan"}
    assert {one["entity_type"] for one in event["learned"]} >= {"state"}
    assert event["plans"][0]["applied_at"]
    run = await lived.get(f"/api/memory/retrieval-runs/{event['retrieval_run_id']}")
    assert {"route", "status", "hits", "ms"} <= set(run["candidates"]["routes"][0])
    await lived.post(f"/api/memory/retrieval-runs/{run['run_id']}/mark", {"mark": "good"}, 204)
    runs = await lived.get("/api/memory/retrieval-runs")
    assert [one["mark"] for one in runs["items"] if one["run_id"] == run["run_id"]] == ["good"]


async def test_a_state_is_corrected_closed_restored_and_each_change_undone(lived: Lived) -> None:
    state_id = (await lived.fact())["state_id"]
    path = f"/api/memory/state/{state_id}"
    patched = (
        await lived.client.patch(path, json={"body_text": "あなたは大阪に住んでいる", "pin": True})
    ).json()
    assert (patched["body_text"], patched["pin"]) == ("あなたは大阪に住んでいる", True)
    assert patched["revisions"][0]["actor"] == "user"
    assert (await lived.post(f"{path}/close", {"reason": "引っ越した"}))["active"] is False
    assert (await lived.post(f"{path}/restore"))["active"] is True
    assert (await lived.post(f"{path}/done"))["payload"]["done_at"]
    for _ in range(4):
        newest = (await lived.get(f"/api/memory/revisions?entity_type=state&entity_id={state_id}"))["items"]
        wanted = next(one for one in newest if not one["undone"] and one["undoes"] is None and one["before"])
        await lived.post(f"/api/memory/revisions/{wanted['revision_id']}/undo")
    assert "京都" in (await lived.get(path))["body_text"]
    again = (await lived.get("/api/memory/revisions?actor=user"))["items"]
    undone = next(one for one in again if one["undone"])
    assert (await lived.client.post(f"/api/memory/revisions/{undone['revision_id']}/undo")).status_code == 409


async def test_forgetting_an_event_takes_back_what_it_taught_and_can_be_undone(lived: Lived) -> None:
    state_id = (await lived.fact())["state_id"]
    assert (await lived.post("/api/memory/events/1/forget"))["reverted_revisions"] > 0
    assert (await lived.client.get(f"/api/memory/state/{state_id}")).status_code == 404
    (act,) = (await lived.get("/api/memory/forgettings"))["items"]
    await lived.post(f"/api/memory/forgettings/{act['forgetting_id']}/undo", status=204)
    assert (await lived.get(f"/api/memory/state/{state_id}"))["evidence"][0]["event_id"] == 1
    assert (await lived.post(f"/api/memory/state/{state_id}/forget"))["reverted_revisions"] == 1


async def test_a_denied_memory_is_listed_and_brought_back(lived: Lived) -> None:
    ref = f"s{(await lived.fact())['state_id']}"
    await say(lived.client, "それは関係ないよ")
    memory = lived.home.ghost.memory
    assert await memory.write(lambda tx: separate(tx, 6, [ref, "a1"]))
    (found,) = (await lived.get("/api/memory/separations"))["items"]
    assert (found["denial_event_id"], found["denial_text"]) == (6, "それは関係ないよ")
    assert [one["ref"] for one in found["memories"]] == [ref, "a1"]
    assert "京都" in found["memories"][0]["text"]
    assert found["memories"][1]["text"]
    assert found["undone_at"] is None
    assert (await lived.fact())["searchable"] is False
    path = f"/api/memory/separations/{found['separation_id']}/undo"
    await lived.post(path, status=204)
    assert (await lived.fact())["searchable"] is True
    assert (await lived.get("/api/memory/separations"))["items"][0]["undone_at"]
    assert (await lived.client.post(path)).status_code == 409
    assert (await lived.client.post("/api/memory/separations/99/undo")).status_code == 404


async def test_separations_are_paged(lived: Lived) -> None:
    for event_id in (1, 2, 3):
        await lived.home.ghost.memory.write(
            partial(separate, denial_event_id=event_id, refs=[f"e{event_id}"])
        )
    first = await lived.get("/api/memory/separations?limit=2")
    rest = await lived.get(f"/api/memory/separations?limit=2&cursor={first['next_cursor']}")
    assert [one["separation_id"] for one in first["items"] + rest["items"]] == [3, 2, 1]
    assert rest["next_cursor"] is None


async def test_preferences_are_confirmed_and_revoked_by_hand(lived: Lived) -> None:
    found = (await lived.get("/api/memory/preferences?domain=food&polarity=like"))["items"]
    ramen = next(one for one in found if one["subject"] == "ラーメン")
    path = f"/api/memory/preferences/{ramen['preference_id']}"
    assert (await lived.post(f"{path}/revoke"))["status"] == "revoked"
    assert (await lived.post(f"{path}/confirm"))["status"] == "confirmed"
    assert (await lived.post(f"{path}/forget"))["preference_id"] == ramen["preference_id"]
    left = (await lived.get("/api/memory/preferences"))["items"]
    assert "ラーメン" not in [one["subject"] for one in left]
    (forgetting,) = (await lived.get("/api/memory/forgettings"))["items"]
    assert forgetting["kind"] == "preference"


async def test_the_graph_is_drawn_around_every_kind_of_thing(lived: Lived) -> None:
    event = await lived.get("/api/memory/graph?id=e3")
    assert any(edge["label"] == "reply_to" for edge in event["edges"])
    state_id = (await lived.fact())["state_id"]
    state = await lived.get(f"/api/memory/graph?id=s{state_id}")
    assert {"source": f"s{state_id}", "target": "e1", "label": "rests_on"}.items() <= state["edges"][
        -1
    ].items()
    names = [node["id"] for node in event["nodes"] if node["id"].startswith("n:")]
    assert names
    around = (await lived.client.get("/api/memory/graph", params={"id": names[0]})).json()
    assert any(node["id"] == "e3" for node in around["nodes"])
    for thread in (await lived.get("/api/memory/threads"))["items"][:1]:
        drawn = (
            await lived.client.get("/api/memory/graph", params={"id": f"t:{thread['thread_key']}"})
        ).json()
        assert drawn["edges"]
        assert (await lived.get(f"/api/memory/threads/{thread['thread_key']}"))["items"]
    for wrong, status in (
        ("x", 400),
        ("e999", 404),
        ("t:none", 404),
        ("n:person:none", 404),
        ("n:ship:x", 400),
    ):
        assert (await lived.client.get("/api/memory/graph", params={"id": wrong})).status_code == status


async def test_feelings_and_the_mood_over_time(lived: Lived) -> None:
    affects = (await lived.get("/api/memory/affects"))["items"]
    assert any(one["vad"]["v"] < 0 for one in affects)
    mood = (await lived.get("/api/mood/debug"))["mood"]
    assert mood["now"].endswith("+09:00")
    assert (await lived.get("/api/memory/mood/history"))["points"]
    body = {"vad": {"v": 1, "a": 0, "d": 0}, "note": "試し", "ttl_seconds": 60}
    worn = (await lived.client.put("/api/persona_mood", json=body)).json()
    assert (worn["effective"]["v"], worn["override"]["note"]) == (1.0, "試し")
    await lived.post("/api/control/time/advance", {"seconds": 120})
    assert (await lived.get("/api/persona_mood"))["override"] is None
    await lived.client.put("/api/persona_mood", json={"vad": {"v": -1, "a": 0, "d": 0}})
    taken_off = (await lived.client.delete("/api/persona_mood")).json()
    assert taken_off["effective"] == taken_off["stored"]


async def test_recall_without_a_reply_writes_nothing(lived: Lived) -> None:
    before = await lived.get("/api/memory/retrieval-runs")
    body = {"text": "どこに住んでるんだっけ? 京都?", "k": 3, "explain": True, "mode": "targeted_broad"}
    found = await lived.post("/api/memory/recall", body)
    assert found["mode"] == "targeted_broad"
    assert any("京都" in one["text"] for one in found["items"])
    assert found["explain"]["plan"]["max_selected"] == 3
    assert await lived.get("/api/memory/retrieval-runs") == before
    assert len((await lived.get("/api/memory/events"))["items"]) == 5


async def test_jobs_tidying_backup_and_export(lived: Lived) -> None:
    done = (await lived.get("/api/memory/jobs?status=done&kind=embed_event"))["items"]
    assert len(done) == 5
    assert (await lived.client.post(f"/api/memory/jobs/{done[0]['job_id']}/retry")).status_code == 409
    memory = lived.home.ghost.memory
    await memory.write(lambda tx: jobs.enqueue(tx, JobKind.EMBED_EVENT, {"event_id": 1}, key="x"))
    job = await memory.write(lambda tx: jobs.claim(tx, "w"))
    assert job is not None
    await memory.write(lambda tx: jobs.bury(tx, job.job_id, "w", "a bug"))
    assert (await lived.post(f"/api/memory/jobs/{job.job_id}/retry"))["status"] == "pending"
    assert (await lived.post("/api/memory/tidy", status=202))["queued"] is True
    assert (await lived.post("/api/memory/tidy", status=202))["queued"] is False
    made = await lived.post("/api/backup", status=201)
    assert any(name.startswith("memory_") for name in made["files"])
    exported = (await lived.client.get("/api/export")).text.splitlines()
    assert json.loads(exported[0])["format"] == "cocoro-ghost-export"
    assert lived.home.ghost.base.token not in "\n".join(exported)
    status = await lived.get("/api/status")
    assert (status["counts"]["events"], status["mind"]["embedded"], status["talking"]) == (5, True, False)
    assert 4 <= status["index"]["words"] <= 5


async def test_a_page_weighs_no_more_than_it_may_and_loses_nothing(lived: Lived) -> None:
    """Imported lines may have 200,000 characters, and a page 500 of them."""
    long = "長い話。" * 50_000

    def hear(tx: Tx) -> None:
        for number in range(12):
            events.append(tx, NewEvent(tx.now, Source.CHAT, Origin.USER, f"{number} {long}"))

    await lived.home.ghost.memory.write(hear)
    for route in ("events", "turns"):
        seen: list[int] = []
        cursor: str | None = ""
        while cursor is not None:
            answer = await lived.client.get(f"/api/memory/{route}?limit=500{cursor}")
            assert len(answer.content) < ANSWER_BYTES + 200
            page = answer.json()
            seen += [item["event_id"] for item in page["items"]]
            cursor = None if page["next_cursor"] is None else f"&cursor={page['next_cursor']}"
        assert seen == sorted(set(seen), reverse=True)
        assert len(seen) == await lived.home.ghost.memory.read(events.count)
    found = (await lived.client.get("/api/memory/search?q=長い話&limit=500")).content
    assert len(found) < 2 * ANSWER_BYTES
