"""Memories that answer a question about equally well are told apart by the pieces they are made of."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest

from cocoro_ghost.language import encoder
from cocoro_ghost.model.retrieval import Candidate
from cocoro_ghost.recall.config import RecallConfig
from cocoro_ghost.recall.gather import FIRST, SECOND
from cocoro_ghost.recall.recall import Recall, RecallRequest
from cocoro_ghost.settings.recall_section import Weights
from tests.recalling import NOW, Life, a_life

QUESTION = "What does Maria's puppy eat for breakfast?"
PLAIN = RecallConfig(deadlines=dict.fromkeys((*FIRST, *SECOND), 30.0))


@pytest.fixture
def life() -> Iterator[Life]:
    with a_life() as life:
        yield life


def ranked(life: Life, text: str, config: RecallConfig = PLAIN) -> list[Candidate]:
    recall = Recall(life.db, life.clock, config, embedder=life.embedder, index=life.index)
    return list(asyncio.run(recall.run(RecallRequest(text, now=NOW))).fused.ranked)


def test_pieces_tell_the_nearer_text() -> None:
    near, far = "The puppies have eaten their breakfast.", "My lawyer filed the papers on Tuesday."
    held = encoder.held_pieces("What does the puppy eat for breakfast?", [far, near, ""])
    assert held is not None
    assert held[1] > held[0] > 0
    assert encoder.held_pieces("", ["anything"]) is not None


def test_japanese_pieces_too() -> None:
    held = encoder.held_pieces("子犬の朝ごはんは何？", ["来週は歯医者に行く", "うちの犬は毎朝ささみを食べる"])
    assert held is not None
    assert held[1] > held[0]


def test_of_two_that_say_as_much_the_one_of_like_pieces_comes_first(life: Life) -> None:
    shawl = life.say("It was for the concert that Maria had the red shawl of her aunt.", "Nice.", days_ago=21)
    life.say("Concert, Maria.", "Nice.", days_ago=20)
    question = "What was it that Maria had for the concert?"
    by_words = replace(PLAIN, weights=Weights(meaning=0.0))
    plain = ranked(life, question, replace(by_words, off=frozenset({"pieces"})))
    found = ranked(life, question, replace(by_words, alike=5.0))
    assert plain[0].ref.id != shawl
    assert found[0].ref.id == shawl
    assert found[0].parts["pieces"] > found[1].parts["pieces"] == 0.0


def test_nobody_comes_or_goes(life: Life) -> None:
    for number in range(12):
        life.say(f"Maria's puppy eats thing number {number} for breakfast.", "I see.", days_ago=number + 1)
    with_pieces = ranked(life, QUESTION, replace(PLAIN, alike=5.0))
    without = ranked(life, QUESTION, replace(PLAIN, off=frozenset({"pieces"})))
    first = PLAIN.first
    assert {one.ref for one in with_pieces[:first]} == {one.ref for one in without[:first]}
    assert [one.ref for one in with_pieces[first:]] == [one.ref for one in without[first:]]
    assert [one.score for one in with_pieces] == sorted((one.score for one in with_pieces), reverse=True)


def test_what_tells_is_not_read_piece_by_piece(life: Life) -> None:
    life.say("Maria's puppy eats rice.", "I see.")
    life.say("Maria's puppy eats eggs.", "I see.")
    found = ranked(life, "Maria's puppy eats bread now, and I bought ten loaves.", replace(PLAIN, alike=5.0))
    assert found
    assert all("pieces" not in one.parts for one in found)


def test_without_the_encoder_the_order_stands(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    life.say("Maria's puppy eats rice for breakfast.", "I see.")
    life.say("Maria's puppy eats eggs for breakfast.", "I see.")
    plain = [one.ref for one in ranked(life, QUESTION, replace(PLAIN, off=frozenset({"pieces"})))]

    def missing() -> encoder.UseEncoder:
        raise ImportError("no encoder here")

    monkeypatch.setattr(encoder, "shared", missing)
    assert [one.ref for one in ranked(life, QUESTION, replace(PLAIN, alike=5.0))] == plain
