"""The listeners themselves: how connections are taken, bounded and let go."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tests.serving import house

pytestmark = pytest.mark.anyio


async def test_no_answer_waits_for_the_clients_acknowledgement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without TCP_NODELAY every call on a kept connection is 40 ms late."""
    taken: list[asyncio.Transport] = []
    made = HttpToolsProtocol.connection_made

    def noted(self: HttpToolsProtocol, transport: asyncio.Transport) -> None:
        taken.append(transport)
        made(self, transport)

    monkeypatch.setattr(HttpToolsProtocol, "connection_made", noted)
    async with house(tmp_path) as home:
        for secure in (False, True):
            async with home.client(secure=secure) as client:
                assert (await client.get("/api/health")).status_code == 200
                accepted = taken[-1].get_extra_info("socket")
                assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY), f"secure: {secure}"
    assert len(taken) == 2
