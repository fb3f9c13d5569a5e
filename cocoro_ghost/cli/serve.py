"""`cocoro-ghost serve`: the ghost on HTTPS for clients and on loopback HTTP for the browser."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Annotated

import typer

from cocoro_ghost.api.server.serving import Addresses, serve
from cocoro_ghost.bootstrap import open_ghost
from cocoro_ghost.cli.options import DataDir
from cocoro_ghost.cli.served_address import note
from cocoro_ghost.connect.install import install as faces
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.model.scene import Language
from cocoro_ghost.store import meta
from cocoro_ghost.store.ports import Tx

LOG_BYTES = 5_000_000
LOG_FILES = 3
_NOISY = ("mcp", "httpx", "httpx2", "openai", "uvicorn.error", "websockets", "asyncio")
_WELCOME_JA = """
ゴーストが起きました。次のリンクをブラウザで開いて、話しかけてください（一度だけ使えます）:
  {link}
  クライアント（CocoroConsole など）の接続先: {https}（トークンは `{me} token`）
  言語モデルを選ぶ: ページの「設定」、または `{me} setup`。止める: Ctrl-C"""
_WELCOME_EN = """
The ghost is awake. Open this link in a browser and say something (it works once):
  {link}
  Clients such as CocoroConsole connect to {https} (`{me} token` prints the token).
  To choose a language model: Settings in the page, or `{me} setup`. To stop: Ctrl-C"""
_KEY_LOST_JA = """
  保存した秘密を開くための鍵（データフォルダの `key`）が失われていました。記憶は無事です。
  トークンは新しくなりました。言語モデルの API キーは「設定」でもう一度入力してください。"""
_KEY_LOST_EN = """
  The key that opens the stored secrets (`key` in the data folder) was lost. The memory is safe.
  The token is a new one, and API keys of language models must be entered again in Settings."""
Port = Annotated[int | None, typer.Option(min=0, max=65535, help="0 takes any free port.")]


def register(app: typer.Typer) -> None:
    @app.command(name="serve")
    def serve_command(data_dir: DataDir = None, http_port: Port = None, https_port: Port = None) -> None:
        """Start the ghost; stop it with Ctrl-C."""
        asyncio.run(_serve(data_dir, http_port, https_port))


async def _serve(data_dir: Path | None, http_port: int | None, https_port: int | None) -> None:
    async with open_ghost(data_dir) as ghost:
        set_up_logs(ghost.data_dir / "logs", ghost.config.log_level)
        first = await ghost.settings_db.write(_first_start)
        await serve(
            ghost,
            faces=faces,
            http_port=http_port,
            https_port=https_port,
            on_ready=lambda addresses: _announce(ghost, addresses, first),
        )


def set_up_logs(folder: Path, level: str) -> None:
    """To standard error and to a rotating file that only its owner can read."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / "ghost.log"
    path.touch(mode=0o600)
    kept = RotatingFileHandler(path, maxBytes=LOG_BYTES, backupCount=LOG_FILES, encoding="utf-8")
    shown = logging.StreamHandler(sys.stderr)
    for target in (kept, shown):
        target.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level.upper(), handlers=[kept, shown], force=True)
    for name in _NOISY:
        logging.getLogger(name).setLevel(logging.WARNING)


def _announce(ghost: Ghost, addresses: Addresses, first: bool) -> None:
    """The line programs wait for on standard output; what people need on standard error."""
    note(ghost.data_dir, addresses.http)
    # Flushed: who waits for the line reads it through a pipe.
    print(addresses.ready_line, flush=True)
    # What is loaded by now stays as long as the process: walking it again only makes replies wait.
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    japanese = ghost.language() is Language.JA
    words = _WELCOME_JA if japanese else _WELCOME_EN
    called_as = os.environ.get("COCORO_CALLED_AS", "cocoro-ghost")
    print(
        words.format(link=addresses.login_link, https=addresses.https, me=called_as),
        file=sys.stderr,
        flush=True,
    )
    if ghost.base.key_lost:
        print(_KEY_LOST_JA if japanese else _KEY_LOST_EN, file=sys.stderr, flush=True)
    if first or ghost.base.key_lost:
        told = "クライアント用トークン" if japanese else "Token for clients"
        print(f"  {told}: {ghost.base.token}", file=sys.stderr, flush=True)


def _first_start(tx: Tx) -> bool:
    """True once in a data directory's life: the token is printed then and never again."""
    if meta.get(tx, "token_shown") is not None:
        return False
    meta.put(tx, "token_shown", "1")
    return True
