"""Finds the one memory that fits what was said, and makes it speakable.

Only what was recalled or stands in the facts is ever used: nothing here can invent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import tzinfo

from cocoro_ghost.language.fold import fold
from cocoro_ghost.mind.embedded.english_stem import stem_en
from cocoro_ghost.mind.embedded.intents import groups_of
from cocoro_ghost.mind.embedded.loops import Loop, read_loop
from cocoro_ghost.mind.embedded.phrases import Phrasebook
from cocoro_ghost.mind.embedded.quoting import quote
from cocoro_ghost.mind.embedded.spoken_en import past_clause, stated_clause
from cocoro_ghost.mind.embedded.spoken_ja import state_clause
from cocoro_ghost.mind.embedded.topic import Topic, content_keys
from cocoro_ghost.mind.embedded.when import when_words
from cocoro_ghost.model.scene import Language, Recalled, Scene

FRESH_SECONDS = 30 * 60
_STATE_KINDS = frozenset({"fact", "relation"})
# Groups whose words name the same thing of a life: a cat answers for a pet, a film not for a film.
_KINSHIP = frozenset({"pet", "work", "home", "birthday", "family"})
_ATTRIBUTES = frozenset({"birthday", "work", "home"})
_TASTE_LINE = re.compile(r"^(?:好き|苦手): |^(?:dis)?likes ")
_ASKING = re.compile(r"(?:[?？]|っけ|かな|ですか|ますか|覚えてる|知ってる)[。」\s]*$")


@dataclass(frozen=True, slots=True)
class Spoken:
    """A memory ready for a phrase: `form` names the slot, `fills` its blanks, `core` what must not repeat."""

    form: str
    fills: Mapping[str, str]
    core: str


class Memories:
    """The scene's memories, matched against a topic."""

    def __init__(self, scene: Scene, book: Phrasebook, zone: tzinfo | None) -> None:
        self.scene = scene
        self._book = book
        self._zone = zone
        known = {fold(item.text) for item in scene.recalled}
        facts = [
            Recalled(f"f{i}", "fact", text, "", 0, None, 0.0, "")
            for i, text in enumerate(stable_facts(scene))
            if fold(text) not in known
        ]
        known |= {fold(text) for text in scene.facts}
        lately = [
            Recalled(f"h{i}", "event", turn.user_text, turn.assistant_text, turn.created_at, None, 0.0, "")
            for i, turn in enumerate(scene.history)
            if turn.user_text.strip() and fold(turn.user_text) not in known
        ]
        self._items = (*scene.recalled, *facts, *reversed(lately))

    def answering(self, topic: Topic) -> list[Recalled]:
        """Memories that can answer a question about the topic, best first."""
        scored = [
            (self._match(topic, item, related=True), item)
            for item in self._items
            if _tells(item) and not _asks(item)
        ]
        fitting = [pair for pair in scored if pair[0] >= 0.34]
        best = sorted(fitting, key=lambda pair: (-round(pair[0], 2), pair[1].closed, -pair[1].score))
        return [item for _, item in best]

    def states(self) -> list[Recalled]:
        """All facts and relations before the ghost, recalled ones first."""
        return [item for item in self._items if item.kind in _STATE_KINDS]

    def events(self) -> list[Recalled]:
        """What was said before, best first; questions and this very message left out."""
        now = fold(self.scene.user_text)
        events = [item for item in self._items if item.kind == "event" and item.text.strip()]
        return [item for item in events if not _asks(item) and fold(item.text) != now]

    def knowing(self, topic: Topic) -> list[Recalled]:
        """States that hold every word of a question not plainly about the user."""
        states = [item for item in self.answering(topic) if item.kind in _STATE_KINDS and not item.closed]
        return [item for item in states if self._match(topic, item, related=False) >= 1.0]

    def coming_to_mind(self, topic: Topic) -> list[Recalled]:
        """Memories worth bringing up unasked: of the same thing, not of this very moment, no questions."""
        narrow = Topic(topic.name, topic.nouns, topic.nouns, frozenset())
        fitting = [
            (self._match(narrow, item, related=False), item)
            for item in self._items
            if _tells(item)
            and item.kind != "task"
            and item.text
            and not self._fresh(item)
            and not _asks(item)
        ]
        best = sorted((p for p in fitting if p[0] > 0), key=lambda pair: (-pair[0], -pair[1].score))
        return [item for _, item in best]

    def _fresh(self, item: Recalled) -> bool:
        same = fold(item.text) == fold(self.scene.user_text)
        return same or (item.said_at > 0 and self.scene.now_ts - item.said_at < FRESH_SECONDS)

    def _match(self, topic: Topic, item: Recalled, *, related: bool) -> float:
        """Share of the topic's words that the memory has; 0 when it is about someone else."""
        # What the ghost itself said beside it is no memory of the user's.
        text = fold(item.text if item.text.strip() else item.reply_text)
        keys = content_keys(text, self._book) | content_keys(item.text, self._book)
        if fold(item.text) == fold(self.scene.user_text):
            return 0.0
        if not all(_has(key, keys, text) for key in topic.required):
            return 0.0
        if related and not self._same_attribute(topic, keys, text):
            return 0.0
        if not topic.keys:
            return self._weak_match(text)
        direct = sum(_has(key, keys, text) for key in topic.keys)
        if related and not direct:
            shared = groups_of(topic.keys, "", self._book) & groups_of(keys, text, self._book)
            return 0.35 if shared & _KINSHIP else 0.0
        bonus = 0.05 if item.kind in _STATE_KINDS else 0.0
        return direct / len(topic.keys) + (bonus if direct else 0.0)

    def _same_attribute(self, topic: Topic, keys: frozenset[str], text: str) -> bool:
        """Whose birthday, job or home was asked must be answered by just that, not by anything of theirs."""
        asked = groups_of(topic.keys, "", self._book) & _ATTRIBUTES
        return not asked or bool(asked & groups_of(keys, text, self._book))

    def _weak_match(self, text: str) -> float:
        """When only dull words were asked (`私の名前は?`), the few telling ones among them decide."""
        asked = fold(self.scene.user_text)
        weak = [word for word in self._book.cues.get("weak", ()) if word in asked]
        return 0.5 if weak and any(word in text for word in weak) else 0.0

    def speakable(self, item: Recalled, topic: Topic) -> Spoken:
        """The memory as speech: a state turned into talk where that is safe, else quoted."""
        spoken = self._state(item) if item.kind in _STATE_KINDS else None
        if spoken is not None:
            return spoken
        own = bool(item.text.strip())
        text = self._loop(item).text if item.kind == "task" else item.text if own else item.reply_text
        keys = {key for key in topic.keys if len(key) > 1} or set(topic.keys)
        cut = quote(text, self.scene.language, keys)
        return Spoken("quote" if own else "reply", {"quote": cut, **self._times(item)}, cut)

    def _loop(self, item: Recalled) -> Loop:
        return read_loop(item.text, self.scene.persona.second_person, self.scene.language)

    def moment(self, item: Recalled) -> int | None:
        """When the memory's matter happens: a task's day, else its about-time."""
        due = self._loop(item).due if item.kind == "task" else None
        return int(due.replace(tzinfo=self._zone).timestamp()) if due is not None else item.happened_at

    def _times(self, item: Recalled) -> dict[str, str]:
        """`when` as an adverb (`去年の夏に`), `then` as a noun (`去年の夏`)."""
        when = self.when(item)
        return {"when": when, "then": when.removesuffix("に")}

    def when(self, item: Recalled) -> str:
        if item.said_at <= 0:
            return "前に" if self.scene.language is Language.JA else "a while ago"
        return when_words(item.said_at, self.scene.now_ts, self._zone, self.scene.language)

    def _state(self, item: Recalled) -> Spoken | None:
        fills = self.clause(item.text)
        if fills is None:
            return None
        # A fact that does not say when it was told is told without a when.
        fills = {**fills, **(self._times(item) if item.said_at > 0 else {})}
        if not item.closed:
            return Spoken("state", fills, fills["state"])
        if not fills.get("past"):
            return None
        now = self._what_holds_now(item)
        form = "closed_now" if now else "closed"
        return Spoken(form, {**fills, "now": now}, fills["past"])

    def clause(self, body: str) -> dict[str, str] | None:
        """Blanks made of a state's body: `echo`, `state`, `past`."""
        if self.scene.language is Language.EN:
            # Retold with a lead of its own: better quoted than turned twice.
            stated = "" if body.startswith("You said:") else stated_clause(body)
            return {"state": stated, "echo": stated, "past": past_clause(body) or ""} if stated else None
        clause = state_clause(body, self.scene.persona.second_person)
        if clause is None:
            return None
        return {"state": clause.stated, "echo": clause.explaining, "past": clause.past_text}

    def _what_holds_now(self, closed: Recalled) -> str:
        """The active state that took the closed one's place, ready to be said; empty when none is known."""
        groups = {"home", "work"}
        old = content_keys(closed.text, self._book)
        old_groups = groups_of(old, fold(closed.text), self._book) & groups
        for item in self._items:
            if item.closed or item.kind not in _STATE_KINDS:
                continue
            keys = content_keys(item.text, self._book)
            if old_groups & groups_of(keys, fold(item.text), self._book):
                fills = self.clause(item.text)
                if fills is not None:
                    return fills["echo"]
        return ""


def stable_facts(scene: Scene) -> list[str]:
    """The pack's facts without its lines of tastes, which come as preferences."""
    return [text for text in scene.facts if not _TASTE_LINE.match(text)]


def _asks(item: Recalled) -> bool:
    """What was itself a question answers none."""
    return item.kind == "event" and bool(_ASKING.search(item.text))


def _tells(item: Recalled) -> bool:
    return item.kind in _STATE_KINDS or item.kind in {"event", "task"}


def _has(key: str, keys: frozenset[str], text: str) -> bool:
    if key in keys:
        return True
    if key.isascii():
        return stem_en(key) in keys
    # 引っ越す and 引っ越し share their stem; single characters must be words of their own.
    stem = key[:-1] if len(key) > 2 and re.search(r"[\u4e00-\u9fff].*[ぁ-ん]$", key) else key
    return len(stem) >= 2 and stem in text
