"""The sessions of the year: what a model would plan for each turn, and what must hold afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from eval.year.plans import Planner
from eval.year.story import EN, JA, Expect, Session, Tongue, Turn, Words


@dataclass(frozen=True, slots=True)
class _Teller:
    """One language's words and plans."""

    words: Words
    plan: Planner

    def session(self, key: str, plans: tuple[Any, ...] = (), **more: Any) -> Session:
        texts = self.words.says[key]
        padded = [*plans, *[{}] * len(texts)]
        return Session(key, tuple(Turn(t, p) for t, p in zip(texts, padded, strict=False)), **more)


def the_year(tongue: Tongue) -> list[Session]:
    """All sessions of one language."""
    words = JA if tongue == "ja" else EN
    teller = _Teller(words, Planner(tongue, words))
    return [*_until_spring(teller), *_after_spring(teller)]


def _until_spring(teller: _Teller) -> list[Session]:
    words, plan, session = teller.words, teller.plan, teller.session
    home, job = words.home, words.job
    return [
        session(
            "intro",
            (plan.name(), plan.lives(0) | plan.works(0, and_lives=0)),
            expect=Expect(slots={"name": words.name, "residence": home[0], "job": job[0]}),
        ),
        session(
            "food",
            (plan.prefers(words.food, "like"), plan.prefers(words.bitter, "dislike")),
            expect=Expect(likes={words.food: "like", words.bitter: "dislike"}),
        ),
        session("sister", (plan.feels(0.8) | plan.family(), plan.studies()), mood="up"),
        session(
            "report",
            (plan.task(words.report, "2026-02-10T18:00:00"),),
            expect=Expect(open_tasks={words.report: True}),
        ),
        session("sad", (plan.feels(-0.9), plan.feels(-0.8)), mood="down"),
        session("school", (plan.school(),)),
        session(
            "topic",
            (plan.prefers(words.topic, "like", "topic"), plan.prefers(words.food, "like")),
            expect=Expect(likes={words.topic: "like"}),
        ),
        session(
            "done",
            (plan.done(words.report), plan.feels(0.6)),
            mood="up",
            expect=Expect(open_tasks={words.report: False}),
        ),
        session("again", (plan.lives(0),)),
        session(
            "move",
            (plan.lives(1), plan.feels(0.5)),
            expect=Expect(slots={"residence": home[1]}, past=(home[0],)),
        ),
        session("settle", (plan.lives(1),)),
        session(
            "job", (plan.works(1), plan.feels(0.5)), expect=Expect(slots={"job": job[1]}, past=(job[0],))
        ),
    ]


def _after_spring(teller: _Teller) -> list[Session]:
    words, plan, session = teller.words, teller.plan, teller.session
    home = words.home
    return [
        session("flip", (plan.prefers(words.food, "dislike"),), expect=Expect(likes={words.food: "dislike"})),
        session(
            "dentist",
            (plan.task(words.dentist, "2026-03-20T10:00:00"),),
            expect=Expect(open_tasks={words.dentist: True}),
        ),
        session("bitter", (plan.prefers(words.bitter, "like"),), expect=Expect(likes={words.bitter: "like"})),
        session("recall", (), denial=True),
        session("happy", (plan.feels(1.0),), mood="up"),
        session("same", (plan.lives(1), plan.works(1))),
        session("back", (plan.prefers(words.food, "like"),), expect=Expect(likes={words.food: "like"})),
        session("cat", (plan.cat(),)),
        session("quiet"),
        session(
            "away",
            (plan.lives(2), plan.feels(0.4)),
            expect=Expect(slots={"residence": home[2]}, past=(home[1],)),
        ),
        session("year"),
        session("calm"),
        session("last", (plan.lives(2) | plan.works(1, and_lives=2),)),
    ]
