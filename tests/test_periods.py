"""Validity of states: periods are never turned round, what is told as past ends nothing, one thing holds at a
time in a slot, and every change has a revision that can be taken back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cocoro_ghost.clock import local, local_iso
from cocoro_ghost.grow.forget import forget_event, unforget
from cocoro_ghost.model.state import State, StateKind
from cocoro_ghost.store import revisions, states
from cocoro_ghost.store.undo import forgettings
from tests.growing import DAY, Life, a_life, fact, replays_to_current

BOUNDED = settings(
    max_examples=8, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
CITIES = {"東京": "東京", "大阪": "大阪", "札幌": "札幌"}


def iso(year: int) -> str:
    return f"{year:04d}-01-01T00:00:00"


def home(place: str, **more: Any) -> dict[str, Any]:
    payload = {"slot": "residence", "value": place}
    return {"state_updates": [fact(f"あなたは{place}に住んでいる", payload=payload, **more)]}


def every(life: Life) -> list[State]:
    rows = life.g.read(lambda r: r.rows("SELECT * FROM state WHERE kind <> 'long_mood_state' ORDER BY 1"))
    return [states.from_row(row) for row in rows]


def homes(life: Life, at: int) -> list[str]:
    """Where the person lives at a moment, as far as memory knows."""
    held = [one for one in every(life) if one.payload.get("slot") == "residence" and one.active_at(at)]
    return [one.payload["value"] for one in held]


def turned_round(life: Life) -> list[State]:
    return [
        one
        for one in every(life)
        if one.valid_from_ts is not None
        and one.valid_to_ts is not None
        and one.valid_from_ts > one.valid_to_ts
    ]


def year_of(life: Life, ts: int | None) -> int | None:
    return None if ts is None else local(ts, life.g.clock.zone).year


# -- what is told as past


def test_an_end_without_a_beginning_makes_no_period_that_begins_after_its_end() -> None:
    with a_life() as life:
        life.tell("2020年まで大阪に住んでいた", home("大阪", valid_to_ts=iso(2020)))
        assert turned_round(life) == []
        (osaka,) = every(life)
        assert osaka.valid_to_ts is not None
        assert not osaka.active_at(life.g.clock.domain_now()), "it is over"


def test_an_end_told_later_of_what_is_known_makes_no_period_that_begins_after_its_end() -> None:
    with a_life() as life:
        life.tell("東京に住んでいる", home("東京"))
        life.g.clock.tick(DAY)
        life.tell("東京に住んでいるのは2020年までだった", home("東京", valid_to_ts=iso(2020)))
        assert turned_round(life) == []
        assert life.states() == [], "it holds no longer"


def test_a_past_told_beside_the_handle_of_what_holds_now_does_not_end_it() -> None:
    """Small models put the handle of the nearest state on whatever they write."""
    with a_life() as life:
        life.tell("東京に住んでいる", home("東京"))
        life.g.clock.tick(DAY)
        (tokyo,) = every(life)
        life.tell(
            "2005年から2010年まで大阪に住んでいた",
            home("大阪", state_id=tokyo.state_id, valid_from_ts=iso(2005), valid_to_ts=iso(2010)),
        )
        assert homes(life, life.g.clock.domain_now()) == ["東京"], "the present stands"
        assert "大阪" in [s.payload.get("value") for s in life.states(closed=True)], (
            "the past is kept beside it"
        )


def test_a_past_told_without_a_handle_ends_nothing() -> None:
    with a_life() as life:
        life.tell("東京に住んでいる", home("東京"))
        life.g.clock.tick(DAY)
        life.tell(
            "2005年から2010年まで大阪に住んでいた",
            home("大阪", valid_from_ts=iso(2005), valid_to_ts=iso(2010)),
        )
        assert homes(life, life.g.clock.domain_now()) == ["東京"]
        past = next(one for one in life.states(closed=True) if one.payload.get("slot") == "residence")
        assert (year_of(life, past.valid_from_ts), year_of(life, past.valid_to_ts)) == (2005, 2010)


def test_the_same_past_told_twice_is_one_memory() -> None:
    with a_life() as life:
        for _ in range(2):
            life.tell(
                "2010年まで大阪に住んでいた", home("大阪", valid_from_ts=iso(2005), valid_to_ts=iso(2010))
            )
            life.g.clock.tick(DAY)
        bodies = [(one.body_text, one.valid_to_ts) for one in every(life)]
        assert len(bodies) == len(set(bodies)), bodies


# -- what begins later


def test_what_begins_later_leaves_the_present_until_then() -> None:
    with a_life() as life:
        life.tell("東京に住んでいる", home("東京"))
        life.g.clock.tick(DAY)
        soon = local_iso(life.g.clock.domain_now() + 30 * DAY, life.g.clock.zone)
        life.tell("来月から大阪に住む", home("大阪", valid_from_ts=soon))
        now = life.g.clock.domain_now()
        assert homes(life, now) == ["東京"]
        assert homes(life, now + 31 * DAY) == ["大阪"]
        tokyo, osaka = (one for one in every(life) if one.payload.get("slot") == "residence")
        assert tokyo.valid_to_ts == osaka.valid_from_ts, "old valid_to = new valid_from"


def test_who_still_lives_somewhere_for_a_month_lives_there_in_the_profile() -> None:
    """A known end does not make what holds today unknown today."""
    with a_life() as life:
        life.tell("東京に住んでいる", home("東京"))
        life.g.clock.tick(DAY)
        soon = local_iso(life.g.clock.domain_now() + 30 * DAY, life.g.clock.zone)
        life.tell("来月から大阪に住む", home("大阪", valid_from_ts=soon))
        now = life.g.clock.domain_now()
        profile = life.g.read(lambda r: states.profile(r, 16, now))
        assert "東京" in [s.payload.get("value") for s in profile if s.active_at(now)]
        assert "大阪" not in [s.payload.get("value") for s in profile if s.active_at(now)]
        later = now + 31 * DAY
        then = life.g.read(lambda r: states.profile(r, 16, later))
        assert "大阪" in [s.payload.get("value") for s in then if s.active_at(later)]
        assert "東京" not in [s.payload.get("value") for s in then if s.active_at(later)]


# -- what is ended


@pytest.mark.parametrize("op", ["close", "mark_done"])
def test_an_end_before_the_beginning_ends_it_where_it_began(op: str) -> None:
    with a_life() as life:
        task = {"kind": "task", "body_text": "歯医者に行く", "reason": "そう聞いた"}
        life.tell("歯医者に行く", {"state_updates": [task]})
        life.g.clock.tick(DAY)
        (known,) = life.states(StateKind.TASK)
        end = {**task, "op": op, "state_id": known.state_id, "valid_to_ts": iso(2001)}
        life.tell("歯医者に行くのは終わった", {"state_updates": [end]})
        assert turned_round(life) == []
        assert life.states(StateKind.TASK) == []


def test_closing_twice_keeps_the_first_end() -> None:
    with a_life() as life:
        life.tell("猫を飼っている", {"state_updates": [fact("あなたは猫を飼っている")]})
        (cat,) = life.states()
        close = {"kind": "fact", "op": "close", "state_id": cat.state_id, "body_text": cat.body_text}
        life.g.clock.tick(DAY)
        life.tell("猫を飼っているのはもう終わり", {"state_updates": [close]})
        (ended,) = life.states(closed=True)
        life.g.clock.tick(DAY)
        life.tell("猫を飼っているのはもう終わり", {"state_updates": [close]})
        assert life.states(closed=True) == [ended]


def test_a_handle_of_another_kind_is_no_target() -> None:
    with a_life() as life:
        life.tell("猫を飼っている", {"state_updates": [fact("あなたは猫を飼っている")]})
        (cat,) = life.states()
        life.tell(
            "猫の世話をする",
            {"state_updates": [{"kind": "task", "body_text": "猫の世話をする", "state_id": cat.state_id}]},
        )
        assert life.bodies(StateKind.FACT) == ["あなたは猫を飼っている"]
        assert life.bodies(StateKind.TASK) == ["猫の世話をする"]


# -- any order of tellings


years = st.none() | st.integers(1990, 2040)
tellings = st.lists(
    st.tuples(
        st.sampled_from(sorted(CITIES)), years, years, st.booleans(), st.sampled_from(["upsert", "close"])
    ),
    min_size=1,
    max_size=6,
)


def told(life: Life, telling: tuple[str, int | None, int | None, bool, str]) -> int:
    place, begins, ends, with_handle, op = telling
    more: dict[str, Any] = {"op": op}
    if begins is not None:
        more["valid_from_ts"] = iso(begins)
    if ends is not None:
        more["valid_to_ts"] = iso(ends)
    known = every(life)
    if (with_handle or op == "close") and known:
        more["state_id"] = known[-1].state_id
    life.g.clock.tick(DAY)
    return life.tell(f"{place}に住んでいる、東京も大阪も札幌も住んでいる", home(place, **more))


@BOUNDED
@given(tellings)
def test_any_order_of_tellings_keeps_periods_whole(
    order: list[tuple[str, int | None, int | None, bool, str]],
) -> None:
    with a_life() as life:
        for telling in order:
            event_id = told(life, telling)
            assert turned_round(life) == []
            now = life.g.clock.domain_now()
            assert len(homes(life, now)) <= 1, "one home at a time"
            for one in every(life):
                assert set(one.evidence_event_ids) <= set(range(1, event_id + 1))
                assert one.last_confirmed_at <= now, "nothing was confirmed in the future"
        assert replays_to_current(life) == []
        assert life.dead_jobs() == []


@BOUNDED
@given(tellings)
def test_any_telling_forgotten_and_remembered_leaves_all_as_it_was(
    order: list[tuple[str, int | None, int | None, bool, str]],
) -> None:
    with a_life() as life:
        for telling in order[:3]:
            before = life.snapshot()
            event_id = told(life, telling)
            after = life.snapshot()
            life.g.write(lambda tx, i=event_id: forget_event(tx, i))  # type: ignore[misc]
            assert life.snapshot() == before
            (act, *_) = life.g.read(lambda r: forgettings(r, 1))
            life.g.write(lambda tx, i=act.forgetting_id: unforget(tx, i))  # type: ignore[misc]
            life.g.work()
            assert life.snapshot() == after


def test_every_change_of_a_plan_names_its_event_as_evidence() -> None:
    with a_life() as life:
        life.tell("東京に住んでいる", home("東京"))
        life.g.clock.tick(DAY)
        event_id = life.tell(
            "大阪に引っ越した。大阪に住んでいる", home("大阪", evidence_event_ids=["e1", "e99", 7])
        )
        newest = life.g.read(lambda r: r.rows("SELECT max(revision_id) AS n FROM revisions"))[0]["n"]
        rows = [
            life.g.read(lambda r, i=i: revisions.get(r, i))  # type: ignore[misc]
            for i in range(1, newest + 1)
        ]
        changed = [row for row in rows if event_id in row.evidence_event_ids]
        assert len(changed) >= 2, "the old was ended and the new began because of it"
        assert all(set(row.evidence_event_ids) <= {1, event_id} for row in changed), (
            "made-up ids are not kept"
        )
        assert all(row.reason for row in changed)
