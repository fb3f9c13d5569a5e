"""The verb group of an English clause: where it stands, its main verb, what its form says."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from cocoro_ghost.language.lexicon import table as data_table
from cocoro_ghost.language.read.english_words import NEGATIONS, Word, is_ing, is_verb, lemma
from cocoro_ghost.language.read.tables import either, entries, lookup, table, words_of

_W = "en/words"


def inverts(lows: list[str]) -> bool:
    """Do you …, can I …, is my …: the auxiliary stands before its subject."""
    first = lows[0]
    second = lows[2] if len(lows) > 2 and lows[1] == "n't" else lows[1] if len(lows) > 1 else ""
    return (
        first in entries(_W, "auxiliary")
        and first != "'s"
        and second in entries(_W, "pronouns")
        and len(lows) > 2
    )


_DOERS = frozenset({"i", "we", "they", "he", "she", "you", "who"})
_NO_DEED = frozenset({"and", ",", "myself", "guys", "all"})


def verb_at(part: list[Word]) -> int | None:
    """Where the verb group begins."""
    before = ""
    for index, word in enumerate(part):
        low = word.low
        if low == "'s" and _possessive(part, index):
            before = low
            continue
        if low in entries(_W, "auxiliary"):
            return index
        if (
            index
            and before in _DOERS
            and low not in _NO_DEED
            and low not in either(_W, "adverbs", "prepositions")
        ):
            return index
        if is_ing(low) and (index or _names_thing(part)):
            before = low
            continue
        if _is_deed(part, index, before):
            return index
        if low not in entries(_W, "adverbs"):
            before = low
    return None


def _is_deed(part: list[Word], index: int, before: str) -> bool:
    """A known verb where no noun would stand."""
    low = part[index].low
    if lemma(low) not in entries(_W, "verbs"):
        return False
    if before == "'s" or before in either(_W, "determiners", "possessive", "prepositions"):
        return False
    return not (_nounish(low, part, index) if index else _names_thing(part))


def _names_thing(part: list[Word]) -> bool:
    """`Cooking relaxes me`, `work is hard`: a first word that looks like a verb and is the subject."""
    first = part[0].low
    follows = part[1].low if len(part) > 1 else ""
    if first in entries(_W, "way_of_life"):
        return False
    if first.endswith("ing"):
        return any(
            w.low in entries(_W, "auxiliary") or (is_verb(w.low) and w.low.endswith("s")) for w in part[1:]
        )
    return (
        follows == "'s"
        or follows in entries(_W, "be")
        or (first in entries(_W, "nouns_too") and any(w.low in entries(_W, "be") for w in part[1:4]))
    )


def _nounish(low: str, part: list[Word], index: int) -> bool:
    return low in entries(_W, "nouns_too") and any(
        w.low in entries(_W, "auxiliary") for w in part[index + 1 : index + 5]
    )


def _possessive(part: list[Word], index: int) -> bool:
    """my sister's dog, as against my sister's ill."""
    after = part[index + 1 :]
    if index == 0 or part[index - 1].low in either(_W, "pronouns", "before_is"):
        return False
    if after and after[0].low in {"a", "an", "the", "not"}:
        return False  # my mom's a judge
    return any(word.low in entries(_W, "auxiliary") or is_verb(word.low) for word in after[1:4])


def stops(group: list[Word]) -> bool:
    """`stop using`, `quit smoking`: the verb is told to end."""
    lows = [word.low for word in group[:5]]
    return any(low in {"stop", "stopped", "quit", "avoid"} and is_ing(after) for low, after in pairwise(lows))


@cache
def _light() -> frozenset[str]:
    """Adverbs and negations, which stand anywhere round a verb."""
    return entries(_W, "adverbs") | NEGATIONS


def main_verb(group: list[Word]) -> list[Word]:
    """From the main verb on: auxiliaries, adverbs and negations left out before it."""
    at = 0
    while at < len(group) - 1 and _leads_to_verb(group, at):
        at += 1
    kept = [group[at]]
    copula = lemma(group[at].low) == "be"
    for word in group[at + 1 :]:
        # Negation and adverbs right after the verb are marks, not words; later ones belong to what follows.
        if len(kept) < 3 and word.low in _light() and word.low not in entries(_W, "quantities"):
            continue
        if copula and len(kept) < 4 and word.low in entries(_W, "empty_adjectives"):
            continue
        kept.append(word)
    return kept


def _leads_to_verb(group: list[Word], at: int) -> bool:
    """`have`, `want to`, `started` before the verb that tells what is done."""
    low = group[at].low
    if low in _light() or low in {"to", "better", "going", "about", "gotta", "able"}:
        return True
    follows = next((w.low for w in group[at + 1 :] if w.low not in _light()), "")
    if low in entries(_W, "chaining") and follows == "to":
        return True
    if low in entries(_W, "phases") and follows.endswith("ing"):
        return True
    verbal = is_verb(follows) or is_ing(follows)
    if low in {"do", "does", "did"} and follows != lemma(follows):
        return False  # I do shifts
    helps = low in entries(_W, "auxiliary") and verbal and follows not in entries(_W, "determiners")
    return helps and not _copula(group, at)


def _copula(group: list[Word], at: int) -> bool:
    """`is interesting`, `am tired`: be before an adjective that looks like a verb form stays the verb."""
    low = group[at].low
    if lemma(low) != "be":
        return False
    after = next((w.low for w in group[at + 1 :] if w.low not in _light()), "")
    return not after or after in entries(_W, "adjectives") or not (after.endswith("ing") or _passive(after))


def _passive(low: str) -> bool:
    return low in entries(_W, "passives")


def adverb_marks(part: list[Word]) -> set[str]:
    text = f" {' '.join(word.low for word in part)} "
    # May is a month, may is a doubt.
    doubts = (word for word in part if word.text != "May")
    found = {mark for word in doubts for mark in lookup(_W, "adverb_marks", word.low)}
    known = _cue_marks()
    for word in text.split(" "):
        found.update(mark for cue, mark in known.get(word, ()) if cue in text)
    return found


@cache
def _cue_marks() -> dict[str, list[tuple[str, str]]]:
    """Each cue, a space on either side, with its mark, under its first word."""
    found: dict[str, list[tuple[str, str]]] = {}
    for mark, cues in table(_W)["cue_marks"].items():
        for cue in words_of(cues):
            found.setdefault(cue.split(" ")[0], []).append((f" {cue} ", mark))
    return found


def verb_after(lows: list[str]) -> str:
    """The first word after the auxiliary that is no adverb."""
    return next((low for low in lows[1:] if low not in _light()), "")


def verb_marks(group: list[Word], subject: list[Word]) -> set[str]:
    """What the verb and its auxiliaries say: neg past perf prog question bare must."""
    lows = [word.low for word in group[:7]]
    first, after = lows[0], verb_after(lows)
    found: set[str] = {"neg"} if any(low in NEGATIONS for low in lows[:4]) else set()
    if lemma(first) == "be" and after.endswith("ed") and lemma(after) in entries(_W, "verbs"):
        found.add("perf")
    if _is_past(lows, subject):
        found.add("past")
    if lemma(first) == "be" and any(is_ing(low) for low in lows[1:4]):
        found.add("prog")
    if first in {"have", "has", "'ve"} and _is_participle(after) and after != "got":
        found.add("perf")
    if not subject:
        found |= _without_subject(lows, found)
    return found


def _is_participle(low: str) -> bool:
    return low in data_table("irregular_en") or low.endswith("ed") or low == "been"


def _holds(lows: list[str]) -> bool:
    """`Got a dentist appointment`: held now, whatever the form."""
    return lows[0] == "got" and lows[1:2] in (["a"], ["an"], ["another"], ["some"])


def _is_past(lows: list[str], subject: list[Word]) -> bool:
    first, irregular = lows[0], data_table("irregular_en")
    if first in {"got", "gotta"} and lows[1:2] == ["to"]:
        return False
    if not subject and _holds(lows):
        return False
    verb = next((low for low in lows if low not in _light()), first)
    told = verb in irregular and irregular[verb] in entries(_W, "verbs") and verb not in entries(_W, "be")
    return first in {"was", "were", "did", "had"} or (verb.endswith("ed") and verb != "need") or told


def _without_subject(lows: list[str], found: set[str]) -> set[str]:
    """A question, a command, or `I` left out."""
    first = lows[0]
    second = lows[2] if len(lows) > 2 and lows[1] == "n't" else lows[1] if len(lows) > 1 else ""
    turned = second in either(_W, "pronouns", "possessive") or (
        lemma(first) == "be" and second in entries(_W, "determiners")
    )
    marks = {"must"} if "forget" in lows[:3] and "neg" in found else set()
    if first in entries(_W, "auxiliary") and turned and first != "'s":
        return marks | {"question"}
    commands = first not in entries(_W, "auxiliary") or lows[:2] == ["do", "n't"]
    return marks | ({"bare"} if commands and not found & {"past", "perf"} and not _holds(lows) else set())
