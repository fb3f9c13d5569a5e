"""`cocoro-ghost setup`: offers the minds found on this machine; nothing is used unasked."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.prompt import IntPrompt, Prompt

from cocoro_ghost.bootstrap import open_ghost
from cocoro_ghost.cli.options import DataDir
from cocoro_ghost.cli.setup_local import offer_local
from cocoro_ghost.cli.setup_rerank import offer_rerank
from cocoro_ghost.errors import BadInput, GhostError
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.mind.choose_mind import key_in_environment
from cocoro_ghost.mind.discover import Found, find_minds
from cocoro_ghost.mind.providers import PROVIDERS
from cocoro_ghost.model.presets import LlmPreset
from cocoro_ghost.reply.trial import try_out
from cocoro_ghost.settings.preset_book import new_id

_SUGGESTED = {
    "openai": "gpt-5-mini",
    "anthropic": "claude-haiku-4-5",
    "gemini": "gemini-2.5-flash",
    "openrouter": "openrouter/auto",
    "xai": "grok-4-fast",
}


def register(app: typer.Typer) -> None:
    @app.command(name="setup")
    def setup_command(
        what: Annotated[
            str,
            typer.Argument(
                help="`local` downloads an open model for this machine; `rerank` looks at memories twice."
            ),
        ] = "",
        data_dir: DataDir = None,
    ) -> None:
        """Choose which mind speaks: the embedded one, a key found here, a local server, an open model."""
        ways = {"": _setup, "local": _setup_local, "rerank": _setup_rerank}
        if what not in ways:
            raise BadInput(f"setup knows `local` and `rerank`, not {what!r}.")
        asyncio.run(ways[what](data_dir, Console(highlight=False)))


async def _setup_local(data_dir: Path | None, console: Console) -> None:
    async with open_ghost(data_dir) as ghost:
        await offer_local(ghost, console)
        console.print(f"Speaking from now on / これからの頭脳: [bold]{ghost.chosen().llm.model}[/bold]")


async def _setup_rerank(data_dir: Path | None, console: Console) -> None:
    async with open_ghost(data_dir) as ghost:
        await offer_rerank(ghost.data_dir / "config.toml", ghost.config.recall.rerank, console)


async def _setup(data_dir: Path | None, console: Console) -> None:
    async with open_ghost(data_dir) as ghost:
        found = await find_minds()
        console.print(f"Speaking now / 今の頭脳: [bold]{ghost.chosen().llm.model}[/bold]")
        console.print(" 0  embedded: no key, no network / 内蔵（鍵も通信も不要）")
        for number, one in enumerate(found, 1):
            console.print(f" {number}  {one.provider}: {one.detail}")
        choices = [str(number) for number in range(len(found) + 1)]
        picked = IntPrompt.ask("Which / どれにしますか", choices=choices, default=0, console=console)
        if picked == 0:
            await ghost.activate("llm", ghost.book().llm[0].preset_id if _is_embedded(ghost) else "embedded")
        else:
            await _offer(ghost, found[picked - 1], console)
        console.print(f"Speaking from now on / これからの頭脳: [bold]{ghost.chosen().llm.model}[/bold]")


def _is_embedded(ghost: Ghost) -> bool:
    return ghost.book().llm[0].model.startswith("embedded/")


async def _offer(ghost: Ghost, found: Found, console: Console) -> None:
    """Asks for the model, tries it once, then keeps it."""
    suggested = found.models[0] if found.models else _SUGGESTED.get(found.provider, "")
    model = Prompt.ask("Model / モデル", default=suggested, console=console)
    try:
        async with ghost.mind_of(preset_for(found, model)) as mind:
            for check in await try_out(mind, None, ghost.language()):
                console.print(f"{check.words_ja} / {check.words_en}", markup=False)
                if not check.ok:
                    raise BadInput(check.words_en, ja=check.words_ja)
    except GhostError as error:
        console.print(f"[red]{error}[/red]")
        if (
            Prompt.ask("Keep it anyway / それでも使う", choices=["y", "n"], default="n", console=console)
            == "n"
        ):
            return
    await use_found(ghost, found, model)


def preset_for(found: Found, model: str) -> LlmPreset:
    preset = LlmPreset(new_id(), found.provider, f"{found.provider}/{model}")
    if found.kind == "key":
        return replace(preset, api_key=key_in_environment(PROVIDERS[found.provider]))
    return preset


async def use_found(ghost: Ghost, found: Found, model: str) -> None:
    """Keeps a new preset for what was found and makes it the one that speaks."""
    await ghost.adopt("llm", preset_for(found, model))
