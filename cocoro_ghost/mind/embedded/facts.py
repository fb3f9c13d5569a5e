"""Lasting facts and relations by rule: the tables live in data/<language>/states.toml."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from cocoro_ghost.language.morphology import tokens
from cocoro_ghost.mind.embedded.coordination import DOT
from cocoro_ghost.mind.embedded.lexicon import alternation, data, pattern
from cocoro_ghost.mind.embedded.nounphrase import noun_phrases_before
from cocoro_ghost.mind.embedded.sentences import Sentence
from cocoro_ghost.mind.embedded.voice import address, retell, unbanned
from cocoro_ghost.model.event import Entity, EntityType
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import StateKind

_JA_CLAUSE = re.compile(
    r"(?:(?<=で)|(?<=て)|(?<=し)|(?<=が)|(?<=けど)|(?<=から)|(?<=ので)|(?<=のに)|(?<=す)|(?<=歳))、|けど、?|(?<=\d歳)で"
)
_EN_CLAUSE = re.compile(
    r"[,;]\s+(?:(?:and|but|so|because|who|which)\b)?|"
    r"\s+(?:and|but|because|so)\s+(?=(?:yes,? )?(?:i|we|my|the|our)\b)",
    re.IGNORECASE,
)
_EN_FURTHER = re.compile(
    r",?\s+(?:and|but|so|because)\s+(?:i|we|my|it|he|she|they|there|that|this|his|her|also)\b", re.IGNORECASE
)
_MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    "oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_EN_WHEN = re.compile(
    rf"(?:\s+(?:(?:back |early |late |earlier )?(?:in|since|on|last|this|of) (?:early |late |the )?"
    rf"(?:{_MONTH}|\d{{4}}|week|month|year|spring|summer|fall|autumn|winter|"
    rf"(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
    rf"(?: \d{{1,2}}(?:st|nd|rd|th)?)?(?:,? \d{{4}})?|(?:\w+ )?"
    rf"(?:few |couple of )?(?:days?|weeks?|months?|years?) ago|"
    rf"yesterday|today|recently))+$",
    re.IGNORECASE,
)

_INTERROGATIVE = re.compile(
    r"(?:what|who|whom|whose|where|when|why|how|which)(?:'s|ever)?\b|"
    r"(?:何|なに|なん(?=$|だ|で|か|と|て)|誰|だれ|どこ|どちら|どれ|どの|どんな|どう(?=$|[しだで、])|いつ(?=$|[かだで、])|いくつ)",
    re.IGNORECASE,
)
"""Words that ask: never a name, a place or a job."""
_NO_PLACE = re.compile(
    "(?:一緒|いっしょ|[とに]共|とともに?|二人|ふたり|三人|家族)(?:だけ|きり)?$|(?:^|の)(?:家|うち|部屋|ところ|所|とこ|そば)$"
)
_SUBJECT_JA = re.compile(r"(?P<who>[^、。はがもと\s]{1,10}?)(?:が|は|も|って|、)")
_OTHER_SUBJECT = re.compile(
    r"(?<!私)(?<!僕)(?<!俺)(?<!たち)(?<!うち)(?<!ふたり)(?<!二人)が(?:ついに|やっと|とうとう|先月|去年|今年|昨日)?$"
)
_PARTNER_JA = re.compile("彼女?$|彼氏$|恋人$")


@dataclass(frozen=True, slots=True)
class Found:
    """A state that a sentence tells."""

    kind: StateKind
    body: str
    payload: dict[str, Any] = field(default_factory=dict)
    salience: float = 0.6
    confidence: float = 0.8
    span: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class _Rule:
    key: str
    slot: str
    kind: StateKind
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None
    needs: re.Pattern[str] | None
    body: str
    salience: float
    split: bool
    names: bool
    person: bool


@cache
def _rules(language: Language) -> tuple[_Rule, ...]:
    return tuple(_compiled(raw, language) for raw in data(f"{language.value}/states")["rule"])


def _compiled(raw: dict[str, Any], language: Language) -> _Rule:
    flags = 0 if raw.get("cased") else re.IGNORECASE
    slot = raw.get("slot", "")
    return _Rule(
        key=raw.get("key", slot),
        slot=slot,
        kind=StateKind(raw.get("kind", "fact")),
        pattern=re.compile(filled(raw["pattern"], language), flags),
        unless=re.compile(filled(raw["unless"], language), re.IGNORECASE) if "unless" in raw else None,
        needs=re.compile(raw["needs"], re.IGNORECASE) if "needs" in raw else None,
        body=raw.get("body", ""),
        salience=raw["salience"],
        split=raw.get("split", False),
        names=raw.get("names", False),
        person=raw.get("person", False),
    )


def filled(text: str, language: Language) -> str:
    """A pattern with its placeholders replaced by word lists."""
    code = language.value
    lists = {
        "FAMILY": f"{code}/people",
        "COUPLE": f"{code}/people",
        "ROLE": f"{code}/people",
        "PET": f"{code}/people",
    }
    lists |= {"JOB": f"{code}/states", "ILLNESS": f"{code}/states", "EVENT": f"{code}/states"}
    sections = {"JOB": "jobs"}
    for name, file in lists.items():
        if name in text:
            text = text.replace(name, f"(?:{alternation(file, sections.get(name, name.lower()))})")
    if "SELF" in text and language is Language.JA:
        text = text.replace("SELF", f"(?:{alternation('ja/people', 'self')})")
    return text


def facts(sentence: Sentence, names: Iterable[Entity], label: str) -> list[Found]:
    """The facts and couple relations of one sentence, at most one per key and place."""
    if sentence.question or _is_wish(sentence):
        return []
    persons = [name.name for name in names if name.type is EntityType.PERSON]
    found: list[tuple[_Rule, re.Match[str]]] = []
    for rule in _rules(sentence.language):
        match = _matching(rule, sentence, persons)
        if match and not _covered(rule, match, found):
            found.append((rule, match))
    told = [_told(sentence, rule, match, label, alone=len(found) == 1) for rule, match in found]
    return _apart(told, sentence.language, address(sentence.language, label))


def _apart(told: list[Found], language: Language, you: str) -> list[Found]:
    """Two facts of one clause get bodies of their own: パン屋でアルバイトしてる大学生."""
    seen: set[str] = set()
    kept: list[Found] = []
    for found in told:
        value = found.payload.get("value")
        kin = next((one for one in kept if one.payload["about"] == "family"), None)
        if kin is not None and found.payload["about"] == "person":
            # One person told of twice: the fuller words stay.
            kept[kept.index(kin)] = replace(kin, body=max(kin.body, found.body, key=len))
            continue
        if found.body in seen and found.payload["about"] in {"family", "person"}:
            continue
        if found.body in seen and value:
            body = f"{you}は{value}。" if language is Language.JA else f"{you.capitalize()}: {value}."
            found = replace(found, body=body)
        seen.add(found.body)
        kept.append(found)
    return kept


def _is_wish(sentence: Sentence) -> bool:
    return pattern(f"{sentence.language.value}/states", "wish").search(sentence.text) is not None


def _matching(rule: _Rule, sentence: Sentence, persons: list[str]) -> re.Match[str] | None:
    text = sentence.text.replace("’", "'")
    if rule.unless and rule.unless.search(text):
        return None
    if rule.needs and not rule.needs.search(text):
        return None
    match = rule.pattern.search(text)
    if match and (asks_back(value_of(match)) or _misread(rule, match, persons, sentence.language)):
        return None
    if match and rule.names and not any(_same(value_of(match), person) for person in persons):
        return None
    if match and rule.person and not _is_person(value_of(match), persons, sentence.language):
        return None
    return match


def _misread(rule: _Rule, match: re.Match[str], persons: list[str], language: Language) -> bool:
    """True for a home that is no place (美穂と一緒に住んでる) and for another's wedding (由香が結婚した)."""
    if language is Language.EN:
        return False
    if rule.slot == "residence":
        return _NO_PLACE.search(value_of(match)) is not None
    if rule.slot != "marital" or rule.kind is not StateKind.RELATION:
        return False
    before = match.string[: match.start()]
    if _OTHER_SUBJECT.search(before):
        return True
    for subject in _SUBJECT_JA.finditer(before):
        who = re.sub("(?:さん|くん|ちゃん|君)$", "", subject["who"])
        own = match.group().startswith("プロポーズ") and _PARTNER_JA.search(who)
        if not own and _is_person(who, persons, language):
            return True
    return False


def asks_back(value: str) -> bool:
    """True when the words ask instead of naming: 誰でしょう, What."""
    return _INTERROGATIVE.match(value.strip()) is not None


def _same(value: str, person: str) -> bool:
    if value == person:
        return bool(value)
    return bool(value) and (person.startswith(value) or (len(person) > 1 and value.startswith(person)))


def _is_person(value: str, persons: list[str], language: Language) -> bool:
    if not value:
        return True
    if language is Language.EN:
        return value in persons or any(value in person for person in persons)
    words = f"{alternation('ja/people', 'third')}|{alternation('ja/people', 'role')}"
    own = alternation("ja/people", "self")
    if re.fullmatch(rf"(?:{own}|{alternation('ja/people', 'you')})", value):
        return False
    return bool(re.search(rf"(?:{words})$", value)) or any(person and person in value for person in persons)


def _covered(rule: _Rule, match: re.Match[str], found: list[tuple[_Rule, re.Match[str]]]) -> bool:
    """One slot is told once, and two rules never tell the same words."""
    for other, earlier in found:
        if other.key == rule.key and (rule.key != "family" or _overlap(match, earlier)):
            return True
        if _overlap(match, earlier) and other.key != "age" and rule.key not in {"age"}:
            return True
    return False


def _overlap(one: re.Match[str], other: re.Match[str]) -> bool:
    """Where both hold a value, the values count; the words round them may be shared."""
    first, second = _core(one), _core(other)
    return first[0] < second[1] and second[0] < first[1]


def _core(match: re.Match[str]) -> tuple[int, int]:
    named = (name for name, text in match.groupdict().items() if name.startswith("value") and text)
    group = next(named, 0)
    start, end = match.span(group)
    further = _EN_FURTHER.search(match[group])
    return start, start + further.start() if further else end


def value_of(match: re.Match[str]) -> str:
    """The text of the first `value…` group that took part."""
    if not any(text for name, text in match.groupdict().items() if name.startswith("value")):
        return ""
    start, end = _core(match)
    return match.string[start:end].strip().replace(DOT, ".")


_NOUN_VALUES = frozenset(
    {"residence", "past_residence", "job", "school", "membership", "hometown", "vehicle", "allergy"}
)
_COUPLE_WORD = re.compile(
    r"married|engaged|dating|together|proposed|eloped|girlfriend|boyfriend|partner|入籍|結婚|婚約|再婚|付き合|交際|同棲|プロポーズ|彼女|彼氏|恋人",
    re.IGNORECASE,
)
_OF_OTHERS = frozenset({"family", "person_taste", "pet", "relation"})


def _of_another(sentence: Sentence, rule: _Rule, match: re.Match[str]) -> bool:
    """True when a rule about the speaker met a sentence about somebody else: 叔母がパリに住んでて."""
    if rule.key in _OF_OTHERS or rule.kind is StateKind.RELATION or sentence.language is Language.EN:
        return False
    people = f"{alternation('ja/people', 'family')}|{alternation('ja/people', 'third')}"
    people += f"|{alternation('ja/people', 'role')}|さん|くん|ちゃん"
    before = sentence.text[: match.end()]
    other = re.search(rf"(?:{people})(?:の[^、。はがもを]{{1,6}})?(?:たち|達)?(?:は|が|も|って)", before)
    own = re.search(rf"(?:{alternation('ja/people', 'self')})(?:は|が|も)", before)
    return other is not None and own is None


def _told(sentence: Sentence, rule: _Rule, match: re.Match[str], label: str, alone: bool) -> Found:
    if _of_another(sentence, rule, match):
        piece = sentence.raw if len(sentence.raw) <= 90 else clause_at(sentence, match.start(), match.end())
        return Found(
            StateKind.FACT,
            retell(piece, sentence.language, label),
            {"about": "person"},
            0.6,
            0.8,
            match.span(),
        )
    value = unbanned(_tidy_value(value_of(match), sentence.language, rule), sentence.language)
    you = address(sentence.language, label)
    if rule.body and value:
        body = rule.body.format(you=you, You=you.capitalize(), value=value)
    else:
        piece = (
            sentence.raw
            if alone and len(sentence.raw) <= 90
            else clause_at(sentence, match.start(), max(match.start(), _core(match)[1]))
        )
        body = retell(_settled_form(piece, sentence.language), sentence.language, label)
    payload: dict[str, Any] = {"about": rule.key}
    if rule.slot:
        payload["slot"] = rule.slot
    if rule.kind is StateKind.RELATION and not value:
        # A slot without a value would look new each time it is said again.
        named = _COUPLE_WORD.search(match.group())
        value = named.group().lower() if named else rule.key
    if value:
        payload["value"] = value
    return Found(rule.kind, body, payload, rule.salience, 0.85, match.span())


def _settled_form(piece: str, language: Language) -> str:
    """A clause cut out of its sentence ends like a sentence: 美容師をしていて → 美容師をしている."""
    return re.sub(r"(?<=[てで])(い?)て$", r"\1る", piece) if language is Language.JA else piece


def _tidy_value(value: str, language: Language, rule: _Rule) -> str:
    """The value alone: 三年前に沖縄 → 沖縄, at the post office → post office."""
    if language is Language.EN:
        bare = re.sub(
            r"^(?:(?:at|as|for|with|in|to|an?|the|my|our)\s+)+",
            "",
            value.strip(" ,.'\""),
            flags=re.IGNORECASE,
        )
        return _EN_WHEN.sub("", bare) or bare or value
    if rule.key == "occupation":
        value = re.sub("^.{1,12}で(?=[^、])", "", value)
    if rule.key not in _NOUN_VALUES:
        return value.strip("、の ")
    phrases = noun_phrases_before(list(tokens(value)))
    return phrases[-1] if phrases else value.strip("、の ")


def clause_at(sentence: Sentence, start: int, end: int) -> str:
    """The clause of the sentence in which a match lies."""
    left, right = clause_bounds(sentence, start, end)
    piece = sentence.raw[left:right].strip(" 、,;")
    return re.sub(r",?\s+(?:and|but|so|because)$", "", piece)


def clause_bounds(sentence: Sentence, start: int, end: int) -> tuple[int, int]:
    """Where the clause round a match begins and ends."""
    breaks = (_JA_CLAUSE if sentence.language is Language.JA else _EN_CLAUSE).finditer(sentence.text)
    cuts = [0, *(cut.end() for cut in breaks), len(sentence.text)]
    left = max(cut for cut in cuts if cut <= max(start, 0) + 1)
    right = min((cut for cut in cuts if cut >= end), default=len(sentence.text))
    return left, right
