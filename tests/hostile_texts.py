"""200 texts that break readers: endless runs, repeated openings, marks of models, odd characters."""

from __future__ import annotations

import random
from collections.abc import Iterator

LENGTH = 32_000
_RUNS = (
    "あ", "ア", "漢", "a", "A", "0", "９", "。", "、", ".", ",", "!", "?", "ー", "〜", "w", "笑", " ",
    "　", "\n", "\t", "(", ")", "「", "」", "『", "<", ">", "[", "]", "{", "}", '"', "'", "`", "\\", "/",
    "|", "*", "_", "#", "-", "=", "+", "&", "%", "$", "@", ":", ";", "😀", "\u200b", "\u0301", "\u202e",
    "\ufeff", "가", "я", "ع", "ก",
)  # fmt: skip
_UNITS = (
    "<think>", "</think>", "<think></think>", "<|im_start|>", "[INST]", "```", "###", "私は", "私の",
    "わたしは", "僕の名前は", "が好き", "は好きじゃない", "と言った", "「はい」", "のの", "です。",
    "ので、", "けど", "たら", "I ", "I am ", "my ", "my name is ", "not ", "don't ", "n't ", "and ",
    "because ", "who ", "Mr. ", "A.B.", "a a ", "2026-01-01 ", "10:00", "1/", "12月", "3日", "来週の",
    "tomorrow ", "at 5 ", "Monday ", "第1", "1,000", "0.1.", "http://a.b/", "a@b.c ", "&amp;", "\\u0000",
    "%00", "{{", "}}", "${x}", "{%", "<b>", "<!--", "](", "e1 s2 ", "a\n", "あ\n", "。\n", "「", "（）",
    "…。", "?!", "あ、", "x=1;", "SELECT * ", "' OR ", "../", "\x00a", "ｱﾞ", "é",
)  # fmt: skip


def hostile_texts(count: int = 200, length: int = LENGTH) -> list[str]:
    """The same texts every time; the well-known ones first."""
    return [text for text, _ in zip(_all(length), range(count), strict=False)]


def _all(length: int) -> Iterator[str]:
    yield "あ" * length
    yield "7" * length
    yield "<think>" * 14_000
    for unit in (*_RUNS[1:], *_UNITS[1:]):
        yield (unit * (length // len(unit) + 1))[:length]
    luck = random.Random(13)
    while True:
        kinds = luck.sample((*_RUNS, *_UNITS), luck.randint(2, 5))
        joined = "".join(luck.choice(kinds) * luck.randint(1, 300) for _ in range(400))
        yield joined[:length]
