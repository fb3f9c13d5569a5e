"""Misrecall with several memories selected: matched to what the reply used, else asked; nothing by guess."""

from __future__ import annotations

import pytest

from cocoro_ghost.grow.apply.apply_preferences import confirm_preference
from cocoro_ghost.mind.client import SpeakRequest
from cocoro_ghost.model.preference import Domain, Polarity, Preference, PreferenceStatus
from cocoro_ghost.model.record import WhichMemory
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.scene import Language
from cocoro_ghost.reply.stream import Done
from cocoro_ghost.store import events, preferences, states, undo
from cocoro_ghost.store.guesses import RARELY
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.testing import ScriptedMind
from cocoro_ghost.tidy.separate import undo_separation
from cocoro_ghost.tidy.which_memory import choose
from tests.growing import DAY, Life, a_life, fact
from tests.speaking import scene, spoken
from tests.test_misrecall import recalled
from tests.turning import end_of, parts_of, turn

JA, EN = Language.JA, Language.EN
KNOWN = {
    JA: [("犬を飼っていた", "あなたは犬を飼っていた"), ("京都に住んでいた", "あなたは京都に住んでいた")],
    EN: [
        ("I kept a dog as a child", "You kept a dog as a child"),
        ("I lived in Kyoto", "You lived in Kyoto"),
    ],
}
DENIAL = {JA: "それは関係ないよ", EN: "that's not what I meant"}
USED = {JA: "子どものころ犬を飼っていたね", EN: "You kept a dog, did you not"}
VAGUE = {JA: "そうなんだね", EN: "I see"}


def denied(life: Life, language: Language, reply: str, said: str = "") -> int:
    for text, body in KNOWN[language]:
        life.tell(text, {"state_updates": [fact(body)]})
    asked = life.tell("ねえ" if language is JA else "Well", reply=reply)
    recalled(life, asked, "s1", "e1", "s2", "e2")
    return life.tell(said or DENIAL[language])


def apart(life: Life) -> list[bool]:
    return [not life.g.read(lambda r, i=i: states.get(r, i)).searchable for i in (1, 2)]  # type: ignore[misc]


@pytest.mark.parametrize("language", [JA, EN])
def test_the_memory_that_the_reply_used_is_set_apart_and_comes_back(language: Language) -> None:
    with a_life(language) as life:
        denied(life, language, USED[language])
        assert apart(life) == [True, False]
        assert not life.g.event(1).searchable, "the turn that taught it is the same memory"
        assert life.g.read(undo.open_question) is None
        (row,) = life.g.read(lambda r: undo.separations(r, 9))
        life.g.write(lambda tx: undo_separation(tx, row.separation_id))
        assert apart(life) == [False, False]


@pytest.mark.parametrize("language", [JA, EN])
def test_what_cannot_be_told_is_asked_and_nothing_is_hidden(language: Language) -> None:
    with a_life(language) as life:
        denial = denied(life, language, VAGUE[language])
        assert apart(life) == [False, False]
        question = life.g.read(undo.open_question)
        assert question is not None
        assert question.denial_event_id == denial
        bodies = [body for _, body in KNOWN[language]]
        assert all(body in text for body, text in zip(bodies, question.texts, strict=True))
        life.tell("京都の話だよ" if language is JA else "I mean the one about Kyoto")
        assert apart(life) == [False, True]
        assert life.g.read(undo.open_question) is None


def test_an_answer_that_names_none_leaves_the_question_for_a_few_turns() -> None:
    with a_life() as life:
        denied(life, JA, VAGUE[JA])
        for left in (True, True, False):
            life.tell("うーん、どうだったかな")
            assert (life.g.read(undo.open_question) is not None) is left
        assert apart(life) == [False, False]


def test_a_question_of_yesterday_is_not_asked_any_more() -> None:
    with a_life() as life:
        denied(life, JA, VAGUE[JA])
        life.g.clock.tick(DAY + 1)
        life.tell("おはよう")
        assert life.g.read(undo.open_question) is None


def test_the_page_may_answer_instead() -> None:
    with a_life() as life:
        denial = denied(life, JA, VAGUE[JA])
        assert not life.g.write(lambda tx: choose(tx, denial, "s77"))
        assert not life.g.write(lambda tx: choose(tx, denial + 1, "s1"))
        assert life.g.write(lambda tx: choose(tx, denial, "s1"))
        assert apart(life) == [True, False]
        assert not life.g.write(lambda tx: choose(tx, denial, "s2")), "answered once"


async def test_the_next_reply_is_told_to_ask_which(memory: Database) -> None:
    mind = ScriptedMind(replies=["うん。"])
    parts = parts_of(memory, mind)
    assert isinstance(end_of(await turn(parts, "それは違うよ")), Done)
    asked = WhichMemory(1, (("s1",), ("s2",)), ("犬のこと", "京都のこと"), memory.clock.domain_now())
    await memory.write(lambda tx: undo.put_question(tx, asked))
    await turn(parts, "ところで")
    shown = "\n".join(message.content for message in mind.spoken[-1].messages)
    assert "「犬のこと」、「京都のこと」のどれのこと？" in shown
    assert "のどれのこと" not in "\n".join(message.content for message in mind.spoken[0].messages)


@pytest.mark.parametrize("language", [JA, EN])
def test_the_keeper_asks_after_its_answer_and_never_twice(language: Language) -> None:
    question = "ところで、抹茶は好き？" if language is JA else "By the way, do you like matcha?"
    thanks = "ありがとう" if language is JA else "thanks"
    said = spoken(scene(language, thanks, ask=question))
    assert said.endswith(question)
    assert len(said) > len(question)
    distress = "死にたい" if language is JA else "I want to kill myself"
    assert question not in spoken(scene(language, distress, ask=question))


@pytest.mark.parametrize("language", [JA, EN])
async def test_a_candidate_is_asked_about_rarely_and_a_confirmed_taste_never(
    memory: Database, language: Language
) -> None:
    def guess(tx: Tx) -> int:
        new = Preference(0, Domain.FOOD, Polarity.LIKE, "抹茶", "抹茶", PreferenceStatus.CANDIDATE, None, 0.4,
                         (), tx.now, tx.now, None, None)  # fmt: skip
        with tx.because(Cause(Actor.GROW, "told")):
            return preferences.create(tx, new)

    mind = ScriptedMind(replies=["うん。"])
    parts = parts_of(memory, mind, language=language)
    liked = await memory.write(guess)
    for _ in range(RARELY):
        await turn(parts, "やあ")
    question = "抹茶は好き？" if language is JA else "do you like 抹茶?"

    def asked(requests: list[SpeakRequest]) -> list[int]:
        told = [" ".join(message.content for message in one.messages) for one in requests]
        return [at for at, text in enumerate(told, 1) if question in text]

    assert asked(mind.spoken) == [RARELY]
    await memory.write(lambda tx: confirm_preference(tx, liked))
    for _ in range(RARELY):
        await turn(parts, "やあ")
    assert asked(mind.spoken) == [RARELY]
    assert await memory.read(events.count) == 2 * RARELY
