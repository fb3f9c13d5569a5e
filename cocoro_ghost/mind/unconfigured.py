"""A mind that cannot speak yet: it says why. Learning waits until the settings are mended."""

from __future__ import annotations

from collections.abc import AsyncIterator

from cocoro_ghost.errors import GhostError, NotConfigured, Outage
from cocoro_ghost.mind.client import A, ImageRequest, PlanRequest, SpeakRequest

LOOK_AGAIN_SECONDS = 900.0


class UnconfiguredMind:
    """Keeps the `Mind` protocol by refusing."""

    def __init__(self, model: str, reason: GhostError) -> None:
        self._model = model
        self.reason = reason

    @property
    def model_id(self) -> str:
        return self._model

    @property
    def uses_tools(self) -> bool:
        return False

    async def speak(self, request: SpeakRequest) -> AsyncIterator[str]:
        raise self._refusal()
        yield ""

    async def plan(self, request: PlanRequest, answer: type[A]) -> A:
        # Not the job's fault: it waits, and is not lost.
        raise Outage(str(self.reason), retry_after=LOOK_AGAIN_SECONDS, ja=self.reason.ja)

    async def see(self, request: ImageRequest) -> str:
        raise self._refusal()

    async def close(self) -> None:
        """Holds nothing that must be closed."""

    def _refusal(self) -> NotConfigured:
        return NotConfigured(str(self.reason), code=self.reason.code, ja=self.reason.ja)
