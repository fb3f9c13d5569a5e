"""What the keeper says. It is honest about what it is: a keeper of memory, not a conversation partner.

First that applies: care · something was done · a question about the person or the past · something learned ·
a feeling · a question about the world · a few words to show that it listens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, tzinfo

from cocoro_ghost.language import read
from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.language.help_lines import help_for
from cocoro_ghost.mind.embedded import occasions
from cocoro_ghost.mind.embedded.answer import answer, joined, liking
from cocoro_ghost.mind.embedded.plan import Told, preference_updates, state_updates
from cocoro_ghost.mind.embedded.voice import address
from cocoro_ghost.mind.embedded.wording import bare, hint, say
from cocoro_ghost.model.answers import PreferenceUpdate, StateUpdate
from cocoro_ghost.model.preference import Domain
from cocoro_ghost.model.reading import Act, Reading
from cocoro_ghost.model.scene import Language, Occasion, Scene

FELT = 0.35
SORE = 0.5
"""From here on bad news is met with a word of its own."""
_A_DAY = 86_400


def compose(scene: Scene, zone: tzinfo | None) -> str:
    """The whole utterance for a scene."""
    if scene.occasion is not Occasion.CHAT:
        return occasions.line(scene)
    reading = scene.reading or _read(scene)
    # The person is answered in the language they spoke.
    scene = replace(scene, language=reading.language) if reading.text.strip() else scene
    if reading.distress is not None:
        return care(scene)
    said = _answered(scene, reading, zone)
    # One question is enough: not after one of its own.
    if not scene.ask or said.rstrip().endswith(("？", "?")):
        return said
    return f"{said}{'' if scene.language is Language.JA else ' '}{scene.ask}"


def _answered(scene: Scene, reading: Reading, zone: tzinfo | None) -> str:
    shown = occasions.picture(scene, asked=reading.asks)
    if shown:
        return shown
    told = told_by(scene, reading, zone)
    for step in (_done, _asked, _learned):
        said = step(scene, reading, told)
        if said:
            return _with_greeting(_with_sympathy(said, scene, reading), scene, reading)
    return _felt(scene, reading) or _world(scene, reading) or _social(scene, reading)


def _read(scene: Scene) -> Reading:
    before = [turn.assistant_text for turn in scene.history[-1:]]
    return read(scene.user_text, now=datetime.fromisoformat(scene.now_local[:19]), before=before)


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


# -- something was done --


def _done(scene: Scene, reading: Reading, told: Told) -> str:
    if reading.forgets:
        return _forgot(scene, reading)
    if Act.DENY in reading.acts and not reading.corrections:
        return say(scene, "denied")
    if reading.reminders:
        return say(
            scene,
            "reminded",
            items=joined([_when(r.content, r.at, scene) for r in reading.reminders], scene.language),
        )
    if not reading.corrections:
        return ""
    span = reading.corrections[0].span
    updates = [u for u in state_updates(told) if u.op == "upsert"]
    tastes = [u for u in preference_updates(told) if u.op == "confirm"]
    items = [
        *(_note(u, told) for u in updates[:2]),
        *(liking(u.subject, u.polarity, scene.language) for u in tastes[:1]),
    ]
    return say(scene, "corrected", items=joined(items, scene.language)) if items and span else ""


def _when(content: str, at: datetime | None, scene: Scene) -> str:
    if at is None:
        return content
    if scene.language is Language.JA:
        return f"{at.month}月{at.day}日{at:%H:%M}に{content}"
    return f"{content}, {at:%b} {at.day} at {at:%H:%M}"


def _forgot(scene: Scene, reading: Reading) -> str:
    found = [name for forget in reading.forgets if (name := forget_name(forget.subject, scene))]
    if not found and any(not forget.subject and forget.slot is None for forget in reading.forgets):
        return say(
            scene, "forgotten", items="今の話" if scene.language is Language.JA else "what you just said"
        )
    if not found:
        return say(scene, "forgotten_none")
    return say(scene, "forgotten", items=joined(found, scene.language))


def forget_name(subject: str, scene: Scene) -> str:
    """What is known by that name: a taste's subject, else a fact that has the words; else nothing."""
    key = fold_key(subject)
    if not key:
        return ""
    for preference in scene.preferences:
        if fold_key(preference.subject) in key or key in fold_key(preference.subject):
            return preference.subject
    held = (s for s in scene.told if s.valid_to_ts is None and key in fold_key(s.body_text))
    return subject if next(held, None) is not None or _said_before(key, scene) else ""


def _said_before(key: str, scene: Scene) -> bool:
    return any(key in fold_key(turn.user_text) for turn in scene.history)


# -- questions --


def _asked(scene: Scene, reading: Reading, told: Told) -> str:
    question = reading.question
    if question is None or question.about not in {"me", "past"}:
        return ""
    return answer(question, scene, told.zone)


# -- learned --


def _learned(scene: Scene, reading: Reading, told: Told) -> str:
    updates, tastes = state_updates(told), preference_updates(told)
    done = [u for u in updates if u.op == "mark_done"]
    over = [u for u in updates if u.op == "close"]
    new = [u for u in updates if u.op == "upsert"]
    for kind, found in (("done", done), ("ended", over)):
        if found:
            return say(scene, kind, items=joined([_note(u, told) for u in found[:2]], scene.language))
    sure = [u for u in tastes if u.op == "confirm" and u.domain is not Domain.STYLE]
    items = [*(_note(u, told) for u in new), *_likings(sure, scene.language)]
    style = [u.subject for u in tastes if u.op == "confirm" and u.domain is Domain.STYLE]
    gone = [
        u
        for u in tastes
        if u.op == "revoke" and fold_key(u.subject) not in {fold_key(s.subject) for s in sure}
    ]
    if items or style:
        return say(
            scene, "learned", items=joined([*items, *(_style(s, scene) for s in style)][:3], scene.language)
        )
    if gone:
        return say(
            scene,
            "ended",
            items=joined([liking(u.subject, u.polarity, scene.language) for u in gone[:2]], scene.language),
        )
    maybe = [u for u in tastes if u.op == "upsert_candidate"]
    return (
        say(scene, "doubtful", items=joined(_likings(maybe, scene.language)[:2], scene.language))
        if maybe
        else ""
    )


def _likings(tastes: Sequence[PreferenceUpdate], language: Language) -> list[str]:
    """One phrase a polarity: `ラーメンとカレーが好き`."""
    found = []
    for polarity in dict.fromkeys(taste.polarity for taste in tastes):
        subjects = [taste.subject for taste in tastes if taste.polarity is polarity][:3]
        named = "と".join(subjects) if language is Language.JA else joined(subjects, language)
        found.append(liking(named, polarity, language))
    return found


def _style(subject: str, scene: Scene) -> str:
    return f"話し方のこと（{subject}）" if scene.language is Language.JA else f"how to talk ({subject})"


def _note(update: StateUpdate, told: Told) -> str:
    """A state as it is said back: short, in the keeper's words."""
    language, payload = told.reading.language, update.payload
    role, name = str(payload.get("role", "")), str(payload.get("name", ""))
    if role or name:
        if language is Language.JA:
            return f"{role}の{name}のこと" if role and name else f"{role or name}のこと"
        return f"about your {role} {name}".strip() if role else f"about {name}"
    text = bare(update.body_text, told.you, language)
    label, mark, _ = update.body_text.partition("：")
    if language is Language.JA and mark and label.startswith(told.you):
        return f"{bare(label, told.you, language) or '今の話'}のこと"
    return text


# -- the rest --


def _felt(scene: Scene, reading: Reading) -> str:
    if reading.asks or reading.acts & {Act.REQUEST, Act.HYPOTHETICAL, Act.WISH, Act.JOKE, Act.QUOTE}:
        return ""
    vad = reading.feeling.vad
    if Act.INSULT in reading.acts:
        return say(scene, "insult")
    social = reading.acts & {Act.GREET, Act.FAREWELL, Act.THANK}
    if vad.v <= -FELT and (reading.feeling.cues or vad.v <= -SORE - 0.2):
        return say(scene, "bad")
    return say(scene, "good") if vad.v >= FELT and not social else ""


def _world(scene: Scene, reading: Reading) -> str:
    question = reading.question
    if question is not None and question.about == "ghost":
        return _about_ghost(scene, reading)
    if question is None and Act.REQUEST not in reading.acts:
        return ""
    if _asks_how(reading):
        return say(scene, "ghost_feel")
    told_today = any(
        hint(scene.language) in turn.assistant_text and scene.now_ts - turn.created_at < _A_DAY
        for turn in scene.history
    )
    return say(scene, "cannot" if told_today else "cannot_hint")


def _asks_how(reading: Reading) -> bool:
    from cocoro_ghost.language.read.cues import cue

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
        return say(scene, _farewell(reading.text))
    if Act.GREET in acts:
        return say(scene, _greeting(reading.text, scene))
    if Act.THANK in acts:
        return say(scene, "thank")
    return say(scene, "listen")


def _farewell(text: str) -> str:
    low = text.lower()
    if any(word in low for word in ("おやすみ", "お休み", "寝", "night", "bed")):
        return "farewell_night"
    return (
        "farewell_out"
        if any(word in low for word in ("いってき", "行ってき", "brb", "gotta go"))
        else "farewell"
    )


def _greeting(text: str, scene: Scene) -> str:
    low = text.lower()
    for words, kind in (
        (("はじめまして", "初めまして", "meet you"), "greet_first"),
        (("久しぶり", "ひさしぶり", "long time", "been a while"), "greet_long"),
        (("おはよ", "morning"), "greet_morning"),
        (("こんばんは", "evening"), "greet_evening"),
        (("ただいま", "i'm back", "i'm home"), "greet_home"),
    ):
        if any(word in low for word in words):
            return kind
    return "greet"


def _with_sympathy(said: str, scene: Scene, reading: Reading) -> str:
    """What was learned from bad news is not said back without a word for it."""
    felt = bool(reading.feeling.cues) and reading.feeling.vad.v <= -SORE
    if reading.asks or reading.forgets or reading.corrections or reading.tastes or not felt:
        return said
    joint = "" if scene.language is Language.JA else " "
    return f"{say(scene, 'bad')}{joint}{said}"


def _with_greeting(said: str, scene: Scene, reading: Reading) -> str:
    """A message that greets and tells is greeted first."""
    first = reading.sentences[0] if reading.sentences else None
    if first is None or first.acts[:1] != (Act.GREET,) or len(reading.sentences) < 2:
        return said
    joint = "" if scene.language is Language.JA else " "
    return f"{say(scene, _greeting(first.text, scene))}{joint}{said}"
