"""A denied memory is set apart when it was the only one used; undoable, in both languages."""

from __future__ import annotations

import json

import pytest

from cocoro_ghost.errors import Conflict, NotFound
from cocoro_ghost.language.denial import denies
from cocoro_ghost.store import affects, revisions, states
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.store.undo import separations
from cocoro_ghost.tidy.separate import selected_refs, undo_separation
from tests.growing import Life, a_life, fact, feels


@pytest.mark.parametrize(
    "text",
    [
        "それは関係ない",
        "それは関係ないよ",
        "そんな話してないよ",
        "そんな話はしたことないよ",
        "そういうことは言ってません",
        "言ってないよ、そんなこと",
        "それじゃない",
        "いや、そうじゃない",
        "それは違う話だよ",
        "その話は全然関係ないでしょ",
        "そんなこと言ってないよ",
        "勘違いしてるよ",
        "違う、それじゃなくて",
        "That's not what I meant",
        "that's not it",
        "No, that isn't related at all.",
        "It has nothing to do with that",
        "I never said that",
        "That's irrelevant.",
        "That’s not what I said",
        "you're mixing things up",
        "それは別の話だよ",
        "それは勘違いだよ",
        "全然関係ないよ",
        "違うよ、そうじゃなくて",
        "No, that's not right.",
        "That was completely unrelated.",
    ],
)
def test_denials_are_heard(text: str) -> None:
    assert denies(text)


@pytest.mark.parametrize(
    "text",
    [
        "それはいいね",
        "関係がうまくいかない",
        "違う店にも行った",
        "そうだね",
        "彼は関係者じゃない",
        None,
        "",
        "That's not bad at all",
        "I meant it",
        "My relationship is fine",
        "it isn't raining",
        "それは別の日にしよう",
        "お前には関係ないって言われた",
        "年齢は関係ないよ",
        "そんなことしてないで早く寝なさい",
        "そんな話、していい?",
        "きっとそうじゃないかな",
        "それじゃない?",
        "そうじゃないかと思ってた",
        "友達が勘違いしててさ",
        "私の勘違いだった",
        "I never said goodbye to her",
        "It wasn't about the money, I just quit",
        "He felt irrelevant at work",
        "She yelled at him and that's not right for a teacher",
        "what do you mean?",
    ],
)
def test_other_words_are_no_denials(text: str | None) -> None:
    assert not denies(text)


def recalled(life: Life, event_id: int, *refs: str) -> None:
    """As if these memories had been selected for the turn."""
    selected = json.dumps([{"ref": ref, "reason": "x"} for ref in refs])

    def write(tx: Tx) -> None:
        tx.execute(
            "INSERT INTO retrieval_runs (event_id, created_at, plan_json, candidates_json, selected_json) "
            "VALUES (:event_id, :now, '{}', '[]', :selected)",
            {"event_id": event_id, "now": tx.now, "selected": selected},
        )

    life.g.write(write)


def prepared(life: Life) -> int:
    life.tell("犬を飼ってた", {"state_updates": [fact("あなたは犬を飼っていた")], **feels(0.5)})
    return life.tell("今日は猫の話", reply="犬を飼っていたね")


def test_the_one_denied_state_is_set_apart_and_comes_back() -> None:
    with a_life() as life:
        turn = prepared(life)
        recalled(life, turn, "s1")
        denial = life.tell("それは関係ないよ")
        state = life.g.read(lambda r: states.get(r, 1))
        assert not state.searchable
        revision = life.g.read(lambda r: revisions.of_entity(r, "state", 1))[0]
        assert revision.evidence_event_ids == (denial,)
        vector = "SELECT searchable FROM vec_items WHERE kind = 2 AND entity_id = 1"
        assert life.g.read(lambda r: r.rows(vector)) == [{"searchable": 0}]
        (row,) = life.g.read(lambda r: separations(r))
        assert (row.refs, row.denial_event_id) == (("s1",), denial)
        life.g.write(lambda tx: undo_separation(tx, row.separation_id))
        assert life.g.read(lambda r: states.get(r, 1)).searchable
        assert life.g.read(lambda r: r.rows(vector)) == [{"searchable": 1}]
        assert life.g.read(lambda r: revisions.of_entity(r, "state", 1))[0].undoes == revision.revision_id
        with pytest.raises(Conflict):
            life.g.write(lambda tx: undo_separation(tx, row.separation_id))
        with pytest.raises(NotFound):
            life.g.write(lambda tx: undo_separation(tx, 99))


def test_a_denied_event_is_no_longer_searched() -> None:
    with a_life() as life:
        turn = prepared(life)
        recalled(life, turn, "e1")
        life.tell("That's not what I meant")
        assert not life.g.event(1).searchable
        (row,) = life.g.read(lambda r: separations(r))
        life.g.write(lambda tx: undo_separation(tx, row.separation_id))
        assert life.g.event(1).searchable


def test_a_denied_affect_loses_its_vector() -> None:
    vector = "SELECT vector IS NULL AS gone FROM vec_items WHERE kind = 3 AND entity_id = 1"
    with a_life() as life:
        turn = prepared(life)
        recalled(life, turn, "a1")
        life.tell("いや、それは違う")
        assert not life.g.read(lambda r: affects.get(r, 1)).searchable
        assert life.g.read(lambda r: r.rows(vector)) in ([], [{"gone": 1}])
        (row,) = life.g.read(lambda r: separations(r))
        life.g.write(lambda tx: undo_separation(tx, row.separation_id))
        life.g.work()
        assert life.g.read(lambda r: r.rows(vector)) == [{"gone": 0}]


def test_an_event_and_what_it_alone_taught_are_one_memory() -> None:
    with a_life() as life:
        turn = prepared(life)
        recalled(life, turn, "s1", "e1", "a1")
        life.tell("それは関係ない")
        assert not life.g.read(lambda r: states.get(r, 1)).searchable
        assert not life.g.event(1).searchable
        (row,) = life.g.read(lambda r: separations(r))
        assert row.refs == ("s1", "e1", "a1")
        life.g.write(lambda tx: undo_separation(tx, row.separation_id))
        assert life.g.read(lambda r: states.get(r, 1)).searchable
        assert life.g.event(1).searchable


def test_a_state_that_others_told_too_is_not_the_event() -> None:
    with a_life() as life:
        for _ in range(2):
            life.tell("犬を飼ってた", {"state_updates": [fact("あなたは犬を飼っていた")]})
        turn = life.tell("今日は猫の話")
        recalled(life, turn, "s1", "e1")
        life.tell("それは関係ない")
        assert life.g.read(lambda r: separations(r)) == []


@pytest.mark.parametrize("refs", [(), ("s99",), ("x1",)])
def test_nothing_is_set_apart_unless_exactly_one_known_memory_was_used(refs: tuple[str, ...]) -> None:
    with a_life() as life:
        turn = prepared(life)
        recalled(life, turn, *refs)
        life.tell("それは関係ない")
        assert life.g.read(lambda r: separations(r)) == []
        assert life.g.read(lambda r: states.get(r, 1)).searchable


def test_a_denial_as_first_words_harms_nothing() -> None:
    with a_life() as life:
        life.tell("それは関係ない")
        assert life.dead_jobs() == []


def test_selections_are_read_in_any_known_shape() -> None:
    assert selected_refs([{"ref": "e1"}, {"ref": "e1"}, {"ref": "s2"}]) == ["e1", "s2"]
    assert selected_refs({"items": [{"ref": "a3"}]}) == ["a3"]
    assert selected_refs({"selected": ["e4", "bad", 7]}) == ["e4"]
    assert selected_refs(None) == []
