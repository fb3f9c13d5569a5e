"""Time words: how long ago, which day, how long a silence was — as one says it in talk."""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo

from cocoro_ghost.clock import local
from cocoro_ghost.model.scene import Language

_WEEKDAYS_JA = "月火水木金土日"
_SEASONS_JA = {3: "春", 6: "夏", 9: "秋", 12: "冬"}
_SEASONS_EN = {3: "spring", 6: "summer", 9: "autumn", 12: "winter"}
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")


def number(count: int) -> str:
    """Small English numbers in letters."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def _several(count: int, unit: str) -> str:
    return f"{number(count)} {unit}" + ("" if count == 1 else "s")


def when_words(ts: int, now: int, zone: tzinfo | None, language: Language) -> str:
    """An adverb such as `さっき`, `3か月前に`, `last summer` for a past moment."""
    then, today = local(ts, zone), local(now, zone)
    japanese = language is Language.JA
    if then.date() >= today.date():
        return _today_ja(then, today) if japanese else _today_en(then, today)
    return _past_ja(then, today) if japanese else _past_en(then, today)


def _today_ja(then: datetime, today: datetime) -> str:
    if today - then < timedelta(hours=2):
        return "さっき"
    if then.hour < 11 and then.hour >= 4:
        return "今朝"
    return "今日のお昼に" if then.hour < 14 and today.hour >= 17 and then.hour >= 11 else "今日"


def _today_en(then: datetime, today: datetime) -> str:
    if today - then < timedelta(hours=2):
        return "just now" if today - then < timedelta(minutes=10) else "a little while ago"
    if then.hour < 12 and then.hour >= 4:
        return "this morning"
    return "this afternoon" if then.hour < 18 and today.hour >= 18 and then.hour >= 12 else "earlier today"


def _monday(moment: datetime) -> datetime:
    return moment - timedelta(days=moment.weekday())


def _weeks(then: datetime, today: datetime) -> int:
    return (_monday(today).date() - _monday(then).date()).days // 7


def _months(then: datetime, today: datetime) -> int:
    """Whole months, a half-begun one counted from the fifteenth day on."""
    months = (today.year - then.year) * 12 + today.month - then.month
    days = today.day - then.day
    return months + (1 if days >= 15 else -1 if days <= -15 else 0)


def _past_ja(then: datetime, today: datetime) -> str:
    days = (today.date() - then.date()).days
    if days <= 2:
        night = days == 1 and then.hour >= 18
        return "昨日の夜" if night else "昨日" if days == 1 else "おととい"
    if days < 7 and _weeks(then, today) == 0:
        return f"{days}日前に"
    if _weeks(then, today) == 1:
        return "先週"
    if days < 28:
        return f"{max(2, round(days / 7))}週間前に"
    return _long_ago_ja(then, today)


def _long_ago_ja(then: datetime, today: datetime) -> str:
    months = _months(then, today)
    if months <= 1:
        return "1か月前に"
    if then.year == today.year or months <= 5:
        return "半年前に" if months == 6 else f"{months}か月前に"
    years = today.year - then.year
    season = _season_ja(then)
    if years == 1:
        return f"去年の{season}に"
    return f"おととしの{season}に" if years == 2 else f"{years}年前に"


def _season_ja(then: datetime) -> str:
    return _SEASONS_JA[(then.month // 3 * 3) or 12]


def _past_en(then: datetime, today: datetime) -> str:
    days = (today.date() - then.date()).days
    if days <= 2:
        night = days == 1 and then.hour >= 18
        return "last night" if night else "yesterday" if days == 1 else "the day before yesterday"
    if days < 7 and _weeks(then, today) == 0:
        return f"{_several(days, 'day')} ago"
    if _weeks(then, today) == 1:
        return "last week"
    if days < 28:
        return f"{_several(max(2, round(days / 7)), 'week')} ago"
    return _long_ago_en(then, today)


def _long_ago_en(then: datetime, today: datetime) -> str:
    months = _months(then, today)
    if months <= 1:
        return "about a month ago"
    if then.year == today.year or months <= 5:
        return "half a year ago" if months == 6 else f"{_several(months, 'month')} ago"
    years = today.year - then.year
    if years == 1:
        return f"last {_SEASONS_EN[(then.month // 3 * 3) or 12]}"
    return f"{_several(years, 'year')} ago"


def date_words(ts: int, now: int, zone: tzinfo | None, language: Language) -> str:
    """The day as an answer: `3月14日(土)`, `March 14th`; only year or month when no more is known."""
    then, today = local(ts, zone), local(now, zone)
    # About-times known only by year or month begin at midnight of the first day.
    coarse = then.hour == then.minute == 0 and then.day == 1
    if language is Language.JA:
        return _coarse_ja(then, today) if coarse else _day_ja(then, today)
    return _coarse_en(then, today) if coarse else _day_en(then, today)


def _year_ja(then: datetime, today: datetime) -> str:
    past = today.year - then.year
    return {0: "", 1: "去年の", -1: "来年の"}.get(past, f"{then.year}年")


def _coarse_ja(then: datetime, today: datetime) -> str:
    if then.month == 1 and then.year != today.year:
        return f"{then.year}年"
    return f"{_year_ja(then, today)}{then.month}月"


def _day_ja(then: datetime, today: datetime) -> str:
    near = {0: "今日", 1: "昨日", 2: "おととい", -1: "明日"}.get((today.date() - then.date()).days, "")
    full = f"{_year_ja(then, today)}{then.month}月{then.day}日"
    if near:
        return f"{near}({then.month}月{then.day}日)"
    close = abs((today - then).days) < 60
    return f"{full}({_WEEKDAYS_JA[then.weekday()]})" if close else full


def _coarse_en(then: datetime, today: datetime) -> str:
    if then.month == 1 and then.year != today.year:
        return str(then.year)
    return f"{then:%B}" if then.year == today.year else f"{then:%B} {then.year}"


def _ordinal(day: int) -> str:
    suffix = "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{suffix}"


def _day_en(then: datetime, today: datetime) -> str:
    near = {0: "today", 1: "yesterday", -1: "tomorrow"}.get((today.date() - then.date()).days, "")
    day = f"{then:%B} {_ordinal(then.day)}"
    if near:
        return f"{near}, {day}"
    if then.year != today.year:
        return f"{day}, {then.year}"
    return f"{then:%A}, {day}" if abs((today - then).days) < 60 else day


def on_date_en(date: str) -> str:
    """The preposition an English date wants: in 2017, in March, on March 14th, yesterday."""
    if date.startswith(("today", "yesterday", "tomorrow")):
        return date
    exact = any(character.isdigit() for character in date.split(",")[0]) or "," in date
    return f"on {date}" if exact and not date.isdigit() and not _month_year(date) else f"in {date}"


def _month_year(date: str) -> bool:
    month, _, year = date.partition(" ")
    return month.isalpha() and year.isdigit() and len(year) == 4


def gap_words(seconds: int, language: Language) -> str:
    """How long nothing was said: `3日`, `1か月`, `two weeks`."""
    days = round(seconds / 86400)
    japanese = language is Language.JA
    if days < 14:
        return f"{days}日" if japanese else _several(days, "day")
    if days < 28:
        return f"{days // 7}週間" if japanese else _several(days // 7, "week")
    if days < 350:
        months = max(1, round(days / 30.4))
        return f"{months}か月" if japanese else ("a month" if months == 1 else _several(months, "month"))
    years = max(1, round(days / 365))
    return f"{years}年" if japanese else ("a year" if years == 1 else _several(years, "year"))


def part_of_day(hour: int) -> str:
    """`morning`, `day`, `evening` or `night`: names of greeting slots."""
    if 4 <= hour < 11:
        return "morning"
    if 11 <= hour < 17:
        return "day"
    return "evening" if 17 <= hour < 23 else "night"
