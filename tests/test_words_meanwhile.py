"""Words that change while they are away at a slow model: what stands in the end is embedded."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from cocoro_ghost.embed.embedder import Vectors
from cocoro_ghost.errors import Outage
from cocoro_ghost.grow.after_turn import AfterTurn
from cocoro_ghost.grow.answered_anew import answer_anew
from cocoro_ghost.grow.forget import forget_event
from cocoro_ghost.grow.texts import event_text
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import StateDraft, StateKind
from cocoro_ghost.store import jobs, states
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.testing import HashEmbedder, ScriptedMind
from cocoro_ghost.testing.growth import GrowingMemory, growing_memory


class Away(HashEmbedder):
    """Something happens once, while texts are being embedded."""

    def __init__(self) -> None:
        super().__init__()
        self.meanwhile: Callable[[], Awaitable[object]] | None = None

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        rows = await super().embed(texts, query=query)
        if self.meanwhile is not None:
            happens, self.meanwhile = self.meanwhile, None
            await happens()
        return rows

    def row(self, text: str) -> Vectors:
        return self._row(text)


def stored_row(g: GrowingMemory, kind: int, entity_id: int) -> Vectors | None:
    query = "SELECT vector FROM vec_items WHERE kind = :kind AND entity_id = :entity_id"
    rows = g.read(lambda r: r.rows(query, {"kind": kind, "entity_id": entity_id}))
    kept = rows[0]["vector"] if rows else None
    return None if kept is None else np.frombuffer(kept, "<f2").astype(np.float32)


def holds(g: GrowingMemory, away: Away, kind: int, entity_id: int, text: str) -> bool:
    found = stored_row(g, kind, entity_id)
    return found is not None and float(found @ away.row(text)) > 0.999


def told(g: GrowingMemory, body: str) -> int:
    def write(tx: Tx) -> int:
        with tx.because(Cause(Actor.IMPORT, "from before", (1,))):
            return states.create(tx, StateDraft(StateKind.FACT, body, evidence_event_ids=(1,)))

    return g.write(write)


def wanted(tx: Tx, state_id: int) -> None:
    jobs.enqueue(tx, JobKind.EMBED_STATE, {"state_id": state_id}, key=f"embed_state:{state_id}")


def reworded(db: Database, state_id: int, body: str) -> Callable[[], Awaitable[object]]:
    """As a plan does it: the words change and a vector is asked for, in one transaction."""

    def write(tx: Tx) -> None:
        with tx.because(Cause(Actor.GROW, "told anew", (1,))):
            states.save(tx, replace(states.get(tx, state_id), body_text=body))
        wanted(tx, state_id)

    return lambda: db.write(write)


def test_a_state_reworded_while_it_is_embedded_is_found_by_its_new_words() -> None:
    away = Away()
    with growing_memory(ScriptedMind(), embedder=away) as g:
        g.live("話した")
        state_id = told(g, "あなたは猫を飼っている")
        g.write(lambda tx: wanted(tx, state_id))
        away.meanwhile = reworded(g.db, state_id, "あなたは大阪で電車の設計をしている")
        g.work()
        assert holds(g, away, 2, state_id, "あなたは大阪で電車の設計をしている")
        assert not holds(g, away, 2, state_id, "あなたは猫を飼っている")


def test_a_reply_given_anew_while_its_turn_is_embedded_is_found_by_the_new_reply() -> None:
    away = Away()
    with growing_memory(ScriptedMind(), embedder=away) as g:
        event_id = g.hear("元気？", "うん、とても。")
        new = "さっき深海の生き物の図鑑を読んでいたんだ。"
        away.meanwhile = lambda: g.db.write(lambda tx: answer_anew(tx, event_id, new, AfterTurn()))
        g.work()
        assert holds(g, away, 1, event_id, event_text(g.event(event_id)))
        assert new in event_text(g.event(event_id))


def test_what_is_forgotten_while_it_is_embedded_has_no_vector() -> None:
    away = Away()
    with growing_memory(ScriptedMind(), embedder=away) as g:
        event_id = g.hear("元気？", "うん。")
        away.meanwhile = lambda: g.db.write(lambda tx: forget_event(tx, event_id))
        g.work()
        assert stored_row(g, 1, event_id) is None


def test_what_is_set_apart_while_it_is_embedded_stays_apart() -> None:
    away = Away()
    with growing_memory(ScriptedMind(), embedder=away) as g:
        g.live("話した")
        state_id = told(g, "あなたは猫を飼っている")
        g.write(lambda tx: wanted(tx, state_id))

        def apart(tx: Tx) -> None:
            with tx.because(Cause(Actor.USER, "no", (1,))):
                states.set_searchable(tx, state_id, False)

        away.meanwhile = lambda: g.db.write(apart)
        g.work()
        rows = g.read(lambda r: r.rows("SELECT searchable FROM vec_items WHERE kind = 2"))
        assert [row["searchable"] for row in rows] == [0]


def test_words_that_change_again_and_again_come_to_rest() -> None:
    away = Away()
    with growing_memory(ScriptedMind(), embedder=away) as g:
        g.live("話した")
        state_id = told(g, "一つ目の言葉")
        for number in range(2, 5):
            g.write(lambda tx: wanted(tx, state_id))
            away.meanwhile = reworded(g.db, state_id, f"{number}つ目の言葉はまるで違う話")
            g.work()
        assert holds(g, away, 2, state_id, "4つ目の言葉はまるで違う話")
        left = g.read(lambda r: r.rows("SELECT 1 FROM jobs WHERE status IN ('pending', 'running', 'dead')"))
        assert left == []


@pytest.mark.parametrize("texts", [1, 5])
def test_an_embedder_that_is_down_keeps_every_text_waiting(texts: int) -> None:
    away = Away()
    with growing_memory(ScriptedMind(), embedder=away) as g:
        away.failure = Outage("down")
        ids = [g.hear(f"{number}つ目の話", "うん。") for number in range(texts)]
        g.work()
        assert all(stored_row(g, 1, i) is None for i in ids)
        away.failure = None
        g.clock.tick(86_400)
        g.work()
        assert all(holds(g, away, 1, i, event_text(g.event(i))) for i in ids)
