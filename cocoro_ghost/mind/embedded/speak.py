"""Composes what the embedded mind says: one to three sentences, the same for the same scene."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import tzinfo

from cocoro_ghost.language.fold import strip_decorations
from cocoro_ghost.mind.embedded import answering, occasions, smalltalk
from cocoro_ghost.mind.embedded.affect import feel
from cocoro_ghost.mind.embedded.intents import SOCIAL, STATEMENT, Intent, understand
from cocoro_ghost.mind.embedded.memories import Memories
from cocoro_ghost.mind.embedded.news import News, read_news
from cocoro_ghost.mind.embedded.phrases import Phrasebook, Wording, sentences
from cocoro_ghost.mind.embedded.talk import Talk
from cocoro_ghost.mind.embedded.telling import introduced, reply_to_telling
from cocoro_ghost.mind.embedded.topic import find_topic
from cocoro_ghost.mind.embedded.when import gap_words
from cocoro_ghost.model.scene import Language, Occasion, Scene

MAX_SENTENCES = 3
FELT_BAD, FELT_GOOD = -0.4, 0.6
RETURN_GAP_SECONDS = 7 * 86400
_BEGINS_LIVELY = re.compile(
    r"^(?:[ぁ-んァ-ヶー]{1,6}[、!！]|…|(?:Oh|Ah|Wow|Hm|Mm|Huh|Right|Okay|So|Hey|Yay|I see|Look)|Mm-hm)"
)
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+")
# Facts that are no event: a nurse at a hospital is not ill.
_CALM = {"job", "occupation", "school", "allergy", "residence", "diet", "skill"}
Answer = Callable[[Talk], list[str]]

REPLIES: Mapping[str, Answer] = {
    STATEMENT: reply_to_telling,
    "remember": answering.remember,
    "about_me": answering.about_me,
    "when": answering.when,
    "ask_fact": answering.ask_fact,
    "ask_like": answering.ask_like,
    "ask_dislike": answering.ask_dislike,
    "tasks": answering.tasks,
    "question": answering.question,
    "greet": smalltalk.greet,
    "home": smalltalk.home,
    "good_night": smalltalk.farewell,
    "bye": smalltalk.farewell,
    "leaving": smalltalk.farewell,
    "thanks": smalltalk.react,
    "apology": smalltalk.react,
    "love": smalltalk.react,
    "denial": smalltalk.denial,
    "cannot": smalltalk.cannot,
    "remind": smalltalk.remind,
    "name_ask": smalltalk.name_ask,
    "can_do": smalltalk.can_do,
    "are_ai": smalltalk.react,
    "opinion": smalltalk.opinion,
    "really": smalltalk.react,
    "bond": smalltalk.react,
    "invite": smalltalk.invite,
    "tag": smalltalk.tag,
    "listen": smalltalk.react,
    "doing": smalltalk.react,
    "link": smalltalk.react,
    "ask_ghost_like": smalltalk.ghost_like,
    "feeling": smalltalk.feeling,
    "clock": smalltalk.clock,
    "bored": smalltalk.bored,
    "backchannel": smalltalk.backchannel,
}
UNASKED: Mapping[Occasion, Answer] = {
    Occasion.NOTIFICATION: occasions.notification,
    Occasion.META_REQUEST: occasions.meta_request,
    Occasion.REMINDER: occasions.reminder,
    Occasion.DESKTOP_WATCH: occasions.desktop_watch,
}
_COLOURED = frozenset({STATEMENT, "greet", "home", "thanks", "love", "bored", "backchannel"})


def compose(scene: Scene, book: Phrasebook, zone: tzinfo | None) -> str:
    """The whole utterance for a scene."""
    wording = Wording(book, scene)
    unasked = UNASKED.get(scene.occasion)
    if unasked is not None:
        text = scene.user_text
        if scene.occasion is Occasion.META_REQUEST:
            text = occasions.topic_hint(text, book)
        talk = _talk(scene, text, wording, zone)
        return _joined(unasked(talk), scene.language)
    parts, intent = _chat(scene, wording, zone)
    return _coloured(_joined(parts, scene.language), intent, wording)


def _talk(scene: Scene, text: str, wording: Wording, zone: tzinfo | None) -> Talk:
    said = strip_decorations(text).strip()
    plain = _ADDRESS.sub("", said).strip()
    book = wording.book
    intent = understand(said, book, scene.persona.name)
    tells = intent.name in {STATEMENT, "greet"}
    news = read_news(plain, scene.language, scene.persona.second_person) if tells else News((), (), "")
    return Talk(
        scene=scene,
        text=plain,
        intent=intent
        if news.tastes or _CALM & set(news.about)
        else _with_feeling(intent, plain, scene.language),
        topic=find_topic(plain, book),
        wording=wording,
        memories=Memories(scene, book, zone),
        zone=zone,
        news=news,
    )


def _with_feeling(intent: Intent, text: str, language: Language) -> Intent:
    """What no cue has named is felt as memory will feel it: a dented car is no news to nod at."""
    if intent.name != STATEMENT or intent.tells - {"past", "lively", "agree", "worry", "ill"}:
        return intent
    valence = feel(text, language)[0].v
    glad = valence >= FELT_GOOD and ("lively" in intent.tells or "past" not in intent.tells)
    mood = {"bad"} if valence <= FELT_BAD else {"good"} if glad else set()
    return Intent(intent.name, intent.tells | mood)


def _chat(scene: Scene, wording: Wording, zone: tzinfo | None) -> tuple[list[str], Intent]:
    talk = _talk(scene, scene.user_text, wording, zone)
    shown = occasions.seen_or_not(talk)
    if shown:
        return shown, talk.intent
    social, rest = _social_then_more(talk)
    if rest:
        after = _talk(scene, rest, wording, zone)
        if smalltalk.remarks_on_gap(after):
            return smalltalk.after_silence(talk), talk.intent
        # A first meeting has its own greeting.
        social = "" if after.news.name and not scene.history else social
        return [social, *REPLIES[after.intent.name](after)], after.intent
    if talk.intent.name == "greet" and talk.news.name:
        return introduced(talk), talk.intent
    if talk.intent.name == STATEMENT and smalltalk.remarks_on_gap(talk):
        return smalltalk.after_silence(talk), talk.intent
    parts = REPLIES[talk.intent.name](talk)
    return [_gap_lead(talk), *parts], talk.intent


def _gap_lead(talk: Talk) -> str:
    """After a long silence, news and `how are you` are first met with how long it has been."""
    gap = talk.scene.gap_seconds
    if gap is None or gap < RETURN_GAP_SECONDS or talk.intent.name not in {STATEMENT, "feeling"}:
        return ""
    if talk.intent.tells & {"bad", "loss"}:
        return ""
    return talk.say("greet.gap_short", gap=gap_words(gap, talk.scene.language))


def _social_then_more(talk: Talk) -> tuple[str, str]:
    """`おはよう。猫を飼い始めたよ` is a greeting and news: both are answered."""
    if talk.intent.name not in SOCIAL:
        return "", ""
    said = sentences(talk.text, talk.scene.language)
    if len(said) < 2 and talk.intent.name == "greet":
        said = re.split(r"(?<=[、,])\s*", talk.text, maxsplit=1)
    first = understand(said[0], talk.wording.book, talk.scene.persona.name).name
    rest = " ".join(said[1:]) if talk.scene.language is Language.EN else "".join(said[1:])
    if first not in SOCIAL or understand(rest, talk.wording.book, "").name in SOCIAL or len(rest) < 5:
        return "", ""
    return smalltalk.in_passing(talk), rest


def _joined(parts: list[str], language: Language) -> str:
    """At most three sentences and one question, in order."""
    kept: list[str] = []
    asked = False
    for sentence in (s for part in parts if part for s in sentences(part, language)):
        asks = sentence.endswith(("?", "？"))
        if (asks and asked) or len(kept) == MAX_SENTENCES:
            continue
        asked = asked or asks
        kept.append(sentence)
    return (" " if language is Language.EN else "").join(kept)


def _coloured(text: str, intent: Intent, wording: Wording) -> str:
    """Mood shows in an interjection and in how lively the punctuation is; never over sympathy."""
    mood = wording.scene.mood
    valence = mood.total.v if mood else 0.0
    if valence < -0.3:
        text = re.sub(r"[!！]", "." if wording.scene.language is Language.EN else "。", text)
    if (
        intent.name not in _COLOURED
        or intent.tells & {"bad", "tired", "dislike", "mishap", "loss"}
        or _BEGINS_LIVELY.match(text)
    ):
        return text
    tone = "bright" if valence > 0.3 else "low" if valence < -0.3 else ""
    if not tone or not wording.chance(60, "tone"):
        return text
    opening = wording.say(f"tone.{tone}")
    if (
        wording.scene.language is Language.EN
        and not re.match(r"I\b|[A-Z]\w*[A-Z]", text)
        and opening.endswith(", ")
    ):
        return opening + text[:1].lower() + text[1:]
    return opening + text


def chunks(text: str, language: Language) -> Iterator[str]:
    """Pieces as a model would stream them: a word, or a few characters."""
    if language is Language.EN:
        yield from re.findall(r"\s*\S+", text)
        return
    for start in range(0, len(text), 3):
        yield text[start : start + 3]
