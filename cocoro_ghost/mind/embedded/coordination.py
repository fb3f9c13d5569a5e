"""English clauses that share their subject, spelled out: `I live in X and work as Y` says I twice."""

from __future__ import annotations

import re
from dataclasses import replace

from cocoro_ghost.mind.embedded.sentences import ABBREVIATED, Sentence
from cocoro_ghost.model.scene import Language

DOT = "․"
"""Stands for the full stop of an abbreviation, so that no pattern takes it for an end."""
_SHARED = re.compile(
    r"(?:,\s+(?:and\s+|but\s+)?|\s+(?:and|but|&)\s+)"
    r"(?=(?:now\s+|currently\s+|also\s+|recently\s+|just\s+|still\s+|mostly\s+)*"
    r"(?:live|lived|work|worked|teach|study|run|own|manage|co-own|drive|ride|have|rent|speak|volunteer|"
    r"freelance|attend|moved|relocated|started|opened|founded|joined|became|got|landed|bought|adopted|"
    r"rescued|married|grew up|go by|play|belong to|suffer from|go to|major in|intern|am|bake|"
    r"(?:don't|do not|can't) (?:eat|drink))\s)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"\b(?P<own>i|we)\b|\b(?:you|he|she|they|it|who|which|that|there)\b|"
    r"(?:^|[,;]\s+|\b(?:and|but|because|that|when|so|since|if|while)\s+)(?:my|our|his|her|their|the)\s+[\w'-]+",
    re.IGNORECASE,
)
_NOT_FINITE = re.compile(
    r"\b(?:used|going|wants?|wanted|need|plan\w*|hop\w+|able|have|had|about|supposed|try\w*|tried|love|like|"
    r"decided|dream\w*) to\b|\b(?:can't|cannot|can|could|would|will|won't|should|might|may|must|don't|didn't|"
    r"never|gonna|wanna|let's|not|no longer|if|when|who)\b|\b\w+'(?:ll|d)\b",
    re.IGNORECASE,
)


def spelled_out(sentence: Sentence) -> Sentence:
    """The sentence with its subject before every coordinated verb and no stops inside abbreviations."""
    if sentence.language is not Language.EN:
        return sentence
    text, raw = sentence.text.replace("’", "'"), sentence.raw
    for at, subject in reversed(_gaps(text)):
        text, raw = text[:at] + subject + text[at:], raw[:at] + subject + raw[at:]
    text = ABBREVIATED.sub(lambda found: found.group()[:-1] + DOT, text)
    return replace(sentence, text=text, raw=raw)


def _gaps(text: str) -> list[tuple[int, str]]:
    """Where a subject is left out, and which one it is."""
    found = []
    for joint in _SHARED.finditer(text):
        before = text[: joint.start()]
        subjects = list(_SUBJECT.finditer(before))
        if not subjects or not subjects[-1]["own"]:
            continue
        if _NOT_FINITE.search(before, subjects[-1].end()) or re.search(r"\blive$", before):
            continue
        found.append((joint.end(), "we " if subjects[-1]["own"].lower() == "we" else "I "))
    return found
