"""Work in order, so many pieces at a time, on threads that several databases share."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from cocoro_ghost.errors import StoreError
from cocoro_ghost.store.lanes import Lane

WAIT = 60.0


@pytest.mark.parametrize("width", [1, 3])
def test_as_many_at_once_as_the_lane_is_wide_and_never_more(width: int) -> None:
    begun, let_go = threading.Semaphore(0), threading.Semaphore(0)

    def piece() -> None:
        begun.release()
        let_go.acquire(timeout=WAIT)

    with ThreadPoolExecutor(8) as threads:
        lane = Lane(threads, width, "memory.db")
        futures = [lane.submit(piece) for _ in range(40)]
        for _ in range(width):
            assert begun.acquire(timeout=WAIT)
        for _ in range(40 - width):
            assert not begun.acquire(blocking=False), "the next begins when one has ended, not before"
            let_go.release()
            assert begun.acquire(timeout=WAIT)
        let_go.release(width)
        assert [future.result(WAIT) for future in futures] == [None] * 40


def test_a_lane_of_one_keeps_the_order() -> None:
    done: list[int] = []
    with ThreadPoolExecutor(4) as threads:
        lane = Lane(threads, 1, "memory.db")
        futures = [lane.submit(lambda n=n: done.append(n)) for n in range(200)]  # type: ignore[misc]
        futures[-1].result(WAIT)
    assert done == list(range(200))


def test_a_busy_database_does_not_hold_up_another_on_the_same_threads() -> None:
    go_on = threading.Event()
    with ThreadPoolExecutor(2) as threads:
        busy, other = Lane(threads, 1, "busy.db"), Lane(threads, 1, "other.db")
        held = [busy.submit(lambda: go_on.wait(WAIT)) for _ in range(50)]
        assert other.submit(lambda: "told").result(WAIT) == "told", "though fifty wait next door"
        go_on.set()
        assert all(future.result(WAIT) for future in held)


def test_what_breaks_is_told_to_whoever_waits_and_to_nobody_else() -> None:
    def broken() -> None:
        raise ValueError("a bug")

    with ThreadPoolExecutor(2) as threads:
        lane = Lane(threads, 1, "memory.db")
        bad, good = lane.submit(broken), lane.submit(lambda: 7)
        with pytest.raises(ValueError, match="a bug"):
            bad.result(WAIT)
        assert good.result(WAIT) == 7


def test_what_was_given_up_while_it_waited_is_not_done() -> None:
    go_on, done = threading.Event(), list[str]()
    with ThreadPoolExecutor(1) as threads:
        lane = Lane(threads, 1, "memory.db")
        first = lane.submit(lambda: go_on.wait(WAIT))
        given_up, last = (
            lane.submit(lambda: done.append("given up")),
            lane.submit(lambda: done.append("last")),
        )
        assert given_up.cancel()
        go_on.set()
        first.result(WAIT)
        last.result(WAIT)
    assert done == ["last"]


def test_closing_waits_for_what_was_submitted_and_refuses_the_rest() -> None:
    go_on, done = threading.Event(), list[int]()
    with ThreadPoolExecutor(2) as threads:
        lane = Lane(threads, 1, "memory.db")
        lane.submit(lambda: go_on.wait(WAIT))
        futures = [lane.submit(lambda n=n: done.append(n)) for n in range(3)]  # type: ignore[misc]
        closing = threads.submit(lane.close)
        go_on.set()
        closing.result(WAIT)
        assert done == [0, 1, 2]
        assert all(future.done() for future in futures)
        with pytest.raises(StoreError, match=r"memory\.db is closed"):
            lane.submit(lambda: None)
