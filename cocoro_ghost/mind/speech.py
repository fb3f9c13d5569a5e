"""A reply as a wire gives it: watched until its first word, read to its end, and how it ended."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator

from cocoro_ghost.errors import BadAnswer, CutOff, Declined, Outage
from cocoro_ghost.mind.client import Progress, Spoken
from cocoro_ghost.mind.wire.call import CallPiece, Piece, Usage
from cocoro_ghost.model.internal import names_inside
from cocoro_ghost.model.tools import ToolCall

SIGN_OF_LIFE_SECONDS = 5.0
_CLOSER = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_LONGEST_CLOSER = len("</reasoning>")
_OPENER = re.compile(r"<(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_TOOLS = {"tool_calls", "function_call", "tool_use"}
_WATCHED = 4000
"""How much of a reply is looked at for imitation: the block, when copied, comes first."""


class Speech:
    """One reply on its way. `held`: its thoughts have no beginning, so nothing is spoken before their end."""

    def __init__(
        self, pieces: AsyncIterator[Piece], patience: float, *, held: bool = False, tools: bool = False
    ) -> None:
        self.usage: Usage | None = None
        self.first_seconds = 0.0
        self._pieces = pieces
        self._patience = patience
        self._held: list[str] | None = [] if held else None
        self._beginning = ""
        self._finish: str | None = None
        self._refusal: list[str] = []
        self._spoke = False
        self._tools = tools
        self._calls: dict[int, list[CallPiece]] = {}

    @property
    def imitated(self) -> bool:
        return names_inside(self._beginning)

    @property
    def thought_unopened(self) -> bool:
        return _CLOSER.search(self._beginning) is not None and _OPENER.search(self._beginning) is None

    async def pieces(self) -> AsyncIterator[Spoken]:
        async for piece in self._watched():
            if isinstance(piece, Progress):
                yield piece
                continue
            self._note(piece)
            text = self._released(piece.text)
            if text:
                self._spoke = True
                yield text
            elif piece.thought or piece.progress is not None:
                yield Progress(piece.progress, thinking=piece.thought)
        if self._held:
            # It did not think after all: what was held is the reply.
            self._spoke = True
            yield "".join(self._held)
        for call in self._asked_for():
            self._spoke = True
            yield call

    def check_end(self) -> None:
        """Raises what the end means: cut off, declined, or broken when no end was given."""
        if self._finish is None:
            raise Outage("The model's stream ended in the middle.", ja="モデルの返事が途中で途切れました。")
        if self._finish == "length":
            raise CutOff(
                "The model reached its limit of length; more `max_tokens` in the settings let it say more.",
                ja="モデルが長さの上限に達しました。設定の max_tokens を増やすと続きまで話せます。",
            )
        if self._finish in {"content_filter", "refusal"} or self._refusal:
            told = "".join(self._refusal)[:200]
            raise Declined(
                f"The model would not answer this. {told}".strip(),
                ja=f"モデルがこの発言への返事を断りました。{told}",
            )
        if self._finish in _TOOLS and not self._spoke:
            raise Declined(
                "The model asked for tools instead of speaking; choose another model.",
                ja="モデルが話す代わりに道具を求めました。別のモデルを選んでください。",
            )

    def _asked_for(self) -> list[ToolCall]:
        """The calls for tools, whole; where none were offered, none is passed on."""
        if not self._tools:
            return []
        return [
            ToolCall("".join(one.call_id for one in bits) or f"call_{at}", name, arguments or "{}")
            for at, bits in sorted(self._calls.items())
            if (name := "".join(one.name for one in bits))
            and is_object(arguments := "".join(one.arguments for one in bits))
        ]

    def _note(self, piece: Piece) -> None:
        for bit in piece.calls:
            self._calls.setdefault(bit.index, []).append(bit)
        self.usage = piece.usage or self.usage
        self._finish = piece.finish or self._finish
        if piece.refusal:
            self._refusal.append(piece.refusal)
        if len(self._beginning) < _WATCHED:
            self._beginning += piece.text

    def _released(self, text: str) -> str:
        if self._held is None:
            return text
        self._held.append(text)
        # The closing word may come in several pieces; looking at all of them each time would be quadratic.
        whole = "".join(self._held[-20:])[-len(text) - _LONGEST_CLOSER :]
        if not _CLOSER.search(whole):
            return ""
        end = _CLOSER.search(joined := "".join(self._held))
        self._held = None
        return "" if end is None else joined[end.end() :]

    async def _watched(self) -> AsyncIterator[Piece | Progress]:
        """The pieces; until the first comes, a sign of life now and then, while patience lasts."""
        began = time.monotonic()
        first = asyncio.ensure_future(anext(self._pieces, None))
        try:
            while not (await asyncio.wait({first}, timeout=self._next_sign(began)))[0]:
                gone = time.monotonic() - began
                if gone >= self._patience:
                    raise TimeoutError
                yield Progress()
        finally:
            if not first.done():
                first.cancel()
                await asyncio.gather(first, return_exceptions=True)
        piece = first.result()
        self.first_seconds = time.monotonic() - began
        while piece is not None:
            yield piece
            piece = await anext(self._pieces, None)

    def _next_sign(self, began: float) -> float:
        return max(0.01, min(SIGN_OF_LIFE_SECONDS, began + self._patience - time.monotonic()))


def is_object(text: str) -> bool:
    """Whether a call's arguments are what a tool can take; a model cut short leaves half of them."""
    try:
        return not text or isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def words_of(piece: Piece) -> str:
    """The text of a whole answer; raises what its end means when there is none."""
    if piece.finish in {"content_filter", "refusal"} or (piece.refusal and not piece.text):
        raise Declined(f"The model would not answer this. {piece.refusal[:200]}".strip())
    if not piece.text:
        raise BadAnswer("The model answered with nothing.")
    return piece.text
