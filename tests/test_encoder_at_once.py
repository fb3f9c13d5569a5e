"""The encoder kept by many: what is remembered of it is bounded, shared by threads, and never another's."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier

import numpy as np
import pytest

from cocoro_ghost.errors import Outage
from cocoro_ghost.language import encoder as encoding
from cocoro_ghost.language.encoder import DIMENSION, Tokenizer, UseEncoder, Vectors, meanings
from tests.hostile_texts import hostile_texts


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> UseEncoder:
    return UseEncoder(tmp_path_factory.mktemp("cache"))


class Counting:
    """A network that tells which texts it was given; a text's vector says how long the text is."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return np.array([[len(text)] * DIMENSION for text in texts], np.float32).reshape(
            len(texts), DIMENSION
        )


@pytest.fixture
def counted(encoder: UseEncoder, monkeypatch: pytest.MonkeyPatch) -> Counting:
    network = Counting()
    monkeypatch.setattr(encoder, "_network", network)
    monkeypatch.setattr(encoder, "_recent", type(encoder._recent)())
    return network


def test_a_text_is_worked_out_once_and_repeated_ones_in_one_go(
    encoder: UseEncoder, counted: Counting
) -> None:
    first = encoder.encode(["猫", "犬", "猫"])
    again = encoder.encode(["犬", "猫"])
    assert counted.asked == ["猫", "犬"]
    assert np.array_equal(first[0], first[2])
    assert np.array_equal(again, first[[1, 0]])


def test_what_was_not_used_for_longest_is_worked_out_anew(encoder: UseEncoder, counted: Counting) -> None:
    encoder.encode(["kept", "lost"])
    for at in range(encoding._RECENT - 1):
        encoder.encode([f"text {at}", "kept"])
    counted.asked.clear()
    encoder.encode(["kept"])
    assert counted.asked == []
    encoder.encode(["lost"])
    assert counted.asked == ["lost"]


def test_many_texts_at_once_are_answered_though_not_all_are_kept(
    encoder: UseEncoder, counted: Counting
) -> None:
    texts = ["x" * (1 + at % 500) + str(at) for at in range(3 * encoding._RECENT)]
    found = encoder.encode(texts)
    assert found[:, 0].tolist() == [len(text) for text in texts]
    counted.asked.clear()
    encoder.encode(texts[-encoding._RECENT :])
    assert counted.asked == []
    encoder.encode(texts[:1])
    assert counted.asked == texts[:1]


def test_long_texts_are_not_kept(encoder: UseEncoder, counted: Counting) -> None:
    short, long = "s" * encoding._LONG, "l" * (encoding._LONG + 1)
    for _ in range(2):
        encoder.encode([short, long])
    assert counted.asked == [short, long, long]


def test_who_changes_a_vector_changes_only_their_own(encoder: UseEncoder, counted: Counting) -> None:
    encoder.encode(["mine"])[:] = 0
    assert encoder.encode(["mine"])[0, 0] == 4
    assert counted.asked == ["mine"]


def test_no_texts_are_no_rows(encoder: UseEncoder, counted: Counting) -> None:
    assert encoder.encode([]).shape == (0, DIMENSION)
    assert counted.asked == []


def test_a_network_that_fails_leaves_what_was_known(
    encoder: UseEncoder, counted: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder.encode(["known"])

    def fails(texts: Sequence[str]) -> Vectors:
        if texts:
            raise Outage("the file was cut off")
        return np.empty((0, DIMENSION), np.float32)

    with monkeypatch.context() as broken:
        broken.setattr(counted, "encode", fails)
        with pytest.raises(Outage):
            encoder.encode(["known", "new"])
        assert encoder.encode(["known"])[0, 0] == 5
    assert encoder.encode(["new"])[0, 0] == 3


def test_threads_at_once_each_get_the_vectors_of_their_own_texts(encoder: UseEncoder) -> None:
    texts = [f"{who}は{what}が好き" for who in ("姉", "兄", "母") for what in ("猫", "犬", "紅茶", "山")]
    alone = {text: encoder.encode([text])[0].copy() for text in texts}
    encoder._recent.clear()
    begin = Barrier(4)

    def ask(seed: int) -> list[tuple[str, Vectors]]:
        luck = Random(seed)
        found: list[tuple[str, Vectors]] = []
        begin.wait(30)
        for _ in range(6):
            mine = luck.sample(texts, 4)
            found += zip(mine, encoder.encode(mine), strict=True)
        return found

    with ThreadPoolExecutor(4) as pool:
        for one in pool.map(ask, range(4)):
            for text, vector in one:
                assert np.allclose(vector, alone[text], atol=1e-4)


def test_hostile_texts_have_a_vector_of_length_one(encoder: UseEncoder) -> None:
    texts = [
        *hostile_texts(200, length=24)[3::8],
        "",
        " ",
        "\n",
        "\x00",
        "\ud800",
        "\udfff\ud800",
        "\ufffd" * 9,
    ]
    lengths = np.linalg.norm(encoder.encode(texts), axis=1)
    assert np.isfinite(lengths).all()
    assert lengths == pytest.approx(np.ones(len(texts)), abs=1e-3)


def test_how_a_batch_is_put_together_does_not_change_a_vector(encoder: UseEncoder) -> None:
    texts = ["短い", "a much longer sentence about the weather of last week", "", "猫" * 80]
    together = encoder.encode(texts).copy()
    encoder._recent.clear()
    apart = np.stack([encoder.encode([text])[0] for text in reversed(texts)])[::-1]
    assert np.allclose(together, apart, atol=1e-4)


def test_what_means_the_same_lies_nearer_than_what_does_not(encoder: UseEncoder) -> None:
    """Across both languages: one memory may hold both."""
    rows = encoder.encode(["犬を飼っています", "I have a dog", "株価が下がった", "The stock market fell"])
    near = rows @ rows.T
    assert min(near[0, 1], near[2, 3]) > max(near[0, 2], near[0, 3], near[1, 2], near[1, 3])


class Letters:
    """Pieces by letter: `?` is unknown, and unknown ones in a row come as one, as in the real model."""

    def encode(self, text: str, *, out_type: type) -> list[int] | list[str]:
        runs: list[str] = []
        for char in text:
            if char == "?" and runs and runs[-1].startswith("?"):
                runs[-1] += char
            else:
                runs.append(char)
        return runs if out_type is str else [0 if run.startswith("?") else ord(run) for run in runs]


@pytest.mark.parametrize(
    ("text", "middle"),
    [("ab", [97, 98]), ("", [0]), ("?", [0]), ("a???b", [97, 0, 0, 0, 98]), ("??a?", [0, 0, 97, 0])],
)
def test_every_unknown_character_counts(text: str, middle: list[int]) -> None:
    assert Tokenizer(Letters()).encode(text) == [1, *middle, 2]


@pytest.mark.parametrize("error", [ImportError("no package"), OSError("no file"), Outage("cut off")])
def test_where_the_encoder_cannot_be_had_there_are_no_meanings_and_a_note(
    error: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def gone() -> UseEncoder:
        raise error

    monkeypatch.setattr(encoding, "shared", gone)
    with caplog.at_level(logging.DEBUG, logger=encoding.__name__):
        assert meanings(["猫"]) is None
    assert str(error) in caplog.text
    assert "猫" not in caplog.text


def test_the_process_has_one_encoder_however_many_ask() -> None:
    begin = Barrier(4)

    def ask(_: int) -> int:
        begin.wait(30)
        return id(encoding.shared())

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(ask, range(4)))) == 1
