"""How the reader does on its own labelled sentences: `python -m eval.reader.measure [--sealed]`.

For acts it counts what tables and head together get right; for distress, what is recognised and how many
other sentences ring.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import datetime

from cocoro_ghost.language import read
from cocoro_ghost.language.distress import find_distress
from cocoro_ghost.model.reading import Act
from cocoro_ghost.model.scene import Language
from eval.reader import sentences
from eval.reader.sentences import Case

NOW = datetime(2026, 3, 18, 20, 0)
_TOLD = {"teach": "tell", "chat": "tell", "backchannel": "agree"}
_SMALL = (Act.TELL, Act.GREET, Act.AGREE, Act.BACKCHANNEL)


def act_read(text: str, language: Language) -> str:
    """The main act of a text: distress, else the first that is more than a telling or a greeting."""
    reading = read(text, now=NOW, language=language)
    if reading.distress is not None:
        return "distress"
    acts = [sentence.acts[0] for sentence in reading.sentences] or [Act.TELL]
    small = acts[0] if len(set(acts)) == 1 else Act.TELL
    main = next((act for act in acts if act not in _SMALL), small)
    return _TOLD.get(main.value, main.value)


def acts_right(language: str, cases: Sequence[Case]) -> float:
    """The share of sentences whose act is read as labelled; tellings count as one act."""
    right = sum(act_read(one.text, Language(language)) == _TOLD.get(one.label, one.label) for one in cases)
    return right / len(cases)


def distress_found(language: str, cases: Sequence[Case]) -> tuple[int, int, int, int]:
    """Distress recognised of all, and other sentences that ring of all; to be asked about is not to ring."""
    found = [(one.label == "distress", find_distress(one.text, Language(language))) for one in cases]
    grave = [heard is not None for is_grave, heard in found if is_grave]
    calm = [heard is not None and heard.sure for is_grave, heard in found if not is_grave]
    return sum(grave), len(grave), sum(calm), len(calm)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sealed", action="store_true", help="the sealed fifth instead of the rest")
    options = parser.parse_args()
    for language in ("ja", "en"):
        own = [one for one in sentences.own_acts(language) if one.sealed == options.sealed]
        print(language, "acts", len(own), f"{acts_right(language, own):.3f}")
        marked = [one for one in sentences.distress(language) if one.sealed == options.sealed]
        print(language, "distress", *distress_found(language, marked))


if __name__ == "__main__":
    main()
