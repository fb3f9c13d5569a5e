"""What stands round a time expression: the sentence's direction, and the words just before and after."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime

from cocoro_ghost.language.lexicon import rows
from cocoro_ghost.language.times.mention import Direction
from cocoro_ghost.language.times.tense import direction_en, direction_ja
from cocoro_ghost.model.scene import Language

_BARE_TAIL = re.compile(
    r"に(?!な)|から|まで|頃|ごろ|[はもへ、。,\s(（]|の?(?:朝|昼|夜|夕|晩|午|[0-9])|中旬|$"
)
"""After a month or weekday without a year: what makes it a time, not part of a title or a liking."""
_PREPOSITION = re.compile(
    r"\b(?:on|by|until|till|before|after|from|for|to|since|in|of|early|late|mid|last|next|this|between|and|during"
    r"|through)[ -](?:the )?$",
    re.IGNORECASE,
)
_DAYTIME = re.compile(r" (?:night|morning|evening|afternoon|at \d)", re.IGNORECASE)
_YEAR_LEAD = re.compile(
    r"\b(?:in|since|during|from|until|till|by|around|circa|of|year|for|before|after|late|early|mid|to|and|between"
    r"|through|or|back|class of)[ -](?:(?:the )?year |about |around |early |late |mid[- ])?$",
    re.IGNORECASE,
)
_ORDINAL_LEAD = re.compile(
    r"\b(?:on|by|until|till|before|to|for|from|around|of|and)\s+(?:the )?$", re.IGNORECASE
)
_SLASH_LEAD = re.compile(
    r"\b(?:on|by|until|before|from|since|for|is|due|to|the|of|this|next)\s$", re.IGNORECASE
)
_DUE_EN = re.compile(r"\b(?:by|before|until|due)\s+(?:the )?(?:very )?$", re.IGNORECASE)
_DUE_JA = re.compile(r"まで|が?(?:締|〆)|に(?:締|〆|払)|払")
_PERFECT = re.compile(
    r"\b(?:haven't|hasn't|hadn't|have not|never|first|longest|best|worst|once|twice|times|more)\b"
    r"[^.!?]{0,50}$",
    re.IGNORECASE,
)
_IT_IS = re.compile(r"\bit(?:'s| is)(?: already| only)? $", re.IGNORECASE)
_OWNER = re.compile(r"\b(?:my|his|her|their|your|our)(?: (?:early|mid|late))?[ -]*$", re.IGNORECASE)
_ALWAYS_JA = re.compile(r".{0,5}(?:必ず|いつも|たいてい|大抵|毎回)")


@dataclass(frozen=True, slots=True)
class Scene:
    """The narrowed text, one character of it per character of the original, and now."""

    text: str
    now: datetime
    language: Language

    @property
    def today(self) -> date:
        return self.now.date()

    @property
    def japanese(self) -> bool:
        return self.language is Language.JA

    def lean(self, start: int, end: int) -> Direction:
        """Whether the sentence round the expression looks back or ahead."""
        return (direction_ja if self.japanese else direction_en)(self.text, start, end)

    def follows(self, pattern: str, end: int) -> bool:
        return re.compile(pattern, re.IGNORECASE).match(self.text, end) is not None

    def _before(self, start: int, reach: int = 24) -> str:
        return self.text[max(0, start - reach) : start]

    def is_placed(self, start: int, end: int) -> bool:
        """`on Friday`, `Monday night`: a time; `Friday is my favourite`, `April is my sister`: none."""
        if self.japanese:
            return _BARE_TAIL.match(self.text, end) is not None
        return bool(_PREPOSITION.search(self._before(start)) or _DAYTIME.match(self.text, end))

    def names_year(self, start: int, end: int) -> bool:
        """`in 2018`, `the 2008 crisis`, `2020 was hard`; not `room 2018` nor `my 2019 Honda`."""
        before, alone = self._before(start), start == 0 and end >= len(self.text.rstrip(" .,!?"))
        if self.japanese or alone or _YEAR_LEAD.search(before):
            return True
        if re.search(r"\bthe $", before, re.IGNORECASE) and self.follows(r" [a-z]{3,}", end):
            return True
        return bool(re.search(r"(?:^|[.!?] )$", before)) and self.follows(
            r" (?:was|is|has|had|felt|will)\b", end
        )

    def names_day(self, start: int, end: int, spoken: bool) -> bool:
        """`by the 26th`; not `for the first time` nor `on the third floor`."""
        if self.japanese:
            return True
        if not _ORDINAL_LEAD.search(self._before(start)):
            return False
        follows = rows("en", "times")["plain"]["after_day"]
        word = re.compile(r" +([^\W\d_]+)").match(self.text, end)
        return word is None or word[1].casefold() in follows if spoken else True

    def names_slashed(self, start: int, end: int, dom: int) -> bool:
        """`on 12/3`, 11/20; a bare 1/2 or 9/10 is a share."""
        alone = start == 0 and self.follows(r"[ .!?]*$|-", end)
        return self.japanese or alone or dom > 12 or bool(_SLASH_LEAD.search(self._before(start, 8)))

    def is_due(self, start: int, end: int) -> bool:
        """`by the end of March`, 月末まで: the last day is meant."""
        if self.japanese:
            return _DUE_JA.match(self.text, end) is not None
        return _DUE_EN.search(self._before(start)) is not None

    def is_span(self, start: int) -> bool:
        """`haven't seen him in two weeks`: how long, not when."""
        return _PERFECT.search(self._before(start, 60)) is not None

    def is_remark(self, start: int) -> bool:
        """`it's November already`."""
        return _IT_IS.search(self._before(start)) is not None

    def is_age(self, start: int) -> bool:
        """`in my thirties`."""
        return _OWNER.search(self._before(start, 16)) is not None

    def is_habit(self, end: int) -> bool:
        return self.japanese and _ALWAYS_JA.match(self.text, end) is not None
