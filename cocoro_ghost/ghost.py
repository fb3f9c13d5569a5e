"""One living ghost: its memory, its mind as the settings stand now, its worker. Built by bootstrap.py."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from cocoro_ghost.care.export import Databases
from cocoro_ghost.care.switch_memory import move_over
from cocoro_ghost.clock import Clock
from cocoro_ghost.embed.choose_embedder import Choice
from cocoro_ghost.embed.embedder import Embedder
from cocoro_ghost.embed.local import LocalReranker
from cocoro_ghost.errors import GhostError, NotConfigured, StoreError
from cocoro_ghost.grow.after_turn import AfterTurn
from cocoro_ghost.grow.mood_shelf import MoodShelf
from cocoro_ghost.language.fold import guess_language
from cocoro_ghost.mind.call_log import CallLog
from cocoro_ghost.mind.choose_mind import ClientOptions, choose_mind
from cocoro_ghost.mind.client import Mind
from cocoro_ghost.mind.embedded.embedded_mind import EmbeddedMind
from cocoro_ghost.mind.local.shelf import ModelShelf
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.presets import Chosen, EmbeddingPreset, LlmPreset
from cocoro_ghost.model.scene import Language, Persona
from cocoro_ghost.model.state import StateKind
from cocoro_ghost.recall.recall import Recall, RecallRequest
from cocoro_ghost.reply.help_at_hand import CareSettings
from cocoro_ghost.reply.quiet_hours import QuietHours
from cocoro_ghost.reply.stream import Budgets
from cocoro_ghost.settings.file import Config
from cocoro_ghost.settings.preset_book import PresetBook, read_book, replace_book
from cocoro_ghost.settings.secrets import Seal
from cocoro_ghost.store import jobs, leases, meta, vectors, words
from cocoro_ghost.store.nearest import VectorIndex
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.store.sqlite.lock import DirectoryLock
from cocoro_ghost.turn import TurnParts, mend
from cocoro_ghost.work.worker import Worker

log = logging.getLogger(__name__)
PROFILE_FACTS = 16
LOCAL_RERANKER = "local_reranker"
"""In settings.db: the model of this machine that takes a second look at what is recalled."""
WORDS_A_TURN = 20
VECTOR_JOBS_AT_ONCE = 1000
FACTUAL = (StateKind.FACT, StateKind.RELATION)


@dataclass(frozen=True, slots=True)
class Foundations:
    """What does not change while a ghost lives."""

    data_dir: Path | None
    """None for a ghost in a shared database: it keeps nothing on the machine it is served from."""
    config: Config
    clock: Clock
    seal: Seal
    token: str
    databases: Databases
    lock: DirectoryLock | None = None
    key_lost: bool = False
    """The key that sealed the stored secrets is gone: the token is new, API keys must be entered again."""
    file_key: str | None = field(default=None, repr=False)
    """Opens the files where they are encrypted."""
    on_change: Callable[[int | None], object] | None = None
    """Told of another clock (its offset) or of other settings (None): several servers may hold this ghost."""

    @property
    def queue(self) -> AfterTurn:
        """Enqueues the jobs of a closed turn, in the transaction that closes it."""
        return AfterTurn(self.config.tidy.first_after_turns, self.config.tidy.every_turns)

    def close(self) -> None:
        """Waits for what is being written or read, then lets go of the directory."""
        for db in self.databases.named().values():
            db.close()
        if self.lock is not None:
            self.lock.release()


@dataclass(slots=True)
class Faculties:
    """What depends on the active presets, made anew when they change."""

    book: PresetBook
    mind: Mind
    eyes: Mind
    choice: Choice
    index: VectorIndex | None
    recall: Recall
    embedding_preset_id: str
    local_reranker: LocalReranker | None = None

    async def close_but(self, kept: Faculties | None = None) -> None:
        """Closes what others no longer use."""
        if kept is None or kept.mind is not self.mind:
            await self.mind.close()
        if self.eyes is not self.mind and (kept is None or kept.eyes is not self.eyes):
            await self.eyes.close()
        embedder = self.choice.embedder
        if embedder is not None and (kept is None or kept.choice.embedder is not embedder):
            await embedder.close()
        if self.local_reranker is not None:
            await self.local_reranker.close()


@dataclass(slots=True)
class Ghost:
    """Everything wired; `start` before use, `close` after."""

    base: Foundations
    faculties: Faculties
    make_faculties: Callable[[PresetBook, Faculties | None], Faculties]
    options: ClientOptions
    mood_shelf: MoodShelf
    worker: Worker | None = None
    _warming: asyncio.Task[None] | None = None

    # -- what others look at ------------------------------------------------------------------------------

    @property
    def data_dir(self) -> Path:
        """Raises NotConfigured for a ghost in a shared database."""
        if self.base.data_dir is None:
            raise NotConfigured("This ghost lives in a shared database and has no directory.")
        return self.base.data_dir

    @property
    def config(self) -> Config:
        return self.base.config

    @property
    def clock(self) -> Clock:
        return self.base.clock

    @property
    def memory(self) -> Database:
        return self.base.databases.memory

    @property
    def settings_db(self) -> Database:
        return self.base.databases.settings

    @property
    def reminders_db(self) -> Database:
        return self.base.databases.reminders

    @property
    def seal(self) -> Seal:
        return self.base.seal

    @property
    def call_log(self) -> CallLog:
        """The newest calls to models, for the debug view."""
        return self.options.shared.call_log

    @property
    def shelf(self) -> ModelShelf:
        """The models of this machine."""
        if self.options.shelf is None:
            raise NotConfigured(
                "A hosted ghost runs no models of its own.",
                ja="預かりのゴーストは自分ではモデルを動かしません。",
            )
        return self.options.shelf

    def book(self) -> PresetBook:
        return self.faculties.book

    def chosen(self) -> Chosen:
        return self.faculties.book.chosen()

    @asynccontextmanager
    async def mind_of(self, preset: LlmPreset) -> AsyncIterator[Mind]:
        """The mind of any preset, active or not; for trying one out, closed afterwards."""
        mind = choose_mind(preset, self.options)
        try:
            yield mind
        finally:
            await mind.close()

    def mind(self) -> Mind:
        return self.faculties.mind

    def embedder(self) -> Embedder:
        """Raises NotConfigured, with the reason, when recall goes by words only."""
        if self.faculties.choice.embedder is None:
            raise NotConfigured(self.faculties.choice.note)
        return self.faculties.choice.embedder

    def index(self) -> VectorIndex | None:
        return self.faculties.index

    @property
    def recaller(self) -> Recall:
        return self.faculties.recall

    def persona(self) -> Persona:
        chosen = self.chosen()
        return Persona(
            name=chosen.persona.name,
            text=chosen.persona.persona_text,
            addon=chosen.addon.addon_text,
            second_person=chosen.persona.second_person_label,
        )

    def language(self) -> Language:
        """The language of the ghost when nothing said tells otherwise: the setting, else the persona's."""
        if self.config.language != "auto":
            return Language(self.config.language)
        return guess_language(self.chosen().persona.persona_text)

    def language_of(self, text: str) -> Language:
        """The language to answer in."""
        if self.config.language != "auto":
            return Language(self.config.language)
        return guess_language(text, self.language())

    def quiet_hours(self) -> QuietHours:
        """As the config file says; the page may have set others since."""
        speech = self.config.speech
        return QuietHours(speech.quiet_from, speech.quiet_until, speech.daily_cap)

    # -- a turn -------------------------------------------------------------------------------------------

    def turn_parts(self, text: str, language: Language | None = None) -> TurnParts:
        """What one turn needs, as things stand now."""
        preset, budget = self.chosen().llm, self.config.mind
        return TurnParts(
            db=self.memory,
            clock=self.clock,
            recall=self.recaller,
            mind=self.faculties.mind,
            eyes=self.faculties.eyes,
            persona=self.persona(),
            language=language or self.language_of(text),
            mood=self.mood_shelf,
            queue=self.base.queue,
            learning=self.worker if isinstance(self.faculties.mind, EmbeddedMind) else None,
            care=CareSettings(self.config.care.region, self.config.care.text),
            history_turns=preset.max_turns_window,
            max_tokens=preset.max_tokens,
            max_inject_tokens=preset.max_inject_tokens,
            image_seconds=float(preset.image_timeout_seconds),
            budgets=Budgets(budget.first_token_seconds, budget.between_tokens_seconds, budget.reply_seconds),
        )

    # -- settings -----------------------------------------------------------------------------------------

    async def settings_changed(self) -> None:
        """Lives by the stored presets at once; another embedding preset takes the whole memory along."""
        await self.read_settings_again()
        await self._tell_change(None)

    async def read_settings_again(self) -> None:
        """As `settings_changed`, where somebody else changed them."""
        book = await self.settings_db.read(partial(read_book, seal=self.seal))
        before = self.faculties
        faculties = await asyncio.to_thread(self.make_faculties, book, before)
        if faculties.embedding_preset_id != before.embedding_preset_id and self.base.data_dir is not None:
            await move_over(self.base.data_dir, self.settings_db, self.memory, faculties.embedding_preset_id)
        # Turns under way keep the parts they were given; only new ones see the change.
        self.faculties = faculties
        await before.close_but(faculties)
        if faculties.mind is not before.mind:
            # What waited for the old one to be mended need not wait any longer.
            await self.memory.write(lambda tx: jobs.hasten(tx, _THINKING))
        await self.enqueue_missing_vectors()

    async def activate(self, kind: str, preset_id: str) -> None:
        """Makes one stored preset the active one of its kind."""
        book = self.book()
        active = {**book.active, kind: preset_id}
        await self.settings_db.write(lambda tx: replace_book(tx, self.seal, book.by_kind(), active))
        await self.settings_changed()

    async def move_clock(self, seconds: int | None) -> None:
        """Moves domain time on; None puts it back to system time."""
        if seconds is None:
            self.clock.reset()
        else:
            self.clock.advance(seconds)
        await self._tell_change(self.clock.offset_seconds)

    async def _tell_change(self, clock_offset: int | None) -> None:
        if self.base.on_change is not None:
            await asyncio.to_thread(self.base.on_change, clock_offset)

    async def adopt(self, kind: str, preset: LlmPreset | EmbeddingPreset) -> None:
        """Keeps a new preset and makes it the active one of its kind."""
        book = self.book()
        stored = book.by_kind()
        wanted = {**stored, kind: (*stored[kind], preset)}
        active = {**book.active, kind: preset.preset_id}
        await self.settings_db.write(lambda tx: replace_book(tx, self.seal, wanted, active))
        await self.settings_changed()

    async def rerank_by(self, model_id: str) -> None:
        """Switches the second look by a model of this machine on, or off with an empty name."""
        await self.settings_db.write(lambda tx: meta.put(tx, LOCAL_RERANKER, model_id))
        await self.settings_changed()

    # -- indexes ------------------------------------------------------------------------------------------

    async def enqueue_missing_vectors(self, limit: int = 10_000_000) -> int:
        """Asks the worker for vectors that a new embedding model or a lost index leaves to be made."""
        index = self.index()
        if index is None:
            return 0
        missing = await self.memory.read(lambda reader: vectors.missing(reader, index.space, limit))
        # In portions, so that a turn never waits long for its own write.
        for start in range(0, len(missing), VECTOR_JOBS_AT_ONCE):
            portion = missing[start : start + VECTOR_JOBS_AT_ONCE]
            await self.memory.write(partial(_enqueue_vectors, missing=portion))
        return len(missing)

    # -- life ---------------------------------------------------------------------------------------------

    async def start(self, *, warm: bool = True) -> None:
        """Mends what a crash left open, then begins to work. One of many is not warmed up by itself."""
        mended = await self.memory.write(lambda tx: mend(tx, self.base.queue))
        if mended:
            log.info("closed %d turns that an earlier run left open", mended)
        if self.worker is not None:
            await self.worker.start()
        if warm:
            self._warming = asyncio.create_task(self._warm_up())

    async def _warm_up(self) -> None:
        """Takes in what an import left unindexed, loads dictionary and encoder, while nobody waits."""
        try:
            await self.enqueue_missing_vectors()
            while await self.memory.write(words.catch_up):
                pass
            await EmbeddedMind(self.clock.zone).warm_up()
            # In both languages: each has tables of its own to load.
            await self.recaller.run(RecallRequest("こんにちは hello"))
        except GhostError as error:
            log.warning("warming up broke off: %s", error)

    async def close(self, grace_seconds: float = 10.0) -> None:
        if self._warming is not None:
            self._warming.cancel()
        try:
            if self.worker is not None:
                # First of all: the jobs in hand still need the models that are closed below.
                await self.worker.stop(grace_seconds)
            if self.options.shelf is not None:
                await self.options.shelf.close()
            await self.faculties.close_but()
            with suppress(StoreError):
                # Whoever shares this memory goes on at once, without waiting for a heart that stopped.
                await self.memory.write(leases.release_all)
        finally:
            await asyncio.to_thread(self.base.close)


_THINKING = (JobKind.GENERATE_WRITE_PLAN, JobKind.SUMMARISE_REPLY, JobKind.LINK_STATES)
_EMBEDDING = {
    vectors.VectorKind.EVENT: (JobKind.EMBED_EVENT, "event_id"),
    vectors.VectorKind.STATE: (JobKind.EMBED_STATE, "state_id"),
    vectors.VectorKind.AFFECT: (JobKind.EMBED_AFFECT, "affect_id"),
}


def _enqueue_vectors(tx: Tx, missing: Sequence[tuple[vectors.VectorKind, int]]) -> None:
    for kind, entity_id in missing:
        job, member = _EMBEDDING[kind]
        jobs.enqueue(tx, job, {member: entity_id}, key=f"{job.value}:{entity_id}")
