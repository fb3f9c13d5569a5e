"""The words of the long mood: the mind's own, from several feelings, once a day or after a blow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from cocoro_ghost.errors import BadAnswer
from cocoro_ghost.grow.forget import forget_event, unforget
from cocoro_ghost.grow.mood_shelf import MoodShelf
from cocoro_ghost.mind.embedded.embedded_mind import EmbeddedMind
from cocoro_ghost.model.scene import Language, Persona
from cocoro_ghost.model.state import State
from cocoro_ghost.recall.recall import RecallRequest
from cocoro_ghost.reply.compose import internal_context
from cocoro_ghost.store import revisions, states, undo
from cocoro_ghost.testing import FrozenClock, ScriptedMind
from cocoro_ghost.testing.growth import growing_memory
from tests import recalling
from tests.growing import DAY, Life, a_life, feels, replays_to_current
from tests.speaking import scene

JA, EN = Language.JA, Language.EN
OWN = {
    JA: "このところ、私は静かに満ち足りた気持ちで過ごしている。"
    "明るい話を聞くたびに心が軽くなり、そばにいられてうれしく思っている。",
    EN: "I have been quietly content of late. Each bright story makes my heart lighter.",
}
TALK = {
    JA: [
        "昇進が決まって最高にうれしい！",
        "友だちと祝って楽しかった",
        "好きな音楽を聴いて幸せな気分だよ",
    ],
    EN: [
        "I got promoted today, so happy!",
        "It was fun with my friends",
        "Music makes me happy tonight",
    ],
}


def mood(life: Life) -> State:
    found = life.g.read(states.long_mood)
    assert found is not None
    return found


def mind_of(life: Life) -> ScriptedMind:
    assert isinstance(life.g.mind, ScriptedMind)
    return life.g.mind


def asked(life: Life) -> int:
    return sum(request.purpose == "mood_text" for request in mind_of(life).requests)


def own(text: str, **more: Any) -> dict[str, Any]:
    told = {"kind": "long_mood_state", "body_text": text, "reason": "そう感じる"}
    return {"state_updates": [told], **more}


@contextmanager
def keeper(language: Language) -> Iterator[Life]:
    with growing_memory(EmbeddedMind(FrozenClock().zone), language=language) as g:
        g.persona = Persona("Cocoro", "", "", "あなた" if language is JA else "you")
        yield Life(g)


@pytest.mark.parametrize("language", [JA, EN])
def test_the_mind_is_asked_once_there_are_several_feelings_and_once_a_day(language: Language) -> None:
    with a_life(language) as life:
        mind_of(life).answers["mood_text"] = lambda _: {"body_text": OWN[language]}
        for count, text in enumerate(TALK[language], 1):
            life.tell(text, feels(0.3))
            assert asked(life) == (count >= 3)
        assert mood(life).body_text == OWN[language]
        other = OWN[language].replace("静", "穏").replace("quietly", "calmly")
        mind_of(life).answers["mood_text"] = lambda _: {"body_text": other}
        for text in TALK[language]:
            life.tell(text, feels(0.3))
        assert mood(life).body_text == OWN[language], "told once a day"
        life.g.clock.tick(DAY)
        for text in TALK[language]:
            life.tell(text, feels(0.3))
        assert mood(life).body_text != OWN[language]
        assert asked(life) == 2


@pytest.mark.parametrize("language", [JA, EN])
def test_a_strong_blow_is_told_at_once(language: Language) -> None:
    with a_life(language) as life:
        for text in TALK[language]:
            life.tell(text, feels(0.3))
        before = mood(life).body_text
        sad = {
            JA: "大切なものを失った話を聞いて、私の胸はふさがったままだ。いまはただ、寄り添っていたい。",
            EN: "Something dear was lost, and my heart is heavy with it. I want to stay near.",
        }
        mind_of(life).answers["mood_text"] = lambda _: {"body_text": sad[language]}
        life.tell("やあ" if language is JA else "Hi", feels(0.2))
        assert mood(life).body_text == before
        life.tell("祖母が亡くなった" if language is JA else "My grandma died", feels(-1.0))
        assert mood(life).body_text.startswith(sad[language][:30])


@pytest.mark.parametrize("language", [JA, EN])
def test_the_keeper_tells_its_mood_in_its_own_words(language: Language) -> None:
    with keeper(language) as life:
        for text in TALK[language]:
            life.g.live(text)
        told = mood(life).body_text
        assert 60 <= len(told) <= 240
        assert told.startswith("明るい気持ち" if language is JA else "Much of what I heard was bright")
        assert not re.search(r"今日|いま|\btoday\b|\bnow\b", told, re.I), "it is read on later days too"
        assert all(word not in told for word in ("昇進", "音楽", "promoted", "Music"))
        assert mood(life).payload["text_day"] == "2026-01-01"


@pytest.mark.parametrize("language", [JA, EN])
@pytest.mark.parametrize("bad", ["quotation", "empty", "broken", "third person"])
def test_a_quotation_is_no_mood(language: Language, bad: str) -> None:
    heard = TALK[language][0]
    answers: dict[str, Any] = {
        "quotation": {"body_text": f"{heard} {OWN[language]}"},
        "empty": {"body_text": ""},
        "broken": BadAnswer("no JSON"),
        "third person": {"body_text": "ユーザーが、the user and the assistant, アシスタントを"},
    }
    with a_life(language) as life:
        mind_of(life).answers["mood_text"] = [answers[bad]]
        for text in TALK[language]:
            life.tell(text, feels(0.3))
        told = mood(life).body_text
        assert heard[:12] not in told
        assert 60 <= len(told) <= 240
        assert "ユーザー" not in told
        assert life.dead_jobs() == []


@pytest.mark.parametrize("language", [JA, EN])
def test_a_models_own_words_are_kept_with_or_without_a_feeling(language: Language) -> None:
    with a_life(language) as life:
        hello = "やあ" if language is JA else "Hello"
        life.tell(hello, feels(0.3))
        life.tell(hello, own(OWN[language]))
        assert mood(life).body_text == OWN[language], "though the plan told no feeling"
        again = life.tell(hello, own("別の気分になったので、私はそう書いておきたいと思った。", **feels(0.2)))
        assert mood(life).body_text == OWN[language]
        assert "told already today" in life.dropped(again), "what is not taken is said"
        life.g.clock.tick(DAY)
        other = {
            JA: "私はこのところ、そわそわと落ち着かない日が続いている。",
            EN: "I have been restless of late.",
        }
        life.tell(hello, own(other[language], **feels(0.2)))
        assert mood(life).body_text == other[language]
        assert asked(life) == 0


def test_a_plan_that_quotes_the_person_makes_no_mood() -> None:
    with a_life() as life:
        life.tell("やあ", feels(0.3))
        before = mood(life).body_text
        quoted = life.tell(
            "昇進が決まって最高にうれしい！", own("昇進が決まって最高にうれしい！という気分だ。")
        )
        assert mood(life).body_text == before
        assert "not in a quotation" in life.dropped(quoted)


def test_words_told_anew_are_embedded_anew() -> None:
    with a_life() as life:

        def vector() -> list[Any]:
            return life.g.read(lambda r: r.rows("SELECT hex(vector) AS v FROM vec_items"))

        life.tell("やあ", feels(0.3))
        first = vector()
        life.g.clock.tick(DAY)
        life.tell("おはよう", own(OWN[JA], **feels(0.3)))
        mind_of(life).answers["mood_text"] = lambda _: {"body_text": OWN[JA].replace("静か", "穏やか")}
        life.g.clock.tick(DAY)
        second = vector()
        for text in TALK[JA]:
            life.tell(text, feels(0.3))
        assert "穏やか" in mood(life).body_text
        kept = {row["v"] for row in vector()}
        assert {row["v"] for row in second} - kept, "the vector of the old words is gone"
        assert first


def test_forgetting_a_feeling_takes_the_words_that_rest_on_it_along() -> None:
    with a_life() as life:
        life.tell("やあ", own(OWN[JA], **feels(0.3)))
        life.g.clock.tick(DAY)
        mind_of(life).answers["mood_text"] = lambda _: {"body_text": "秘密のことを思うと、" + OWN[JA]}
        ids = [life.tell(text, feels(0.3)) for text in TALK[JA]]
        assert "秘密" in mood(life).body_text
        before = life.snapshot()
        life.g.write(lambda tx: forget_event(tx, ids[1]))
        assert mood(life).body_text == OWN[JA]
        assert mood(life).payload["text_day"] == "2026-01-01"
        assert replays_to_current(life) == []
        (act,) = life.g.read(lambda r: undo.forgettings(r, 9))
        life.g.write(lambda tx: unforget(tx, act.forgetting_id))
        life.g.work()
        assert life.snapshot() == before
        told = life.g.read(lambda r: revisions.of_entity(r, "state", mood(life).state_id))
        assert any(revision.model == "scripted" for revision in told)


def test_the_mood_stands_once_in_what_a_model_is_told() -> None:
    with a_life() as grown:
        grown.tell("やあ", own(OWN[JA], **feels(0.6)))
        worn = grown.g.read(MoodShelf(grown.g.clock).read)
        assert worn is not None
    with recalling.a_life() as life:
        pack = life.recall("やあ", mood=worn).pack
        shown = internal_context(scene(JA, "やあ", mood=worn, memory_pack=pack.text))
        assert shown.count(OWN[JA]) == 1
        assert shown.count("persona_mood_state") == 1
        assert RecallRequest("やあ").mood is None
        assert internal_context(scene(JA, "やあ", mood=worn)).count(OWN[JA]) == 1
