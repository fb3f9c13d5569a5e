"""Likes and dislikes of a clause, by the rows of `tables/<language>/tastes.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from cocoro_ghost.language.read.clause import Clause, Phrase, hits
from cocoro_ghost.language.read.english import rest_of
from cocoro_ghost.language.read.kinds import Context, domain_of, is_self, named_subject, subject_of, who_of
from cocoro_ghost.language.read.subjects import coordinated, tidied
from cocoro_ghost.language.read.tables import either, entries, pairs, phrases
from cocoro_ghost.language.read.taste_rows import Row, row_of
from cocoro_ghost.model.preference import Domain, Polarity
from cocoro_ghost.model.reading import Certainty, Claim, Slot, Taste, Who

_UNREAL = ("question", "cond", "want", "quoted", "sarcasm", "wonder_you")
_KANA = re.compile(r"[\u3041-\u309fー]{2,}")


@dataclass(frozen=True, slots=True)
class Tasted:
    """The tastes of a clause, and what it was about for the clauses after it."""

    tastes: tuple[Taste, ...] = ()
    claims: tuple[Claim, ...] = ()
    topics: tuple[Phrase, ...] = ()
    held: bool = False
    """A row spoke of it, but nothing is claimed: a question, a wish."""
    wants: bool = False
    """A taste is told, its thing not yet."""


def tastes_of(
    clause: Clause,
    context: Context,
    topics: Sequence[Phrase],
    before: Who | None,
    *,
    then: bool = False,
    asked: Polarity | None = None,
) -> Tasted:
    """What the clause says is liked or not; `topics`: what was spoken of before, `then`: a past."""
    only = _only(clause, context, before)
    if clause.describes is not None or only:
        return Tasted(claims=only)
    if asked and clause.noun and not clause.phrases:
        return _made(clause, context, (clause.noun,), _Said(asked, Certainty.SAID, False), before)
    if (inverted := _inverted(clause, context) or _preferred(clause, context)) is not None:
        polarity, things = inverted
        return _made(clause, context, things, _Said(polarity, Certainty.SAID, False), before)
    return _by_row(clause, context, topics, before, then=then)


def _by_row(
    clause: Clause, context: Context, topics: Sequence[Phrase], before: Who | None, *, then: bool
) -> Tasted:
    row = row_of(clause, context.code)
    if row is None:
        return Tasted(topics=_things(clause, context))
    others = "subj" not in row.subject and named_subject(clause, context) is not None
    if others or _strangers(clause, context):
        # The dog hates the vacuum, みおは絶叫系が苦手: nobody's taste that is kept.
        return Tasted()
    things = _subjects(clause, row, context) or (() if row.explicit else tuple(topics))
    said = _said(clause, row, then=then)
    if said is None or not things:
        return Tasted(topics=things, held=True, wants=said is not None and not things)
    return _made(clause, context, things, said, before)


def _only(clause: Clause, context: Context, before: Who | None) -> tuple[Claim, ...]:
    """カレーも甘口しか食べられない tells what is eaten, and no dislike of curry."""
    only = clause.by_role("しか") if context.japanese and clause.has("neg") else None
    if only is None or clause.has("past", "prog") or not hits(entries("ja/words", "eating"), clause):
        return ()
    who, _ = subject_of(clause, context, before)
    return (Claim(who, Slot.DIET, only.text, clause.span, detail=clause.text.strip("、。 ")),)


def _strangers(clause: Clause, context: Context) -> bool:
    """Japanese: somebody with a name that was not told yet stands where the speaker would."""
    held = [p for p in clause.phrases if p.role in {"は", "も"} and p.proper and _KANA.fullmatch(p.text)]
    liked = any(p.role in {"が", "を"} for p in clause.phrases)
    return liked and any(not is_self(p, context) and who_of(p, context) is None for p in held)


@dataclass(frozen=True, slots=True)
class _Said:
    polarity: Polarity
    certainty: Certainty
    ended: bool
    replaces: bool = False


def _said(clause: Clause, row: Row, *, then: bool) -> _Said | None:
    """Polarity and certainty after negation, tense and doubt; None where nothing is claimed."""
    if clause.has(*_UNREAL) or (clause.has("hearsay") and not clause.has("explain")):
        return None
    if row.ended:
        return None if clause.has("hedge") else _Said(row.polarity, Certainty.SAID, True)
    if row.flip and clause.has("neg"):
        return _flipped(clause, row)
    then = then or clause.has("used")
    if then or (clause.has("past", "said_before") and not clause.has("prog", "become")):
        # 嫌いだった alone ends nothing; beside a liking of today it does.
        return _Said(row.polarity, Certainty.PAST if then or clause.has("before") else Certainty.DENIED, True)
    certainty = Certainty.HEDGED if clause.has("hedge") else row.certainty
    return _Said(row.polarity, certainty, False, clause.has("become"))


def _flipped(clause: Clause, row: Row) -> _Said:
    """Not to like is a dislike, no longer to like an end; not to hate is hardly a liking."""
    if clause.has("ended", "become", "anymore"):
        return _Said(row.polarity, Certainty.SAID, True)
    if row.polarity is Polarity.DISLIKE:
        return _Said(Polarity.LIKE, Certainty.HEDGED, False)
    return _Said(Polarity.DISLIKE, Certainty.HEDGED if clause.has("hedge") else Certainty.SAID, False)


def _made(
    clause: Clause, context: Context, things: Sequence[Phrase], said: _Said, before: Who | None
) -> Tasted:
    who, holder = subject_of(clause, context, before)
    thing = not who.role or (who.kind == "pet" and not who.name)
    if holder is not None and thing and len(things) == 1 and things[0].span == holder.span:
        # ボルダリングは飽きた, 猫が好き: what looks like somebody is the thing itself.
        who, holder = before or Who(), None
    things = [thing for thing in things if thing is not holder]
    if who.kind != "me":
        return Tasted(claims=_of_other(clause, who, things, said), topics=tuple(things))
    verbs = (*clause.words, *(thing.verb for thing in things))
    sure = {Certainty.SAID: 0.9, Certainty.DENIED: 0.2}.get(said.certainty, 0.5)
    found = tuple(
        Taste(
            said.polarity,
            subject,
            _domain(subject, thing, verbs, context),
            thing.span,
            said.certainty,
            said.ended,
            said.replaces,
            sure,
        )
        for thing in things
        for subject in _named_things(thing, context)
    )
    return Tasted(found, (), tuple(things))


def _named_things(thing: Phrase, context: Context) -> Iterator[str]:
    """Each thing of a phrase that names several, without what is no part of its name."""
    for subject in coordinated(thing, context):
        tidy = tidied(subject, thing, context)
        if tidy and tidy.lower() not in entries(f"{context.code}/tastes", "not_subject"):
            yield tidy


def _domain(subject: str, thing: Phrase, verbs: Sequence[str], context: Context) -> Domain:
    if thing.verb in entries(f"{context.code}/tastes", "talking") and thing.verb:
        found = domain_of(thing.text, context.language)
        if found is Domain.STYLE:
            return found
    return domain_of(subject, context.language, verbs)


_JOINED = frozenset({"と", "&", ","})


@cache
def _nobodies() -> frozenset[str]:
    """彼, everyone: no one in particular; a 彼氏 is one's own."""
    own = either("ja/lexicon", "family", "couple") | either("en/lexicon", "family", "couple")
    return (entries("ja/lexicon", "third") | entries("en/lexicon", "third")) - own


def _of_other(clause: Clause, who: Who, things: Sequence[Phrase], said: _Said) -> tuple[Claim, ...]:
    """Another's taste is a fact about them, never a preference."""
    nobody = not who.name and who.role in _nobodies()
    if nobody or who.kind in {"ghost", "other"} or said.ended or not things or not (who.name or who.role):
        return ()
    value = things[0].text
    return (Claim(who, Slot.TASTE, value, clause.span, said.certainty, detail=clause.text.strip("、, ")),)


def _subjects(clause: Clause, row: Row, context: Context) -> tuple[Phrase, ...]:
    """What a fitting row says is liked or not."""
    compound = _compound(clause, row)
    if compound is not None:
        return (compound,)
    if not context.japanese:
        return _after(clause, row, context)
    return _liked_phrases(clause, row, context)


def _liked_phrases(clause: Clause, row: Row, context: Context) -> tuple[Phrase, ...]:
    """The phrases of the first role that has one fit to be liked; several も or と stand together."""
    liked = [p for p in clause.phrases if _may_be_liked(p, context)]
    for role in row.subject:
        chosen = [p for p in liked if p.role == role and _may_be_of(p, row)]
        if chosen:
            return _with_joined(chosen if role == "も" else chosen[-1:], liked)
    return tuple(p for p in liked if p.role == "&") or _season(clause)


def _season(clause: Clause) -> tuple[Phrase, ...]:
    """冬は大好き: where nothing else is liked, a season says not when, but what."""
    seasons = entries("ja/tastes", "seasons")
    return tuple(p for p in clause.phrases if p.text in seasons and p.role in {"は", "が"})[-1:]


def _with_joined(chosen: Sequence[Phrase], liked: Sequence[Phrase]) -> tuple[Phrase, ...]:
    joined = (p for p in liked if p.role in _JOINED and p.span[1] <= chosen[-1].span[0])
    return (*(p for p in joined if p not in chosen), *chosen)


def _may_be_of(phrase: Phrase, row: Row) -> bool:
    """Some rows tell only of what is done, some only of things."""
    of_kind = not (row.clausal or row.plain) or bool(phrase.verb) is row.clausal
    return of_kind and row.beside.isdisjoint((phrase.head, phrase.text))


def _compound(clause: Clause, row: Row) -> Phrase | None:
    """盆栽好き, 猫派: the thing and the liking in one word."""
    noun = clause.noun
    if noun is None or clause.places:
        return None
    for word in phrases("ja/tastes", "compound"):
        thing = noun.text.removesuffix(word)
        nothing = thing in entries("ja/tastes", "not_subject")  # ほんと嫌い
        if thing and thing != noun.text and word in row.words and not nothing:
            return noun._replace(text=thing, span=(noun.span[0], noun.span[1] - len(word)))
    return None


def _after(clause: Clause, row: Row, context: Context) -> tuple[Phrase, ...]:
    """English: what follows the words of the row, or what stands before the verb."""
    if row.subject[0] == "subj":
        subject = clause.by_role("subj")
        return (subject,) if subject is not None and _may_be_liked(subject, context) else ()
    count = max(len(hit.split()) for hit in hits(row.words, clause))
    rest = rest_of(clause, count, row.keep)
    if rest is not None and row.text and row.words & {"find"}:
        rest = _without_verdict(rest, row)
    return (rest,) if rest is not None and _may_be_liked(rest, context) else ()


def _without_verdict(rest: Phrase, row: Row) -> Phrase | None:
    """Horror films of `I find horror films really boring`."""
    low = rest.text.lower()
    verdict = max((f" {word}" for word in row.text if f" {word}" in low), key=len, default="")
    words = rest.text[: low.index(verdict)].split() if verdict else rest.text.split()
    adverbs = entries("en/words", "adverbs")
    thing = [word for word in words if word.lower() not in adverbs and not word.lower().endswith("ly")]
    return rest._replace(text=" ".join(thing)) if thing else None


def _things(clause: Clause, context: Context) -> tuple[Phrase, ...]:
    """What a clause without a taste is about, for the next one: 納豆、昔は食べてたけど…"""
    fit = [
        p for p in clause.phrases if (p.topic or p.role in {"を", "が", "obj"}) and _may_be_liked(p, context)
    ]
    if clause.noun is not None and not clause.phrases and _may_be_liked(clause.noun, context):
        return (clause.noun,)
    return tuple(fit[:1])


def _may_be_liked(phrase: Phrase, context: Context) -> bool:
    if is_self(phrase, context) or context.is_time(phrase):
        return False
    if phrase.verb:
        return True
    found = who_of(phrase, context)
    someone = found is not None and (found.kind == "ghost" or (found.kind == "person" and bool(found.role)))
    if someone and phrase.role not in {"が", "obj", "を"}:
        return False
    return phrase.text.lower() not in entries(f"{context.code}/tastes", "not_subject")


def _inverted(clause: Clause, context: Context) -> tuple[Polarity, tuple[Phrase, ...]] | None:
    """好きな食べ物は寿司, my favourite food is sushi: the predicate is the thing."""
    if clause.noun is None or clause.has(*_UNREAL) or "為る" in clause.words:
        return None
    if not context.japanese and (person := _sort_of_person(clause.noun)) is not None:
        return Polarity.DISLIKE if clause.has("neg") else Polarity.LIKE, (person,)
    for phrase in clause.phrases:
        if not phrase.topic and phrase.role not in {"が", "subj"}:
            continue
        own = phrase.text.removeprefix("私の").removeprefix("僕の").removeprefix("俺の").lower()
        polarity = _liking(own, context)
        if polarity is not None:
            asked = clause.noun.text in entries(f"{context.code}/words", "asking")
            near = [p for p in clause.phrases if p.role in {"と", "&"} and p.span[0] > phrase.span[0]]
            return None if asked else (polarity, (*near, clause.noun))
    return None


def _sort_of_person(noun: Phrase) -> Phrase | None:
    """The cats of a cat person, more of a cat person than a dog person."""
    own = noun.text.partition(" than ")[0]
    if not own.lower().endswith(" person"):
        return None
    kind = own.split()[-2]
    plural = kind if kind.endswith("s") else f"{kind}s"
    return noun._replace(text=plural, head=plural)


def _preferred(clause: Clause, context: Context) -> tuple[Polarity, tuple[Phrase, ...]] | None:
    """海より断然山, dogs over cats any day: what stands alone against something else is what one likes."""
    if clause.noun is None or clause.has(*_UNREAL, "past", "neg"):
        return None
    rather = entries(f"{context.code}/tastes", "rather")
    if context.japanese:
        said = {mark.removeprefix("adv:") for mark in clause.marks if mark.startswith("adv:")}
        against = [p.role for p in clause.phrases] == ["より"]
        return (Polarity.LIKE, (clause.noun,)) if against and said & rather else None
    thing, over, _ = clause.noun.text.partition(" over ")
    sure = not clause.words and any(word in clause.text.lower() for word in rather)
    return (Polarity.LIKE, (clause.noun._replace(text=thing, head=thing),)) if over and sure else None


@cache
def _likings(code: str) -> tuple[str, ...]:
    return tuple(word for word, _ in pairs(f"{code}/tastes", "inverted"))


def _liking(words: str, context: Context) -> Polarity | None:
    """What 好きな飲み物, my favourite drink begins with."""
    if not words.startswith(_likings(context.code)):
        return None
    known = pairs(f"{context.code}/tastes", "inverted")
    return next(Polarity(key) for word, key in known if words.startswith(word))


def asked_of_self(clause: Clause, context: Context) -> Polarity | None:
    """好きな飲み物？ asked before one's own answer."""
    named = clause.noun or next(iter(clause.phrases), None)
    if named is None or (clause.words and clause.noun is None):
        return None
    return _liking(named.text.lower(), context)


def settled(found: Sequence[Taste]) -> tuple[Taste, ...]:
    """Each subject once per polarity; what is told as over and as new is over and new."""
    kept: dict[tuple[str, str], Taste] = {}
    for taste in found:
        key = (taste.subject.lower(), taste.polarity.value)
        old = kept.get(key)
        if taste.certainty is Certainty.DENIED and not _other_side(taste, found):
            continue
        if old is None or _weight(taste) > _weight(old):
            kept[key] = taste
    likes = {subject for subject, polarity in kept if polarity == "like"}
    return tuple(
        replace(t, replaces=True) if t.subject.lower() in likes and not t.ended and _turned(t, kept) else t
        for t in kept.values()
    )


def _other_side(taste: Taste, found: Sequence[Taste]) -> bool:
    return any(
        other.subject.lower() == taste.subject.lower()
        and other.polarity is not taste.polarity
        and not other.ended
        for other in found
    )


def _turned(taste: Taste, kept: Mapping[tuple[str, str], Taste]) -> bool:
    other = kept.get((taste.subject.lower(), taste.polarity.opposite.value))
    return other is not None and other.ended


def _weight(taste: Taste) -> int:
    return 3 if taste.ended else 2 if taste.certainty is Certainty.SAID else 1
