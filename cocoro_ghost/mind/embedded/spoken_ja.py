"""Turns a written Japanese clause into a piece of speech: plain ending, no subject, ready for `〜んだね`.

Refuses (None) whatever it cannot turn safely; the caller then quotes instead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cocoro_ghost.mind.embedded.reader import Word, read_words

_END = re.compile(r"[。．.!！\s〜～♪]+$")
FIRST_PERSON = frozenset(
    ["私", "わたし", "わたくし", "あたし", "僕", "ぼく", "ボク", "俺", "おれ", "オレ", "うち", "自分", "わし"]
)
SECOND_PERSON = frozenset(["あなた", "あんた", "君", "きみ", "お前", "おまえ", "キミ"])
_DEICTIC = {
    "これ": "それ",
    "この": "その",
    "ここ": "そこ",
    "こんな": "そんな",
    "こう": "そう",
    "こっち": "そっち",
}
_TRAIL_CONNECTIVE = frozenset(["けど", "けれど", "けれども", "が", "から", "し", "ので", "のに", "て", "で"])
_NO_END = frozenset(["か", "かな", "かしら", "かい", "って"])
_LEADING_POS = frozenset({"感動詞", "接続詞", "補助記号", "記号", "空白"})
_LEADING_WORDS = frozenset(
    [
        "実は",
        "実",
        "ちなみに",
        "ねえ",
        "ねぇ",
        "あのね",
        "あのさ",
        "えっと",
        "えーと",
        "そういえば",
        "やっぱり",
        "ついに",
        "やばい",
        "まじ",
        "マジ",
    ]
)
_PREDICATIVE = frozenset({"助動詞-タ", "助動詞-ナイ", "助動詞-タイ"})
_EUPHONY = {
    "カ": "いた",
    "ガ": "いだ",
    "サ": "した",
    "タ": "った",
    "ラ": "った",
    "ワ": "った",
    "ナ": "んだ",
    "バ": "んだ",
    "マ": "んだ",
}


@dataclass(frozen=True, slots=True)
class Clause:
    """A plain clause; `nominal` when it ends where a copula must follow."""

    text: str
    nominal: bool
    past_text: str

    @property
    def explaining(self) -> str:
        """Goes before `んだ`: `住んでる`, `先生な`."""
        return self.text + ("な" if self.nominal else "")

    @property
    def stated(self) -> str:
        """Goes before `よね`, `ってこと`: `住んでる`, `先生だ`."""
        return self.text + ("だ" if self.nominal else "")


def state_clause(body: str, label: str, limit: int = 40) -> Clause | None:
    """A state's body, written in the ghost's voice, as it says it to the one it calls `label`."""
    # A note in brackets, such as a pet's age, is for reading and not for saying.
    unnoted = re.sub(r"[（(][^（）()]*[）)]$", "", _END.sub("", body.strip()))
    plain = re.sub(r"である$", "だ", unnoted)
    labels = sorted({label, *SECOND_PERSON} - {""}, key=len, reverse=True)
    called = "|".join(re.escape(name) for name in labels)
    # A label such as お兄ちゃん is several words; taken off before reading.
    plain = re.sub(rf"^(?:{called})(?:の話では|には|にも|は|が|の|も|って)[、 ]?", "", plain)
    return _clause(list(read_words(plain)), limit)


def echoed_clause(told: str, limit: int = 24) -> Clause | None:
    """What the user told of themselves, ready to be said back; None when it speaks of "me" and "you"."""
    # うち is "I" only as a subject; where one stays it is the home.
    plain = re.sub(r"うち(?=[にでへ])", "家", _END.sub("", told.strip()))
    plain = re.sub(r"(?<=んだ)って$", "", plain)
    words = _without_lead(list(read_words(plain)))
    doubtful = re.search(r"かも(?:しれ|$)|らしい|みたい$", told)
    return None if doubtful or _speaks_of_persons(words) else _clause(words, limit)


def _clause(words: list[Word], limit: int) -> Clause | None:
    words, doubtful = _without_tail(words)
    if doubtful or not words:
        return None
    clause = _ending(words)
    return clause if clause is not None and 2 <= len(clause.text) <= limit else None


def _without_lead(words: list[Word]) -> list[Word]:
    while words:
        first = words[0]
        if first.pos in _LEADING_POS or first.surface in _LEADING_WORDS:
            words = words[1:]
        elif first.surface in FIRST_PERSON:
            after = words[1:]
            particle = bool(after) and after[0].surface in {"は", "が", "も", "の", "って", "、"}
            words = after[1:] if particle else after
        else:
            return words
    return words


def _without_tail(words: list[Word]) -> tuple[list[Word], bool]:
    """Strips final particles, `んだ`, trailing connectives. The flag tells of doubt, question or hearsay."""
    while words:
        last = words[-1]
        if last.pos in {"補助記号", "記号", "空白", "感動詞"} or re.fullmatch(r"[wｗ笑草]+", last.surface):
            words = words[:-1]
        elif last.surface in _NO_END and last.pos == "助詞":
            return words, True
        elif last.pos == "助詞" and last.sub == "終助詞":
            words = words[:-1]
        elif _explains(words):
            words = words[:-2]
            if words and words[-1].surface == "な" and words[-1].lemma == "だ":
                words = words[:-1]
        elif last.pos == "助詞" and last.sub == "接続助詞" and last.surface in _TRAIL_CONNECTIVE:
            if last.surface in {"て", "で"}:
                return words, True
            words = words[:-1]
        else:
            return words, False
    return words, True


def _explains(words: list[Word]) -> bool:
    if len(words) < 3 or words[-1].surface not in {"だ", "です"}:
        return False
    return words[-2].surface in {"ん", "の"} and words[-2].sub == "準体助詞"


def _speaks_of_persons(words: list[Word]) -> bool:
    """Who "I" and "you" are turns round between speakers; a clause that still names them is not reused."""
    return any(word.surface in FIRST_PERSON | SECOND_PERSON for word in words)


def _ending(words: list[Word]) -> Clause | None:
    last = words[-1]
    if last.conjugation in {"助動詞-デス", "助動詞-ダ"} and last.final:
        return _copula(words[:-1])
    if last.surface == "ます" and last.pos == "助動詞" and len(words) >= 2:
        verb = words[-2]
        if verb.lemma == "おる":
            return _make(words[:-2], "いる", "いた")
        return _make(words[:-2], verb.lemma, ta_form(verb))
    if last.conjugation == "助動詞-タ" and len(words) >= 3 and words[-2].lemma in {"ます", "です"}:
        return _polite_past(words)
    if last.nominal:
        return Clause(_join(words), True, _join(words) + "だった")
    if last.pos in {"動詞", "形容詞", "助動詞", "接尾辞"} and last.final:
        return _make(words[:-1], last.surface, _past(last))
    return None


def _copula(words: list[Word]) -> Clause | None:
    if not words:
        return None
    if words[-1].pos == "形容詞" or words[-1].conjugation in _PREDICATIVE:
        return _make(words[:-1], words[-1].surface, _past(words[-1]))
    return Clause(_join(words), True, _join(words) + "だった")


def _polite_past(words: list[Word]) -> Clause | None:
    stem = words[-3]
    if words[-2].lemma == "です":
        text = _join(words[:-2]) + "だった"
        return Clause(text, False, text)
    return _make(words[:-3], ta_form(stem), ta_form(stem))


def _make(before: list[Word], end: str | None, past_end: str | None) -> Clause | None:
    if end is None or past_end is None:
        return None
    head = _join(before)
    return Clause(_contract(head + end), False, _contract(head + past_end))


def _join(words: Sequence[Word]) -> str:
    return _contract("".join(_DEICTIC.get(word.surface, word.surface) for word in words))


def _contract(text: str) -> str:
    """Talk says 〜てる where writing says 〜ている."""
    return re.sub(r"(?<=[てで])い(?=(?:る|た|て|ない|なかった)(?:$|[^ぁ-ん]))", "", text)


def _past(word: Word) -> str | None:
    if word.conjugation == "助動詞-タ":
        return word.surface
    if word.lemma.endswith("い") and (
        word.pos == "形容詞" or word.conjugation.startswith(("形容詞", "助動詞-ナイ", "助動詞-タイ"))
    ):
        return word.surface[:-1] + "かった"
    return ta_form(word)


def ta_form(verb: Word) -> str | None:
    """Plain past of a verb from its dictionary form and conjugation type."""
    lemma, kind = verb.lemma, verb.conjugation
    if kind.startswith("五段"):
        if lemma.endswith(("行く", "いく", "ゆく")):
            return lemma[:-1] + "った"
        return lemma[:-1] + _EUPHONY[kind[3]] if len(kind) > 3 and kind[3] in _EUPHONY else None
    if kind.startswith(("上一段", "下一段")):
        return lemma[:-1] + "た"
    if kind.startswith("サ行変格"):
        return lemma[:-2] + "した" if lemma.endswith("する") else None
    if kind.startswith("カ行変格"):
        return lemma[:-1] + "た" if lemma.endswith("来る") else lemma[:-2] + "きた"
    return None
