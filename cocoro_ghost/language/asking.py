"""Whether a short text only asks, or only says that nothing is known: neither is evidence of anything.

Cheap on purpose: recall looks at every turn it may bring up.
"""

from __future__ import annotations

import re

LONGEST = 120
"""A longer message tells something, whatever it ends with."""

_ASKED = ("何", "なに", "なん", "どこ", "いつ", "だれ", "誰", "どれ", "どっち", "どう")
_ENDS_ASKING = (
    "?", "？", "っけ", "かな", "かなあ", "だろう", "でしょうか", "ますか", "ですか", "覚えてる",
    "教えて", "教えてくれる", "教えてほしい", "教えてください",
    *(word + end for word in _ASKED for end in ("", "だった", "なの")),
)  # fmt: skip
_SAID_LAST = "。.!！… \u3000\t\r\n"
_ASKS_EN = re.compile(
    r"^(?:(?:hey|so|and|but|ok|okay|well|oh|um)[, ]+)?"
    r"(?:who|what|when|where|why|which|whose|how|do|does|did|is|are|was|were|have|has|had|can|could|would|will"
    r"|should|tell me|remind me|remember)\b[^.!?\n]*$",
    re.IGNORECASE,
)
_WHO_LAST = re.compile(r"([?？])[^?？。.!！\s]{1,4}$")
_INNER_END = re.compile(r"[。!！?？\n]|\.\s")
_TOLD_FIRST = re.compile(r"(?:けど|だけど|ので|から|んだ(?:けど)?)、")
_KNOWS_NOTHING = re.compile(
    r"覚えて(?:い?な|いません)|覚えがな|思い出せ(?:な|ません)|記憶にな|記憶がな|聞いて(?:い?な|いません)|聞いたことがな"
    r"|わから(?:な|ん|ず)|分から(?:な|ん|ず)|知ら(?:な|ん)|出てこな|見つから(?:な|ん)|残ってな|空白みたい|空欄|白紙"
    r"|心当たりがな|中にない|持ってない|初めて聞く|教えてもらってな"
    r"|\b(?:i|we)\s+(?:don.t|do not|can.t|cannot|couldn.t|could not)\s+(?:know|remember|recall|tell|say|find)"
    r"|\b(?:no idea|no memory|not sure|no record|nothing about|never told|know nothing|found no(?:thing)?"
    r"|blank|haven.t (?:told|heard|mentioned|talked)|didn.t (?:tell|mention)|don.t think (?:you|i.ve)"
    r"|doesn.t ring|have no answer|nothing (?:comes|certain|yet|in my)"
    r"|(?:have|don.t have) (?:nothing|no |a d)|never (?:talked|got to|said|heard)"
    r"|isn.t (?:in my memory|something i|with me)|not (?:guess|to know)|won.t guess|new to me|to learn)\b",
    re.IGNORECASE,
)


def only_asks(text: str) -> bool:
    """True for one short question that tells nothing beside it."""
    # 前どこ住んでた？俺: who is asked about comes last.
    plain = _WHO_LAST.sub(r"\1", text.strip())
    if not plain or len(plain) > LONGEST:
        return False
    # No English question begins with kana or kanji: most turns of a Japanese memory are done with here.
    if not (
        plain.rstrip(_SAID_LAST).endswith(_ENDS_ASKING) or (plain[0] < "\u3000" and _ASKS_EN.match(plain))
    ):
        return False
    inner = plain.rstrip("?？。.!！… \n")
    return not (_INNER_END.search(inner) or _TOLD_FIRST.search(inner))


def knows_nothing(reply: str) -> bool:
    """True for a reply that owns to not knowing."""
    return bool(_KNOWS_NOTHING.search(reply))
