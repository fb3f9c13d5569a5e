"""One turn through its public seam: what is stored, when, and what a failing model leaves behind."""

from __future__ import annotations

import asyncio

import pytest

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.errors import Conflict, Outage
from cocoro_ghost.hear.message import again
from cocoro_ghost.model.event import EventStatus, NewEvent, Origin, Source
from cocoro_ghost.model.heard import Heard
from cocoro_ghost.model.link import EventLinkLabel
from cocoro_ghost.model.scene import Recalled
from cocoro_ghost.recall.recall import RecallRequest, RecallResult
from cocoro_ghost.reply.stream import Budgets, Done, Failed
from cocoro_ghost.store import events, graph, jobs, runs
from cocoro_ghost.store.leases import DEAD_SECONDS
from cocoro_ghost.store.ports import Database
from cocoro_ghost.testing import ScriptedMind
from cocoro_ghost.turn import mend
from tests.turning import HeldMind, StubRecall, end_of, parts_of, stored, turn, words_of

pytestmark = pytest.mark.anyio
TURN_JOBS = {"embed_event", "summarise_reply", "generate_write_plan"}


async def test_a_turn_is_stored_with_its_reply_and_its_jobs(memory: Database) -> None:
    frames = await turn(parts_of(memory, ScriptedMind(replies=["やあ、元気だよ。"])), "元気?")
    done = end_of(frames)
    assert isinstance(done, Done)
    assert words_of(frames) == done.reply_text == "やあ、元気だよ。"
    event = await stored(memory, done.event_id)
    assert (event.user_text, event.assistant_text, event.status) == (
        "元気?",
        "やあ、元気だよ。",
        EventStatus.DONE,
    )
    assert await _job_kinds(memory, done.event_id) >= TURN_JOBS


async def test_what_was_said_is_on_disk_before_the_first_word(memory: Database) -> None:
    mind = HeldMind(["あ"])
    running = asyncio.create_task(turn(parts_of(memory, mind), "聞こえる?"))
    await mind.started.wait()
    event = await stored(memory, 1)
    assert (event.user_text, event.status) == ("聞こえる?", EventStatus.OPEN)
    mind.let(2)
    await running


async def test_reply_to_leads_to_the_turn_before_and_nothing_else(memory: Database) -> None:
    parts = parts_of(memory, ScriptedMind())
    for text in ("一つ目", "二つ目", "三つ目"):
        await turn(parts, text)
    links = await memory.read(lambda reader: graph.links_of(reader, 2))
    assert [(one.from_event_id, one.to_event_id, one.label) for one in links] == [
        (2, 1, EventLinkLabel.REPLY_TO),
        (3, 2, EventLinkLabel.REPLY_TO),
    ]


async def test_history_is_uncut_and_bounded_by_the_window(memory: Database) -> None:
    mind = ScriptedMind(replies=["長い返事" * 200])
    parts = parts_of(memory, mind, history_turns=2)
    for text in ("一", "二", "三", "四"):
        await turn(parts, text)
    scene = mind.spoken[-1].scene
    assert [past.user_text for past in scene.history] == ["二", "三"]
    assert scene.history[0].assistant_text == "長い返事" * 200


async def test_the_variable_context_comes_last_and_the_system_part_stays_the_same(memory: Database) -> None:
    recalled = Recalled("e1", "event", "京都に行った", "", 0, None, 1.0, "旅行の話")
    recall = StubRecall((recalled,), "PACK with ラーメン")
    mind = ScriptedMind()
    parts = parts_of(memory, mind, recall)
    await turn(parts, "旅行の話、覚えてる?")
    await turn(parts, "ほかには?")
    first, second = mind.spoken
    assert first.messages[0].role == "system"
    assert first.messages[0] == second.messages[0]
    assert "あなたはココロ。" in first.messages[0].content
    assert "きみ" in first.messages[0].content
    context = second.messages[-2]
    assert context.role == "assistant"
    assert context.content.startswith("<<INTERNAL_CONTEXT>>")
    assert "ラーメン" in context.content
    assert "PACK" in context.content
    assert second.messages[-1].content == "ほかには?"
    assert second.scene.recalled == (recalled,)


async def test_internal_text_is_neither_streamed_nor_stored(memory: Database) -> None:
    leak = '<<INTERNAL_CONTEXT>>\nSTABLE_FACTS:\n- 秘密\n\nうん、{"state_id":1}覚えてるよ。[face:Joy]'
    frames = await turn(parts_of(memory, ScriptedMind(replies=[leak], chunk=3)), "覚えてる?")
    done = end_of(frames)
    assert isinstance(done, Done)
    assert done.reply_text == "うん、覚えてるよ。[face:Joy]"
    assert "秘密" not in words_of(frames)
    assert (await stored(memory, done.event_id)).assistant_text == done.reply_text


async def test_a_model_that_is_down_keeps_the_words_and_the_jobs(memory: Database) -> None:
    frames = await turn(parts_of(memory, ScriptedMind(replies=[Outage("down")])), "いる?")
    assert frames == [Failed("llm_unavailable", "down")]
    event = await stored(memory, 1)
    assert (event.user_text, event.status) == ("いる?", EventStatus.INTERRUPTED)
    assert "generate_write_plan" in await _job_kinds(memory, 1)


@pytest.mark.parametrize("pieces", [0, 1, 3])
async def test_a_model_that_stalls_keeps_what_it_said(memory: Database, pieces: int) -> None:
    mind = HeldMind(["あい", "うえ", "お"])
    mind.let(pieces)
    frames = await turn(parts_of(memory, mind, budgets=Budgets(0.02, 0.02, 5.0)), "もしもし")
    failed = end_of(frames)
    assert isinstance(failed, Failed)
    assert failed.code == ("llm_stream_failed" if pieces else "llm_unavailable")
    event = await stored(memory, 1)
    said = "".join(mind.pieces[:pieces])
    assert (event.assistant_text or "", event.status) == (said, EventStatus.INTERRUPTED)


async def test_a_bug_does_not_leave_the_turn_open(memory: Database) -> None:
    frames = await turn(parts_of(memory, ScriptedMind(replies=[ZeroDivisionError()])), "ねえ")
    failed = end_of(frames)
    assert isinstance(failed, Failed)
    assert failed.code == "internal_error"
    assert (await stored(memory, 1)).status is EventStatus.INTERRUPTED
    assert "generate_write_plan" in await _job_kinds(memory, 1)


async def test_the_whole_reply_has_a_budget_too(memory: Database) -> None:
    class Endless(ScriptedMind):
        async def speak(self, request):  # type: ignore[no-untyped-def]
            while True:
                yield "あ"
                await asyncio.sleep(0)

    frames = await turn(parts_of(memory, Endless(), budgets=Budgets(1.0, 1.0, 0.05)), "止まる?")
    assert isinstance(end_of(frames), Failed)
    assert (await stored(memory, 1)).status is EventStatus.INTERRUPTED


async def test_stop_keeps_what_was_said_marked_interrupted(memory: Database) -> None:
    mind, stop = HeldMind(["そう", "だね", "え"]), asyncio.Event()
    mind.let(2)
    running = asyncio.create_task(turn(parts_of(memory, mind), "ねえ", stop))
    await mind.started.wait()
    await mind.idle.wait()
    stop.set()
    done = end_of(await running)
    assert done == Done(1, "そうだね", "interrupted")
    event = await stored(memory, 1)
    assert (event.assistant_text, event.status) == ("そうだね", EventStatus.INTERRUPTED)
    assert "generate_write_plan" in await _job_kinds(memory, 1)


async def test_incognito_leaves_nothing(memory: Database) -> None:
    recall = StubRecall()
    frames = await turn(
        parts_of(memory, ScriptedMind(replies=["うん"]), recall), Heard("内緒だよ", incognito=True)
    )
    assert end_of(frames) == Done(0, "うん")
    assert recall.asked[0].event_id is None
    assert await memory.read(lambda reader: runs.listed(reader, 1)) == []
    assert await memory.read(events.count) == 0
    assert await memory.read(jobs.unfinished) == 0


async def test_regenerate_adds_a_reply_and_keeps_the_old_one(memory: Database) -> None:
    parts = parts_of(memory, ScriptedMind(replies=["一回目", "二回目"]))
    await turn(parts, "どう思う?")
    event = await stored(memory, 1)
    done = end_of(await turn(parts, again(event)))
    assert done == Done(1, "二回目")
    assert (await stored(memory, 1)).assistant_text == "二回目"
    older = await memory.read(lambda reader: events.older_replies(reader, 1))
    assert [row.assistant_text for row in older] == ["一回目"]
    assert await memory.read(events.count) == 1


async def test_a_broken_regeneration_leaves_the_old_reply(memory: Database) -> None:
    parts = parts_of(memory, ScriptedMind(replies=["一回目", Outage("down")]))
    await turn(parts, "どう思う?")
    failed = end_of(await turn(parts, again(await stored(memory, 1))))
    assert isinstance(failed, Failed)
    assert (await stored(memory, 1)).assistant_text == "一回目"


async def test_a_turn_that_got_no_reply_can_be_answered_anew(memory: Database) -> None:
    parts = parts_of(memory, ScriptedMind(replies=[Outage("down"), "お待たせ"]))
    await turn(parts, "いる?")
    assert end_of(await turn(parts, again(await stored(memory, 1)))) == Done(1, "お待たせ")
    event = await stored(memory, 1)
    assert (event.assistant_text, event.status) == ("お待たせ", EventStatus.DONE)
    assert await memory.read(lambda reader: events.older_replies(reader, 1)) == []


async def test_only_a_finished_chat_can_be_answered_anew(memory: Database) -> None:
    new = NewEvent(0, Source.NOTIFICATION, Origin.APP, "x", "y")
    event_id = await memory.write(lambda tx: events.append(tx, new))
    with pytest.raises(Conflict):
        again(await stored(memory, event_id))


async def test_turns_a_crash_left_open_are_mended_at_start(memory: Database, clock: FrozenClock) -> None:
    def crash(tx: object) -> int:
        event_id = events.append(tx, Heard("途中だった").as_event(clock.domain_now()))  # type: ignore[arg-type]
        events.checkpoint(tx, event_id, "ここまで言")  # type: ignore[arg-type]
        return event_id

    event_id = await memory.write(crash)
    parts = parts_of(memory, ScriptedMind())
    assert await memory.write(lambda tx: mend(tx, parts.queue)) == 0, "somebody alive has it in hand"
    clock.tick(DEAD_SECONDS + 1)
    assert await memory.write(lambda tx: mend(tx, parts.queue)) == 1
    event = await stored(memory, event_id)
    assert (event.assistant_text, event.status) == ("ここまで言", EventStatus.INTERRUPTED)
    assert await _job_kinds(memory, event_id) >= TURN_JOBS
    assert await memory.write(lambda tx: mend(tx, parts.queue)) == 0


async def test_text_is_saved_while_it_streams(memory: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cocoro_ghost.turn.CHECKPOINT_SECONDS", 0.0)
    mind = HeldMind(["一", "二", "三"])
    running = asyncio.create_task(turn(parts_of(memory, mind), "数えて"))
    await mind.started.wait()
    for count, text in ((1, "一"), (1, "一二")):
        mind.let(count)
        await _until_saved(memory, text)
    mind.let(2)
    await running


@pytest.mark.parametrize("replies", [["うん。"], [Outage("down")], []])
async def test_why_it_was_said_is_kept_once_with_the_end(
    memory: Database, replies: list[str | Outage]
) -> None:
    await turn(parts_of(memory, ScriptedMind(replies=replies)), "覚えてる?")
    assert [run.event_id for run in await memory.read(lambda reader: runs.listed(reader, 9))] == [1]


async def test_why_it_was_said_is_kept_with_the_first_words_of_a_long_reply(
    memory: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cocoro_ghost.turn.CHECKPOINT_SECONDS", 0.0)
    mind = HeldMind(["一", "二", "三"])
    running = asyncio.create_task(turn(parts_of(memory, mind), "数えて"))
    await mind.started.wait()
    assert await memory.read(lambda reader: runs.of_event(reader, 1)) is None
    mind.let(1)
    await _until_saved(memory, "一")
    assert await memory.read(lambda reader: runs.of_event(reader, 1)) == 1
    mind.let(3)
    await running
    assert len(await memory.read(lambda reader: runs.listed(reader, 9))) == 1


async def _until_saved(db: Database, text: str) -> None:
    while (await stored(db, 1)).assistant_text != text:
        pass


async def _job_kinds(db: Database, event_id: int) -> set[str]:
    found = await db.read(lambda reader: jobs.of_event(reader, event_id))
    return {job.kind.value for job in found}


async def test_a_wait_given_up_inside_leaves_no_turn_open(memory: Database) -> None:
    class GivenUp(StubRecall):
        async def run(self, request: RecallRequest) -> RecallResult:
            waited_for: asyncio.Future[RecallResult] = asyncio.get_running_loop().create_future()
            waited_for.cancel()
            return await waited_for

    assert isinstance(end_of(await turn(parts_of(memory, ScriptedMind(), GivenUp()), "いる?")), Failed)
    event = await stored(memory, 1)
    assert (event.status, event.user_text) == (EventStatus.INTERRUPTED, "いる?")
