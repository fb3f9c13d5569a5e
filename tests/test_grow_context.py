"""The context graph: the provisional reply_to is corrected, threads keep their known names."""

from __future__ import annotations

import pytest

from cocoro_ghost.mind.embedded.embedded_mind import EmbeddedMind
from cocoro_ghost.model.link import EventLinkLabel
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.store import entities, graph, revisions
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.testing import FrozenClock
from cocoro_ghost.testing.growth import growing_memory
from tests.growing import Life, a_life, fact


def provisional(life: Life, from_id: int, to_id: int) -> None:
    """As hearing does before the reply."""

    def write(tx: Tx) -> None:
        with tx.because(Cause(Actor.GROW, "the turn before", (from_id,))):
            graph.link(tx, from_id, to_id, EventLinkLabel.REPLY_TO, 1.0, (from_id,))

    life.g.write(write)


def links(life: Life, event_id: int) -> set[tuple[int, str]]:
    return {(x.to_event_id, x.label.value) for x in life.g.read(lambda r: graph.links_of(r, event_id))}


def test_the_turn_that_is_really_answered_replaces_the_one_before() -> None:
    with a_life() as life:
        for _ in range(3):
            life.tell("話")
        plan = {"context_updates": {"links": [{"to_event_id": 1, "label": "reply_to", "confidence": 0.8}]}}
        event_id = life.hear("最初の話に戻るけど", plan)
        provisional(life, event_id, 3)
        life.g.work()
        assert links(life, event_id) == {(1, "reply_to")}
        removed = [r for r in life.g.read(lambda r: revisions.resting_on(r, event_id)) if r.after is None]
        assert [r.entity_type for r in removed] == ["event_links"]


def test_without_a_correction_the_provisional_link_stays() -> None:
    with a_life() as life:
        life.tell("話")
        plan = {"context_updates": {"links": [{"to_event_id": 1, "label": "caused_by"}]}}
        event_id = life.hear("続き", plan)
        provisional(life, event_id, 1)
        life.g.work()
        assert links(life, event_id) == {(1, "reply_to"), (1, "caused_by")}


def test_a_known_thread_is_preferred_to_a_new_spelling_and_new_ones_are_named() -> None:
    with a_life() as life:
        for key in ("ギター練習", "ｷﾞﾀｰ練習", "ギター 練習", "旅行"):
            life.tell("話", {"context_updates": {"threads": [{"thread_key": key, "confidence": 0.9}]}})
        found = {row.thread_key: row.events for row in life.g.read(lambda r: graph.threads(r, 9))}
        assert found == {"ギター練習": 3, "旅行": 1}


def test_an_event_joins_at_most_four_threads() -> None:
    with a_life() as life:
        many = [{"thread_key": f"流れ{n}"} for n in range(9)]
        event_id = life.tell("話", {"context_updates": {"threads": many}})
        assert len(life.g.read(lambda r: graph.threads_of(r, event_id))) == 4


def test_names_are_indexed_once_whatever_their_dress() -> None:
    def named(name: str) -> dict[str, object]:
        entity = {"type": "person", "name": name, "confidence": 0.9}
        return {
            "event_annotations": {"entities": [entity]},
            "state_updates": [fact(f"{name}の話", entities=[entity])],
        }

    with a_life() as life:
        for name in ("佐藤さん", "佐藤くん", "佐藤様", "ｻﾄｳ", "サトウちゃん", "Mr. Smith", "ＳＭＩＴＨ"):
            life.tell(f"{name}の話をした", named(name))
        rows = life.g.read(lambda r: entities.known_names(r))
        assert {row.norm: row.n for row in rows} == {"佐藤": 6, "サトウ": 4, "smith": 4}


@pytest.mark.parametrize(
    ("before", "after", "caused"),
    [
        ("昨日は徹夜だった", "だから今日は眠い", True),
        ("I stayed up all night", "that's why I am tired", True),
        ("昨日は徹夜だった", "今日は眠い", False),
        ("I stayed up all night", "I am tired", False),
    ],
)
def test_the_keeper_hears_what_follows_from_what(before: str, after: str, caused: bool) -> None:
    with growing_memory(EmbeddedMind(FrozenClock().zone)) as g:
        first = g.live(before)
        g.clock.tick(60)
        found = links(Life(g), g.live(after))
        assert ((first, "caused_by") in found) is caused
