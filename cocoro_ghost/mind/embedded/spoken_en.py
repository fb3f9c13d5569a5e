"""Turns English clauses round for speech: "I moved" → "you moved", "You live" → "you used to live".

Refuses (None) what it cannot turn safely; the caller then quotes instead.
"""

from __future__ import annotations

import re

_CONTRACTED = {
    "i'm": "you're",
    "i've": "you've",
    "i'd": "you'd",
    "i'll": "you'll",
    "i": "you",
    "my": "your",
    "mine": "yours",
    "me": "you",
    "myself": "yourself",
    "we": "you",
    "we're": "you're",
    "we've": "you've",
    "we'll": "you'll",
    "our": "your",
    "ours": "yours",
    "us": "you",
}
_WORD = re.compile(r"[A-Za-z']+")
_OTHER_PERSONS = re.compile(r"\b(?:you|your|yours|yourself|let's|u|ur)\b", re.I)
_LEAD = re.compile(
    r"^(?:(?:so|well|oh|hey|ok|okay|um|and|but|also|anyway|anyways|actually|guess what|btw|by the way|"
    r"yeah|yes|no|wow|yay|omg|ugh|hi|hello|honestly|unfortunately|luckily|finally|good news|bad news|"
    r"yesterday|today|last night|this morning|this afternoon|tonight|earlier today|tomorrow|last week|"
    r"the other day|on \w+day)\b[\s,.!:–—-]*)+",
    re.I,
)
_TAIL = re.compile(r"(?:[\s,]*(?:lol|haha+|hehe+|tbh|though|tho|by the way|btw|:\)|;\)|:\(|<3|xd))+$", re.I)
_OPENING = re.compile(
    r"^(?:(?:back )?(?:in|at|during|after|before|on|when|once) [\w' ]{2,24}?"
    r"|last \w+|this \w+|as an? \w+),?\s+(?=(?:I|I've|I'd|my)\b)",
    re.I,
)
_ELIDED = re.compile(
    r"^(?:went|had|got|made|bought|saw|met|ate|finished|watched|started|tried|spent|took|did|played|visited"
    r"|cooked|baked|found|ran|paid|sent|called|walked|cleaned|passed|booked|renewed|fixed|moved|signed|slept)\b"
    r"(?! (?:you|it to|me|us)\b)",
    re.I,
)
_START = re.compile(r"^(?:I|I'm|I've|I'd|I'll|my|we|we're|we've|our)\b", re.I)
_OTHERS = re.compile(
    r"^(?:(?:the|a|an|some|someone|it|it's|she|he|they|this|that)\b"
    r"|[A-Z][a-z]+ (?:is|was|has|had|will|can|did|does|won|got|went|came|made|took|gave|said|\w{3,}ed)\b)",
    re.I,
)
_SMALL = r"(?:The|An?|Some|Someone|It|It's|She|He|They|This|That)\b"
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|did|does|can|can't|won't|will|said|got|went|came|took|made|broke"
    r"|died|lost|won|it's|\w{2,}ed)\b",
    re.I,
)
_ENDED = (
    (r"^you(?: are|'re) (?P<rest>.+)$", "you used to be {rest}"),
    (r"^you(?:'ve| have) been (?P<rest>.+)$", "you used to be {rest}"),
    (r"^(?P<who>[^,]+?) is (?P<rest>.+)$", "{who} used to be {rest}"),
    (
        r"^you (?P<rest>(?:live|work|have|own|play|study|stay|keep|belong|go|teach|run|like)\b.*)$",
        "you used to {rest}",
    ),
)
_JOINED = re.compile(r",|;|:|\b(?:because|but|so that|which|although|while)\b", re.I)
_PAST_BE = re.compile(r"\byou (was|am)\b")


def turned_round(sentence: str, max_words: int = 14) -> str | None:
    """What the user said of themselves, said back: `I bought a camera` → `you bought a camera`."""
    text = _TAIL.sub("", _LEAD.sub("", sentence.replace("’", "'").strip())).strip().rstrip(".!")
    text = _ELIDED.sub(lambda found: f"I {found[0].lower()}", _TAIL.sub("", _first_clause(text)).strip())
    opening = _OPENING.match(text)
    if opening:
        rest = turned_round(text[opening.end() :], max_words)
        when = turned_words(opening[0].strip(" ,"))
        return f"{rest} {when[:1].lower()}{when[1:]}" if rest else None
    if not (_START.match(text) or (_OTHERS.match(text) and _FINITE.search(text))):
        return None
    if _OTHER_PERSONS.search(text) or re.search(r"[?\"“”()]", text):
        return None
    if not 2 <= len(text.split()) <= max_words:
        return None
    turned = turned_words(text)
    return re.sub(
        r"^(?:The|An?|Some|Someone|It|It's|She|He|They|This|That)\b", lambda found: found[0].lower(), turned
    )


def turned_words(text: str) -> str:
    """First person to second, word by word."""
    turned = _WORD.sub(lambda found: _CONTRACTED.get(found[0].lower(), found[0]), text)
    return _PAST_BE.sub(lambda found: f"you {'were' if found[1] == 'was' else 'are'}", turned)


def _first_clause(text: str) -> str:
    head = _JOINED.split(text, maxsplit=1)[0].strip()
    return head if len(head.split()) >= 3 else text


def stated_clause(body: str) -> str:
    """A state's body ready to follow "that": `You live in Kyoto.` → `you live in Kyoto`."""
    text = body.strip().rstrip(".!")
    return re.sub(r"^(You|Your|The|A|An)\b", lambda found: found[0].lower(), text)


def past_clause(body: str) -> str | None:
    """`You live in Nagoya` → `you used to live in Nagoya`; None when the verb is not a plain present."""
    text = re.sub(r"\s+(?:now|currently|these days)$", "", stated_clause(body))
    for pattern, said in _ENDED:
        found = re.match(pattern, text)
        if found:
            return said.format(**found.groupdict())
    return text if re.match(r"^you (?:\w+ed|used to|were|had|went)\b", text) else None
