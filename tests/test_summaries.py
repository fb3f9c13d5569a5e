"""Summaries: whole sentences in the ghost's language, grown on the clock, standing on their material."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from cocoro_ghost.language.grounding import grounded
from cocoro_ghost.mind.client import PlanRequest
from cocoro_ghost.mind.embedded.embedded_mind import EmbeddedMind
from cocoro_ghost.model.scene import Language, Persona
from cocoro_ghost.model.state import ScopeType, State, StateKind
from cocoro_ghost.senses.new_day import NewDay
from cocoro_ghost.store import events, jobs, plans, states
from cocoro_ghost.testing import FrozenClock, ScriptedMind
from cocoro_ghost.testing.growth import GrowingMemory, growing_memory
from tests import recalling
from tests.growing import DAY, Life, a_life, feels
from tests.tidying import tidy

JA, EN = Language.JA, Language.EN
TALK = {
    JA: [
        "京都に住んでるよ",
        "妹の美咲が遊びに来た",
        "ジャズが大好き",
        "美咲と錦市場に行って楽しかった",
        "やあ",
    ],
    EN: ["I live in Kyoto", "My sister Emma came to visit", "I love jazz", "Emma and I had fun", "Hi"],
}


@contextmanager
def keeper(language: Language) -> Iterator[Life]:
    with growing_memory(EmbeddedMind(FrozenClock().zone), language=language) as g:
        g.persona = Persona("Cocoro", "", "", "あなた" if language is JA else "you")
        yield Life(g)


def summary(g: GrowingMemory, kind: ScopeType, key: str) -> State:
    found = g.read(lambda r: states.summary_of_scope(r, kind, key))
    assert found is not None
    return found


def new_day(g: GrowingMemory, days: int = 1) -> bool:
    """The clock goes on and is looked at, as a served ghost does; what is due is done."""
    g.clock.tick(days * DAY)
    seen = g.run(NewDay(g.db, g.clock).look())
    g.work()
    return seen


def scopes_asked(mind: ScriptedMind) -> list[tuple[str, str]]:
    found = [r.material for r in mind.requests if r.purpose == "scope_summary"]
    mind.requests.clear()
    return [(m.scope_type.value, m.scope_key) for m in found]  # type: ignore[union-attr]


@pytest.mark.parametrize("language", [JA, EN])
def test_the_keeper_tells_in_sentences_what_it_knows(language: Language) -> None:
    with keeper(language) as life:
        for text in TALK[language]:
            life.g.live(text)
            life.g.clock.tick(DAY)
        tidy(life)
        bond = summary(life.g, ScopeType.BOND, "rolling:7d").body_text
        month = summary(life.g, ScopeType.PERIOD, "2026-01").body_text
        sister = summary(life.g, ScopeType.PERSON, "美咲" if language is JA else "emma").body_text
        if language is JA:
            assert "5日話した" in bond
            assert "あなたは京都に住んでいる。" in bond
            assert "ジャズが好きだと話していた。" in bond
            assert month.startswith("2026年1月は、")
            assert sister.startswith("美咲のことは、1月2日から1月4日にかけて")
        else:
            assert "talked on 5 days" in bond
            assert "You live in Kyoto." in bond
            assert "You said that you like jazz." in bond
            assert month.startswith("In January 2026 we talked")
            assert sister.startswith("You have told me about Emma between January 2 and January 4.")
        for text in (bond, month, sister):
            assert len(text) <= 400
            assert text.endswith(("。", "."))
            assert not re.search(r"話に出たのは|touched on|1 turns|1 times|\b1 days\b|\d{4}-\d{2}", text)


@pytest.mark.parametrize("language", [JA, EN])
def test_one_day_is_told_as_that_day(language: Language) -> None:
    with keeper(language) as life:
        life.g.live(TALK[language][0])
        tidy(life)
        told = summary(life.g, ScopeType.BOND, "rolling:7d").body_text
        assert ("1月1日に" if language is JA else "on January 1.") in told


def test_the_month_is_told_in_the_ghosts_language_though_one_word_was_not() -> None:
    with keeper(EN) as life:
        for text in ("I live in Kyoto", "京都に住んでるよ", "I love jazz"):
            life.g.live(text)
        tidy(life)
        told = summary(life.g, ScopeType.PERIOD, "2026-01").body_text
        assert told.startswith("In January 2026")
        assert not re.search(r"[ぁ-ん一-龥]", told)
    with keeper(JA) as life:
        life.g.live("I live in Kyoto")
        tidy(life)
        # Nothing at all was said in Japanese: an English talk is not framed in it.
        assert summary(life.g, ScopeType.PERIOD, "2026-01").body_text.startswith("In January 2026")


# -- on the clock --


def person(name: str = "美咲さん") -> dict[str, Any]:
    return {
        "event_annotations": {"entities": [{"type": "person", "name": name, "confidence": 0.9}]},
        "context_updates": {"threads": [{"thread_key": "引っ越し"}]},
        **feels(0.5),
    }


@contextmanager
def asked_life() -> Iterator[tuple[Life, ScriptedMind]]:
    def summarise(request: PlanRequest) -> dict[str, Any]:
        m: Any = request.material
        text = f"私たちは{m.scope_label}のことを話した。"
        return {"scope_type": "bond", "scope_key": "", "body_text": text}

    with a_life() as life:
        mind = life.g.mind
        assert isinstance(mind, ScriptedMind)
        mind.answers["scope_summary"] = summarise
        yield life, mind


def test_the_bond_grows_each_day_on_which_there_was_talk() -> None:
    with asked_life() as (life, mind):
        life.tell("やあ")
        assert new_day(life.g)
        assert scopes_asked(mind) == [("bond", "rolling:7d")]
        assert not life.g.run(NewDay(life.g.db, life.g.clock).look()), "once a day"
        assert new_day(life.g)
        assert scopes_asked(mind) == [], "nothing was said"
        life.tell("またね")
        assert scopes_asked(mind) == []
        new_day(life.g)
        assert scopes_asked(mind) == [("bond", "rolling:7d")]
        run = life.g.read(lambda r: plans.tidy_runs(r, 5))[0]
        assert run.trigger.startswith("a new day")
        assert run.counts["summaries"] == 1


def test_the_first_words_of_a_day_sum_up_the_days_before_where_no_clock_ran() -> None:
    with asked_life() as (life, mind):
        life.tell("やあ")
        life.g.clock.tick(DAY)
        life.tell("おはよう")
        assert scopes_asked(mind) == [("bond", "rolling:7d")]


def test_no_day_is_begun_before_anything_was_said() -> None:
    with asked_life() as (life, _):
        assert not new_day(life.g)
        assert life.g.read(jobs.unfinished) == 0


def test_persons_and_topics_grow_when_a_fifth_of_their_evidence_is_new() -> None:
    wanted = {("person", "美咲"), ("topic", "引っ越し")}
    with asked_life() as (life, mind):
        for _ in range(9):
            life.tell("美咲さんと引っ越しの話をした", person())
        new_day(life.g)
        assert wanted <= set(scopes_asked(mind))
        for already, due in ((10, False), (11, False), (12, True)):
            life.tell("美咲さんと引っ越しの話の続き", person())
            new_day(life.g)
            asked = set(scopes_asked(mind))
            assert (wanted <= asked) is due, already
            assert bool(wanted & asked) is due
        grown = summary(life.g, ScopeType.PERSON, "美咲")
        assert grown.payload["last_event_id"] == 12


def test_a_month_is_summed_up_when_it_is_over_however_long_before_its_end_was_the_last_talk() -> None:
    with asked_life() as (life, mind):
        life.tell("一月の話")
        new_day(life.g, 10)
        assert ("period", "2026-01") not in scopes_asked(mind)
        new_day(life.g, 21)
        assert scopes_asked(mind) == [("period", "2026-01")]
        new_day(life.g)
        assert scopes_asked(mind) == []
        assert "2026年1月" in summary(life.g, ScopeType.PERIOD, "2026-01").body_text


@pytest.mark.parametrize(("days", "current"), [(0, True), (6, True), (8, False), (40, False)])
@pytest.mark.parametrize("language", [JA, EN])
def test_a_rolling_summary_older_than_its_window_is_never_told_as_current(
    days: int, current: bool, language: Language
) -> None:
    body = "私たちは仲良くなった一週間を過ごした" if language is JA else "We grew close over this lovely week"
    with recalling.a_life() as life:
        state_id = life.hold(
            body,
            StateKind.SUMMARY,
            payload={"scope": {"type": "bond", "key": "rolling:7d"}},
            last_confirmed_at=recalling.NOW - days * DAY,
        )
        for asked in ("やあ", body):
            found = life.recall(asked, language=language)
            lines = [line for told in found.pack.told.values() for line in told]
            said = [line for line in lines if line.name == f"s{state_id}"]
            assert all(line.past is not current for line in said), "when it is told, it is told as what it is"
            assert bool(said) or not current
            if not current:
                assert all(line.text.startswith(("until 20", "20")) for line in said)
                assert body not in found.pack.narrative


# -- on its material --

FACTS = {
    JA: "妹の美咲が1月3日に京都へ来た。猫は2匹いる。",
    EN: "My sister Emma came to Kyoto on January 3. I have 2 cats.",
}
SOUND = {JA: "美咲は1月3日に京都へ来た。", EN: "Emma came to Kyoto on January 3."}
MADE_UP = [
    (JA, "大輔も一緒だった。", "大輔"),
    (JA, "大阪にも行った。", "大阪"),
    (JA, "猫は15匹いる。", "15"),
    (JA, "それは3月8日だった。", "3-8"),
    (JA, "2019年5月のことだ。", "2019-5"),
    (JA, "猫は十五匹いる。", "十五"),
    (JA, "それは火曜日だった。", "火曜"),
    (EN, "There are fifteen cats.", "fifteen"),
    (EN, "It was on a Tuesday.", "Tuesday"),
    (EN, "Robert was there as well.", "Robert"),
    (EN, "You went to London too.", "London"),
    (EN, "There are 15 cats.", "15"),
    (EN, "It was on March 8.", "3-8"),
    (EN, "That was in May 2019.", "2019-5"),
]


@pytest.mark.parametrize(("language", "lie", "what"), MADE_UP)
def test_a_sentence_of_a_summary_that_stands_on_nothing_is_dropped_with_a_reason(
    language: Language, lie: str, what: str
) -> None:
    text = f"{SOUND[language]} {lie}"
    with a_life(language) as life:
        assert isinstance(life.g.mind, ScriptedMind)
        answer = {"scope_type": "bond", "scope_key": "", "body_text": text}
        life.g.mind.answers["scope_summary"] = lambda _: answer
        life.tell(FACTS[language])
        counts = tidy(life)
        kept = summary(life.g, ScopeType.BOND, "rolling:7d").body_text
        assert kept == SOUND[language]
        assert any(what in reason and "nowhere in the material" in reason for reason in counts["dropped"])


@pytest.mark.parametrize(
    ("language", "told", "sentence"),
    [
        (JA, "猫が3匹いる", "猫は三匹いる。"),
        (JA, "猫が三匹いる", "猫は3匹いる。"),
        (JA, "十二年ぶりに会った", "12年ぶりだった。"),
        (JA, "一緒に行った", "二人で一緒に行った。"),
        (JA, "2026-01-08 歯医者に行った", "木曜日に歯医者に行った。"),
        (JA, "土曜に行く", "土曜日に行く。"),
        (EN, "I have 3 cats", "There are three cats."),
        (EN, "I have twenty-five books", "There are 25 books."),
        (EN, "We went", "We went as one."),
        (EN, "2026-01-08 the dentist", "On Thursday it was the dentist."),
        (JA, "2026-02-30 に行くと言った", "行くと言った。"),
        (EN, "on Saturdays I rest", "Saturday is for rest."),
    ],
)
def test_a_number_in_words_and_a_weekday_stand_on_what_says_the_same(
    language: Language, told: str, sentence: str
) -> None:
    assert grounded(sentence, [told], language) == (sentence, [])


def test_a_summary_that_stands_on_nothing_at_all_leaves_the_one_before() -> None:
    with a_life() as life:
        assert isinstance(life.g.mind, ScriptedMind)
        bodies = iter(["美咲が来た。", "大輔が来た。"])
        said: dict[int, str] = {}

        def answer(request: PlanRequest) -> dict[str, Any]:
            m: Any = request.material
            if m.scope_type is not ScopeType.BOND:
                return {"scope_type": "bond", "scope_key": "", "body_text": ""}
            said[len(said)] = next(bodies)
            return {"scope_type": "bond", "scope_key": "", "body_text": said[len(said) - 1]}

        life.g.mind.answers["scope_summary"] = answer
        for _ in range(2):
            life.tell("妹の美咲が来た")
            tidy(life)
        assert len(said) == 2
        assert summary(life.g, ScopeType.BOND, "rolling:7d").body_text == "美咲が来た。"


@pytest.mark.parametrize(("language", "lie", "what"), MADE_UP)
def test_a_short_form_of_a_reply_says_nothing_the_reply_did_not(
    language: Language, lie: str, what: str
) -> None:
    reply = FACTS[language] + {JA: "そうだったんだね。", EN: " So that is how it was."}[language] * 40
    with a_life(language) as life:
        assert isinstance(life.g.mind, ScriptedMind)
        for made, kept in ((f"{SOUND[language]} {lie}", SOUND[language]), (lie, None)):
            life.g.mind.answers["reply_summary"] = [{"summary_text": made}]
            life.g.mind._used.clear()
            event_id = life.tell("聞かせて", reply=reply)
            short = life.g.read(lambda r, i=event_id: events.fresh_summaries(r, [i]))[event_id]  # type: ignore[misc]
            assert what not in short
            assert short == kept or (kept is None and reply.startswith(short[:10]))


def test_a_summary_that_came_out_long_ends_with_a_sentence() -> None:
    with a_life() as life:
        assert isinstance(life.g.mind, ScriptedMind)
        answer = {"scope_type": "bond", "scope_key": "", "body_text": "私たちはよく話した。" * 90}
        life.g.mind.answers["scope_summary"] = lambda _: answer
        life.tell("やあ")
        tidy(life)
        told = summary(life.g, ScopeType.BOND, "rolling:7d").body_text
        assert 300 < len(told) <= 400
        assert told.endswith("よく話した。")
