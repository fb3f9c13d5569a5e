"""English clauses that leave out their `I`: `Not a fan of…`, `Been getting into…`, `Don't like…`."""

from __future__ import annotations

import re

_OPENING = (
    r"^(?:(?:honestly|personally|actually|also|still|lately|recently|and|but|so|oh|well|ugh|yeah|yep|nah|nope|"
    r"no|sorry|tbh|ngl|okay|ok|fun fact|confession|same|funny enough|to be (?:honest|fair))[:,]? )*"
)
_ADVERB = (
    r"(?:really|absolutely|totally|just|still|always|honestly|kinda|kind of|sort of|so|super|pretty|"
    r"genuinely|definitely|completely|secretly|low-?key|fully|all|very|quite|seriously|already|slowly|big) "
)
_PERFECT = re.compile(
    rf"{_OPENING}(?=(?:{_ADVERB})*(?:been|always (?:loved|liked|hated|enjoyed))\b)", re.IGNORECASE
)
_BEING = re.compile(
    rf"{_OPENING}(?=(?:{_ADVERB})*(?:"
    r"not (?:(?:really|too|so|that|super|very|much|exactly|all that|particularly|even|at all) )*"
    r"(?:into|keen|crazy|big on|fond|a\b|an\b|much of|the biggest fan|interested|partial)|"
    r"no longer (?:into|a fan|crazy|interested)|"
    r"(?:a )?(?:big|huge|massive|lifelong|total|such a)? ?(?:fan|sucker) (?:of|for)|"
    r"into|obsessed with|hooked on|crazy about|mad about|nuts about|addicted to|fond of|keen on|partial to|"
    r"in love with|curious about|intrigued by|sick of|warming (?:up )?to|starting to (?:like|love|enjoy)|"
    r"thinking (?:of|about) (?:taking up|trying|getting into)|enjoying|loving)\b)",
    re.IGNORECASE,
)
_DOING = re.compile(
    rf"{_OPENING}(?=(?:{_ADVERB})*(?:"
    r"(?:don't|do not|doesn't|can't|cannot|couldn't|could never|never|no longer|didn't use to) (?:\w+ ){0,2}?"
    r"(?:like|liked|love|loved|enjoy|enjoyed|hate|dislike|mind|care|cared|bear|stomach|tolerate|"
    r"stand(?! (?:here|there|up|still|around|on|in|for|with|to|"
    r"being|another|how|when|it|the (?:thought|idea|sight))\b)|"
    r"get (?:enough|into|the)|got into|got the|understood|resist|been|do without|go without|live without)\b|"
    r"prefer\b|(?:grew|learned|learnt|came|started) to (?:\w+ )?(?:like|love|enjoy|hate)\b|"
    r"fell in love with|got (?:really |so |super )?(?:into|hooked on)|lost interest in|gone off|went off|"
    r"have (?:a|zero|no) (?:\w+ )?(?:soft spot|weakness|thing|interest)|kinda like|sort of like|kind of like|"
    r"hate (?!(?:to|it|that|when|how|you|him|her|them|this|me|my|the (?:way|fact|idea))\b)))",
    re.IGNORECASE,
)


def with_subject(clause: str) -> str | None:
    """The clause with the `I` that it leaves out; None when it leaves out none."""
    text = clause.strip()
    for rule, subject in ((_PERFECT, "i've"), (_BEING, "i'm"), (_DOING, "i")):
        opening = rule.match(text)
        if opening:
            return f"{subject} {text[opening.end() :]}"
    return None
