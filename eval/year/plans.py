"""What a well-behaved model would answer for the year's turns: the scripted mind's write plans."""

from __future__ import annotations

from typing import Any

from cocoro_ghost.mind.client import PlanRequest
from cocoro_ghost.model.material import TidyMaterial, WriteMaterial
from cocoro_ghost.testing import ScriptedMind
from eval.year.story import Session, Tongue, Words

Plan = dict[str, Any]


class Planner:
    """Plans in one language; bodies in the ghost's own voice."""

    def __init__(self, tongue: Tongue, words: Words) -> None:
        self.ja = tongue == "ja"
        self.words = words

    def name(self) -> Plan:
        body = f"あなたの名前は{self.words.name}" if self.ja else f"Your name is {self.words.name}"
        return {"state_updates": [self._slot(body, "name", self.words.name)], **self.feels(0.2)}

    def lives(self, which: int) -> Plan:
        return {"state_updates": [self._home(which)]}

    def works(self, which: int, and_lives: int | None = None) -> Plan:
        job = self.words.job[which]
        body = f"あなたは{job}で働いている" if self.ja else f"You work as a {job}"
        homes = [] if and_lives is None else [self._home(and_lives)]
        return {"state_updates": [*homes, self._slot(body, "job", job)]}

    def prefers(self, subject: str, polarity: str, domain: str = "food") -> Plan:
        update = {"op": "confirm", "domain": domain, "polarity": polarity, "subject": subject}
        return {"preference_updates": [update], **self.feels(0.3 if polarity == "like" else -0.1)}

    def feels(self, v: float) -> Plan:
        good = v > 0
        if self.ja:
            text = (
                "あなたの声が弾んで、私まで明るくなった。" if good else "あなたがつらそうで、私も胸が痛んだ。"
            )
            label = "喜び" if good else "悲しみ"
        else:
            text = "Your joy reached me and I felt light." if good else "It hurt me to hear how low you were."
            label = "joy" if good else "sadness"
        affect = {
            "moment_affect_text": text,
            "moment_affect_labels": [label],
            "moment_affect_score_vad": {"v": v, "a": abs(v) / 2, "d": v / 4},
            "moment_affect_confidence": 0.9,
        }
        return {"event_affect": affect}

    def family(self) -> Plan:
        name = self.words.sister
        body = f"あなたには妹の{name}がいる" if self.ja else f"You have a sister called {name}"
        entity = {"type": "person", "name": name, "confidence": 0.9}
        update = {"kind": "relation", "body_text": body, "entities": [entity], "reason": "family"}
        return {"state_updates": [update], "event_annotations": {"entities": [entity]}}

    def studies(self) -> Plan:
        name = self.words.sister
        body = f"{name}は大学で建築を勉強している" if self.ja else f"{name} studies architecture"
        entity = {"type": "person", "name": name, "confidence": 0.9}
        update = {"kind": "fact", "body_text": body, "entities": [entity], "reason": "family"}
        return {"state_updates": [update], "event_annotations": {"entities": [entity]}}

    def task(self, thing: str, due: str) -> Plan:
        body = f"あなたの予定: {thing}" if self.ja else f"You have to see to the {thing}"
        return {"state_updates": [{"kind": "task", "body_text": body, "payload": {"due": due}}]}

    def done(self, thing: str) -> Plan:
        return {"done": thing, **self.feels(0.5)}

    def school(self) -> Plan:
        body = (
            "あなたは高校で吹奏楽部のトランペットだった"
            if self.ja
            else "You played the trumpet in the marching band in high school"
        )
        return {
            "state_updates": [{"kind": "fact", "body_text": body, "reason": "school"}],
            "event_annotations": {"life_stage": "high", "about_time_confidence": 0.8},
        }

    def cat(self) -> Plan:
        body = "あなたは白い猫の小雪を飼っている" if self.ja else "You have a white cat named Snow"
        return {"state_updates": [{"kind": "fact", "body_text": body, "reason": "cat"}], **self.feels(0.6)}

    def _home(self, which: int) -> Plan:
        place = self.words.home[which]
        body = f"あなたは{place}に住んでいる" if self.ja else f"You live in {place}"
        return self._slot(body, "residence", place)

    def _slot(self, body: str, slot: str, value: str) -> Plan:
        return {"kind": "fact", "body_text": body, "payload": {"slot": slot, "value": value}, "reason": slot}


def scripted_mind(year: list[Session]) -> ScriptedMind:
    """A mind that knows the year by heart."""
    plans = {turn.text: dict(turn.plan) for session in year for turn in session.turns}

    def write(request: PlanRequest) -> Plan:
        material = request.material
        assert isinstance(material, WriteMaterial)
        plan = dict(plans.get(material.event.user_text or "", {}))
        if thing := plan.pop("done", None):
            tasks = [s for s in material.related_states if s.kind == "task" and thing in s.body_text]
            done = [{"kind": "task", "op": "mark_done", "state_id": s.state_id} for s in tasks]
            plan["state_updates"] = done
        return plan

    def summarise(request: PlanRequest) -> Plan:
        material: Any = request.material
        body = f"{material.scope_label}: {len(material.events)} ({material.language})"
        return {"scope_type": material.scope_type, "scope_key": material.scope_key, "body_text": body}

    def tidy(request: PlanRequest) -> Plan:
        assert isinstance(request.material, TidyMaterial)
        return {"state_updates": []}

    answers: dict[Any, Any] = {"write_plan": write, "scope_summary": summarise, "tidy_plan": tidy}
    return ScriptedMind(answers, replies=("うん、聞いてるよ。",))
