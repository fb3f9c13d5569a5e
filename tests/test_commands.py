"""The commands as a person types them: exit codes, one sentence for an error, files left as promised."""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from cocoro_ghost import __version__
from cocoro_ghost.bootstrap import open_foundations
from cocoro_ghost.cli import main
from cocoro_ghost.embed.choose_embedder import Choice
from cocoro_ghost.errors import Outage
from cocoro_ghost.model.event import NewEvent, Origin, Source
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.presets import EmbeddingPreset
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import StateDraft, StateKind
from cocoro_ghost.settings.preset_book import Preset, read_book, replace_book
from cocoro_ghost.store import events, jobs, states, words
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.store.sqlite.lock import DirectoryLock
from cocoro_ghost.testing import HashEmbedder

TALK = ("猫のモカを飼っている", "京都で紅葉を見た", "I play the trumpet")


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str


Command = Callable[..., Said]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def command(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs `cocoro-ghost …` on a data directory of its own, without a keyring and with a quick encoder."""
    monkeypatch.setenv("COCORO_GHOST_HOME", str(home))
    monkeypatch.setenv("COCORO_GHOST_USE_KEYRING", "false")
    monkeypatch.setenv("COCORO_GHOST_LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "400")
    monkeypatch.setattr("cocoro_ghost.bootstrap.choose_embedder", choose)

    def run(*words: str) -> Said:
        monkeypatch.setattr(sys, "argv", ["cocoro-ghost", *words])
        with pytest.raises(SystemExit) as left:
            main()
        said = capsys.readouterr()
        return Said(int(left.value.code or 0), said.out, said.err)

    return run


def choose(preset: EmbeddingPreset, **_: object) -> Choice:
    """`hash` of the preset's dimension; `down` never answers; anything else is words only."""
    if preset.model.startswith(("embedded/", "hash/")):
        return Choice(HashEmbedder(preset.dimension), "a hash")
    if preset.model.startswith("down/"):
        embedder = HashEmbedder(preset.dimension)
        embedder.failure = Outage("nobody answers", retry_after=500)
        return Choice(embedder, "down")
    return Choice(None, "no encoder here")


def live(home: Path) -> None:
    with open_foundations(home) as base:

        def hear(tx: Tx) -> None:
            for text in TALK:
                event_id = events.append(tx, NewEvent(tx.now, Source.CHAT, Origin.USER, text, "うん"))
                with tx.because(Cause(Actor.GROW, "a test", (event_id,))):
                    states.create(tx, StateDraft(StateKind.FACT, text))

        base.databases.memory.write_now(hear)


def put_presets(home: Path, kind: str, *more: Preset, active: str | None = None) -> None:
    with open_foundations(home) as base:
        settings, seal = base.databases.settings, base.seal
        book = settings.read_now(lambda r: read_book(r, seal))
        wanted = {**book.by_kind(), kind: [*book.by_kind()[kind], *more]}
        chosen = {**book.active, kind: active or book.active[kind]}
        settings.write_now(lambda tx: replace_book(tx, seal, wanted, chosen))


def count(home: Path) -> int:
    with open_foundations(home, locked=False) as base:
        return base.databases.memory.read_now(events.count)


def ended_process() -> int:
    """The number of a process that ran and is no more."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


def one_sentence(said: Said) -> bool:
    return said.code == 2 and said.err.startswith("cocoro-ghost: ") and "Traceback" not in said.err


def test_the_version_needs_no_command(command: Command) -> None:
    said = command("--version")
    assert (said.code, said.out.strip()) == (0, f"CocoroGhost {__version__}")


def test_the_token_stays_until_it_is_renewed(command: Command) -> None:
    first = command("token")
    assert first.code == 0
    assert command("token").out == first.out
    renewed = command("token", "--renew")
    assert "next start" in renewed.err
    assert renewed.out != first.out
    assert command("token").out == renewed.out


@pytest.mark.parametrize(
    "words",
    [
        ("token",),
        ("jobs",),
        ("export",),
        ("reindex",),
        ("reembed", "x"),
        ("import", "FILE"),
        ("recall", "猫"),
        ("serve", "--http-port", "0", "--https-port", "0"),
    ],
)
def test_a_wrong_config_is_one_sentence_for_every_command(
    command: Command, home: Path, words: tuple[str, ...]
) -> None:
    command("token")
    (home / "config.toml").write_text("langauge = 'ja'\n", encoding="utf-8")
    said = command(*(str(home / "config.toml") if word == "FILE" else word for word in words))
    assert one_sentence(said)
    assert "did you mean `language`?" in said.err


@pytest.mark.parametrize("words", [("token",), ("restore",), ("doctor",), ("export",), ("backup",)])
def test_a_data_directory_that_is_a_file_is_one_sentence(
    command: Command, tmp_path: Path, words: tuple[str, ...]
) -> None:
    path = tmp_path / "file"
    path.touch()
    said = command(*words, "--data-dir", str(path))
    assert "Traceback" not in said.err
    assert path.is_file()
    if words not in (("doctor",), ("restore",)):
        assert one_sentence(said)


@pytest.mark.parametrize("words", [("backup",), ("export",), ("jobs",), ("reindex",), ("reembed", "x")])
def test_where_no_ghost_is_none_is_made(command: Command, home: Path, words: tuple[str, ...]) -> None:
    said = command(*words)
    assert one_sentence(said)
    assert "no ghost" in said.err
    assert not home.exists()


def test_a_backup_brings_everything_back(command: Command, home: Path, tmp_path: Path) -> None:
    live(home)
    assert "no backup yet" in command("restore").out
    made = command("backup")
    assert made.code == 0
    name = made.out.split()[-1]
    with open_foundations(home) as base:
        base.databases.memory.write_now(
            lambda tx: events.append(tx, NewEvent(tx.now, Source.CHAT, Origin.USER, "later"))
        )
    assert name in command("restore").out
    dry = command("restore", name, "--dry-run")
    assert "Would restore" in dry.out
    assert count(home) == 4
    assert command("restore", name).code == 0
    assert count(home) == 3
    assert one_sentence(command("restore", "nonsense"))
    # On a new machine: a folder of its own, into a directory that is not there yet.
    folder, other = tmp_path / "kept", tmp_path / "other"
    assert command("backup", "--to", str(folder)).code == 0
    assert "--to" in command("backup", "--to", str(folder)).err
    assert command("restore", str(folder), "--data-dir", str(other)).code == 0
    assert count(other) == 3
    if os.name == "posix":
        assert stat.S_IMODE(other.stat().st_mode) == 0o700


def test_restoring_under_a_running_ghost_is_refused_before_anything_moves(
    command: Command, home: Path
) -> None:
    live(home)
    name = command("backup").out.split()[-1]
    before = sorted(path.name for path in home.iterdir())
    with DirectoryLock(home):
        said = command("restore", name)
    assert one_sentence(said)
    assert "Another CocoroGhost" in said.err
    assert sorted(path.name for path in home.iterdir()) == before


def test_an_export_makes_an_equal_ghost(command: Command, home: Path, tmp_path: Path) -> None:
    live(home)
    file = tmp_path / "life.jsonl"
    assert command("export", "--to", str(file)).code == 0
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    printed = command("export")
    assert printed.out == file.read_text(encoding="utf-8")
    other = ("--data-dir", str(tmp_path / "other"))
    assert "taken in whole" in command("import", str(file), "--dry-run", *other).out
    taken = command("import", str(file), *other)
    assert (taken.code, "Taken in: " in taken.out) == (0, True)
    assert command("export", *other).out == printed.out
    again = command("import", str(file), *other)
    assert one_sentence(again)
    assert "empty memory" in again.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "life.jsonl", "other"]


def test_a_ghost_of_another_preset_keeps_its_memory_through_an_export(
    command: Command, home: Path, tmp_path: Path
) -> None:
    live(home)
    put_presets(home, "embedding", EmbeddingPreset("b", "B", model="hash/b"), active="b")
    file, other = tmp_path / "life.jsonl", tmp_path / "other"
    with open_foundations(home):
        pass
    command("export", "--to", str(file))
    command("import", str(file), "--data-dir", str(other))
    with open_foundations(other) as base:
        assert base.databases.memory.path.name == "memory_b.db"
        assert base.databases.memory.read_now(events.count) == 3


def test_turns_from_elsewhere_are_taken_and_bad_lines_named(
    command: Command, home: Path, tmp_path: Path
) -> None:
    file = tmp_path / "turns.jsonl"
    good = [json.dumps({"id": n, "created_at": n, "user_text": "x", "assistant_text": "y"}) for n in range(3)]
    file.write_text("\ufeff" + "\n".join([*good, *["{broken"] * 25]) + "\n", encoding="utf-8")
    dry = command("import", str(file), "--dry-run")
    assert "3 turns would be added" in dry.out
    assert count(home) == 0
    said = command("import", str(file))
    assert (said.code, "3 turns added" in said.out) == (0, True)
    assert "Line 4 was left out: it is not JSON." in said.err
    assert "5 more lines" in said.err
    assert "3 were known already" in command("import", str(file), "--no-learn").out
    with open_foundations(home, locked=False) as base:
        waiting = base.databases.memory.read_now(lambda r: jobs.listed(r, 100))
    assert {job.kind for job in waiting} == {
        JobKind.EMBED_EVENT,
        JobKind.SUMMARISE_REPLY,
        JobKind.GENERATE_WRITE_PLAN,
    }
    file.write_bytes(b'{"created_at": 1, "user_text": "\xff"}\n')
    assert one_sentence(command("import", str(file)))
    assert command("import", str(tmp_path)).code == 2


def test_reindexing_builds_both_indexes_and_touches_no_other_work(command: Command, home: Path) -> None:
    live(home)
    with open_foundations(home) as base:
        memory = base.databases.memory
        memory.write_now(words.drop)
        memory.write_now(lambda tx: jobs.enqueue(tx, JobKind.TIDY_MEMORY, {}, key="tidy"))
        # One that a dead process held, and one that waits for an outage to end.
        dead = f"{socket.gethostname()}/{ended_process()}/x"
        memory.write_now(
            lambda tx: jobs.enqueue(tx, JobKind.EMBED_EVENT, {"event_id": 1}, key="embed_event:1")
        )
        memory.write_now(lambda tx: jobs.claim(tx, dead, [JobKind.EMBED_EVENT]))
        far = base.clock.system_now() + 900
        payload = {"event_id": 2}
        memory.write_now(
            lambda tx: jobs.enqueue(tx, JobKind.EMBED_EVENT, payload, key="embed_event:2", run_after=far)
        )
    dry = command("reindex", "--dry-run")
    assert "3 events and 3 states missing" in dry.out
    assert "Vectors: 6 missing" in dry.out
    said = command("reindex")
    assert (said.code, said.out.strip()) == (0, "The indexes are complete.")
    after = command("reindex", "--dry-run")
    assert "0 events and 0 states missing" in after.out
    assert "Vectors: 0 missing" in after.out
    with open_foundations(home, locked=False) as base:
        waiting = base.databases.memory.read_now(lambda r: jobs.listed(r, 100))
    assert [job.kind for job in waiting if job.status != "done"] == [JobKind.TIDY_MEMORY]


def test_an_encoder_that_does_not_answer_ends_with_a_sentence(command: Command, home: Path) -> None:
    live(home)
    put_presets(home, "embedding", EmbeddingPreset("d", "D", model="down/x"), active="d")
    said = command("reindex")
    assert one_sentence(said)
    assert "cannot be made now" in said.err


def test_reembedding_moves_the_memory_and_loses_nothing(command: Command, home: Path) -> None:
    live(home)
    assert command("reindex").code == 0
    more = (
        EmbeddingPreset("b", "B", model="hash/b", dimension=32),
        EmbeddingPreset("w", "W", model="none/x"),
    )
    put_presets(home, "embedding", *more)
    unknown = command("reembed", "nope")
    assert one_sentence(unknown)
    assert "known: embedded, b, w" in unknown.err
    assert "Would copy memory_embedded.db" in command("reembed", "b", "--dry-run").out
    assert not (home / "memory_b.db").exists()
    assert command("reembed", "b").code == 0
    with open_foundations(home, locked=False) as base:
        memory = base.databases.memory
        assert memory.path.name == "memory_b.db"
        rows = memory.read_now(lambda r: r.rows("SELECT DISTINCT dimension FROM vec_items"))
        assert [row["dimension"] for row in rows] == [32]
        assert memory.read_now(events.count) == 3
    said = command("reembed", "w")
    assert said.code == 0
    assert "no encoder here" in said.err


def test_failed_jobs_are_shown_and_sent_again(command: Command, home: Path) -> None:
    live(home)
    with open_foundations(home) as base:

        def fail(tx: Tx) -> None:
            jobs.enqueue(tx, JobKind.TIDY_MEMORY, {}, key="tidy")
            job = jobs.claim(tx, "me")
            assert job is not None
            jobs.bury(tx, job.job_id, "me", "ZeroDivisionError: on purpose")

        base.databases.memory.write_now(fail)
    shown = command("jobs")
    assert "on purpose" in shown.out
    assert "failed 1" in shown.out
    assert "on purpose" not in command("jobs", "--status", "done").out
    assert "jobs --retry" in command("doctor").out
    assert "1 jobs were sent" in command("jobs", "--retry").out
    assert "pending 1" in command("jobs").out
