"""`cocoro-ghost setup local`: an open model on this machine, without a key."""

from __future__ import annotations

import os
from dataclasses import replace

from rich.console import Console
from rich.prompt import IntPrompt

from cocoro_ghost.cli.options import progress_bar
from cocoro_ghost.errors import GhostError
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.mind.local.catalogue import GB, OPEN_MODELS, OpenModel, fits
from cocoro_ghost.mind.local.download import download
from cocoro_ghost.mind.local.mind import model_file
from cocoro_ghost.model.presets import LlmPreset
from cocoro_ghost.settings.preset_book import new_id


async def offer_local(ghost: Ghost, console: Console) -> LlmPreset | None:
    """Lists what fits, downloads what is chosen; None when nothing was, or when it could not be had."""
    memory = machine_memory()
    chats = [one for one in OPEN_MODELS.values() if one.kind == "chat"]
    console.print(f"Memory / メモリ: {memory / GB:.0f} GB")
    for number, one in enumerate(chats, 1):
        note = "" if fits(one, memory) else " [red]too large for this machine / このマシンには大きい[/red]"
        size = f"{one.size_bytes / GB:.1f} GB"
        console.print(f" {number}  {one.name}: {size}, {one.licence}, {one.languages}, {one.source}{note}")
    choices = [str(number) for number in range(len(chats) + 1)]
    picked = IntPrompt.ask("Which (0: none) / どれ(0: やめる)", choices=choices, default=0, console=console)
    if picked == 0:
        return None
    try:
        await fetch(ghost, chats[picked - 1], console)
    except GhostError as error:
        console.print(f"[red]{error} / {error.told(japanese=True)}[/red]")
        return None
    return replace(LlmPreset(new_id(), chats[picked - 1].name), model=f"local/{chats[picked - 1].id}")


async def fetch(ghost: Ghost, model: OpenModel, console: Console) -> None:
    """Downloads with a bar, unless the file is there already."""
    target = model_file(ghost.data_dir / "models", model.id)
    if target.is_file():
        return
    with progress_bar(console) as bar:
        line = bar.add_task(model.name, total=model.size_bytes)
        await download(
            model.url, target, lambda done, whole: bar.update(line, completed=done, total=whole or None)
        )


def machine_memory() -> int:
    """Bytes; 8 GB where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return 8 * GB
