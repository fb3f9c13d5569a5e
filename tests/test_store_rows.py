"""The thin functions round the named queries: rows come back as written, what is missing is named."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import apsw
import apsw.ext
import pytest

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.errors import BadInput, NotFound, StoreError
from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.model.affect import Affect
from cocoro_ghost.model.event import AboutTime, Entity, EntityType, LifeStage
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.link import EventLinkLabel, StateLinkLabel
from cocoro_ghost.model.preference import Domain, Polarity, Preference, PreferenceStatus
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import ScopeType, State, StateDraft, StateKind
from cocoro_ghost.store import (
    affects,
    browse,
    candidates,
    events,
    graph,
    jobs,
    plans,
    preferences,
    revisions,
    runs,
    settings,
    states,
)
from cocoro_ghost.store.ports import Database, Reader, Tx
from cocoro_ghost.store.queries import named_queries
from cocoro_ghost.store.sqlite.faults import translated
from cocoro_ghost.store.sqlite.files import open_reminders, open_settings
from cocoro_ghost.store.sqlite.lock import DirectoryLock
from cocoro_ghost.store.sqlite.snapshot import check_file
from tests.sqlite_file import connection_of
from tests.three_days import BECAUSE, DAY, three_days


@pytest.fixture
def lived(memory: Database) -> Database:
    memory.write_now(three_days)
    return memory


def test_affects_by_time_and_id(lived: Database, clock: FrozenClock) -> None:
    def ids(found: list[Affect]) -> list[int]:
        return [affect.affect_id for affect in found]

    assert ids(lived.read_now(lambda r: affects.newest(r, 2))) == [3, 2]
    assert ids(lived.read_now(lambda r: affects.between(r, clock.now, clock.now + 1))) == [1, 2]
    assert list(lived.read_now(lambda r: affects.by_ids(r, [3]))) == [3]
    of_event = lived.read_now(lambda r: affects.of_event(r, 1))
    assert of_event == lived.read_now(lambda r: affects.get(r, 1))
    assert lived.read_now(lambda r: affects.of_event(r, 99)) is None


def test_links_and_threads(lived: Database) -> None:
    def write(tx: Tx) -> None:
        with tx.because(BECAUSE):
            graph.link(tx, 2, 1, EventLinkLabel.REPLY_TO, 0.5, [2])
            graph.link(tx, 2, 1, EventLinkLabel.REPLY_TO, 0.9, [2])
            graph.link_states(tx, 1, 2, StateLinkLabel.SUPPORTS, 0.5, [1])
            for event_id, key in ((1, "cats"), (2, "cats"), (2, "猫"), (3, "猫")):
                graph.join_thread(tx, event_id, key, 0.5, [event_id])
            graph.merge_thread(tx, "猫", "cats")

    lived.write_now(write)
    (link,) = lived.read_now(lambda r: graph.links_of(r, 1))
    assert (link.from_event_id, link.to_event_id, link.confidence) == (2, 1, 0.9)
    assert lived.read_now(lambda r: graph.threads(r, 5))[0].events == 3
    assert lived.read_now(lambda r: graph.recent_threads(r, 5)) == ["cats"]
    assert [one.thread_key for one in lived.read_now(lambda r: graph.threads_of(r, 2))] == ["cats"]
    assert len(lived.read_now(lambda r: graph.state_neighbours(r, [1], 5))) == 1
    assert len(lived.read_now(lambda r: graph.state_links_of(r, 2))) == 1

    def undo(tx: Tx) -> None:
        with tx.because(BECAUSE):
            graph.unlink(tx, link.link_id)
            graph.leave_thread(tx, 3, "cats")

    lived.write_now(undo)
    assert lived.read_now(lambda r: graph.links_of(r, 1)) == []
    assert lived.read_now(lambda r: graph.thread_events(r, "cats", 5)) == [(2, 0.5), (1, 0.5)]


def test_states_now_and_by_scope(lived: Database, clock: FrozenClock) -> None:
    def summarise(tx: Tx) -> None:
        with tx.because(BECAUSE):
            payload = {"scope": {"type": "topic", "key": "cats"}}
            states.create(tx, StateDraft(StateKind.SUMMARY, "cats everywhere", payload))

    lived.write_now(summarise)
    clock.tick(10)
    found = lived.read_now(lambda r: states.newest_confirmed(r, clock.now, 10))
    assert {state.state_id for state in found} == {1, 2, 4}
    counts = lived.read_now(lambda r: states.count_active_by_kind(r, clock.now))
    assert counts == {"fact": 2, "summary": 1}
    scope = lived.read_now(lambda r: states.summary_of_scope(r, ScopeType.TOPIC, "cats"))
    assert scope is not None
    assert scope.body_text == "cats everywhere"
    assert lived.read_now(lambda r: states.summary_of_scope(r, ScopeType.TOPIC, "dogs")) is None
    assert lived.read_now(lambda r: list(states.by_ids(r, [2, 99]))) == [2]


def test_revisions_are_listed_and_say_whether_they_were_taken_back(lived: Database) -> None:
    newest = lived.read_now(lambda r: revisions.newest(r, 1))[0]

    def undo(tx: Tx) -> None:
        with tx.because(Cause(Actor.USER, "no", undoes=newest.revision_id)):
            revisions.restore(tx, newest.entity_type, newest.entity_id, newest.before)

    lived.write_now(undo)
    assert lived.read_now(lambda r: revisions.is_undone(r, newest.revision_id))
    assert lived.read_now(lambda r: browse.undone(r, [1, newest.revision_id])) == {newest.revision_id}
    later = lived.read_now(lambda r: revisions.after(r, newest.revision_id))
    assert [one.undoes for one in later] == [newest.revision_id]
    row = lived.read_now(lambda r: revisions.current(r, "state", 3))
    assert row is not None
    assert row["valid_to_ts"] is None
    assert lived.read_now(lambda r: revisions.current(r, "state", 99)) is None
    with pytest.raises(BadInput, match="no revised kind"):
        lived.read_now(lambda r: revisions.current(r, "events; DROP TABLE x", 1))


@pytest.mark.sqlite
def test_whether_a_change_was_taken_back_is_asked_of_an_index(memory: Database) -> None:
    plan = memory.read_now(
        lambda r: r.rows("EXPLAIN QUERY PLAN SELECT undoes FROM revisions WHERE undoes IN (1, 2)")
    )
    assert "revisions_undoing" in str(plan)


def test_preferences_are_found_by_what_they_are_about(lived: Database, clock: FrozenClock) -> None:
    like = Preference(
        preference_id=0,
        domain=Domain.FOOD,
        polarity=Polarity.LIKE,
        subject="カレー",
        subject_key=fold_key("カレー"),
        status=PreferenceStatus.CANDIDATE,
        note=None,
        confidence=0.5,
        evidence_event_ids=(1,),
        first_seen_at=clock.now,
        last_seen_at=clock.now,
        confirmed_at=None,
        revoked_at=None,
    )

    def write(tx: Tx) -> int:
        with tx.because(BECAUSE):
            made = preferences.create(tx, like)
            agreed = replace(like, preference_id=made, status=PreferenceStatus.CONFIRMED)
            preferences.save(tx, agreed)
        return made

    made = lived.write_now(write)
    found = lived.read_now(lambda r: preferences.find(r, Domain.FOOD, Polarity.LIKE, "ｶﾚｰ"))
    assert found is not None
    assert (found.preference_id, found.status) == (made, PreferenceStatus.CONFIRMED)
    assert lived.read_now(lambda r: preferences.find(r, Domain.FOOD, Polarity.DISLIKE, "カレー")) is None
    assert lived.read_now(lambda r: preferences.about_subject(r, "カレー")) == [found]
    assert lived.read_now(lambda r: preferences.with_status(r, PreferenceStatus.CANDIDATE)) == []
    assert lived.read_now(lambda r: preferences.with_status(r, domain=Domain.FOOD)) == [found]


def test_a_claim_forgotten_stays_so_for_what_was_heard_before(lived: Database) -> None:
    lived.write_now(lambda tx: plans.forget_claim(tx, "fact", "Dog", 2))

    def forgotten(text: str, event_id: int) -> bool:
        return lived.read_now(lambda r: plans.is_forgotten(r, "fact", text, event_id))

    assert (forgotten("dog", 2), forgotten("dog", 3), forgotten("cat", 1)) == (True, False, False)
    lived.write_now(lambda tx: plans.unforget_claim(tx, "fact", "dog"))
    assert not forgotten("dog", 1)


def test_tidy_runs_are_listed_newest_first(lived: Database) -> None:
    for number in range(3):
        counts = {"merged": number}
        lived.write_now(
            partial(plans.add_tidy_run, started_at=1, milliseconds=5, trigger=str(number), counts=counts)
        )
    assert [row.trigger for row in lived.read_now(lambda r: plans.tidy_runs(r, 2))] == ["2", "1"]
    assert [row.trigger for row in lived.read_now(lambda r: plans.tidy_runs(r, 2, before=2))] == ["0"]


def test_an_event_can_be_hidden_forgotten_and_read_anew(lived: Database) -> None:
    def write(tx: Tx) -> None:
        events.set_forgotten(tx, 1, True)
        events.set_searchable(tx, 2, False)
        events.clear_annotations(tx, 3)
        events.put_summary(tx, events.get(tx, 3), "short")

    lived.write_now(write)
    first, second, third = (lived.read_now(partial(events.get, event_id=number)) for number in (1, 2, 3))
    assert (first.forgotten_at is not None, first.searchable, second.searchable) == (True, False, False)
    assert (third.about, third.entities, third.annotated_at) == (AboutTime(), (), None)
    assert lived.read_now(lambda r: browse.entities_of_event(r, 3)) == []
    assert lived.read_now(lambda r: events.fresh_summaries(r, [1, 3])) == {3: "short"}
    assert [event.event_id for event in lived.read_now(lambda r: events.finished_chats(r, 9))] == [2]
    assert [event.event_id for event in lived.read_now(lambda r: events.newest(r, 9))] == [3]
    last = lived.read_now(events.last_chat)
    assert last is not None
    assert (last.event_id, lived.read_now(events.last_id)) == (2, 3)
    lived.write_now(lambda tx: events.set_forgotten(tx, 1, False))
    assert lived.read_now(lambda r: events.get(r, 1)).searchable


def test_candidates_by_time_of_telling_and_of_what_is_told(lived: Database, clock: FrozenClock) -> None:
    now = clock.now

    def read(reader: Reader) -> tuple[list[int], ...]:
        return (
            candidates.newest(reader, now + 9 * DAY, 9, before=None, except_id=3),
            candidates.said_between(reader, (now + 1, now + 9 * DAY), 9, None),
            candidates.about_between(reader, (now - 1, now + 1), 9, before=3),
            candidates.about_years(reader, 2020, 2020, 9, None),
            candidates.of_life_stage(reader, LifeStage.WORK, 1, None),
            candidates.states_valid_between(reader, (0, now + 9 * DAY), 9),
        )

    newest, said, about, years, stage, valid = lived.read_now(read)
    assert (newest, set(said), set(about), years, stage, valid) == ([2, 1], {2, 3}, {1, 2}, [2], [3], [3])
    assert lived.read_now(lambda r: candidates.bodies(r, [3])) == {3: "dog"}
    assert lived.read_now(lambda r: candidates.reply_chain(r, 1, 5)) == []


MISSING: list[Callable[[Reader], object]] = [
    lambda r: events.get(r, 99),
    lambda r: states.get(r, 99),
    lambda r: affects.get(r, 99),
    lambda r: runs.get(r, 99),
    lambda r: plans.get(r, 99),
    lambda r: preferences.get(r, 99),
    lambda r: revisions.get(r, 99),
    lambda r: jobs.get(r, 99),
]


@pytest.mark.parametrize("look", MISSING)
def test_what_is_not_there_is_named(lived: Database, look: Callable[[Reader], object]) -> None:
    with pytest.raises(NotFound, match=r"There is no .* 99"):
        lived.read_now(look)


def test_jobs_of_an_event_and_work_under_way(lived: Database) -> None:
    lived.write_now(lambda tx: jobs.enqueue(tx, JobKind.EMBED_EVENT, {"event_id": 2}, key="x"))
    assert [job.key for job in lived.read_now(lambda r: jobs.of_event(r, 2))] == ["x"]
    assert lived.read_now(lambda r: jobs.under_way(r, JobKind.EMBED_EVENT))
    assert not lived.read_now(lambda r: jobs.under_way(r, JobKind.TIDY_MEMORY))


def test_sessions_end_and_usage_adds_up(tmp_path: Path, clock: FrozenClock) -> None:
    db = open_settings(tmp_path, clock)
    db.write_now(lambda tx: settings.put_session(tx, "a", clock.now + 10))
    assert db.read_now(lambda r: settings.session_expiry(r, "a", clock.now)) == clock.now + 10
    clock.tick(11)
    assert db.read_now(lambda r: settings.session_expiry(r, "a", clock.now)) is None
    db.write_now(lambda tx: settings.put_session(tx, "b", clock.now + 10))
    assert db.read_now(lambda r: r.rows("SELECT session_hash FROM sessions")) == [{"session_hash": "b"}]
    db.write_now(lambda tx: settings.drop_session(tx, "b"))
    assert db.read_now(lambda r: settings.session_expiry(r, "b", clock.now)) is None
    for day in ("2026-01-01", "2026-01-02", "2026-01-02"):
        used = {"purpose": "speak", "model": "m", "input_tokens": 3, "output_tokens": 4}
        db.write_now(partial(settings.count_usage, day=day, **used))  # type: ignore[arg-type]
    (row,) = db.read_now(lambda r: settings.usage_since(r, "2026-01-02"))
    assert (row.calls, row.input_tokens, row.output_tokens) == (2, 6, 8)
    db.close()


@pytest.mark.sqlite
def test_every_named_query_is_sql_that_sqlite_takes(memory: Database, tmp_path: Path) -> None:
    """Each is prepared against the schemas; a typo would otherwise wait for the one who meets it."""
    settings_db, reminders_db = open_settings(tmp_path, memory.clock), open_reminders(tmp_path, memory.clock)
    places = {"settings": settings_db, "clients": settings_db, "reminders": reminders_db}
    for name, sql in named_queries().items():
        db = places.get(name.partition(".")[0], memory)
        db.read_now(partial(_prepare, sql=sql))
    settings_db.close()
    reminders_db.close()


def _prepare(reader: Reader, sql: str) -> None:
    assert apsw.ext.query_info(connection_of(reader), sql).query_remaining is None


@pytest.mark.parametrize("error", [apsw.IOError, apsw.CantOpenError, apsw.BusyError, apsw.ReadOnlyError])
def test_what_sqlite_cannot_do_is_a_sentence(error: type[apsw.Error]) -> None:
    with pytest.raises(StoreError, match="could not be used"), translated():
        raise error("on purpose")


def test_a_file_that_is_not_there_is_not_sound(tmp_path: Path) -> None:
    assert check_file(tmp_path / "none.db")


@pytest.mark.skipif(sys.platform == "win32", reason="reads the lock file of a holder")
def test_the_lock_names_its_holder_and_is_free_again(tmp_path: Path) -> None:
    with DirectoryLock(tmp_path):
        assert (tmp_path / "lock.pid").read_text() == str(os.getpid())
        with pytest.raises(StoreError, match=f"process {os.getpid()}"):
            DirectoryLock(tmp_path)
    DirectoryLock(tmp_path).release()


def test_what_is_told_each_turn_is_what_stands_there_now(lived: Database, clock: FrozenClock) -> None:
    """Rows read a moment ago are not made into states again: none may be out of date."""

    def told(reader: Reader) -> list[State]:
        now = clock.domain_now()
        held = states.told(reader, 50) + states.profile(reader, 50, now)
        return held + candidates.open_tasks(reader, now, 0, 50)

    def undone(tx: Tx) -> None:
        states.save(tx, replace(states.get(tx, changed), body_text="never kept", salience=0.9))
        assert "never kept" in {state.body_text for state in told(tx)}
        raise ZeroDivisionError

    def now_as_it_stands(reader: Reader) -> bool:
        held = told(reader)
        return bool(held) and held == [states.get(reader, state.state_id) for state in held]

    changed = lived.read_now(told)[0].state_id
    changes: list[Callable[[State], State]] = [
        lambda state: replace(state, body_text=f"{state.body_text}!"),
        lambda state: replace(state, payload={**state.payload, "slot": "home"}),
        lambda state: replace(state, entities=(Entity(EntityType.PERSON, "Ken"),)),
        lambda state: replace(state, valid_to_ts=clock.domain_now() + DAY),
    ]
    for change in changes:
        with pytest.raises(ZeroDivisionError):
            _because(lived, undone)
        assert lived.read_now(now_as_it_stands)
        _because(lived, lambda tx, change=change: states.save(tx, change(states.get(tx, changed))))  # type: ignore[misc]
        assert lived.read_now(now_as_it_stands)
    _because(lived, lambda tx: states.set_searchable(tx, changed, False))
    assert changed not in {state.state_id for state in lived.read_now(told)}


def _because(db: Database, fn: Callable[[Tx], object]) -> None:
    def write(tx: Tx) -> None:
        with tx.because(BECAUSE):
            fn(tx)

    db.write_now(write)
