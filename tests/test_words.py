"""The word index: every event and state is findable by its words, whatever the script or the length."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cocoro_ghost.care.schedule import BackupSchedule, Keep
from cocoro_ghost.care.upkeep import Upkeep, settle_words
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.language.grams import content_terms, index_terms, query_terms, word_count
from cocoro_ghost.language.thesaurus import related
from cocoro_ghost.model.event import EventStatus, NewEvent, Origin, Source
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import StateDraft, StateKind
from cocoro_ghost.store import events, states, words
from cocoro_ghost.store.ports import Database, Reader
from cocoro_ghost.store.words import Within
from cocoro_ghost.testing import temp_memory

NOW = 1_767_225_600


def say(db: Database, user: str | None, reply: str | None = None, at: int = NOW, **more: object) -> int:
    fields: dict[str, object] = {"source": Source.CHAT, "origin": Origin.USER, **more}
    new = NewEvent(created_at=at, user_text=user, assistant_text=reply, **fields)  # type: ignore[arg-type]
    return db.write_now(lambda tx: _indexed(tx, events.append(tx, new)))


def _indexed(tx: object, event_id: int) -> int:
    words.index_event(tx, event_id)  # type: ignore[arg-type]
    return event_id


def found(db: Database, text: str, limit: int = 10, within: Within = words.ANYWHERE) -> list[int]:
    return [event_id for event_id, _ in db.read_now(lambda r: words.find_events(r, text, limit, within))]


# -- terms


def test_latin_words_are_stemmed_and_irregular_forms_meet_their_stem() -> None:
    assert index_terms("She went running") == index_terms("she go RUNS")


def test_accents_width_and_case_do_not_matter() -> None:
    assert index_terms("Café ＡＢＣ") == index_terms("cafe abc")


def test_unspaced_text_becomes_overlapping_pairs_with_its_last_character() -> None:
    assert index_terms("猫カフェ") == ["猫カ", "カフ", "フェ", "ェ"]


def test_other_alphabets_signs_and_accents() -> None:
    assert index_terms("Привет, мир") == ["привет", "мир"]
    assert index_terms("good 😀") == ["good", "😀"]
    assert index_terms("Ünal") == index_terms("unal")
    assert index_terms("") == []


def test_stop_words_and_hiragana_pairs_are_not_asked_for() -> None:
    assert query_terms("what is the 天気 はどう") == ["天気"]


def test_a_query_of_nothing_but_common_words_still_asks() -> None:
    assert query_terms("そうだね") == ["そう", "うだ", "だね", "ね"]
    assert query_terms("the") == ["the"]


def test_two_pairs_of_characters_weigh_as_one_word() -> None:
    assert word_count(content_terms("good morning")) == 2
    assert word_count(content_terms("東京旅行")) == 1.5


def test_related_words_are_mutual_company() -> None:
    assert "dog" in dict(related("pet"))
    assert related("qwertyuiop") == []
    assert all(0 < likeness <= 1 for _, likeness in related("book"))


# -- finding


@pytest.mark.parametrize(
    "query", ["猫", "カフェ", "猫カフェ", "猫カフェに行ったの覚えてる?", "新宿", "ネコじゃなくて猫"]
)
def test_japanese_is_found_from_one_character_on(query: str) -> None:
    with temp_memory() as db:
        wanted = say(db, "昨日、新宿の猫カフェに行ったよ")
        say(db, "今日は雨だった")
        assert found(db, query)[0] == wanted


def test_a_single_character_is_found_at_the_end_of_a_run_too() -> None:
    with temp_memory() as db:
        wanted = say(db, "好きなのは犬。")
        assert found(db, "犬") == [wanted]


def test_a_message_of_two_thousand_characters_is_answered_by_its_rare_words() -> None:
    with temp_memory() as db:
        wanted = say(db, "屋久島の縄文杉を見た")
        for number in range(60):
            say(db, f"今日の仕事は普通だった {number}", at=NOW + number)
        long = "今日の仕事は普通だった。" * 160 + "縄文杉"
        assert len(long) > 1900
        assert found(db, long)[0] == wanted


def test_replies_and_images_are_indexed_with_the_turn() -> None:
    with temp_memory() as db:
        wanted = say(db, None, "I recommend the Alhambra", image_summaries=("a red bicycle",))
        assert found(db, "alhambra") == [wanted]
        assert found(db, "bicycles") == [wanted]


def test_nothing_is_found_for_words_never_said() -> None:
    with temp_memory() as db:
        say(db, "hello there")
        assert found(db, "xylophone") == []
        assert found(db, "") == []
        assert found(db, "！？…") == []


def test_text_that_looks_like_a_search_expression_is_only_text() -> None:
    with temp_memory() as db:
        wanted = say(db, 'a "quoted" NOT near* thing')
        assert found(db, '"quoted" OR (thing NEAR *') == [wanted]


def test_a_turn_is_found_by_the_words_beside_it_but_ranks_below() -> None:
    with temp_memory() as db:
        asked = say(db, "What is your favourite instrument?", "Tell me yours", at=NOW)
        answered = say(db, "It is the cello", at=NOW + 60)
        assert found(db, "instrument") == [asked, answered]


def test_another_talk_is_not_beside() -> None:
    with temp_memory() as db:
        asked = say(db, "What is your favourite instrument?", at=NOW)
        say(db, "It is the cello", at=NOW + 2 * words.TALK_GAP_SECONDS)
        assert found(db, "instrument") == [asked]


def test_long_turns_do_not_lend_their_words() -> None:
    with temp_memory() as db:
        long = say(db, "zebra " + " ".join(f"word{n}" for n in range(words.NEAR_WORDS + 1)), at=NOW)
        say(db, "short answer", at=NOW + 60)
        assert found(db, "zebra") == [long]


def test_filters_by_source_period_and_place() -> None:
    with temp_memory() as db:
        chat = say(db, "green tea", at=NOW)
        note = say(db, "green light", at=NOW + 90_000, source=Source.NOTIFICATION, origin=Origin.APP)
        assert set(found(db, "green")) == {chat, note}
        assert found(db, "green", within=Within(source="notification")) == [note]
        assert found(db, "green", within=Within(until=NOW + 10)) == [chat]
        assert found(db, "green", within=Within(since=NOW + 10)) == [note]
        assert found(db, "green", within=Within(except_id=note)) == [chat]
        assert found(db, "green", within=Within(before_id=note)) == [chat]


def test_what_is_not_searchable_is_not_found() -> None:
    with temp_memory() as db:
        hidden = say(db, "a secret recipe")
        db.write_now(lambda tx: events.set_searchable(tx, hidden, False))
        assert found(db, "recipe") == []
        db.write_now(lambda tx: events.set_searchable(tx, hidden, True))
        assert found(db, "recipe") == [hidden]


# -- keeping up


def test_a_closed_turn_is_found_by_its_reply_after_indexing_again() -> None:
    with temp_memory() as db:
        event_id = say(db, "hi", status=EventStatus.OPEN)
        db.write_now(lambda tx: events.close(tx, event_id, "bonjour"))
        assert not db.read_now(words.check).complete
        assert db.write_now(words.catch_up) == 1
        assert found(db, "bonjour") == [event_id]
        assert db.read_now(words.check).complete


def test_texts_written_without_indexing_wait_and_are_caught_up() -> None:
    with temp_memory() as db:
        new = NewEvent(NOW, Source.CHAT, Origin.USER, "a lonely lighthouse")
        event_id = db.write_now(lambda tx: events.append(tx, new))
        cause = Cause(Actor.USER, "test")

        def hold(tx: object) -> int:
            with tx.because(cause):  # type: ignore[attr-defined]
                return states.create(tx, StateDraft(StateKind.FACT, "灯台が好き"))  # type: ignore[arg-type]

        state_id = db.write_now(hold)
        assert found(db, "lighthouse") == []
        assert db.read_now(words.behind) == 1
        db.write_now(words.catch_up)
        assert db.read_now(words.behind) == 0
        assert found(db, "lighthouse") == [event_id]
        assert db.read_now(lambda r: words.find_states(r, "灯台", 5, NOW))[0][0] == state_id


def test_closed_states_are_found_only_when_asked_for() -> None:
    with temp_memory(FrozenClock(NOW)) as db:

        def hold(tx: object) -> int:
            with tx.because(Cause(Actor.USER, "test")):  # type: ignore[attr-defined]
                draft = StateDraft(StateKind.FACT, "lives in Osaka", valid_to_ts=NOW - 10)
                return states.create(tx, draft)  # type: ignore[arg-type]

        state_id = db.write_now(hold)
        db.write_now(words.catch_up)

        def look(reader: Reader, closed: bool) -> list[int]:
            return [one for one, _ in words.find_states(reader, "osaka", 5, NOW, closed=closed)]

        assert db.read_now(lambda r: look(r, False)) == []
        assert db.read_now(lambda r: look(r, True)) == [state_id]


def test_rebuilding_gives_the_same_answers_and_reports_progress() -> None:
    with temp_memory() as db:
        for number in range(30):
            say(db, f"turn {number} about topic{number % 7}", f"reply {number}", at=NOW + number * 60)
        before = {query: found(db, query, 30) for query in ("topic3", "turn", "reply 7")}
        seen: list[int] = []
        assert db.write_now(lambda tx: words.rebuild(tx, seen.append)) == 30
        assert seen[-1] == 30
        assert {query: found(db, query, 30) for query in before} == before
        assert db.read_now(words.check).complete


def test_a_dropped_index_says_what_is_missing() -> None:
    with temp_memory() as db:
        say(db, "one")
        say(db, "two")
        db.write_now(words.drop)
        assert db.read_now(words.check).missing_events == 2
        assert found(db, "one") == []


def test_what_does_not_exist_is_passed_over() -> None:
    with temp_memory() as db:
        db.write_now(lambda tx: words.index_event(tx, 77))
        assert db.read_now(words.check).complete
        assert db.read_now(lambda r: words.find_states(r, "nothing", 5, NOW)) == []
        assert db.read_now(lambda r: words.search_events(r, {}, 5)) == []
        assert db.read_now(lambda r: words.search_states(r, {}, 5, NOW)) == []


def test_common_counts_are_remembered_until_the_memory_has_grown() -> None:
    with temp_memory() as db:
        for number in range(60):
            say(db, f"tea {number}", at=NOW + number * 4000)
        counts = words.TermCounts()
        assert db.read_now(lambda r: counts.events(r, ["tea", "7", "coffee"])) == {"tea": 60, "7": 1}
        for number in range(3):
            say(db, f"tea again {number}", at=NOW + 900_000 + number * 4000)
        assert db.read_now(lambda r: counts.events(r, ["tea"])) == {"tea": 60}
        for number in range(9):
            say(db, f"tea more {number}", at=NOW + 1_900_000 + number * 4000)
        assert db.read_now(lambda r: counts.events(r, ["tea"])) == {"tea": 72}


def test_an_abandoned_transaction_leaves_no_words() -> None:
    with temp_memory() as db:

        def fails(tx: object) -> None:
            event_id = events.append(tx, NewEvent(NOW, Source.CHAT, Origin.USER, "phantom"))  # type: ignore[arg-type]
            words.index_event(tx, event_id)  # type: ignore[arg-type]
            raise RuntimeError("no")

        with pytest.raises(RuntimeError):
            db.write_now(fails)
        assert found(db, "phantom") == []


def test_the_rarest_terms_fit_the_budget_and_one_is_always_asked() -> None:
    assert words.affordable({"a": 5000, "b": 10, "c": 3000}, 4000) == ["b", "c"]
    assert words.affordable({"a": 5000}, 100) == ["a"]
    assert words.affordable({}, 100) == []


def test_filters_are_looked_past_however_many_of_the_best_they_take() -> None:
    with temp_memory() as db:
        old = say(db, "lantern", at=NOW - 900_000)
        for number in range(60):
            say(db, "lantern lantern", at=NOW + number * 4000)
        within = Within(until=NOW)
        assert found(db, "lantern", 1, within) == [old]
        found_by_index = db.read_now(lambda r: words.search_events(r, {"lantern": 61}, 1, within))
        assert [event_id for event_id, _ in found_by_index] == [old]


def test_terms_beyond_the_budget_still_rank_what_the_rarest_found() -> None:
    with temp_memory() as db:
        both = say(db, "harbour zeppelin", at=NOW)
        only = say(db, "meadow zeppelin", at=NOW + 4000)
        for number in range(8):
            say(db, "harbour", at=NOW + 8000 + number * 4000)
        counts = {"zeppelin": 2, "harbour": 9}
        rarest = db.read_now(lambda r: words.search_events(r, counts, 5, budget=4))
        assert [event_id for event_id, _ in rarest] == [only, both]
        assert found(db, "harbour zeppelin")[:2] == [both, only]


def test_a_rarer_term_weighs_more_and_among_equals_the_newest_comes_first() -> None:
    with temp_memory() as db:
        common = [say(db, "harbour", at=NOW + number * 4000) for number in range(5)]
        rare = say(db, "zeppelin", at=NOW - 4000)
        assert found(db, "harbour zeppelin") == [rare, *reversed(common)]


def test_remembered_counts_find_the_same() -> None:
    with temp_memory() as db:
        for number in range(60):
            say(db, f"tea {number}", at=NOW + number * 4000)
        remembered = words.TermCounts()
        plain = db.read_now(lambda r: words.find_events(r, "tea 7", 5))
        for _ in range(2):
            again = db.read_now(lambda r: words.find_events(r, "tea 7", 5, remembered=remembered))
            assert again == plain


async def test_an_index_brought_together_finds_the_same(memory: Database) -> None:
    for number in range(40):
        say(memory, f"{number}回目の散歩で{'猫' if number % 3 else '犬'}に会った", at=NOW + number)
    before = found(memory, "散歩で犬に会った", 20)
    await settle_words(memory)
    assert found(memory, "散歩で犬に会った", 20) == before
    assert await settle_words(memory) == 0, "what is in one piece is left alone"


@pytest.mark.sqlite
async def test_a_served_ghost_brings_its_word_index_together(memory: Database, tmp_path: Path) -> None:
    for number in range(40):
        say(memory, f"{number}回目の散歩", at=NOW + number)
    assert memory.read_now(lambda reader: reader.value("fts.event_pieces")) > 3
    schedule = BackupSchedule(tmp_path, tmp_path, FrozenClock(NOW), Keep(), enabled=False)
    upkeep = Upkeep([], memory, schedule)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.5):
            await upkeep.settle()
    assert memory.read_now(lambda reader: reader.value("fts.event_pieces")) == 1


@pytest.mark.sqlite
async def test_upkeep_outlives_a_memory_that_cannot_be_written(memory: Database, tmp_path: Path) -> None:
    schedule = BackupSchedule(tmp_path, tmp_path, FrozenClock(NOW), Keep(), enabled=False)
    memory.stop_writing("damaged")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await Upkeep([], memory, schedule).settle()
