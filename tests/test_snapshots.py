"""Rows as revisions keep them: a change made again on another row touches what it changed, nothing else."""

from __future__ import annotations

import json
from typing import TypedDict

from hypothesis import given
from hypothesis import strategies as st

from cocoro_ghost.grow.rewind import without
from cocoro_ghost.model.revision import Actor, Revision
from cocoro_ghost.store import snapshots

Bag = dict[str, int | str]


class Kept(TypedDict):
    """A row as it means, not as it is spelt."""

    body: str | None
    ended: object
    evidence: set[int]
    payload: Bag


BODIES = st.sampled_from(["東京に住んでいる", "大阪に住んでいる", "lives in Leeds"])
PAYLOADS = st.dictionaries(st.sampled_from(["slot", "value", "about", "n"]), st.integers(0, 3) | BODIES)
ROWS = st.fixed_dictionaries(
    {
        "state_id": st.just(7),
        "body_text": BODIES,
        "valid_to_ts": st.none() | st.integers(0, 5),
        "payload_json": PAYLOADS.map(json.dumps),
        "evidence_json": st.sets(st.integers(1, 6)).map(lambda ids: json.dumps(sorted(ids))),
    }
)


def kept(row: snapshots.Snapshot | None) -> Kept | None:
    if row is None:
        return None
    return {
        "body": snapshots.text(row),
        "ended": row["valid_to_ts"],
        "evidence": set(snapshots.evidence(row)),
        "payload": snapshots.payload(row),
    }


def history(rows: list[snapshots.Snapshot]) -> list[Revision]:
    """One change after the other, the first of them making the row."""
    pairs = zip([None, *rows[:-1]], rows, strict=True)
    return [
        Revision(at, "state", 7, before, after, Actor.GROW, "told", (at,), at)
        for at, (before, after) in enumerate(pairs, 1)
    ]


@given(ROWS, ROWS)
def test_a_change_made_again_where_it_was_made_gives_what_it_gave(
    before: snapshots.Snapshot, after: snapshots.Snapshot
) -> None:
    assert kept(snapshots.changed_again(before, before, after)) == kept(after)


@given(ROWS, ROWS, ROWS)
def test_a_change_touches_only_what_it_changed(
    row: snapshots.Snapshot, before: snapshots.Snapshot, after: snapshots.Snapshot
) -> None:
    changed = snapshots.changed_again(row, before, after)
    assert changed is not None
    assert changed["body_text"] == (
        row["body_text"] if before["body_text"] == after["body_text"] else after["body_text"]
    )
    had, has, now = snapshots.payload(before), snapshots.payload(after), snapshots.payload(changed)
    for key, value in snapshots.payload(row).items():
        if had.get(key) == has.get(key):
            assert now[key] == value, "a key the change left alone keeps what the row has"
    came = set(snapshots.evidence(after)) - set(snapshots.evidence(before))
    went = set(snapshots.evidence(before)) - set(snapshots.evidence(after))
    assert set(snapshots.evidence(changed)) == (set(snapshots.evidence(row)) | came) - went


@given(ROWS)
def test_what_was_deleted_stays_away_and_what_was_made_is_made(row: snapshots.Snapshot) -> None:
    assert snapshots.changed_again(row, row, None) is None
    assert snapshots.changed_again(None, None, row) == row
    assert snapshots.changed_again(None, row, {**row, "body_text": "…"}) is None, "nothing to change"


@given(st.lists(ROWS, min_size=2, max_size=6), st.data())
def test_without_one_change_the_later_ones_stand(rows: list[snapshots.Snapshot], data: st.DataObject) -> None:
    told = history(rows)
    gone = data.draw(st.sampled_from(told[1:]))
    row = without(told[told.index(gone) :], gone.revision_id)
    assert row is not None
    later = told[told.index(gone) + 1 :]
    changed = [r for r in later if r.after and r.before and r.after["body_text"] != r.before["body_text"]]
    if changed:
        last = changed[-1].after
        assert last is not None
        assert row["body_text"] == last["body_text"]
    else:
        assert gone.before is not None
        assert row["body_text"] == gone.before["body_text"], "no later change touched the words"


@given(ROWS, st.sets(st.integers(1, 6)))
def test_events_that_are_gone_are_no_evidence_any_more(row: snapshots.Snapshot, gone: set[int]) -> None:
    left = snapshots.without_evidence(row, gone)
    assert set(snapshots.evidence(left)) == set(snapshots.evidence(row)) - gone
    assert kept({**left, "evidence_json": row["evidence_json"]}) == kept(row), "and nothing else is touched"


def test_the_undoing_of_a_change_goes_with_it() -> None:
    first = {
        "state_id": 7,
        "body_text": "A",
        "valid_to_ts": None,
        "payload_json": "{}",
        "evidence_json": "[]",
    }
    second, third = {**first, "body_text": "B"}, {**first, "valid_to_ts": 9}
    told = history([first, second, first, third])
    undone = [*told[:2], Revision(3, "state", 7, second, first, Actor.USER, "", (), 3, undoes=2), told[3]]
    row = without(undone[1:], 2)
    assert kept(row) == kept(third), "B was taken back already: it is not taken back twice"
