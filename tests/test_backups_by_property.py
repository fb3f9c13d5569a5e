"""Backups, by property: a week of any days keeps what it should, no clock and no stray file stops them."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cocoro_ghost.bootstrap import open_foundations
from cocoro_ghost.care import backup
from cocoro_ghost.care.backup import BY_HAND, NOTE, SCHEDULED, Backup, list_backups, problems_of
from cocoro_ghost.care.replace_files import JOURNAL, finish_replacing, make_room, replace_files, unused
from cocoro_ghost.care.schedule import DAY, LOOK_EVERY_SECONDS, BackupSchedule, Keep, is_due, to_remove
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.errors import Conflict, NotFound, StoreError

FEW = settings(max_examples=30, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
START = int(datetime(2026, 3, 1, 12, tzinfo=UTC).timestamp())
MOMENTS = st.lists(st.integers(0, 500 * 24), min_size=1, max_size=40, unique=True)
KEEPS = st.builds(Keep, st.integers(1, 10), st.integers(0, 6), st.integers(0, 8))


def _made(hours: list[int], kinds: list[str]) -> list[Backup]:
    found = [
        Backup(str(hour), Path("x"), (), 1, START + hour * 3600, kinds[at % len(kinds)])
        for at, hour in enumerate(hours)
    ]
    return sorted(found, key=lambda one: one.made_at, reverse=True)


@FEW
@given(MOMENTS, KEEPS, st.lists(st.sampled_from([SCHEDULED, SCHEDULED, BY_HAND]), min_size=1, max_size=5))
def test_what_is_let_go_is_never_the_newest_of_a_period_that_counts(
    hours: list[int], keep: Keep, kinds: list[str]
) -> None:
    backups = _made(hours, kinds)
    gone = to_remove(backups, keep)
    stay = [one for one in backups if one not in gone]
    mine = [one for one in backups if one.kind == SCHEDULED]
    assert all(one.kind == SCHEDULED for one in gone)
    assert not mine or mine[0] in stay, "the newest stays whatever the numbers are"
    days = list(dict.fromkeys(datetime.fromtimestamp(one.made_at, UTC).date() for one in mine))
    kept_days = {datetime.fromtimestamp(one.made_at, UTC).date() for one in stay if one.kind == SCHEDULED}
    assert set(days[: keep.daily]) <= kept_days
    months = list(dict.fromkeys(day.replace(day=1) for day in days))
    assert set(months[: keep.monthly]) <= {day.replace(day=1) for day in kept_days}
    most = keep.daily + keep.weekly + keep.monthly + 1
    assert sum(one.kind == SCHEDULED for one in stay) <= most
    assert to_remove(stay, keep) == [], "what stays once stays until something new comes"


@FEW
@given(MOMENTS, KEEPS)
def test_living_through_the_days_keeps_what_looking_back_would(hours: list[int], keep: Keep) -> None:
    kept: list[Backup] = []
    for hour in sorted(hours):
        kept.insert(0, *_made([hour], [SCHEDULED]))
        gone = to_remove(kept, keep)
        kept = [one for one in kept if one not in gone]
    whole = _made(hours, [SCHEDULED])
    at_once = [one for one in whole if one not in to_remove(whole, keep)]
    assert kept[: keep.daily] == at_once[: keep.daily]
    assert kept[0] == whole[0]


@FEW
@given(st.lists(st.integers(-40 * 24, 40 * 24), min_size=1, max_size=12))
def test_a_clock_that_jumps_makes_no_backup_twice_a_day(jumps: list[int]) -> None:
    """However it is put forward and back: within a day by the clock as it is, one is enough."""
    now = START + 1000 * DAY
    backups: list[Backup] = []
    for jump in jumps:
        now += jump * 3600
        for _ in range(4):
            if is_due(backups, now):
                backups.append(Backup(str(len(backups)), Path("x"), (), 1, now, SCHEDULED))
                backups.sort(key=lambda one: one.made_at, reverse=True)
                assert not is_due(backups, now + 1), "and not again at the next look"
            now += int(LOOK_EVERY_SECONDS)
    newest = min(abs(now - one.made_at) for one in backups)
    assert newest <= 2 * DAY, "there is always one of these days"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with open_foundations(tmp_path / "home"):
        pass
    return tmp_path / "home"


def _schedule(home: Path, clock: FrozenClock, keep: Keep | None = None) -> BackupSchedule:
    return BackupSchedule(home, home / "backups", clock, keep or Keep(), enabled=True)


def test_after_a_clock_far_ahead_was_put_right_one_a_day_is_made(home: Path, clock: FrozenClock) -> None:
    schedule = _schedule(home, clock, Keep(1, 0, 0))
    clock.now += 3650 * DAY
    assert schedule.look() is not None
    clock.now -= 3650 * DAY
    made = [schedule.look() is not None]
    for _ in range(3):
        clock.now += int(LOOK_EVERY_SECONDS)
        made.append(schedule.look() is not None)
    assert made == [True, False, False, False]
    assert len(list_backups(home)) == 2
    clock.now += 4 * DAY
    assert schedule.status().old, "the one out of the future says nothing of how old the others are"


@pytest.mark.parametrize(
    "note",
    [
        {"made_at": "x", "at": 10**18, "kind": SCHEDULED, "files": []},
        {"made_at": "x", "at": -(10**18), "kind": SCHEDULED, "files": []},
        {"made_at": "x", "files": ["../../evil.db"]},
        {"made_at": "x", "files": ["a.db"], "sha256": {"a.db": 5}},
        {"made_at": 5, "files": []},
        [],
        None,
    ],
)
def test_a_stray_note_stops_neither_backups_nor_their_list(
    home: Path, clock: FrozenClock, note: object
) -> None:
    stray = home / "backups" / "stray"
    stray.mkdir(parents=True)
    (stray / NOTE).write_text(json.dumps(note), encoding="utf-8")
    schedule = _schedule(home, clock, Keep(1, 0, 0))
    for _ in range(3):
        assert schedule.look() is not None
        clock.now += DAY
    assert schedule.status().problem == ""
    assert [one.name for one in list_backups(home) if one.name != "stray"]
    assert backup.newest_good(home) is not None


def test_what_lies_among_the_copies_does_not_hide_a_backup(home: Path, clock: FrozenClock) -> None:
    made = _schedule(home, clock).look()
    assert made is not None
    (made.path / "gone").symlink_to(made.path / "nowhere")
    (made.path / "folder").mkdir()
    assert [one.name for one in list_backups(home)] == [made.name]
    assert problems_of(made) == []
    (home / "backups" / "loose.txt").write_text("x", encoding="utf-8")
    (home / "backups" / "empty").mkdir()
    assert [one.name for one in list_backups(home)] == [made.name]


def test_two_backups_of_one_second_are_two(home: Path, clock: FrozenClock) -> None:
    names = [backup.back_up(home, clock.now).name for _ in range(3)]
    assert len(set(names)) == 3
    assert {one.name for one in list_backups(home)} == set(names)
    assert backup.find_backup(home, names[1]).name == names[1]
    with pytest.raises(NotFound, match=names[0]):
        backup.find_backup(home, "nope")


@pytest.mark.parametrize("spoil", ["missing", "changed", "grown", "empty"])
def test_a_backup_that_is_not_as_it_was_is_told_and_never_put_in_place(
    home: Path, clock: FrozenClock, spoil: str
) -> None:
    made = backup.back_up(home, clock.now)
    before = {path.name: path.read_bytes() for path in home.glob("*.db")}
    victim = made.path / "settings.db"
    if spoil == "missing":
        victim.unlink()
    elif spoil == "changed":
        data = bytearray(victim.read_bytes())
        data[len(data) // 2] ^= 1
        victim.write_bytes(bytes(data))
    else:
        victim.write_bytes(b"" if spoil == "empty" else victim.read_bytes() + b"\0")
    assert problems_of(made)
    with pytest.raises(StoreError, match="nothing was changed"):
        backup.restore(home, made, clock.now)
    assert {path.name: path.read_bytes() for path in home.glob("*.db")} == before
    assert not (home / "restoring").exists()
    assert backup.newest_good(home) is None
    assert "no good backup" in backup.offer(home)


def test_restoring_again_and_again_keeps_every_life_it_replaced(home: Path, clock: FrozenClock) -> None:
    made = backup.back_up(home, clock.now)
    kept = [backup.restore(home, made, clock.now) for _ in range(3)]
    assert len({str(one) for one in kept}) == 3
    for one in kept:
        assert (one / "settings.db").exists()
    assert not (home / JOURNAL).exists()


def test_a_target_that_is_taken_is_left_alone(home: Path, clock: FrozenClock, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "mine.txt").write_text("mine", encoding="utf-8")
    for target in (taken, taken / "mine.txt"):
        with pytest.raises(Conflict, match="already there"):
            backup.back_up(home, clock.now, target=target)
    assert [path.name for path in taken.iterdir()] == ["mine.txt"]
    empty = tmp_path / "empty"
    empty.mkdir()
    assert backup.back_up(home, clock.now, target=empty).files
    with pytest.raises(NotFound, match="no memory"):
        backup.back_up(tmp_path / "nobody", clock.now)


# -- changing places


@FEW
@given(st.sets(st.sampled_from(["a.db", "b.db", "key"]), min_size=1), st.integers(0, 8), st.booleans())
def test_files_change_places_whole_wherever_it_was_cut_off(
    tmp_path_factory: pytest.TempPathFactory, coming: set[str], steps: int, discard: bool
) -> None:
    """As a crash would leave it: after the journal stands, any number of files may have moved."""
    home = tmp_path_factory.mktemp("home")
    for name in ("a.db", "c.db", "key"):
        (home / name).write_text(f"old {name}", encoding="utf-8")
    room = make_room(home)
    for name in coming:
        (room / name).write_text(f"new {name}", encoding="utf-8")
    moved, real = [0], os.replace

    def replace_until(source: object, target: object) -> None:
        # The journal itself is put in place first; what comes after it may be cut off anywhere.
        if Path(str(target)).name != JOURNAL and moved[0] >= steps:
            raise KeyboardInterrupt
        moved[0] += Path(str(target)).name != JOURNAL
        real(str(source), str(target))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "replace", replace_until)
        try:
            replace_files(home, home / "replaced" / "x", discard=discard)
            ended = True
        except KeyboardInterrupt:
            ended = False
    assert ended or (home / JOURNAL).exists()
    finish_replacing(home)
    assert finish_replacing(home) is None, "once is enough"
    standing = {path.name: path.read_text(encoding="utf-8") for path in home.iterdir() if path.is_file()}
    assert standing == {name: f"new {name}" for name in coming}
    kept = home / "replaced" / "x"
    if discard:
        assert not kept.exists()
    else:
        assert {path.name for path in kept.iterdir()} == {"a.db", "c.db", "key"}
        assert (kept / "a.db").read_text(encoding="utf-8") == "old a.db"


@pytest.mark.parametrize("journal", ["", "{}", "[]", '{"names": 5, "kept": "x"}', '{"names": []}'])
def test_a_journal_that_cannot_be_read_is_told_and_nothing_moves(tmp_path: Path, journal: str) -> None:
    (tmp_path / "a.db").write_text("old", encoding="utf-8")
    (tmp_path / JOURNAL).write_text(journal, encoding="utf-8")
    with pytest.raises(StoreError, match="nothing is lost"):
        finish_replacing(tmp_path)
    assert (tmp_path / "a.db").read_text(encoding="utf-8") == "old"


def test_a_name_nothing_stands_at_is_found(tmp_path: Path) -> None:
    for expected in ("x", "x-2", "x-3"):
        found = unused(tmp_path / "x")
        assert found.name == expected
        found.mkdir()
