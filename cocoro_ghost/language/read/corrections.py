"""Corrections: 金曜じゃなくて木曜, not Tuesday but Wednesday, 会議は木曜に変更. Words: `acts.toml`."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from cocoro_ghost.language.matching import values_put_right
from cocoro_ghost.language.read.clause import Clause, Phrase
from cocoro_ghost.language.read.cues import cue, plain
from cocoro_ghost.language.read.engine import Line
from cocoro_ghost.language.read.kinds import Context, who_of
from cocoro_ghost.language.read.tables import entries, table
from cocoro_ghost.language.read.value_alone import value_alone
from cocoro_ghost.language.times.numbers import NUM_EN
from cocoro_ghost.model.reading import Correction

_DAY = re.compile(r"曜|日|月|時|週")
_INSTEAD_JA = re.compile(
    r"(?:から|まで|に|の方|のほう)?(?:だっ|でし|だわ|だよ|です|なんだ|に変|になっ|の間違)"
)
_GONE = re.compile(r"昨|先|一昨|おと|きの|ゆうべ")
_TURNED_OUT = re.compile(
    r"日(?:から|まで)?(?:だった|でした|だったわ|だったよ|になった|になりました|に決まっ)"
)
_NUMERALS = "0123456789０１２３４５６７８９〇一二三四五六七八九十百"
_NUMERAL = re.compile(f"[{_NUMERALS}]+")
_TOLD_WRONG = re.compile(
    r"(?:\w+ )?i (?:said|told you|thought|wrote) (?:that )?(?P<old>.+?),? but "
    r"(?:it's|it is|that's|he's|she's)(?: actually| really| in| on)* (?P<new>[^,]+)$",
    re.IGNORECASE,
)
_NO_VALUE = re.compile(
    r"(?:for|to|i|i'm|i've|we|you|really|sure|even|much|too|so|yet|only|just|like)\b", re.IGNORECASE
)
_DAY_EN = (
    r"(?:(?:this|next|on)\s)?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day\b.*|tomorrow|the \d.*"
    r"|\d{1,2}(?:st|nd|rd|th)\b.*|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d.*)"
)
_INSTEAD_EN = re.compile(
    r"(?P<about>[\w' -]{0,60}?)(?:'s| is| are| was|'re)(?: actually| now| really)?(?: [a-z]+ing)?"
    rf"(?: on| at| from)?\s(?P<day>{_DAY_EN})$",
    re.IGNORECASE,
)
_A_DAY = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\d{1,2}(?:st|nd|rd|th)\b", re.IGNORECASE)
_MOVED_TO = re.compile(rf"(?:the )?{_DAY_EN}", re.IGNORECASE)
_PLACES_TO_GO = frozenset({"dentist", "doctor", "therapist", "hairdresser", "barber"})
_LONGEST_VALUE = 4
"""English words of a value at most."""


def corrections_of(line: Line, context: Context) -> tuple[Correction, ...]:
    """Not this but that, as far as the sentence says so."""
    ways = (
        (_denied, _opened_ja, _moved_ja)
        if context.japanese
        else (_told_wrong, _denied, _beside_not, _after_cut)
    )
    told = ways if cue(line.text, context.code, "correct_cues") else ()
    found = value_alone(line, context)
    found = found or next((one for way in told if (one := way(line)) is not None), None)
    found = found or _after_sorry(line, context) or _turned_out(line, context) or _moved_en(line, context)
    found = _with_days(found, line, context) if found is not None else None
    if found is not None and not found.old and _somebody_moved(line, context):
        return ()
    return (found,) if found is not None else ()


def _with_days(found: Correction, line: Line, context: Context) -> Correction:
    """24じゃなくて25日の日曜: the new value is the day as it was said, and the old one is a day too."""
    if not context.japanese or not found.old:
        return found
    behind = line.text.find(found.old) + len(found.old) + line.span[0]
    days = [p.text for p in context.times if behind <= p.span[0] < line.span[1] and not p.recurring]
    if not days or not (_NUMERAL.match(found.old) or _DAY.search(found.old)):
        return found
    unit = days[0].lstrip(_NUMERALS)[:1] if _NUMERAL.fullmatch(found.old) else ""
    return replace(found, old=f"{found.old}{unit}", new=days[0])


def _turned_out(line: Line, context: Context) -> Correction | None:
    """締め切り、1月10日だった; 箱根は5日からになった: a date that turns out is the one that holds."""
    if not context.japanese or line.asks:
        return None
    found = _day_instead_ja(line, context, 0)
    dated = found is not None and found.about and _NUMERAL.match(found.new)
    return found if dated and _TURNED_OUT.search(line.text) else None


def _moved_en(line: Line, context: Context) -> Correction | None:
    """They've shifted the show to the 4th: a thing, and the day it was moved to."""
    if context.japanese or line.asks:
        return None
    for clause in line.clauses:
        thing, day = clause.by_role("obj"), clause.by_role("to", "until", "for")
        moved = clause.base in _words("en", "movers") and not clause.has("neg", "future", "want", "must")
        if moved and thing is not None and day is not None and _MOVED_TO.match(day.text):
            return Correction("", _bare(day.text), line.span, thing.text)
    return None


def _somebody_moved(line: Line, context: Context) -> bool:
    """My boyfriend Callum moved to Lisbon: who goes to live elsewhere moves no plan."""
    if context.japanese or not any(clause.base == "move" for clause in line.clauses):
        return False
    subjects = (clause.by_role("subj") for clause in line.clauses)
    people = (who_of(subject, context) for subject in subjects if subject is not None)
    return any(who is not None and who.kind == "person" and who.role not in _PLACES_TO_GO for who in people)


def _after_sorry(line: Line, context: Context) -> Correction | None:
    """ごめん、同窓会は27日だった; sorry, the exam's the 23rd: after an apology another day is meant."""
    said = plain(line.text)
    opening = next((o for o in _words(context.code, "sorry_openings") if said.startswith(o)), "")
    if not opening or line.asks:
        return None
    return (
        _day_instead_ja(line, context, len(opening)) if context.japanese else _day_instead_en(line, opening)
    )


def _day_instead_ja(line: Line, context: Context, begin: int) -> Correction | None:
    first, last = line.span
    days = [p for p in context.times if first + begin <= p.span[0] < last and not p.recurring]
    if not days or _INSTEAD_JA.match(line.text[days[-1].span[1] - first :]) is None:
        return None
    day, until = days[-1], line.text[days[-1].span[1] - first :][:2]
    about = line.text[begin : day.span[0] - first].strip("、,。 ！!…").rstrip("はがのも、")
    bound = until if until in {"から", "まで"} else ""
    # 今日は6日だよ is about no plan; without a word for what it is, a day gone by is none either.
    of_a_day = any(period.text == about for period in context.times)
    gone = not about and _GONE.match(day.text) is not None
    if of_a_day or gone or any(word in about for word in ("じゃな", "ではな")):
        return None
    return Correction("", f"{day.text}{bound}", line.span, about)


def _day_instead_en(line: Line, opening: str) -> Correction | None:
    """The last clause is about the plan and ends in its day; what one is busy with is another matter."""
    rest = line.text.replace("’", "'")[len(opening) :].strip(" ,.!-")
    found = _INSTEAD_EN.match(rest)
    about = found["about"].lower().split() if found is not None else []
    if found is None or about[:1] in (["i"], ["i'm"], ["we"], ["today"], ["tomorrow"], ["yesterday"]):
        return None
    # Ah, it's Monday: only who is sorry means the plan without a word for it.
    if opening in _words("en", "weak_openings") and about in ([], ["it"], ["that"], ["this"]):
        return None
    return Correction("", _bare(found["day"]), line.span, found["about"])


def _words(code: str, name: str) -> tuple[str, ...]:
    return tuple(table(f"{code}/acts")["correct"][name])


def _denied(line: Line) -> Correction | None:
    """A clause that denies a value, or says it was said, and the next one that gives another."""
    for clause, after in pairwise(line.clauses):
        old, new = _denied_value(clause), _said_instead(after)
        if old is not None and new and new != old.text and _gives_value(after, clause):
            about = next((p.text for p in clause.phrases if p.topic and p.span != old.span), "")
            if old.text.endswith("さん") and new.endswith("さん"):
                return Correction(old.text.removesuffix("さん"), new.removesuffix("さん"), line.span)
            return Correction(old.text, new, line.span, "" if _is_said(clause) else about)
    return None


def _denied_value(clause: Clause) -> Phrase | None:
    if _is_said(clause):
        return clause.by_role("obj", "って", "と")
    if clause.words[-1:] == ("間違える",) and clause.has("past"):
        return _mistaken(clause)
    if clause.words == ("無い",):
        return next((p for p in clause.phrases if p.role == "で" and p.topic), None)
    if not clause.has("neg"):
        return None
    if clause.words[:1] == ("be",) and clause.phrases and len(clause.words) <= 5:
        return _predicated(clause)
    return clause.noun if "無い" in clause.words else None


def _predicated(clause: Clause) -> Phrase | None:
    return clause.noun or next((p for p in clause.phrases if not p.topic), None)


def _mistaken(clause: Clause) -> Phrase | None:
    """小野寺さんのこと、苗字間違えてた: the name that was wrong."""
    found = next((p for p in clause.phrases if "のこと" in p.text), None)
    return found._replace(text=found.text.split("のこと")[0]) if found is not None else None


def _gives_value(clause: Clause, denied: Clause) -> bool:
    """English: `it's Wednesday`, after `I said Tuesday` with a but; else it is another matter."""
    if not clause.places:
        return not denied.places
    subject = clause.by_role("subj")
    meant = {"it", "that", "he", "she", "they"} if denied.words[:1] == ("be",) else {"it", "that"}
    it = clause.words[:1] == ("be",) and subject is not None and subject.text.lower() in meant
    return it and (clause.link == "but" or not _is_said(denied))


def _is_said(clause: Clause) -> bool:
    """I said Tuesday, 火曜って言ったけど: what was said, before what is meant."""
    told = clause.words[:1] == ("say",) or (clause.words[-1:] == ("言う",) and clause.has("past"))
    return told and clause.link in {"", ",", "けど", "が", "けれど"}


def _said_instead(clause: Clause) -> str:
    if clause.words[:1] == ("be",):
        phrase = _predicated(clause)
    else:
        phrase = clause.noun or clause.by_role("に", "で", "を", "が", "と", "って", "", "から", "まで")
    return phrase.text if phrase is not None else ""


def _opened_ja(line: Line) -> Correction | None:
    """違う、木曜; a mere ごめん、 opens a correction where the rest says so."""
    if not line.clauses:
        return None
    said = plain(line.text)
    clear = said.startswith(_words("ja", "openings"))
    weak = said.startswith(_words("ja", "weak_openings")) and any(
        w in said for w in _words("ja", "weak_need")
    )
    new = _said_instead(line.clauses[-1]) if clear or weak else ""
    if said.startswith("やっぱ"):
        # やっぱり好きだった corrects nothing: another day does.
        topic = next((p.text for clause in line.clauses[-1:] for p in clause.phrases if p.topic), "")
        return Correction("", new, line.span, topic) if _NUMERAL.match(new) and topic else None
    return Correction("", new.removesuffix("の間違い"), line.span) if new else None


def _moved_ja(line: Line) -> Correction | None:
    """会議が金曜から木曜に変更になった."""
    if not line.clauses:
        return None
    last = line.clauses[-1]
    # やっぱり木曜になった: of a day it is another one; of anything else it says what became of it.
    anew = any(word in line.text for word in _words("ja", "after_all")) and "成る" in last.words
    if not anew and not any(word in line.text for word in _words("ja", "moved")):
        return None
    to = _moved_to(last, only_days=anew)
    if to is None:
        return None
    topic = _held(line)
    since = last.by_role("から") or _day_before(line)
    return Correction(since.text if since else "", to.text, line.span, topic)


def _held(line: Line) -> str:
    """What the sentence is about."""
    held = (p.text for c in line.clauses for p in c.phrases if p.topic or p.role == "が")
    return next((text for text in held if text not in _words("ja", "after_all")), "")


def _moved_to(clause: Clause, *, only_days: bool) -> Phrase | None:
    for phrase in clause.phrases:
        fits = phrase.role in {"に", "へ", "まで"} and (not only_days or _DAY.search(phrase.text))
        if fits and phrase.head not in _words("ja", "moved_nouns"):
            return phrase
    return None


def _day_before(line: Line) -> Phrase | None:
    """5日に戻るつもりだったけど7日まで延ばす: the day that was meant first."""
    days = (
        p for c in line.clauses[:-1] for p in c.phrases if p.role in {"に", "まで"} and _NUMERAL.match(p.text)
    )
    return next(days, None)


def _beside_not(line: Line) -> Correction | None:
    """One value and not the other; `not for me, I hate it` gives none."""
    found = _one_not_the_other(line)
    none = found is not None and (_NO_VALUE.match(found.old) or _NO_VALUE.match(found.new))
    return None if none else found


def _one_not_the_other(line: Line) -> Correction | None:
    """`not Tuesday, Wednesday`; `it's Wednesday, not Tuesday`; `Anna, not Hanna`."""
    words = line.text.replace("’", "'").split()
    index = next((i for i, word in enumerate(words) if word.lower().strip(",.!;:") == "not"), -1)
    if index < 0 or index + 1 >= len(words):
        return None
    after = " ".join(words[index + 1 :]).strip(" .!")
    before = " ".join(words[:index]).strip(" ,.!-")
    mark = next((mark for mark in _words("en", "but_marks") if mark in after), "")
    old, _, new = after.partition(mark) if mark else (after, "", "")
    if new and old and len(old.split()) <= _LONGEST_VALUE:
        return Correction(_bare(old), _bare(new), line.span, _bare(before))
    short = 0 < len(after.split()) <= _LONGEST_VALUE
    if not before or not short or not _set_apart(words[index - 1], after):
        return None
    new = _new_beside(after, before, line.text)
    return Correction(_bare(after), new, line.span, _bare(before))


def _new_beside(old: str, before: str, text: str) -> str:
    """It is physics she teaches, not chemistry: the value that is marked, else the part like the old one."""
    _, marked = values_put_right(text)
    found = marked if marked in before else ""
    return _bare(found) or _bare(_like(old, _last_part(before).removesuffix(" now")))


def _like(old: str, said: str) -> str:
    """Of `Theo plays the viola`, not the cello, of `seven hives`, not six: the part like the old value."""
    words, lead = said.split(), old.split()[0].lower()
    if re.fullmatch(NUM_EN, old.lower()):
        return next((word for word in words if re.fullmatch(NUM_EN, word.lower())), said)
    if lead in {"a", "an", "the", "my"} and lead in (low := [word.lower() for word in words]):
        return " ".join(words[len(low) - 1 - low[::-1].index(lead) :])
    return " ".join(words[-len(old.split()) :])


def _told_wrong(line: Line) -> Correction | None:
    """I told you Judith lives in Boise, but it's actually Spokane."""
    found = _TOLD_WRONG.match(line.text.replace("’", "'"))
    if found is None:
        return None
    old, new = _bare(_last_part(found["old"])), _bare(found["new"])
    short = max(len(old.split()), len(new.split())) <= _LONGEST_VALUE
    return Correction(old, new, line.span, found["old"]) if old and new and short else None


def _set_apart(before: str, after: str) -> bool:
    """She's 71 not 70: one number for another needs no comma."""
    numbers = before[:1].isdigit() and after[:1].isdigit()
    days = _A_DAY.fullmatch(before) is not None and _A_DAY.match(after.removeprefix("the ")) is not None
    return numbers or days or before.endswith(",") or before.lower() == "now"


def _after_cut(line: Line) -> Correction | None:
    """`I meant the 22nd`, `the party got moved to Sunday`: the value is what follows."""
    low = f" {line.text.lower().replace('’', chr(39))} "
    cut = next(
        (c for c in _words("en", "cuts") if f" {c} " in low and low.partition(f" {c} ")[2].strip()), ""
    )
    if not cut:
        return None
    at = low.index(f" {cut} ") + len(cut) + 1
    new, _, more = line.text[at:].strip(" ,.!:").partition(",")
    about = line.text[: max(0, at - len(cut) - 1)].strip(" ,.")
    about = more.strip() if about.lower() in _words("en", "oops") or not about else about
    if cut.endswith(("to", "until", "for")) and about.split()[:1] and about.split()[0].lower() in _movers():
        return None
    if cut.startswith("correction") and not about:
        return Correction("", _bare(_last_part(new)), line.span, _bare(new))
    return Correction("", _bare(new), line.span, about)


def _movers() -> frozenset[str]:
    """Who moves to a town moves no plan."""
    return entries("en/words", "pronouns") - {"it", "that", "this"}


def _last_part(text: str) -> str:
    """What stands after the last `is`, `on`, `at`: the value itself."""
    low = text.lower()
    mark = next((mark for mark in _words("en", "value_after") if mark in low), "")
    return text[low.rindex(mark) + len(mark) :] if mark else text


def _bare(text: str) -> str:
    text = text.strip(" ,.!;:")
    for lead in _words("en", "value_leads"):
        if text.lower().startswith(f"{lead} "):
            text = text[len(lead) + 1 :]
    return text.strip()
