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
from cocoro_ghost.mind.embedded.meant import (
    asks_a_view,
    asks_in_words,
    denies_what_was_said,
    of_the_world,
    only_exclaims,
    plainly,
    wants_knowledge,
)
from cocoro_ghost.mind.embedded.phrases import day_named, hint, kind_of, lines_of, piece, say
from cocoro_ghost.mind.embedded.plain_words import Told
from cocoro_ghost.mind.embedded.said_back import changed, put_right
from cocoro_ghost.mind.embedded.voice import address
from cocoro_ghost.model.reading import HEAVY, Act, Reading, Slot
from cocoro_ghost.model.scene import Language, Occasion, PastTurn, Scene

GLOOMY = -0.2
_A_DAY, _AN_HOUR = 86_400, 3_600
_QUOTABLE = 40
_FEW, _LATELY = 1, 3
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
    if denies_what_was_said(scene, reading):
        return say(scene, "denied")
    if due := [when for r in reading.reminders if (when := _when(r.content, r.at, scene))]:
        return say(scene, "reminded", items=joined(due, scene.language))
    if reading.reminders and len(reading.sentences) == 1:
        return say(scene, "remind_when")
    return _put_right(scene, told) if reading.corrections else ""


def _put_right(scene: Scene, told: Told) -> str:
    named = put_right(told)
    if named is None:
        return ""
    if named:
        return say(scene, "corrected", items=joined(named, scene.language))
    # That something was put right, without what, is said to who says so in words.
    return say(scene, "fixed") if cue(scene.user_text, scene.language.value, "correct_cues") else ""


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
    sure = asks_in_words(reading)
    if question is None or only_exclaims(reading) or (reading.tone in HEAVY and not sure):
        return ""
    if known := _of_the_calendar(scene, reading):
        return known
    if asks_a_view(question, reading):
        return say(scene, "no_view")
    if question.about in {"ghost", "world"} or of_the_world(reading):
        return "" if cue(reading.text, code, "you_cues") else remembered(question, scene, told.zone)
    # What may be no question at all is answered where the answer is known, and else not with "never told".
    return answer(question, scene, told.zone) if sure else remembered(question, scene, told.zone)


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
    named = [one for one in found.named if not _just_named(one, scene)]
    if named and not (met and _complains(reading)):
        said = say(scene, "learned", items=joined(named[:3], scene.language))
        return f"{met}{'' if scene.language is Language.JA else ' '}{said}".strip()
    kind = "done" if found.done else "noted" if found.kept else "ended" if found.ended else ""
    if not kind or met:
        return met if kind else ""
    return "" if _left_unsaid(scene, reading, kind) else say(scene, kind)


def _left_unsaid(scene: Scene, reading: Reading, kind: str) -> bool:
    """Of a longer story the end of a plan is the least, and what weighs is not filed aloud."""
    return (kind == "done" and len(reading.sentences) > _FEW) or _weighs(reading) or just_mourned(scene)


def _complains(reading: Reading) -> bool:
    """A complaint of somebody is met; that they were named is kept without a word."""
    return reading.tone in HEAVY and not any(claim.slot is Slot.PLAN for claim in reading.claims)


def _just_named(item: str, scene: Scene) -> bool:
    """What was said back a moment ago needs no saying again."""
    return any(item in turn.assistant_text for turn in scene.history[-_LATELY:])


# -- the rest --


def _felt(scene: Scene, reading: Reading) -> str:
    if reading.asks or is_light(reading):
        return ""
    if plainly(reading, Act.INSULT):
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
    if question is not None and question.about == "ghost" and not of_the_world(reading):
        return _about_ghost(scene, reading)
    if not wants_knowledge(reading):
        return ""
    if _asks_how(reading):
        return say(scene, "ghost_feel")
    told_today = any(
        hint(scene.language) in turn.assistant_text and scene.now_ts - turn.created_at < _A_DAY
        for turn in scene.history
    )
    return say(scene, "cannot" if told_today else "cannot_hint")


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
    if plainly(reading, Act.GREET):
        return say(scene, kind_of(scene.language, "greetings", reading.text, "greet"))
    return say(scene, "thank") if plainly(reading, Act.THANK) else ""


def _listens(scene: Scene, reading: Reading) -> str:
    """Nothing to do or to answer: a few words."""
    code = reading.language.value
    for section, kind in (("asks_leave", "go_on"), ("laughs", "laugh"), ("wonders", "no_view")):
        if any(cue(line.text, code, section) for line in reading.sentences[-1:]):
            return say(scene, kind)
    gloomy = reading.feeling.vad.v < GLOOMY
    return say(scene, "listen" if not gloomy else "beside" if just_mourned(scene) else "hush")


def _after_care(scene: Scene, reading: Reading) -> str:
    """Gentle for a while after a hard word, whatever is said that needs no answer."""
    if reading.asks or reading.acts & {Act.FAREWELL, Act.GREET, Act.THANK, Act.REQUEST, Act.INSULT}:
        return ""
    lately = (turn for turn in scene.history[-2:] if scene.now_ts - turn.created_at < _AN_HOUR)
    return say(scene, "after_care") if any(_cared(turn, scene, reading) for turn in lately) else ""


def _cared(turn: PastTurn, scene: Scene, reading: Reading) -> bool:
    """Who was asked about a mere hint and talks of something else need not be comforted."""
    kinds = ("care", "care_ask") if _weighs(reading) else ("care",)
    return any(line in turn.assistant_text for kind in kinds for line in lines_of(scene, kind))


def _with_greeting(said: str, scene: Scene, reading: Reading) -> str:
    """A message that greets and tells is greeted first."""
    first = reading.sentences[0] if reading.sentences else None
    greets = first is not None and cue(first.text, reading.language.value, "greet")
    if first is None or not greets or first.acts[:1] != (Act.GREET,) or len(reading.sentences) < 2:
        return said
    joint = "" if scene.language is Language.JA else " "
    return f"{say(scene, kind_of(scene.language, 'greetings', first.text, 'greet'))}{joint}{said}"
