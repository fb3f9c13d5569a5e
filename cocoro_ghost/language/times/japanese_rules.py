"""The shapes of Japanese time expressions, each with the function that resolves it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cocoro_ghost.language.times import calendar
from cocoro_ghost.language.times import japanese as ja
from cocoro_ghost.language.times.japanese import DAYS, MONTHS, PARTS, STAGES, WEEKS, YEARS
from cocoro_ghost.language.times.mention import Rule
from cocoro_ghost.language.times.numbers import NUM_JA as N


def _any(names: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True))


_SOME = "(?:ほど|くらい|ぐらい)?"
_ERA = rf"(?P<era>明治|大正|昭和|平成|令和)(?P<ey>元|{N})年"
_ERA_SHORT = r"(?<![A-Za-z0-9])(?P<es>[SHR])(?P<esy>\d{1,2})(?:年|(?=\.\d)|(?<=[HR]\d\d)(?=[にの頃]|から))"
_YEAR = (
    rf"(?:(?P<y>(?:1[5-9]|20)\d\d|[一二]千?[〇一二三四五六七八九十百]{{2,6}})年(?:度)?|{_ERA}(?:度)?|{_ERA_SHORT}|"
    rf"(?P<yr>{_any(YEARS)})|(?P<ya>{N})年{_SOME}(?P<yd>前|後))(?!代|間|ぶり|目|生[^ま])"
)
_MONTH = (
    rf"(?:(?P<m>{N})月(?!間|ヶ|か月|謝)|(?P<mr>{_any(MONTHS)})|(?P<ma>{N})[ヶかカヵケ箇ヶ]月(?P<md>前|後))"
)
_DAY = rf"(?P<d>{N})日(?!間|前|後|目|ぶり|以内|連続|分|も[^ら]|ほど|くらい|坊主|に一|おき)"
_DAY_TAIL = r"(?=に(?!一)|まで|から|[はがへ、。,\s(（]|の?(?:朝|昼|夜|夕|晩|午|締|\d)|締|$)"
_PART = rf"(?P<part>{_any(PARTS)})(?![てるたっがを痛子])"
_SEASON = r"(?P<s>春|夏|秋|冬)(?:休み|合宿|頃|ごろ|先|場)?"
_HOLIDAY = rf"(?P<h>{_any(calendar.holidays('ja'))})"
_WEEK = rf"(?:(?P<w>{_any(WEEKS)})|(?P<wa>{N})週間?{_SOME}(?P<wd>前|後))"
_DOW = r"(?P<dow>[月火水木金土日])曜日?"
_OF = r"[のは、]?[ ]?"
_NEAR = r"(?P<near>今度の|次の|この前の|前の|こないだの|この間の)"


RULES: tuple[Rule, ...] = (
    Rule(rf"{_YEAR}{_OF}(?P<half>前半|後半|上半期|下半期)", ja.year_half),
    Rule(rf"{_YEAR}{_OF}{_MONTH}(?:の?{_PART}|の?{_DAY})?", ja.dated),
    Rule(rf"{_YEAR}{_OF}{_SEASON}", ja.year_season),
    Rule(rf"{_YEAR}{_OF}{_HOLIDAY}", ja.holiday),
    Rule(_YEAR, ja.year),
    Rule(rf"(?P<mr>{_any(MONTHS)})(?:の?{_PART}|{_OF}{_DAY})?", ja.dated),
    Rule(rf"(?P<ma>{N})[ヶかカヵケ箇ヶ]月(?:ほど|くらい|ぐらい)?(?P<md>前|後)", ja.dated),
    Rule(r"半年(?:ほど|くらい|ぐらい)?(?P<half_year>前|後)", ja.dated),
    Rule(
        rf"(?<![\d〇一二三四五六七八九十])(?P<m>{N})月(?!間|ヶ|か月|謝|曜|分)(?:の?{_PART}|の?{_DAY})?",
        ja.bare_date,
        True,
    ),
    Rule(
        rf"(?<![\d月〇一二三四五六七八九十])(?P<d>\d{{1,2}}|[二三]?十[一二三四五六七八九]?|二十)日{_DAY_TAIL}",
        ja.day_of_month,
        True,
    ),
    Rule(r"(?<![今来先々年\d])月(?P<part>末)(?!日)", ja.month_end),
    Rule(r"(?P<yx>[来今昨])(?P<s>[春夏秋冬])(?![一-龥])", ja.short_season),
    Rule(r"(?<!来)週明け", ja.after_weekend),
    Rule(r"年明け|年始(?!の挨拶)", ja.new_year),
    Rule(rf"(?P<ya>{N})年(?:と)?(?P<ma>{N})[ヶかカヵケ箇]月前", ja.months_away),
    Rule(r"(?P<hm>[ひふ])[とた]月前", ja.months_away),
    Rule(rf"(?P<ya>{N})年前の(?:今日|きょう)", ja.years_to_the_day),
    Rule(rf"(?P<near>この|次の|今度の|前の|この前の|こないだの){_SEASON}(?!から秋|夏秋)", ja.near_season),
    Rule(rf"(?<![一-龥の]){_SEASON}(?:に(?!な|ぴったり|似|向|は)|の間)", ja.bare_season, True),
    Rule(_HOLIDAY, ja.holiday, True),
    Rule(rf"{_WEEK}{_OF}{_DOW}", ja.week_day),
    Rule(rf"{_WEEK}(?:の?(?:週末|末|土日))", ja.week_end),
    Rule(rf"{_WEEK}(?:の?(?:頭|初め|はじめ|あたま))", ja.week_head),
    Rule(_WEEK, ja.week),
    Rule(r"(?<![平])週末(?!明)|(?<![金毎])土日(?!休)", ja.bare_weekend, True),
    Rule(rf"{_NEAR}{_DOW}", ja.near_weekday),
    Rule(_DOW, ja.bare_weekday, True),
    Rule(r"(?<![一-龥])(?P<dow>[土日金])(?=に[^本曜]|は休|の夜)", ja.bare_weekday, True),
    Rule(rf"(?:毎[週月年日朝晩夜]|隔週)の?(?:{_DOW})?(?:{N}月)?(?:{N}日)?(?:春|夏|秋|冬)?", ja.every),
    Rule(rf"毎年の?(?:{N}月(?:{N}日)?|春|夏|秋|冬|{_HOLIDAY})", ja.every),
    Rule(rf"(?P<dr>{_any(DAYS)})", ja.relative_day),
    Rule(rf"(?<!\d[、,~〜])(?P<da>{N})日(?:ほど|くらい|ぐらい)?(?P<dd>前|後)", ja.days_away),
    Rule(r"(?<!\d)(?P<y>(?:19|20)\d\d)[/.-](?P<m>\d{1,2})[/.-](?P<d>\d{1,2})(?!\d)", ja.numeric),
    Rule(
        rf"(?<![\d/.])(?P<m>1[0-2]|0?[1-9])/(?P<d>3[01]|[12]\d|0?[1-9])(?![\d/]){_DAY_TAIL}", ja.slashed, True
    ),
    Rule(rf"(?P<era>昭和|平成)?(?P<dec>\d{{2,4}}|{N})年代(?:の?(?P<part>前半|後半|初頭|半ば))?", ja.decade),
    Rule(r"(?<!\d)(?P<y1>(?:19|20)\d\d)年?(?:から|[-~〜～ー])(?P<y2>(?:19|20)\d\d)年?", ja.year_range),
    Rule(r"(?P<f1>\d)[、,~〜](?P<f2>\d)年前", ja.few_years),
    Rule(rf"(?P<st>{_any(STAGES)})", ja.stage),
    Rule(rf"(?P<age>{N})[歳才](?:の)?(?:頃|ころ|ごろ|時|とき)", ja.age),
    Rule(rf"あと(?P<da>{N})日(?P<dd>)で", ja.days_away),
    Rule(
        r"(?<![一-龥大中最縮])(?P<g>小|中|高)(?:学)?[1-6一二三](?:年生?)?(?=[のでに、かだはと]|から|まで|$)",
        ja.grade,
    ),
)
