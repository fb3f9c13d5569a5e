"""What a message asks memory for: the words to search by, the names in it, the talk it hangs on. Pure."""

from __future__ import annotations

import re
from datetime import datetime
from itertools import pairwise

from cocoro_ghost.language.asking import LONGEST
from cocoro_ghost.language.fold import fold, guess_language
from cocoro_ghost.language.morphology import content_words
from cocoro_ghost.language.reading import read, times_in
from cocoro_ghost.model.event import Event
from cocoro_ghost.model.reading import Act, Reading

_SPACED = r"[^\W_\u3040-\u30ff\u3400-\u9fff]"
_LATIN_WORD = re.compile(rf"(?!\d){_SPACED}(?:{_SPACED}|['’.-])*")
_NAME_RUN = re.compile(r"[\u3400-\u9fff\u30a0-\u30ffー々]{2,20}")
_KANA_RUN = re.compile(r"[\u3041-\u309fー]{2,40}")
_PARTICLES = frozenset("のはがをにともやへで")
_MOST_NAMES = 300
_BARE = 40
"""A longer message always says something of its own."""
_THREAD_CHARS = 200
_ASKING = frozenset({Act.ASK_ME, Act.ASK_PAST, Act.ASK_WORLD, Act.ASK_GHOST})
_SOCIAL = frozenset({Act.GREET, Act.FAREWELL, Act.THANK, Act.AGREE, Act.BACKCHANNEL})


def read_to_remember(text: str, here: datetime) -> Reading:
    """A message nobody has read yet; of a long one, which tells rather than asks, the times alone."""
    if len(text) <= LONGEST:
        return read(text, now=here)
    language = guess_language(text)
    return Reading(text, language, here, times=times_in(text, here, language))


def asks_only(reading: Reading) -> bool:
    """True for a message that asks, greets or agrees, and tells nothing beside it."""
    acts = [one.acts[0] for one in reading.sentences if one.acts]
    asks = any(act in _ASKING for act in acts) and all(act in _ASKING | _SOCIAL for act in acts)
    return asks and not (reading.claims or reading.tastes) and len(reading.text) <= LONGEST


def search_words(text: str, reading: Reading) -> str:
    """The message without the words of asking (`…だっけ`, `do you remember`); empty where nothing goes."""
    asked = [one for one in reading.sentences if one.acts and one.acts[0] in _ASKING]
    if reading.question is None or not asked:
        return ""
    # What is told beside the question is searched as it stands: 京都に行くんだ。前に行ったのいつだっけ？
    told = [one.text for one in reading.sentences if one is not asked[-1]]
    bare = "\n".join([*told, reading.question.search_text]).strip()
    return bare if len(bare) > 1 and bare != text else ""


def is_bare(text: str) -> bool:
    """True for a message without content of its own: `それで？`, `yes, go on`."""
    plain = text.strip()
    return len(plain) <= _BARE and not content_words(plain)


def with_thread(text: str, last: Event) -> str:
    """The message together with the turn that it hangs on."""
    parts = [last.user_text or "", (last.assistant_text or "")[:_THREAD_CHARS], text]
    return "\n".join(part for part in parts if part)


def names_in(text: str) -> list[str]:
    """Everything in a message that may be a known name: words, pairs of words, runs of kanji and kana."""
    plain = fold(text)[:2000]
    found = _LATIN_WORD.findall(plain)
    found += [" ".join(pair) for pair in pairwise(found)]
    for run in _NAME_RUN.findall(plain):
        found += _parts(run, range(len(run)))
    for run in _KANA_RUN.findall(plain):
        # A name in hiragana begins a run or follows a particle: さくらちゃんは, 昨日はさくらと.
        found += _parts(run, [at for at in range(len(run)) if at == 0 or run[at - 1] in _PARTICLES])
    return list(dict.fromkeys(found))[:_MOST_NAMES]


def _parts(run: str, starts: range | list[int]) -> list[str]:
    return [run[at:end] for at in starts for end in range(at + 2, min(len(run), at + 10) + 1)]
