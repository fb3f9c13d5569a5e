"""The one public reader of messages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from cocoro_ghost.language.denial import denies
from cocoro_ghost.language.fold import guess_language, strip_decorations
from cocoro_ghost.language.names import find_names
from cocoro_ghost.language.read.engine import gather, lines_of
from cocoro_ghost.language.read.kinds import Context
from cocoro_ghost.language.read.tables import entries
from cocoro_ghost.language.times import find_times
from cocoro_ghost.model.reading import Act, Name, Period, Question, Reading, Sentence
from cocoro_ghost.model.scene import Language


def read(
    text: str, *, now: datetime, before: Sequence[str] = (), language: Language | None = None
) -> Reading:
    """What a message says; `before` are the lines just before it, the newest last."""
    spoken = language or guess_language(text)
    plain = strip_decorations(text)
    asks = plain.rstrip().endswith(("?", "？"))
    acts = (Act.ASK_PAST if asks else Act.DENY if denies(plain) else Act.TELL,)
    times, names = _times(plain, now, spoken), _names(plain, spoken)
    greets = any(cue in plain.lower() for cue in entries(f"{spoken.value}/acts", "introducing"))
    context = Context(spoken, times, names, greets)
    found = gather(lines_of(plain, spoken), context, now.date())
    return Reading(
        text=text,
        claims=tuple(found.claims),
        tastes=tuple(found.tastes),
        language=spoken,
        now=now,
        sentences=(Sentence((0, len(text)), text, acts),) if plain.strip() else (),
        question=Question("past", plain) if asks else None,
        times=times,
        names=names,
    )


def _times(text: str, now: datetime, language: Language) -> tuple[Period, ...]:
    return tuple(
        Period(
            (m.start_index, m.end_index),
            m.text,
            m.start,
            m.end,
            m.year_start,
            m.year_end,
            m.life_stage,
            m.granularity,
            m.recurring,
            m.time_of_day,
            m.confidence,
        )
        for m in find_times(text, now, language)
    )


def _names(text: str, language: Language) -> tuple[Name, ...]:
    found = []
    for entity in find_names(text, language):
        at = text.find(entity.name)
        found.append(Name((at, at + len(entity.name)), entity.type, entity.name, entity.confidence))
    return tuple(found)
