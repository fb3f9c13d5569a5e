"""From what memory is to what the wire carries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from cocoro_ghost.api.schemas.memory import (
    AffectOut,
    EventLinkOut,
    EventOut,
    JobOut,
    OpenSeparationOut,
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
from cocoro_ghost.language.reasons import reason_code, reason_words
from cocoro_ghost.model.affect import Affect, Vad
from cocoro_ghost.model.event import Event
from cocoro_ghost.model.job import Job
from cocoro_ghost.model.link import EventLink, StateLink, ThreadMembership
from cocoro_ghost.model.preference import Preference
from cocoro_ghost.model.record import KeptPlan, Separation, TidyRun, WhichMemory
from cocoro_ghost.model.revision import Revision
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import State
from cocoro_ghost.store import browse
from cocoro_ghost.store.ports import Reader
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


def plan_out(plan: KeptPlan) -> WritePlanOut:
    return WritePlanOut.model_validate(asdict(plan))


def revisions_out(reader: Reader, found: Sequence[Revision], language: Language) -> list[RevisionOut]:
    """Revisions with the mark of those that were taken back since."""
    undone = browse.undone(reader, [revision.revision_id for revision in found])
    return [
        RevisionOut.model_validate(
            {
                **asdict(revision),
                "reason": reason_words(revision.reason, language),
                "reason_code": reason_code(revision.reason),
                "undone": revision.revision_id in undone,
            }
        )
        for revision in found
    ]


def open_separation_out(asked: WhichMemory) -> OpenSeparationOut:
    shown = zip(asked.memories, asked.texts, strict=True)
    return OpenSeparationOut(
        denial_event_id=asked.denial_event_id,
        memories=[SeparatedOut(ref=refs[0], text=text) for refs, text in shown],
        asked_at=asked.asked_at,
    )


def separations_out(reader: Reader, found: Sequence[Separation]) -> list[SeparationOut]:
    """Denials with the words of what each set apart."""
    denials = [f"e{one.denial_event_id}" for one in found]
    texts = texts_of(reader, {*denials, *(ref for one in found for ref in one.refs)})
    return [
        SeparationOut(
            separation_id=one.separation_id,
            denial_event_id=one.denial_event_id,
            denial_text=texts.get(denial, ""),
            memories=[SeparatedOut(ref=ref, text=texts.get(ref, "")) for ref in one.refs],
            created_at=one.created_at,
            undone_at=one.undone_at,
        )
        for one, denial in zip(found, denials, strict=True)
    ]


def vad_out(vad: Vad) -> VadOut:
    return VadOut(v=vad.v, a=vad.a, d=vad.d)


def tidy_run_out(run: TidyRun) -> TidyRunOut:
    return TidyRunOut.model_validate(asdict(run))
