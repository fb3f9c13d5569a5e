"""The audit walked with both minds: what memory holds reaches the one who speaks, whoever that is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from cocoro_ghost.model.event import AboutTime, LifeStage, Source
from cocoro_ghost.model.heard import Heard
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import StateKind
from cocoro_ghost.recall.config import config_of
from cocoro_ghost.settings.file import load_config
from cocoro_ghost.store import graph
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.testing import ScriptedMind
from tests.asking import mind_at
from tests.model_server import model_server, streams
from tests.recalling import DAY, NOW, Life, a_life, ranked
from tests.test_told import Listening, injected, sections
from tests.turning import end_of, parts_of, turn

JA, EN = Language.JA, Language.EN


@pytest.fixture
def life() -> Iterator[Life]:
    with a_life() as life:
        yield life


@dataclass(frozen=True, slots=True)
class Walked:
    """One message to both minds: what each was told as events, the prompt, and what the embedded one said."""

    episodes: tuple[str, ...]
    loops: tuple[str, ...]
    prompt: str
    reply: str

    @property
    def shown(self) -> dict[str, list[str]]:
        return sections(self.prompt)


def walk(life: Life, said: str, language: Language) -> Walked:
    return asyncio.run(_walk(life, said, language))


async def _walk(life: Life, said: str, language: Language) -> Walked:
    """Nothing of it is kept, so that the second mind finds what the first did; both are told the same."""
    embedded = Listening(life.clock.zone)
    parts = replace(parts_of(life.db, embedded), recall=life.recaller(), language=language)
    frames = await turn(parts, Heard(said, incognito=True))
    async with model_server(streams("ok")) as server:
        await turn(replace(parts, mind=mind_at(server)), Heard(said, incognito=True))
        prompt = injected(server.requests[-1])
    assert embedded.heard is not None
    scene = embedded.heard.scene
    told = tuple(one.text for one in scene.recalled if one.kind == "event")
    assert len(sections(prompt).get("EPISODE_EVIDENCE", [])) == len(told)
    assert all(any(loop in line for line in sections(prompt)["OPEN_LOOPS"]) for loop in scene.open_loops)
    return Walked(told, tuple(scene.open_loops), prompt, getattr(end_of(frames), "reply_text", ""))


@pytest.mark.parametrize(
    ("language", "note", "question", "mark"),
    [
        (JA, "あなたはコーヒーが好きです", "私、コーヒーが好きって言ったっけ？", "通知より"),
        (EN, "You like coffee", "Did I ever say that I like coffee?", "from a notification"),
    ],
)
def test_3_a_notification_is_told_back_by_nobody_as_the_persons_word(
    life: Life, language: Language, note: str, question: str, mark: str
) -> None:
    life.say(note, None, source=Source.NOTIFICATION, days_ago=3)
    walked = walk(life, question, language)
    (line,) = walked.shown["EPISODE_EVIDENCE"]
    assert mark in line
    assert not any(
        coffee in " ".join(walked.shown.get("STABLE_FACTS", [])) for coffee in ("コーヒー", "coffee")
    )
    assert note not in walked.reply


@pytest.mark.parametrize(
    ("language", "stages", "question"),
    [
        (JA, ("小学校の学芸会が楽しかった", "中学校の合唱が楽しかった", "高校の学校祭が楽しかった"),
         "学校で楽しかったこと"),
        (
            EN,
            ("The play at elementary school was fun", "The choir at middle school was fun",
             "The festival at high school was fun"),
            "Fun things at school",
        ),
    ],
)  # fmt: skip
def test_5_school_reaches_every_stage_of_it(
    life: Life, language: Language, stages: tuple[str, str, str], question: str
) -> None:
    every = (LifeStage.ELEMENTARY, LifeStage.MIDDLE, LifeStage.HIGH)
    for text, stage, count in zip(stages, every, (2, 1, 31), strict=True):
        for number in range(count):
            about = AboutTime(life_stage=stage, confidence=0.9)
            life.say(f"{text} {number}", days_ago=40 + number, about=about)
    told = walk(life, question, language).episodes
    of_stage = [sum(one.startswith(text) for one in told) for text in stages]
    assert all(of_stage)
    assert of_stage[2] <= 0.4 * 12


@pytest.mark.parametrize("language", [JA, EN])
def test_8_the_nearest_of_many_deadlines_is_told(life: Life, language: Language) -> None:
    """The one due tomorrow was spoken of longest ago."""
    tax, other = ("確定申告を出す", "用事") if language is JA else ("File the tax return", "errand")
    life.hold(tax, StateKind.TASK, payload={"due_ts": NOW + DAY}, last_confirmed_at=NOW - 90 * DAY)
    for number in range(27):
        due = {"due_ts": NOW + (20 + number) * DAY}
        life.hold(f"{other} {number}", StateKind.TASK, payload=due, last_confirmed_at=NOW - number)
    walked = walk(life, "おはよう" if language is JA else "Good morning", language)
    assert walked.loops[0].startswith(tax)
    assert walked.shown["OPEN_LOOPS"][0].startswith(tax)


@pytest.mark.parametrize("language", [JA, EN])
def test_12_in_little_room_the_deadline_stays_and_the_old_quotes_go(life: Life, language: Language) -> None:
    tax, trip = (
        ("確定申告を出す", "京都の旅行の話") if language is JA else ("File the tax return", "The Kyoto trip")
    )
    life.config = replace(life.config, max_inject_tokens=420)
    life.hold(tax, StateKind.TASK, payload={"due_ts": NOW + DAY})
    for number in range(30):
        life.say(
            f"{trip} {number} " + ("清水寺を見た。" if language is JA else "We saw a temple. ") * 6,
            days_ago=9,
        )
    walked = walk(life, trip, language)
    assert [loop[: len(tax)] for loop in walked.loops] == [tax]
    assert len(walked.episodes) < 12, "there was no room for all that was selected"


@pytest.mark.parametrize(("language", "text"), [(JA, "水彩画を描いた"), (EN, "I painted a watercolour")])
def test_19_one_thread_does_not_fill_every_seat(life: Life, language: Language, text: str) -> None:
    ids = [life.say(f"{text} {number}", days_ago=20 + number) for number in range(40)]

    def thread(tx: Tx) -> None:
        for place, event_id in enumerate(ids):
            graph.join_thread(tx, event_id, "a" if place < 34 else "b", 0.9, [event_id])

    life.because(thread)
    told = walk(life, text, language).episodes
    numbers = [int(one.rsplit(" ", 1)[1]) for one in told]
    assert sum(number < 34 for number in numbers) <= 0.5 * 12
    assert any(number >= 34 for number in numbers)


@pytest.mark.parametrize(("language", "text"), [(JA, "ギターの練習をした"), (EN, "I practised the guitar")])
def test_20_in_a_talk_the_recent_comes_first_and_in_a_question_it_need_not(
    life: Life, language: Language, text: str
) -> None:
    old = life.say(text, days_ago=400)
    for number in range(20):
        life.say(f"買い物 shopping {number}", days_ago=100 + number)
    new = life.say(text, days_ago=2)
    result = life.recall(text, language=language)
    found = ranked(result)
    assert found.index(f"e{new}") < found.index(f"e{old}")
    parts = {str(one.ref): one.parts for one in result.fused.ranked}
    assert parts[f"e{old}"]["words"] >= parts[f"e{new}"]["words"], "it is not the words that made it first"
    assert walk(life, text, language).episodes[:2] == (text, text)


@pytest.mark.parametrize("language", [JA, EN])
def test_22_quotas_and_caps_are_those_of_the_settings_file(
    life: Life, language: Language, tmp_path: Path
) -> None:
    text = "水彩画を描いた" if language is JA else "I painted a watercolour"
    for number in range(30):
        about = AboutTime(year_start=2020 + number // 28, confidence=0.9)
        life.say(f"{text} {number}", days_ago=20 + number, about=about)
    before = walk(life, text, language).episodes
    (tmp_path / "config.toml").write_text(
        "[recall]\nselected = 10\n[recall.caps]\nper_year = 0.2\n", encoding="utf-8"
    )
    life.config = replace(config_of(load_config(tmp_path).recall), deadlines=life.config.deadlines)
    after = walk(life, text, language).episodes
    assert sum(int(one.rsplit(" ", 1)[1]) < 28 for one in before) == 7
    assert sum(int(one.rsplit(" ", 1)[1]) < 28 for one in after) == 2


@pytest.mark.parametrize(
    ("language", "filler", "key", "question"),
    [
        (JA, "その日は朝から雨で、駅まで歩いてずいぶん濡れてしまった。",
         "鍵の暗証番号は郵便受けの裏に書いた。", "鍵の暗証番号"),
        (EN, "It rained from the morning on and I got wet on the way. ",
         "The key code is behind the mailbox.", "key code"),
    ],
)  # fmt: skip
def test_23_of_a_long_turn_the_part_that_answers_is_quoted(
    life: Life, language: Language, filler: str, key: str, question: str
) -> None:
    told = life.say(filler * 9 + key, days_ago=30)
    for number in range(20):
        life.say(f"買い物 shopping {number}", days_ago=60 + number)
    walked = walk(life, question, language)
    (line,) = walked.shown["EPISODE_EVIDENCE"]
    assert key.strip() in line
    assert len(line) < 300
    snippet = filler.strip()
    chosen = {"selected": [{"ref": f"e{told}", "reason": "why", "snippet": snippet}]}
    life.say(f"{question} {question}", days_ago=40)
    life.mind = ScriptedMind({"search_result_pack": [chosen]})
    found = life.recall(question, language=language)
    assert snippet in found.pack.text, "what the mind picked out is what is quoted"
