"""`cocoro-ghost setup local`: an open model on this machine, without a key."""

from __future__ import annotations

from rich.console import Console
from rich.prompt import IntPrompt

from cocoro_ghost.api.use_local_model import machine_memory, use_model
from cocoro_ghost.cli.options import progress_bar
from cocoro_ghost.errors import GhostError
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.mind.local.catalogue import GB, Kind, OpenModel, fits
from cocoro_ghost.mind.local.download import download

_KINDS: dict[Kind, str] = {
    "chat": "speaks / 話す",
    "embedding": "finds by meaning / 意味で思い出す",
    "rerank": "looks twice at what is recalled / 思い出したことを見直す",
}


async def offer_local(ghost: Ghost, console: Console) -> None:
    """Lists what there is, downloads what is chosen and puts it to use; what goes wrong is a sentence."""
    shelf = ghost.shelf
    memory, models = machine_memory(), list(shelf.models.values())
    console.print(f"Memory / メモリ: {memory / GB:.0f} GB")
    for number, one in enumerate(models, 1):
        note = "" if fits(one, memory) else " [red]too large for this machine / このマシンには大きい[/red]"
        size = f"{one.size_bytes / GB:.1f} GB"
        console.print(f" {number}  {one.name} ({_KINDS[one.kind]}){note}")
        console.print(f"    {size}, {one.licence}, {one.languages}, {one.source}")
    choices = [str(number) for number in range(len(models) + 1)]
    picked = IntPrompt.ask("Which (0: none) / どれ(0: やめる)", choices=choices, default=0, console=console)
    if picked == 0:
        return
    try:
        await _fetch(ghost, models[picked - 1], console)
        await use_model(ghost, models[picked - 1].id)
    except GhostError as error:
        console.print(f"[red]{error} / {error.told(japanese=True)}[/red]")


async def _fetch(ghost: Ghost, model: OpenModel, console: Console) -> None:
    """Downloads with a bar, unless the file is there already."""
    target = ghost.shelf.file_of(model.id)
    if target.is_file():
        return
    with progress_bar(console) as bar:
        line = bar.add_task(model.name, total=model.size_bytes)
        await download(
            model.url, target, lambda done, whole: bar.update(line, completed=done, total=whole or None)
        )
