"""Times of day: 午後3時半, 朝7時, at nine, 8:30 pm, noon."""

from __future__ import annotations

import re
from dataclasses import dataclass
from re import Match

from cocoro_ghost.language.times.numbers import NUM_JA, number_en, number_ja
from cocoro_ghost.model.scene import Language

_JA = re.compile(
    rf"(?P<half>午前|午後|(?<![今昨明])朝|(?<![今昨])夜|夕方|昼|深夜|早朝)?の?(?P<h>{NUM_JA})時(?!間|代|点|期|計|給|短)"
    rf"(?:(?P<min>{NUM_JA})分|(?P<thirty>半))?"
    r"|(?P<half2>午前|午後|朝|夜|夕方|昼|深夜|早朝)?の?(?P<h2>\d{1,2}):(?P<m2>\d\d)|(?P<word>正午|お昼(?=に)|真夜中)"
)
_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_EN = re.compile(
    r"(?<![\w:/.$])(?:(?P<h>\d{1,2})(?::(?P<min>\d\d))? ?(?P<half>a\.?m|p\.?m)\b\.?"
    r"|(?P<h2>\d{1,2}):(?P<m2>\d\d)"
    rf"|(?P<hw>\d{{1,2}}|{_WORDS}) ?o'?clock|half past (?P<hp>\d{{1,2}}|{_WORDS})"
    rf"|at (?P<ha>\d{{1,2}}|{_WORDS})(?: (?P<hm>thirty|fifteen|forty-five))?"
    r"(?! ?(?:%|percent|years?|people|of|months?|weeks?|days?|times?|stars?|different|points?))"
    r"(?=[\s.,!?]|$)|(?P<word>noon|midnight))",
    re.IGNORECASE,
)
_NIGHT_EN = re.compile(r"\b(?:night|tonight|evening|afternoon)\b", re.IGNORECASE)
_MORNING_EN = re.compile(r"\bmorning\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ClockTime:
    """A time of day in a text; `certain` is False when morning or evening was not said."""

    hour: int
    minute: int
    start_index: int
    end_index: int
    certain: bool

    @property
    def text(self) -> str:
        return f"{self.hour:02d}:{self.minute:02d}"


def find_clock_times(text: str, language: Language) -> list[ClockTime]:
    """The times of day named in a narrowed text, in order."""
    pattern, read = (_JA, _read_ja) if language is Language.JA else (_EN, _read_en)
    found = (read(match, text) for match in pattern.finditer(text))
    return [time for time in found if time is not None and time.hour <= 24 and time.minute < 60]


def _read_ja(match: Match[str], text: str) -> ClockTime | None:
    if match["word"]:
        return ClockTime(0 if match["word"] == "真夜中" else 12, 0, match.start(), match.end(), True)
    hour = number_ja(match["h"] or match["h2"])
    minute = 30 if match["thirty"] else number_ja(match["min"] or match["m2"] or "0")
    half = match["half"] or match["half2"] or ""
    if not half and (
        said := re.search(r"(朝|夜|晩)[、のは]?$", text[max(0, match.start() - 3) : match.start()])
    ):
        half = said[1]
    hour = _in_half(hour, half)
    certain = bool(half) or hour > 12 or hour == 0
    return ClockTime(hour % 24, minute, match.start(), match.end(), certain)


def _in_half(hour: int, half: str) -> int:
    """夜9時 is 21, 昼1時 is 13, 夜12時 is midnight."""
    if half in ("夜", "深夜", "今夜", "今晩", "晩") and hour == 12:
        return 0
    afternoon = half in ("午後", "夜", "夕方", "今夜", "今晩", "晩") or (half == "昼" and hour <= 6)
    late = half == "深夜" and hour > 6
    return hour + 12 if hour < 12 and (afternoon or late) else hour


def _hour_en(match: Match[str]) -> int:
    text: str = match["h"] or match["h2"] or match["hw"] or match["hp"] or match["ha"]
    return number_en(text)


def _minute_en(match: Match[str]) -> int:
    if match["hp"]:
        return 30
    spoken = {"thirty": 30, "fifteen": 15, "forty-five": 45}.get((match["hm"] or "").casefold())
    return spoken if spoken is not None else int(match["min"] or match["m2"] or 0)


def _read_en(match: Match[str], text: str) -> ClockTime | None:
    if match["word"]:
        return ClockTime(12 if match["word"].casefold() == "noon" else 0, 0, match.start(), match.end(), True)
    hour, minute = _hour_en(match), _minute_en(match)
    half = (match["half"] or "").casefold().replace(".", "")
    near = text[max(0, match.start() - 25) : match.end() + 25]
    if half == "pm" or (not half and _NIGHT_EN.search(near)):
        hour = hour + 12 if hour < 12 else hour
    elif half == "am" and hour == 12:
        hour = 0
    certain = bool(half) or hour > 12 or bool(_MORNING_EN.search(near))
    return ClockTime(hour % 24, minute, match.start(), match.end(), certain)
