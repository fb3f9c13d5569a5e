"""Did the user say yes to the reminder the ghost has just offered? Short, plain answers only."""

from __future__ import annotations

import re

_YES = re.compile(
    r"^(?:うん|はい|ええ|そう|そうして|いいよ|いいね|お願い(?:します)?|おねがい(?:します)?|頼む|頼んだ"
    r"|よろしく(?:ね)?|ok|オッケー|オーケー|それで(?:いい|お願い)"
    r"|yes|yeah|yep|sure|please(?: do)?|do it|sounds good|that works|go ahead|okay)"
    r"(?:[、,。.!！\s]*(?:うん|はい|お願い(?:します)?|おねがい(?:します)?|よろしく(?:ね)?|それで|いいよ"
    r"|please|thanks|thank you|do that|ありがとう))*"
    r"[。.!！〜ー\s]*$",
    re.IGNORECASE,
)


def says_yes(text: str) -> bool:
    return bool(_YES.match(text.strip()))
