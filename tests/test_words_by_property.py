"""The word index, by property: what was said is found by any word of it, in every script and engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cocoro_ghost.language.grams import content_terms, index_terms, is_unspaced, query_terms
from cocoro_ghost.model.event import EventStatus, NewEvent, Origin, Source
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import StateDraft, StateKind
from cocoro_ghost.store import events, states, words
from cocoro_ghost.store.ports import Database, Reader, Tx
from cocoro_ghost.store.words import TermCounts, Within

NOW = 1_767_225_600
FAR = 10 * words.TALK_GAP_SECONDS
FEW = settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
PIECES = st.sampled_from(
    [
        "猫", "猫カフェ", "京都に行った", "ラーメンが好き", "ね", "々", "時々", "ー", "コーヒー",
        "ｺｰﾋｰ", "𠮟る", "𩸽", "龍馬", "running", "Running", "ran", "don't", "Don’t", "café", "CAFE",
        "ＡＢＣ", "naïve", "Straße", "İstanbul", "ﬁne", "привет", "Ёлка", "ไทย", "한국어", "각", "ᄒ",
        "中国", "العربية", "हिन्दी", "e\u0301te", "が", "か\u3099", "😀", "👩\u200d👩\u200d👧", "☕",
        "100%", "3.14", "2026-01-31", "a_b", "C++", "x" * 90, "O'Neil's", "--", "\"", "near", "AND",
        "NOT cat", "own:cat", "^cat", "ca*", "(", "\u200b", "\ufeff", "\u3000", "①", "㎏", "½", "ﷺ",
        "々々",
    ]
)  # fmt: skip
FREE = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
TEXTS = st.lists(PIECES | FREE, min_size=1, max_size=5).map(" ".join) | st.lists(PIECES, max_size=3).map(
    "".join
)


def _heard(tx: Tx, texts: Sequence[str], apart: int = FAR) -> list[int]:
    start = events.last_id(tx)
    found = [
        events.append(tx, NewEvent(NOW + (start + at) * apart, Source.CHAT, Origin.USER, text))
        for at, text in enumerate(texts)
    ]
    words.index_events(tx, found)
    return found


def _clear(tx: Tx) -> None:
    """Nothing said before an example is found in it."""
    for event in events.newest(tx, 1000):
        events.set_searchable(tx, event.event_id, False)


def _found(db: Database, text: str, limit: int = 50, within: Within = words.ANYWHERE) -> list[int]:
    return [event_id for event_id, _ in db.read_now(lambda r: words.find_events(r, text, limit, within))]


def test_each_text_is_found_by_itself_and_by_each_of_its_words(memory: Database) -> None:
    @FEW
    @given(st.lists(TEXTS, min_size=1, max_size=4))
    def holds(texts: list[str]) -> None:
        memory.write_now(_clear)
        ids = memory.write_now(partial(_heard, texts=texts))
        for event_id, text in zip(ids, texts, strict=True):
            if query_terms(text):
                assert event_id in _found(memory, text), text
            else:
                assert _found(memory, text) == [], "what has no word finds nothing"
            for term in set(content_terms(text)):
                counts = memory.read_now(partial(words.event_counts, terms=[term]))
                found = memory.read_now(partial(words.search_events, counts=counts, limit=50))
                assert event_id in dict(found), (term, text)

    holds()


def test_any_single_character_of_an_unspaced_script_is_found(memory: Database) -> None:
    @FEW
    @given(st.lists(TEXTS, min_size=1, max_size=4))
    def holds(texts: list[str]) -> None:
        memory.write_now(_clear)
        ids = memory.write_now(partial(_heard, texts=texts))
        for event_id, text in zip(ids, texts, strict=True):
            signs = {sign for term in index_terms(text) if is_unspaced(term) for sign in term}
            for sign in sorted(signs)[:6]:
                if query_terms(sign) == [sign]:
                    assert event_id in _found(memory, sign), (sign, text)

    holds()


def test_what_is_found_is_ranked_bounded_and_the_same_however_it_is_asked(memory: Database) -> None:
    @FEW
    @given(st.lists(TEXTS, min_size=2, max_size=8), TEXTS, st.integers(1, 4))
    def holds(texts: list[str], query: str, limit: int) -> None:
        memory.write_now(_clear)
        ids = set(memory.write_now(partial(_heard, texts=texts)))
        whole = memory.read_now(partial(words.find_events, text=query, limit=50))
        scores = [score for _, score in whole]
        assert scores == sorted(scores, reverse=True)
        assert min(scores, default=0.0) >= 0.0
        assert len(dict(whole)) == len(whole)
        assert dict(whole).keys() <= ids
        some = memory.read_now(partial(words.find_events, text=query, limit=limit))
        assert some == whole[:limit], "a shorter answer is the beginning of the longer"
        known = TermCounts()
        for _ in range(2):
            again = memory.read_now(partial(words.find_events, text=query, limit=50, remembered=known))
            assert again == whole
        twice = memory.read_now(partial(words.find_events, text=f"{query} {query}", limit=50))
        assert {one for one, _ in twice} >= {one for one, _ in whole}, "saying it twice hides nothing"

    holds()


def test_every_limit_of_a_search_is_kept(memory: Database) -> None:
    def life(tx: Tx) -> None:
        sources = (Source.CHAT, Source.IMPORT, Source.NOTIFICATION)
        for number in range(30):
            new = NewEvent(NOW + number * FAR, sources[number % 3], Origin.USER, f"猫の話 cat {number}")
            words.index_event(tx, events.append(tx, new))

    memory.write_now(life)
    whole = memory.read_now(lambda r: events.by_ids(r, range(1, 31)))

    @FEW
    @given(
        st.builds(
            Within,
            source=st.none() | st.sampled_from(["chat", "import", "notification", "lorebook"]),
            since=st.none() | st.integers(-1, 31).map(lambda n: NOW + n * FAR),
            until=st.none() | st.integers(-1, 31).map(lambda n: NOW + n * FAR),
            before_id=st.none() | st.integers(0, 32),
            except_id=st.none() | st.integers(0, 32),
        ),
        st.sampled_from(["猫", "cat", "猫 cat"]),
    )
    def holds(within: Within, query: str) -> None:
        found = _found(memory, query, 40, within)
        expected = {
            one.event_id
            for one in whole.values()
            if within.source in (None, one.source.value)
            and (within.since is None or one.created_at >= within.since)
            and (within.until is None or one.created_at < within.until)
            and (within.before_id is None or one.event_id < within.before_id)
            and one.event_id != within.except_id
        }
        assert set(found) == expected
        assert len(found) == len(expected)

    holds()


def test_edits_and_rebuilding_leave_the_index_of_the_words_that_stand(memory: Database) -> None:
    """Whatever is written, changed or left waiting: made anew, the index says the same."""

    @FEW
    @given(st.lists(st.tuples(TEXTS, TEXTS, st.booleans()), min_size=1, max_size=5), TEXTS)
    def holds(turns: list[tuple[str, str, bool]], query: str) -> None:
        memory.write_now(_clear)
        first = memory.read_now(events.last_id) + 1
        for text, reply, waits in turns:
            memory.write_now(partial(_open_and_closed, text=text, reply=reply, waits=waits))
        memory.write_now(words.catch_up)
        assert memory.read_now(words.check).complete
        before = [_found(memory, asked) for asked in (query, *(reply for _, reply, _ in turns))]
        rows = memory.read_now(partial(_rows, first=first))
        memory.write_now(words.rebuild)
        assert memory.read_now(words.check).complete
        assert memory.read_now(partial(_rows, first=first)) == rows
        assert [_found(memory, asked) for asked in (query, *(reply for _, reply, _ in turns))] == before

    holds()


def _open_and_closed(tx: Tx, text: str, reply: str, waits: bool) -> None:
    at = NOW + events.last_id(tx) * 60
    event_id = events.append(tx, NewEvent(at, Source.CHAT, Origin.USER, text, status=EventStatus.OPEN))
    words.index_event(tx, event_id)
    events.checkpoint(tx, event_id, "half a word that was never finished")
    if not waits:
        words.index_event(tx, event_id)
    events.close(tx, event_id, reply)
    if not waits:
        words.index_event(tx, event_id)


def _rows(reader: Reader, first: int) -> dict[int, words.WordRow]:
    return words.rows(reader, range(first, events.last_id(reader) + 1))


def test_a_reply_that_was_replaced_is_no_longer_found_by_its_old_words(memory: Database) -> None:
    (event_id,) = memory.write_now(partial(_heard, texts=["how was it"]))
    memory.write_now(lambda tx: events.replace_reply(tx, event_id, "zebra 縞馬"))
    memory.write_now(words.catch_up)
    assert (_found(memory, "zebra"), _found(memory, "縞馬")) == ([event_id], [event_id])
    memory.write_now(lambda tx: events.replace_reply(tx, event_id, "giraffe 麒麟"))
    memory.write_now(words.catch_up)
    assert (_found(memory, "zebra"), _found(memory, "縞馬"), _found(memory, "縞")) == ([], [], [])
    assert _found(memory, "麒麟") == [event_id]


def test_neighbours_lend_their_words_within_a_talk_only(memory: Database) -> None:
    gap = words.TALK_GAP_SECONDS
    moments = {"水族館に行った": 0, "楽しかった": gap, "また行こう": 2 * gap + 1}

    def life(tx: Tx) -> list[int]:
        found = [
            events.append(tx, NewEvent(NOW + at, Source.CHAT, Origin.USER, text))
            for text, at in moments.items()
        ]
        words.index_events(tx, found)
        return found

    first, near, far = memory.write_now(life)
    assert _found(memory, "水族館") == [first, near], "itself first, then what was said beside it"
    assert far not in _found(memory, "水族館")
    places = memory.read_now(lambda r: words.places(r, [first, near, far]))
    assert {one: place[1:] for one, place in places.items()} == {
        first: (None, near),
        near: (first, None),
        far: (None, None),
    }


def test_states_are_found_by_one_character_and_not_once_they_are_over(memory: Database) -> None:
    @FEW
    @given(st.lists(TEXTS.filter(str.strip), min_size=1, max_size=4))
    def holds(texts: list[str]) -> None:
        made = memory.write_now(partial(_believed, texts=texts))
        for state_id, text in zip(made, texts, strict=True):
            if query_terms(text):
                assert state_id in dict(
                    memory.read_now(partial(words.find_states, text=text, limit=500, now=NOW))
                )
        memory.write_now(partial(_over, ids=made))
        for text in texts:
            ask = partial(words.find_states, text=text, limit=500, now=NOW)
            assert not dict(memory.read_now(ask)).keys() & set(made)
            if query_terms(text):
                assert dict(memory.read_now(partial(ask, closed=True))).keys() & set(made)

    holds()


def _believed(tx: Tx, texts: Sequence[str]) -> list[int]:
    made = []
    with tx.because(Cause(Actor.USER, "told")):
        for text in texts:
            made.append(states.create(tx, StateDraft(StateKind.FACT, text)))
            words.index_state(tx, made[-1], text)
    return made


def _over(tx: Tx, ids: Sequence[int]) -> None:
    with tx.because(Cause(Actor.USER, "over")):
        for one in ids:
            states.save(tx, replace(states.get(tx, one), valid_to_ts=NOW))


def test_more_than_a_block_of_texts_with_edits_all_over_are_found_by_what_they_say_last(
    memory: Database,
) -> None:
    """In PostgreSQL postings live in blocks of 512 and a tail; no border between them may be seen."""
    count = 530

    def life(tx: Tx) -> None:
        ids = [
            events.append(tx, NewEvent(NOW + n * FAR, Source.CHAT, Origin.USER, f"日{n}記"))
            for n in range(count)
        ]
        words.index_events(tx, ids)
        for number in (1, 2, 511, 512, 513, count):
            events.replace_reply(tx, number, "特別な夜")
            words.index_event(tx, number)

    memory.write_now(life)
    marked = [1, 2, 511, 512, 513, count]
    assert sorted(_found(memory, "特別")) == marked
    assert sorted(_found(memory, "特")) == marked
    counts = memory.read_now(lambda r: words.event_counts(r, ["特別", "日", "記", "無"]))
    assert counts == {"特別": 6, "日": count, "記": count}

    def undone(tx: Tx) -> None:
        for number in (1, 512):
            events.replace_reply(tx, number, "普通の昼")
            words.index_event(tx, number)
        while tx.words.settle(begin=True):
            pass

    memory.write_now(undone)
    assert sorted(_found(memory, "特別")) == [2, 511, 513, count]
    assert sorted(_found(memory, "普通")) == [1, 512]
    assert memory.read_now(words.check).complete
