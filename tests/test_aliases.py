"""Other names of a person, read from plain words or given by a model, lead recall to the same one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from cocoro_ghost.grow.forget import forget_event
from cocoro_ghost.language.aliases import find_aliases
from cocoro_ghost.mind.embedded.embedded_mind import EmbeddedMind
from cocoro_ghost.model.event import AboutTime, ClientContext, Entity, EntityType, NewEvent, Origin, Source
from cocoro_ghost.model.scene import Language
from cocoro_ghost.store import entities, events
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.testing import FrozenClock, ScriptedMind
from cocoro_ghost.testing.growth import growing_memory
from tests.growing import Life, a_life

JA, EN = Language.JA, Language.EN
SAID = [
    (JA, "さとっち（佐藤さん）とご飯に行った", "佐藤", "さとっち"),
    (JA, "同僚の佐藤さんのことはさとっちって呼んでる", "佐藤", "さとっち"),
    (JA, "さとっちこと佐藤さんが来た", "佐藤", "さとっち"),
    (JA, "佐藤さん、通称さとっちと飲んだ", "佐藤", "さとっち"),
    (JA, "妹の美咲をみーちゃんと呼んでいる", "美咲", "みーちゃん"),
    (EN, "my brother Kenji, we call him Ken", "Kenji", "Ken"),
    (EN, "Kenji (Ken) came over", "Kenji", "Ken"),
    (EN, "My friend Robert, aka Bob, is here", "Robert", "Bob"),
    (EN, "Kenji, known as Ken, left early", "Kenji", "Ken"),
]


@contextmanager
def a_mind(kind: str, language: Language) -> Iterator[Life]:
    mind = EmbeddedMind(FrozenClock().zone) if kind == "keeper" else ScriptedMind()
    with growing_memory(mind, language=language) as g:
        yield Life(g)


@pytest.mark.parametrize("kind", ["keeper", "model"])
@pytest.mark.parametrize(("language", "text", "name", "alias"), SAID)
def test_another_name_that_was_said_leads_to_the_person(
    kind: str, language: Language, text: str, name: str, alias: str
) -> None:
    with a_mind(kind, language) as life:
        event_id = life.g.live(text)
        found = life.g.read(entities.aliases)
        assert [one for one in found if one[0] is EntityType.PERSON] != []
        one, other = (Entity(EntityType.PERSON, called) for called in (name, alias))
        assert life.g.read(lambda r: entities.key_of(r, one) == entities.key_of(r, other))
        life.g.write(lambda tx: forget_event(tx, event_id))
        assert life.g.read(entities.aliases) == [], "forgotten with the words that said it"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (JA, "佐藤さん（上司）に怒られた"),
        (JA, "東京（とうきょう）に行く"),
        (JA, "会議（オンライン）がある"),
        (JA, "佐藤さんと話した"),
        (EN, "Tokyo (Japan) is big"),
        (EN, "Kenji or Tom will come"),
        (EN, "I called Kenji"),
    ],
)
def test_what_somebody_is_is_not_what_they_are_called(language: Language, text: str) -> None:
    assert find_aliases(text, language) == []


def test_a_models_payload_makes_aliases_as_well() -> None:
    person = [{"type": "person", "name": "佐藤"}]
    update = {
        "kind": "relation",
        "body_text": "佐藤さんは同僚",
        "entities": person,
        "payload": {"aliases": ["さとっち"]},
    }
    with a_life() as life:
        life.tell("佐藤さんは同僚", {"state_updates": [update]})
        assert (EntityType.PERSON, "さとっち", "佐藤") in life.g.read(entities.aliases)


def test_growing_is_shown_the_thread_time_and_window_of_recent_events() -> None:
    with a_life() as life:
        mind = life.g.mind
        assert isinstance(mind, ScriptedMind)
        first = life.tell("引っ越しの話", {"context_updates": {"threads": [{"thread_key": "引っ越し"}]}})

        def annotate(tx: Tx) -> None:
            events.annotate(tx, first, AboutTime(year_start=2018, year_end=2018, confidence=0.9), ())

        def window(tx: Tx) -> int:
            context = ClientContext("Code", "mood.py")
            new = NewEvent(tx.now, Source.CHAT, Origin.USER, "見て", "うん", client_context=context)
            return events.append(tx, new)

        life.g.write(annotate)
        looked = life.g.write(window)
        life.tell("続きだよ")
        asked = [r for r in mind.requests if r.purpose == "write_plan"][-1].messages[-1].content
        lines = [json.loads(line) for line in asked.splitlines() if line.startswith('{"id":"e')]
        shown = {line["id"]: line for line in lines}
        assert shown[f"e{first}"]["thread"] == "引っ越し"
        assert shown[f"e{first}"]["about"] == "2018"
        assert shown[f"e{looked}"]["app"] == "Code mood.py"
