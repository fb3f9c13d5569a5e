"""Everything out and in again, by property: from either engine into either, whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from cocoro_ghost.care.export import Databases, export_lines, import_lines
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.errors import BadInput, Conflict, GhostError, StoreError
from cocoro_ghost.model.event import NewEvent, Origin, Source
from cocoro_ghost.model.reminder import FiringStatus, Reminder, RepeatKind
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import StateDraft, StateKind
from cocoro_ghost.store import events, meta, reminders, revisions, states, transfer, words
from cocoro_ghost.store import settings as setting_rows
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.store.sqlite.files import open_memory, open_reminders, open_settings
from tests.crowded import crowd

ENGINES = ("sqlite", "postgres")
Ghosts = Callable[[str], Databases]


@pytest.fixture
def ghosts(tmp_path: Path, clock: FrozenClock, request: pytest.FixtureRequest) -> Iterator[Ghosts]:
    """New ghosts without a life, in the engine that is named."""
    made: list[Databases] = []

    def make(engine: str) -> Databases:
        if engine == "sqlite":
            folder = tmp_path / str(len(made))
            folder.mkdir()
            files = (
                open_memory(folder, "m", clock),
                open_reminders(folder, clock),
                open_settings(folder, clock),
            )
            made.append(Databases(*files))
        else:
            ghost_id = request.getfixturevalue("new_ghost")()
            house = request.getfixturevalue("house_engine")
            parts = [house.open(ghost_id, part, clock) for part in ("memory", "reminders", "settings")]
            made.append(Databases(*parts))
        return made[-1]

    yield make
    for one in made:
        for db in one.named().values():
            db.close()


def _lived(ghost: Databases, seed: int = 3, size: int = 12) -> Databases:
    ghost.memory.write_now(lambda tx: crowd(tx, seed, size))
    ghost.reminders.write_now(_remind)

    def set_up(tx: Tx) -> None:
        body = {"model": "m", "temperature": 0.1, "名": None, "n": [1, {"a": "é"}]}
        setting_rows.put_preset(tx, "llm", "p1", "猫 'preset'", body)
        setting_rows.put_preset(tx, "llm", "p2", "gone", {})
        setting_rows.archive_preset(tx, "llm", "p2")
        setting_rows.put_secret(tx, "key", b"\x00sealed\xff")
        setting_rows.count_usage(tx, "2026-01-01", "speak", "m", 3, 4, 1)

    ghost.settings.write_now(set_up)
    return ghost


def _remind(tx: Tx) -> None:
    for number, kind in enumerate(RepeatKind):
        reminder = Reminder(
            f"r{number}", True, kind, f"薬 {number}", "2026-01-02T09:00", "09:00", ("mon",), tx.now + number
        )  # fmt: skip
        reminders.put(tx, reminder)
        reminders.add_firing(tx, f"r{number}", tx.now, FiringStatus.DUE)


@pytest.mark.parametrize("source", ENGINES)
@pytest.mark.parametrize("target", ENGINES)
def test_a_life_moves_between_the_engines_and_is_the_same(ghosts: Ghosts, source: str, target: str) -> None:
    lived = _lived(ghosts(source))
    lines = list(export_lines(lived))
    assert json.loads(lines[0])["rows"] == len(lines) - 1, "the first line says how many follow"
    moved = ghosts(target)
    counts = import_lines(moved, lines)
    assert sum(counts.values()) == len(lines) - 1
    assert sorted(export_lines(moved)) == sorted(lines)
    assert not any("sealed" in line for line in lines), "secrets stay at home"
    _goes_on(moved.memory, lived.memory)


def _goes_on(moved: Database, lived: Database) -> None:
    """Words, revisions and numbers of what was brought go on as they would have at home."""
    moved.write_now(words.rebuild)
    assert moved.read_now(words.check).complete
    for text in ("猫", "京都", "hiking", "コーヒー"):
        asked = [db.read_now(lambda r: words.find_events(r, text, 5)) for db in (moved, lived)]  # noqa: B023
        assert [one for one, _ in asked[0]] == [one for one, _ in asked[1]]

    def grow(tx: Tx) -> tuple[int, int, int]:
        event_id = events.append(tx, NewEvent(tx.now, Source.CHAT, Origin.USER, "next"))
        with tx.because(Cause(Actor.USER, "told", (event_id,))):
            state_id = states.create(tx, StateDraft(StateKind.FACT, "new"))
        return event_id, state_id, revisions.newest_id(tx)

    assert moved.write_now(grow) == lived.write_now(grow)
    with pytest.raises(Conflict):
        moved.write_now(lambda tx: tx.execute("DELETE FROM events"))


def test_an_export_that_was_cut_off_anywhere_is_refused_whole(ghosts: Ghosts) -> None:
    """A copy that ended early must not pass for a life: the first line said how much there is."""
    lines = list(export_lines(_lived(ghosts("sqlite"), size=4)))
    target = ghosts("sqlite")
    empty = list(export_lines(target))
    for kept in sorted({1, 2, len(lines) // 2, len(lines) - 7, len(lines) - 1}):
        with pytest.raises(GhostError) as refused:
            import_lines(target, lines[:kept])
        assert isinstance(refused.value, BadInput | Conflict), kept
        assert list(export_lines(target)) == empty
    import_lines(target, lines)
    assert list(export_lines(target)) == lines


JUNK: tuple[object, ...] = (
    None, [], {}, [1], "x", -1, 2**70, float("inf"), float("nan"), "\ud800", {"base64": 3}, {"base64": "!"},
    {"a": 1}, True,
)  # fmt: skip


def _spoiled(line: str, rng: Random) -> str:
    item = json.loads(line)
    column = rng.choice([*item["row"]])
    how = rng.randrange(7)
    if how == 0:
        return line[: rng.randrange(1, len(line))]
    if how == 1:
        item["row"][column] = rng.choice(JUNK)
    elif how == 2:
        item["row"][f"{column}; --"] = 1
    elif how == 3:
        item[rng.choice(["database", "table", "row"])] = rng.choice(JUNK)
    elif how == 4:
        item["table"] = rng.choice(
            ["secrets", "sessions", "sqlite_master", "events; DROP TABLE events", "clients"]
        )
    elif how == 5:
        del item[rng.choice(["database", "table", "row"])]
    else:
        item["row"] = {}
    return json.dumps(item)


@pytest.mark.parametrize("seed", range(2))
def test_a_spoiled_line_is_refused_with_a_sentence_or_harmless(ghosts: Ghosts, seed: int) -> None:
    """Nothing but our own errors, and nothing of a refused export stays."""
    rng = Random(seed)
    lines = list(export_lines(_lived(ghosts("sqlite"), size=4)))
    target = ghosts("sqlite")
    empty, refused = list(export_lines(target)), 0
    for _ in range(30):
        at = rng.randrange(1, len(lines))
        try:
            import_lines(target, [*lines[:at], _spoiled(lines[at], rng), *lines[at + 1 :]])
        except (BadInput, Conflict, StoreError):
            assert list(export_lines(target)) == empty
            refused += 1
        else:
            # A value as good as the one that stood there: the ghost it made can at least be told of.
            assert list(export_lines(target))
            target = ghosts("sqlite")
    assert refused > 15


def test_a_refused_import_leaves_the_triggers_that_keep_history(ghosts: Ghosts) -> None:
    lines = list(export_lines(_lived(ghosts("sqlite"), size=4)))
    target = ghosts("sqlite")
    with pytest.raises(BadInput):
        import_lines(target, [*lines, "{broken"])

    def grow(tx: Tx) -> None:
        states.create(tx, StateDraft(StateKind.FACT, "without a cause"))

    with pytest.raises(StoreError, match="without naming a cause"):
        target.memory.write_now(grow)


def test_rows_may_come_in_any_order(ghosts: Ghosts) -> None:
    """Exports that were sorted by a tool, or made by another, refer to what comes later."""
    lines = list(export_lines(_lived(ghosts("sqlite"), size=5)))
    shuffled = lines[1:]
    Random(1).shuffle(shuffled)
    counted = [line for line in shuffled if '"vec_spaces"' in line or '"sqlite_sequence"' in line]
    shuffled = [line for line in shuffled if line not in counted] + counted
    target = ghosts("sqlite")
    import_lines(target, [lines[0], *shuffled])
    assert sorted(export_lines(target)) == sorted(lines)


def test_a_reference_to_what_is_not_there_is_refused(ghosts: Ghosts) -> None:
    lines = list(export_lines(_lived(ghosts("sqlite"), size=5)))
    lost = [line for line in lines if '"table": "events"' not in line]
    with pytest.raises((BadInput, Conflict)):
        import_lines(ghosts("sqlite"), lost)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_memory_in_which_something_happened_is_not_empty(ghosts: Ghosts, engine: str) -> None:
    ghost = ghosts(engine)
    assert ghost.memory.read_now(transfer.is_empty)
    ghost.memory.write_now(lambda tx: meta.put(tx, "a note", "x"))
    assert ghost.memory.read_now(transfer.is_empty), "a note of the program is no life"
    ghost.memory.write_now(lambda tx: events.append(tx, NewEvent(0, Source.CHAT, Origin.USER, "hi")))
    assert not ghost.memory.read_now(transfer.is_empty)
    with pytest.raises(Conflict, match="empty memory"):
        import_lines(ghost, list(export_lines(ghost)))


@pytest.mark.parametrize("engine", ENGINES)
def test_small_notes_are_kept_by_name_exactly(ghosts: Ghosts, engine: str) -> None:
    ghost = ghosts(engine)
    notes = {"a": "1", "a.b": "2", "a_b": "3", "a%": "4", "A": "5", "": "6", "猫": "\n\t'\"\\", "猫2": ""}

    def put(tx: Tx) -> None:
        for key, value in notes.items():
            meta.put(tx, key, value + "?")
            meta.put(tx, key, value)

    ghost.settings.write_now(put)
    for key, value in notes.items():
        assert ghost.settings.read_now(lambda r, key=key: meta.get(r, key)) == value  # type: ignore[misc]
    for prefix in ("a", "a.", "a_", "a%", "猫", "nothing", ""):
        found = ghost.settings.read_now(lambda r, prefix=prefix: meta.beginning_with(r, prefix))  # type: ignore[misc]
        assert {key: value for key, value in found.items() if prefix + key in notes} == {
            key.removeprefix(prefix): value for key, value in notes.items() if key.startswith(prefix)
        }
    assert ghost.memory.read_now(lambda r: meta.get(r, "a")) is None, "each part keeps its own notes"
    counts = [ghost.settings.write_now(lambda tx, by=by: meta.count_up(tx, "n", by)) for by in (1, 5, -2, 0)]  # type: ignore[misc]
    assert counts == [1, 6, 4, 4]
