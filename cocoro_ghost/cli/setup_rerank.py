"""`setup rerank`: a cross-encoder of one's own looks at memories once more; tried before it is kept."""

from __future__ import annotations

import json
from pathlib import Path
from time import perf_counter

from rich.console import Console
from rich.prompt import Prompt

from cocoro_ghost.embed.reranker import RemoteReranker, Reranker
from cocoro_ghost.errors import BadAnswer, GhostError
from cocoro_ghost.settings.recall_section import Rerank

_USUAL = "http://127.0.0.1:8080/v1/rerank"
_SECTION = "[recall.rerank]"
_ASKED = "猫の名前は何ですか？ What is the cat called?"
_ANSWER = "うちの猫の名前はモカです。 Our cat is called Mocha."
_OTHER = "明日は雨らしい。 They say it will rain tomorrow."


async def offer_rerank(config_file: Path, wanted: Rerank, console: Console) -> bool:
    """Asks where it listens, tries it with as many texts as a turn would send; True when it is kept."""
    url = Prompt.ask("Address of /rerank / アドレス", default=wanted.url or _USUAL, console=console)
    model = Prompt.ask(
        "Model, if it has several / モデル名（一つなら空）", default=wanted.model, console=console
    )
    reranker = RemoteReranker(url, model=model, api_key=wanted.api_key, timeout=30.0)
    try:
        seconds = await tried(reranker, wanted.candidates)
    except GhostError as error:
        console.print(str(error), style="red", markup=False)
        console.print("Nothing was changed. / 何も変えていません。")
        return False
    console.print(f"{wanted.candidates} texts / 件: {seconds:.2f} s")
    if seconds > wanted.deadline_seconds:
        console.print(
            f"Slower than the deadline of {wanted.deadline_seconds:g} s: the order would mostly stand."
            f" / 締め切り {wanted.deadline_seconds:g} 秒より遅く、ほとんど使われません。"
        )
    return _keep(config_file, url, model, console)


async def tried(reranker: Reranker, count: int) -> float:
    """Seconds for so many texts; one that prefers the rain to the cat is no reranker."""
    began = perf_counter()
    scores = await reranker.scores(_ASKED, [_ANSWER, *[_OTHER] * (count - 1)])
    if scores[0] <= max(scores[1:]):
        raise BadAnswer("It answers, but does not tell an answer from other texts: is it a reranker?")
    return perf_counter() - began


def _keep(config_file: Path, url: str, model: str, console: Console) -> bool:
    """Adds the section to the config file; one that stands there is the person's own to change."""
    written = config_file.read_text(encoding="utf-8") if config_file.exists() else ""
    lines = [_SECTION, f"url = {json.dumps(url)}", *([f"model = {json.dumps(model)}"] if model else [])]
    if _SECTION in written:
        console.print(f"{config_file} has the section already; it should say / すでにあります:", markup=False)
        console.print("\n".join(lines), markup=False)
        return False
    config_file.write_text(f"{written.rstrip()}\n\n{chr(10).join(lines)}\n".lstrip(), encoding="utf-8")
    console.print("Kept; used from the next start. / 保存しました。次の起動から使います。")
    return True
