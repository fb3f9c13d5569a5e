"""The user's words retold in the ghost's own voice: 私 / the second-person label, I / you."""

from __future__ import annotations

import re
from functools import cache

from cocoro_ghost.language.fold import strip_decorations
from cocoro_ghost.mind.embedded.lexicon import alternation, data
from cocoro_ghost.model.scene import Language

BODY_LIMIT = 380
_PICTURES = re.compile(r"[\U0001F000-\U0001FAFF\u2600-\u27BF\uFE0F\u200D♪]+")
_JA_OPENING = re.compile(
    r"^(?:ねえ(?:ねえ)?|ねぇ|あのさ|あのね|実は(?:さ)?|じつは|そういえば|そうそう|えっと|えーと|あー|うん|うーん|ちなみに|てか|というか|っていうか|まあ|ていうか|"
    r"聞いて(?:よ)?|報告(?:なんだけど|(?=[、,!！。:：\s]))|あと|はい|いや(?:あ)?|やった|ところで|訂正|違うよ|はじめまして|初めまして|こんにちは|こんばんは|おはよう)[、,!！。〜ー\s]*"
)
_JA_CLOSING = re.compile(
    r"(?:なん(?:だ|です)|ん(?:だ|です)(?=[よねけがし]|$)|の(?=よ|ね|さ|$))?(?:よね|よな|よー|よ|ねえ|ねー|ね|なあ|なー|さ|わ|ぞ|ぜ|けど|けどね|が|し|から|って|笑|w+|〜|ー|…|、|!|！)*$"
)
_EN_OPENING = re.compile(
    r"^(?:(?:hey|hi|hello|so|well|oh|btw|by the way|actually|honestly|anyway|guess what|"
    r"also|and|but|um|ok|okay|yeah|yes|no|fun fact|"
    r"just so you know|fyi|update|good news|bad news|nice to meet you)[,!:.\s]+)+",
    re.IGNORECASE,
)
_EN_CLOSING = re.compile(
    r"[\s,]*(?:\b(?:lol|haha+|lmao|tho|though|you know|right|i guess|by the way|btw|"
    r"don't let me forget|remind me)\b[\s.!]*)+$",
    re.IGNORECASE,
)
_OWN = "実家|地元|誕生日|名前|仕事|本業|職業|趣味|血液型|愛犬|愛猫|車|身長"
_HAS = "(?:が|も|と).*(?:い(?:る|ます|て)|でき(?:た|ました)|生まれ(?:た|ました))$"
_EN_BARE = re.compile(
    r"(?:just |finally |already |still |also )?(?P<verb>gotta|need|have to|must|better|"
    r"\w+ing|\w+ed|got|sent|went|did|made|"
    r"bought|took|gave|left|quit|sold|wrote|paid|met|broke|ran)\b(?! (?:is|are|was|were|will))",
    re.IGNORECASE,
)
_BANNED = {"ユーザー": "使い手", "アシスタント": "助手"}


@cache
def _swaps() -> dict[str, str]:
    return dict(data("en/voice")["swap"])


@cache
def _swap_pattern() -> re.Pattern[str]:
    longest_first = sorted(map(re.escape, _swaps()), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(longest_first)})\b", re.IGNORECASE)


def address(language: Language, label: str) -> str:
    """How the ghost calls the person: the persona's label, else あなた / you."""
    if language is Language.EN:
        return "you"
    return label.strip() or "あなた"


def retell(text: str, language: Language, label: str, planned: bool = False) -> str:
    """One statement of the user as the ghost would note it, ≤ 380 characters."""
    clean = _PICTURES.sub("", strip_decorations(text)).strip()
    if language is Language.JA:
        told = _retell_ja(clean, address(language, label), planned)
    else:
        told = _retell_en(clean)
    return told if len(told) <= BODY_LIMIT else told[: BODY_LIMIT - 1] + "…"


def unbanned(text: str, language: Language) -> str:
    """Without the third-person labels that never belong into the ghost's notes."""
    if language is Language.EN:
        return re.sub(
            r"\b(user|assistant)(s?)\b", lambda m: _swaps()[m[1].lower()] + m[2], text, flags=re.IGNORECASE
        )
    for word, better in _BANNED.items():
        text = text.replace(word, better)
    return text


def _retell_ja(text: str, you: str, planned: bool) -> str:
    text = _JA_OPENING.sub("", _JA_OPENING.sub("", text))
    text = _JA_CLOSING.sub("", text).strip("、, 　")
    text = re.sub(r"(?<![々一-龥])(?:あなた|きみ|お前)(?=[のはがをにもと、])", "私\0", text)
    me = alternation("ja/people", "self")
    text, named = re.subn(
        rf"(?:(?<=^)|(?<=[、。はがもにとでけど\s]))(?:{me})(?=[はがのにもをとで、])", you, text
    )
    text = unbanned(text.replace("\0", ""), Language.JA)
    if named:
        return f"{text}。"
    return f"{you}{'の予定: ' if planned else _link_ja(text)}{text}。"


def _link_ja(text: str) -> str:
    """What joins the label to a statement that does not name its speaker."""
    family, couple = alternation("ja/people", "family"), alternation("ja/people", "couple")
    if re.match(rf"(?:双子の)?(?:{family}|{couple}){_HAS}", text):
        return "には"
    if re.match(rf"(?:{family}|{alternation('ja/people', 'role')}|{_OWN})", text):
        return "の"
    return "の話では、" if re.match(r"[^、。]{1,14}(?:は|が|、)", text) else "は"


def _retell_en(text: str) -> str:
    text = _EN_CLOSING.sub("", _EN_OPENING.sub("", text.replace("’", "'"))).strip(" ,.!")
    told = _swap_pattern().sub(lambda found: _swaps()[found.group().lower()], text)
    bare = _EN_BARE.match(told)
    if bare:
        are = "are " if bare["verb"].lower().endswith("ing") else ""
        told = f"You {are}{told[:1].lower()}{told[1:]}"
    if re.match(r"(?:me|my)\b", told):
        told = f"You said: {told}"
    return f"{told[:1].upper()}{told[1:]}."
