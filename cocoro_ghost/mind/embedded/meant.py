"""How sure it is what a message wants.

What only a trained head took for thanks, a denial or a question is met with a few words that fit everything:
saying less never puts anybody off.
"""

from __future__ import annotations

from cocoro_ghost.language.denial import denies
from cocoro_ghost.language.read.cues import cue
from cocoro_ghost.mind.embedded.phrases import named_something
from cocoro_ghost.model.reading import HEAVY, Act, Question, Reading, Sentence
from cocoro_ghost.model.scene import Scene

_ASKS = frozenset({Act.ASK_WORLD, Act.ASK_ME, Act.ASK_PAST, Act.ASK_GHOST})
_QUESTION = ("?", "？")
_MARKS = " ?？!！。…〜~w笑"


def plainly(reading: Reading, act: Act) -> bool:
    """True where a sentence does it in so many words: those of the table of that name."""
    code = reading.language.value
    return any(act in line.acts and cue(line.text, code, act.value) for line in reading.sentences)


def denies_what_was_said(scene: Scene, reading: Reading) -> bool:
    """陸にはまだ言ってない denies nothing: only what the ghost just claimed can be denied."""
    if Act.DENY not in reading.acts or reading.corrections:
        return False
    return denies(reading.text) and named_something(scene)


def _asking(reading: Reading) -> list[Sentence]:
    return [line for line in reading.sentences if line.acts[0] in _ASKS]


def _marked(line: Sentence, reading: Reading) -> bool:
    """True where the sentence ends with a question mark."""
    first, last = line.span
    return line.text.rstrip().endswith(_QUESTION) or any(
        mark in reading.text[first : last + 2] for mark in _QUESTION
    )


def asks_in_words(reading: Reading) -> bool:
    """A mark, or words that begin or end a question: わたしのことわかんなかった asks nothing."""
    code = reading.language.value
    return any(_marked(line, reading) or cue(line.text, code, "asks_plainly") for line in _asking(reading))


def only_exclaims(reading: Reading) -> bool:
    """は？ってなった, ひどくない？, 何着てこっかな: no answer is looked for."""
    code = reading.language.value
    asking = [line.text.strip(_MARKS) for line in _asking(reading) if line.acts[0] is not Act.ASK_GHOST]
    return bool(asking) and all(len(one) <= 1 or cue(one, code, "to_oneself") for one in asking)


def asks_a_view(question: Question, reading: Reading) -> bool:
    """Do you reckon it would sell, 何がええと思う: a view is wanted, and a keeper has none."""
    code = reading.language.value
    return question.slot is None and any(
        cue(f"{line.text}?", code, "asks_view") and not cue(line.text, code, "ask_memory")
        for line in _asking(reading)
    )


def of_the_world(reading: Reading) -> bool:
    """Is it true Napoleon was short, why do cats stare: asked of anybody who knows, not of memory."""
    code = reading.language.value
    return any(cue(f"{line.text}?", code, "worldly") for line in _asking(reading))


def wants_knowledge(reading: Reading) -> bool:
    """Asks of the world or gives a task in so many words; who tells something, muses or exclaims does not."""
    if reading.claims or reading.tastes or reading.tone in HEAVY or only_exclaims(reading):
        return False
    return any(_tasks(line, reading) or _looks_for(line, reading) for line in reading.sentences)


def _tasks(line: Sentence, reading: Reading) -> bool:
    code = reading.language.value
    return line.acts[0] is Act.REQUEST and bool(
        cue(line.text, code, "task_form") or cue(line.text, code, "request")
    )


def _looks_for(line: Sentence, reading: Reading) -> bool:
    """A question of the world, with a mark or a question word to it."""
    code = reading.language.value
    worldly = line.acts[0] in _ASKS and cue(f"{line.text}?", code, "worldly")
    if line.acts[0] is not Act.ASK_WORLD and not worldly:
        return False
    return bool(
        worldly
        or cue(line.text, code, "asking_words")
        or (_marked(line, reading) and not cue(line.text, code, "muses"))
    )
