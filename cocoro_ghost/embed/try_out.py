"""An embedding model tried before it is kept: does it answer, how long are its vectors, how fast is it."""

from __future__ import annotations

import time
from dataclasses import dataclass

from cocoro_ghost.embed.choose_embedder import Choice
from cocoro_ghost.embed.remote import OtherLength
from cocoro_ghost.errors import GhostError

_TEXTS = ("猫のタマを飼っています。", "I have a cat called Tama.")


@dataclass(frozen=True, slots=True)
class EmbeddingTrial:
    ok: bool
    dimension: int
    """What its vectors have, whatever the preset says; 0 where none came."""
    milliseconds: int
    words_ja: str
    words_en: str


async def try_embedder(choice: Choice) -> EmbeddingTrial:
    """Two sentences, one of each language; a length that the preset does not know is found, not refused."""
    if choice.embedder is None:
        return EmbeddingTrial(False, 0, 0, choice.note, choice.note)
    began = time.monotonic()
    try:
        found = (await choice.embedder.embed(_TEXTS)).shape[1]
    except OtherLength as error:
        found = error.found
    except GhostError as error:
        return EmbeddingTrial(False, 0, _since(began), error.told(japanese=True), str(error))
    finally:
        await choice.embedder.close()
    ja, en = f"使えます。次元数は {found} です。", f"It works, with {found} dimensions."
    return EmbeddingTrial(True, found, _since(began), ja, en)


def _since(began: float) -> int:
    return int((time.monotonic() - began) * 1000)
