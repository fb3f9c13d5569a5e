"""What the keeper says. It is honest about what it is: a keeper of memory, not a conversation partner.

First that applies: care · something was done · a question about the person or the past · something learned ·
a feeling · a question about the world · a few words to show that it listens.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, tzinfo

from cocoro_ghost.language import read
from cocoro_ghost.language.beings import beings_of
from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.language.help_lines import help_for
from cocoro_ghost.language.read.cues import cue, stripped
from cocoro_ghost.mind.embedded import occasions
from cocoro_ghost.mind.embedded.answer import answer, remembered
from cocoro_ghost.mind.embedded.bad_news import FELT, felt, is_light, just_mourned, mourned, word_for
from cocoro_ghost.mind.embedded.forgot import forgot, forgot_which
from cocoro_ghost.mind.embedded.known import joined
from cocoro_ghost.mind.embedded.liked_answers import liking
from cocoro_ghost.mind.embedded.phrases import bare, day_named, hint, kind_of, lines_of, piece, say
from cocoro_ghost.mind.embedded.plain_words import Told, preference_updates, state_updates
from cocoro_ghost.mind.embedded.voice import address
from cocoro_ghost.model.answers import PreferenceUpdate, StateUpdate
from cocoro_ghost.model.preference import Domain
from cocoro_ghost.model.reading import HEAVY, Act, Reading, Slot
from cocoro_ghost.model.scene import Language, Occasion, PastTurn, Scene
from cocoro_ghost.model.state import StateKind

GLOOMY = 0.2
_A_DAY, _AN_HOUR = 86_400, 3_600
_SAID_WHOLE = 90
"""So short a note is said back in full: what was kept is plain."""


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
        said = step(scene, reading, told)
        if said:
            met = said if step in (mourned, _hinted) else _with_sympathy(said, scene, reading)
            return _with_greeting(met, scene, reading)
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
    return _put_right(scene, reading, told) if reading.corrections else ""


def _put_right(scene: Scene, reading: Reading, told: Told) -> str:
    span = reading.corrections[0].span
    updates = [u for u in state_updates(told) if u.op == "upsert"]
    if updates and all(u.kind is StateKind.TASK and u.state_id is None for u in updates):
        return ""  # a plan nobody knew of: nothing was put right
    tastes = [u for u in preference_updates(told) if u.op == "confirm"]
    items = [
        *(_note(u, told) for u in updates[:2]),
        *(liking(u.subject, u.polarity, scene.language) for u in tastes[:1]),
    ]
    return _told_right([item for item in items if item], scene) if items and span else ""


def _told_right(items: Sequence[str], scene: Scene) -> str:
    return say(scene, "corrected", items=joined(items, scene.language)) if items else say(scene, "noted")


def _when(content: str, at: datetime | None, scene: Scene) -> str:
    if at is None:
        return content
    day = {"month": at.month, "month_name": f"{at:%b}", "day": at.day, "clock": f"{at:%H:%M}"}
    return piece(scene.language, "at", items=content, **day)


# -- questions --


def _asked(scene: Scene, reading: Reading, told: Told) -> str:
    question, code = reading.question, reading.language.value
    if question is None:
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
    found = _learnable(told)
    if found["learned"] == [""]:
        return say(scene, "noted")
    found = {kind: [item for item in items if item] for kind, items in found.items()}
    # What took the place of something else tells that it did.
    first = ("learned", "ended") if found["learned"] else ("ended",)
    for kind in ("done", *first, "ended_taste", "doubtful"):
        if found[kind]:
            most = 3 if kind == "learned" else 2
            return say(scene, kind.removesuffix("_taste"), items=joined(found[kind][:most], scene.language))
    return ""


def _learnable(told: Told) -> dict[str, list[str]]:
    """What a message changes in memory, as it is said back, by the kind of sentence that tells it."""
    updates, tastes, language = state_updates(told), preference_updates(told), told.reading.language
    firm = [u for u in tastes if u.op == "confirm"]
    sure = [u for u in firm if u.domain is not Domain.STYLE]
    kept = {fold_key(u.subject) for u in sure}
    # What was never known as liked cannot be over.
    known = {fold_key(subject) for _, _, subject in told.liked}
    gone = [u for u in tastes if u.op == "revoke" and fold_key(u.subject) in known - kept]
    style = [piece(language, "style", items=u.subject) for u in firm if u.domain is Domain.STYLE]

    def notes(op: str) -> list[str]:
        here = [update for update in updates if update.op == op]
        # Own words are said back where nothing else is.
        slots = [update for update in here if update.payload.get("about") != Slot.NOTE.value]
        found = [_note(_as_known(update, told), told) for update in slots or here]
        return sorted(dict.fromkeys(found), key=bool, reverse=True)

    return {
        "done": notes("mark_done"),
        "ended": notes("close"),
        "learned": [*notes("upsert"), *_likings(sure, language), *style],
        "ended_taste": [liking(u.subject, u.polarity, language) for u in gone],
        "doubtful": _likings([u for u in tastes if u.op == "upsert_candidate"], language),
    }


def _likings(tastes: Sequence[PreferenceUpdate], language: Language) -> list[str]:
    """One phrase a polarity: `ラーメンとカレーが好き`."""
    found = []
    for polarity in dict.fromkeys(taste.polarity for taste in tastes):
        subjects = [taste.subject for taste in tastes if taste.polarity is polarity][:3]
        named = "と".join(subjects) if language is Language.JA else joined(subjects, language)
        found.append(liking(named, polarity, language))
    return found


def _as_known(update: StateUpdate, told: Told) -> StateUpdate:
    """What ends is called as what it was: 彼氏の健吾のこと."""
    ends = update.op in {"close", "mark_done"}
    state = next((s for s in told.known if ends and s.state_id == update.state_id), None)
    return update.model_copy(update={"payload": dict(state.payload)}) if state is not None else update


def _note(update: StateUpdate, told: Told) -> str:
    """A state as it is said back: short, in the keeper's words."""
    language, payload = told.reading.language, update.payload
    role, name = str(payload.get("role", "")), str(payload.get("name", ""))
    whole = bare(update.body_text, told.you, language)
    if language is Language.EN and len(whole) <= _SAID_WHOLE:
        return whole
    if role or name:
        which = "role_name" if role and name else "role" if role else "name"
        return piece(language, which, role=role, name=name)
    if payload.get("about") == Slot.NOTE.value:
        topic = str(payload["value"])
        plain = re.fullmatch(r"[一-龥ァ-ヶー々\w]*[一-龥ァ-ヶー々A-Za-z]", topic)
        return piece(language, "label", label=topic) if plain else ""
    label, mark, _ = update.body_text.partition("：")
    if mark and label.startswith(told.you):
        own = bare(label, told.you, language).removeprefix(f"{told.you}が").removeprefix(told.you)
        own = own or piece(language, "just_said")
        return own if own.endswith("こと") else piece(language, "label", label=own)
    return whole


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
    if question is None and Act.REQUEST not in reading.acts:
        return ""
    code = reading.language.value
    if cue(reading.text, code, "muses") and not cue(reading.text, code, "asking_words"):
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
    if Act.GREET in acts:
        return say(scene, kind_of(scene.language, "greetings", reading.text, "greet"))
    return say(scene, "thank") if Act.THANK in acts else ""


def _listens(scene: Scene, reading: Reading) -> str:
    """Nothing to do or to answer: a few words."""
    if cue(reading.text, reading.language.value, "laughs"):
        return say(scene, "laugh")
    if reading.feeling.vad.v < GLOOMY and just_mourned(scene):
        return say(scene, "beside")
    # What weighs a little and gave no other answer is met, not waved on.
    return say(scene, "hears" if reading.feeling.vad.v <= -GLOOMY else "listen")


def _after_care(scene: Scene, reading: Reading) -> str:
    """Gentle for a while after a hard word, whatever is said that needs no answer."""
    if reading.asks or reading.acts & {Act.FAREWELL, Act.GREET, Act.THANK, Act.REQUEST, Act.INSULT}:
        return ""
    lately = (turn for turn in scene.history[-2:] if scene.now_ts - turn.created_at < _AN_HOUR)
    return say(scene, "after_care") if any(_cared(turn, scene) for turn in lately) else ""


def _cared(turn: PastTurn, scene: Scene) -> bool:
    return any(line in turn.assistant_text for kind in ("care", "care_ask") for line in lines_of(scene, kind))


def _with_sympathy(said: str, scene: Scene, reading: Reading) -> str:
    """What was learned from news is not said back without a word for it."""
    return f"{word_for(scene, reading)}{'' if scene.language is Language.JA else ' '}{said}".strip()


def _with_greeting(said: str, scene: Scene, reading: Reading) -> str:
    """A message that greets and tells is greeted first."""
    first = reading.sentences[0] if reading.sentences else None
    if first is None or first.acts[:1] != (Act.GREET,) or len(reading.sentences) < 2:
        return said
    joint = "" if scene.language is Language.JA else " "
    return f"{say(scene, kind_of(scene.language, 'greetings', first.text, 'greet'))}{joint}{said}"
