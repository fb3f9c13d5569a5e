"""Lives as they are told, with what is asked, put right and wished forgotten later.

A line a telling, how a memory would note it behind a bar; below it what is about just this telling:
`?` asks for it, `~` corrects it (`=> old > new`), `x` wants it forgotten, `s` moves it on (`=> over`, `done`,
`moved`, `changed`). `!` asks what nothing here answers, `.` does none of all this. Own writing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
SEALED = ("a5", "b5")
"""Files that nothing is trained on."""
_CORRECTS = re.compile(r"(.+) => (.*?) ?> (.+)$")
_MOVES_ON = re.compile(r"(.+) => (\w+)$")


@dataclass(frozen=True, slots=True)
class Message:
    """Something said later; `about` is the number of the telling it means, -1 for none of them."""

    kind: str
    text: str
    about: int = -1
    old: str = ""
    new: str = ""


@dataclass(slots=True)
class Life:
    language: str
    told: list[list[str]] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)


def lives(code: str) -> list[Life]:
    """The lives that may be trained on."""
    return [life for name in _names(code) if name[3:] not in SEALED for life in _read(name)]


def sealed_lives(code: str) -> list[Life]:
    return [life for name in _names(code) if name[3:] in SEALED for life in _read(name)]


def _names(code: str) -> list[str]:
    return sorted(path.stem for path in HERE.glob(f"{code}_*.txt"))


@cache
def _read(name: str) -> list[Life]:
    found: list[Life] = []
    for line in (HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            found.append(Life(name[:2]))
        elif line.strip() and not line.startswith("#"):
            _take(line, found[-1])
    return found


def _take(line: str, life: Life) -> None:
    kind, text = (line[0], line[2:]) if line[1:2] == " " and line[0] in "?~xs!." else ("", line)
    if not kind:
        life.told.append([part.strip() for part in text.split(" | ")])
        return
    about = -1 if kind in "!." else len(life.told) - 1
    if kind == "~" and (said := _CORRECTS.match(text)):
        life.messages.append(Message(kind, said[1], about, said[2].strip(), said[3].strip()))
    elif kind == "s" and (said := _MOVES_ON.match(text)):
        life.messages.append(Message(kind, said[1], about, new=said[2]))
    else:
        life.messages.append(Message(kind, text, about))
