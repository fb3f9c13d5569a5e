"""Where tables and the trained head meet: tables decide what a sentence does where a cue says so, the head
where they are silent (a plain telling) or guess (a question about nothing known)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Literal

from cocoro_ghost.language.heads import ASKED
from cocoro_ghost.language.heads import shares as shares_of
from cocoro_ghost.language.matching import Does, does
from cocoro_ghost.language.read.acts import Done
from cocoro_ghost.language.read.asked import question_of
from cocoro_ghost.language.read.cues import cue
from cocoro_ghost.language.read.engine import Line
from cocoro_ghost.language.read.forget_words import wish_in
from cocoro_ghost.language.read.kinds import Context
from cocoro_ghost.language.read.sentence_spans import begins_in
from cocoro_ghost.model.event import EntityType
from cocoro_ghost.model.reading import Act

_AGREED = 0.3
"""How far the network of matching must hold a wish to forget for one."""
CLASSES = (
    "agree", "ask_ghost", "ask_me", "ask_past", "ask_world", "chat", "correct", "deny", "distress",
    "farewell", "forget", "greet", "hypothetical", "insult", "joke", "quote", "remind", "request", "teach",
    "thank", "wish",
)  # fmt: skip
"""What the head tells apart; the order is part of the weights. `teach` and `chat` are both tellings."""
LONGEST = 120
"""A longer sentence does more than one thing."""
_UNSURE = frozenset({Act.TELL, Act.ASK_WORLD, Act.ASK_GHOST})
_ABOUT: Mapping[str, Literal["me", "past", "world", "ghost"]] = MappingProxyType(
    {"ask_me": "me", "ask_past": "past", "ask_world": "world", "ask_ghost": "ghost"}
)
_NEEDED: Mapping[str, float] = MappingProxyType(
    {
        "ask_me": 0.55, "ask_past": 0.55, "ask_world": 0.5, "ask_ghost": 0.5, "request": 0.5, "deny": 0.55,
        "forget": 0.5, "wish": 0.6, "greet": 0.5, "farewell": 0.9, "thank": 0.5, "agree": 0.4, "joke": 0.45,
        "quote": 0.4, "hypothetical": 0.55, "insult": 0.65,
    }
)  # fmt: skip
"""How sure the head must be: the more, the more a wrong guess costs."""

_MAY_ASK: Mapping[Act, float] = MappingProxyType(
    {
        Act.ASK_WORLD: 0.5, Act.ASK_GHOST: 0.7, Act.TELL: 0.5, Act.QUOTE: 0.7, Act.JOKE: 0.8, Act.WISH: 0.8,
        Act.HYPOTHETICAL: 0.9,
    }
)  # fmt: skip
"""What may be a question to memory all the same, where its own head is so sure."""
_CUT_SHORT, _COMPLETE = 0.9, 0.99
"""The same of what has no word that asks."""
_OF_THE_WORLD = {"ja": 0.7, "en": 0.95}
"""From when on the head of acts hears a question that no memory answers: 一番高い山はどこ."""
_SURE = 0.55
"""From when on what tells of a liking is a joke all the same."""
_ASKED = 0.1
"""What a question is about was only guessed by the tables, so the head may be less sure."""


def settle(lines: Sequence[Line], done: Sequence[Done], context: Context) -> list[Done]:
    """What each sentence does by tables and heads together."""
    said = [line.said for line in lines]
    # One look of a head at all of them costs little more than at one.
    asked = shares_of(f"asked_{context.code}", said, context.language)
    shares = shares_of(f"acts_{context.code}", said, context.language)
    every = list(zip(lines, done, asked, shares, strict=True))
    heard = [_remembering(line, was, own, acts, context) for line, was, own, acts in every]
    return [
        _by_tables(line, one, context) or _by_head(line, one, acts, context)
        for line, one, acts in zip(lines, heard, shares, strict=True)
    ]


def _remembering(
    line: Line, done: Done, asked: Sequence[float], acts: Sequence[float], context: Context
) -> Done:
    """A question about what was told before, whatever its words and marks, where the head hears one."""
    needed = _MAY_ASK.get(done.acts[0], 1.1)
    if done.question is None and not _has_word_that_asks(line, context):
        needed = max(needed, _COMPLETE if _is_complete(line) else _CUT_SHORT)
    if not line.heard or asked[ASKED.index("memory")] < needed:
        return done
    if acts[CLASSES.index("ask_world")] >= _OF_THE_WORLD[context.code] or cue(
        f"{line.text}?", context.code, "advice"
    ):
        return done
    return _asking("ask_me", line, done, context)


def _has_word_that_asks(line: Line, context: Context) -> bool:
    """なん asks in 名前なんだった; 専攻は建築なんだ and 犬が好きなんだけど explain."""
    word = cue(line.text, context.code, "asking_words")
    return bool(word) and not (word == "なん" and _explains(line))


def _explains(line: Line) -> bool:
    return _is_complete(line) and bool(cue(line.text, "ja", "explains"))


def _is_complete(line: Line) -> bool:
    """名前は遼, her name is Ines: says of something what it is; 猫の名前は, my dogs' names do not."""
    last = line.clauses[-1] if line.clauses else None
    said = last is not None and (last.noun is not None or bool(last.words))
    return said and any(p.topic or p.role in {"が", "subj"} for c in line.clauses for p in c.phrases)


def _by_tables(line: Line, done: Done, context: Context) -> Done | None:
    """What a sentence does, or None where the tables do not know."""
    said = cue(line.text, context.code, "advice") or cue(line.text, context.code, "asks_leave")
    if said or done.acts[0] not in _UNSURE or len(line.text) > LONGEST or not line.heard:
        return done
    named = done.question is not None and bool(done.question.who.name)
    if Act.ASK_WORLD in done.acts and (named or _names_somebody(line, context)):
        return _asking("ask_past", line, done, context)
    return None


def _by_head(line: Line, done: Done, shares: Sequence[float], context: Context) -> Done:
    """What a sentence does where the head is sure enough."""
    best = max(range(len(CLASSES)), key=shares.__getitem__)
    label = CLASSES[best]
    needed = _NEEDED.get(label, 1.1) - (_ASKED if done.question else 0)
    if shares[best] < needed or (Act.ASK_GHOST in done.acts and label in _ABOUT):
        return done
    if label in _ABOUT:
        return done if _goes_on(line, done, context) else _asking(label, line, done, context)
    # 推しは目黒くん is no joke; what English says in jest it says with the same words (I just LOVE waiting).
    if label == "joke" and context.japanese and cue(line.text, "ja", "slots.taste") and shares[best] < _SURE:
        return done
    if label == "forget":
        # もの忘れがひどい: two must agree that something be forgotten.
        heard = does(line.text).get(Does.FORGETS, 1.0) >= _AGREED
        known = not heard or cue(line.text, context.code, "not_forget")
        return done if known else Done((Act.FORGET,), forget=wish_in(line, context))
    act = Act(label)
    return Done((act, Act.TELL) if act is Act.QUOTE else (act,))


def _goes_on(line: Line, done: Done, context: Context) -> bool:
    """化学を教えています asks nothing: 教えて would. Nor does ぽてとって名前なんだけど."""
    if done.question is not None or not line.clauses:
        return False
    return line.clauses[-1].has("prog") or (context.japanese and _explains(line))


def _names_somebody(line: Line, context: Context) -> bool:
    """Who is asked about by name is looked for among those the person told of."""
    return any(name.type is EntityType.PERSON and begins_in(name.span, line.span) for name in context.names)


def _asking(label: str, line: Line, done: Done, context: Context) -> Done:
    """A question of the head's kind; what has no known slot is looked for in the past."""
    question = done.question or question_of(line, context)
    about = _ABOUT[label]
    if about == "me" and question.slot is None:
        about = "past"
    act = Act.ASK_PAST if about == "past" else Act(label)
    return Done((act,), question=replace(question, about=about))
