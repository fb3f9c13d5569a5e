"""What the keeper says. It is honest about what it is: a keeper of memory, not a conversation partner.

First that applies: care · something was done · a question about the person or the past · something learned ·
a feeling · a question about the world · a few words to show that it listens.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, tzinfo

from cocoro_ghost.language import read
from cocoro_ghost.language.beings import beings_of
from cocoro_ghost.language.help_lines import help_for
from cocoro_ghost.language.read.cues import cue, stripped
from cocoro_ghost.mind.embedded import occasions
from cocoro_ghost.mind.embedded.answer import answer, remembered
from cocoro_ghost.mind.embedded.bad_news import FELT, felt, is_light, just_mourned, mourned, word_for
from cocoro_ghost.mind.embedded.forgot import forgot, forgot_which
from cocoro_ghost.mind.embedded.known import joined
from cocoro_ghost.mind.embedded.phrases import day_named, hint, kind_of, lines_of, piece, say
from cocoro_ghost.mind.embedded.plain_words import Told
from cocoro_ghost.mind.embedded.said_back import changed, put_right
from cocoro_ghost.mind.embedded.voice import address
from cocoro_ghost.model.reading import HEAVY, Act, Reading
from cocoro_ghost.model.scene import Language, Occasion, PastTurn, Scene

GLOOMY = 0.2
_A_DAY, _AN_HOUR = 86_400, 3_600
_ASKS = frozenset({Act.ASK_WORLD, Act.ASK_ME, Act.ASK_PAST})
_MARKS = " ?？!！。…〜~w笑"
_QUOTABLE = 40
_HOUR_FIRST = re.compile(r"^[^,、]{0,12}(?:\d|時)[^,、]{0,6}[,、]\s*")


def compose(scene: Scene, zone: tzinfo | None) -> str:
    """The whole utterance for a scene."""
    if scene.occasion is not Occasion.CHAT:
        return occasions.line(scene)
    reading = scene.reading or _read(scene)
    # The person is answered in the language they spoke.
    scene = replace(scene, language=reading.language) if reading.text.strip() else scene
    if reading.distress is not None and reading.distress.sure:
        return care(scene)
    said = _answered(scene, reading, zone)
    # One question is enough: not after one of its own, and none on top of bad news.
    if not scene.ask or said.rstrip().endswith(("？", "?")) or _weighs(reading):
        return said
    return f"{said}{'' if scene.language is Language.JA else ' '}{scene.ask}"


def _answered(scene: Scene, reading: Reading, zone: tzinfo | None) -> str:
    shown = occasions.picture(scene, asked=reading.asks)
    if shown:
        return shown
    told = told_by(scene, reading, zone)
    for step in (_done, _asked, _hinted, mourned, _learned):
        if said := step(scene, reading, told):
            return _with_greeting(said, scene, reading)
    steps = (_after_care, _felt, _world, _social, _listens)
    return next(said for step in steps if (said := step(scene, reading)))


def _weighs(reading: Reading) -> bool:
    """Bad news, told as such or plain to see."""
    return reading.tone in HEAVY or reading.feeling.vad.v <= -FELT


def _read(scene: Scene) -> Reading:
    before = [turn.assistant_text for turn in scene.history[-1:]]
    now, known = datetime.fromisoformat(scene.now_local[:19]), beings_of(scene.told)
    return read(scene.user_text, now=now, before=before, known=known)


def told_by(scene: Scene, reading: Reading, zone: tzinfo | None) -> Told:
    """The same material growing will have: what is said is what is stored."""
    you = address(reading.language, scene.persona.second_person)
    liked = tuple((p.polarity.value, p.domain, p.subject) for p in scene.preferences)
    return Told(reading, scene.seed, you, scene.told, zone, liked)


def care(scene: Scene) -> str:
    """Warm and short: heard, whether the person is safe, and where help is."""
    found = scene.care or help_for(scene.language)
    lines = [f"{line.name} {line.number}" for line in found.lines[:2]]
    joint = "" if scene.language is Language.JA else " "
    help_text = say(scene, "help", items=joined(lines, scene.language)) if lines else found.text
    return f"{say(scene, 'care')}{joint}{help_text}".strip()


def _hinted(scene: Scene, reading: Reading, _: Told) -> str:
    """What may be a hint of distress is asked about, and not filed."""
    return say(scene, "care_ask") if reading.distress is not None else ""


# -- something was done --


def _done(scene: Scene, reading: Reading, told: Told) -> str:
    if reading.forgets:
        said = forgot(scene, reading)
        # Who denies one thing and says how it is hears both.
        true = _learned(scene, reading, told) if Act.DENY in reading.acts else ""
        return f"{said}{'' if scene.language is Language.JA else ' '}{true}".strip()
    if said := forgot_which(scene):
        return said
    if Act.DENY in reading.acts and not reading.corrections:
        return say(scene, "denied")
    if reading.reminders:
        due = [_when(r.content, r.at, scene) for r in reading.reminders]
        return say(scene, "reminded", items=joined(due, scene.language))
    return _put_right(scene, told) if reading.corrections else ""


def _put_right(scene: Scene, told: Told) -> str:
    named = put_right(told)
    if named is None:
        return ""
    return say(scene, "corrected", items=joined(named, scene.language)) if named else say(scene, "fixed")


def _when(content: str, at: datetime | None, scene: Scene) -> str:
    """When it will be told; and what, in the words that stand in the message, without the hour it names."""
    content = _HOUR_FIRST.sub("", content)
    exact = content if content in scene.user_text and len(content) <= _QUOTABLE else ""
    if at is None:
        return exact and piece(scene.language, "note", note=exact)
    day = {"month": at.month, "month_name": f"{at:%b}", "day": at.day, "clock": f"{at:%H:%M}"}
    return piece(scene.language, "at" if exact else "at_time", items=exact, **day)


# -- questions --


def _asked(scene: Scene, reading: Reading, told: Told) -> str:
    question, code = reading.question, reading.language.value
    if question is None or _only_exclaims(reading):
        return ""
    if known := _of_the_calendar(scene, reading):
        return known
    if question.about in {"ghost", "world"}:
        return "" if cue(reading.text, code, "you_cues") else remembered(question, scene, told.zone)
    return answer(question, scene, told.zone)


def _of_the_calendar(scene: Scene, reading: Reading) -> str:
    """今日は何日？, what time is it: where nothing else is asked after, 明日の会議は何時？"""
    code, now = reading.language.value, datetime.fromisoformat(scene.now_local[:19])
    days = [p for p in reading.times if p.start is not None and p.start == p.end]
    for section in ("asks_today", "asks_clock"):
        if not cue(reading.text, code, section):
            continue
        rest = stripped(reading.text, code, section)
        for period in days if section == "asks_today" else ():
            rest = rest.replace(period.text, " ")
        if stripped(rest, code, "now_fillers"):
            continue
        if section == "asks_clock":
            return say(scene, "clock", items=f"{now:%H:%M}")
        asked = next((p.start for p in days if p.start is not None), now.date())
        return say(scene, "today" if asked == now.date() else "day", items=day_named(asked, scene.language))
    return ""


# -- learned --


def _learned(scene: Scene, reading: Reading, told: Told) -> str:
    """News is met first; then what was understood is said back, or just that it is kept."""
    found, met = changed(told), word_for(scene, reading)
    if found.named:
        said = say(scene, "learned", items=joined(found.named[:3], scene.language))
        return f"{met}{'' if scene.language is Language.JA else ' '}{said}".strip()
    if not (found.done or found.ended or found.kept):
        return ""
    return met or say(scene, "done" if found.done else "noted" if found.kept else "ended")


# -- the rest --


def _felt(scene: Scene, reading: Reading) -> str:
    if reading.asks or is_light(reading):
        return ""
    if Act.INSULT in reading.acts:
        return say(scene, "insult")
    said = felt(scene, reading)
    return _with_farewell(said, scene, reading) if said else ""


def _with_farewell(said: str, scene: Scene, reading: Reading) -> str:
    """Who is tired and says good night is wished one too."""
    if Act.FAREWELL not in reading.acts:
        return said
    joint = "" if scene.language is Language.JA else " "
    return f"{said}{joint}{say(scene, kind_of(scene.language, 'farewells', reading.text, 'farewell'))}"


def _world(scene: Scene, reading: Reading) -> str:
    question = reading.question
    if question is not None and question.about == "ghost":
        return _about_ghost(scene, reading)
    if not _wants_knowledge(reading):
        return ""
    if _asks_how(reading):
        return say(scene, "ghost_feel")
    told_today = any(
        hint(scene.language) in turn.assistant_text and scene.now_ts - turn.created_at < _A_DAY
        for turn in scene.history
    )
    return say(scene, "cannot" if told_today else "cannot_hint")


def _only_exclaims(reading: Reading) -> bool:
    """は？ってなった, ひどくない？, 何着てこっかな: no answer is looked for."""
    code = reading.language.value
    asking = [line.text.strip(_MARKS) for line in reading.sentences if line.acts[0] in _ASKS]
    return bool(asking) and all(len(one) <= 1 or cue(one, code, "to_oneself") for one in asking)


def _wants_knowledge(reading: Reading) -> bool:
    """Asks of the world or gives a task in so many words; who tells something, muses or exclaims does not."""
    code = reading.language.value
    if reading.claims or reading.tastes or reading.tone in HEAVY or _only_exclaims(reading):
        return False
    for line in reading.sentences:
        if line.acts[0] is Act.REQUEST and (
            cue(line.text, code, "task_form") or cue(line.text, code, "request")
        ):
            return True
        if line.acts[0] is Act.ASK_WORLD and (
            cue(line.text, code, "asking_words") or not cue(line.text, code, "muses")
        ):
            return True
    return False


def _asks_how(reading: Reading) -> bool:
    return bool(cue(f"{reading.text}?", reading.language.value, "ghost_feel"))


def _about_ghost(scene: Scene, reading: Reading) -> str:
    if _asks_how(reading):
        return say(scene, "ghost_feel")
    question = reading.question
    if (
        question is not None
        and question.slot is not None
        and question.slot.value == "name"
        and scene.persona.name
    ):
        return say(scene, "ghost_name", name=scene.persona.name)
    return say(scene, "ghost")


def _social(scene: Scene, reading: Reading) -> str:
    acts = reading.acts
    if Act.FAREWELL in acts:
        return say(scene, kind_of(scene.language, "farewells", reading.text, "farewell"))
    if Act.GREET in acts:
        return say(scene, kind_of(scene.language, "greetings", reading.text, "greet"))
    return say(scene, "thank") if Act.THANK in acts else ""


def _listens(scene: Scene, reading: Reading) -> str:
    """Nothing to do or to answer: a few words."""
    if cue(reading.text, reading.language.value, "laughs"):
        return say(scene, "laugh")
    if reading.feeling.vad.v < GLOOMY and just_mourned(scene):
        return say(scene, "beside")
    return say(scene, "listen")


def _after_care(scene: Scene, reading: Reading) -> str:
    """Gentle for a while after a hard word, whatever is said that needs no answer."""
    if reading.asks or reading.acts & {Act.FAREWELL, Act.GREET, Act.THANK, Act.REQUEST, Act.INSULT}:
        return ""
    lately = (turn for turn in scene.history[-2:] if scene.now_ts - turn.created_at < _AN_HOUR)
    return say(scene, "after_care") if any(_cared(turn, scene) for turn in lately) else ""


def _cared(turn: PastTurn, scene: Scene) -> bool:
    return any(line in turn.assistant_text for kind in ("care", "care_ask") for line in lines_of(scene, kind))


def _with_greeting(said: str, scene: Scene, reading: Reading) -> str:
    """A message that greets and tells is greeted first."""
    first = reading.sentences[0] if reading.sentences else None
    if first is None or first.acts[:1] != (Act.GREET,) or len(reading.sentences) < 2:
        return said
    joint = "" if scene.language is Language.JA else " "
    return f"{say(scene, kind_of(scene.language, 'greetings', first.text, 'greet'))}{joint}{said}"
