"""A mind that cannot speak yet: it says why. Learning waits until the settings are mended."""

from __future__ import annotations

from collections.abc import AsyncIterator

from cocoro_ghost.errors import NotConfigured, Outage
from cocoro_ghost.mind.client import A, ImageRequest, PlanRequest, SpeakRequest

LOOK_AGAIN_SECONDS = 900.0


class UnconfiguredMind:
    """Keeps the `Mind` protocol by refusing."""

    def __init__(self, model: str, reason: str) -> None:
        self._model = model
        self.reason = reason

    @property
    def model_id(self) -> str:
        return self._model

    @property
    def uses_tools(self) -> bool:
        return False

    async def speak(self, request: SpeakRequest) -> AsyncIterator[str]:
        raise NotConfigured(self.reason)
        yield ""

    async def plan(self, request: PlanRequest, answer: type[A]) -> A:
        # Not the job's fault: it waits, and is not lost.
        raise Outage(self.reason, retry_after=LOOK_AGAIN_SECONDS)

    async def see(self, request: ImageRequest) -> str:
        raise NotConfigured(self.reason)

    async def close(self) -> None:
        """Holds nothing that must be closed."""
