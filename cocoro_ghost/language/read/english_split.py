"""Where one English clause ends and the next begins."""

from __future__ import annotations

from cocoro_ghost.language.read.english_words import Word, has_verb, is_verb, lemma
from cocoro_ghost.language.read.tables import either, entries

_W = "en/words"
_OPENS = frozenset({"not", "but", "so", "because", "though", "which", "who"})


def split_clauses(words: list[Word]) -> list[tuple[list[Word], str]]:
    """Parts of a sentence, each with the word that leads into it."""
    parts: list[tuple[list[Word], str]] = []
    part: list[Word] = []
    words = _without_apposition(words)
    link = ""
    quoted = False
    for index, word in enumerate(words):
        if word.low in ';:—–()"“”' or word.low == "-":
            parts.append((part, link))
            quoted = quoted != (word.low in '"“”')
            part, link = [], "quote" if quoted else ""
        elif part and _breaks(words, index, part):
            parts.append((part, link))
            part, link = [], ","
        elif part and (described := _described(words, index, part)):
            # Amara who's 6 and Dev who's 3: each clause is about whom it follows.
            parts.append((_without_described(part, described), link))
            part, link = list(described), "who"
        elif part and (begun := _begun(words, index, part)):
            parts.append((part, link))
            part, link = [word], begun
        elif part and _leads_on(words, index, part):
            parts.append((part, link))
            part, link = [], word.low
        else:
            part.append(word)
    parts.append((part, link))
    return [(cleaned, link) for part, link in parts if (cleaned := _without_commas(part))]


def _begun(words: list[Word], index: int, part: list[Word]) -> str:
    """How a clause that begins with this word hangs on the one before; nothing where none begins."""
    if _embedded(words, index):
        return f"that:{lemma(words[index - 1].low)}"
    return "," if _comes_after(words, index, part) else ""


def _comes_after(words: list[Word], index: int, part: list[Word]) -> bool:
    """`Before I came to Denver | I lived in Tulsa`: no comma needs to part them."""
    if len(part) < 3 or part[0].low not in entries(_W, "made_way") or words[index].low not in {"i", "we"}:
        return False
    return has_verb(part) and has_verb(words[index : index + 3])


def _leads_on(words: list[Word], index: int, part: list[Word]) -> bool:
    """Commas, `and` and `or` where they join clauses, not things; every other conjunction."""
    low = words[index].low
    if low in {",", "and", "or"}:
        after = words[index + 1].low if index + 1 < len(words) else ""
        return after != "who" and _begins_clause(words, index + 1, part, comma=low == ",")
    return low in entries(_W, "conjunctions") and _joins(words, index)


def _without_apposition(words: list[Word]) -> list[Word]:
    """`Our youngest, Tomi, starts nursery`: a name between commas belongs to whom it stands behind."""
    found: list[Word] = []
    at = 0
    while at < len(words):
        if words[at].low == "," and _is_name(words[at + 1 : at + 3]) and _owned(found):
            found.append(words[at + 1])
            at += 3
            continue
        found.append(words[at])
        at += 1
    return found


def _is_name(inner: list[Word]) -> bool:
    """A capitalised word and the comma behind it."""
    if len(inner) < 2 or inner[1].low != "," or not inner[0].text[:1].isupper():
        return False
    return inner[0].low != "i" and inner[0].low not in entries("en/claims", "not_name")


def _breaks(words: list[Word], at: int, part: list[Word]) -> bool:
    """`im ella btw im 15`: an aside where a comma would stand; `from now on` has told nothing yet."""
    aside = words[at].low in entries(_W, "breaks") and (words[at].low != "now" or has_verb(part))
    return aside and _begins_clause(words, at + 1, part, comma=True)


def _owned(before: list[Word]) -> bool:
    """my sister, our youngest, the dog: somebody, not a list of things."""
    owners = entries(_W, "possessive") | {"the"}
    back = before[-4:]
    at = next((i for i in range(len(back) - 1, -1, -1) if back[i].low in owners), None)
    if at is None or has_verb(back[at + 1 :]):
        return False
    return any(back[-1].low in entries("en/lexicon", kind) for kind in ("family", "couple", "role", "pet"))


def _described(words: list[Word], index: int, part: list[Word]) -> list[Word]:
    """The noun a relative `who` belongs to: a name, or back to the word that owns it."""
    if words[index].low != "who" or index + 1 == len(words) or not has_verb([*words[index + 1 : index + 4]]):
        return []
    noun = part[:-1] if part[-1].low == "," else part
    owners = entries(_W, "possessive") | {"a", "an", "the"}
    at = next((i for i in range(len(noun) - 1, max(-1, len(noun) - 5), -1) if noun[i].low in owners), None)
    if at is not None and not has_verb(noun[at + 1 :]) and not {",", "and"} & {w.low for w in noun[at:]}:
        return noun[at:]
    return noun[-1:] if noun and noun[-1].text[:1].isupper() else []


def _without_described(part: list[Word], described: list[Word]) -> list[Word]:
    """`… is 6 and Dev | who's 3`: whom it describes is no part of the clause before."""
    before = part[: -len(described)]
    return before if before and before[-1].low in {"and", ","} and has_verb(before) else part


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
    after = _as_it_begins(words[at : at + 7])
    if not after:
        return comma
    first = after[0].low
    if first == "i" and not comma and not has_verb(before):
        return False
    if first in entries(_W, "pronouns"):
        return has_verb(after)
    if (first in entries(_W, "possessive") and has_verb(after)) or _opens_clause(after, comma=comma):
        return True
    if not has_verb(before):
        return comma and has_verb(after[:4])
    verb = _verb_of_its_own(after)
    return verb if verb is not None else _begins_with_a_thing(after, comma=comma)


def _as_it_begins(words: list[Word]) -> list[Word]:
    """The words without fillers, and without the adverb before a verb: and still works at a bakery."""
    after = [word for word in words if word.low not in entries(_W, "fillers")]
    while len(after) > 1 and after[0].low in entries(_W, "adverbs") and is_verb(after[1].low):
        after = after[1:]
    return after


def _begins_with_a_thing(after: list[Word], *, comma: bool) -> bool:
    """…and the wedding is on the 3rd: what is, is told by a clause of its own."""
    if comma and any(word.low in entries(_W, "way_of_life") for word in after[:2]):
        return True  # quit the bakery, working at a bank now
    told = after[0].low in entries(_W, "determiners") and has_verb(after)
    return told and (comma or any(word.low in entries(_W, "be") for word in after[1:4]))


def _verb_of_its_own(after: list[Word]) -> bool | None:
    """… and works nights; None where no verb stands first."""
    first, follows = after[0].low, after[1].low if len(after) > 1 else ""
    if not is_verb(first) or first.endswith("ing") or follows in {"and", "or", ","}:
        return None
    return first not in entries(_W, "nouns_too") or follows in either(_W, "determiners", "follows_verb")


def _opens_clause(after: list[Word], *, comma: bool) -> bool:
    """A clause by how it begins, whatever stands before it."""
    first, follows = after[0].low, after[1].low if len(after) > 1 else ""
    if first in _OPENS or (comma and first == "never"):
        return True
    if comma and first in entries(_W, "made_way") and has_verb(after[1:]):
        return True  # , before that I was in Bergen
    if comma and follows == "to" and len(after) > 2 and is_verb(after[2].low):
        return True  # , nice to meet you
    # vegetarian and allergic to cashews
    elided = entries(_W, "elided")
    leads = follows in {"to", "of", "with", "on", "about"} or (comma and follows in elided)
    return first in elided and leads


def _joins(words: list[Word], at: int) -> bool:
    """`so good` is no conjunction; `so I left` is."""
    word = words[at].low
    if word == "so":
        after = words[at + 1].low if at + 1 < len(words) else ""
        return after in either(_W, "pronouns", "possessive") or words[at - 1].low == ","
    if word in {"like", "then", "yet", "until", "plus", "except", "where", "or"}:
        return word in {"then", "plus"} and words[at - 1].low == ","
    return True
