"""Turns written, committed and found by words."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from statistics import median
from time import process_time

from bench.measure import cpu_ms, line, verdict, wall_ms
from cocoro_ghost.clock import SystemClock
from cocoro_ghost.language.grams import index_terms, query_terms
from cocoro_ghost.model.event import NewEvent, Origin, Source
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.store import events, jobs, meta, words
from cocoro_ghost.store.ports import Database, Tx
from cocoro_ghost.store.sqlite.connection import SqliteReader, connect
from cocoro_ghost.store.sqlite.files import open_memory

# Every ninth ideograph: enough different pairs of characters, as a real vocabulary has.
_CHARACTERS = "".join(chr(code) for code in range(0x4E00, 0x9F00, 9))
_ENDINGS = ("を見た", "が好き", "に行った", "を買った", "と話した", "が楽しみ", "で困った", "を忘れた")
_FILLERS = ("今日は", "ねえ、", "そういえば", "昨日の", "やっぱり", "たぶん")
QUERIES = {30: 200, 150: 200, 500: 100}
"""Messages asked by length; the naive OR takes seconds for the longest."""
_TOP = 20
_NAIVE = """
SELECT found.event_id FROM (
  SELECT rowid AS event_id, bm25(event_words, 1.0, 0.3) AS score FROM event_words WHERE event_words MATCH ?
) AS found JOIN events ON events.event_id = found.event_id
WHERE events.searchable = 1 ORDER BY found.score LIMIT ?
"""


class Talk:
    """Endless Japanese turns: common words common, rare ones rare, as in life."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        names = random.Random(3)
        self._words = ["".join(names.choices(_CHARACTERS, k=names.choice((2, 2, 3)))) for _ in range(20_000)]

    def word(self) -> str:
        # Zipf's law: the n-th commonest word comes up about 1/n as often as the first.
        return self._words[int(len(self._words) ** self._random.random()) - 1]

    def turn(self) -> str:
        clauses = self._random.randint(2, 4)
        return "。".join(self._clause(self.word()) for _ in range(clauses))

    def short(self, count: int) -> list[str]:
        return [self.word()[:2] for _ in range(count)]

    def question(self, turn: str, length: int) -> str:
        """A message of some length that speaks of a turn: half of its words, among many others."""
        heard = [clause for clause in turn.split("。") if self._random.random() < 0.7] or [turn]
        text = "。".join(heard)[: max(24, length // 2)]
        while len(text) < length:
            text += "。" + self._clause(self.word())
        return text[:length]

    def _clause(self, word: str) -> str:
        return self._random.choice(_FILLERS) + word + self._random.choice(_ENDINGS)


def report_writing(folder: Path) -> None:
    """Turns a second and what a commit costs, each turn with its words and jobs in one transaction."""
    print("\nwriting, one turn = event + words + 2 jobs")
    talk = Talk(1)
    database = open_memory(folder, "writing", SystemClock())
    try:
        one_by_one = wall_ms(
            lambda turn: database.write_now(lambda tx: write_turn(tx, turn)), _turns(talk, 300)
        )
        batches = [_turns(talk, 500) for _ in range(6)]
        start = process_time()
        for batch in batches:
            database.write_now(lambda tx, batch=batch: fill(tx, batch))  # type: ignore[misc]
        bulk = (process_time() - start) / len(batches)
    finally:
        database.close()
    commit = _bare_commits(folder, 200)
    line("a bare commit (WAL, FULL)", f"{median(commit):8.2f} ms median")
    line("one turn, one commit", f"{median(one_by_one):8.2f} ms median, p95 {one_by_one[-15]:.2f} ms")
    line("of that, beyond a bare commit", f"{median(one_by_one) - median(commit):8.2f} ms")
    line("import, 500 turns a transaction, turns / CPU s", verdict(500 / bulk, 2000, at_least=True))


def write_turn(tx: Tx, text: str) -> int:
    user, _, reply = text.partition("。")
    event_id = events.append(
        tx,
        NewEvent(
            source=Source.CHAT,
            origin=Origin.USER,
            created_at=tx.now,
            user_text=user,
            assistant_text=reply,
        ),
    )
    words.index_event(tx, event_id)
    for kind in (JobKind.EMBED_EVENT, JobKind.GENERATE_WRITE_PLAN):
        jobs.enqueue(tx, kind, {"event_id": event_id}, key=f"{kind}:{event_id}")
    return event_id


def report_words(folder: Path, count: int) -> None:
    """Whole messages against an OR of every term, in one run."""
    print(f"\nwords, {count:,} Japanese turns")
    talk = Talk(2)
    turns = list(_turns(talk, count))
    database = open_memory(folder, f"words{count}", SystemClock())
    try:
        for start in range(0, count, 2000):
            database.write_now(lambda tx, part=turns[start : start + 2000]: fill(tx, part))  # type: ignore[misc]
        reader = SqliteReader(connect(database.path, read_only=True))
        chosen = random.Random(4).sample(range(count), max(QUERIES.values()))
        for length, queries in QUERIES.items():
            asked = [(at + 1, talk.question(turns[at], length)) for at in chosen[:queries]]
            _compare(reader, asked, length)
        for characters in (1, 2):
            asked_briefly = [word[:characters] for word in talk.short(20)]
            spent = cpu_ms(lambda text: words.find_events(reader, text, 20), asked_briefly)
            line(f"a query of {characters} character{'s' * (characters > 1)}", f"{spent:8.2f} ms")
        reader.connection.close()
    finally:
        database.close()


def _compare(reader: SqliteReader, asked: list[tuple[int, str]], length: int) -> None:
    hits, remembered = Counter[str](), words.TermCounts()

    def naive(item: tuple[int, str]) -> None:
        known = words.event_counts(reader, index_terms(item[1]))
        match = " OR ".join(f'"{term}"' for term in known)
        found = reader.connection.execute(_NAIVE, (match, _TOP))
        hits["naive"] += any(event_id == item[0] for (event_id,) in found)

    def ours(item: tuple[int, str]) -> None:
        found = words.find_events(reader, item[1], _TOP, remembered=remembered)
        hits["ours"] += any(event_id == item[0] for event_id, _ in found)

    slow, fast = cpu_ms(naive, asked), cpu_ms(ours, asked)
    terms = median(len(query_terms(text)) for _, text in asked)
    line(
        f"{length} characters ({terms:.0f} terms): ours / naive OR",
        verdict(fast / slow, 0.1),
        f"{fast:.1f} ms",
    )
    line(
        f"  hit@{_TOP} beyond the naive OR's, n = {len(asked)}",
        verdict((hits["ours"] - hits["naive"]) / len(asked), 0.0, at_least=True),
        f"{hits['ours'] / len(asked):.3f} and {hits['naive'] / len(asked):.3f}",
    )


def fill(tx: Tx, turns: list[str]) -> None:
    ids = [
        events.append(tx, NewEvent(source=Source.CHAT, origin=Origin.USER, created_at=tx.now, user_text=turn))
        for turn in turns
    ]
    words.index_events(tx, ids)


def _turns(talk: Talk, count: int) -> list[str]:
    return [talk.turn() for _ in range(count)]


def _bare_commits(folder: Path, count: int) -> list[float]:
    database: Database = open_memory(folder, "commits", SystemClock())
    try:
        return wall_ms(lambda at: database.write_now(lambda tx: meta.put(tx, "bench", str(at))), range(count))
    finally:
        database.close()
