"""Japanese noun phrases read backwards from a predicate: what exactly is liked, owned or done."""

from __future__ import annotations

import re

from cocoro_ghost.language.morphology import Token
from cocoro_ghost.mind.embedded.lexicon import word_set

_SKIP_POS = {"副詞", "感動詞", "接続詞", "連体詞", "補助記号", "空白"}


def noun_phrases_before(tokens: list[Token]) -> list[str]:
    """The subjects that the tokens before a predicate name, nearest topic first found wins; [] if none."""
    index = len(tokens) - 1
    while index >= 0:
        index = _skip_to_noun(tokens, index)
        if index < 0:
            return []
        phrase, begin = _phrase_ending_at(tokens, index)
        if phrase and not _is_filler(phrase):
            return _with_coordinates(tokens, begin, phrase)
        index = begin - 1
    return []


def first_noun_phrases(tokens: list[Token]) -> list[str]:
    """The noun phrases with which a stretch of text begins (`餃子とビールかな` → 餃子, ビール)."""
    index = 0
    while index < len(tokens) and tokens[index].pos[0] in _SKIP_POS | {"助詞"}:
        index += 1
    end = index
    while end < len(tokens) and (
        _nominal(tokens, end) or _links_nouns(tokens, end) or _attributive(tokens, end)
    ):
        end += 1
    return _split_coordinates(tokens[index:end])


def _split_coordinates(tokens: list[Token]) -> list[str]:
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.surface in {"と", "や", "・", "、", "とか"} and parts[-1]:
            parts.append([])
        else:
            parts[-1].append(token)
    phrases = ["".join(token.surface for token in part).strip("のな") for part in parts if part]
    return [phrase for phrase in phrases if phrase and not _is_filler(phrase)]


def _skip_to_noun(tokens: list[Token], index: int) -> int:
    while index >= 0 and not (_nominal(tokens, index) or _nominaliser(tokens, index)):
        index -= 1
    return index


def _nominaliser(tokens: list[Token], index: int) -> bool:
    """True for the の / こと that turns a verb into a thing: ジャズを聴く*の*が好き."""
    token = tokens[index]
    if token.surface not in {"の", "こと", "ん"} or index == 0:
        return False
    return tokens[index - 1].pos[0] in {"動詞", "助動詞", "形容詞"}


def _nominal(tokens: list[Token], index: int) -> bool:
    token = tokens[index]
    if token.pos[0] == "名詞":
        return token.pos[1] != "助動詞語幹" and not _describes(tokens, index)
    if token.pos[0] in {"接頭辞", "接尾辞"}:
        return token.pos[0] == "接頭辞" or (len(token.pos) > 1 and token.pos[1] == "名詞的")
    if token.pos[0] == "形状詞":
        return index + 1 < len(tokens) and tokens[index + 1].pos[0] in {"名詞", "接尾辞"}
    return token.pos[0] == "記号" or (token.pos[0] == "補助記号" and token.surface in {"ー", "-", "・"})


def _describes(tokens: list[Token], index: int) -> bool:
    """退屈で, 大事に: a noun that only says how something is."""
    if "形状詞可能" not in "".join(tokens[index].pos) or index + 1 >= len(tokens):
        return False
    return tokens[index + 1].surface in {"で", "に", "だ", "です"}


def _links_nouns(tokens: list[Token], index: int) -> bool:
    after = index + 1 < len(tokens) and (_nominal(tokens, index + 1) or _attributive(tokens, index + 1))
    return tokens[index].surface in {"の", "と", "や", "・", "、", "とか"} and after


def _attributive(tokens: list[Token], index: int) -> bool:
    """An adjective directly before a noun belongs to it: *辛い*もの."""
    if index + 1 >= len(tokens):
        return False
    token, following = tokens[index], tokens[index + 1]
    if token.pos[0] == "形容詞":
        return token.pos[-1].startswith("連体形") and following.pos[0] in {"名詞", "接頭辞"}
    if token.surface == "な" and token.pos[0] == "助動詞":
        return index > 0 and _adjectival(tokens[index - 1]) and following.pos[0] in {"名詞", "接頭辞"}
    return (
        _adjectival(token)
        and following.surface == "な"
        and index + 2 < len(tokens)
        and tokens[index + 2].pos[0] == "名詞"
    )


def _adjectival(token: Token) -> bool:
    return token.pos[0] == "形状詞" or "形状詞可能" in "".join(token.pos)


def _phrase_ending_at(tokens: list[Token], index: int) -> tuple[str, int]:
    """The noun phrase whose last token is at `index`, and where it begins."""
    if _nominaliser(tokens, index):
        return _verbal_phrase(tokens, index)
    begin = index
    while begin > 0 and _continues(tokens, begin - 1):
        begin -= 1
    text = "".join(token.surface for token in tokens[begin : index + 1])
    return _trim(text, tokens[begin : index + 1]), begin


def _continues(tokens: list[Token], index: int) -> bool:
    if _is_time_word(tokens[index]):
        return False
    if tokens[index].surface == "の":
        return index > 0 and _nominal(tokens, index - 1) and not _is_time_word(tokens[index - 1])
    return _nominal(tokens, index) or _attributive(tokens, index)


def _is_time_word(token: Token) -> bool:
    return token.surface in word_set("ja/preferences", "deictic")


def _verbal_phrase(tokens: list[Token], index: int) -> tuple[str, int]:
    """ジャズを聴くの → ジャズ; 歩くの → 歩く."""
    verb = index - 1
    while (
        verb > 0
        and tokens[verb].pos[0] in {"助動詞", "動詞", "助詞"}
        and tokens[verb].surface not in {"を", "で", "に", "が", "は", "と"}
    ):
        verb -= 1
    if tokens[verb].surface in {"を", "で", "に", "が", "と"} and verb > 0:
        inner = _skip_to_noun(tokens, verb - 1)
        if inner == verb - 1:
            return _phrase_ending_at(tokens, inner)
    start = verb + 1 if tokens[verb].surface in {"を", "で", "に", "が", "は", "と", "、"} else verb
    words = [token for token in tokens[start:index] if token.pos[0] not in {"副詞", "補助記号"}]
    if not words:
        return "", start
    return re.sub(r"(?<=[々一-龥ァ-ヴー])する$", "", "".join(token.surface for token in words)), start


def _trim(text: str, tokens: list[Token]) -> str:
    """政治の話 → 政治; 別府のとり天 → とり天; 私のカメラ → カメラ."""
    attributes = word_set("ja/preferences", "attribute")
    parts = text.split("の")
    while len(parts) > 1 and parts[-1] in attributes:
        parts.pop()
    while len(parts) > 1 and (_is_owner(parts[0]) or _is_place(parts[0], tokens)):
        parts.pop(0)
    return re.sub(
        r"^(?:その|この|あの|例の|お?前の)|(?:関係|全般|自体|関連|系|とか|など)$", "", "の".join(parts)
    )


def _is_owner(text: str) -> bool:
    return (
        text in word_set("ja/people", "self")
        or text in word_set("ja/people", "family")
        or text in {"本場", "ここ", "そこ", "近所", "例", "あそこ", "駅前", "地元"}
    )


def _is_place(text: str, tokens: list[Token]) -> bool:
    return any(token.surface == text and "地名" in token.pos for token in tokens)


def _is_filler(phrase: str) -> bool:
    if phrase in word_set("ja/people", "self") or phrase in word_set("ja/preferences", "generic"):
        return True
    return bool(re.fullmatch(r"[\d〇一二三四五六七八九十何]+.{0,2}|[ぁ-ん]|〓+", phrase))


def _with_coordinates(tokens: list[Token], begin: int, phrase: str) -> list[str]:
    """Adds what is joined by と / や before the phrase: 蕎麦とうどん."""
    found = [phrase]
    while begin > 1 and tokens[begin - 1].surface in {"と", "や", "・", "とか", "も", "&", "＆", "、"}:
        index = begin - 2
        if not _nominal(tokens, index) or (
            tokens[begin - 1].surface == "、" and "副詞可能" in tokens[index].pos
        ):
            break
        text, begin = _phrase_ending_at(tokens, index)
        if not text or _is_filler(text):
            break
        found.insert(0, text)
    return found
