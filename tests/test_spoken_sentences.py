"""A reply to be read aloud comes sentence by sentence, for who asks for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cocoro_ghost.reply.expression import Aloud
from cocoro_ghost.testing import ScriptedMind
from tests.serving import house, say

pytestmark = pytest.mark.anyio
REPLY = "うん、**いいね**！😀 詳しくは https://example.com/?a=1 を見て。\nDr. Sato said so. Bye"
SPOKEN = ["うん、いいね！", "詳しくは link を見て。", "Dr. Sato said so.", "Bye"]


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
def test_sentences_are_the_same_however_the_words_come(size: int) -> None:
    aloud = Aloud()
    pieces = [REPLY[at : at + size] for at in range(0, len(REPLY), size)]
    assert [one for piece in pieces for one in aloud.add(piece)] + aloud.end() == SPOKEN


def test_code_is_neither_spoken_nor_cut_in_two() -> None:
    aloud = Aloud()
    assert aloud.add("見て。```py\nprint('あ。')\n") == []
    assert aloud.add("```\nどう？") == ["見て。", "どう？"]
    assert aloud.end() == []


def test_what_has_no_end_is_told_in_pieces_and_code_without_one_is_not() -> None:
    aloud = Aloud()
    told = [one for _ in range(2000) for one in aloud.add("あ")] + aloud.end()
    assert "".join(told) == "あ" * 2000
    assert max(map(len, told)) <= 601
    assert [one for _ in range(2000) for one in aloud.add("```" if _ == 0 else "x ")] == []
    assert aloud.add("```終わり。") == ["終わり。"]


async def test_who_asks_hears_each_sentence_before_the_end(tmp_path: Path) -> None:
    mind = ScriptedMind(replies=["おはよう。元気？よかった", "うん"])
    async with house(tmp_path, mind=mind) as home, home.client() as client:
        frames = await say(client, "やあ", speech=True)
        kinds = [kind for kind, _ in frames]
        assert [data["text"] for kind, data in frames if kind == "speech"] == [
            "おはよう。",
            "元気？",
            "よかった",
        ]
        assert kinds.index("speech") < len(kinds) - 1 - kinds[::-1].index("token")
        assert kinds[-1] == "done"
        assert "speech" not in {kind for kind, _ in await say(client, "また")}
