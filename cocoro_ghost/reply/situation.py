"""The situation a turn begins in, read in one snapshot, and the scene that grows out of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import tzinfo

from cocoro_ghost.clock import local, local_iso
from cocoro_ghost.language import read
from cocoro_ghost.language.beings import beings_of
from cocoro_ghost.mind.arrange import HISTORY_BLOCK
from cocoro_ghost.model.care import Help
from cocoro_ghost.model.event import Event
from cocoro_ghost.model.heard import Heard
from cocoro_ghost.model.pack import MemoryPack
from cocoro_ghost.model.preference import Polarity, Preference
from cocoro_ghost.model.reading import Reading
from cocoro_ghost.model.record import WhichMemory
from cocoro_ghost.model.scene import (
    Language,
    Mood,
    Occasion,
    PastTurn,
    Persona,
    Recalled,
    Scene,
)
from cocoro_ghost.model.state import State
from cocoro_ghost.store import events, guesses, states, undo
from cocoro_ghost.store.guesses import Guess
from cocoro_ghost.store.ports import Reader

TOLD = 200
_CHARS = 40
_WHICH = {
    Language.JA: "さっき「違う」と言ったのは、{items}のどれのこと？",
    Language.EN: "When you said that was not it, which did you mean: {items}?",
}
_GUESS = {
    (Language.JA, Polarity.LIKE): "ところで、{subject}は好き？",
    (Language.JA, Polarity.DISLIKE): "ところで、{subject}は苦手？",
    (Language.EN, Polarity.LIKE): "By the way, do you like {subject}?",
    (Language.EN, Polarity.DISLIKE): "By the way, do you dislike {subject}?",
}
_HELD = {Language.JA: "ところで、{body}で合ってる？", Language.EN: "By the way, is this right: {body}?"}


def _may_be_asked(words: str) -> bool:
    """Short, and no note in the person's own words: those are asked back as they stand by nobody."""
    return len(words) <= _CHARS and "：" not in words


@dataclass(frozen=True, slots=True)
class Asking:
    """At most one question beside an answer."""

    which: WhichMemory | None = None
    guess: Guess | None = None

    def words(self, language: Language) -> str:
        if self.which is not None:
            items = [_short(text, language) for text in self.which.texts]
            joint = "、" if language is Language.JA else ", "
            return _WHICH[language].format(items=joint.join(items))
        if isinstance(self.guess, Preference):
            return _GUESS[language, self.guess.polarity].format(subject=self.guess.subject)
        return (
            "" if self.guess is None else _HELD[language].format(body=_short(self.guess.body_text, language))
        )


@dataclass(frozen=True, slots=True)
class Situation:
    """`event_id` is 0 when nothing is stored of this turn."""

    event_id: int
    now: int
    history: tuple[PastTurn, ...]
    last_chat_at: int | None
    mood: Mood | None
    told: tuple[State, ...] = ()
    """The same and what is over, as states: questions by slot are answered from them."""
    asking: Asking = field(default_factory=Asking)
    attempt: int = 0
    """How often this event was answered before: another reply is not the same words again."""


def read_situation(
    reader: Reader,
    event_id: int,
    now: int,
    history_turns: int,
    mood: Mood | None,
    conversation: str = "main",
    *,
    anew: bool = False,
) -> Situation:
    """How things stood before the event (before now when there is none)."""
    before = event_id or None
    last = events.last_chat(reader, before=before)
    found = events.finished_chats(reader, history_turns + 1, conversation, before=before)
    turns = _in_blocks(found, history_turns)
    return Situation(
        event_id=event_id,
        now=now,
        history=tuple(PastTurn(e.user_text or "", e.assistant_text or "", e.created_at) for e in turns),
        last_chat_at=None if last is None else last.created_at,
        mood=mood,
        told=tuple(states.told(reader, TOLD)),
        asking=read_asking(reader, event_id),
        attempt=1 + len(events.older_replies(reader, event_id)) if anew else 0,
    )


def read_heard(situation: Situation, heard: Heard, zone: tzinfo | None) -> Reading | None:
    """What the message says, once for every mind; what an app or the ghost itself says is not read."""
    if heard.unasked is not None:
        return None
    now = local(situation.now, zone).replace(tzinfo=None)
    before = [turn.assistant_text for turn in situation.history[-1:]]
    return read(heard.text, now=now, before=before, known=beings_of(situation.told))


def read_asking(reader: Reader, event_id: int) -> Asking:
    """An open question first; else one candidate, another each time; nothing where no turn is kept."""
    if not event_id:
        return Asking()
    which = undo.open_question(reader)
    if which is not None and event_id > which.denial_event_id:
        return Asking(which=which)
    if not guesses.may_be_asked_in(event_id):
        return Asking()
    # What does not fit whole into the question is not asked about: half of it may be something else.
    waiting = [one for one in guesses.waiting(reader) if _may_be_asked(guesses.words_of(one))]
    return Asking(guess=waiting[event_id // guesses.RARELY % len(waiting)]) if waiting else Asking()


def _short(text: str, language: Language) -> str:
    plain = " ".join(text.split())
    cut = plain if len(plain) <= _CHARS else plain[: _CHARS - 1] + "…"
    return f"「{cut}」" if language is Language.JA else f'"{cut}"'


_GO_ON = {Language.JA: "（今の続きを話して）", Language.EN: "(Go on with what you were saying.)"}


def _talk_so_far(situation: Situation, heard: Heard) -> tuple[PastTurn, ...]:
    """What is stored of the talk, or what the client sent of it; a reply to go on with comes last."""
    turns = situation.history if heard.history is None else heard.history
    if not heard.continues:
        return turns
    return (*turns, PastTurn(heard.text, heard.continues, situation.now))


def _in_blocks(turns: Sequence[Event], limit: int) -> Sequence[Event]:
    """The newest turns, at most so many. They leave at the front block by block, for between two such leaps
    a prompt begins with the same words and a provider's cache can keep them."""
    if len(turns) <= limit:
        return turns
    block = max(1, min(HISTORY_BLOCK, limit // 2))
    gone = turns[0].event_id // block
    return [turn for turn in turns[1:] if turn.event_id // block != gone]


def set_scene(
    situation: Situation,
    heard: Heard,
    *,
    recalled: tuple[Recalled, ...],
    pack: MemoryPack,
    seen: tuple[str, ...],
    persona: Persona,
    language: Language,
    zone: tzinfo | None,
    reading: Reading | None = None,
    care: Help | None = None,
) -> Scene:
    """Everything the ghost has before it when it speaks; out of memory exactly what the pack tells."""
    then, now, unasked = situation.last_chat_at, situation.now, heard.unasked
    return Scene(
        occasion=Occasion.CHAT if unasked is None else unasked.occasion,
        language=language,
        persona=persona,
        now_ts=now,
        now_local=local_iso(now, zone),
        user_text=_GO_ON[language] if heard.continues else heard.text,
        source_system=None if unasked is None else unasked.source_system,
        gap_seconds=None if then is None else max(0, now - then),
        gap_words=None if then is None else gap_words(then, now, zone, language),
        history=_talk_so_far(situation, heard),
        recalled=recalled,
        preferences=pack.preferences,
        facts=pack.facts,
        narrative=pack.narrative,
        open_loops=pack.open_loops,
        mood=situation.mood,
        image_summaries=seen,
        memory_pack=pack.text,
        attached=heard.attached,
        # Lines of one's own accord vary even where no event is kept yet.
        seed=situation.attempt + (situation.event_id or (0 if unasked is None else now)),
        extra={} if unasked is None else dict(unasked.extra),
        reading=reading,
        care=care,
        told=situation.told,
        # Who is in distress is not asked about tastes.
        ask="" if unasked is not None or care is not None else situation.asking.words(language),
    )


MINUTE, HOUR = 60, 3600


def gap_words(then: int, now: int, zone: tzinfo | None, language: Language) -> str:
    """さっき, 数分前, 昨日, 3か月前 … / a moment ago, a few minutes ago, yesterday, 3 months ago …"""
    passed = max(0, now - then)
    days = (local(now, zone).date() - local(then, zone).date()).days
    if passed < 6 * HOUR or days <= 0:
        return _within_a_day(passed, language)
    return _japanese_days(days) if language is Language.JA else _english_days(days)


def _within_a_day(passed: int, language: Language) -> str:
    japanese = language is Language.JA
    if passed < 2 * MINUTE:
        return "さっき" if japanese else "a moment ago"
    if passed < 10 * MINUTE:
        return "数分前" if japanese else "a few minutes ago"
    if passed < HOUR:
        tens = passed // (10 * MINUTE) * 10
        return f"{tens}分くらい前" if japanese else f"about {tens} minutes ago"
    hours = passed // HOUR
    return f"{hours}時間くらい前" if japanese else _counted(hours, "hour")


def _japanese_days(days: int) -> str:
    if days <= 2:
        return "昨日" if days == 1 else "おととい"
    if days < 14:
        return f"{days}日前"
    if days < 60:
        return f"{days // 7}週間前"
    if days < 365:
        return f"{days // 30}か月前"
    return f"{days // 365}年前"


def _english_days(days: int) -> str:
    if days == 1:
        return "yesterday"
    if days < 14:
        return _counted(days, "day")
    if days < 60:
        return _counted(days // 7, "week")
    if days < 365:
        return _counted(days // 30, "month")
    return _counted(days // 365, "year")


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'} ago"
