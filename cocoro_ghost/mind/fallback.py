"""A second mind that answers while the first is away, and says so; learning waits for the first."""

from __future__ import annotations

from collections.abc import AsyncIterator

from cocoro_ghost.errors import NotConfigured, Outage
from cocoro_ghost.mind.client import A, ImageRequest, Mind, PlanRequest, Progress, SpeakRequest, Spoken
from cocoro_ghost.model.scene import Language

_AWAY = {
    Language.JA: "（{first} につながらないので、いまは {second} が答えるね。）\n",
    Language.EN: "({first} is away, so {second} answers for now.)\n",
}


class FallbackMind:
    """Keeps the `Mind` protocol with two minds."""

    def __init__(self, first: Mind, second: Mind) -> None:
        self.first = first
        self.second = second

    @property
    def model_id(self) -> str:
        return self.first.model_id

    @property
    def uses_tools(self) -> bool:
        return self.first.uses_tools and self.second.uses_tools

    async def speak(self, request: SpeakRequest) -> AsyncIterator[Spoken]:
        spoke = False
        try:
            async for piece in self.first.speak(request):
                spoke = spoke or not isinstance(piece, Progress)
                yield piece
            return
        except (Outage, NotConfigured):
            # Half a reply is told as broken off: two minds in one sentence would be neither's.
            if spoke:
                raise
        names = {"first": self.first.model_id, "second": self.second.model_id}
        yield _AWAY[request.scene.language].format(**names)
        async for piece in self.second.speak(request):
            yield piece

    async def plan(self, request: PlanRequest, answer: type[A]) -> A:
        return await self.first.plan(request, answer)

    async def see(self, request: ImageRequest) -> str:
        try:
            return await self.first.see(request)
        except (Outage, NotConfigured):
            return await self.second.see(request)

    async def close(self) -> None:
        try:
            await self.first.close()
        finally:
            await self.second.close()
