"""Words that enter memory: clean of marks and decorations, and in the ghost's own voice.

The ghost writes as itself (私 / I) of the one it talks with (あなた / you), never of "the user".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from datetime import date, timedelta

from cocoro_ghost.language.fold import fold, strip_decorations
from cocoro_ghost.model.reading import Period
from cocoro_ghost.model.scene import Language

_MARKS = re.compile(
    r"<{2,}/?|>{2,}|\bINTERNAL_CONTEXT\b|\b(?:CONTEXT_CAPSULE|STABLE_FACTS|SHARED_NARRATIVE|RELATIONSHIP_STATE"
    r"|OPEN_LOOPS|EPISODE_EVIDENCE)\b|<\|[^|\n]{0,40}\|>|\[/?INST\]"
)
QUOTED_CHARS, QUOTED_WORDS = 9, 5
"""So long a run of Japanese characters or English words is no accident."""
_WORDS = re.compile(r"[a-z0-9']+")
_SENTENCE = re.compile(r"(?:[^。！？!?.]|\.(?=\S)|\.(?=\s+[0-9a-z]))*(?:[。！？!?]+|\.|$)\s*")
_SPACES = re.compile(r"[ \t\u3000]{2,}")

_JA_USER = re.compile(
    r"(?:この|その)?(?:ユーザ|利用者)ー?(?:さん|様)?(?=$|[はがのにをもとやでへ、。,\s]|から|って|まで|より)"
)
_JA_SELF = re.compile(r"(?:AI)?アシスタント(?:さん)?(?=$|[はがのにをもとやでへ、。,\s]|から|って|まで)")
_EN_USER_POSSESSIVE = re.compile(r"\b(?:the )?user['’]s\b", re.IGNORECASE)
_EN_SELF_POSSESSIVE = re.compile(r"\bthe (?:AI )?assistant['’]s\b", re.IGNORECASE)
_EN_USER = re.compile(r"\bthe user\b(?:\s+([a-z]+)\b)?|^user\s+([a-z]+)\b", re.IGNORECASE)
_EN_SELF = re.compile(r"\bthe (?:AI )?assistant\b(?:\s+([a-z]+)\b)?", re.IGNORECASE)
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")  # fmt: skip
_ON_THE_CALENDAR = re.compile(
    r"[0-9一二三四五六七八九十]月|[0-9]{4}|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)",
    re.IGNORECASE,
)
_TODAYS_JA = re.compile(
    r"今|本日|明|昨|去年|来|先|再来|きのう|きょう|あした|あす|あさって|おととい|おととし|ゆうべ|ことし|[0-9一二三四五六七八九十百]+\S{0,3}[前後]"
)
_TODAYS_EN = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|last|next|this|ago|from now|in \S+ \w+s?$)", re.IGNORECASE
)
_GRAINS = frozenset({"day", "week", "month", "season", "year"})
DAY_FIRST = re.compile(r"^(?:[\d年月日〜]+：|(?:[A-Z][a-z]{2}|\d{4})[A-Za-z\d –]*: )")
"""The day a plan begins with, as `days_told` tells it."""
_LEADS = re.compile(r"\b(?:in|on|at|by|from|since|until|till|before|after|during|for|of)\s+$", re.IGNORECASE)
_EN_VERBS = {"is": "are", "was": "were", "has": "have", "does": "do", "goes": "go", "says": "say"}
_USER_LABEL = re.compile(r"\bthe user\b|ユーザー?[はがのにを]", re.IGNORECASE)
_SELF_LABEL = re.compile(r"\bthe (?:AI )?assistant\b|アシスタント[はがのにを]", re.IGNORECASE)
_SAYS_USER = re.compile(r"\busers?\b|ユーザ|利用者", re.IGNORECASE)
_SAYS_ASSISTANT = re.compile(r"\bassistants?\b|アシスタント", re.IGNORECASE)


def clean(text: str, limit: int) -> str:
    """Stored text: no control characters, no internal marks, no `[face:…]`, at most `limit` characters."""
    kept = "".join(" " if _unwanted(char) else char for char in text)
    stripped = _MARKS.sub(" ", strip_decorations(kept))
    return _SPACES.sub(" ", stripped).strip()[:limit].strip()


def whole_sentences(text: str, limit: int) -> str:
    """As many whole sentences as fit; a first one that does not is cut with dots."""
    if len(text) <= limit:
        return text
    kept = ""
    for sentence in sentences_of(text):
        if len(kept) + len(sentence.rstrip()) > limit:
            break
        kept += sentence
    return kept.strip() or text[: limit - 1].rstrip() + "…"


def sentences_of(text: str) -> list[str]:
    """The sentences of a text, each with its end and the space after it; joined they are the text again."""
    return [sentence for sentence in _SENTENCE.findall(text) if sentence]


def quotes(text: str, heard: Iterable[str]) -> bool:
    """Whether a text says back what was heard: a long run of the same characters or words."""
    said, words = fold(text).replace(" ", ""), _WORDS.findall(fold(text))
    for other in heard:
        whole, theirs = fold(other).replace(" ", ""), f" {' '.join(_WORDS.findall(fold(other)))} "
        if not whole.isascii():
            runs = (said[at : at + QUOTED_CHARS] for at in range(len(said) - QUOTED_CHARS + 1))
            if any(run in whole for run in runs if not run.isascii()):
                return True
        pieces = (" ".join(words[at : at + QUOTED_WORDS]) for at in range(len(words) - QUOTED_WORDS + 1))
        if any(f" {piece} " in theirs for piece in pieces):
            return True
    return False


def month_in_words(day: date, language: Language) -> str:
    """`2026年1月`, `January 2026`."""
    if language is Language.JA:
        return f"{day.year}年{day.month}月"
    return f"{MONTHS[day.month - 1]} {day.year}"


def day_in_words(day: date, today: date, language: Language) -> str:
    """`1月10日`, `January 10`; with its year where that is another than today's."""
    if language is Language.JA:
        return f"{'' if day.year == today.year else f'{day.year}年'}{day.month}月{day.day}日"
    return f"{MONTHS[day.month - 1]} {day.day}{'' if day.year == today.year else f', {day.year}'}"


def _unwanted(char: str) -> bool:
    """Control and format characters, but not the joiner that many emoji are made with."""
    return unicodedata.category(char) in {"Cc", "Cf", "Co"} and char != "\u200d"


def own_voice(text: str, language: Language, second_person: str, heard: str = "") -> str | None:
    """The text with third-person labels mended; None when it cannot be.

    Words that were `heard` are what they say: whoever talks of the users of an app means those.
    """
    you = second_person or ("あなた" if language is Language.JA else "you")
    if not _SAYS_USER.search(heard):
        text = _EN_USER_POSSESSIVE.sub("your", _JA_USER.sub(you, text))
        subject = "you" if language is Language.JA else you
        text = _EN_USER.sub(lambda match: _agreeing(subject, match[1] or match[2]), text)
        if _USER_LABEL.search(text):
            return None
    if not _SAYS_ASSISTANT.search(heard):
        text = _EN_SELF_POSSESSIVE.sub("my", _JA_SELF.sub("私", text))
        text = _EN_SELF.sub(lambda match: _agreeing("I", match[1]), text)
        if _SELF_LABEL.search(text):
            return None
    return text[:1].upper() + text[1:] if text.startswith(("you", "my ")) else text


_SPOKEN = re.compile(
    r"\b(?:(?P<was>i was)|(?P<am>i am|i'm)|(?P<word>i|me|my|mine|myself|we|us|our|ours|ourselves))\b",
    re.IGNORECASE,
)
_WHO_IS = re.compile(r"^((?:my |our )?[\w-]+(?: [\w-]+)?),? who(?:'s| is) ", re.IGNORECASE)
_WHO_CLAUSE = re.compile(r"^((?:my |our )?[\w-]+(?: [\w-]+)?),? who (?=\w+s )", re.IGNORECASE)
"""Amara who's 6: a clause about somebody is kept as a sentence of its own."""
_TO_YOU = {
    "my": "your", "our": "your", "mine": "yours", "ours": "yours", "myself": "yourself",
    "ourselves": "yourselves",
}  # fmt: skip


def told_to_you(text: str) -> str:
    """English words of a person as one says them back: `my mom's ill` → `your mom's ill`."""

    def turned(match: re.Match[str]) -> str:
        if match["word"] is None:
            return "you were" if match["was"] else "you're" if "'" in match[0] else "you are"
        return _TO_YOU.get(match[0].lower(), "you")

    return _SPOKEN.sub(turned, _WHO_CLAUSE.sub(r"\1 ", _WHO_IS.sub(r"\1 is ", text.replace("’", "'"), 1), 1))


def _agreeing(person: str, verb: str | None) -> str:
    """`likes` → `you like`; a word that is no third-person verb stays as it is."""
    if verb is None:
        return person
    if person == "I" and verb in {"is", "was"}:
        return f"I {'am' if verb == 'is' else 'was'}"
    plain = _EN_VERBS.get(verb)
    if plain is None:
        third = len(verb) > 3 and verb.endswith("s") and not verb.endswith(("ss", "us"))
        plain = _without_s(verb) if third else verb
    return f"{person} {plain}"


def _without_s(verb: str) -> str:
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    return verb[:-2] if verb.endswith(("shes", "ches", "sses", "xes", "zzes")) else verb[:-1]


def days_told(first: date | None, last: date, language: Language) -> str:
    """A day, a span of days, a month or a year as a plan begins: 6月3日〜10日, Jun 3–10, 2027."""
    japanese, begins = language is Language.JA, first or last
    if (begins.month, begins.day, last.month, last.day) == (1, 1, 12, 31) and begins.year == last.year:
        return f"{last.year}年" if japanese else str(last.year)
    same = (begins.year, begins.month) == (last.year, last.month)
    if same and begins.day == 1 and (last + timedelta(days=1)).day == 1:
        return f"{last.month}月" if japanese else f"{last:%b}"
    end = f"{last.month}月{last.day}日" if japanese else f"{last:%b} {last.day}"
    if begins == last:
        return end
    if japanese:
        return f"{begins.month}月{begins.day}日〜{f'{last.day}日' if same else end}"
    return f"{begins:%b} {begins.day}–{last.day if same else end}"


def with_dates(text: str, times: Iterable[Period], language: Language, *, year: bool = True) -> str:
    """What is kept stays true: 来月 becomes 2026年12月, last month becomes in Oct 2026."""
    for period in times:
        first, last = period.first_day, period.last_day
        if first is None or last is None or period.recurring or not _from_today(period, language):
            continue
        # Behind it neither a name (Today Magazine) nor an owner's mark.
        edge = "" if language is Language.JA else r"(?![\w'’]|\s+[A-Z])"
        found = re.search(rf"(?<![A-Za-z]){re.escape(period.text)}{edge}", text)
        if found is not None:
            before, after = text[: found.start()], text[found.end() :]
            told = _date_of(period, first, last, language, year=year)
            text = f"{before}{_joined(told, period, language, before, after)}{after}"
    return text


def _from_today(period: Period, language: Language) -> bool:
    """来月, three years ago; not 月曜 or in the summer, which may be any, nor what stands on the calendar."""
    if period.granularity not in _GRAINS or _ON_THE_CALENDAR.search(period.text):
        return False
    return bool((_TODAYS_JA if language is Language.JA else _TODAYS_EN).search(period.text))


def _joined(told: str, period: Period, language: Language, before: str, after: str) -> str:
    """Relative words stand alone, dates do not: 今年40歳 is 2026年に40歳, last month is in Oct 2026."""
    if language is Language.JA:
        return f"{told}に" if after and after[0] not in "のにはがもでをとへかまよ、，,。 　" else told
    if _LEADS.search(before):
        return told
    return f"{'on' if period.granularity == 'day' else 'in'} {told}"


def _date_of(period: Period, first: date, last: date, language: Language, *, year: bool) -> str:
    japanese = language is Language.JA
    if period.granularity == "season":
        named = re.split(r"の| ", period.text)[-1]
        return f"{first.year}年の{named}" if japanese else f"{named} {first.year}"
    if period.granularity == "week":
        begun = days_told(first, first, language)
        return f"{first.year}年{begun}の週" if japanese else f"the week of {begun}, {first.year}"
    told = days_told(first, last, language)
    if not year or str(first.year) in told:
        return told
    if japanese:
        return f"{first.year}年{told}"
    return f"{told}, {first.year}" if period.granularity == "day" else f"{told} {first.year}"
