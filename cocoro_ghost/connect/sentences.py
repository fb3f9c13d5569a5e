"""A reply on its way to a client: the expression's tag in front, cut at the client's stop strings."""

from __future__ import annotations

from cocoro_ghost.api.app_state import AppState
from cocoro_ghost.connect.background import Call
from cocoro_ghost.model.client import Client
from cocoro_ghost.reply.expression import expression_of, tag


class Spoken:
    """Pieces in, pieces out; what might be the beginning of a stop string is held back."""

    def __init__(self, opening: str = "", stops: tuple[str, ...] = ()) -> None:
        self._opening = opening
        self._stops = stops
        self._held = ""
        self._ended = False

    @staticmethod
    async def of(app: AppState, client: Client, call: Call, stops: tuple[str, ...]) -> Spoken:
        """The feeling is the mood the reply was spoken in; a program's own call has none."""
        if call in (Call.TASK, Call.PROBE):
            return Spoken("", stops)
        mood = await app.ghost.memory.read(app.ghost.mood_shelf.read)
        opening = "" if mood is None else tag(expression_of(mood.total), client.emotion_tags)
        return Spoken(opening, stops)

    def feed(self, piece: str) -> str:
        if self._ended:
            return ""
        self._held += piece
        cut = min((at for at in map(self._held.find, self._stops) if at >= 0), default=None)
        if cut is not None:
            self._ended = True
            return self._out(self._held[:cut])
        keep = max((_overlap(self._held, stop) for stop in self._stops), default=0)
        ready, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
        return self._out(ready)

    def finish(self) -> str:
        rest = "" if self._ended else self._held
        self._held = ""
        return self._out(rest)

    def _out(self, text: str) -> str:
        if not text:
            return ""
        opening, self._opening = self._opening, ""
        return opening + text


def _overlap(text: str, stop: str) -> int:
    """How much of the end of a text may be the beginning of a stop string."""
    return next(
        (size for size in range(min(len(stop) - 1, len(text)), 0, -1) if text.endswith(stop[:size])), 0
    )
