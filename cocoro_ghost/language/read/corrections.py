"""Corrections: 金曜じゃなくて木曜, not Tuesday but Wednesday, 会議は木曜に変更."""

from __future__ import annotations

from cocoro_ghost.language.read.clause import Clause
from cocoro_ghost.language.read.cues import cue, plain
from cocoro_ghost.language.read.engine import Line
from cocoro_ghost.language.read.kinds import Context
from cocoro_ghost.model.reading import Correction


def corrections_of(line: Line, context: Context) -> tuple[Correction, ...]:
    """Not this but that, as far as the sentence says so."""
    if not cue(line.text, context.code, "correct_cues"):
        return ()
    found = _japanese_corrections(line) if context.japanese else _english_corrections(line)
    return (found,) if found is not None else ()


def _japanese_corrections(line: Line) -> Correction | None:
    clauses = line.clauses
    for index, clause in enumerate(clauses):
        if clause.noun is not None and clause.has("neg") and "無い" in clause.words:
            old = clause.noun.text
            after = clauses[index + 1] if index + 1 < len(clauses) else None
            new = _said_instead(after) if after is not None else ""
            if new and new != old:
                topic = next((p.text for p in clause.phrases if p.topic), "")
                return Correction(old, new, line.span, topic)
    said = plain(line.text)
    for opening in (
        "違う、",
        "違うよ、",
        "ちがう、",
        "いや、",
        "ううん、",
        "訂正、",
        "正しくは",
        "違くて、",
        "ごめん、",
        "間違えた、",
        "あ、",
    ):
        if (
            said.startswith(opening)
            and clauses
            and (
                opening not in {"ごめん、", "あ、", "いや、"}
                or any(w in said for w in ("だった", "の間違い", "じゃなく", "違"))
            )
        ):
            new = _said_instead(clauses[-1])
            if new:
                return Correction("", new.removesuffix("の間違い"), line.span)
    moved = cue(line.text, "ja", "correct_cues")
    if moved in {"に変更", "変更になった", "変更になって", "変わった", "ずれた", "ずれて", "延期", "前倒し"}:
        last = clauses[-1]
        to = next(
            (p for p in last.phrases if p.role in {"に", "へ", "まで"} and p.head not in {"変更", "延期"}),
            None,
        )
        topic = next((p.text for c in clauses for p in c.phrases if p.topic or p.role == "が"), "")
        if to is not None:
            since = last.by_role("から")
            return Correction(since.text if since else "", to.text, line.span, topic)
    return None


def _said_instead(clause: Clause) -> str:
    if clause.noun is not None:
        return clause.noun.text
    phrase = clause.by_role("に", "で", "を", "が", "と", "って", "")
    return phrase.text if phrase is not None else ""


def _english_corrections(line: Line) -> Correction | None:
    low = f" {line.text.lower()} "
    words = line.text.replace("’", "'").split()
    lows = [word.lower().strip(",.!;:") for word in words]
    for index, word in enumerate(lows):
        if word == "not" and index + 1 < len(lows):
            return _not_this(words, lows, index, line)
    for cut in (
        "i meant ",
        "make that ",
        "actually it's ",
        "correction: ",
        "i mean ",
        "it's actually ",
        "it's now ",
        "sorry, it's ",
        "no, it's ",
        "no it's ",
        "instead it's ",
        "moved to ",
        "rescheduled to ",
        "rescheduled for ",
        "pushed to ",
        "pushed back to ",
        "changed to ",
        "postponed to ",
        "postponed until ",
        "moved up to ",
        "pushed back until ",
    ):
        if f" {cut}" in low:
            at = low.index(f" {cut}") + len(cut)
            new = line.text[at:].strip(" ,.!").split(",")[0]
            before = line.text[: max(0, at - len(cut))].strip(" ,.")
            return Correction("", new, line.span, before)
    return None


def _not_this(words: list[str], lows: list[str], index: int, line: Line) -> Correction | None:
    """`not Tuesday, Wednesday`; `it's Wednesday, not Tuesday`; `Anna, not Hanna`."""
    after = " ".join(words[index + 1 :]).strip(" .!")
    before = " ".join(words[:index]).strip(" ,.!-")
    for mark in (", but ", " but ", ", it's ", " it's ", ", "):
        if mark in after:
            old, new = after.split(mark, 1)
            if 0 < len(old.split()) <= 4 and new:
                return Correction(_bare(old), _bare(new), line.span, _bare(before))
    if before and words[index - 1].endswith(",") and 0 < len(after.split()) <= 4:
        return Correction(_bare(after), _bare(_last_part(before)), line.span, _bare(before))
    return None


def _last_part(text: str) -> str:
    low = text.lower()
    for mark in (" is on ", " is in ", " is at ", " is ", "'s ", " on ", " in ", " at ", " to "):
        if mark in low:
            return text[low.rindex(mark) + len(mark) :]
    return text


def _bare(text: str) -> str:
    text = text.strip(" ,.!;:")
    for lead in (
        "it's ",
        "it is ",
        "its ",
        "on ",
        "in ",
        "a ",
        "an ",
        "the ",
        "is ",
        "i'm ",
        "to ",
        "actually ",
        "no, ",
        "sorry, ",
    ):
        if text.lower().startswith(lead):
            text = text[len(lead) :]
    return text.strip()
