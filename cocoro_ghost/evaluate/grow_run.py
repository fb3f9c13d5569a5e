"""`eval grow`: one chat turn in, the write plan out, compared with labels; offline and without a judge."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from cocoro_ghost.clock import parse_iso
from cocoro_ghost.evaluate.grow_score import Tally, about_of, score_case
from cocoro_ghost.mind.client import Mind, PlanRequest
from cocoro_ghost.model.answers import WritePlan
from cocoro_ghost.model.event import Event, EventStatus, Origin, Source
from cocoro_ghost.model.material import WriteMaterial
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import State, StateKind

ZONE = ZoneInfo("Asia/Tokyo")
_PLANTED = 7001


@dataclass(frozen=True, slots=True)
class GrowCase:
    """One labelled turn."""

    case_id: str
    language: Language
    now: datetime
    source: Source
    user_text: str
    assistant_text: str
    expect: Mapping[str, Any]


def load_cases(path: Path) -> list[GrowCase]:
    """The cases of a JSON-lines file. Raises ValueError with the line's number when one is not a case."""
    cases = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            cases.append(_case(json.loads(line), number))
        except (KeyError, TypeError, ValueError) as problem:
            raise ValueError(f"{path.name} line {number} is not a grow case: {problem}") from problem
    return cases


def _case(raw: Mapping[str, Any], number: int) -> GrowCase:
    return GrowCase(
        case_id=str(raw.get("id", number)),
        language=Language(raw["lang"]),
        now=datetime.fromisoformat(raw["now"]),
        source=Source(raw.get("source", "chat")),
        user_text=raw["user_text"],
        assistant_text=raw.get("assistant_text") or "",
        expect=raw["expect"],
    )


def material_of(case: GrowCase) -> WriteMaterial:
    """What the mind is shown: the turn, and a planted state for each `mark_done` and `close` expected."""
    ts = parse_iso(case.now.isoformat(), ZONE)
    event = Event(
        event_id=1,
        created_at=ts,
        updated_at=ts,
        source=case.source,
        origin=Origin.USER if case.source is Source.CHAT else Origin.APP,
        status=EventStatus.DONE,
        conversation="main",
        searchable=True,
        user_text=case.user_text,
        assistant_text=case.assistant_text,
    )
    return WriteMaterial(
        event=event,
        recent_events=(),
        related_states=tuple(_planted(case, ts)),
        known_threads=(),
        language=case.language,
        persona_text="",
        second_person="あなた" if case.language is Language.JA else "you",
        now_ts=ts,
    )


def _planted(case: GrowCase, ts: int) -> Iterator[State]:
    for offset, label in enumerate(case.expect.get("states") or ()):
        if label["op"] == "upsert":
            continue
        yield State(
            state_id=_PLANTED + offset,
            kind=StateKind(label["kind"]),
            body_text=" ".join(group[0] for group in label["contains"]),
            payload={},
            confidence=0.8,
            salience=0.5,
            pin=False,
            searchable=True,
            valid_from_ts=ts - 30 * 86_400,
            valid_to_ts=None,
            last_confirmed_at=ts - 30 * 86_400,
            created_at=ts - 30 * 86_400,
            updated_at=ts - 30 * 86_400,
        )


async def evaluate_grow(
    cases_path: Path,
    mind: Mind,
    *,
    requests: Callable[[WriteMaterial], PlanRequest] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, object]:
    """The result of §2: overall and by language, with what failed. `requests` renders prompts for a model."""
    cases = load_cases(cases_path)
    ask = requests or _bare_request
    total, failures, spent = Tally(), [], []
    by_language: dict[str, Tally] = {}
    for index, case in enumerate(cases):
        begun = time.perf_counter()
        plan = await mind.plan(ask(material_of(case)), WritePlan)
        if case.language in by_language:
            # The first turn of a language also pays for reading its word lists.
            spent.append((time.perf_counter() - begun) * 1000)
        single = score_case(plan, case.expect)
        total = total.plus(single.tally)
        by_language[case.language] = by_language.get(case.language, Tally()).plus(single.tally)
        if single.problems:
            failures.append({"id": case.case_id, "text": case.user_text, "problems": single.problems})
        if progress is not None:
            progress(index + 1, len(cases))
    result = {"n": len(cases), **total.result()}
    result["by_lang"] = {
        language: {"n": tally.cases, **tally.result()} for language, tally in sorted(by_language.items())
    }
    result["failures"] = failures
    result["config"] = _config(cases_path, mind, spent)
    return result


def _bare_request(material: WriteMaterial) -> PlanRequest:
    return PlanRequest(purpose="write_plan", messages=(), material=material)


def _config(path: Path, mind: Mind, spent: Sequence[float]) -> dict[str, object]:
    ordered = sorted(spent)
    return {
        "cases": path.name,
        "mind": mind.model_id,
        "zone": str(ZONE),
        "plan_ms": {"p50": _at(ordered, 0.5), "p95": _at(ordered, 0.95)},
    }


def _at(ordered: Sequence[float], share: float) -> float | None:
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 2) if ordered else None


__all__ = ["GrowCase", "about_of", "evaluate_grow", "load_cases", "material_of"]
