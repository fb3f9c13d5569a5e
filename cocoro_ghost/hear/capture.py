"""Asking a client for a picture and waiting for it; only clients that said they can are asked."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from cocoro_ghost.hear.wishes import Eye
from cocoro_ghost.model.event import ClientContext

TIMEOUT_MS = 5000
SKIPS = frozenset({"capture skipped (idle)", "capture skipped (excluded window title)"})

Purpose = Literal["chat", "desktop_watch"]


class Clients(Protocol):
    """Who is connected and what they can do."""

    def with_cap(self, cap: str) -> list[str]: ...

    def send_to(self, client_id: str, kind: str, data: Mapping[str, object], event_id: int = 0) -> bool: ...


@dataclass(frozen=True, slots=True)
class Captured:
    """What came back: pictures, or a skip that is nobody's fault, or a failure in words."""

    images: tuple[str, ...] = ()
    context: ClientContext | None = None
    skipped: bool = False
    error: str | None = None


class Captures:
    """Requests under way. An answer that nobody waits for is dropped without a word."""

    def __init__(self, clients: Clients, *, timeout_ms: int = TIMEOUT_MS) -> None:
        self._clients = clients
        self._timeout_ms = timeout_ms
        self._waiting: dict[str, asyncio.Future[Captured]] = {}

    def able(self, eye: Eye) -> list[str]:
        """Connected clients that announced the eye."""
        return self._clients.with_cap(f"vision.{eye}")

    async def ask(self, client_id: str, eye: Eye, purpose: Purpose) -> Captured:
        """Waits at most five seconds; never raises for what a client does."""
        if client_id not in self.able(eye):
            return Captured(error=f"the client cannot show its {eye}")
        request_id = uuid.uuid4().hex
        future: asyncio.Future[Captured] = asyncio.get_running_loop().create_future()
        self._waiting[request_id] = future
        data = {
            "request_id": request_id,
            "source": eye,
            "mode": "still",
            "purpose": purpose,
            "timeout_ms": self._timeout_ms,
        }
        try:
            if not self._clients.send_to(client_id, "vision.capture_request", data):
                return Captured(error="the client is not connected")
            return await asyncio.wait_for(future, self._timeout_ms / 1000)
        except TimeoutError:
            return Captured(error="the client did not answer in time")
        finally:
            self._waiting.pop(request_id, None)

    def answer(
        self, request_id: str, images: tuple[str, ...], context: ClientContext | None, error: str | None
    ) -> bool:
        """Hands a client's answer to whoever waits for it; False for an unknown or late one."""
        future = self._waiting.get(request_id)
        if future is None or future.done():
            return False
        skipped = error in SKIPS
        future.set_result(Captured(images, context, skipped, None if skipped else error))
        return True
