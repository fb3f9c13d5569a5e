"""A model of this machine as a mind: its server is started when it is first needed and cared for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

from cocoro_ghost.errors import ConfigError, NotConfigured, Outage
from cocoro_ghost.mind.client import A, ImageRequest, PlanRequest, SpeakRequest, Spoken
from cocoro_ghost.mind.line import Line, Shared
from cocoro_ghost.mind.local.child import LocalServer
from cocoro_ghost.mind.openai_compatible import OpenAICompatibleMind
from cocoro_ghost.mind.unconfigured import LOOK_AGAIN_SECONDS


class LocalMind:
    """Keeps the `Mind` protocol; the endpoint is a child whose address changes when it is started again."""

    def __init__(self, line: Line, shared: Shared, server: LocalServer) -> None:
        self._line = line
        self._shared = shared
        self._server = server
        self._mind: OpenAICompatibleMind | None = None
        self._url = ""

    @property
    def model_id(self) -> str:
        return f"local/{self._line.endpoint.model}"

    @property
    def uses_tools(self) -> bool:
        """A small model takes a tool for the answer to everything: none is offered."""
        return False

    async def speak(self, request: SpeakRequest) -> AsyncIterator[Spoken]:
        async for piece in (await self._reached()).speak(request):
            yield piece

    async def plan(self, request: PlanRequest, answer: type[A]) -> A:
        try:
            mind = await self._reached()
        except NotConfigured as error:
            # Not the job's fault: it waits until the model is there.
            raise Outage(str(error), retry_after=LOOK_AGAIN_SECONDS, ja=error.ja) from error
        return await mind.plan(request, answer)

    async def see(self, request: ImageRequest) -> str:
        return await (await self._reached()).see(request)

    async def close(self) -> None:
        if self._mind is not None:
            await self._mind.close()
        await self._server.close()

    async def _reached(self) -> OpenAICompatibleMind:
        try:
            url = await self._server.url()
        except ConfigError as error:
            name = self._line.endpoint.model
            raise NotConfigured(
                f"{error} `cocoro-ghost setup local` downloads it.",
                code="llm_no_such_model",
                ja=f"モデル {name} がまだありません。`cocoro-ghost setup local` でダウンロードしてください。",
            ) from error
        if self._mind is None or url != self._url:
            if self._mind is not None:
                await self._mind.close()
            place = replace(self._line.endpoint, base_url=url)
            self._mind, self._url = (
                OpenAICompatibleMind(replace(self._line, endpoint=place), self._shared),
                url,
            )
        return self._mind
