"""Replies to told tastes: takes up every one that memory will keep, and notices when one has turned."""

from __future__ import annotations

import re

from cocoro_ghost.mind.embedded.news import same_subject
from cocoro_ghost.mind.embedded.talk import Talk
from cocoro_ghost.mind.embedded.taste import Taste
from cocoro_ghost.model.preference import Domain, Polarity
from cocoro_ghost.model.scene import KnownPreference


def reply_to_tastes(talk: Talk) -> list[str]:
    """The line about tastes and a question that suits it; empty when none was told."""
    turned = _turned(talk)
    if turned is not None:
        return [turned, talk.say("flip.ask") if talk.may_ask(50) else ""]
    told = [taste for taste in talk.news.tastes if taste.op != "revoke"]
    if not told:
        return []
    if all(taste.domain is Domain.STYLE for taste in told):
        return [talk.must("style.react")]
    likes = [taste.subject for taste in told if taste.polarity is Polarity.LIKE]
    dislikes = [taste.subject for taste in told if taste.polarity is Polarity.DISLIKE]
    if likes and dislikes:
        return [talk.must("taste.both", likes=joined(talk, likes), dislikes=joined(talk, dislikes)), ""]
    kind = "like" if likes else "dislike"
    return [_taken_up(talk, told, kind), _asked(talk, told[0], kind)]


def joined(talk: Talk, subjects: list[str]) -> str:
    """`ラーメンとカレー`, `ramen and curry`."""
    named = [subject if talk.japanese else _lowered(subject, talk.text) for subject in subjects[:3]]
    if talk.japanese:
        return "と".join(named)
    return " and ".join(named) if len(named) < 3 else f"{named[0]}, {named[1]} and {named[2]}"


def _lowered(subject: str, text: str) -> str:
    """A capital from the sentence's beginning only; names keep theirs."""
    first, _, rest = subject.partition(" ")
    begins = text.startswith(subject) or re.fullmatch(r"[A-Z][a-z]+s", subject)
    return subject.lower() if begins and rest == rest.lower() and first[1:] == first[1:].lower() else subject


def _taken_up(talk: Talk, told: list[Taste], kind: str) -> str:
    subjects = joined(talk, [taste.subject for taste in told])
    known = [p.subject for p in talk.scene.preferences if p.polarity.value == kind]
    if all(any(same_subject(taste.subject, subject) for subject in known) for taste in told):
        return talk.must(f"{kind}.known", topic=subjects, a_topic=subjects)
    sure = all(taste.op == "confirm" for taste in told)
    return talk.must(f"{kind}.react" if sure else f"{kind}.maybe", topic=subjects, a_topic=subjects)


def _asked(talk: Talk, taste: Taste, kind: str) -> str:
    if taste.op != "confirm" or not talk.may_ask(60):
        return ""
    return talk.say(f"{kind}.ask_food" if taste.domain is Domain.FOOD else f"{kind}.ask")


def _turned(talk: Talk) -> str | None:
    """The reply to a taste that is no longer what it was."""
    for taste in talk.news.tastes:
        subject = joined(talk, [taste.subject])
        other = _instead(talk, taste) if taste.op == "revoke" else ""
        if other:
            return talk.must("flip.instead", subject=subject, other=joined(talk, [other]))
        if taste.op == "revoke":
            return talk.must(f"flip.{_after_revoking(talk, taste)}", subject=subject)
        if _known(talk, taste.subject, taste.polarity.opposite) is not None:
            return talk.must(f"flip.{taste.polarity.value}", subject=subject)
    held = _softened(talk)
    return talk.must("flip.no_dislike", subject=held.subject) if held is not None else None


def _instead(talk: Talk, revoked: Taste) -> str:
    """What is liked instead, when one thing was corrected into another."""
    same = (t for t in talk.news.tastes if t.op == "confirm" and t.polarity is revoked.polarity)
    return next((t.subject for t in same if not same_subject(t.subject, revoked.subject)), "")


def _after_revoking(talk: Talk, revoked: Taste) -> str:
    """`like` when the opposite is told in the same breath, else `no_dislike`."""
    now = revoked.polarity.opposite
    said = any(
        taste.op != "revoke" and taste.polarity is now and same_subject(taste.subject, revoked.subject)
        for taste in talk.news.tastes
    )
    return now.value if said else f"no_{revoked.polarity.value}"


def _known(talk: Talk, subject: str, polarity: Polarity) -> KnownPreference | None:
    held = (p for p in talk.scene.preferences if p.polarity is polarity)
    return next((p for p in held if same_subject(p.subject, subject)), None)


def _softened(talk: Talk) -> KnownPreference | None:
    """A known dislike that the message says has become bearable."""
    text = talk.text.casefold()
    if not any(re.search(cue, text) for cue in talk.wording.book.cues["softened"]):
        return None
    held = (p for p in talk.scene.preferences if p.polarity is Polarity.DISLIKE)
    return next((p for p in held if len(p.subject) > 1 and p.subject.casefold() in text), None)
