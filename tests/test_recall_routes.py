"""The routes by which memories come: each leads where it should, and none is fatal."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from cocoro_ghost.errors import Outage
from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.event import Entity, EntityType
from cocoro_ghost.model.link import EventLinkLabel, StateLinkLabel
from cocoro_ghost.recall.gather import FIRST, SECOND
from cocoro_ghost.recall.recall import RecallResult
from cocoro_ghost.store import affects, events, graph, vectors
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.store.queries import named_queries
from cocoro_ghost.store.vectors import VectorKind
from cocoro_ghost.testing import HashEmbedder
from tests.recalling import DAY, NOW, Life, a_life, chosen, ranked


@pytest.fixture
def life() -> Iterator[Life]:
    with a_life() as one:
        yield one


def routes_of(result: RecallResult, ref: str) -> tuple[str, ...]:
    return next(one.routes for one in result.fused.ranked if str(one.ref) == ref)


def test_what_must_not_be_searched_stays_away_from_every_route(life: Life) -> None:
    kept = life.say("黒い手帳を買った", names=("手帳屋",))
    hidden = life.say("黒い手帳をなくした", names=("手帳屋",))
    secret = life.hold("黒い手帳は秘密", searchable=False)
    life.db.write_now(lambda tx: events.set_searchable(tx, hidden, False))
    result = life.recall("黒い手帳 手帳屋")
    assert f"e{kept}" in ranked(result)
    assert not {f"e{hidden}", f"s{secret}"} & set(ranked(result))


def test_names_lead_to_what_else_is_known_of_them(life: Life) -> None:
    life.say("田中さんに会った", names=("田中",))
    debt = life.say("本を借りたままだ", names=("田中",))
    fact = life.hold("釣りが趣味", entities=(Entity(EntityType.PERSON, "田中"),))
    result = life.recall("田中さんは元気かな")
    assert "entities" in routes_of(result, f"e{debt}")
    assert "entities" in routes_of(result, f"s{fact}")
    assert "- 釣りが趣味" in result.pack.text


def test_threads_links_and_the_reply_chain_are_followed(life: Life) -> None:
    seed = life.say("ギターの練習を始めた")
    thread, linked, before = life.say("指が痛い"), life.say("弦が切れた"), life.say("さっきの話")
    now = life.say("ギターの練習", days_ago=0)

    def connect(tx: Tx) -> None:
        for event_id in (seed, thread):
            graph.join_thread(tx, event_id, "music", 0.9, (event_id,))
        graph.link(tx, linked, seed, EventLinkLabel.CAUSED_BY, 0.8, (linked,))
        graph.link(tx, now, before, EventLinkLabel.REPLY_TO, 1.0, (now,))

    life.because(connect)
    result = life.recall("ギターの練習", event_id=now)
    assert "threads" in routes_of(result, f"e{thread}")
    assert "links" in routes_of(result, f"e{linked}")
    assert "replies" in routes_of(result, f"e{before}")


def test_states_lead_to_states_they_are_linked_to(life: Life) -> None:
    seed, other = life.hold("毎朝コーヒーを飲む"), life.hold("胃が弱い")
    life.because(lambda tx: graph.link_states(tx, seed, other, StateLinkLabel.CONTRADICTS, 0.9, ()))
    assert "state_links" in routes_of(life.recall("コーヒー飲みたい"), f"s{other}")


def test_a_failing_embedder_is_reported_and_never_fatal(life: Life) -> None:
    cat = life.say("猫を飼いはじめた")
    life.embedder.failure = Outage("the embedding model is away")
    result = life.recall("猫はどう？")
    report = {one.route: one for one in result.routes}
    assert report["meaning"].status == "failed"
    assert "away" in report["meaning"].error
    assert chosen(result) == [f"e{cat}"]


def test_a_late_route_is_skipped_and_reported(life: Life) -> None:
    cat = life.say("猫を飼いはじめた")

    class Slow(HashEmbedder):
        async def embed(self, texts: Any, *, query: bool = False) -> Any:
            await asyncio.Event().wait()

    life.embedder = Slow(128)
    life.config = replace(life.config, deadlines={**life.config.deadlines, "meaning": 0.01})
    result = life.recall("猫はどう？")
    assert {one.route: one.status for one in result.routes}["meaning"] == "late"
    assert chosen(result) == [f"e{cat}"]


@pytest.mark.parametrize("route", [*FIRST, *SECOND])
def test_any_route_can_be_left_out(life: Life, route: str) -> None:
    life.say("猫を飼いはじめた", names=("タマ",))
    life.config = replace(life.config, off=frozenset({route}))
    result = life.recall("タマという猫のこと、2024年に話した？")
    assert {one.route: one.status for one in result.routes}[route] == "off"
    assert all(route not in one.routes for one in result.fused.ranked)


def test_a_feeling_is_recalled_by_its_meaning(life: Life) -> None:
    event_id = life.say("発表が終わった")
    row = asyncio.run(life.embedder.embed(["胸が高鳴って誇らしい"]))[0]

    def feel(tx: Tx) -> int:
        affect = affects.put(
            tx,
            event_id,
            at=NOW - DAY,
            text="胸が高鳴って誇らしい",
            labels=("誇り",),
            vad=Vad(0.8),
            confidence=0.9,
        )
        vectors.put(tx, VectorKind.AFFECT, affect.affect_id, row, life.embedder.space.key, NOW - DAY)
        return affect.affect_id

    with_cause: list[int] = []
    life.because(lambda tx: with_cause.append(feel(tx)))
    result = life.recall("胸が高鳴って誇らしい")
    told = {one.ref: one for one in result.recalled}
    assert told[f"a{with_cause[0]}"].text == "胸が高鳴って誇らしい"
    assert told[f"a{with_cause[0]}"].kind == "event_affect"


QUERIES_BEFORE_A_REPLY = (
    "candidates.open_tasks",
    "states.told",
    "states.profile",
    "candidates.newest_states",
)


@pytest.mark.parametrize("query", QUERIES_BEFORE_A_REPLY)
def test_what_is_read_before_every_reply_is_never_sorted(query: str, life: Life) -> None:
    """However many states there are: each comes in order out of an index."""
    sql, asked = f"EXPLAIN QUERY PLAN {named_queries()[query]}", {"now": NOW, "since": NOW, "limit": 24}
    plan = life.db.read_now(lambda reader: reader.rows(sql, asked))
    assert not [row["detail"] for row in plan if "TEMP B-TREE" in row["detail"]]
