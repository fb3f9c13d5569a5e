"""Work done in order, so many pieces at a time, on threads that several databases may share."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from cocoro_ghost.errors import StoreError

T = TypeVar("T")


class Lane:
    """At most `width` pieces at a time. What waits, waits here: one busy database holds up no other."""

    def __init__(self, threads: ThreadPoolExecutor, width: int, name: str) -> None:
        self._threads = threads
        self._width = width
        self._name = name
        self._waiting: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._running = 0
        self._closed = False
        self._idle = threading.Condition()

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Raises StoreError once the lane is closed."""
        future: Future[T] = Future()
        with self._idle:
            if self._closed:
                raise StoreError(f"{self._name} is closed: the ghost is stopping.")
            self._waiting.append((future, work))
            # A step under way takes what waits when it ends.
            if self._running >= self._width:
                return future
            self._running += 1
        self._threads.submit(self._step)
        return future

    def close(self) -> None:
        """Waits for what was submitted; whatever comes later is refused."""
        with self._idle:
            self._closed = True
            while self._running:
                self._idle.wait()

    def _step(self) -> None:
        """One piece; the next one goes to the end of the threads' queue, behind what others wait for."""
        with self._idle:
            # Another step may have taken what this one was sent for.
            taken = self._waiting.popleft() if self._waiting else None
        if taken is not None:
            _do(*taken)
        with self._idle:
            if not self._waiting:
                self._running -= 1
                self._idle.notify_all()
                return
        self._threads.submit(self._step)


def _do(future: Future[T], work: Callable[[], T]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(work())
    except BaseException as error:  # noqa: BLE001 - whoever waits for it gets it
        future.set_exception(error)
