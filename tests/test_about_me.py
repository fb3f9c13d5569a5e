"""The page's own calls: the talk in one request, what is known of the person, acts on many memories."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from cocoro_ghost.bootstrap import Stand, build_ghost
from cocoro_ghost.model.link import StateLinkLabel
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.store import graph
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.testing import HashEmbedder
from tests.serving import house, say
from tests.test_memory_wire import Lived

pytestmark = pytest.mark.anyio
DAY = 86_400
PICTURE = "data:image/webp;base64,UklGRhIAAABXRUJQVlA4TAYAAAAvQWxvAGs="


@pytest.fixture
async def lived(tmp_path: Path) -> AsyncIterator[Lived]:
    async with house(tmp_path) as home, home.client(secure=False) as client:
        for text in ("私は京都に住んでいます", "ラーメンが大好き", "今日はとても悲しいことがあった"):
            await say(client, text)
        found = Lived(home, client)
        await settle(found)
        yield found


async def settle(lived: Lived) -> None:
    worker = build_ghost(lived.home.ghost.base, Stand(embedder=HashEmbedder())).worker
    assert worker is not None
    await worker.run_until_idle()


async def add(lived: Lived, text: str, **more: Any) -> dict[str, Any]:
    made: dict[str, Any] = await lived.post("/api/memory/state", {"body_text": text, **more}, 201)
    return made


async def test_a_page_of_the_talk_says_what_each_turn_taught_and_felt(lived: Lived) -> None:
    page = await lived.get("/api/memory/turns?limit=2")
    newest, liked = page["items"]
    assert page["next_cursor"] == liked["event_id"]
    assert newest["feeling"]["v"] < 0
    assert [one["text"] for one in liked["lessons"]]
    assert liked["learning"] == "learned"
    assert any("ラーメン" in one["text"] for one in liked["lessons"])
    await lived.post(f"/api/memory/revisions/{liked['lessons'][0]['revision_id']}/undo")
    again = await lived.get(f"/api/memory/turns/{liked['event_id']}")
    assert again["lessons"][0]["undone"] is True


async def test_a_turn_still_being_learned_says_so(lived: Lived) -> None:
    await say(lived.client, "弟は大工です")
    newest = (await lived.get("/api/memory/turns?limit=1"))["items"][0]
    assert newest["learning"] == "learning"


async def test_what_was_recalled_is_quoted_in_the_talk(lived: Lived) -> None:
    await say(lived.client, "わたしがどこに住んでるか覚えてる?")
    newest = (await lived.get("/api/memory/turns?limit=1"))["items"][0]
    assert any("京都" in one["text"] for one in newest["recalled"])
    run = await lived.get(f"/api/memory/retrieval-runs/{newest['run_id']}")
    assert set(one["ref"] for one in newest["recalled"]) <= set(run["texts"])
    listed = (await lived.get("/api/memory/retrieval-runs"))["items"][0]
    assert "住んでる" in listed["said"]


async def test_small_pictures_are_kept_only_where_the_owner_says_so(lived: Lived) -> None:
    turn = (await lived.get("/api/memory/turns?limit=1"))["items"][0]["event_id"]
    path = f"/api/memory/turns/{turn}/thumbnails"
    refused = await lived.client.put(path, json={"images": [PICTURE]})
    assert refused.json() == {"kept": False}
    settings = await lived.get("/api/settings")
    settings["page"]["keep_thumbnails"] = True
    assert (await lived.client.put("/api/settings", json=settings)).status_code == 200
    assert (await lived.client.put(path, json={"images": [PICTURE]})).json() == {"kept": True}
    assert (await lived.get(f"/api/memory/turns/{turn}"))["thumbnails"] == [PICTURE]
    bad = await lived.client.put(path, json={"images": ["data:image/svg+xml;base64,PHN2Zz4="]})
    assert bad.status_code == 422
    await lived.post(f"/api/memory/events/{turn}/forget")
    assert (await lived.get(f"/api/memory/turns/{turn}"))["thumbnails"] == []


async def test_settings_without_the_page_keep_its_part(lived: Lived) -> None:
    settings = await lived.get("/api/settings")
    settings["page"]["first_run_done"] = True
    await lived.client.put("/api/settings", json=settings)
    del settings["page"]
    kept = (await lived.client.put("/api/settings", json=settings)).json()
    assert kept["page"]["first_run_done"] is True


async def test_what_is_known_stands_in_its_section(lived: Lived) -> None:
    await add(lived, "犬のポチを飼っている", slot="pet")
    await add(lived, "歯医者に行く", kind="task", due_ts=lived.home.ghost.clock.domain_now() + DAY)
    sections = {one["name"]: one["lines"] for one in (await lived.get("/api/memory/about-me"))["sections"]}
    assert "京都" in sections["home"][0]["text"]
    assert sections["home"][0]["evidence_event_ids"]
    assert sections["pets"][0]["text"] == "犬のポチを飼っている"
    assert sections["likes"][0]["text"] == "ラーメン"
    assert sections["plans"][0]["due_ts"]


async def test_what_changed_lately_is_told(lived: Lived) -> None:
    home = await lived.fact()
    await lived.client.patch(f"/api/memory/state/{home['state_id']}", json={"body_text": "奈良に住んでいる"})
    change = (await lived.get("/api/memory/about-me"))["changes"][0]
    assert change["text"] == "奈良に住んでいる"
    assert "京都" in change["before"]


async def test_old_facts_are_asked_about_until_confirmed(lived: Lived) -> None:
    home = await lived.fact()
    lived.home.ghost.clock.advance(200 * DAY)
    assert home["state_id"] in [one["state_id"] for one in (await lived.get("/api/memory/review"))["old"]]
    await lived.post(f"/api/memory/state/{home['state_id']}/confirm")
    assert home["state_id"] not in [one["state_id"] for one in (await lived.get("/api/memory/review"))["old"]]


async def test_contradictions_wait_for_a_word(lived: Lived) -> None:
    one, other = await add(lived, "猫が一匹いる"), await add(lived, "猫は二匹いる")

    def contradict(tx: Tx) -> None:
        with tx.because(Cause(Actor.TIDY, "test")):
            graph.link_states(tx, one["state_id"], other["state_id"], StateLinkLabel.CONTRADICTS, 0.9, ())

    await lived.home.ghost.memory.write(contradict)
    found = (await lived.get("/api/memory/review"))["contradictions"][0]
    assert {found["one"]["state_id"], found["other"]["state_id"]} == {one["state_id"], other["state_id"]}
    await lived.post(f"/api/memory/state/{one['state_id']}/close")
    assert (await lived.get("/api/memory/review"))["contradictions"] == []


async def test_one_act_on_many_memories_names_the_missing(lived: Lived) -> None:
    ids = [(await add(lived, text))["state_id"] for text in ("一つ目", "二つ目")]
    done = await lived.post("/api/memory/states/act", {"state_ids": [*ids, 99_999], "act": "pin"})
    assert done == {"changed": 2, "missing": [99_999]}
    assert (await lived.get(f"/api/memory/state/{ids[0]}"))["pin"] is True
    await lived.post("/api/memory/states/act", {"state_ids": ids, "act": "forget"})
    assert (await lived.client.get(f"/api/memory/state/{ids[0]}")).status_code == 404
    await lived.post(f"/api/memory/remember/state/{ids[0]}", status=204)
    assert (await lived.get(f"/api/memory/state/{ids[0]}"))["body_text"] == "一つ目"
    assert (await lived.client.post(f"/api/memory/remember/state/{ids[0]}")).status_code == 404


async def test_two_memories_become_one(lived: Lived) -> None:
    keep, close = await add(lived, "週末は走る"), await add(lived, "土曜に走っている")
    body = {"keep": keep["state_id"], "close": close["state_id"], "body_text": "土曜に走る"}
    assert (await lived.post("/api/memory/states/merge", body))["body_text"] == "土曜に走る"
    assert (await lived.get(f"/api/memory/state/{close['state_id']}"))["active"] is False
    same = {"keep": keep["state_id"], "close": keep["state_id"]}
    assert (await lived.client.post("/api/memory/states/merge", json=same)).status_code == 409


async def test_a_day_is_shown_by_its_strongest_moment(lived: Lived) -> None:
    days = (await lived.get("/api/memory/mood/days?days=7"))["items"]
    affects = (await lived.get("/api/memory/affects"))["items"]
    strongest = max(
        affects, key=lambda one: max(abs(one["vad"]["v"]), abs(one["vad"]["a"])) * one["confidence"]
    )
    assert days[-1]["event_id"] == strongest["event_id"]
    assert days[-1]["moments"] == len(affects)


async def test_this_day_of_last_year_comes_back(lived: Lived) -> None:
    lived.home.ghost.clock.advance(365 * DAY)
    items = (await lived.get("/api/memory/on-this-day"))["items"]
    assert [one["years_ago"] for one in items] == [1]


async def test_two_things_are_joined_by_the_shortest_way(lived: Lived) -> None:
    home = await lived.fact()
    goal, start = f"e{home['evidence_event_ids'][0]}", f"s{home['state_id']}"
    path = await lived.get(f"/api/memory/graph/path?start={start}&goal={goal}")
    assert [node["id"] for node in path["nodes"]] == [start, goal]
    alone = await lived.get(f"/api/memory/graph/path?start={start}&goal=e999999")
    assert [node["id"] for node in alone["nodes"]] == [start]


async def test_a_reminder_is_snoozed(lived: Lived) -> None:
    body = {"repeat_kind": "daily", "content": "薬", "time_of_day": "09:30", "enabled": True}
    made = await lived.post("/api/reminders", body, 201)
    later = await lived.post(f"/api/reminders/{made['id']}/snooze", {"minutes": 10})
    assert later["id"] != made["id"]
    assert later["repeat_kind"] == "once"
    again = await lived.post(f"/api/reminders/{later['id']}/snooze", {"minutes": 30})
    assert again["id"] == later["id"]
    assert again["next_fire_at_utc"] > later["next_fire_at_utc"]


async def test_likes_are_read_to_the_end(lived: Lived) -> None:
    first = await lived.get("/api/memory/preferences?limit=1")
    seen = [one["preference_id"] for one in first["items"]]
    while first["next_cursor"] is not None:
        first = await lived.get(f"/api/memory/preferences?limit=1&cursor={first['next_cursor']}")
        seen += [one["preference_id"] for one in first["items"]]
    whole = await lived.get("/api/memory/preferences")
    assert seen == [one["preference_id"] for one in whole["items"]]
