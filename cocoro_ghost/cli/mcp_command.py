"""`cocoro-ghost mcp`: the memory as MCP tools over standard input and output."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated, Any

import httpx2
import typer

from cocoro_ghost.errors import ConfigError

TOKEN_VARIABLE = "COCORO_TOKEN"  # noqa: S105 - its name, not its value
Url = Annotated[str, typer.Option(help="Where the ghost is served.")]
Token = Annotated[str | None, typer.Option(help=f"A client's token, else {TOKEN_VARIABLE}.")]


def register(app: typer.Typer) -> None:
    app.command()(mcp)


def mcp(url: Url = "http://127.0.0.1:55602", token: Token = None) -> None:
    """Serve the memory of a running ghost as MCP tools to the program that started this."""
    try:
        from mcp.server.mcpserver.exceptions import ToolError

        from cocoro_ghost.connect.mcp_answers import Answer
        from cocoro_ghost.connect.mcp_face import build_server
    except ImportError as error:
        raise ConfigError("The package `mcp` is not installed: install the extra `mcp` first.") from error
    secret = token or os.environ.get(TOKEN_VARIABLE)
    if not secret:
        raise ConfigError(f"Give a token (`clients add` makes one) with --token or {TOKEN_VARIABLE}.")
    client = httpx2.AsyncClient(
        base_url=url, headers={"authorization": f"Bearer {secret}"}, timeout=60, trust_env=False
    )

    async def call(method: str, path: str, given: Mapping[str, Any] | None, _: str) -> Answer:
        try:
            if method == "GET":
                answer = await client.get(path, params=dict(given or {}))
            else:
                answer = await client.request(method, path, json=dict(given or {}))
        except httpx2.TransportError as error:
            raise ToolError(f"The ghost cannot be reached at {url}; is it running?") from error
        return Answer(answer.status_code, answer.json() if answer.content else {})

    build_server(call).run("stdio")
