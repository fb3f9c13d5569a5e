"""What a reader by rules is given of a text: never more than it needs, whatever was sent.

Patterns over one endless sentence take time by its square, and a thread that matches holds up all others.
So runs are shortened, a text without an end gets ends, and of a very long one both ends are read.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np

MOST = 4000
SENTENCE = 400
ON_THE_LOOP = 2000
"""Texts up to here are read at once; longer ones in a thread, so that others are answered meanwhile."""
_TAIL = MOST // 4
_RUN = re.compile(r"(.)\1{23,}", re.DOTALL)
_LONGEST_REPEATED = 16
_REPEATED = re.compile(rf"(.{{2,{_LONGEST_REPEATED}}}?)\1{{11,}}", re.DOTALL)
_ENDS = re.compile(r"[。！？!?.\n]")
_ENDLESS = re.compile(rf"[^。！？!?.\n]{{{SENTENCE}}}")
T = TypeVar("T")
P = ParamSpec("P")


def readable(text: str) -> str:
    """The text itself when it is a message a person would write."""
    if len(text) > 2 * MOST:
        text = f"{text[: 2 * MOST - 2 * _TAIL]}\n{text[-2 * _TAIL :]}"
    if len(text) > SENTENCE:
        if _may_repeat(text):
            text = _RUN.sub(lambda run: run[1] * 12, text)
            text = _REPEATED.sub(lambda run: run[1] * 4, text)
        if max(map(len, _ENDS.split(text))) >= SENTENCE:
            text = _ENDLESS.sub(r"\g<0>\n", text)
    return text if len(text) <= MOST else f"{text[: MOST - _TAIL]}\n{text[-_TAIL:]}"


def _may_repeat(text: str) -> bool:
    """False where nothing is repeated so often: by which characters are alike, without a pattern.

    Of a dozen times the same, 21 characters or more are as those before them: a whole block of 11, at least.
    """
    letters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    for apart in range(1, _LONGEST_REPEATED + 1):
        alike = letters[apart:] == letters[:-apart]
        if alike[: len(alike) // 11 * 11].reshape(-1, 11).all(axis=1).any():
            return True
    return False


def all_readable(thing: T) -> T:
    """The same thing with every text in it readable, however deep; itself when nothing is too long."""
    return cast(T, _walk(thing))


async def off_the_loop(text: str, fn: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """Calls `fn` here, or in a thread when the text it reads is long."""
    if len(text) <= ON_THE_LOOP:
        return fn(*args, **options)
    return await asyncio.to_thread(fn, *args, **options)


def _walk(thing: Any) -> Any:
    if isinstance(thing, str):
        return readable(thing) if len(thing) > SENTENCE else thing
    if is_dataclass(thing) and not isinstance(thing, type):
        return _changed(thing)
    if type(thing) in (tuple, list):
        walked = [_walk(one) for one in thing]
        return thing if all(a is b for a, b in zip(walked, thing, strict=True)) else type(thing)(walked)
    if isinstance(thing, Mapping):
        known = {key: _walk(value) for key, value in thing.items()}
        return thing if all(known[key] is thing[key] for key in thing) else known
    return thing


def _changed(thing: Any) -> Any:
    found = {one.name: getattr(thing, one.name) for one in fields(thing) if one.init}
    walked = {name: _walk(value) for name, value in found.items()}
    changes = {name: value for name, value in walked.items() if value is not found[name]}
    return replace(thing, **changes) if changes else thing
