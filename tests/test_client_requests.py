"""Ten clients, six kinds of request each, in the shapes they send: each has its own effect on memory.

The requests (tests/data/client_requests.jsonl) were written after what the clients' sources and pages say.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from cocoro_ghost.model.client import Scope
from cocoro_ghost.model.client_turn import Standing
from cocoro_ghost.model.event import Event, Origin
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import StateDraft, StateKind
from cocoro_ghost.store import client_turns, events, states
from cocoro_ghost.store.ports import Reader, Tx
from cocoro_ghost.testing import ScriptedMind
from tests.conftest import Figures
from tests.serving import House, house
from tests.test_mcp_face import call, session
from tests.test_openai_face import token

SAID = "うん、聞いてるよ。"
LINES = (Path(__file__).parent / "data" / "client_requests.jsonl").read_text(encoding="utf-8").splitlines()
REQUESTS: list[dict[str, Any]] = [json.loads(line) for line in LINES]
CLIENTS = list(dict.fromkeys(one["client"] for one in REQUESTS))
KINDS = ("new", "regenerate", "edit", "branch", "task", "probe")


@dataclass(frozen=True)
class Seen:
    """How memory stands: every event with its older replies and its standing."""

    rows: list[tuple[Event, int, Standing | None]] = field(default_factory=list)

    @property
    def remembered(self) -> list[Event]:
        return [event for event, _, _ in self.rows if event.searchable and event.forgotten_at is None]

    @property
    def older(self) -> int:
        return sum(count for _, count, _ in self.rows)

    def standing(self, standing: Standing) -> list[str]:
        return [event.user_text or "" for event, _, found in self.rows if found is standing]


async def look(home: House) -> Seen:
    def row(reader: Reader, number: int) -> tuple[Event, int, Standing | None]:
        older = len(events.older_replies(reader, number))
        return events.get(reader, number), older, client_turns.standing(reader, number)

    def read(reader: Reader) -> Seen:
        return Seen([row(reader, number) for number in range(1, events.last_id(reader) + 1)])

    return await home.ghost.memory.read(read)


def new(before: Seen, after: Seen) -> bool:
    return len(after.remembered) == len(before.remembered) + 1 and after.older == before.older


def regenerate(before: Seen, after: Seen) -> bool:
    return len(after.rows) == len(before.rows) and after.older == before.older + 1


def edit(before: Seen, after: Seen) -> bool:
    """One came, one went: superseded and forgotten."""
    gone = set(after.standing(Standing.SUPERSEDED)) - set(before.standing(Standing.SUPERSEDED))
    return len(gone) == 1 and len(after.remembered) == len(before.remembered)


def branch(before: Seen, after: Seen) -> bool:
    """The turns that were left stay in memory, on another branch."""
    left = set(after.standing(Standing.OTHER_BRANCH)) - set(before.standing(Standing.OTHER_BRANCH))
    return len(left) == 2 and len(after.remembered) == len(before.remembered) + 1


def nothing(before: Seen, after: Seen) -> bool:
    same = len(after.remembered) == len(before.remembered) and after.older == before.older
    added = [standing for _, _, standing in after.rows[len(before.rows) :]]
    return same and all(standing is Standing.DOUBTFUL for standing in added)


EFFECTS: dict[str, Callable[[Seen, Seen], bool]] = {
    "new": new,
    "then": new,
    "regenerate": regenerate,
    "edit": edit,
    "branch": branch,
    "task": nothing,
    "probe": nothing,
}


def test_every_client_has_every_kind() -> None:
    assert len(CLIENTS) == 10
    asked = [(one["client"], one["kind"]) for one in REQUESTS if one["kind"] in KINDS]
    assert len(asked) == len(set(asked)) == 60


@pytest.mark.parametrize("client", [name for name in CLIENTS if name != "Claude"])
async def test_each_request_is_told_for_what_it_is(client: str, tmp_path: Path, figures: Figures) -> None:
    asked = [one for one in REQUESTS if one["client"] == client]
    async with house(
        tmp_path, mind=ScriptedMind(replies=[SAID]), cors_origins=("http://localhost:5173",)
    ) as home:
        key = await token(home)
        for one in asked:
            before = await look(home)
            headers = {"Authorization": f"Bearer {key}", **one.get("headers", {})}
            async with home.client(secure=False, headers=headers) as http:
                answer = await http.request(one["method"], one["path"], json=one.get("body"))
            assert answer.status_code == 200, (one["kind"], answer.text)
            assert '"error"' not in answer.text, one["kind"]
            after = await look(home)
            assert EFFECTS[one["kind"]](before, after), (
                one["kind"],
                [row[0].user_text for row in after.rows],
            )
        talks = {event.conversation for event in (await look(home)).remembered}
        assert len(talks) == 1
    told = sum(one["kind"] in KINDS for one in asked)
    figures("R45", f"{client}: {told} of 6")


async def test_an_agent_over_mcp_reads_without_a_trace_and_writes_only_hearsay(
    tmp_path: Path, figures: Figures
) -> None:
    """Where no talk is kept the kinds are: say, say again, correct, say more, look, ask what there is."""
    expected = {"new": 1, "regenerate": 0, "edit": 1, "branch": 1, "task": 0, "probe": 0}

    def know(tx: Tx) -> int:
        with tx.because(Cause(Actor.GROW, "a test")):
            return states.create(tx, StateDraft(StateKind.FACT, "日記をつけている"))

    async with house(tmp_path, mind=ScriptedMind()) as home:
        await home.ghost.memory.write(know)
        async with session(home, await token(home, Scope.READ, Scope.WRITE)) as agent:
            for one in (line for line in REQUESTS if line["client"] == "Claude"):
                before = await look(home)
                if one["tool"] is None:
                    assert len((await agent.list_tools()).tools) == 8
                else:
                    good, told = await call(agent, one["tool"], **one["arguments"])
                    assert good, told
                after = await look(home)
                assert len(after.rows) - len(before.rows) == expected[one["kind"]], one["kind"]
        assert {event.origin for event in after.remembered} == {Origin.APP}
        kept = await home.ghost.memory.read(lambda reader: states.get(reader, 1))
        assert kept.body_text == "日記をつけている"
    figures("R45", f"Claude: {len(expected)} of 6")
