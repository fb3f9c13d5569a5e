"""Whether the sentence round a time expression looks back or ahead: settles dates named without a year."""

from __future__ import annotations

import re

from cocoro_ghost.language.lexicon import words
from cocoro_ghost.language.times.mention import Direction

_SENTENCE_END = re.compile(r"[。！？!?\n]|\.(?=\s|$)")
_REACH = 160
"""Characters looked at on either side: a verb further away says nothing about this time."""
_JA_PAST = re.compile(
    r"(?<!み)(?:[っいしきりえけめれねべせてちみびぎじにむうくげでまらか来見出寝着居似]た|だった|でした|ました|かった)"
    r"(?![いくちぶきさ]|か(?![なねしの。？?]|$)|がる|め[にの]|だ|ら(?!しい))|(?<![るくうぐぶむつすないただ])んだ|(?<=[一-龥])(?<!嫌)いだ|昔|以前|思い出|っけ"
)
_JA_FUTURE = re.compile(
    r"予定|つもり|たい|まで|締め?切|〆切|ましょう|よう[とか]|おう[とか]|ことにした|ことになった|する|行く|いく|来る|くる|ある[。、よのんけし]|"
    r"ます|控え|楽しみ|しなきゃ|なきゃ|ないと|かなきゃ|だよ|です|なんだ|があって|会う|始まる|始める|届く|帰る|出す|受ける|起こして|教えて"
)


def _words(name: str, extra: str) -> re.Pattern[str]:
    listed = "|".join(sorted(map(re.escape, words(name)), key=len, reverse=True))
    return re.compile(rf"(?<![\w'])(?:{listed}|{extra})(?!\w)", re.IGNORECASE)


_EN_PAST = _words("tense_en_past", r"(?<!getting )(?<!being )(?<! be )(?<! get )\w{2,}(?<!ne)ed")
_EN_FUTURE = _words(
    "tense_en_future",
    r"(?:have (?:i|we|you)|(?:i|we|you)'ve) got|got (?:an?|my|another) (?:[\w'-]+ ){0,2}?"
    r"(?:appointment|meeting|exam|test|interview|flight|dentist|doctor's|shift|class|lesson|thing|date|party"
    r"|wedding|gig|match|game|deadline|call|trip|viewing|check-?up|scan|concert|race)"
    r"|(?:signed|signing) up (?:for|to)|registered for|booked"
    r"|(?:moved|pushed|rescheduled|postponed|changed)(?: \w+)? (?:to|until)"
    r"|(?:\w+'(?:m|re)|am|are|(?:she|he|who|it)'s|is) (?!being|having|getting)\w+ing|\w+'ll",
)


def direction_ja(text: str, start: int, end: int) -> Direction:
    """The first predicate after the expression decides; Japanese non-past without any mark means ahead."""
    after = text[end : _end_of_sentence(text, end)]
    past, ahead = _JA_PAST.search(after), _JA_FUTURE.search(after)
    if past and (not ahead or past.start() <= ahead.start()):
        return "past"
    if ahead:
        return "future"
    return "none"


def direction_en(text: str, start: int, end: int) -> Direction:
    """The nearer verb mark of the same sentence decides; the words before the expression count first."""
    opening = _start_of_sentence(text, start)
    before, after = text[opening:start], text[end : _end_of_sentence(text, end)]
    # I've got, have signed up for: the form is past, what is told is not.
    past = _distances(_EN_PAST, _EN_FUTURE.sub("", before), _EN_FUTURE.sub("", after))
    ahead = _distances(_EN_FUTURE, before, after)
    if past is None and ahead is None:
        return "none"
    if ahead is None or (past is not None and past <= ahead):
        return "past"
    return "future"


def _distances(pattern: re.Pattern[str], before: str, after: str) -> int | None:
    states = words("not_past_en")
    found = [len(before) - m.end() for m in pattern.finditer(before) if m[0].casefold() not in states]
    found += [m.start() for m in pattern.finditer(after) if m[0].casefold() not in states]
    return min(found) if found else None


def _end_of_sentence(text: str, index: int) -> int:
    match = _SENTENCE_END.search(text, index, index + _REACH)
    return match.start() if match else min(len(text), index + _REACH)


def _start_of_sentence(text: str, index: int) -> int:
    opening = max(0, index - _REACH)
    for match in _SENTENCE_END.finditer(text, opening, index):
        opening = match.end()
    return opening
