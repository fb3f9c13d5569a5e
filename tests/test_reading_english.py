"""English as people type it: whom a clause is about, what is listed of one person, how it is kept."""

from __future__ import annotations

from datetime import datetime

import pytest

from cocoro_ghost.language import read
from cocoro_ghost.language.wording import told_to_you
from cocoro_ghost.mind.embedded.plain_words import Told, state_updates
from cocoro_ghost.model.reading import Slot
from tests.learning import plan

NOW = datetime(2026, 4, 6, 9, 0)


def facts(text: str) -> set[tuple[str, str, str]]:
    """Of whom (me, else the name or the role), which slot, which value."""
    found = read(text, now=NOW).claims
    lasting = (claim for claim in found if claim.slot not in {Slot.DONE, Slot.PLAN, Slot.OTHER})
    return {
        ("me" if one.who.kind == "me" else one.who.name or one.who.role, one.slot.value, one.value)
        for one in lasting
    }


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I've got twins, Noor who's 4 and Eli who's 4", {("Noor", "age", "4"), ("Eli", "age", "4")}),
        ("I have a cousin who works at Siemens", {("cousin", "job", "Siemens")}),
        ("My son Hugo, who's allergic to eggs, is off today", {("Hugo", "allergy", "eggs")}),
        ("My brother is Felipe", {("Felipe", "family", "brother")}),
        ("Our hamster is Pip", {("Pip", "pet", "hamster")}),
        ("hi, I'm Renata, 52, a welder", {("me", "name", "Renata"), ("me", "age", "52")}),
        ("I'm Kofi, from Accra", {("me", "name", "Kofi"), ("me", "hometown", "Accra")}),
        ("my dad's a retired welder", {("dad", "occupation", "retired welder")}),
        ("I drive a tram for a living", {("me", "occupation", "tram driver")}),
        ("I repair violins for a living", {("me", "occupation", "repairing violins")}),
        ("I have a nephew. He just turned 5", {("nephew", "age", "5")}),
        ("I live in Kawasaki and I have a cat", {("me", "residence", "Kawasaki")}),
    ],
)
def test_whom_it_is_about_and_what_is_said_of_them(text: str, told: set[tuple[str, str, str]]) -> None:
    assert told <= facts(text)


@pytest.mark.parametrize(
    "text",
    [
        "My landlord is American",
        "My sister is in Lisbon",
        "My son started school",
        "The man who sold me the sofa was rude",
        "My violin teacher, Mr. Okafor, retired",
        "I'm a slow reader who gives up easily",
    ],
)
def test_what_is_no_fact_of_the_speaker_is_none(text: str) -> None:
    assert not {fact for fact in facts(text) if fact[0] == "me" or fact[2] in {"American", "Lisbon"}}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("My uncle hates opera", "Your uncle hates opera"),
        ("We have two sons and a daughter", "You have two sons and a daughter."),
        ("I'm colourblind", "You're colourblind."),
        ("my neighbour Ines is a potter", "Your neighbour Ines is a potter"),
    ],
)
def test_it_is_kept_as_said_to_the_person(text: str, kept: str) -> None:
    assert kept in [update.body_text for update in plan(text).state_updates]


def test_words_are_turned_to_whom_they_are_said() -> None:
    assert told_to_you("I was sure my keys were with us") == "you were sure your keys were with you"
    assert told_to_you("I'm fine, we'll see ourselves out") == "you're fine, you'll see yourselves out"
    assert told_to_you("Mimi is mine") == "Mimi is yours"


@pytest.mark.parametrize("text", ["Thanks, Coach", "Yes, Chef", "Sorry, Doctor", "No Doctor here, just me"])
def test_who_is_called_by_a_trade_is_not_the_speaker(text: str) -> None:
    assert not read(text, now=NOW).claims


def test_a_name_between_commas_is_told_once() -> None:
    reading = read("My sister, Anna, lives in Leeds", now=NOW)
    (update,) = state_updates(Told(reading, 1, "you", (), None, ()))
    assert update.body_text == "Your sister Anna lives in Leeds"


def test_whats_more_asks_nothing() -> None:
    assert [claim.value for claim in read("What's more, I live in Leeds", now=NOW).claims] == ["Leeds"]
