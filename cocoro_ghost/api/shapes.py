"""From what memory is to what the wire carries."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from cocoro_ghost.api.schemas.memory import (
    AffectOut,
    EventLinkOut,
    EventOut,
    JobOut,
    PreferenceOut,
    RevisionOut,
    SeparatedOut,
    SeparationOut,
    StateLinkOut,
    StateOut,
    ThreadMembershipOut,
    TidyRunOut,
    WritePlanOut,
)
from cocoro_ghost.api.schemas.parts import VadOut
from cocoro_ghost.model.affect import Affect, Vad
from cocoro_ghost.model.event import Event
from cocoro_ghost.model.job import Job
from cocoro_ghost.model.link import EventLink, StateLink, ThreadMembership
from cocoro_ghost.model.preference import Preference
from cocoro_ghost.model.revision import Revision
from cocoro_ghost.model.state import State
from cocoro_ghost.store import browse
from cocoro_ghost.store.ports import Reader, Row
from cocoro_ghost.tidy.separate import texts_of


def event_out(event: Event) -> EventOut:
    return EventOut.model_validate(asdict(event))


def state_out(state: State, now: int) -> StateOut:
    return StateOut.model_validate({**asdict(state), "active": state.active_at(now)})


def affect_out(affect: Affect) -> AffectOut:
    return AffectOut.model_validate(asdict(affect))


def preference_out(preference: Preference) -> PreferenceOut:
    return PreferenceOut.model_validate(asdict(preference))


def job_out(job: Job) -> JobOut:
    return JobOut.model_validate({**asdict(job), "payload": dict(job.payload)})


def link_out(link: EventLink) -> EventLinkOut:
    return EventLinkOut.model_validate(asdict(link))


def membership_out(membership: ThreadMembership) -> ThreadMembershipOut:
    return ThreadMembershipOut.model_validate(asdict(membership))


def state_link_out(link: StateLink, other_body: str) -> StateLinkOut:
    return StateLinkOut.model_validate({**asdict(link), "other_body_text": other_body})


def plan_out(row: Row) -> WritePlanOut:
    return WritePlanOut.model_validate({**row, "dropped": json.loads(row["dropped_json"])})


def revisions_out(reader: Reader, found: Sequence[Revision]) -> list[RevisionOut]:
    """Revisions with the mark of those that were taken back since."""
    undone = browse.undone(reader, [revision.revision_id for revision in found])
    return [
        RevisionOut.model_validate({**asdict(revision), "undone": revision.revision_id in undone})
        for revision in found
    ]


def separations_out(reader: Reader, rows: Sequence[Row]) -> list[SeparationOut]:
    """Denials with the words of what each set apart."""
    refs = {row["separation_id"]: row["ref"].split(",") for row in rows}
    denials = [f"e{row['denial_event_id']}" for row in rows]
    texts = texts_of(reader, {ref for ref in (*denials, *(one for of in refs.values() for one in of))})
    return [
        SeparationOut(
            separation_id=row["separation_id"],
            denial_event_id=row["denial_event_id"],
            denial_text=texts.get(denial, ""),
            memories=[SeparatedOut(ref=ref, text=texts.get(ref, "")) for ref in refs[row["separation_id"]]],
            created_at=row["created_at"],
            undone_at=row["undone_at"],
        )
        for row, denial in zip(rows, denials, strict=True)
    ]


def vad_out(vad: Vad) -> VadOut:
    return VadOut(v=vad.v, a=vad.a, d=vad.d)


def tidy_run_out(row: Row) -> TidyRunOut:
    return TidyRunOut.model_validate({**row, "counts": json.loads(row["counts_json"])})
