"""A bare answer as the sentence it stands for: どこに住んでるの？ — 宇都宮だよ."""

from __future__ import annotations

from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.read.clause import Clause
from cocoro_ghost.language.read.engine import Line, lines_of
from cocoro_ghost.language.read.sentence_spans import sentences
from cocoro_ghost.language.read.tables import either, entries, pairs, phrases
from cocoro_ghost.model.scene import Language

_LONGEST = {"ja": 20, "en": 40}
_ASKED = 200
"""Of a long line the question stands last."""


def in_full(text: str, asked: str, language: Language) -> str:
    """The text, its first sentence told in full where it is a bare answer to the question before it."""
    first = sentences(text[:_ASKED])[:1] if asked else []
    short = any(len(words) <= _LONGEST[language.value] for _, words, _ in first)
    said = lines_of(text[:_ASKED], language, 1) if short else []
    answer = _bare(said[0], language) if said else ""
    told = _told(asked, answer, language) if answer else ""
    return f"{told}{text[said[0].span[1] :]}" if told else text


def _bare(line: Line, language: Language) -> str:
    """What a sentence of one noun names; nothing where it says more, or only yes."""
    clause, code = line.clauses[0] if len(line.clauses) == 1 else None, language.value
    if clause is None or line.asks or clause.has("neg", "past"):
        return ""
    noun = clause.noun
    if noun is None or not _alone(clause) or fold(noun.text) in entries(f"{code}/answers", "no_answer"):
        return ""
    return noun.text


def _alone(clause: Clause) -> bool:
    spoken = clause.words if clause.places else ()
    return not spoken and not clause.phrases


def _told(asked: str, answer: str, language: Language) -> str:
    lines = [line for line in lines_of(asked[-_ASKED:], language) if line.asks]
    if not lines:
        return ""
    question = lines[-1].text.strip()
    return _in_its_place(question, answer) if language is Language.JA else _framed(question, answer)


def _in_its_place(question: str, answer: str) -> str:
    """宇都宮に住んでる of どこに住んでるの, 好きな食べ物は餃子 of 好きな食べ物は."""
    for word in phrases("ja/answers", "asked_words"):
        if word in question:
            told = question.replace(word, answer, 1)
            ends = (end for end in phrases("ja/answers", "asked_ends") if told.endswith(end))
            return told.removesuffix(next(ends, ""))
    return f"{question}{answer}" if question.endswith("は") else _instead(question, answer)


def _instead(question: str, answer: str) -> str:
    """柴犬は飼ってる of ペットは飼ってる: what is asked about gives way to what there is."""
    clause = lines_of(question, Language.JA)[-1].clauses[-1]
    topic = next((p for p in clause.phrases if p.topic and p.role == "は"), None)
    asked = topic is not None and topic.text not in either("ja/words", "you", "self", "time_words")
    return question.replace(topic.text, answer, 1) if topic is not None and asked and clause.base else ""


def _framed(question: str, answer: str) -> str:
    """English turns its questions round: by the frames of the table."""
    low = f" {question.lower()} "
    for cue, frame in pairs("en/answers", "frames"):
        if f" {cue}" in low:
            rest = low.partition(f" {cue}")[2].strip()
            near = answer.split()[0].lower() in entries("en/words", "prepositions")
            frame = frame.replace("in {}", "{}").replace("at {}", "{}") if near else frame
            return frame.format(answer, rest=rest)
    return ""
