"""Time expressions in Japanese: 去年の6月, 令和五年, 先週の金曜, 三年前, 高校の頃 …"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from re import Match

from cocoro_ghost.language.lexicon import table
from cocoro_ghost.language.times import calendar
from cocoro_ghost.language.times.mention import Direction, Moment, Reading
from cocoro_ghost.language.times.numbers import NUM_JA as N
from cocoro_ghost.language.times.numbers import number_ja
from cocoro_ghost.language.times.tense import direction_ja
from cocoro_ghost.model.event import LifeStage

_WORDS = table("time_words")["ja"]
YEARS: dict[str, int] = _WORDS["years"]
MONTHS: dict[str, int] = _WORDS["months"]
WEEKS: dict[str, int] = _WORDS["weeks"]
DAYS: dict[str, int] = _WORDS["days"]
_SEASONS: dict[str, str] = _WORDS["seasons"]
PARTS: dict[str, str] = _WORDS["parts"]
_WEEKDAYS = {char: index for index, char in enumerate("月火水木金土日")}
_STAGE_TAIL = re.compile(
    rf"(?:{N}年[生目]?)?の?(?:頃|ころ|ごろ|時(?!間|給)|とき|間(?:[はに、]|ずっと)|当時|時代|入学|の受験|卒業|最後|部活|文化祭|体育祭|運動会|修学旅行|"
    rf"[春夏秋冬])|だった|{N}年(?:生)?[のでに、]|になって|になった|になりたて|以来|から(?:ずっと|続|始|の|や)|(?:を|に)(?:卒業|中退|出[てた]|入[っり]|入学)|"
    r"では(?=[^。！？!?\n]*(?:ました|てい?た|だった))|で(?:始め|はじめ|研究|勉強し|習|出会|知り合|専攻|学ん|覚え|ハマ|はま)"
)
_BARE_TAIL = re.compile(
    r"に(?!な)|から|まで|頃|ごろ|[はもへ、。,\s(（]|の?(?:朝|昼|夜|夕|晩|午|[0-9])|中旬|$"
)
"""After a month or weekday without a year: what makes it a time, not part of a title or a liking."""
_RELATIVE = re.compile(
    r"(?:息子|娘|子ども|子供|弟|妹|甥|姪|甥っ子|姪っ子|孫|長男|長女|次男|次女|生徒)[^。！？!?\n]*$"
)
STAGES = {name: LifeStage(stage) for name, stage in table("life_stages")["ja"].items()}


def _year_of(m: Match[str], reading: Reading) -> int | None:
    found = m.groupdict()
    if found.get("y"):
        return number_ja(found["y"])
    if found.get("era"):
        return calendar.era_year(found["era"], 1 if found["ey"] == "元" else number_ja(found["ey"]))
    if found.get("es"):
        return calendar.era_year(found["es"], int(found["esy"]))
    if found.get("yr"):
        return reading.today.year + YEARS[found["yr"]]
    if found.get("ya"):
        return reading.today.year + number_ja(found["ya"]) * (-1 if found["yd"] == "前" else 1)
    return None


def _lean(m: Match[str], reading: Reading) -> Direction:
    return direction_ja(reading.text, m.start(), m.end())


def year(m: Match[str], reading: Reading) -> Moment | None:
    year = _year_of(m, reading)
    return calendar.years(year, year, reading.today) if year else None


def year_half(m: Match[str], reading: Reading) -> Moment | None:
    year = _year_of(m, reading)
    if not year:
        return None
    first = 1 if m["half"] in ("前半", "上半期") else 7
    start, end = calendar.make_date(year, first, 1), calendar.month(year, first + 5, reading.today).end
    return calendar.days(start, end, reading.today) if start and end else None


def dated(m: Match[str], reading: Reading) -> Moment | None:
    """A month, perhaps with its year, perhaps with a day or a part of the month."""
    year, number = _month_of(m, reading)
    if year is None or not 1 <= number <= 12:
        return None
    found = m.groupdict()
    if found.get("d"):
        when = calendar.make_date(year, number, number_ja(found["d"]))
        return calendar.day(when, reading.today) if when else None
    if found.get("part"):
        return _part(year, number, m, reading)
    return calendar.month(year, number, reading.today)


def _month_of(m: Match[str], reading: Reading) -> tuple[int | None, int]:
    found = m.groupdict()
    if found.get("mr"):
        return calendar.month_offset(MONTHS[found["mr"]], reading.today)
    if found.get("ma"):
        sign = -1 if found["md"] == "前" else 1
        return calendar.month_offset(sign * number_ja(found["ma"]), reading.today)
    if found.get("half_year"):
        return calendar.month_offset(-6 if found["half_year"] == "前" else 6, reading.today)
    return _year_of(m, reading), number_ja(found["m"])


def month_end(m: Match[str], reading: Reading) -> Moment:
    return _part(reading.today.year, reading.today.month, m, reading)


def short_season(m: Match[str], reading: Reading) -> Moment:
    """来春, 今夏, 昨秋."""
    year = reading.today.year + {"来": 1, "今": 0, "昨": -1}[m["yx"]]
    return calendar.season(year, _SEASONS[m["s"]], reading.today)


def after_weekend(m: Match[str], reading: Reading) -> Moment:
    return calendar.weekday_of_week(1, 0, reading.today)


def months_away(m: Match[str], reading: Reading) -> Moment:
    """三年と二ヶ月前, ひと月前."""
    count = (
        12 * number_ja(m["ya"]) + number_ja(m["ma"]) if "ya" in m.re.groupindex else "ひふ".index(m["hm"]) + 1
    )
    return calendar.month(*calendar.month_offset(-count, reading.today), reading.today)


def years_to_the_day(m: Match[str], reading: Reading) -> Moment | None:
    today = reading.today
    when = calendar.make_date(today.year - number_ja(m["ya"]), today.month, today.day)
    return calendar.day(when, today) if when else None


def new_year(m: Match[str], reading: Reading) -> Moment:
    """年明け: the January the sentence points to."""
    return calendar.month_by(1, _lean(m, reading), reading.today)


def _part(year: int, number: int, m: Match[str], reading: Reading) -> Moment:
    part = PARTS[m["part"]]
    if m["part"] == "末" and re.match(
        r"まで|が?(?:締|〆)|に(?:締|〆|払)|払", reading.text[m.end() : m.end() + 3]
    ):
        part = "last"
    return calendar.month_part(year, number, part, reading.today)


def bare_date(m: Match[str], reading: Reading) -> Moment | None:
    number = number_ja(m["m"])
    if not 1 <= number <= 12:
        return None
    lean = _lean(m, reading)
    found = m.groupdict()
    if found.get("d"):
        when = calendar.date_by(number, number_ja(found["d"]), lean, reading.today)
        return calendar.day(when, reading.today, 0.85) if when else None
    moment = calendar.month_by(number, lean, reading.today)
    if lean == "none" and not _BARE_TAIL.match(reading.text, m.end()):
        moment = replace(moment, confidence=0.5)
    if found.get("part") and moment.start:
        return _part(moment.start.year, number, m, reading)
    return moment


def day_of_month(m: Match[str], reading: Reading) -> Moment | None:
    """A bare 15日: of this month, or the neighbouring one the sentence points to."""
    dom, lean = number_ja(m["d"]), _lean(m, reading)
    for offset in (0, -1) if lean == "past" else (0, 1):
        year, number = calendar.month_offset(offset, reading.today)
        when = calendar.make_date(year, number, dom)
        if when and (when <= reading.today if lean == "past" else when >= reading.today):
            return calendar.day(when, reading.today, 0.75)
    return None


def year_season(m: Match[str], reading: Reading) -> Moment | None:
    year = _year_of(m, reading)
    return calendar.season(year, _SEASONS[m["s"]], reading.today) if year else None


def near_season(m: Match[str], reading: Reading) -> Moment | None:
    name, word = _SEASONS[m["s"]], m["near"]
    if word in ("次の", "今度の"):
        return calendar.season_after(name, reading.today)
    if word in ("前の", "この前の", "こないだの"):
        return calendar.season_before(name, reading.today)
    lean, this = _lean(m, reading), calendar.season(reading.today.year, name, reading.today)
    if lean == "past" or (lean == "future" and this.direction == "past"):
        return calendar.season_by(name, lean, reading.today)
    return this


def bare_season(m: Match[str], reading: Reading) -> Moment | None:
    lean = _lean(m, reading)
    if lean == "none":
        return None
    found = calendar.season_by(_SEASONS[m["s"]], lean, reading.today)
    return Moment("season", found.start, found.end, direction=found.direction, confidence=0.6)


def holiday(m: Match[str], reading: Reading) -> Moment | None:
    rule, year = calendar.holidays("ja")[m["h"]], _year_of(m, reading)
    if m["h"] == "年末" and reading.text.startswith("まで", m.end()):
        rule = "12-31"
    if year:
        return calendar.holiday(rule, year, reading.today)
    lean = _lean(m, reading)
    found = calendar.holiday_by(rule, lean, reading.today) if lean != "none" else None
    if found is None:
        return Moment("day", recurring=True, confidence=0.4)
    return Moment(found.granularity, found.start, found.end, direction=found.direction, confidence=0.7)


def _week_of(m: Match[str]) -> int:
    if m["w"]:
        return WEEKS[m["w"]]
    return number_ja(m["wa"]) * (-1 if m["wd"] == "前" else 1)


def week(m: Match[str], reading: Reading) -> Moment:
    return calendar.week(_week_of(m), reading.today)


def week_day(m: Match[str], reading: Reading) -> Moment:
    return calendar.weekday_of_week(_week_of(m), _WEEKDAYS[m["dow"]], reading.today)


def week_end(m: Match[str], reading: Reading) -> Moment:
    return calendar.weekend(_week_of(m), reading.today)


def week_head(m: Match[str], reading: Reading) -> Moment:
    return calendar.weekday_of_week(_week_of(m), 0, reading.today)


def bare_weekend(m: Match[str], reading: Reading) -> Moment:
    past = _lean(m, reading) == "past"
    if past and reading.today.weekday() >= 5:
        return calendar.weekend(0, reading.today)
    return calendar.weekend(-1 if past else 0, reading.today)


def near_weekday(m: Match[str], reading: Reading) -> Moment:
    lean: Direction = "past" if m["near"] in ("この前の", "前の", "こないだの", "この間の") else "future"
    return calendar.day(calendar.weekday_by(_WEEKDAYS[m["dow"]], lean, reading.today), reading.today)


def bare_weekday(m: Match[str], reading: Reading) -> Moment:
    if re.match(r".{0,5}(?:必ず|いつも|たいてい|大抵|毎回)", reading.text[m.end() : m.end() + 10]):
        return Moment("day", recurring=True, confidence=0.8)
    lean = _lean(m, reading)
    when = calendar.weekday_by(_WEEKDAYS[m["dow"]], "past" if lean == "past" else "future", reading.today)
    placed = lean != "none" or _BARE_TAIL.match(reading.text, m.end())
    return calendar.day(when, reading.today, 0.8 if placed else 0.5)


def every(m: Match[str], reading: Reading) -> Moment:
    return Moment("day", recurring=True, confidence=0.8)


def relative_day(m: Match[str], reading: Reading) -> Moment:
    if DAYS[m["dr"]] == 0 and (reading.text.startswith("も", m.end()) or _lean(m, reading) == "none"):
        # "tonight too", "today is hot": the present, not a day one would look up
        return Moment("day", reading.today, reading.today, direction="now", confidence=0.5)
    return calendar.day(reading.today + timedelta(days=DAYS[m["dr"]]), reading.today)


def days_away(m: Match[str], reading: Reading) -> Moment:
    count = number_ja(m["da"]) * (-1 if m["dd"] == "前" else 1)
    return calendar.day(reading.today + timedelta(days=count), reading.today)


def numeric(m: Match[str], reading: Reading) -> Moment | None:
    when = calendar.make_date(int(m["y"]), int(m["m"]), int(m["d"]))
    return calendar.day(when, reading.today) if when else None


def slashed(m: Match[str], reading: Reading) -> Moment | None:
    when = calendar.date_by(int(m["m"]), int(m["d"]), _lean(m, reading), reading.today)
    return calendar.day(when, reading.today, 0.8) if when else None


def decade(m: Match[str], reading: Reading) -> Moment | None:
    number = number_ja(m["dec"])
    if m["era"]:
        first = calendar.era_year(m["era"], number)
    else:
        first = number if number >= 1000 else 1900 + number if 20 <= number <= 90 else None
    if first is None or number % 10:
        return None
    low, high = {"前半": (0, 4), "後半": (5, 9), "初頭": (0, 2), "半ば": (4, 6)}.get(m["part"] or "", (0, 9))
    return calendar.years(first + low, first + high, reading.today)


def year_range(m: Match[str], reading: Reading) -> Moment | None:
    return calendar.years(int(m["y1"]), int(m["y2"]), reading.today)


def few_years(m: Match[str], reading: Reading) -> Moment | None:
    far, near = reading.today.year - int(m["f2"]), reading.today.year - int(m["f1"])
    return calendar.years(far, near, reading.today, 0.7)


def stage(m: Match[str], reading: Reading) -> Moment | None:
    """A school names a time of one's own life as 高校の頃 or 大学を卒業した, not as 高校の友達."""
    which, before = STAGES[m["st"]], reading.text[max(0, m.start() - 60) : m.start()]
    if _RELATIVE.search(before):
        return calendar.stage(which, 0.4)
    if m["st"].endswith("時代") or _STAGE_TAIL.match(reading.text, m.end()):
        return calendar.stage(which, 0.9)
    return calendar.stage(which, 0.4)


def age(m: Match[str], reading: Reading) -> Moment | None:
    """An age only hints at a stage: good enough to look there, not to say when it was."""
    age = number_ja(m["age"])
    which = calendar.stage_of_age(age)
    return calendar.stage(which, 0.5) if which else None


def grade(m: Match[str], reading: Reading) -> Moment:
    return calendar.stage({"小": LifeStage.ELEMENTARY, "中": LifeStage.MIDDLE, "高": LifeStage.HIGH}[m["g"]])
