"""Nothing internal leaves: marks, section names and JSON are taken out of the stream, whole or in pieces.

The result does not depend on how the text was cut into chunks; `[face:…]` stays.
"""

from __future__ import annotations

import json
import re

SECTIONS = (
    "CONTEXT_CAPSULE", "STABLE_FACTS", "SHARED_NARRATIVE", "RELATIONSHIP_STATE", "OPEN_LOOPS",
    "EPISODE_EVIDENCE",
)  # fmt: skip
NAMES = (
    *SECTIONS, "COCORO_GHOST_SECTION", "INTERNAL_CONTEXT", "MemoryPack", "TimeContext", "LongMoodState",
    "ConfirmedPreferences", "ImageSummaries", "persona_mood_state", "now_local",
)  # fmt: skip
MAX_MARK = 80
MAX_JSON = 20_000
_STARTS = ("<<", "{", "[{", '["', "```", *NAMES)
_START = re.compile("|".join(re.escape(start) for start in sorted(_STARTS, key=len, reverse=True)))
_MARK = re.compile(r"<{2,3}/?\s*(?:" + "|".join(NAMES) + r")[^<>\n]{0,40}>{2,3}")
_NAME = re.compile(r"(?:" + "|".join(NAMES) + r")[:：]?")
_HELD = sorted({start[:size] for start in _STARTS for size in range(1, len(start))}, key=len, reverse=True)
_BLANK_LINE = re.compile(r"\n[ \t　]*\n")


class SpeechGuard:
    """`feed` returns what may be spoken now; `finish` the rest. `text` is everything spoken."""

    def __init__(self) -> None:
        self._held = ""
        self._inside = False
        self._spoken: list[str] = []
        self._dropped: list[str] = []

    @property
    def text(self) -> str:
        return "".join(self._spoken)

    def feed(self, chunk: str) -> str:
        self._held += chunk.replace("\x00", "")
        return self._speak(self._drain(final=False))

    def finish(self) -> str:
        """The last words; when only internal text came, what is left of it without its marks."""
        spoken = self._speak(self._drain(final=True))
        if not self.text.strip() and self._dropped:
            spoken += self._speak(_without_marks("".join(self._dropped)))
        return spoken

    def _speak(self, text: str) -> str:
        if not self._spoken:
            text = text.lstrip()
        if text:
            self._spoken.append(text)
        return text

    def _drain(self, *, final: bool) -> str:
        out: list[str] = []
        while self._held:
            if self._inside:
                if not self._skip_paragraph(final):
                    break
                continue
            start = _START.search(self._held)
            if start is None:
                keep = 0 if final else _tail_to_hold(self._held)
                out.append(self._take(len(self._held) - keep))
                break
            out.append(self._take(start.start()))
            size, speech = _resolve(self._held, final)
            if size is None:
                break
            taken = self._take(size)
            if speech:
                out.append(taken)
            else:
                self._dropped.append(taken)
                self._inside = taken.startswith("<<")
        return "".join(out)

    def _skip_paragraph(self, final: bool) -> bool:
        """After a mark the rest of its paragraph is internal too; False when more text is needed."""
        end = _BLANK_LINE.search(self._held)
        if end is None and not final:
            return False
        self._dropped.append(self._take(len(self._held) if end is None else end.end()))
        self._inside = False
        return True

    def _take(self, size: int) -> str:
        taken, self._held = self._held[:size], self._held[size:]
        return taken


def guarded(text: str) -> str:
    """A whole text at once."""
    guard = SpeechGuard()
    guard.feed(text)
    guard.finish()
    return guard.text.strip()


def _tail_to_hold(text: str) -> int:
    """How much of the end may be the beginning of something internal."""
    return next((len(prefix) for prefix in _HELD if text.endswith(prefix)), 0)


def _resolve(held: str, final: bool) -> tuple[int | None, bool]:
    """What stands at the beginning: (its size, whether it is speech); size None asks for more text."""
    if held.startswith("<<"):
        return _resolve_mark(held, final)
    if held.startswith("```"):
        return _resolve_fence(held, final)
    if held[0] in "{[":
        return _resolve_json(held, final)
    match = _NAME.match(held)
    assert match is not None
    # One more character decides whether a colon belongs to the name, and whether the name goes on.
    return (None, False) if match.end() == len(held) and not final else (match.end(), False)


def _resolve_mark(held: str, final: bool) -> tuple[int | None, bool]:
    match = _MARK.match(held)
    if match is not None and (match.end() < len(held) or final):
        return match.end(), False
    line = held.split("\n", 1)[0]
    undecided = match is not None or (len(line) == len(held) and len(held) <= MAX_MARK)
    return (None, False) if undecided and not final else (2, True)


def _resolve_fence(held: str, final: bool) -> tuple[int | None, bool]:
    end = held.find("```", 3)
    if end < 0:
        return (3, True) if final or len(held) > MAX_JSON else (None, False)
    body = held[3:end].removeprefix("json").strip()
    if body[:1] in {"{", "["} and _is_json(body):
        return end + 3, False
    return 3, True


def _resolve_json(held: str, final: bool) -> tuple[int | None, bool]:
    inner = held[1:].lstrip()
    if not inner and not final and len(held) <= MAX_MARK:
        return None, False
    if inner[:1] not in {'"', "{", "[", "}"}:
        return 1, True
    end = _closing(held)
    if end is None:
        return (1, True) if final or len(held) > MAX_JSON else (None, False)
    return (end, False) if _is_json(held[:end]) else (1, True)


def _closing(held: str) -> int | None:
    """Where the bracket that opens the text is closed, strings skipped; None when it is not."""
    depth, quoted, escaped = 0, False, False
    for index, character in enumerate(held):
        if quoted:
            quoted, escaped = (character != '"' or escaped), (character == "\\" and not escaped)
        elif character == '"':
            quoted = True
        elif character in "{[":
            depth += 1
        elif character in "}]":
            depth -= 1
            if depth == 0:
                return index + 1
    return None


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False


def _without_marks(text: str) -> str:
    lines = (_NAME.sub("", _MARK.sub("", line)).strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not _is_json(line))
