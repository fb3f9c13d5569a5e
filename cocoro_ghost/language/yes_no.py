"""A short, plain yes or no, as people answer a question that asks for one."""

from __future__ import annotations

import re

from cocoro_ghost.language.fold import fold

_LONGEST = 30
"""A longer answer says more than yes or no, and is learned from like anything else."""
_END = r"(?=[\s、。,.!！~〜ー]|$)"
_YES = re.compile(
    rf"(?:うん|はい|ええ|そう(?:だよ|です|だね|なの)?|合ってる(?:よ)?|その通り|もちろん|(?:大)?好き(?:だよ|です)?"
    rf"|yes|yeah|yep|yup|right|correct|exactly|sure|of course|true|i do|it is|that's right){_END}"
)
_NO = re.compile(
    rf"(?:ううん|いや|いいえ|違う(?:よ)?|ちがう(?:よ)?|違います|そうじゃない(?:よ)?|(?:好き|そう)じゃない(?:よ)?"
    rf"|no|nope|nah|wrong|not really|not at all|i don't|it isn't|that's not right){_END}"
)


def yes_or_no(text: str) -> bool | None:
    """A short, plain yes or no; None for anything else, and for both at once."""
    plain = fold(text).strip()
    if len(plain) > _LONGEST:
        return None
    yes, no = _YES.match(plain) is not None, _NO.match(plain) is not None
    return None if yes == no else yes
