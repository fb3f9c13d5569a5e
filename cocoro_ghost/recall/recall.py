"""The whole path: plan → gather → fuse → select → pack, with everything needed to say why."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cocoro_ghost.clock import Clock, StopWatch, local_iso
from cocoro_ghost.embed.early import EarlyEmbedding
from cocoro_ghost.embed.embedder import Embedder
from cocoro_ghost.embed.reranker import Reranker
from cocoro_ghost.language.bounded import off_the_loop, readable
from cocoro_ghost.language.fold import guess_language, strip_decorations
from cocoro_ghost.mind.client import Mind
from cocoro_ghost.model.event import ClientContext
from cocoro_ghost.model.finds import Finds
from cocoro_ghost.model.material import SelectMaterial
from cocoro_ghost.model.pack import MemoryPack
from cocoro_ghost.model.reading import Reading
from cocoro_ghost.model.retrieval import (
    Candidate,
    Fused,
    Hit,
    ManyHits,
    Mode,
    Ref,
    RetrievalPlan,
    RouteReport,
    Selection,
)
from cocoro_ghost.model.scene import Language, Mood, Persona, Recalled
from cocoro_ghost.recall.build_pack import build_pack
from cocoro_ghost.recall.config import RecallConfig
from cocoro_ghost.recall.fuse import TALK_SECONDS, looked_again, rank, worth_weighing
from cocoro_ghost.recall.gather import FIRST, SECOND
from cocoro_ghost.recall.lexical import without_names
from cocoro_ghost.recall.plan import is_bare, make_plan, names_in, with_thread
from cocoro_ghost.recall.read_chosen import Moment, read_chosen
from cocoro_ghost.recall.read_material import read_material
from cocoro_ghost.recall.rerank import ROUTE, reranked
from cocoro_ghost.recall.route import GatherContext, run_routes
from cocoro_ghost.recall.seats import seated_of
from cocoro_ghost.recall.select import (
    alone,
    by_mind,
    by_order,
    previews,
    read_previews,
    told_apart,
    worth_asking,
)
from cocoro_ghost.store import candidates, events, runs, words
from cocoro_ghost.store.entities import EntityKey
from cocoro_ghost.store.ports import Database, Nearest, Reader, Tx
from cocoro_ghost.store.shared_reads import SharedReads
from cocoro_ghost.store.words import TermCounts

_SEEDS = 40
SinceWords = Callable[[int, int, tzinfo | None, Language], str]


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """One message to remember by."""

    text: str
    seen: tuple[str, ...] = ()
    """Images in words: searched for, but the plan is made from what was said."""
    event_id: int | None = None
    """The event being answered: it is never its own memory."""
    now: int | None = None
    mode: Mode | None = None
    language: Language | None = None
    context: ClientContext | None = None
    mood: Mood | None = None
    persona: Persona | None = None
    reading: Reading | None = None
    """The message as it was understood; read here where nobody has."""
    question: EarlyEmbedding | None = None
    """The message's embedding, where it was begun before; else it begins with the routes."""
    selected: int | None = None
    max_inject_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class RecallResult:
    """What was remembered, and everything the trace needs."""

    plan: RetrievalPlan
    routes: tuple[RouteReport, ...]
    fused: Fused
    selection: Selection
    recalled: tuple[Recalled, ...]
    """What was selected and is told, in order."""
    pack: MemoryPack
    stages: Mapping[str, float] = field(default_factory=dict)
    """Milliseconds by stage."""

    @property
    def milliseconds(self) -> float:
        return round(sum(self.stages.values()), 2)

    def trace(self) -> dict[str, Any]:
        """As a stored run: plan, candidates, selected, pack. Ids and numbers, no bodies."""
        return {
            "plan": self.plan.as_dict(),
            "candidates": {
                "milliseconds": self.milliseconds,
                "stages": dict(self.stages),
                "routes": [one.as_dict() for one in self.routes],
                "found": len(self.fused.ranked),
                "seats": dict(self.fused.seats),
                "seated": [one.as_dict() for one in self.fused.seated],
            },
            "selected": [
                {
                    "ref": str(one.ref),
                    "score": round(one.score, 4),
                    "reason": one.reason,
                    "by": self.selection.by,
                }
                for one in self.selection.chosen
            ],
            "pack": {
                **self.pack.as_dict(),
                "selected_by": self.selection.by,
                "fallback": self.selection.fallback,
            },
        }


class Recall:
    """Remembers. Built anew when the presets change; holds no message between calls."""

    def __init__(
        self,
        db: Database,
        clock: Clock,
        config: RecallConfig,
        *,
        embedder: Embedder | None = None,
        index: Nearest | None = None,
        mind: Mind | None = None,
        reranker: Reranker | None = None,
        since_words: SinceWords | None = None,
    ) -> None:
        self.db, self.clock, self.config = db, clock, config
        self._embedder, self._index, self._mind = embedder, index, mind
        self._reranker, self._since_words = reranker, since_words
        self._counts = TermCounts()

    def begin(self, text: str) -> EarlyEmbedding:
        """Starts to embed a message: the longest wait of remembering is over sooner."""
        wanted = self.config.uses("meaning") and self._index is not None
        return EarlyEmbedding(self._embedder if wanted else None, _question(text))

    async def run(self, request: RecallRequest) -> RecallResult:
        """The whole path; nothing is written but the word index, should it be behind."""
        watch = StopWatch()
        text, now, plan = await self._planned(request)
        watch.stage("plan")
        context = await self._context(request, plan, text, now)
        hits, reports, named = await self._gather(context)
        watch.stage("gather")
        language = request.language or guess_language(text)

        def packed(
            reader: Reader, fused: Fused, selection: Selection
        ) -> tuple[tuple[Recalled, ...], MemoryPack]:
            found = self._pack(reader, request, context, fused, selection, named, language)
            watch.stage("pack")
            return found

        def rest(reader: Reader) -> tuple[Fused, Selection, tuple[Recalled, ...], MemoryPack]:
            fused = seated_of(self._ranked(reader, context, hits), context.plan, now, context.config)
            watch.stage("fuse")
            selection = alone(reader, fused.seated, context, language)
            watch.stage("select")
            return fused, selection, *packed(reader, fused, selection)

        if self._mind is None and self._reranker is None:
            # Nothing is waited for any more: one snapshot and one thread are enough for all of it.
            fused, selection, recalled, pack = await self.db.read(rest)
        else:
            fused, looked = await self._fuse(context, hits)
            reports += looked
            watch.stage("fuse")
            chosen = selection = await self._select(context, fused, language)
            watch.stage("select")
            recalled, pack = await self.db.read(lambda reader: packed(reader, fused, chosen))
        return RecallResult(plan, tuple(reports), fused, selection, recalled, pack, watch.stages)

    async def orders(
        self, request: RecallRequest, offs: Sequence[frozenset[str]]
    ) -> dict[frozenset[str], Fused]:
        """The fused order alone, once for everything left out of it after the routes have gathered."""
        text, now, plan = await self._planned(request)
        context = await self._context(request, plan, text, now)
        hits, _, _ = await self._gather(context)
        found: dict[frozenset[str], Fused] = {}
        for off in offs:
            left = {route: of_route for route, of_route in hits.items() if route not in off}
            config = replace(self.config, off=self.config.off | off)
            found[off], _ = await self._fuse(replace(context, config=config), left)
        return found

    async def keep(self, event_id: int | None, result: RecallResult) -> int:
        """Writes the trace; returns the run's id."""
        return await self.db.write(lambda tx: write_run(tx, event_id, result))

    # -- stages -------------------------------------------------------------------------------------------

    async def _planned(self, request: RecallRequest) -> tuple[str, int, RetrievalPlan]:
        """What is asked, when, and how it is to be remembered by."""
        text = readable(strip_decorations(request.text))
        now = self.clock.domain_now() if request.now is None else request.now
        plan = await off_the_loop(
            text, make_plan, text, now, self.clock.zone, self.config, request.mode, request.reading
        )
        if request.selected is not None:
            plan = replace(plan, max_selected=request.selected)
        return text, now, plan

    async def _context(
        self, request: RecallRequest, plan: RetrievalPlan, said: str, now: int
    ) -> GatherContext:
        if is_bare(said):
            last = await self.db.read(lambda reader: events.last_chat(reader, before=request.event_id))
            if last is not None and now - last.created_at <= TALK_SECONDS:
                said = with_thread(said, last)
                plan = replace(plan, search=said, only_asks=False)
        text = "\n".join([said, *filter(None, request.seen)])
        return GatherContext(
            db=SharedReads(self.db),
            plan=plan,
            text=text,
            words="\n".join([self._searched(plan) or said, *filter(None, request.seen)]),
            now=now,
            zone=self.clock.zone,
            config=self.config,
            counts=self._counts,
            event_id=request.event_id,
            before_id=request.event_id,
            until=request.now,
            embed=self._embed(request.question, text),
            vectors=self._index,
        )

    def _searched(self, plan: RetrievalPlan) -> str:
        """The message without the words of asking."""
        return plan.search if self.config.uses("scaffolding") else ""

    def _embed(
        self, begun: EarlyEmbedding | None, text: str
    ) -> Callable[[], Awaitable[NDArray[np.float32] | None]] | None:
        """What was begun before, if it is of this text: an image in words makes it another."""
        if begun is None or begun.text != _question(text):
            begun = self.begin(text)
        return begun.row if begun.is_under_way else None

    async def _gather(
        self, context: GatherContext
    ) -> tuple[dict[str, Sequence[Hit]], list[RouteReport], list[EntityKey]]:
        names = await off_the_loop(context.text, names_in, context.text)
        (hits, reports), named, behind = await asyncio.gather(
            run_routes(FIRST, context),
            context.db.read(lambda reader: candidates.named(reader, names)),
            context.db.read(words.behind),
        )
        if behind:
            # A few texts that were written without being indexed are taken in; many are not waited for.
            await self.db.write(lambda tx: words.catch_up(tx, self.config.catch_up))
            hits, reports = await run_routes(FIRST, context)
        named = named[: self.config.entities]
        further = replace(context, seeds=tuple(_seeds(hits)), named=tuple(named))
        more, late = await run_routes(SECOND, further)
        return {**hits, **more}, [*reports, *late], named

    def _ranked(
        self, reader: Reader, context: GatherContext, hits: Mapping[str, Sequence[Hit]]
    ) -> list[Candidate]:
        """Everything worth weighing, best first."""
        finds = Finds(hits)
        facts = candidates.facts(reader, worth_weighing(finds, context.config), context.now)
        # Asked as of an earlier moment, nothing that was learned after it may be remembered.
        known = {ref: one for ref, one in facts.items() if context.until is None or one.since < context.until}
        ranked = rank(finds, known, context.plan, context.period, context.now, context.config)
        return told_apart(reader, looked_again(ranked, finds, context.config), context)

    async def _fuse(
        self, context: GatherContext, hits: Mapping[str, Sequence[Hit]]
    ) -> tuple[Fused, list[RouteReport]]:
        ranked = await self.db.read(lambda reader: self._ranked(reader, context, hits))
        reports = []
        if self._reranker is not None and context.config.uses(ROUTE):
            config = context.config
            ranked, report = await reranked(
                self._reranker, context.text, ranked, self.texts,
                most=config.rerank_most, weight=config.rerank_weight, deadline=config.rerank_deadline,
            )  # fmt: skip
            reports = [report]
        return seated_of(ranked, context.plan, context.now, context.config), reports

    async def _select(self, context: GatherContext, fused: Fused, language: Language) -> Selection:
        mind, plan, floor = self._mind, context.plan, self.config.relevance_floor
        if mind is None:
            return await self.db.read(lambda reader: alone(reader, fused.seated, context, language))
        if not worth_asking(fused.seated, floor):
            return by_order(fused.seated, plan, floor, language)
        texts = await self.texts([one.ref for one in fused.seated])
        material = SelectMaterial(
            user_text=context.text,
            mode=plan.mode.value,
            candidates=previews(fused.seated, texts),
            limit=plan.max_selected,
            language=language,
            now_local=local_iso(context.now, self.clock.zone),
        )
        return await by_mind(mind, material, fused.seated, plan, self.config.select_deadline, floor)

    def _pack(
        self,
        reader: Reader,
        request: RecallRequest,
        context: GatherContext,
        fused: Fused,
        selection: Selection,
        named: list[EntityKey],
        language: Language,
    ) -> tuple[tuple[Recalled, ...], MemoryPack]:
        by_ref: dict[object, Candidate] = {one.ref: one for one in fused.seated}
        moment = Moment(
            now=context.now,
            zone=self.clock.zone,
            language=language,
            asked=request.text,
            last_chat=self._last_chat(reader, request.event_id, context.now, language),
            context=request.context,
            mood=request.mood,
            persona=request.persona,
            period=context.period,
        )
        chosen = read_chosen(reader, selection.chosen, by_ref, moment)
        material = read_material(reader, chosen, named, moment, self.config.episode_strategy)
        pack = build_pack(material, request.max_inject_tokens or self.config.max_inject_tokens)
        # Every mind is told the same: what found no room is not handed on in another form.
        return tuple(one for one in chosen.recalled if one.ref in pack.names), pack

    async def texts(self, refs: Sequence[Ref]) -> dict[Ref, tuple[str, str]]:
        """What candidates say, in short, and when; for a mind that picks and for who wants to know why."""
        limit, zone = self.config.preview_chars, self.clock.zone
        return await self.db.read(lambda reader: read_previews(reader, refs, limit, zone))

    # -- reading ------------------------------------------------------------------------------------------

    def _last_chat(self, reader: Reader, event_id: int | None, now: int, language: Language) -> str:
        last = events.last_chat_at(reader, before=event_id)
        if last is None:
            return ""
        if self._since_words is None:
            return local_iso(last, self.clock.zone)
        return self._since_words(last, now, self.clock.zone, language)


def write_run(tx: Tx, event_id: int | None, result: RecallResult) -> int:
    """Keeps the trace of one run."""
    return runs.add(tx, event_id, **result.trace())


def _question(text: str) -> str:
    return without_names(readable(strip_decorations(text)))


def _seeds(hits: Mapping[str, Sequence[Hit]]) -> list[Hit]:
    """The best of words and meaning, in turn; what was never relevant leads nowhere."""
    best = [_best(ManyHits.of(hits.get(route, ()))) for route in ("words", "meaning")]
    # In turn: neither route can crowd the other out of the seeds.
    mixed = [hit for pair in zip_longest(*best) for hit in pair if hit]
    return list({hit.ref: hit for hit in reversed(mixed)}.values())[::-1]


def _best(found: ManyHits) -> list[Hit]:
    relevant = [at for at, relevance in enumerate(found.relevances) if relevance > 0.15]
    return [found[at] for at in sorted(relevant, key=found.scores.__getitem__, reverse=True)[:_SEEDS]]
