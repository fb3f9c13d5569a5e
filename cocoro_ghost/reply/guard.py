"""Nothing internal leaves: thoughts, marks, section names with their lines and internal JSON stay inside.

What is spoken does not depend on how the text was cut into chunks, and every character is looked at a bounded
number of times. JSON and code that somebody asked for pass; `[face:…]` stays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, auto
from functools import lru_cache

from cocoro_ghost.model.internal import MARK, NAMES, has_internal_keys

MAX_REPLY_BYTES = 64_000
MAX_MARK = 80
MAX_JSON = 20_000
MAX_BULLETS = 40
MIN_PRIVATE = 10
_THOUGHTS = {
    "<think>": "</think>", "<thinking>": "</thinking>", "<thought>": "</thought>",
    "<reasoning>": "</reasoning>", "<reflection>": "</reflection>", "[think]": "[/think]",
    "<|channel|>analysis": "<|end|>", "<|channel|>commentary": "<|end|>",
}  # fmt: skip
_CLOSERS = tuple(dict.fromkeys(end for end in _THOUGHTS.values() if end != "<|end|>"))
# Words of a chat template that some servers let through.
_TEMPLATE_WORDS = (
    "<|channel|>final<|message|>", "<|start|>assistant", "<|start_header_id|>assistant<|end_header_id|>",
)  # fmt: skip
_TEMPLATE = re.compile(r"<\|[a-z_]{2,24}\|>", re.IGNORECASE)
_TEMPLATE_BEGINS = re.compile(r"<\|[a-z_]{0,24}\|?\Z", re.IGNORECASE)
_LITERALS = (*_THOUGHTS, *_CLOSERS, *(name.lower() for name in NAMES), "<<", "<|", "```", "{", "[")


# What is private changes with the persona alone, and both are needed before the first word.
@lru_cache(maxsize=16)
def _pattern(literals: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(
        "|".join(re.escape(one) for one in sorted(literals, key=len, reverse=True)), re.IGNORECASE
    )


@lru_cache(maxsize=16)
def _beginnings(literals: tuple[str, ...]) -> frozenset[str]:
    return frozenset(one[:size] for one in literals for size in range(1, len(one)))


_START = _pattern(_LITERALS)
_BEGINNINGS = _beginnings(_LITERALS)
_FIRSTS = frozenset(letter for one in _LITERALS for letter in (one[0], one[0].upper()))
_JSON_OPENS = re.compile(
    r'(?:```[ \t]*(?:json)?\s{0,20})?(?:\{\s{0,20}"|\[\s{0,20}\{\s{0,20}")', re.IGNORECASE
)
_JSON_MAY_OPEN = re.compile(
    r"(?:```[ \t]{0,8}(?:j|js|jso|json)?\s{0,20})?(?:\{\s{0,20}|\[\s{0,20}(?:\{\s{0,20})?)?\Z", re.IGNORECASE
)
_BULLETS = re.compile(rf"[ \t　#>*\-•・]{{0,{MAX_BULLETS}}}\Z")
_FENCE_END = re.compile(r"\s{0,20}```")
_FENCE_MAY_END = re.compile(r"\s{0,20}`{0,2}\Z")


class _Mode(Enum):
    SPEAK = auto()
    LINE = auto()
    """Inside a line that named something internal: the rest of it is dropped."""
    SECTION = auto()
    """Below a mark: dropped up to the next blank line."""
    THOUGHT = auto()
    JSON = auto()
    """Inside something that may be internal JSON: held until it closes."""
    FENCE = auto()
    """Behind dropped JSON that stood in a fence: the closing fence goes too."""


class SpeechGuard:
    """`feed` returns what may be spoken now; `finish` the rest. `text` is everything spoken."""

    def __init__(self, private: Sequence[str] = ()) -> None:
        """`private`: sentences given to the model about itself; said back, they are dropped."""
        self._private = tuple(one.lower() for one in private if len(one) >= MIN_PRIVATE)
        literals = (*_LITERALS, *self._private)
        self._start = _START if not self._private else _pattern(literals)
        self._begins = _BEGINNINGS if not self._private else _beginnings(literals)
        self._longest = max(len(one) for one in literals)
        self._firsts = _FIRSTS | {letter for one in self._private for letter in (one[0], one[0].upper())}
        self.imitated = False
        """True once the model wrote like the block it was given."""
        self.thought_aloud = False
        """True when thoughts ended that had not been seen to begin: what was spoken before was one."""
        self._held = ""
        self._mode = _Mode.SPEAK
        self._spoken: list[str] = []
        self._size = 0
        self._dropped = False
        self._line_start = True
        self._line = ""
        self._blank = False
        self._closer = ""
        self._json = _JsonHold()

    def keep_private(self, sentences: Sequence[str]) -> None:
        """Before the first word: what must not be said back."""
        self.__init__(sentences)  # type: ignore[misc]

    def begin_again(self) -> None:
        """For another attempt at the same reply."""
        self.__init__(self._private)  # type: ignore[misc]

    @property
    def text(self) -> str:
        """What was spoken; nothing when only residue of something internal is left."""
        whole = "".join(self._spoken)
        return "" if self._dropped and not any(one.isalnum() for one in whole) else whole

    @property
    def is_full(self) -> bool:
        return self._size >= MAX_REPLY_BYTES

    @property
    def held_back(self) -> bool:
        """Whether anything was kept from being spoken."""
        return self._dropped

    @property
    def pending(self) -> int:
        """How many characters are kept until more text decides about them."""
        return len(self._held)

    def feed(self, chunk: str) -> str:
        return self._speak(self._run(chunk.replace("\x00", ""), final=False))

    def finish(self) -> str:
        """The last words; only internal text leaves nothing, which is no reply."""
        return self._speak(self._run("", final=True))

    def _run(self, chunk: str, *, final: bool) -> str:
        text, self._held = self._held + chunk, ""
        out: list[str] = []
        at = 0
        steps = {
            _Mode.SPEAK: self._in_speech, _Mode.LINE: self._in_line, _Mode.SECTION: self._in_section,
            _Mode.THOUGHT: self._in_thought, _Mode.JSON: self._in_json, _Mode.FENCE: self._in_fence,
        }  # fmt: skip
        while at < len(text):
            moved = steps[self._mode](text, at, out, final)
            if moved is None:
                break
            at = moved
        self._held += text[at:]
        if final and self._mode is _Mode.JSON:
            self._close_json(out)
        return "".join(out)

    # -- one step of each mode: how far it got, or None when more text is needed --------------------

    def _in_speech(self, text: str, at: int, out: list[str], final: bool) -> int | None:
        found = self._start.search(text, at)
        if found is None:
            end = len(text) if final else self._settled(text, at)
            self._say(text[at:end], out)
            return end if end == len(text) else self._wait(end, at, text)
        start, word = found.start(), found.group().lower()
        size = self._resolve(text, start, word, final)
        if size is None:
            end = self._before_bullets(text, at, start)
            self._say(text[at:end], out)
            return self._wait(end, at, text)
        if self._mode in (_Mode.LINE, _Mode.SECTION):
            self._say(text[at : self._before_bullets(text, at, start)], out)
        else:
            self._say(text[at:start], out)
        if self._mode is _Mode.SPEAK and not self._is_template(text, start, size):
            if word in _CLOSERS:
                self._forget(out)
            elif word in self._private:
                self.imitated = self._dropped = True
            else:
                self._say(text[start : start + size], out)
        return start + size

    def _wait(self, end: int, at: int, text: str) -> int | None:
        """Stops at `end`; what lies behind it is looked at again with the next chunk."""
        if end == at:
            return None
        self._held = text[end:]
        return len(text)

    def _in_line(self, text: str, at: int, out: list[str], final: bool) -> int:
        end = text.find("\n", at)
        if len(self._line) < 2:
            self._line += text[at : len(text) if end < 0 else end].strip()[:2]
        if end < 0:
            return len(text)
        # `Name:` alone on its line heads a block; a name in a sentence spoils its line only.
        heads = self._line_start and self._line[:1] in {"", ":", "："}
        self._mode, self._blank = (_Mode.SECTION, True) if heads else (_Mode.SPEAK, False)
        self._line_start = True
        return end + 1

    def _in_section(self, text: str, at: int, out: list[str], final: bool) -> int:
        end = text.find("\n", at)
        line = text[at : len(text) if end < 0 else end]
        self._blank = self._blank and not line.strip()
        if end < 0:
            return len(text)
        if self._blank:
            self._mode, self._line_start = _Mode.SPEAK, True
        self._blank = True
        return end + 1

    def _in_thought(self, text: str, at: int, out: list[str], final: bool) -> int | None:
        found = re.compile(re.escape(self._closer), re.IGNORECASE).search(text, at)
        if found is not None:
            self._mode = _Mode.SPEAK
            return found.end()
        keep = len(self._closer) - 1
        return self._wait(max(at, len(text) - keep), at, text) if not final else len(text)

    def _in_json(self, text: str, at: int, out: list[str], final: bool) -> int:
        end = self._json.take(text, at)
        if self._json.closed or (self._json.size > MAX_JSON and not self._json.is_internal):
            self._close_json(out)
        return end

    def _in_fence(self, text: str, at: int, out: list[str], final: bool) -> int | None:
        found = _FENCE_END.match(text, at)
        if found is None and not final and _FENCE_MAY_END.match(text, at):
            return None
        self._mode = _Mode.SPEAK
        return at if found is None else found.end()

    # -- decisions -----------------------------------------------------------------------------------------

    def _resolve(self, text: str, start: int, word: str, final: bool) -> int | None:
        """How much the thing at `start` takes, setting the mode that follows; None asks for more text."""
        if not final and len(text) - start < self._longest and text[start:].lower() in self._begins:
            return None
        if word in self._private:
            return len(word)
        if word in _THOUGHTS:
            return self._enter(_Mode.THOUGHT, len(word), _THOUGHTS[word])
        if word in _CLOSERS:
            return len(word)
        if word == "<|":
            return self._resolve_template(text, start, final)
        if word == "<<":
            return self._resolve_mark(text, start, final)
        if word in {"{", "[", "```"}:
            return self._resolve_json(text, start, word, final)
        self.imitated = True
        self._line_start = self._begins_line(text, start)
        return self._enter(_Mode.LINE, len(word))

    def _enter(self, mode: _Mode, size: int, closer: str = "") -> int:
        self._mode, self._closer, self._line, self._blank, self._dropped = mode, closer, "", False, True
        return size

    def _resolve_template(self, text: str, start: int, final: bool) -> int | None:
        ahead = text[start : start + MAX_MARK].lower()
        # A channel opens thoughts or speech by the word behind it.
        longer = (*_THOUGHTS, *_TEMPLATE_WORDS)
        if not final and (
            _TEMPLATE_BEGINS.match(ahead) or any(one != ahead and one.startswith(ahead) for one in longer)
        ):
            return None
        whole = next((len(one) for one in _TEMPLATE_WORDS if ahead.startswith(one)), 0)
        found = _TEMPLATE.match(text, start)
        if not whole and found is None:
            return 2
        self._dropped = True
        return whole or (found.end() - start if found else 2)

    def _is_template(self, text: str, start: int, size: int) -> bool:
        return size > 2 and text.startswith("<|", start)

    def _resolve_mark(self, text: str, start: int, final: bool) -> int | None:
        found = MARK.match(text, start)
        if found is not None and (found.end() < len(text) or final):
            self.imitated = True
            return self._enter(_Mode.SECTION, found.end() - start)
        line = text[start : start + MAX_MARK + 1]
        undecided = len(line) <= MAX_MARK and "\n" not in line
        return None if undecided and not final else 2

    def _resolve_json(self, text: str, start: int, word: str, final: bool) -> int | None:
        found = _JSON_OPENS.match(text, start)
        if found is not None:
            self._json = _JsonHold(fenced=word == "```")
            self._mode = _Mode.JSON
            return 0
        if not final and _JSON_MAY_OPEN.match(text, start):
            return None
        return len(word)

    def _close_json(self, out: list[str]) -> None:
        self._mode = _Mode.SPEAK
        if not self._json.is_internal:
            self._say(self._json.text, out)
            return
        self._dropped = True
        if self._json.fenced:
            self._mode = _Mode.FENCE

    def _settled(self, text: str, at: int) -> int:
        """Up to where nothing can be the beginning of something internal."""
        for start in range(max(at, len(text) - self._longest + 1), len(text)):
            if text[start] in self._firsts and text[start:].lower() in self._begins:
                return self._before_bullets(text, at, start)
        return self._before_bullets(text, at, len(text))

    def _before_bullets(self, text: str, at: int, end: int) -> int:
        """Where the bullet in front of `end` begins, if it begins a line; else `end`."""
        found = _BULLETS.search(text, max(at, end - MAX_BULLETS - 1), end)
        start = end if found is None else found.start()
        begins = text[start - 1] == "\n" if start > at else self._line_start
        return start if begins and end - start <= MAX_BULLETS else end

    def _begins_line(self, text: str, start: int) -> bool:
        before = self._before_bullets(text, 0, start)
        return self._line_start if before == 0 else text[before - 1] == "\n"

    # -- what was spoken -----------------------------------------------------------------------------------

    def _say(self, text: str, out: list[str]) -> None:
        if text:
            out.append(text)
            self._line_start = text.endswith("\n")

    def _forget(self, out: list[str]) -> None:
        """Thoughts whose beginning stood in the prompt: what came before is not kept as a reply."""
        self.thought_aloud = self._dropped = True
        out.clear()
        self._spoken.clear()

    def _speak(self, text: str) -> str:
        if not self._spoken:
            text = text.lstrip()
        room = MAX_REPLY_BYTES - self._size
        encoded = text.encode("utf-8", "ignore")
        text = encoded[:room].decode("utf-8", "ignore")
        self._size += min(room, len(encoded))
        if text:
            self._spoken.append(text)
        return text


class _JsonHold:
    """Text from an opening bracket on, taken in once, character by character, until the bracket closes."""

    def __init__(self, *, fenced: bool = False) -> None:
        self.fenced = fenced
        self.closed = False
        self.size = 0
        self._parts: list[str] = []
        self._depth = 0
        self._quoted = False
        self._escaped = False
        self._internal = False

    @property
    def text(self) -> str:
        return "".join(self._parts)

    @property
    def is_internal(self) -> bool:
        self._internal = self._internal or has_internal_keys(self.text)
        return self._internal

    def take(self, text: str, at: int) -> int:
        for index in range(at, len(text)):
            if self._closes(text[index]):
                self.closed = True
                return self._keep(text, at, index + 1)
        return self._keep(text, at, len(text))

    def _keep(self, text: str, at: int, end: int) -> int:
        self.size += end - at
        self._parts.append(text[at:end])
        if self._internal:
            self._parts.clear()
        return end

    def _closes(self, character: str) -> bool:
        if self._quoted:
            self._quoted = character != '"' or self._escaped
            self._escaped = character == "\\" and not self._escaped
        elif character == '"':
            self._quoted = True
        elif character in "{[":
            self._depth += 1
        elif character in "}]":
            self._depth -= 1
            return self._depth == 0
        return False
