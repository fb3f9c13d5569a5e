"""What servers tell each other: one connection that listens. A wake-up only; the rows are the truth."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

import psycopg
from psycopg.conninfo import make_conninfo

from cocoro_ghost.store.postgres.talks import CHANNEL

log = logging.getLogger(__name__)
AGAIN_SECONDS = 2.0
LOOK_SECONDS = 1.0
_NOTICED_WHEN_CUT = {"keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3}
"""Whoever only listens never sends: without these a connection that is gone looks silent for hours."""


class Notices:
    """`heard(ghost, topic)` for each notice; `heard(0, "all")` once notices may have been missed."""

    def __init__(self, url: str, heard: Callable[[int, str], object]) -> None:
        self._url = url
        self._heard = heard
        self._closed = threading.Event()
        self._listening = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ghost-notices", daemon=True)

    @property
    def listening(self) -> bool:
        return self._listening.is_set()

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._closed.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                self._listen()
            except psycopg.Error as error:
                self._listening.clear()
                log.warning("nothing is heard from other servers: %s", error)
                self._closed.wait(AGAIN_SECONDS)

    def _listen(self) -> None:
        with psycopg.connect(make_conninfo(self._url, **_NOTICED_WHEN_CUT), autocommit=True) as connection:
            connection.execute(f"LISTEN {CHANNEL}".encode())
            self._listening.set()
            self._heard(0, "all")
            while not self._closed.is_set():
                for notice in connection.notifies(timeout=LOOK_SECONDS):
                    ghost, _, topic = notice.payload.partition(":")
                    self._heard(int(ghost), topic)
