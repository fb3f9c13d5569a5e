"""Export, import and what they promise: a round trip gives an equal ghost, bad input loses nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cocoro_ghost.care.checkup import Verdict, look_at_directory, look_at_files, look_at_index
from cocoro_ghost.care.export import Databases, export_lines, import_lines, is_export
from cocoro_ghost.care.imports import import_turns
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.errors import BadInput, Conflict
from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.event import AboutTime, Entity, EntityType, NewEvent, Origin, Source
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import StateDraft, StateKind
from cocoro_ghost.store import affects, events, jobs, meta, revisions, states, transfer
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.store.settings import count_usage
from cocoro_ghost.store.sqlite.files import open_memory, open_reminders, open_settings


def ghost_at(folder: Path, clock: FrozenClock) -> Databases:
    folder.mkdir(exist_ok=True)
    return Databases(
        open_memory(folder, "m", clock), open_reminders(folder, clock), open_settings(folder, clock)
    )


def close(ghost: Databases) -> None:
    for db in ghost.named().values():
        db.close()


@pytest.fixture
def lived(tmp_path: Path, clock: FrozenClock) -> Iterator[Databases]:
    ghost = ghost_at(tmp_path / "lived", clock)

    def live(tx: Tx) -> None:
        for number in range(5):
            new = NewEvent(clock.now + number, Source.CHAT, Origin.USER, f"やあ {number}", "うん")
            event_id = events.append(tx, new)
            events.annotate(tx, event_id, AboutTime(year_start=2020), [Entity(EntityType.PERSON, "黒木さん")])
            jobs.enqueue(tx, JobKind.EMBED_EVENT, {"event_id": event_id}, key=f"embed:{event_id}")
            with tx.because(Cause(Actor.GROW, "a test", (event_id,))):
                states.create(tx, StateDraft(StateKind.FACT, f"fact {number}", {"slot": str(number)}))
                vad = Vad(0.5, 0.1, 0.0)
                affects.put(tx, event_id, at=clock.now, text="glad", labels=["joy"], vad=vad, confidence=0.5)
        events.replace_reply(tx, 1, "もう一度")
        tx.execute("INSERT INTO vec_spaces (space, dimension) VALUES ('s@2', 2)")
        tx.execute("INSERT INTO vec_items VALUES (10000000001, 1, 1, 's@2', 2, x'003c0000', 1, 1, 1)")
        tx.execute("INSERT INTO forgettings VALUES (1, 'event', 1, 1, 2, '{}', 5, NULL)")
        tx.execute("INSERT INTO separations VALUES (1, 2, 's1', NULL, 5, NULL)")

    ghost.memory.write_now(live)
    ghost.settings.write_now(lambda tx: count_usage(tx, "2026-01-01", "speak", "m", 3, 4))
    yield ghost
    close(ghost)


def test_a_round_trip_gives_an_equal_ghost(lived: Databases, tmp_path: Path, clock: FrozenClock) -> None:
    told: list[tuple[int, int]] = []
    lines = list(export_lines(lived, lambda done, total: told.append((done, total))))
    assert told[-1] == (len(lines) - 1, len(lines) - 1)
    assert is_export(lines[0])
    other = ghost_at(tmp_path / "other", clock)
    counts = import_lines(other, [lines[0], "", *lines[1:]])
    assert counts["memory"] > 20
    assert list(export_lines(other)) == lines
    assert len(other.memory.read_now(lambda r: revisions.newest(r, 100))) == 10
    # The imported memory goes on living: ids continue, and changes are revised again.
    new = NewEvent(clock.now, Source.CHAT, Origin.USER, "next")
    assert other.memory.write_now(lambda tx: events.append(tx, new)) == 6
    with pytest.raises(Conflict, match="append-only"):
        other.memory.write_now(lambda tx: tx.execute("DELETE FROM events"))
    close(other)


def test_an_export_leaves_out_no_table_but_those_rebuilt_or_secret(lived: Databases) -> None:
    kept_at_home = {"secrets", "sessions", "clients", "client_accesses", "revision_evidence", "leases"}
    sql = "SELECT name FROM sqlite_master WHERE type = 'table'"
    for name, db in lived.named().items():
        tables = {row["name"] for row in db.read_now(lambda r: r.rows(sql))}
        derived = {table for table in tables if table.startswith(("word_", "event_word", "state_word"))}
        # The settings count nothing but accesses, which stay at home themselves.
        counted = {"sqlite_sequence"} if name == "settings" else set()
        assert tables - derived - kept_at_home - counted == set(transfer.TABLES[name])


def test_an_id_once_given_is_not_given_again_after_an_import(
    lived: Databases, tmp_path: Path, clock: FrozenClock
) -> None:
    def forget_the_newest(tx: Tx) -> None:
        with tx.because(Cause(Actor.USER, "forget")):
            revisions.restore(tx, "state", 5, None)

    lived.memory.write_now(forget_the_newest)
    other = ghost_at(tmp_path / "other", clock)
    import_lines(other, export_lines(lived))

    def learn(tx: Tx) -> int:
        with tx.because(Cause(Actor.GROW, "a test")):
            return states.create(tx, StateDraft(StateKind.FACT, "new"))

    assert other.memory.write_now(learn) == 6
    close(other)


def test_what_belongs_to_the_place_does_not_travel(
    lived: Databases, tmp_path: Path, clock: FrozenClock
) -> None:
    """Else the next start would open the memory of a preset that has no file here."""
    lived.settings.write_now(lambda tx: meta.put(tx, "memory_lived_in", "elsewhere"))
    lines = list(export_lines(lived))
    assert not any("elsewhere" in line for line in lines)
    other = ghost_at(tmp_path / "other", clock)
    other.settings.write_now(lambda tx: meta.put(tx, "memory_lived_in", "m"))
    row = {"key": "memory_lived_in", "value": "elsewhere"}
    import_lines(other, [*lines, json.dumps({"database": "settings", "table": "meta", "row": row})])
    assert other.settings.read_now(lambda r: meta.get(r, "memory_lived_in")) == "m"
    close(other)


def test_an_export_is_of_one_moment_though_the_ghost_goes_on(
    lived: Databases, tmp_path: Path, clock: FrozenClock
) -> None:
    before = list(export_lines(lived))
    lines = export_lines(lived)
    begun = [next(lines)]

    def go_on(tx: Tx) -> None:
        event_id = events.append(tx, NewEvent(clock.now, Source.CHAT, Origin.USER, "meanwhile"))
        with tx.because(Cause(Actor.GROW, "a test", (event_id,))):
            states.create(tx, StateDraft(StateKind.FACT, "meanwhile"))

    lived.memory.write_now(go_on)
    assert [*begun, *lines] == before


def test_a_memory_that_lives_is_not_overwritten(lived: Databases) -> None:
    lines = list(export_lines(lived))
    with pytest.raises(Conflict, match="empty memory"):
        import_lines(lived, lines)
    assert list(export_lines(lived)) == lines


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda lines: ["{}", *lines], "first line"),
        (lambda lines: [*lines, "{broken"], "cannot be read"),
        (lambda lines: [*lines, '{"database":"memory","table":"nope","row":{}}'], "unknown table"),
        (
            lambda lines: [*lines, '{"database":"memory","table":"events","row":{"nope":1}}'],
            "unknown columns",
        ),
        (lambda lines: [*lines, '{"database":"memory","table":"events","row":[]}'], "unknown table"),
        (lambda lines: [*lines, '{"database":[],"table":"events","row":{}}'], "unknown table"),
        (
            lambda lines: [*lines, '{"database":"settings","table":"meta","row":{"key":[]}}'],
            "cannot be stored",
        ),
        (
            lambda lines: [*lines, '{"database":"settings","table":"meta","row":{"key":{}}}'],
            "cannot be stored",
        ),
        (
            lambda lines: [*lines, '{"database":"reminders","table":"meta","row":{"key":"\\ud800"}}'],
            "cannot be stored",
        ),
        (lambda lines: [*lines, "[" * 100_000], "cannot be read"),
        (lambda lines: [lines[0].replace('"format_version": 1', '"format_version": 2'), *lines[1:]], "newer"),
    ],
)
def test_a_bad_export_is_refused_whole(
    lived: Databases, tmp_path: Path, clock: FrozenClock, spoil: object, sentence: str
) -> None:
    other = ghost_at(tmp_path / "other", clock)
    empty = list(export_lines(other))
    with pytest.raises(BadInput, match=sentence):
        import_lines(other, spoil(list(export_lines(lived))))  # type: ignore[operator]
    assert list(export_lines(other)) == empty
    close(other)


def test_turns_from_elsewhere_are_dated_and_taken_once(tmp_path: Path, clock: FrozenClock) -> None:
    ghost = ghost_at(tmp_path / "g", clock)
    lines = [
        json.dumps(
            {"id": "a", "created_at": "2020-05-01T10:00:00", "user_text": "hi", "assistant_text": "yo"}
        ),
        json.dumps({"id": "b", "created_at": 1_600_000_000, "user_text": "again"}),
        json.dumps({"id": "c", "created_at": "yesterday", "user_text": "x"}),
        json.dumps({"id": "d", "created_at": 1}),
        json.dumps({"id": "e", "user_text": "x"}),
        "not json",
        "",
        "[]",
        json.dumps({"created_at": float("inf"), "user_text": "x"}),
        json.dumps({"created_at": 1e30, "user_text": "x"}),
        json.dumps({"created_at": True, "user_text": "x"}),
        json.dumps({"created_at": 1, "user_text": "\ud800"}),
        json.dumps({"created_at": 1, "user_text": "x", "assistant_text": 5}),
        json.dumps({"created_at": 1, "user_text": "x", "speaker": ["x"]}),
        json.dumps({"created_at": 1, "user_text": "x", "image_summaries": "a cat"}),
        "[" * 100_000,
    ]
    seen: list[int] = []
    first = import_turns(
        ghost.memory, lines, clock.zone, after_event=lambda tx, event_id: seen.append(event_id)
    )
    assert (first.added, first.known, len(first.bad)) == (2, 0, 13), first.bad
    assert "Line 5 was left out: it has no created_at." in first.bad
    assert seen == [1, 2]
    again = import_turns(ghost.memory, lines, clock.zone)
    assert (again.added, again.known) == (0, 2)
    event = ghost.memory.read_now(lambda r: events.get(r, 1))
    assert event.created_at == 1_588_294_800
    assert (event.source, event.origin) == (Source.IMPORT, Origin.IMPORT)
    close(ghost)


def test_a_dry_run_writes_nothing(tmp_path: Path, clock: FrozenClock) -> None:
    ghost = ghost_at(tmp_path / "g", clock)
    lines = [json.dumps({"id": name, "created_at": 1, "user_text": "x"}) for name in "aab"]
    told: list[int] = []
    found = import_turns(ghost.memory, lines, clock.zone, dry_run=True, progress=told.append)
    assert (found.added, found.known, told) == (2, 1, [3])
    assert ghost.memory.read_now(events.count) == 0
    import_turns(ghost.memory, lines[:1], clock.zone)
    assert import_turns(ghost.memory, lines, clock.zone, dry_run=True).added == 1
    close(ghost)


def test_progress_is_told_on_the_way(
    lived: Databases, tmp_path: Path, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cocoro_ghost.care.export.REPORT_EVERY", 10)
    out: list[int] = []
    lines = list(export_lines(lived, lambda done, _: out.append(done)))
    assert out[:2] == [10, 20]
    back: list[tuple[int, int]] = []
    other = ghost_at(tmp_path / "other", clock)
    import_lines(other, lines, lambda done, total: back.append((done, total)))
    assert back[:2] == [(10, len(lines) - 1), (20, len(lines) - 1)]
    close(other)


@pytest.mark.parametrize("line", ["", "[]", "5", "{broken", "[" * 100_000])
def test_what_is_no_export_is_told_apart(line: str) -> None:
    assert not is_export(line)


def test_the_doctor_warns_of_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cocoro_ghost.care.checkup.LOW_DISK_BYTES", 1 << 62)
    found = {one.subject: one for one in look_at_directory(tmp_path)}
    assert (found["disk"].verdict, found["disk"].mend) == (Verdict.BAD, "Free some space.")


def test_the_doctor_keeps_an_eye_on_what_lies_aside(tmp_path: Path) -> None:
    (tmp_path / "memory_m.db.corrupt.7").touch()
    (found,) = look_at_files(tmp_path)
    assert (found.verdict, "moved aside" in found.sentence) == (Verdict.WARNING, True)


def test_an_index_that_lags_behind_is_a_warning() -> None:
    assert look_at_index("words", 3, 3).verdict is Verdict.GOOD
    lagging = look_at_index("words", 2, 3)
    assert "2 of 3" in lagging.sentence.format(**lagging.fills)
