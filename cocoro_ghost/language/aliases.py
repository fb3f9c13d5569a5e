"""Other names somebody goes by, as a text says them: さとっち（佐藤さん）, "Kenji, we call him Ken"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cocoro_ghost.language.fold import fold_name
from cocoro_ghost.language.morphology import tokens
from cocoro_ghost.language.names import find_names
from cocoro_ghost.language.read.tables import entries
from cocoro_ghost.model.event import EntityType
from cocoro_ghost.model.scene import Language

MOST = 4
_JA = r"[ぁ-んァ-ヶー一-龥々]{2,10}?"
_JA_FORMS = (
    re.compile(rf"(?P<one>{_JA})[（(](?P<other>[ぁ-んァ-ヶー一-龥々]{{2,10}})[）)]"),
    re.compile(rf"(?P<alias>{_JA})こと(?P<name>[ァ-ヶー一-龥々]{{2,8}}(?:さん|くん|ちゃん|先生|先輩)?)"),
    re.compile(rf"(?P<name>{_JA})(?:さん|くん|ちゃん|先生|先輩)?、?(?:通称|愛称は|あだ名は|ニックネームは)「?(?P<alias>[^\s「」、。]{{2,10}}?)」?(?:だ|で|って|と|。|、|$)"),
    re.compile(rf"(?P<name>{_JA})(?:さん|くん|ちゃん|先生|先輩)?(?:のこと)?(?:を|は)、?「?(?P<alias>[^\s「」、。をは]{{2,10}}?)」?(?:って|と)呼(?:ん|び|ぶ|ば)"),
)  # fmt: skip
_EN = r"[A-Z][a-z]+"
_EN_FORMS = (
    re.compile(rf"\b(?P<one>{_EN}) \((?P<other>{_EN})\)"),
    re.compile(
        rf"\b(?P<name>{_EN}),? (?:(?:but |and )?(?:we|I|everyone|everybody|people|they|friends)(?: all)? "
        rf"calls? (?:him|her|them)|a\.?k\.?a\.?|also known as|known as|nicknamed|who goes by|goes by"
        rf") (?P<alias>{_EN})\b"
    ),
    re.compile(rf"\b(?:call|calls) (?:my \w+ )?(?P<name>{_EN}) (?P<alias>{_EN})\b"),
    re.compile(rf"\b(?P<name>{_EN}) [\"'“‘](?P<alias>{_EN})[\"'”’] {_EN}\b"),
)


@dataclass(frozen=True, slots=True)
class Alias:
    """A person's name and another one they go by."""

    name: str
    alias: str


def find_aliases(text: str, language: Language) -> list[Alias]:
    """What a text says about how somebody is also called; only of persons that it names."""
    shown = text[:2000]
    persons = {fold_name(e.name): e.name for e in find_names(shown, language) if e.type is EntityType.PERSON}
    found: dict[tuple[str, str], Alias] = {}
    for form in _JA_FORMS if language is Language.JA else _EN_FORMS:
        for match in form.finditer(shown):
            one = _sorted_out({k: v for k, v in match.groupdict().items() if v}, persons, language)
            if one is not None:
                found.setdefault((fold_name(one.name), fold_name(one.alias)), one)
    return list(found.values())[:MOST]


def _sorted_out(parts: dict[str, str], persons: dict[str, str], language: Language) -> Alias | None:
    if "alias" in parts:
        names = [(parts["name"], parts["alias"])]
    else:
        # Which of two is the name: the one that is known as a person's.
        names = [(parts["one"], parts["other"]), (parts["other"], parts["one"])]
    for name, alias in names:
        known = _known(name, persons)
        if known and _is_nickname(alias, language) and fold_name(alias) != fold_name(known):
            return Alias(known, alias)
    return None


def _known(name: str, persons: dict[str, str]) -> str | None:
    """The person the words end with: particles and relations may stand before a Japanese name."""
    folded = fold_name(name)
    ending = [
        person for key, person in persons.items() if folded == key or (len(key) > 1 and folded.endswith(key))
    ]
    return max(ending, key=len, default=None)


def _is_nickname(alias: str, language: Language) -> bool:
    """Not a role and not a thing: （上司） and (Boss) are what somebody is, not what they are called."""
    if language is Language.EN:
        return alias.lower() not in entries("en/words", "weak_topics") and len(alias) > 1
    said = list(tokens(alias))
    common = len(said) == 1 and said[0].is_noun and "固有名詞" not in said[0].pos
    return not common and not re.fullmatch(r"[一-龥々]+", alias)
