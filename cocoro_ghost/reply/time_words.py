"""How long ago, as people say it."""

from __future__ import annotations

from datetime import tzinfo

from cocoro_ghost.clock import local
from cocoro_ghost.model.scene import Language

MINUTE, HOUR = 60, 3600


def gap_words(then: int, now: int, zone: tzinfo | None, language: Language) -> str:
    """さっき, 数分前, 昨日, 3か月前 … / a moment ago, a few minutes ago, yesterday, 3 months ago …"""
    passed = max(0, now - then)
    days = (local(now, zone).date() - local(then, zone).date()).days
    if passed < 6 * HOUR or days <= 0:
        return _within_a_day(passed, language)
    return _japanese_days(days) if language is Language.JA else _english_days(days)


def _within_a_day(passed: int, language: Language) -> str:
    japanese = language is Language.JA
    if passed < 2 * MINUTE:
        return "さっき" if japanese else "a moment ago"
    if passed < 10 * MINUTE:
        return "数分前" if japanese else "a few minutes ago"
    if passed < HOUR:
        tens = passed // (10 * MINUTE) * 10
        return f"{tens}分くらい前" if japanese else f"about {tens} minutes ago"
    hours = passed // HOUR
    return f"{hours}時間くらい前" if japanese else _counted(hours, "hour")


def _japanese_days(days: int) -> str:
    if days <= 2:
        return "昨日" if days == 1 else "おととい"
    if days < 14:
        return f"{days}日前"
    if days < 60:
        return f"{days // 7}週間前"
    if days < 365:
        return f"{days // 30}か月前"
    return f"{days // 365}年前"


def _english_days(days: int) -> str:
    if days == 1:
        return "yesterday"
    if days < 14:
        return _counted(days, "day")
    if days < 60:
        return _counted(days // 7, "week")
    if days < 365:
        return _counted(days // 30, "month")
    return _counted(days // 365, "year")


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'} ago"
