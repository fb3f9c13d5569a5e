"""Lasting facts of a clause, by the rows of `tables/<language>/claims.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Annotated

from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter
from pydantic.dataclasses import dataclass

from cocoro_ghost.language.read.clause import Clause, Index, Phrase, hits, inverted
from cocoro_ghost.language.read.english import rest_of
from cocoro_ghost.language.read.english_words import gerund
from cocoro_ghost.language.read.gone_by import denied_now, how_long
from cocoro_ghost.language.read.kinds import Context, is_food, is_self, is_you, named_subject, subject_of
from cocoro_ghost.language.read.tables import Words, entries, phrases, table, words_of
from cocoro_ghost.language.read.values import noun_is, value_in, wants_class
from cocoro_ghost.model.event import EntityType
from cocoro_ghost.model.reading import Certainty, Claim, Slot, Who

_UNREAL = ("question", "cond", "quoted", "hearsay_other", "sarcasm")
_MOMENTS = frozenset({"時", "とき", "頃", "ころ", "間", "日", "瞬間", "時間", "最中"})
"""Nouns whose clause tells of a moment, not of what lasts: ギターを弾いてるとき."""
_SELF_NOUNS = frozenset({"者", "もの", "物"})
_HOMES = frozenset({"near", "outside", "in", "by"})
_SPOKEN = re.compile(r"([^、。\s「」はをにら]{1,12})」?(?:って|と)呼")
"""みー of みーって呼んで: what one wants to be called need not be a word."""
_ARTICLE = re.compile(r"\b(?:an?|the|my|our) $", re.IGNORECASE)
_KANA = re.compile(r"[ぁ-んァ-ヶー]{2,8}")
_OF_SOMEBODY = frozenset({Slot.ALLERGY, Slot.AGE, Slot.HEALTH, Slot.SCHOOL})
"""What one body has: whoever it is told of, it is not somebody else's."""
_OWN_KIN = frozenset({"couple", "family", "pet_own"})
_NAMES = frozenset({"名前", "name", "names"})
_WORK = frozenset({Slot.WORK, Slot.EMPLOYER})


def _roles(listed: str) -> tuple[str, ...]:
    """The roles a value may stand in; a space at the end stands for none."""
    return (*words_of(listed), *(("",) if listed.endswith(" ") else ()))


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class Row:
    """One construction that tells something lasting, as the table has it."""

    slot: Slot
    words: Words = frozenset()
    noun: Words = frozenset()
    topic: Words = frozenset()
    beside: Words = frozenset()
    value: Annotated[tuple[str, ...], BeforeValidator(_roles)] = ()
    kind: Annotated[str, Field(alias="is")] = "any"
    who: str = "me"
    needs: Words = frozenset()
    unless: Words = frozenset()
    join: str = ""
    join_words: bool = False
    state: bool = False
    """It lasts while it is so: of a time gone by it is told as over."""
    over: Words = frozenset()
    """Marks by which it is over; `always` where the words alone say so."""
    text: Annotated[Words, Field(alias="needs_text")] = frozenset()
    shape: str = "{}"


@cache
def _rows(code: str) -> tuple[Row, ...]:
    return TypeAdapter(tuple[Row, ...]).validate_python(table(f"{code}/claims")["claim"])


@cache
def _index(code: str) -> Index:
    rows = _rows(code)
    return Index(
        inverted(() if row.topic or row.noun else (word.split()[0] for word in row.words) for row in rows),
        inverted(row.topic for row in rows),
        inverted(() if row.topic else row.noun for row in rows),
        tuple(n for n, row in enumerate(rows) if not row.topic and wants_class(row.noun)),
    )


def claims_of(clause: Clause, context: Context, before: Who | None = None) -> list[Claim]:
    """Every lasting thing the clause tells, one a slot; work and employer of one clause are one."""
    if clause.has(*_UNREAL) or (clause.describes is not None and clause.describes.head in _MOMENTS):
        return []
    clause = denied_now(clause) or clause
    found: dict[Slot, Claim] = {}
    others = subject_of(clause, context)[0].kind == "person"
    rows = _rows(context.code)
    for row in (rows[number] for number in _index(context.code).candidates(clause)):
        if row.slot in found or (row.slot in _WORK and _WORK & found.keys()):
            continue
        claim = next(_matches(row, clause, context, before, others=others), None)
        if claim is not None and not (clause.has("over") and claim.certainty is not Certainty.PAST):
            found[row.slot] = claim
    return _without_studied(found)


def _without_studied(found: dict[Slot, Claim]) -> list[Claim]:
    """大学では建築を専攻: what is studied is not one's work."""
    studied = found[Slot.SCHOOL].value if Slot.SCHOOL in found else ""
    return [c for c in found.values() if not (studied and c.slot in _WORK and studied in c.value)]


def _matches(
    row: Row, clause: Clause, context: Context, before: Who | None, *, others: bool
) -> Iterator[Claim]:
    topic = _fits(row, clause, context, others=others)
    if topic is None:
        return
    who = _who(row, clause, context, before, topic)
    if who is None:
        return
    for role in row.value:
        for phrase in _in_role(clause, role, row):
            value = value_in(phrase, row.kind, clause, context)
            if value and row.slot is Slot.NAME and row.words and who in (Who(), Who("person", value)):
                value = value if _introduces(phrase, clause, context) else ""
            # Yes, Chef and Sorry, Doctor call somebody.
            if value and not (row.slot is Slot.WORK and _calls_somebody(clause, context)):
                yield _claim(row, clause, who, value, phrase, context)
    if row.kind in {"someone_or_none", "optional"}:
        yield _claim(row, clause, who, "", None, context)


def _calls_somebody(clause: Clause, context: Context) -> bool:
    """English: a trade behind a comma and at most one word, without a verb."""
    before, comma, _ = clause.text.rpartition(", ")
    return not context.japanese and not clause.words and bool(comma) and len(before.split()) <= 1


def _introduces(phrase: Phrase, clause: Clause, context: Context) -> bool:
    """健太っていいます gives a name; 三日坊主って言うけど does not."""
    if clause.describes is not None and clause.describes.head not in _SELF_NOUNS:
        # 研二さんっていう大工: somebody is described.
        return False
    own = any(is_self(p, context) for p in clause.phrases)
    return own or context.introducing or phrase.proper or bool(context.name_in(phrase, EntityType.PERSON))


def _fits(row: Row, clause: Clause, context: Context, *, others: bool) -> Phrase | bool | None:
    """The topic phrase of a `topic` row, True for another fitting row, None where the row does not fit."""
    allowed = {"past"} if others or _is_over(row, clause) else set()
    if (row.unless - allowed - row.over) & clause.marks:
        return None
    if row.topic:
        return _topic(row, clause)
    if not _marked(row, clause):
        return None
    fits = _is_such(row, clause, context) if row.noun else _says_so(row, clause)
    return True if fits else None


def _topic(row: Row, clause: Clause) -> Phrase | None:
    """名前 of 名前は健太."""
    if clause.noun is None and row.value == ("=",):
        return None
    held = (p for p in clause.phrases if p.topic or p.role in {"が", "subj"})
    return next((p for p in held if row.topic.intersection(p.called)), None)


def _is_such(row: Row, clause: Clause, context: Context) -> bool:
    noun = clause.noun
    # My teacher is somebody, not what I am.
    if noun is None or (noun.owner and not context.japanese):
        return False
    return noun_is(noun, row.noun, clause, context)


def _says_so(row: Row, clause: Clause) -> bool:
    if not hits(row.words, clause) or (row.text and not any(c in clause.text.lower() for c in row.text)):
        return False
    return not row.beside or any(_beside(p, row.beside) for p in clause.phrases)


def _beside(phrase: Phrase, wanted: frozenset[str]) -> bool:
    return phrase.head in wanted or any(word in phrase.text for word in wanted if len(word) > 1)


def _marked(row: Row, clause: Clause) -> bool:
    if not row.needs:
        return True
    marks = clause.marks or frozenset({"none"})
    return bool(row.needs & marks) or ("none" in row.needs and not marks & {"past", "neg", "want"})


def _who(row: Row, clause: Clause, context: Context, before: Who | None, topic: Phrase | bool) -> Who | None:
    """Whom a fitting row tells of; None where it is nobody whose facts are kept."""
    if row.slot is Slot.CALLED:
        return _wants_a_name(clause, context)
    who, holder = subject_of(clause, context, before)
    if holder is None and topic is True and _of_somebody_else(row, clause, context):
        return None
    named = _name_owned(clause)
    if named is not None and _is_his_or_her(named, context):
        return Who("other", "", named.owner)
    if row.kind in _OWN_KIN and holder is not None and not holder.topic:
        return Who()
    if isinstance(topic, Phrase) and topic.text in row.topic:
        topic = topic._replace(owner="")  # 前の会社 is nobody's but the speaker's
    of = topic if isinstance(topic, Phrase) else _owned(row, clause, named, context)
    told = _of_topic(of, holder, before, context, who) if of is not None else who
    return None if told is None else _kept(row, told)


def _name_owned(clause: Clause) -> Phrase | None:
    """Her name is …, 妹の名前は…: the topic that is somebody's name."""
    return next((p for p in clause.phrases if p.topic and p.head in _NAMES and p.owner), None)


def _is_his_or_her(named: Phrase, context: Context) -> bool:
    return not context.japanese and named.owner in entries("en/words", "his_her")


def _owned(row: Row, clause: Clause, named: Phrase | None, context: Context) -> Phrase | None:
    """猫の名前 of a row that names no topic itself."""
    if not context.japanese:
        return None
    return named or (_somebodys(clause.noun, context) if row.noun else None)


def _of_somebody_else(row: Row, clause: Clause, context: Context) -> bool:
    return named_subject(clause, context) is not None or _stranger(row, clause, context)


def _wants_a_name(clause: Clause, context: Context) -> Who | None:
    """What it is called, or she, is no wish of the speaker's."""
    asked = context.japanese or clause.words[:2] == ("call", "me")
    other = None if asked else clause.by_role("subj")
    return Who() if other is None or is_self(other, context) or is_you(other, context) else None


def _of_topic(
    topic: Phrase, holder: Phrase | None, before: Who | None, context: Context, who: Who
) -> Who | None:
    """Whose the topic is: 猫 of 猫の名前; a topic that owns nothing tells of who was spoken of before."""
    if topic.owner or _whose(topic):
        owner = _owner(topic)
        who, named = subject_of(Clause("", (0, 0), (owner,), (), frozenset()), context)
        if named is None and owner.text not in entries(f"{context.code}/words", "own"):
            return None
    return (before or Who()) if holder is topic else who


def _kept(row: Row, who: Who) -> Who | None:
    """Rows of the speaker's own tell of nobody else, but a pet of the house is theirs."""
    if row.who == "me" and row.slot is not Slot.FAMILY and who.kind != "me":
        return Who() if row.slot is Slot.PET and who.kind != "other" else None
    return None if who.kind == "ghost" else who


def _stranger(row: Row, clause: Clause, context: Context) -> bool:
    """ひまりは卵アレルギー: what the sentence is about has a name that nobody knows yet."""
    if not context.japanese or row.slot not in _OF_SOMEBODY:
        return False
    held = (p for p in clause.phrases if p.topic and p.role in {"は", "が", "も"})
    named = (p for p in held if _KANA.fullmatch(p.text) and p.text not in entries("ja/words", "own"))
    things = (is_self(p, context) or context.is_time(p) or is_food(p.text, context.language) for p in named)
    return not all(things)


def _somebodys(noun: Phrase | None, context: Context) -> Phrase | None:
    """明日は母の誕生日: what it is can be somebody's, as what it is about can."""
    if noun is None or not noun.owner:
        return None
    _, named = subject_of(Clause("", (0, 0), (_owner(noun),), (), frozenset()), context)
    return noun if named is not None else None


def _owner(topic: Phrase) -> Phrase:
    """猫 of 猫の名前, my mother of my mother's name."""
    owner = _whose(topic) or topic.owner
    return Phrase(owner, owner.rsplit("の", 1)[-1], "が", topic.span, True, "", "", topic.proper)


def _whose(topic: Phrase) -> str:
    return topic.text.replace("’", "'").rpartition("'s ")[0]


def _in_role(clause: Clause, role: str, row: Row) -> Iterator[Phrase]:
    if role == ">":
        keep = _HOMES if row.kind in {"home", "place"} else frozenset()
        rest = rest_of(clause, max((len(hit.split()) for hit in hits(row.words, clause)), default=0), keep)
        if rest is not None:
            yield rest
        return
    if role == "spoken":
        said = _SPOKEN.search(clause.text)
        if said is not None:
            at = clause.span[0]
            yield Phrase(said[1], said[1], "って", (at + said.start(1), at + said.end(1)))
        return
    if role == "=":
        if clause.noun is not None:
            yield clause.noun
        return
    for phrase in reversed(clause.phrases):
        if phrase.role == role:
            yield phrase


def _is_over(row: Row, clause: Clause) -> bool:
    """I worked at the post office, 以前は銀行に勤めていた: what was so then is so no more."""
    lasting = clause.has("prog") and clause.has("past")
    if row.state and (lasting or clause.has("used", "over")):
        return True
    return "always" in row.over or (clause.has(*row.over) and not clause.has("perf"))


def _former(value: str, who: Who, code: str) -> str:
    """What one was, of 元看護師, a former nurse; nothing where it says no such thing of the speaker."""
    leads = phrases(f"{code}/words", "former") if who.kind == "me" else ()
    said = next((lead for lead in leads if value.lower().startswith(lead)), "")
    return value[len(said) :].strip() if said else ""


def _shaped(row: Row, clause: Clause, value: str, phrase: Phrase | None) -> str:
    """The value with what the row says beside it: 図書館の司書, nurse at a children's hospital."""
    beside = clause.by_role(row.join) if row.join else None
    if beside is not None and beside is not phrase and value not in beside.text:
        article = _ARTICLE.search(clause.text[: beside.span[0] - clause.span[0]])
        where = f"{article[0] if article else ''}{beside.text}"
        value = f"{beside.text}の{value}" if row.join == "で" else f"{value} {row.join} {where}"
    if row.slot is Slot.WORK:
        value = value.removesuffix("の仕事")
    if row.join_words:
        done = next(iter(sorted(hits(row.words, clause), key=len, reverse=True)), "")
        value = f"{value} {done}".strip()
    return row.shape.format(value, verb=gerund(clause.base)) if value else value


def _claim(row: Row, clause: Clause, who: Who, value: str, phrase: Phrase | None, context: Context) -> Claim:
    value = _shaped(row, clause, value, phrase)
    if row.slot is Slot.NAME and who == Who("person", value):
        # Nobody but the name itself is named: whoever speaks introduces themselves.
        who = Who()
    elif row.slot is Slot.NAME and who.kind in {"person", "pet"}:
        who = replace(who, name=value)
    was = _former(value, who, context.code) if row.slot in _WORK else ""
    over = bool(was) or _is_over(row, clause)
    certainty = Certainty.PAST if over else Certainty.HEDGED if clause.has("hedge") else Certainty.SAID
    since, until = how_long(clause, context) if over else (None, None)
    said = clause.text.removesuffix("と") if clause.link == "と" else clause.text
    said = value if row.slot is Slot.STUDY and row.shape != "{}" else said
    return Claim(
        who, row.slot, was or value, clause.span, certainty, since, until, detail=said.strip("、, 。")
    )
