"""What is only guessed is asked about now and then; a yes makes it the person's own word, a no ends it."""

from __future__ import annotations

import pytest

from cocoro_ghost.grow.forget import forget_event
from cocoro_ghost.language.yes_no import yes_or_no
from cocoro_ghost.mind.embedded.embedded_mind import EmbeddedMind
from cocoro_ghost.model.event import NewEvent, Origin, Source
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.preference import Domain, Polarity, Preference, PreferenceStatus
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import State, StateDraft, StateKind
from cocoro_ghost.store import events, jobs, preferences, states
from cocoro_ghost.store.guesses import RARELY
from cocoro_ghost.store.ports import Database, Reader, Tx
from cocoro_ghost.testing import ScriptedMind
from tests.turning import parts_of, turn

JA, EN = Language.JA, Language.EN
DOG = {JA: "あなたは犬を飼っている", EN: "You have a dog"}
ASKED = {
    JA: "ところで、「あなたは犬を飼っている」で合ってる？",
    EN: 'By the way, is this right: "You have a dog"?',
}
YES, NO = {JA: "うん、そうだよ", EN: "Yes, I do"}, {JA: "違うよ", EN: "No, that's wrong"}
HELLO = {JA: "ありがとう", EN: "thanks"}


async def guessed(db: Database, body: str, **more: object) -> int:
    """A claim of an app, and as many turns as it takes until the next one may ask."""

    def write(tx: Tx) -> int:
        for _ in range(RARELY - 1):
            events.append(tx, NewEvent(tx.now, Source.CHAT, Origin.USER, "やあ", "うん。"))
        payload = {"candidate": True, **more}
        draft = StateDraft(StateKind.FACT, body, payload, confidence=0.5, origin=Origin.APP.value)
        with tx.because(Cause(Actor.GROW, "told")):
            return states.create(tx, draft)

    return await db.write(write)


async def state_of(db: Database, state_id: int) -> State:
    return await db.read(lambda reader: states.get(reader, state_id))


async def holding(db: Database) -> list[State]:
    """Every state that still holds."""
    return [one for one in await db.read(lambda reader: states.told(reader, 50)) if one.valid_to_ts is None]


@pytest.mark.parametrize("language", [JA, EN])
async def test_both_minds_ask_about_a_state_that_waits_and_a_yes_makes_it_the_persons_own(
    memory: Database, language: Language
) -> None:
    guess = await guessed(memory, DOG[language])
    mind = ScriptedMind(replies=[f"うん。{ASKED[language]}"])
    await turn(parts_of(memory, mind, language=language), HELLO[language])
    shown = " ".join(message.content for message in mind.spoken[-1].messages)
    assert ASKED[language] in shown
    await turn(parts_of(memory, mind, language=language), YES[language])
    (held,) = await holding(memory)
    assert (held.body_text, held.origin, held.confidence) == (DOG[language], Origin.USER.value, 0.9)
    assert held.payload == {"supersedes": [guess]}
    assert held.evidence_event_ids == (RARELY + 1,)


@pytest.mark.parametrize("language", [JA, EN])
async def test_the_embedded_mind_asks_it_and_a_no_ends_it_without_denying_a_memory(
    memory: Database, language: Language
) -> None:
    guess = await guessed(memory, DOG[language])
    parts = parts_of(memory, EmbeddedMind(memory.clock.zone), language=language)
    await turn(parts, HELLO[language])
    asked = await memory.read(lambda reader: events.get(reader, RARELY))
    assert (asked.assistant_text or "").endswith(ASKED[language])
    await turn(parts, NO[language])
    assert (await state_of(memory, guess)).valid_to_ts is not None
    assert not await memory.read(lambda reader: jobs.under_way(reader, JobKind.SEPARATE_MISRECALL))


async def test_what_a_yes_taught_goes_when_the_yes_is_forgotten(memory: Database) -> None:
    guess = await guessed(memory, DOG[JA])
    parts = parts_of(memory, ScriptedMind(replies=[ASKED[JA]]))
    await turn(parts, "やあ")
    await turn(parts, "うん")
    assert [one.origin for one in await holding(memory)] == [Origin.USER.value]
    await memory.write(lambda tx: forget_event(tx, RARELY + 1))
    (back,) = await holding(memory)
    assert (back.state_id, back.origin, back.payload) == (guess, Origin.APP.value, {"candidate": True})


async def test_a_yes_to_a_home_ends_the_one_before(memory: Database) -> None:
    def home(tx: Tx) -> int:
        with tx.because(Cause(Actor.USER, "told")):
            return states.create(
                tx, StateDraft(StateKind.FACT, "あなたは京都に住んでいる", {"slot": "residence"})
            )

    old = await memory.write(home)
    guess = await guessed(memory, "あなたは奈良に住んでいる", slot="residence")
    parts = parts_of(memory, ScriptedMind(replies=["奈良に？ あなたは奈良に住んでいるの？"]))
    await turn(parts, "やあ")
    await turn(parts, "はい")
    (home_now,) = await holding(memory)
    assert (home_now.body_text, home_now.payload["slot"]) == ("あなたは奈良に住んでいる", "residence")
    assert (await state_of(memory, old)).valid_to_ts is not None
    assert (await state_of(memory, guess)).valid_to_ts is not None


@pytest.mark.parametrize(
    ("answer", "status"), [("うん", PreferenceStatus.CONFIRMED), ("ううん", PreferenceStatus.REVOKED)]
)
async def test_a_taste_is_settled_alike(memory: Database, answer: str, status: PreferenceStatus) -> None:
    def like(tx: Tx) -> int:
        for _ in range(RARELY - 1):
            events.append(tx, NewEvent(tx.now, Source.CHAT, Origin.USER, "やあ", "うん。"))
        new = Preference(0, Domain.FOOD, Polarity.LIKE, "抹茶", "抹茶", PreferenceStatus.CANDIDATE, None, 0.4,
                         (), tx.now, tx.now, None, None)  # fmt: skip
        with tx.because(Cause(Actor.GROW, "told")):
            return preferences.create(tx, new)

    liked = await memory.write(like)
    parts = parts_of(memory, ScriptedMind(replies=["ところで、抹茶は好き？"]))
    await turn(parts, "やあ")
    await turn(parts, answer)

    def kept(reader: Reader) -> PreferenceStatus:
        return preferences.get(reader, liked).status

    assert await memory.read(kept) is status


@pytest.mark.parametrize("reply", ["うん。", "猫は元気？", "あなたは犬を飼っている。今日は晴れ？"])
async def test_a_yes_to_anything_else_confirms_nothing(memory: Database, reply: str) -> None:
    guess = await guessed(memory, DOG[JA])
    parts = parts_of(memory, ScriptedMind(replies=[reply]))
    await turn(parts, "やあ")
    await turn(parts, "うん")
    assert (await state_of(memory, guess)).payload == {"candidate": True}


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("うん", True), ("はい、そうです", True), ("Yes!", True), ("yeah, sure", True), ("大好き", True),
        ("ううん", False), ("いや、違うよ", False), ("No, not really.", False), ("好きじゃない", False),
        ("うんざりした", None), ("そうなんだ", None), ("nothing much", None), ("notes", None),
        ("いやあ、暑いね", None),
        ("うん、でも明日は雨らしいから傘を持って行ったほうがいいと思うんだよね", None), ("", None),
    ],
)  # fmt: skip
def test_a_plain_yes_or_no(text: str, meant: bool | None) -> None:
    assert yes_or_no(text) is meant
