"""One thing said to the ghost, understood: what every part of a reply is made from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import tzinfo

from cocoro_ghost.mind.embedded.intents import Intent, groups_of
from cocoro_ghost.mind.embedded.loops import Loop, read_loop
from cocoro_ghost.mind.embedded.memories import Memories, Spoken
from cocoro_ghost.mind.embedded.news import News, called
from cocoro_ghost.mind.embedded.phrases import Wording
from cocoro_ghost.mind.embedded.topic import Topic, content_keys
from cocoro_ghost.model.preference import Polarity
from cocoro_ghost.model.scene import Language, Recalled, Scene

_HANGING = re.compile(r", (?:he|she|it|they|who)(?:'s|'re| is| are)\b.*$")


@dataclass(frozen=True, slots=True)
class Talk:
    """The scene with everything read from it; `text` is the part of the message being answered."""

    scene: Scene
    text: str
    intent: Intent
    topic: Topic
    wording: Wording
    memories: Memories
    zone: tzinfo | None
    news: News
    """What a told message teaches; empty for anything else."""

    @property
    def japanese(self) -> bool:
        return self.scene.language is Language.JA

    @property
    def fills(self) -> dict[str, str]:
        """Blanks any phrase may use."""
        name = called(self.scene)
        label = self.scene.persona.second_person
        return {
            "you": name or label or "あなた" if self.japanese else "you",
            "called": name,
            "topic": self.topic.name,
            "a_topic": self.topic.indefinite or self.topic.name,
            "name": self.scene.persona.name,
        }

    def say(self, *slots: str, **more: str) -> str:
        return self.wording.say(*slots, **{**self.fills, **more})

    def must(self, *slots: str, **more: str) -> str:
        return self.wording.must(*slots, **{**self.fills, **more})

    def may_ask(self, percent: int) -> bool:
        """Whether to ask back: a talk in which every reply ends in a question is an interrogation."""
        lately = [("?" in turn.assistant_text) for turn in self.scene.history[-2:]]
        if len(lately) == 2 and all(lately):
            return False
        return self.wording.chance(percent // 2 if lately and lately[-1] else percent, "ask")

    def groups(self) -> frozenset[str]:
        return groups_of(self.topic.keys, self.text, self.wording.book)


def open_loops(talk: Talk) -> list[Loop]:
    """What the user still has to do, as far as it was told."""
    label = talk.scene.persona.second_person
    loops = [read_loop(line, label, talk.scene.language) for line in talk.scene.open_loops]
    return [loop for loop in loops if loop.text]


def told(talk: Talk, item: Recalled, purpose: str) -> str:
    """A memory in words, from the slots of a purpose (`memory`, `remember`, `fact`)."""
    spoken = talk.memories.speakable(item, talk.topic)
    slot = f"{purpose}.{spoken.form}"
    if not talk.wording.has(slot):
        slot = f"memory.{spoken.form}"
    return talk.must(slot, **spoken.fills)


def brought_up(talk: Talk, *, asked: bool = False) -> str:
    """One fitting memory in a sentence, unless there is none that was not just mentioned."""
    liked = _liked(talk)
    if liked:
        return liked
    for item in talk.memories.coming_to_mind(talk.topic)[:4]:
        spoken = talk.memories.speakable(item, talk.topic)
        if spoken.form == "reply" or _stale(talk, spoken) or not (asked or _adds(talk, item)):
            continue
        sentence = talk.say(f"memory.{spoken.form}", **_shortened(spoken.fills))
        if sentence:
            return sentence
    return ""


def _adds(talk: Talk, item: Recalled) -> bool:
    """`You have a dog called Biscuit` adds nothing for one who speaks of Biscuit."""
    if item.kind == "event" or item.closed:
        return True
    return len(content_keys(_HANGING.sub("", item.text), talk.wording.book) - talk.topic.keys) >= 2


def _shortened(fills: Mapping[str, str]) -> dict[str, str]:
    """A state brought up in passing goes without what hangs on it: `…, he's eight now`."""
    return {name: _HANGING.sub("", text) for name, text in fills.items()}


def _stale(talk: Talk, spoken: Spoken) -> bool:
    return talk.wording.recently(spoken.core) or spoken.core in talk.text


def _liked(talk: Talk) -> str:
    """A confirmed taste that the message touches; not when the message itself is about tastes."""
    if talk.intent.tells & {"like", "dislike"}:
        return ""
    for taste in talk.scene.preferences:
        subject = taste.subject.casefold()
        if len(subject) < 2 or talk.wording.recently(taste.subject):
            continue
        if re.search(rf"(?<![a-z]){re.escape(subject)}(?![a-z])", talk.text.casefold()):
            polarity = "like" if taste.polarity is Polarity.LIKE else "dislike"
            return talk.say(f"memory.{polarity}", subject=taste.subject)
    return ""
