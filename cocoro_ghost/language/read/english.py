"""English clauses: words, where the verb stands, what follows it. Position and preposition give the roles."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from cocoro_ghost.language.lexicon import table as data_table
from cocoro_ghost.language.read.clause import Clause, Phrase
from cocoro_ghost.language.read.tables import entries, lookup, phrases

_TOKEN = re.compile(r"[A-Za-zÀ-ÿ0-9][A-Za-zÀ-ÿ0-9'’&/.%-]*[A-Za-zÀ-ÿ0-9%]|[A-Za-zÀ-ÿ0-9]|[,;:—–()\"“”]|\s-\s")
_PARTS = re.compile(r"^(.+?)(n't|'m|'s|'re|'ve|'d|'ll)$", re.IGNORECASE)
_WHOLE = {"can't": ("can", "n't"), "won't": ("will", "n't"), "cannot": ("can", "n't"), "dont": ("do", "n't"), "cant": ("can", "n't"), "im": ("I", "'m"), "ive": ("I", "'ve"), "isnt": ("is", "n't"), "didnt": ("did", "n't"), "doesnt": ("does", "n't"), "wont": ("will", "n't"), "gotta": ("got", "to"), "gonna": ("going", "to"), "wanna": ("want", "to")}  # fmt: skip
_NEG = frozenset({"not", "n't", "never", "no", "neither", "nor"})
_W = "en/words"


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    start: int
    end: int

    @property
    def low(self) -> str:
        return self.text.lower().replace("’", "'")


def words_in(text: str) -> list[Word]:
    """The words of a text with contractions taken apart."""
    found: list[Word] = []
    for match in _TOKEN.finditer(text):
        token, at = match[0].replace("’", "'"), match.start()
        whole = _WHOLE.get(token.lower())
        cut = _PARTS.match(token)
        if whole:
            middle = at + max(1, len(token) - len(whole[1]))
            found += [Word(whole[0], at, middle), Word(whole[1], middle, match.end())]
        elif cut:
            found += [Word(cut[1], at, at + len(cut[1])), Word(cut[2], at + len(cut[1]), match.end())]
        else:
            found.append(Word(match[0].strip(), at, match.end()))
    return found


@cache
def lemma(word: str) -> str:
    """The dictionary form of a verb or noun, as far as the tables know it."""
    low = word.lower()
    verbs, irregular = entries(_W, "verbs"), data_table("irregular_en")
    if low in entries(_W, "be"):
        return "be"
    if low in irregular:
        return str(irregular[low])
    if low in verbs:
        return low
    for ending, add in (("ies", "y"), ("ied", "y"), ("es", ""), ("s", ""), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"), ("d", "")):  # fmt: skip
        if low.endswith(ending):
            stem = low[: -len(ending)] + add
            if stem in verbs:
                return stem
            if len(stem) > 3 and stem[-1] == stem[-2] and stem[:-1] in verbs:
                return stem[:-1]
    return low


def clauses(sentence: str, offset: int = 0) -> list[Clause]:
    """The clauses of one sentence in order; a clause without a subject takes the one before it."""
    found: list[Clause] = []
    for part, link in _split(words_in(sentence)):
        clause = _clause(sentence, part, link, offset)
        if clause is None:
            continue
        if link.startswith("that:"):
            clause = _reported(clause, found.pop() if found else None)
        found.append(clause)
    mocking = any(cue in sentence.lower() for cue in phrases(_W, "mocking"))
    return [replace(c, marks=c.marks | {"sarcasm"}) for c in found] if mocking else found


def _reported(clause: Clause, outer: Clause | None) -> Clause:
    """What one thinks is held with doubt; what one would not say is denied."""
    marks = set(clause.marks)
    verb = clause.link.removeprefix("that:")
    if verb in entries(_W, "doubting"):
        marks.add("hedge")
    if outer is not None:
        marks |= outer.marks & {"neg", "question", "before"} if verb in {"say", "think"} else set()
        if verb == "say" and not outer.has("neg"):
            marks.add("said_before")
    return replace(clause, marks=frozenset(marks))


def _split(words: list[Word]) -> list[tuple[list[Word], str]]:
    """Parts of a sentence, each with the word that leads into it."""
    parts: list[tuple[list[Word], str]] = []
    part: list[Word] = []
    link = ""
    quoted = False
    for index, word in enumerate(words):
        if word.low in ";:—–()\"“”" or word.low == "-":
            parts.append((part, link))
            quoted = quoted != (word.low in '"“”')
            part, link = [], "quote" if quoted else ""
        elif part and _embedded(words, index):
            parts.append((part, link))
            part, link = [word], f"that:{lemma(words[index - 1].low)}"
        elif word.low == "," or word.low in {"and", "or"}:
            if part and _begins_clause(words, index + 1, part, comma=word.low == ","):
                parts.append((part, link))
                part, link = [], word.low
            else:
                part.append(word)
        elif word.low in entries(_W, "conjunctions") and part and _joins(words, index):
            parts.append((part, link))
            part, link = [], word.low
        else:
            part.append(word)
    parts.append((part, link))
    return [(cleaned, link) for part, link in parts if (cleaned := _without_commas(part))]


def _embedded(words: list[Word], index: int) -> bool:
    """I think | I might like it; turns out | I'm allergic."""
    if words[index].low not in {"i", "i'm", "we", "it", "my"}:
        return False
    before = lemma(words[index - 1].low)
    out = before == "out" and index > 1 and lemma(words[index - 2].low) == "turn"
    return out or before in entries(_W, "thinking")


def _without_commas(part: list[Word]) -> list[Word]:
    while part and part[0].low in {",", "and"}:
        part = part[1:]
    while part and part[-1].low in {",", "and", "or"}:
        part = part[:-1]
    return part


def _begins_clause(words: list[Word], at: int, before: list[Word], *, comma: bool) -> bool:
    """True where a new clause begins: a pronoun with a verb, my sister is …, or a verb of its own."""
    after = [word for word in words[at : at + 7] if word.low not in entries(_W, "fillers")]
    if not after:
        return comma
    first = after[0].low
    if first == "i" and not comma and not _has_verb(before):
        return False
    if first in entries(_W, "pronouns") or (first in entries(_W, "possessive") and _has_verb(after)):
        return _has_verb(after)
    if first in {"not", "but", "so", "because", "though", "which", "who"}:
        return True
    if not _has_verb(before):
        return comma and (_has_verb(after[:4]) or first in entries(_W, "pronouns"))
    follows = after[1].low if len(after) > 1 else ""
    if _is_verb(after[0].low) and not first.endswith("ing") and follows not in {"and", "or", ","}:
        objects = {"in", "at", "as", "to", "it", "them", "him", "her", "my", "for", "with"}
        return first not in entries(_W, "nouns_too") or follows in entries(_W, "determiners") | objects
    return comma and first in entries(_W, "determiners") and _has_verb(after)


def _joins(words: list[Word], at: int) -> bool:
    """`so good` is no conjunction; `so I left` is."""
    word = words[at].low
    if word == "so":
        after = words[at + 1].low if at + 1 < len(words) else ""
        return after in entries(_W, "pronouns") or after in entries(_W, "possessive") or words[at - 1].low == ","
    if word in {"like", "then", "yet", "until", "plus", "except", "where", "or"}:
        return word in {"then", "plus"} and words[at - 1].low == ","
    if word == "when":
        return True
    return True


def _is_verb(low: str) -> bool:
    return low in entries(_W, "auxiliary") or lemma(low) in entries(_W, "verbs")


def _is_ing(low: str) -> bool:
    return low.endswith("ing") and lemma(low) != low


def _has_verb(words: list[Word]) -> bool:
    for index, word in enumerate(words):
        before = words[index - 1].low if index else ""
        if word.low in entries(_W, "auxiliary") or (
            _is_verb(word.low) and before not in entries(_W, "determiners") | entries(_W, "possessive") | {"of", "to"}
        ):
            return True
        if before in {"i", "we", "they", "he", "she"} and word.low.isalpha():
            return True
    return False


def _clause(sentence: str, part: list[Word], link: str, offset: int) -> Clause | None:
    marks: set[str] = set()
    while part and part[0].low in entries(_W, "fillers") and len(part) > 1 and not _subjectless_like(part):
        marks.update({"no"} if part[0].low in {"no", "nope", "nah"} else set())
        part = part[1:]
    part = _without_opening(part)
    if not part:
        return None
    if part[0].low in {"if", "when", "unless", "suppose", "imagine"} or link in {"if", "unless"}:
        marks.add("cond" if part[0].low in {"if", "unless", "suppose", "imagine"} or link in {"if", "unless"} else "when")
        part = part[1:] if part[0].low in {"if", "when", "unless"} else part
    if not part:
        return None
    if link == "quote":
        marks.add("quoted")
    part = _without_softeners(part, marks)
    at = _verb_at(part)
    span = (part[0].start + offset, part[-1].end + offset)
    text = sentence[part[0].start : part[-1].end]
    if at is None:
        noun = _noun(sentence, part, "=", offset)
        marks |= _adverb_marks(part)
        return Clause(text, span, (), (), frozenset(marks), noun, None, link)
    subject, group = part[:at], part[at:]
    if not subject and _inverts([word.low for word in group]):
        marks.add("question" if group[0].low not in {"could", "can", "would", "will"} or group[1].low != "you" else "request")
        subject, group = group[1:2], [group[0], *group[2:]]
    marks |= _verb_marks(group, subject) | _adverb_marks(part) | ({"stop"} if _stops(group) else set())
    rest = _main(group)
    found: list[Phrase] = []
    if subject and subject[0].low not in entries(_W, "asking"):
        named = _noun(sentence, subject, "subj", offset)
        if named is not None:
            found.append(named)
    elif subject:
        marks.add("question")
    found += _arguments(sentence, rest, offset)
    words = tuple(_lemmas(rest))
    noun = None
    if words[:1] == ("be",):
        noun = _noun(sentence, _until_preposition(rest[1:]), "=", offset)
    return Clause(
        text,
        span,
        tuple(found),
        words,
        frozenset(marks),
        noun,
        None,
        link,
        tuple((w.start + offset, w.end + offset) for w in rest),
        rest[0].start + offset,
        lemma(rest[0].low),
    )


def _without_opening(part: list[Word]) -> list[Word]:
    """Without `from now on`, `to be honest` before the clause itself."""
    lows = [word.low for word in part[:5]]
    for opening in phrases(_W, "openings"):
        words = opening.split()
        if lows[: len(words)] == words and len(part) > len(words):
            return part[len(words) :]
    return part


def _without_softeners(part: list[Word], marks: set[str]) -> list[Word]:
    """Without `kind of`, `a bit`: they soften and change nothing else."""
    kept: list[Word] = []
    index = 0
    while index < len(part):
        pair = " ".join(word.low for word in part[index : index + 2])
        if pair in {"kind of", "sort of", "a bit", "a little"} and index + 2 < len(part) and part[index + 2].low not in {"of", "more", "bit"}:
            marks.update({"hedge"} if pair in {"kind of", "sort of"} else set())
            index += 2
            continue
        kept.append(part[index])
        index += 1
    return kept


def _inverts(lows: list[str]) -> bool:
    """Do you …, can I …, is my …: the auxiliary stands before its subject."""
    first = lows[0]
    second = lows[2] if len(lows) > 2 and lows[1] == "n't" else lows[1] if len(lows) > 1 else ""
    return first in entries(_W, "auxiliary") and first != "'s" and second in entries(_W, "pronouns") and len(lows) > 2


def _subjectless_like(part: list[Word]) -> bool:
    """`Like it a lot`, `Guess what`: a filler word that is the verb here."""
    return part[0].low in {"like", "guess"} and len(part) > 1 and part[1].low not in entries(_W, "pronouns")


def _verb_at(part: list[Word]) -> int | None:
    """Where the verb group begins."""
    before = ""
    for index, word in enumerate(part):
        low = word.low
        if low in entries(_W, "auxiliary") and not (low == "'s" and _possessive(part, index)):
            return index
        if index and before in {"i", "we", "they", "he", "she", "you", "who"} and low not in entries(_W, "adverbs") | entries(_W, "prepositions") | {"and", ",", "myself", "guys", "all"}:  # fmt: skip
            return index
        known = lemma(low) in entries(_W, "verbs")
        noun_place = before in entries(_W, "determiners") | entries(_W, "possessive") | entries(_W, "prepositions") | {"'s"}
        if _is_ing(low) and (index or _names_thing(part)):
            before = low
            continue
        if known and not noun_place and not (index == 0 and _names_thing(part)) and not (index and _nounish(low, part, index)):
            return index
        if low not in entries(_W, "adverbs"):
            before = low
    return None


def _names_thing(part: list[Word]) -> bool:
    """`Cooking relaxes me`, `work is hard`: a first word that looks like a verb and is the subject."""
    first = part[0].low
    follows = part[1].low if len(part) > 1 else ""
    if first.endswith("ing"):
        return any(w.low in entries(_W, "auxiliary") or (_is_verb(w.low) and w.low.endswith("s")) for w in part[1:])
    return follows in entries(_W, "be") | {"'s"} or (first in entries(_W, "nouns_too") and any(w.low in entries(_W, "be") for w in part[1:4]))


def _nounish(low: str, part: list[Word], index: int) -> bool:
    return low in entries(_W, "nouns_too") and any(w.low in entries(_W, "auxiliary") for w in part[index + 1 : index + 5])


def _possessive(part: list[Word], index: int) -> bool:
    """my sister's dog, as against my sister's ill."""
    after = part[index + 1 :]
    if index == 0 or part[index - 1].low in entries(_W, "pronouns") | {"name", "what", "who", "where", "here", "there", "how"}:
        return False
    return any(word.low in entries(_W, "auxiliary") or _is_verb(word.low) for word in after[1:4])


def _stops(group: list[Word]) -> bool:
    """`stop using`, `quit smoking`: the verb is told to end."""
    lows = [word.low for word in group[:5]]
    return any(low in {"stop", "stopped", "quit", "avoid"} and _is_ing(after) for low, after in zip(lows, lows[1:], strict=False))


def _main(group: list[Word]) -> list[Word]:
    """From the main verb on: auxiliaries, adverbs and negations left out before it."""
    at = 0
    skip = entries(_W, "adverbs") | _NEG | {"to", "better", "going", "about", "gotta", "able"}
    while at < len(group) - 1:
        low = group[at].low
        after = [w for w in group[at + 1 :] if w.low not in entries(_W, "adverbs") | _NEG]
        follows = after[0].low if after else ""
        helps = low in entries(_W, "auxiliary") and follows and (
            (_is_verb(follows) or _is_ing(follows)) and follows not in entries(_W, "determiners")
        )
        chain = low in {"have", "has", "had", "need", "used", "want", "try", "going", "start", "started", "plan", "planning", "hope", "hoping", "wish", "supposed", "got", "'ve", "'d", "like", "love", "wants", "trying"} and follows == "to" and low not in {"like", "love"}  # fmt: skip
        if helps and not _copula(group, at):
            at += 1
        elif chain or low in skip:
            at += 1
        elif low in {"start", "started", "begin", "began", "stopped", "stop", "quit", "kept", "keep"} and follows.endswith("ing"):
            at += 1
        else:
            break
    kept = [group[at]]
    for word in group[at + 1 :]:
        # Negation and adverbs right after the verb are marks, not words; later ones belong to what follows.
        if len(kept) < 3 and word.low in entries(_W, "adverbs") | _NEG and word.low not in {"all", "both", "each", "little", "bit", "lot", "much", "kind", "sort", "no"}:  # fmt: skip
            continue
        kept.append(word)
    return kept


def _copula(group: list[Word], at: int) -> bool:
    """`is interesting`, `am tired`: be before an adjective that looks like a verb form stays the verb."""
    low = group[at].low
    if lemma(low) != "be":
        return False
    after = [w for w in group[at + 1 :] if w.low not in entries(_W, "adverbs") | _NEG]
    return not after or after[0].low in entries(_W, "adjectives") or (not after[0].low.endswith("ing") and not _passive(after[0].low))


def _passive(low: str) -> bool:
    return low in entries(_W, "passives")


def _lemmas(rest: list[Word]) -> list[str]:
    return [lemma(word.low) if index < 2 else word.low for index, word in enumerate(rest)]


def _adverb_marks(part: list[Word]) -> set[str]:
    text = f" {' '.join(word.low for word in part)} "
    found = {mark for word in part for mark in lookup(_W, "adverb_marks", word.low)}
    for mark, cues in _cue_marks().items():
        if any(f" {cue} " in text for cue in cues):
            found.add(mark)
    return found


@cache
def _cue_marks() -> dict[str, tuple[str, ...]]:
    from cocoro_ghost.language.read.tables import table, words_of

    return {mark: words_of(cues) for mark, cues in table(_W)["cue_marks"].items()}


def verb_after(lows: list[str]) -> str:
    """The first word after the auxiliary that is no adverb."""
    return next((low for low in lows[1:] if low not in entries(_W, "adverbs") | _NEG), "")


def _verb_marks(group: list[Word], subject: list[Word]) -> set[str]:
    lows = [word.low for word in group[:7]]
    found: set[str] = set()
    head = [low for low in lows[:5]]
    if any(low in _NEG for low in head[:4]):
        found.add("neg")
    first = lows[0]
    irregular = data_table("irregular_en")
    verb = next((low for low in lows if low not in entries(_W, "adverbs") | _NEG), first)
    owes = first in {"got", "gotta"} and len(lows) > 1 and lows[1] == "to"
    if lemma(first) == "be" and verb_after(lows).endswith("ed") and lemma(verb_after(lows)) in entries(_W, "verbs"):
        found.add("perf")
    if owes:
        pass
    elif first in {"was", "were", "did", "had"} or (verb.endswith("ed") and verb != "need") or (verb in irregular and verb not in entries(_W, "be")):
        found.add("past")
    if lemma(first) == "be" and any(_is_ing(low) for low in lows[1:4]):
        found.add("prog")
    after = next((low for low in lows[1:] if low not in entries(_W, "adverbs") | _NEG), "")
    if first in {"have", "has", "'ve"} and (after in irregular or after.endswith("ed") or after == "been"):
        found.add("perf")
    second = lows[2] if len(lows) > 2 and lows[1] == "n't" else lows[1] if len(lows) > 1 else ""
    whom = entries(_W, "pronouns") | entries(_W, "possessive")
    inverts = first in entries(_W, "auxiliary") and (
        second in whom or (lemma(first) == "be" and second in entries(_W, "determiners"))
    )
    if not subject and inverts and first != "'s":
        found.add("question")
    if not subject and not found & {"question", "past", "perf"} and (first not in entries(_W, "auxiliary") or lows[:2] == ["do", "n't"]):
        found.add("bare")
    if not subject and "forget" in lows[:3] and "neg" in found:
        found.add("must")
    return found


def _arguments(sentence: str, rest: list[Word], offset: int) -> list[Phrase]:
    """The object and the prepositional phrases behind the verb."""
    found: list[Phrase] = []
    role, chunk = "obj", list[Word]()
    stops = entries(_W, "prepositions") - {"of"}
    for word in rest[1:]:
        if word.low in stops:
            phrase = _noun(sentence, chunk, role, offset)
            if phrase is not None:
                found.append(phrase)
            role, chunk = word.low, []
        else:
            chunk.append(word)
    phrase = _noun(sentence, chunk, role, offset)
    return [*found, phrase] if phrase is not None else found


def _until_preposition(words: list[Word]) -> list[Word]:
    stops = entries(_W, "prepositions") - {"of"} | {"who", "that", "which"}
    at = next((i for i, word in enumerate(words) if word.low in stops), len(words))
    return words[:at]


def _noun(sentence: str, words: list[Word], role: str, offset: int) -> Phrase | None:
    """The words as a phrase: fillers, articles and trailing adverbs cut off."""
    words = _trimmed(words)
    if not words:
        return None
    start, end = words[0].start, words[-1].end
    low = words[0].low
    owner = low if low in entries(_W, "possessive") else ""
    kept = words
    while len(kept) > 1 and kept[0].low in {"a", "an", "the", "some"}:
        kept = kept[1:]
    start = kept[0].start
    text = sentence[start:end]
    return Phrase(
        text,
        kept[-1].low,
        role,
        (start + offset, end + offset),
        role == "subj",
        owner,
        kept[0].low if kept[0].low.endswith("ing") else "",
        any(word.text[:1].isupper() and word.low != "i" for word in kept),
    )


def _trimmed(words: list[Word]) -> list[Word]:
    """Without adverbs and asides at its end."""
    words = [word for word in words if word.low not in {"(", ")", '"', "“", "”"}]
    while words and words[-1].low in {",", "and", "or", "the", "a"}:
        words = words[:-1]
    changed = True
    while changed and words:
        changed = False
        for tail in phrases(_W, "trailing"):
            parts = tail.split()
            if len(words) > len(parts) - 1 and [w.low for w in words[-len(parts) :]] == parts:
                words, changed = words[: -len(parts)], True
        while words and words[-1].low == ",":
            words, changed = words[:-1], True
    while words and words[-1].low.endswith("ly") and words[-1].low in entries(_W, "adverbs"):
        words = words[:-1]
    leading = entries(_W, "fillers") | (entries(_W, "adverbs") - {"all", "both", "each", "little", "kind", "sort"})
    while words and (words[0].low in leading or words[0].low == ","):
        words = words[1:]
    return words


def rest_of(clause: Clause, count: int, keep: frozenset[str] = frozenset()) -> Phrase | None:
    """What follows the first `count` words of the predicate, up to a preposition not in `keep`."""
    offset = clause.span[0]
    words = [
        Word(clause.text[start - offset : end - offset], start - offset, end - offset)
        for start, end in clause.places[count:]
    ]
    stops = (entries(_W, "prepositions") | {"who", "that", "which", "when", "because"}) - keep - {"of"}
    at = next((i for i, word in enumerate(words) if i and word.low in stops), len(words))
    return _noun(clause.text, words[:at], ">", offset)
