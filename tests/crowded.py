"""Shared by the tests of the store: a memory with many of everything, by chance but the same each time."""

from __future__ import annotations

from random import Random

from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.client_turn import Standing
from cocoro_ghost.model.event import (
    AboutTime,
    Entity,
    EntityType,
    EventStatus,
    LifeStage,
    NewEvent,
    Origin,
    Source,
)
from cocoro_ghost.model.heard import SentMessage
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.link import EventLinkLabel, StateLinkLabel
from cocoro_ghost.model.preference import Domain, Polarity, Preference, PreferenceStatus
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import StateDraft, StateKind
from cocoro_ghost.store import (
    affects,
    client_turns,
    events,
    graph,
    jobs,
    plans,
    preferences,
    runs,
    states,
    turns,
    undo,
    words,
)
from cocoro_ghost.store.ports import Tx

WORDS = (
    "猫", "京都", "100%", "a_b", "back\\slash", "it's", 'said "no"', "ＡＢＣ", "Ünal", "コーヒー", "hiking",
    "Привет", "😀", "한국어", "line\nbreak", "tab\there", "'; DROP TABLE events; --", "カフェ", "café",
    "[1, 2]",
)  # fmt: skip
NAMES = ("花子さん", "佐藤", "Ken", "Dr. Smith", "京都", "ken", "O'Neil", "ＫＥＮ")
THREADS = ("cats", "旅", "work/所", "a%b", "")
DAY = 86_400
STATES = (StateKind.FACT, StateKind.RELATION, StateKind.TASK, StateKind.SUMMARY)


def said(rng: Random) -> str:
    return " ".join(rng.sample(WORDS, rng.randint(1, 4)))


def some(rng: Random, most: int, up_to: int) -> tuple[int, ...]:
    return tuple(sorted(rng.sample(range(1, most + 1), min(most, rng.randint(0, up_to)))))


def named(rng: Random) -> tuple[Entity, ...]:
    chosen = rng.sample(NAMES, rng.randint(0, 3))
    return tuple(
        Entity(rng.choice(list(EntityType)), name, rng.choice((0.2, 0.5, 0.5, 1.0))) for name in chosen
    )


def crowd(tx: Tx, seed: int = 1, size: int = 60) -> None:
    """Events, states and what hangs on them, `size` of each; many share a moment, a name, a confidence."""
    rng = Random(seed)
    for number in range(1, size + 1):
        _an_event(tx, rng, number)
    for number in range(1, size + 1):
        cause = Cause(rng.choice((Actor.GROW, Actor.TIDY, Actor.USER)), said(rng), some(rng, size, 3))
        with tx.because(cause):
            _a_state(tx, rng, size)
            _beside(tx, rng, size)
            _a_taste(tx, rng, number, size)
    _links_of_states(tx, rng, size)
    _acts(tx, rng, size)
    while words.catch_up(tx):
        pass


def _an_event(tx: Tx, rng: Random, number: int) -> None:
    images = tuple(said(rng) for _ in range(rng.randint(1, 2))) if rng.random() < 0.3 else None
    new = NewEvent(
        tx.now + rng.randint(-3, 3) * DAY + number,
        rng.choice(list(Source)),
        rng.choice(list(Origin)),
        said(rng) if rng.random() < 0.9 else None,
        said(rng) if rng.random() < 0.8 else None,
        status=rng.choice((EventStatus.DONE, EventStatus.DONE, EventStatus.INTERRUPTED)),
        client_id=rng.choice((None, "phone", "desk")),
        conversation=rng.choice(("main", "other")),
        image_summaries=images,
        searchable=rng.random() < 0.8,
    )
    event_id = events.append(tx, new)
    if rng.random() < 0.6:
        year = rng.choice((None, 1999, 2010, 2020))
        ends = None if year is None or rng.random() < 0.5 else year + rng.randint(0, 8)
        start = rng.choice((None, tx.now - 400 * DAY, tx.now, tx.now + DAY))
        stage = rng.choice((None, *LifeStage))
        events.annotate(tx, event_id, AboutTime(start, start, year, ends, stage, 0.5), named(rng))
    if rng.random() < 0.1:
        events.set_forgotten(tx, event_id, True)


def _a_state(tx: Tx, rng: Random, size: int) -> None:
    begins = rng.choice((None, tx.now - 10, tx.now, tx.now + 10))
    draft = StateDraft(
        rng.choice(STATES),
        said(rng),
        {"note": said(rng), "n": rng.randint(0, 9)},
        confidence=rng.choice((0.1, 0.5, 0.5, 0.9)),
        salience=rng.choice((0.0, 0.5, 1.0)),
        pin=rng.random() < 0.2,
        searchable=rng.random() < 0.8,
        valid_from_ts=begins,
        valid_to_ts=rng.choice((None, tx.now - 5, tx.now, tx.now + 5)),
        last_confirmed_at=tx.now - rng.randint(0, 3),
        entities=named(rng),
        evidence_event_ids=some(rng, size, 4),
    )
    states.create(tx, draft)


def _beside(tx: Tx, rng: Random, size: int) -> None:
    one, other = rng.sample(range(1, size + 1), 2)
    graph.link(tx, one, other, rng.choice(list(EventLinkLabel)), rng.choice((0.5, 0.9)), [one])
    for key in rng.sample(THREADS, 2):
        graph.join_thread(tx, one, key, rng.choice((0.5, 0.9)), [one])
    graph.join_thread(tx, other, f"thread {one // 2}", 0.5, [])
    vad = Vad(rng.choice((-1.0, 0.0, 0.25, 1.0)), 0.5, -0.5)
    text = said(rng)
    affects.put(tx, one, at=tx.now + other, text=text, labels=[text], vad=vad, confidence=0.5)


def _a_taste(tx: Tx, rng: Random, number: int, size: int) -> None:
    subject = f"{rng.choice(WORDS)}{number}"
    status = rng.choice(list(PreferenceStatus))
    domain, polarity = rng.choice(list(Domain)), rng.choice(list(Polarity))
    seen = tx.now + rng.randint(0, 2)
    taste = Preference(
        0, domain, polarity, subject, subject.casefold(), status, None, 0.5, some(rng, size, 2), seen, seen,
        None, None,
    )  # fmt: skip
    preferences.create(tx, taste)


def _links_of_states(tx: Tx, rng: Random, size: int) -> None:
    for _ in range(size):
        one, other = rng.sample(range(1, size + 1), 2)
        with tx.because(Cause(Actor.TIDY, "linked")):
            graph.link_states(tx, one, other, rng.choice(list(StateLinkLabel)), rng.choice((0.5, 0.9)), [1])


def _acts(tx: Tx, rng: Random, size: int) -> None:
    for number in range(1, size + 1):
        runs.add(tx, rng.choice((None, number)), plan={"n": number}, candidates={}, selected=[], pack={})
        jobs.enqueue(tx, rng.choice(list(JobKind)), {"event_id": number}, key=str(number))
        plans.add_tidy_run(
            tx, started_at=tx.now, milliseconds=number, trigger=f"t{number}", counts={"n": number}
        )
        undo.add_forgetting(tx, "event", number, (number, number), {"text": said(rng)})
        undo.add_separation(tx, number, [f"e{number}", "s1"], None)
    plan = {"model": "m", "prompt_hash": "h", "plan_json": '{"a": [1, "é"]}', "shown": {"states": [1]}}
    plans.put(tx, 1, **plan)  # type: ignore[arg-type]
    plans.forget_claim(tx, "fact", "あなたは猫を飼っている", 3)
    turns.keep_thumbnails(tx, 2, ["data:image/png;base64,AA=="])
    events.replace_reply(tx, 3, "said anew")
    client_turns.add(tx, 4, "main", SentMessage("web", "m1", None, "r1", Standing.CURRENT))
