"""Stored retrieval runs of one's own memory, run again with the present code: what would differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cocoro_ghost.model.record import Run
from cocoro_ghost.recall.recall import Recall, RecallRequest
from cocoro_ghost.store import runs


@dataclass(frozen=True, slots=True)
class Difference:
    """One run then and now; places count from 1."""

    run_id: int
    event_id: int | None
    new: tuple[str, ...]
    gone: tuple[str, ...]
    moved: tuple[tuple[str, int, int], ...]
    """ref, place then, place now."""
    same: bool


def compare(run: Run, before: Sequence[str], after: Sequence[str]) -> Difference:
    """What is new, what is gone, what stands elsewhere."""
    then = {ref: place for place, ref in enumerate(before, 1)}
    now = {ref: place for place, ref in enumerate(after, 1)}
    moved = tuple((ref, then[ref], now[ref]) for ref in before if ref in now and then[ref] != now[ref])
    return Difference(
        run_id=run.run_id,
        event_id=run.event_id,
        new=tuple(ref for ref in after if ref not in then),
        gone=tuple(ref for ref in before if ref not in now),
        moved=moved,
        same=list(before) == list(after),
    )


async def replay(
    recall: Recall, limit: int, progress: Callable[[int], None] | None = None
) -> list[Difference]:
    """The newest runs again, each at its own time and with nothing later than its own event."""
    found = await recall.db.read(lambda reader: runs.newest(reader, limit))
    differences = []
    for run in found:
        request = RecallRequest(run.user_text, event_id=run.event_id, now=run.created_at)
        result = await recall.run(request)
        before = [str(item["ref"]) for item in run.selected]
        differences.append(compare(run, before, [str(one.ref) for one in result.selection.chosen]))
        if progress is not None:
            progress(1)
    return differences


def summary(differences: Sequence[Difference]) -> dict[str, object]:
    """Counts over all runs."""
    return {
        "n": len(differences),
        "same": sum(one.same for one in differences),
        "new": sum(len(one.new) for one in differences),
        "gone": sum(len(one.gone) for one in differences),
        "moved": sum(len(one.moved) for one in differences),
    }
