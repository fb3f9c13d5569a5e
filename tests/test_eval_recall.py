"""The measure of remembering: figures to be checked by hand, a harness that finds what it should."""

from __future__ import annotations

import asyncio
import json
import math
import re
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from cocoro_ghost.cli import eval_recall, recall_command
from cocoro_ghost.errors import BadInput
from cocoro_ghost.evaluate.measure import Ranked, by_category, ndcg, percentile, summary
from cocoro_ghost.evaluate.recall_run import (
    RecallEval,
    answers_to,
    answers_without,
    evaluate_recall,
    read_conversations,
)
from cocoro_ghost.evaluate.recall_sets import ABLATIONS
from cocoro_ghost.recall.config import STEPS, RecallConfig
from cocoro_ghost.testing import HashEmbedder

SESSIONS = {"a": 1, "b": 1, "c": 2, "d": 3}


def answer(found: str, relevant: str, category: str = "x") -> Ranked:
    return Ranked(category, tuple(found), frozenset(relevant), SESSIONS)


def test_shares_any_and_all() -> None:
    result = summary([answer("abcd", "ac"), answer("abcd", "d")], (1, 2, 3))
    assert (result["R@1"], result["R@2"], result["R@3"]) == (25.0, 25.0, 50.0)
    assert (result["any@3"], result["all@3"], result["all@1"]) == (50.0, 50.0, 0.0)
    assert result["n"] == 2


def test_mrr_and_ndcg() -> None:
    assert summary([answer("abcd", "b")], (1,))["MRR"] == 0.5
    assert ndcg("abcd", frozenset("b"), 10) == pytest.approx(1 / math.log2(3))
    assert ndcg("ab", frozenset("ab"), 10) == 1.0


def test_sessions_are_ranked_by_their_best_event() -> None:
    session = summary([answer("abc", "cd")], (1,))["session"]
    assert (session["any@5"], session["all@5"], session["R@10"]) == (1.0, 0.0, 0.5)


def test_questions_without_known_answers_are_not_counted() -> None:
    assert summary([answer("abcd", ""), answer("a", "a")], (1,))["n"] == 1
    assert summary([], (1,)) == {"n": 0}


def test_categories_and_percentiles() -> None:
    split = by_category([answer("a", "a", "one"), answer("b", "a", "two")], (1,))
    assert (split["one"]["R@1"], split["two"]["R@1"]) == (100.0, 0.0)
    assert percentile([5.0, 1.0, 3.0], 0.5) == 3.0
    assert percentile([], 0.5) == 0.0


TURNS = [
    ("t1", "s1", "2025-01-01T10:00:00", "I adopted a puppy named Rex", "Congratulations!"),
    ("t2", "s1", "2025-01-01T10:01:00", "He chews everything", "Oh dear."),
    ("t3", "s2", "2025-02-01T10:00:00", "My violin recital went well", "Bravo!"),
    ("t4", "s3", "2025-03-01T10:00:00", "We hiked up Mount Fuji", "What a view."),
]
ASKED = [
    ("q1", "What is the puppy called?", ["t1"], "one"),
    ("q2", "How was the recital?", ["t3"], "one"),
    ("q3", "Which mountain was climbed in March 2025?", ["t4"], "two"),
]


def event_lines() -> list[str]:
    names = ("id", "session", "created_at", "user_text", "assistant_text")
    return [json.dumps({"conversation": "c", **dict(zip(names, turn, strict=True))}) for turn in TURNS]


def query_lines() -> list[str]:
    return [
        json.dumps(
            {
                "conversation": "c",
                "id": i,
                "text": t,
                "now": "2025-06-01T00:00:00",
                "relevant": r,
                "category": c,
            }
        )
        for i, t, r, c in ASKED
    ]


def test_a_small_conversation_is_remembered_whole() -> None:
    conversations = read_conversations(event_lines(), query_lines())
    result = asyncio.run(evaluate_recall(conversations, RecallEval(ks=(1, 5)), None))
    assert result["n"] == 3
    assert result["R@1"] == 100.0
    assert result["session"]["all@5"] == 1.0
    assert result["by_category"]["two"]["n"] == 1
    assert set(result["latency_ms"]) == {"p50", "p95"}


def test_without_words_and_meaning_nothing_ranks_by_content() -> None:
    conversations = read_conversations(event_lines(), query_lines())
    blind = replace(RecallConfig(), off=frozenset({"words", "meaning", "about_time", "entities"}))
    result = asyncio.run(evaluate_recall(conversations, RecallEval(config=blind, ks=(1,)), None))
    assert result["R@1"] < 100.0
    assert result["config"]["embedding"] == "none"


def test_meaning_takes_part_when_there_is_an_embedder() -> None:
    conversations = read_conversations(event_lines(), query_lines())
    only = replace(RecallConfig(), off=frozenset({"words", "about_time", "recent", "entities"}))
    result = asyncio.run(evaluate_recall(conversations, RecallEval(config=only, ks=(5,)), HashEmbedder(64)))
    assert result["R@5"] == 100.0
    assert result["config"]["embedding"] == "hash@64"


def test_a_question_sees_only_what_was_said_before_it() -> None:
    early = json.dumps(
        {
            "conversation": "c", "id": "early", "text": "Which mountain did we hike up?",
            "now": "2025-02-15T00:00:00", "relevant": ["t4"], "category": "early",
        }
    )  # fmt: skip
    conversations = read_conversations(event_lines(), [early])
    result = asyncio.run(evaluate_recall(conversations, RecallEval(ks=(50,)), HashEmbedder(64)))
    assert (result["n"], result["any@50"]) == (1, 0.0)


def test_a_bad_line_is_named() -> None:
    with pytest.raises(BadInput, match="Line 1"):
        read_conversations(["{nonsense"], [])
    with pytest.raises(BadInput, match="Line 2"):
        read_conversations(event_lines(), [query_lines()[0], '{"text": "x"}'])


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    events, queries = tmp_path / "e.jsonl", tmp_path / "q.jsonl"
    events.write_text("\n".join(event_lines()), encoding="utf-8")
    queries.write_text("\n".join(query_lines()), encoding="utf-8")
    return str(events), str(queries)


def command() -> typer.Typer:
    app = typer.Typer()
    eval_recall.register(app)
    return app


def test_the_command_prints_and_writes(files: tuple[str, str], tmp_path: Path) -> None:
    out = tmp_path / "result.json"
    given = ["recall", "--events", files[0], "--queries", files[1], "--embedding", "none", "--json", str(out)]
    done = CliRunner().invoke(command(), [*given, "--without", "neighbours", "--k", "1,5"])
    assert done.exit_code == 0, done.output
    result = json.loads(out.read_text(encoding="utf-8"))
    assert result["R@5"] == 100.0
    assert result["config"]["without"] == ["neighbours"]
    assert "configuration" in done.output


def test_several_processes_give_the_same_figures(files: tuple[str, str], tmp_path: Path) -> None:
    results = []
    for jobs in ("1", "2"):
        out = tmp_path / f"{jobs}.json"
        given = ["recall", "--events", files[0], "--queries", files[1], "--embedding", "none", "--jobs", jobs]
        done = CliRunner().invoke(command(), [*given, "--json", str(out)])
        assert done.exit_code == 0, done.output
        results.append(json.loads(out.read_text(encoding="utf-8")))
        results[-1].pop("latency_ms")
    assert results[0] == results[1]


def test_a_growing_memory_is_measured_too(files: tuple[str, str]) -> None:
    given = ["recall", "--events", files[0], "--queries", files[1], "--embedding", "none", "--grow"]
    done = CliRunner().invoke(command(), given)
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("wrong", [["--k", "0"], ["--k", "x"], ["--without", "luck"]])
def test_wrong_options_are_refused_with_a_sentence(files: tuple[str, str], wrong: list[str]) -> None:
    given = ["recall", "--events", files[0], "--queries", files[1], "--embedding", "none", *wrong]
    done = CliRunner().invoke(command(), given)
    assert isinstance(done.exception, BadInput)


def test_replay_of_an_empty_memory(tmp_path: Path) -> None:
    app = command()
    given = ["--data-dir", str(tmp_path / "ghost")]
    done = CliRunner().invoke(app, ["replay", *given, "--json", str(tmp_path / "replay.json")])
    assert done.exit_code == 0, done.output
    assert json.loads((tmp_path / "replay.json").read_text(encoding="utf-8"))["n"] == 0


def test_recall_by_command_explains_and_writes_its_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COCORO_GHOST_LANGUAGE", "en")
    app = typer.Typer()
    recall_command.register(app)
    eval_group = typer.Typer()
    app.add_typer(eval_group, name="eval")
    trace = tmp_path / "trace.json"
    given = ["recall", "hello", "--explain", "--now", "2026-01-01T00:00:00", "--json", str(trace)]
    done = CliRunner().invoke(app, [*given, "--data-dir", str(tmp_path / "ghost")])
    assert done.exit_code == 0, done.output
    assert "Nothing comes to mind." in done.output
    assert json.loads(trace.read_text(encoding="utf-8"))["plan"]["mode"] == "associative_recent"
    wrong = CliRunner().invoke(app, ["recall", "x", "--now", "soon", "--data-dir", str(tmp_path / "ghost")])
    assert isinstance(wrong.exception, BadInput)


def test_recall_by_command_explains_in_the_language_of_its_ghost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COCORO_GHOST_LANGUAGE", "ja")
    app = typer.Typer()
    recall_command.register(app)
    app.add_typer(typer.Typer(), name="eval")
    done = CliRunner().invoke(app, ["recall", "去年の夏", "--explain", "--data-dir", str(tmp_path / "ghost")])
    assert done.exit_code == 0, done.output
    assert "思い当たるものはありません。" in done.output
    assert "時期: 去年の夏" in done.output
    assert re.findall(r"[A-Za-z_]{2,}", done.output) == []


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    folder = tmp_path / "sets"
    folder.mkdir()
    for name in ("small", "other"):
        (folder / f"{name}.events.jsonl").write_text("\n".join(event_lines()), encoding="utf-8")
        (folder / f"{name}.queries.jsonl").write_text("\n".join(query_lines()), encoding="utf-8")
    (folder / "alone.events.jsonl").write_text("\n".join(event_lines()), encoding="utf-8")
    return folder


def test_all_sets_are_measured_in_one_table_with_what_each_part_is_worth(sets: Path, tmp_path: Path) -> None:
    out, page = tmp_path / "all.json", tmp_path / "page.md"
    page.write_text(
        "# Before\n<!-- eval recall -->\nmeasured long ago\n<!-- /eval recall -->\nAfter\n", encoding="utf-8"
    )
    given = ["recall", "--sets", str(sets), "--embedding", "none", "--json", str(out)]
    done = CliRunner().invoke(command(), [*given, "--ablations", "--page", str(page)])
    assert done.exit_code == 0, done.output
    result = json.loads(out.read_text(encoding="utf-8"))
    assert sorted(result) == ["other", "small"], "a set without questions is none"
    assert set(result["small"]) == set(ABLATIONS)
    assert result["small"]["all"]["R@1"] == 100.0
    assert result["small"]["meaning only"]["R@1"] < 100.0, "no words and no encoder: hardly anything is found"
    written = page.read_text(encoding="utf-8")
    assert written.startswith("# Before\n<!-- eval recall -->\n| set |")
    assert written.endswith("|\n<!-- /eval recall -->\nAfter\n")
    assert "long ago" not in written
    assert written.count("\n| ") == 2 + 2 * len(ABLATIONS)


def test_a_table_shows_what_an_earlier_run_had_measured(sets: Path, tmp_path: Path) -> None:
    earlier = tmp_path / "earlier.json"
    kept = {"small": {"all": {"n": 3, "R@1": 12.34, "session": {"any@5": 0.5}}}}
    earlier.write_text(json.dumps(kept), encoding="utf-8")
    given = ["recall", "--sets", str(sets), "--embedding", "none", "--before", str(earlier)]
    done = CliRunner().invoke(command(), given, env={"COLUMNS": "140"})
    assert done.exit_code == 0, done.output
    lines = [line for line in done.output.splitlines() if "before" in line]
    assert len(lines) == 1
    assert "12.3" in lines[0]
    assert "50.0" in lines[0]


def test_neither_files_nor_a_folder_or_a_page_without_a_place_is_told(sets: Path, tmp_path: Path) -> None:
    page, empty = tmp_path / "plain.md", tmp_path / "empty"
    page.write_text("no place\n", encoding="utf-8")
    empty.mkdir()
    broken = ["--before", str(page)]
    for wrong in (
        [],
        ["--sets", str(empty)],
        ["--sets", str(sets), *broken],
        ["--sets", str(sets), "--page", str(page)],
    ):
        done = CliRunner().invoke(command(), ["recall", "--embedding", "none", *wrong])
        assert isinstance(done.exception, BadInput)
    assert page.read_text(encoding="utf-8") == "no place\n"


@pytest.mark.parametrize("step", sorted(STEPS))
def test_every_step_can_be_left_out_by_its_name(step: str) -> None:
    """…and remembering goes on without it."""
    conversations = read_conversations(event_lines(), query_lines())
    setup = RecallEval(config=replace(RecallConfig(), off=frozenset({step})), ks=(5,))
    assert asyncio.run(evaluate_recall(conversations, setup, HashEmbedder(64)))["R@5"] == 100.0


def test_what_is_only_weighed_anew_is_found_as_along_the_whole_path() -> None:
    (conversation,) = read_conversations(event_lines(), query_lines()).values()
    offs = list(ABLATIONS.values())
    found = asyncio.run(answers_without(conversation, RecallEval(), offs, HashEmbedder(64)))
    for off in offs:
        whole = RecallEval(config=replace(RecallConfig(), off=off))
        answers = asyncio.run(answers_to({"": conversation}, whole, HashEmbedder(64)))
        assert [one.found for one in found[off]] == [one.found for one in answers], off
