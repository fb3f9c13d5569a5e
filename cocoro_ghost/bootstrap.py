"""Builds a ghost once and hands it over; the only place that wires."""

from __future__ import annotations

import locale
import os
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cocoro_ghost.care.backup import backup_folder
from cocoro_ghost.care.export import Databases
from cocoro_ghost.care.heap import bound_heaps
from cocoro_ghost.care.life import (
    LifeMarker,
    forget_life,
    read_life,
    refuse_a_loss,
    refuse_a_missing_memory,
    refuse_to_begin_anew,
    with_an_offer,
)
from cocoro_ghost.care.replace_files import finish_replacing
from cocoro_ghost.care.switch_memory import LIVED_IN, carry_over
from cocoro_ghost.clock import Clock, SystemClock, local
from cocoro_ghost.embed.choose_embedder import Choice, choose_embedder
from cocoro_ghost.embed.embedder import Embedder, Space
from cocoro_ghost.embed.local import LocalReranker
from cocoro_ghost.embed.reranker import RemoteReranker
from cocoro_ghost.errors import ConfigError
from cocoro_ghost.ghost import LOCAL_RERANKER, Faculties, Foundations, Ghost
from cocoro_ghost.grow.grow_jobs import handlers as grow_handlers
from cocoro_ghost.grow.mood_shelf import MoodShelf
from cocoro_ghost.mind.choose_mind import ClientOptions, choose_eyes, is_embedded, with_fallback
from cocoro_ghost.mind.client import Mind
from cocoro_ghost.mind.learned import Lessons
from cocoro_ghost.mind.line import Shared, Timeouts
from cocoro_ghost.mind.local.shelf import ModelShelf
from cocoro_ghost.mind.wire.call import Usage
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.presets import EmbeddingPreset
from cocoro_ghost.recall.config import config_of
from cocoro_ghost.recall.recall import Recall
from cocoro_ghost.reply.situation import gap_words
from cocoro_ghost.senses.reminders_heard import HeardReminders
from cocoro_ghost.settings.file import Config, data_directory, load_config
from cocoro_ghost.settings.file_key import NOTE as ENCRYPTION_NOTE
from cocoro_ghost.settings.file_key import open_key, read_encryption
from cocoro_ghost.settings.preset_book import PresetBook, ensure_defaults, read_book
from cocoro_ghost.settings.recall_section import Rerank
from cocoro_ghost.settings.secrets import Seal, bearer_token, load_seal
from cocoro_ghost.store import meta
from cocoro_ghost.store.nearest import VectorIndex
from cocoro_ghost.store.ports import Database, Engine
from cocoro_ghost.store.settings import count_usage, presets
from cocoro_ghost.store.sqlite.engine import SqliteEngine
from cocoro_ghost.store.sqlite.lock import DirectoryLock
from cocoro_ghost.tidy.tidy_jobs import handlers as tidy_handlers
from cocoro_ghost.turn import mend
from cocoro_ghost.work.deps import JobDeps
from cocoro_ghost.work.worker import Handlers, Worker

if TYPE_CHECKING:
    import httpx2

LEARNED = "learned:"
"""Before the name of a model in settings.db: what living with it has taught."""


@dataclass(frozen=True, slots=True)
class Stand:
    """What may stand in for the real thing: for tests and evaluation, and where ghosts share a process."""

    clock: Clock | None = None
    mind: Mind | None = None
    embedder: Embedder | None = None
    shelf: ModelShelf | None = None
    words_only: bool = False
    config: Config | None = None
    passphrase: Callable[[], str] | None = None
    choose_embedder: Callable[[EmbeddingPreset], Choice] | None = None
    """Where several ghosts share what they embed with."""
    transport: httpx2.AsyncBaseTransport | None = None
    """Where several ghosts share their connections to models."""
    index: Callable[[Database, str, int], VectorIndex] | None = None
    """Of a memory, for a space of so many dimensions; where vectors are kept elsewhere too."""
    threads: ThreadPoolExecutor | None = None
    """Where the files of several ghosts share their threads."""


@contextmanager
def open_foundations(
    data_dir: Path | None = None,
    *,
    locked: bool = True,
    renew_token: bool = False,
    accept_loss: bool = False,
    stand: Stand | None = None,
) -> Iterator[Foundations]:
    """The files of a ghost, opened; closed again at the end."""
    base = lay_foundations(
        data_directory(data_dir),
        locked=locked,
        renew_token=renew_token,
        accept_loss=accept_loss,
        stand=stand,
    )
    try:
        yield base
    finally:
        base.close()


@asynccontextmanager
async def open_ghost(
    data_dir: Path | None = None, *, stand: Stand | None = None, locked: bool = True
) -> AsyncIterator[Ghost]:
    """A whole ghost whose worker is not yet started (`await ghost.start()` does that)."""
    base = lay_foundations(data_directory(data_dir), locked=locked, stand=stand)
    try:
        ghost = build_ghost(base, stand)
    except BaseException:
        base.close()
        raise
    try:
        yield ghost
    finally:
        await ghost.close()


def lay_foundations(
    data_dir: Path,
    *,
    locked: bool = True,
    renew_token: bool = False,
    accept_loss: bool = False,
    stand: Stand | None = None,
) -> Foundations:
    """Makes or opens a data directory: private, locked, migrated, with one preset of each kind.

    `accept_loss` is the owner's word to go on although something that was lived in is missing.
    """
    stand = stand or Stand()
    # Before the first thread: a heap that is made is never taken back.
    bound_heaps()
    _make_private(data_dir)
    with ExitStack() as undo:
        lock = DirectoryLock(data_dir) if locked else None
        if lock is not None:
            undo.callback(lock.release)
            # What a killed `restore` began is whole before anything, the config file included, is read.
            finish_replacing(data_dir)
        config = stand.config or load_config(data_dir)
        clock = stand.clock or SystemClock(config.time_zone)
        seal = load_seal(data_dir, use_keyring=config.use_keyring)
        key = open_key(read_encryption(data_dir), data_dir, stand.passphrase)
        if accept_loss:
            forget_life(data_dir)
        with with_an_offer(data_dir, backup_folder(data_dir, config.backups.folder)):
            files = SqliteEngine(data_dir, clock, ours=locked, key=key, threads=stand.threads)
            opened = _open_files(undo, data_dir, config, files, seal, locked, accept_loss)
        token = opened.settings.write_now(lambda tx: bearer_token(tx, seal, renew=renew_token))
        undo.pop_all()
    return Foundations(data_dir, config, clock, seal, token.text, opened, lock, token.key_lost, key)


def _open_files(
    undo: ExitStack,
    data_dir: Path,
    config: Config,
    engine: SqliteEngine,
    seal: Seal,
    locked: bool,
    accept_loss: bool,
) -> Databases:
    """The three files; whoever has lived here does not begin anew because one of them is missing."""
    life = read_life(data_dir)
    watchful = not accept_loss
    # A guest too: a command that only wants the token must not leave an empty memory behind.
    if watchful:
        refuse_to_begin_anew(data_dir, life, backup_folder(data_dir, config.backups.folder))
    settings = engine.settings()
    undo.callback(settings.close)
    settings.write_now(partial(ensure_defaults, japanese=speaks_japanese(config)))
    preset_id = settings.read_now(partial(read_book, seal=seal)).active["embedding"]
    lived_in = settings.read_now(lambda reader: meta.get(reader, LIVED_IN))
    if watchful:
        refuse_a_missing_memory(data_dir, lived_in)
    if locked:
        carry_over(data_dir, settings, preset_id, key=engine.key)
    memory = engine.memory(preset_id if locked else lived_in or preset_id)
    undo.callback(memory.close)
    reminders = engine.reminders()
    undo.callback(reminders.close)
    if locked:
        refuse_a_loss(life, memory)
        others = (settings.path.name, reminders.path.name, *((ENCRYPTION_NOTE,) if engine.key else ()))
        LifeMarker(data_dir, memory, others)
    return Databases(memory, reminders, settings)


def lay_in_shared_database(
    engine: Engine,
    config: Config,
    clock: Clock,
    seal: Seal,
    on_change: Callable[[int | None], object] | None = None,
) -> Foundations:
    """A ghost without a directory: everything it has is in the database, its token as a hash at the door."""
    settings = engine.settings()
    if not settings.read_now(lambda reader: presets(reader, "llm")):
        settings.write_now(partial(ensure_defaults, japanese=speaks_japanese(config)))
    opened = Databases(engine.memory(""), engine.reminders(), settings)
    return Foundations(None, config, clock, seal, "", opened, on_change=on_change)


def _make_private(data_dir: Path) -> None:
    if data_dir.exists() and not data_dir.is_dir():
        raise ConfigError(f"{data_dir} is a file; --data-dir and COCORO_GHOST_HOME name a directory.")
    try:
        data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        data_dir.chmod(0o700)
    except OSError as error:
        raise ConfigError(f"The data directory {data_dir} cannot be used: {error.strerror}.") from error


def build_ghost(base: Foundations, stand: Stand | None = None) -> Ghost:
    """Wires mind, embedder, index, recall and worker to the files."""
    stand = stand or Stand()
    options = _client_options(base, stand)
    make = partial(_make_faculties, base, options, stand)
    book = base.databases.settings.read_now(partial(read_book, seal=base.seal))
    ghost = Ghost(base, make(book), make, options, MoodShelf(base.clock))
    ghost.worker = build_worker(ghost)
    return ghost


def build_worker(ghost: Ghost) -> Worker:
    base = ghost.base
    return Worker(base.databases.memory, base.clock, _handlers(ghost), mend=lambda tx: mend(tx, base.queue))


def speaks_japanese(config: Config) -> bool:
    """The language of the first persona: the setting, else the system's; Japanese when in doubt."""
    if config.language != "auto":
        return config.language == "ja"
    named = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    tongue = next(filter(None, named), None) or locale.getlocale()[0] or ""
    return not tongue.lower().startswith("en")


def _client_options(base: Foundations, stand: Stand) -> ClientOptions:
    """What all minds of a ghost share: the zone, time budgets, the call_log of calls, the counters."""

    def count(purpose: str, model: str, usage: Usage) -> None:
        day = local(base.clock.system_now(), base.clock.zone).date().isoformat()
        counted = partial(
            count_usage,
            day=day,
            purpose=purpose,
            model=model,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cached_tokens=usage.cached_tokens,
        )
        base.databases.settings.write_soon(counted)

    def keep(model: str, learned: str) -> None:
        base.databases.settings.write_soon(lambda tx: meta.put(tx, f"{LEARNED}{model}", learned))

    budget = base.config.mind
    timeouts = Timeouts(
        budget.connect_seconds,
        budget.first_token_seconds,
        budget.between_tokens_seconds,
        budget.reply_seconds,
        base.config.recall.select_deadline_seconds,
    )
    known = base.databases.settings.read_now(lambda reader: meta.beginning_with(reader, LEARNED))
    shared = Shared(count=count, lessons=Lessons(known, keep))
    shelf = stand.shelf
    if shelf is None and base.data_dir is not None:
        shelf = ModelShelf(base.data_dir / "models")
    return ClientOptions(
        zone=base.clock.zone, timeouts=timeouts, shared=shared, shelf=shelf, transport=stand.transport
    )


def _make_faculties(
    base: Foundations, options: ClientOptions, stand: Stand, book: PresetBook, before: Faculties | None = None
) -> Faculties:
    """What the settings did not touch stays: a loaded encoder, a filled index, a mind in conversation."""
    chosen = book.chosen()
    old = None if before is None else before.book.chosen()
    if before is not None and old is not None and old.llm == chosen.llm:
        mind, eyes = before.mind, before.eyes
    else:
        mind = stand.mind or with_fallback(chosen.llm, book.llm, options)
        eyes = stand.mind or choose_eyes(chosen.llm, options)
    if before is not None and old is not None and old.embedding == chosen.embedding:
        choice, index = before.choice, before.index
    else:
        choice = _choice_of(stand, chosen.embedding, options.shelf)
        space = None if choice.embedder is None else choice.embedder.space
        index = None if space is None else _index(stand, base.databases.memory, space)
    local = _local_reranker(base, options.shelf)
    # A model picks what to recall; without one, what answers a question is picked by the network of matching.
    picking = None if is_embedded(chosen.llm.model) else mind
    recall = Recall(
        base.databases.memory,
        base.clock,
        config_of(base.config.recall),
        embedder=choice.embedder,
        index=index,
        mind=picking,
        reranker=local or _reranker(base.config.recall.rerank),
        since_words=gap_words,
    )
    return Faculties(book, mind, eyes, choice, index, recall, chosen.embedding.preset_id, local)


def _local_reranker(base: Foundations, shelf: ModelShelf | None) -> LocalReranker | None:
    """A model of this machine that the owner switched on; one named in the config file comes before it."""
    wanted = base.config.recall.rerank
    name = base.databases.settings.read_now(lambda reader: meta.get(reader, LOCAL_RERANKER))
    if wanted.url or not name or shelf is None:
        return None
    return LocalReranker(shelf.borrow(name, "rerank"), wanted.deadline_seconds)


def _index(stand: Stand, memory: Database, space: Space) -> VectorIndex:
    if stand.index is None:
        return VectorIndex(space.key, space.dimension)
    return stand.index(memory, space.key, space.dimension)


def _reranker(wanted: Rerank) -> RemoteReranker | None:
    if not wanted.url:
        return None
    return RemoteReranker(
        wanted.url, model=wanted.model, api_key=wanted.api_key, timeout=wanted.deadline_seconds
    )


def _choice_of(stand: Stand, preset: EmbeddingPreset, shelf: ModelShelf | None) -> Choice:
    if stand.words_only:
        return Choice(None, "Words only, as asked.")
    if stand.embedder is not None:
        return Choice(stand.embedder, "given")
    run = None if shelf is None else partial(shelf.borrow, kind="embedding")
    return (stand.choose_embedder or partial(choose_embedder, environment=os.environ, run=run))(preset)


def _handlers(ghost: Ghost) -> Handlers:
    """Everything the worker can do; without an embedder its jobs wait until there is one."""
    heard = HeardReminders(ghost.memory, ghost.reminders_db, ghost.clock)
    parts = (ghost.mind, ghost.embedder, ghost.index, ghost.persona, ghost.language)
    days = ghost.config.tidy.undated_task_days
    deps = JobDeps(ghost.memory, ghost.clock, *parts, heard.suggest, days)
    growing, tidying = grow_handlers(deps), tidy_handlers(deps)
    confirming = {JobKind.CONFIRM_REMINDERS: heard.confirm}
    return Handlers({**growing.single, **tidying.single, **confirming}, growing.batch, tidying.together)
