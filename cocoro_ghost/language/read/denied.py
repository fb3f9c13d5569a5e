"""What a message says was never said: `I never said I teach piano. I teach violin`. Words: `acts.toml`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from cocoro_ghost.language.read.engine import Line
from cocoro_ghost.language.read.tables import table


@cache
def _denial(code: str) -> re.Pattern[str]:
    """The denied words as `said`; what stands behind the comma after them is another matter."""
    words = table(f"{code}/acts")["denied"]
    never = "|".join(sorted(map(re.escape, words["never_said"]), key=len, reverse=True))
    if code == "ja":
        joints = "|".join(sorted(map(re.escape, words["joints"]), key=len, reverse=True))
        return re.compile(rf"^(?P<said>.+?)(?:{joints})、?(?:{never})[^、。]*(?P<end>、|$)")
    return re.compile(
        rf"\b(?:{never})(?: that)? (?P<said>[^,;—]+?)(?P<end>, but |, |; | — | but |$)", re.IGNORECASE
    )


def denied_words(text: str, code: str) -> str:
    """The words that were denied; nothing where only `that` is named."""
    found = _denial(code).search(text.replace("’", "'"))
    said = found["said"].strip(" 、,.") if found is not None else ""
    return "" if said.lower() in table(f"{code}/acts")["denied"]["nothing"] else said


def set_apart(lines: Sequence[Line], code: str) -> list[Line]:
    """The lines, where a denial with the truth behind it makes two."""
    found: list[Line] = []
    for line in lines:
        match = _denial(code).search(line.text.replace("’", "'"))
        if match is None or not line.text[match.end() :].strip():
            found.append(line)
            continue
        cut = line.span[0] + match.end()
        first = tuple(clause for clause in line.clauses if clause.span[0] < cut)
        then = tuple(clause for clause in line.clauses if clause.span[0] >= cut)
        found.append(Line((line.span[0], cut), line.text[: match.end()].rstrip(" 、,;—"), "", first))
        found.append(replace(line, span=(cut, line.span[1]), text=line.text[match.end() :], clauses=then))
    return found
