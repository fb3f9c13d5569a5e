"""Any order of noting, confirming and revoking, against a small reference of the same rules; then late words,
spellings, and hands."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cocoro_ghost.grow.apply.apply_preferences import (
    apply_preference,
    confirm_preference,
    revoke_preference,
)
from cocoro_ghost.grow.check.checked import CheckedPreference
from cocoro_ghost.grow.forget import forget_preference, unforget
from cocoro_ghost.model.event import NewEvent, Origin, Source
from cocoro_ghost.model.preference import Domain, Polarity, Preference, PreferenceStatus
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.store import events, preferences, revisions
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.store.undo import forgettings
from cocoro_ghost.testing import FrozenClock, temp_memory

BEGAN = 1_767_225_600
Op = Literal["upsert_candidate", "confirm", "revoke"]
OPS: tuple[Op, ...] = ("upsert_candidate", "confirm", "revoke")
CONFIRMED, CANDIDATE, REVOKED = (
    PreferenceStatus.CONFIRMED,
    PreferenceStatus.CANDIDATE,
    PreferenceStatus.REVOKED,
)


def say(
    db: Database, subject: str, op: Op, polarity: Polarity, domain: Domain, confidence: float = 0.7
) -> int:
    """One event that changes one liking; a second later than the one before."""
    clock = db.clock
    assert isinstance(clock, FrozenClock)
    clock.tick(1)

    def write(tx: Tx) -> int:
        event_id = events.append(tx, NewEvent(tx.now, Source.CHAT, Origin.USER, subject, "うん"))
        change(tx, event_id, subject, op, polarity, domain, confidence)
        return event_id

    return db.write_now(write)


def change(
    tx: Tx, event_id: int, subject: str, op: Op, polarity: Polarity, domain: Domain, confidence: float = 0.7
) -> None:
    update = CheckedPreference(op, domain, polarity, subject, None, confidence, (event_id,), "told")
    with tx.because(Cause(Actor.GROW, "told", (event_id,))):
        apply_preference(tx, update, events.get(tx, event_id))


def held(db: Database) -> dict[tuple[Domain, Polarity, str], Preference]:
    found = db.read_now(preferences.with_status)
    return {(one.domain, one.polarity, one.subject_key): one for one in found}


def standing(db: Database) -> dict[tuple[Domain, Polarity, str], PreferenceStatus]:
    return {key: one.status for key, one in held(db).items()}


# -- the rules, told a second time


@dataclass
class Reference:
    """What memory.md section 7 says, as plainly as it can be written."""

    status: dict[tuple[Domain, Polarity, str], PreferenceStatus]

    def take(self, subject: str, op: Op, polarity: Polarity, domain: Domain) -> None:
        key = (domain, polarity, subject)
        if op == "confirm":
            self.status[key] = CONFIRMED
            for other in [k for k in self.status if k[1:] == (polarity.opposite, subject)]:
                self.status[other] = REVOKED
        elif op == "revoke":
            if key in self.status:
                self.status[key] = REVOKED
        elif self.status.get(key) is None or (
            self.status[key] is REVOKED and not self.is_confirmed(polarity.opposite, subject)
        ):
            self.status[key] = CANDIDATE

    def is_confirmed(self, polarity: Polarity, subject: str) -> bool:
        return any(k[1:] == (polarity, subject) and s is CONFIRMED for k, s in self.status.items())


steps = st.lists(
    st.tuples(
        st.sampled_from(["茶", "梅"]),
        st.sampled_from(OPS),
        st.sampled_from(Polarity),
        st.sampled_from(Domain),
    ),
    max_size=25,
)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps)
def test_any_order_of_words_ends_where_the_rules_say(
    order: list[tuple[str, Op, Polarity, Domain]],
) -> None:
    reference = Reference({})
    with temp_memory(FrozenClock(BEGAN)) as db:
        for subject, op, polarity, domain in order:
            before = held(db)
            event_id = say(db, subject, op, polarity, domain)
            reference.take(subject, op, polarity, domain)
            assert standing(db) == reference.status
            _hold(db, before, event_id)


def _hold(db: Database, before: dict[tuple[Domain, Polarity, str], Preference], event_id: int) -> None:
    """What no step may break."""
    now = held(db)
    assert set(before) <= set(now), "nothing vanishes"
    for key, one in now.items():
        assert one.first_seen_at <= one.last_seen_at
        assert one.evidence_event_ids, "everything rests on something"
        assert max(one.evidence_event_ids) <= event_id
        assert (one.status is REVOKED) == (one.revoked_at is not None)
        assert one.status is not CONFIRMED or one.confirmed_at is not None
        if key in before:
            assert set(before[key].evidence_event_ids) <= set(one.evidence_event_ids), "evidence only grows"
            assert one.first_seen_at == before[key].first_seen_at
    for subject in {key[2] for key in now}:
        both = [p for (_, p, s), one in now.items() if s == subject and one.status is CONFIRMED]
        assert len(set(both)) <= 1, "never liked and disliked at once"


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps)
def test_every_step_is_a_revision_that_says_what_was_before(
    order: list[tuple[str, Op, Polarity, Domain]],
) -> None:
    with temp_memory(FrozenClock(BEGAN)) as db:
        for subject, op, polarity, domain in order:
            say(db, subject, op, polarity, domain)
        for one in held(db).values():
            history = db.read_now(
                lambda r, i=one.preference_id: [*revisions.history(r, "user_preferences", i, 0)]  # type: ignore[misc]
            )
            assert history[0].before is None
            for earlier, later in pairwise(history):
                assert later.before == earlier.after, "no change between two revisions"
            assert history[-1].after is not None
            assert history[-1].after["status"] == one.status


# -- words that are learned late


def late(db: Database, subject: str, first: Polarity, then: Polarity) -> None:
    """Two tellings of which the earlier is learned last, as after an outage or out of quarantine."""
    clock = db.clock
    assert isinstance(clock, FrozenClock)

    def hear(tx: Tx) -> int:
        return events.append(tx, NewEvent(tx.now, Source.CHAT, Origin.USER, subject, "うん"))

    early = db.write_now(hear)
    clock.tick(86_400)
    newer = db.write_now(hear)
    clock.tick(86_400)
    db.write_now(lambda tx: change(tx, newer, subject, "confirm", then, Domain.FOOD))
    db.write_now(lambda tx: change(tx, early, subject, "confirm", first, Domain.FOOD))


@pytest.mark.parametrize("then", list(Polarity))
def test_what_was_said_last_stands_whatever_is_learned_last(then: Polarity) -> None:
    with temp_memory(FrozenClock(BEGAN)) as db:
        late(db, "納豆", then.opposite, then)
        assert standing(db)[Domain.FOOD, then, "納豆"] is CONFIRMED
        older = held(db)[Domain.FOOD, then.opposite, "納豆"]
        assert older.status is REVOKED, "it was so until the newer word"
        assert older.confirmed_at is not None
        assert older.revoked_at is not None
        assert older.confirmed_at <= older.revoked_at


def test_a_revocation_learned_late_does_not_take_back_what_was_said_after_it() -> None:
    with temp_memory(FrozenClock(BEGAN)) as db:
        clock = db.clock
        assert isinstance(clock, FrozenClock)

        def hear(tx: Tx) -> int:
            return events.append(tx, NewEvent(tx.now, Source.CHAT, Origin.USER, "茶", "うん"))

        early = db.write_now(hear)
        clock.tick(86_400)
        newer = db.write_now(hear)
        db.write_now(lambda tx: change(tx, newer, "茶", "confirm", Polarity.LIKE, Domain.FOOD))
        db.write_now(lambda tx: change(tx, early, "茶", "revoke", Polarity.LIKE, Domain.FOOD))
        assert standing(db)[Domain.FOOD, Polarity.LIKE, "茶"] is CONFIRMED


def test_the_same_liking_learned_late_is_confirmed_since_it_was_first_said() -> None:
    with temp_memory(FrozenClock(BEGAN)) as db:
        late(db, "納豆", Polarity.LIKE, Polarity.LIKE)
        (one,) = held(db).values()
        assert one.status is CONFIRMED
        assert len(one.evidence_event_ids) == 2
        assert one.last_seen_at == BEGAN + 86_400, "last seen is never put back"


# -- spellings


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("コーヒー", "ｺｰﾋｰ"),
        ("Green Tea", "green  tea"),
        ("ＡＢＣ", "abc"),
        ("抹茶 ラテ", "抹茶ラテ"),
        ("Straße", "STRASSE"),
    ],
)
def test_one_subject_in_two_spellings_is_one_liking(first: str, again: str) -> None:
    with temp_memory(FrozenClock(BEGAN)) as db:
        say(db, first, "confirm", Polarity.LIKE, Domain.FOOD)
        say(db, again, "confirm", Polarity.DISLIKE, Domain.FOOD)
        found = list(held(db).values())
        assert {(one.polarity, one.status) for one in found} == {
            (Polarity.LIKE, REVOKED),
            (Polarity.DISLIKE, CONFIRMED),
        }
        assert len({one.subject_key for one in found}) == 1


@pytest.mark.parametrize(("one", "other"), [("茶", "お茶漬け"), ("cat", "catfish"), ("犬", "猫")])
def test_two_subjects_that_share_letters_are_two(one: str, other: str) -> None:
    with temp_memory(FrozenClock(BEGAN)) as db:
        say(db, one, "confirm", Polarity.LIKE, Domain.FOOD)
        say(db, other, "confirm", Polarity.DISLIKE, Domain.FOOD)
        assert set(standing(db).values()) == {CONFIRMED}


def test_a_guess_is_as_sure_as_the_surest_of_its_tellings() -> None:
    with temp_memory(FrozenClock(BEGAN)) as db:
        for confidence in (0.3, 0.9, 0.5):
            say(db, "茶", "upsert_candidate", Polarity.LIKE, Domain.FOOD, confidence)
        (one,) = held(db).values()
        assert (one.confidence, one.status) == (0.9, CANDIDATE)
        say(db, "茶", "revoke", Polarity.LIKE, Domain.FOOD)
        say(db, "茶", "upsert_candidate", Polarity.LIKE, Domain.FOOD, 0.4)
        (one,) = held(db).values()
        assert (one.confidence, one.status) == (0.4, CANDIDATE), "a guess after a no begins anew"


# -- by hand


def by_key(db: Database, polarity: Polarity) -> Preference:
    return held(db)[Domain.FOOD, polarity, "茶"]


def test_a_hand_that_confirms_revokes_the_opposite_in_every_domain() -> None:
    with temp_memory(FrozenClock(BEGAN)) as db:
        say(db, "茶", "upsert_candidate", Polarity.LIKE, Domain.FOOD)
        say(db, "茶", "confirm", Polarity.DISLIKE, Domain.TOPIC)
        db.write_now(lambda tx: confirm_preference(tx, by_key(db, Polarity.LIKE).preference_id))
        assert standing(db) == {
            (Domain.FOOD, Polarity.LIKE, "茶"): CONFIRMED,
            (Domain.TOPIC, Polarity.DISLIKE, "茶"): REVOKED,
        }
        assert by_key(db, Polarity.LIKE).confidence == 1.0


def test_a_hand_that_revokes_twice_changes_nothing_more() -> None:
    with temp_memory(FrozenClock(BEGAN)) as db:
        say(db, "茶", "confirm", Polarity.LIKE, Domain.FOOD)
        number = by_key(db, Polarity.LIKE).preference_id
        db.write_now(lambda tx: revoke_preference(tx, number))
        once = by_key(db, Polarity.LIKE)
        clock = db.clock
        assert isinstance(clock, FrozenClock)
        clock.tick(60)
        db.write_now(lambda tx: revoke_preference(tx, number))
        assert by_key(db, Polarity.LIKE) == once, "it was over already"


def test_a_liking_forgotten_stays_away_for_what_was_said_and_comes_back_when_said_again() -> None:
    with temp_memory(FrozenClock(BEGAN)) as db:
        old = say(db, "茶", "confirm", Polarity.LIKE, Domain.FOOD)
        before = held(db)
        db.write_now(lambda tx: forget_preference(tx, by_key(db, Polarity.LIKE).preference_id))
        assert held(db) == {}
        db.write_now(lambda tx: change(tx, old, "茶", "confirm", Polarity.LIKE, Domain.FOOD))
        assert held(db) == {}, "reading the same words again does not bring it back"
        (act,) = db.read_now(forgettings)
        db.write_now(lambda tx: unforget(tx, act.forgetting_id))
        assert held(db) == before
        db.write_now(lambda tx: forget_preference(tx, by_key(db, Polarity.LIKE).preference_id))
        say(db, "茶", "confirm", Polarity.LIKE, Domain.FOOD)
        assert standing(db) == {(Domain.FOOD, Polarity.LIKE, "茶"): CONFIRMED}


def test_a_thousand_tellings_keep_the_first_and_the_latest_as_evidence() -> None:
    with temp_memory(FrozenClock(BEGAN)) as db:
        ids = [say(db, "茶", "confirm", Polarity.LIKE, Domain.FOOD) for _ in range(60)]
        kept = by_key(db, Polarity.LIKE).evidence_event_ids
        assert (kept[0], kept[-1], len(kept)) == (ids[0], ids[-1], 32)
