"""Every mind is told the same: what the embedded one reads as data, a model reads as text."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any

import pytest

from cocoro_ghost.mind.client import SpeakRequest
from cocoro_ghost.mind.embedded.embedded_mind import EmbeddedMind
from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.event import Entity, EntityType, Origin, Source
from cocoro_ghost.model.heard import Heard
from cocoro_ghost.model.pack import SectionName
from cocoro_ghost.model.preference import Domain, Polarity, Preference, PreferenceStatus
from cocoro_ghost.model.scene import Language, Recalled, Scene
from cocoro_ghost.model.state import StateKind
from cocoro_ghost.store import affects, preferences, states, vectors
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.store.vectors import VectorKind
from tests.asking import mind_at
from tests.model_server import model_server, streams
from tests.recalling import DAY, NOW, Life, a_life
from tests.speaking import said
from tests.turning import parts_of, turn

SAID = {
    Language.JA: (
        "おはよう",
        "昔はどこに住んでた？",
        "佐藤健は元気かな",
        "犬の散歩に行ってきた",
        "仕事は何だっけ？",
        "好きな食べ物は？",
        "来週の予定は？",
        "京都の旅行、覚えてる？",
        "2018年に何したっけ",
        "コーヒーの話",
        "それで？",
        "最近どう？",
        "確定申告、終わったよ",
        "姉の名前は？",
        "学校で楽しかったこと",
        "その話を聞いて嬉しかったよね",
        "苦手なものある？",
        "ピアノの練習",
        "昨日は眠れなかった",
        "またね",
    ),
    Language.EN: (
        "Good morning",
        "Where did I use to live before?",
        "Is Ken Sato well?",
        "I walked the dog",
        "What is my job?",
        "What food do I like?",
        "What is planned for next week?",
        "Remember the trip to Kyoto?",
        "What did I do in 2018?",
        "About coffee",
        "yes, go on",
        "How are things?",
        "The tax return is done",
        "What is my sister called?",
        "Fun things at school",
        "Was there something that made you happy?",
        "Anything I dislike?",
        "Piano practice",
        "I could not sleep yesterday",
        "See you",
    ),
}
LIFE = {
    Language.JA: (
        "犬のポチと川まで散歩した",
        "京都の旅行で清水寺に行った",
        "姉の名前はさゆりで看護師",
        "ピアノの練習を始めた",
        "学校の運動会が楽しかった",
        "コーヒーをやめて紅茶にした",
        "昨日は眠れなくて本を読んだ",
    ),
    Language.EN: (
        "Walked the dog Rex to the river",
        "On the trip to Kyoto we saw a temple",
        "My sister is called Nora, a nurse",
        "I began to practise the piano",
        "Sports day at school was fun",
        "I gave up coffee for tea",
        "I could not sleep and read a book",
    ),
}
BODIES = {
    Language.JA: (
        "あなたは横浜に住んでいる",
        "あなたは札幌に住んでいる",
        "あなたは司書として働いている",
        "あなたは卵アレルギーがある",
        "佐藤健は大学の友人",
        "確定申告をする",
        "今週は引っ越しの話をした",
        "その話を聞いて嬉しかった",
    ),
    Language.EN: (
        "You live in Leeds",
        "You live in Cardiff",
        "You work as a librarian",
        "You are allergic to eggs",
        "Ken Sato is a friend from college",
        "Do the tax return",
        "This week was about moving",
        "Hearing it made me happy",
    ),
}


class Listening(EmbeddedMind):
    """The embedded mind, keeping what it was asked."""

    heard: SpeakRequest | None = None

    async def speak(self, request: SpeakRequest) -> AsyncIterator[str]:
        self.heard = request
        async for piece in super().speak(request):
            yield piece


def live(life: Life, language: Language) -> None:
    """A little of everything that can be told."""
    old, home, work, health, friend, task, bond, joy = BODIES[language]
    told = [life.say(text, days_ago=30 + 7 * place) for place, text in enumerate(LIFE[language])]
    life.say("Coffee coupon コーヒーが好きな方へ", None, source=Source.NOTIFICATION, days_ago=9)
    before = life.hold(old, payload={"slot": "residence"})
    life.because(lambda tx: states.close(tx, before, NOW - 90 * DAY))
    life.hold(home, payload={"slot": "residence"})
    life.hold(work, payload={"slot": "occupation"})
    life.hold(health, pin=True)
    life.hold(friend, StateKind.RELATION, entities=(Entity(EntityType.PERSON, "佐藤健"),))
    life.hold(task, StateKind.TASK, payload={"due_ts": NOW + 5 * DAY})
    life.hold(bond, StateKind.SUMMARY, payload={"scope": {"type": "bond", "key": "rolling:7d"}})

    feeling = asyncio.run(life.embedder.embed([joy]))[0]

    def more(tx: Tx) -> None:
        felt = affects.put(
            tx, told[4], at=NOW - 60 * DAY, text=joy, labels=("joy",), vad=Vad(0.8, 0.4, 0.2), confidence=0.9
        )
        space = life.embedder.space.key
        vectors.put(tx, VectorKind.AFFECT, felt.affect_id, feeling, space, NOW - 60 * DAY)
        for domain, polarity, subject in (
            (Domain.FOOD, Polarity.LIKE, "うどん udon"),
            (Domain.FOOD, Polarity.DISLIKE, "セロリ celery"),
        ):
            confirmed = PreferenceStatus.CONFIRMED
            liked = Preference(
                0, domain, polarity, subject, subject, confirmed, None, 1.0, (), NOW, NOW, NOW, None
            )
            preferences.create(tx, liked)

    life.because(more)


@pytest.fixture(params=list(Language))
def lived(request: pytest.FixtureRequest) -> Iterator[tuple[Life, Language]]:
    with a_life() as life:
        live(life, request.param)
        yield life, request.param


def injected(request: dict[str, Any]) -> str:
    """The one message that carries the pack."""
    (found,) = [one["content"] for one in request["messages"] if "COCORO_GHOST_SECTION" in one["content"]]
    return str(found)


def sections(text: str) -> dict[str, list[str]]:
    """The lines of each section of an injected pack."""
    found: dict[str, list[str]] = {}
    for part in text.split("<<<COCORO_GHOST_SECTION:")[1:]:
        name, body = part.split(">>>", 1)
        if name == SectionName.EPISODE_EVIDENCE:
            found[name] = re.split(r"\n\n(?=\[\d{4}-)", body.strip())[1:]
        else:
            found[name] = [line[2:] for line in body.splitlines() if line.startswith("- ")]
    return found


def told_as_data(scene: Scene) -> dict[str, set[str]]:
    """What a mind that reads the scene knows, by section."""
    past = [one.text for one in scene.recalled if one.closed and one.kind in ("fact", "relation", "task")]
    told = [one.text or one.reply_text for one in scene.recalled if one.kind in ("event", "event_affect")]
    return {
        "STABLE_FACTS": {*scene.facts, *past, *(one.subject for one in scene.preferences)},
        "SHARED_NARRATIVE": set(scene.narrative),
        "OPEN_LOOPS": set(scene.open_loops),
        "EPISODE_EVIDENCE": set(told),
    }


async def test_in_forty_scenes_each_mind_is_told_the_same(lived: tuple[Life, Language]) -> None:
    life, language = lived
    embedded = Listening(life.clock.zone)
    parts = replace(parts_of(life.db, embedded), recall=life.recaller(), language=language)
    assert len(SAID[language]) == 20
    met: set[str] = set()
    async with model_server(streams("ok")) as server:
        for said in SAID[language]:
            await turn(parts, Heard(said, incognito=True))
            await turn(replace(parts, mind=mind_at(server)), Heard(said, incognito=True))
            assert embedded.heard is not None
            read = told_as_data(embedded.heard.scene)
            shown = sections(injected(server.requests[-1]))
            met |= {name for name, items in read.items() if items}
            met |= {f"{one.kind}{' past' * one.closed}" for one in embedded.heard.scene.recalled}
            for name, items in read.items():
                lines = shown.get(name, [])
                assert len(lines) == len(items), (said, name, lines, items)
                for item in items:
                    assert any(item in line for line in lines), (said, name, item, lines)
    assert {
        *map(str, list(SectionName)[1:3]),
        "EPISODE_EVIDENCE",
        "event",
        "event_affect",
        "fact past",
    } <= met


async def test_who_someone_is_and_what_is_pinned_is_always_told(lived: tuple[Life, Language]) -> None:
    life, language = lived
    _, home, work, health, *_ = BODIES[language]
    async with model_server(streams("ok")) as server:
        parts = replace(parts_of(life.db, mind_at(server)), recall=life.recaller(), language=language)
        await turn(parts, Heard("またね" if language is Language.JA else "See you", incognito=True))
        text = injected(server.requests[-1])
    facts = sections(text)["STABLE_FACTS"]
    for body in (home, work, health, "うどん udon", "セロリ celery"):
        assert sum(body in line for line in facts) == 1, body
    assert text.count("<<<COCORO_GHOST_SECTION:STABLE_FACTS>>>") == 1
    assert text.count("now_local") == 1


def test_the_words_of_an_app_are_told_as_its_own(lived: tuple[Life, Language]) -> None:
    life, language = lived
    asked = "コーヒーの話" if language is Language.JA else "Coffee coupon"
    note = life.say("コーヒーが好きです Coffee coupon", None, source=Source.NOTIFICATION, days_ago=3)
    result = life.recall(asked, language=language)
    mine = next(one for one in result.recalled if one.ref == f"e{note}")
    assert mine.origin == Origin.APP.value
    assert ("通知より" if language is Language.JA else "from a notification") in result.pack.text


@pytest.mark.parametrize(
    ("language", "note", "question"),
    [
        (Language.JA, "あなたはコーヒーが好きです", "私の好きな飲み物って話したっけ？"),
        (Language.EN, "You like coffee", "Did I say that I like coffee?"),
    ],
)
def test_the_embedded_mind_does_not_tell_a_notification_back_as_ones_own_words(
    language: Language, note: str, question: str
) -> None:
    heard = Recalled("e1", "event", note, "", NOW - DAY, None, 1.0, "", origin=Origin.APP.value)
    for reply in said(language, question, recalled=(heard,)):
        assert "コーヒー" not in reply.replace(question, "")
        assert "like coffee" not in reply
