"""Likes and dislikes said in English: rules from the data file, tried clause by clause."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from cocoro_ghost.language.morphology import content_words
from cocoro_ghost.mind.embedded.elided_en import with_subject
from cocoro_ghost.mind.embedded.lexicon import data, pattern, word_set
from cocoro_ghost.mind.embedded.sentences import Sentence
from cocoro_ghost.mind.embedded.taste import Taste
from cocoro_ghost.model.preference import Domain, Polarity
from cocoro_ghost.model.scene import Language

_FILE = "en/preferences"
_CLAUSE = re.compile(
    r",?\s+(?:but|yet|although|though|whereas|while)\s+|;\s*|\s*[—–]+\s*|\s+-+\s+|"
    r":\s+(?=(?:\w+ )?(?:love|hate|can't stand|adore)\b)|"
    r",?\s+and\s+(?=(?:(?:yes|honestly|now|then),?\s+)?i(?:'|\s)|my\b)|"
    r",?\s+because\s+(?=i\b)|,\s+(?=i(?:'m|'ve)?\s)|,\s+so\s+(?=i\b)",
    re.IGNORECASE,
)
_LIST = re.compile(
    r"(?:(?!but\b|and\b|so\b|because\b|i\b|it\b)[\w'-]+(?: [\w'-]+){0,2}, ){1,5}(?:and|or) "
    r"(?!i\b|it\b|my\b|that\b)[\w'-]+(?: [\w'-]+){0,2}(?=$|[,.;!?])",
    re.IGNORECASE,
)
_VERDICT = r"(?:is|are|was|were|isn't|aren't|wasn't|weren't|used to|tastes?|doesn't|don't|didn't)"
_AFTER = (
    r"(?:yesterday|today|tonight|last|this|for|and|at|in|on|with|again|but|from|once|now|recently|lately|the|when|"
    r"because|too|so|my|your|his|her|it|them|that|first|finally)\b"
)
_REPORTED = re.compile(
    r"\b(?:they|people|everyone|everybody|folks|he|she|friends?|mom|mum|dad|boss) (?:all |always |often )?"
    r"(?:says?|thinks?|thought|said|claims?|assumes?|assumed|believes?|tells? me)(?: that)? i\b",
    re.IGNORECASE,
)
"""What others make of the speaker's taste says nothing about it."""
_OTHERS = re.compile(
    r"\b(?:loves|likes|hates|adores|enjoys|is (?:really )?into)\s+(?P<s>[\w' -]+)$|"
    r"(?:allergic to|(?:thought|expected|figured|assumed) i(?:'d| would) (?:hate|love|like|enjoy))\s+"
    r"(?P<t>[\w' -]+)",
    re.IGNORECASE,
)
_NO_THING = re.compile(
    r"^(?:yeah|yep|yum|wow|haha|oh|and|or)\b|^(?:great|good|nice|cool|awesome|amazing)$|\bme$", re.IGNORECASE
)
"""Exclamations and ends of other clauses that a pattern took along."""
_HEDGE = re.compile(r"\b(?:maybe|perhaps|possibly|i guess|i suppose)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Rule:
    op: str
    polarity: Polarity
    pattern: re.Pattern[str]
    then: Polarity | None = None
    swap: bool = False
    swap_old: bool = False
    person: bool = False
    only: str = ""


@cache
def _rules() -> tuple[_Rule, ...]:
    adverbs = data(_FILE)["adverbs"]
    found = []
    for raw in data(_FILE)["rule"]:
        compiled = re.compile(raw["pattern"].replace("ADV", adverbs), re.IGNORECASE)
        then = Polarity(raw["then"]) if "then" in raw else None
        found.append(
            _Rule(
                raw["op"],
                Polarity(raw["polarity"]),
                compiled,
                then,
                raw.get("swap", False),
                raw.get("swap_old", False),
                raw.get("person", False),
                raw.get("only", ""),
            )
        )
    return tuple(found)


def tastes_en(sentence: Sentence, topic: str | None) -> list[Taste]:
    """The tastes one sentence states; `topic` is what the sentence before was about."""
    text = sentence.text.replace("’", "'")
    if pattern(_FILE, "sarcasm").search(text + sentence.mark):
        return []
    if sentence.question or pattern(_FILE, "hypothetical").search(text):
        return []
    whole = _across_clauses(text) or _across_clauses(with_subject(text) or "")
    if whole:
        return whole
    found: list[Taste] = []
    carried = topic
    for clause in _CLAUSE.split(text):
        tastes = _clause(clause, carried) or _clause(with_subject(clause) or "", carried)
        found.extend(tastes)
        carried = tastes[-1].subject if tastes else (carried or _named(clause))
    return found


def _named(clause: str) -> str | None:
    """What a clause without a taste of one's own leaves for the `it` or `them` of the next."""
    told = _OTHERS.search(clause)
    return _opening(clause) or _object(clause) or (subject_of(told["s"] or told["t"]) if told else None)


def _across_clauses(text: str) -> list[Taste]:
    """Rules that need both halves: used to hate X but now…, it's not X I like, it's Y."""
    for rule in _rules():
        if not (rule.then or rule.swap or rule.swap_old or "used to" in rule.pattern.pattern):
            continue
        match = rule.pattern.search(text)
        if not match:
            continue
        found = [
            _taste(rule.op, rule.polarity, subject, text) for subject in _subjects(_captured(match), None)
        ]
        if rule.then:
            found += [_taste("confirm", rule.then, taste.subject, text) for taste in found]
        if rule.swap:
            found += [_taste("confirm", rule.polarity, s, text) for s in _subjects(match["t"], None)]
        if rule.swap_old:
            found += [_taste("revoke", rule.polarity, s, text) for s in _subjects(match["t"], None)]
        return found
    return []


def _clause(clause: str, topic: str | None) -> list[Taste]:
    if _REPORTED.search(clause):
        return []
    for rule in _rules():
        match = rule.pattern.search(clause)
        if not match:
            continue
        if rule.person:
            return _person_rule(rule, match, clause)
        op = "upsert_candidate" if rule.op == "confirm" and _HEDGE.search(clause) else rule.op
        found = [_taste(op, rule.polarity, subject, clause) for subject in _subjects(_captured(match), topic)]
        if not rule.only or all(taste.domain == rule.only for taste in found):
            return found
    return []


def _person_rule(rule: _Rule, match: re.Match[str], clause: str) -> list[Taste]:
    """I'm a cat person → cats; I'm a jazz lover → jazz."""
    subject = re.sub(
        r"^(?:total|huge|big|real|massive|proper)\s+", "", match["s"].strip(), flags=re.IGNORECASE
    )
    if re.match(
        r"(?:morning|night|people|nice|good|shy|private|quiet|funny|kind|happy|a|the|not|number|biggest|indoor|outdoor|tech|old|busy|different|young|bad|great|new|changed)\b",
        subject,
        re.IGNORECASE,
    ):
        return []
    if " person" in match.group().lower() and re.fullmatch(r"cat|dog|bird|horse", subject, re.IGNORECASE):
        subject += "s"
    return [_taste(rule.op, rule.polarity, subject, clause)]


def _captured(match: re.Match[str]) -> str:
    groups = {name: value for name, value in match.groupdict().items() if value and name not in {"t"}}
    return next(iter(groups.values()), "")


def _subjects(captured: str, topic: str | None) -> list[str]:
    """The captured words cut to noun phrases; a pronoun stands for what was named before."""
    listed = _LIST.match(captured.strip())
    if listed:
        parts = re.split(r",\s*(?:and |or )?|\s+(?:and|or)\s+", listed.group())
        return [name for part in parts for name in _subjects(part, None)]
    phrase = pattern(_FILE, "stop").split(captured.strip(), maxsplit=1)[0].strip(" '\"-")
    if pattern(_FILE, "pronoun").match(phrase) or (not phrase and topic):
        return [topic] if topic else []
    refused = ("people", "deictic")
    if not phrase or any(pattern(_FILE, name).match(phrase) for name in refused):
        return []
    if pattern(_FILE, "not_subject").search(phrase):
        return []
    parts = [_strip_lead(part) for part in _coordinates(phrase)]
    return [
        part
        for part in parts
        if part
        and len(part.split()) <= 7
        and not pattern(_FILE, "people").match(part)
        and not _NO_THING.search(part)
    ]


def _coordinates(phrase: str) -> list[str]:
    kept = pattern("en/food", "pairs").search(phrase)
    parts = re.split(r"\s+(?:and|or|&|plus)\s+", phrase)
    if kept or len(parts) == 1 or any(len(part.split()) > 3 for part in parts):
        return [phrase]
    return parts


def _strip_lead(phrase: str) -> str:
    for _ in range(3):
        shorter = pattern(_FILE, "lead").sub("", phrase, count=1).strip()
        if not shorter or shorter == phrase:
            break
        phrase = shorter
    phrase = re.sub(
        r"\s+(?:in|on|at|for|with|to|of|from|and|or|the|stuff|things?|itself|in there)$",
        "",
        phrase,
        flags=re.IGNORECASE,
    )
    return re.sub(r"[^\w\s'&.+#/-]+", "", phrase).strip(" '-")


def _opening(clause: str) -> str | None:
    """A fragment such as `black licorice?` is a topic, and so is what a verdict is about: `marzipan is…`."""
    words = clause.split()
    if pattern(_FILE, "small_talk").match(clause.strip()) or _NO_THING.search(clause.strip(" ,.!?")):
        return None
    if re.match(r"(?:i|it|this|that|he|she|we|you|they|there)\b", clause, re.IGNORECASE):
        return None
    if 0 < len(words) <= 3:
        return _strip_lead(clause.strip(" ?,"))
    verdict = re.match(rf"([\w' -]{{2,30}}?) {_VERDICT}\b", clause, re.IGNORECASE)
    return _strip_lead(verdict[1]) if verdict and len(verdict[1].split()) <= 3 else None


def _object(clause: str) -> str | None:
    """What somebody does or tries, for the `it` that follows: I've been learning the banjo and I love it."""
    match = re.search(
        r"\b(?:learn|play|try|tri|start|read|watch|bak|cook|eat|drink|practi[cs]|took up|grow|mak)\w*\s+"
        rf"(?:the |a |an |my |some )?([\w'-]+(?: (?!{_AFTER})[\w'-]+)?)",
        clause,
        re.IGNORECASE,
    )
    return subject_of(match[1]) if match else None


def topic_of_talk(sentence: Sentence) -> str | None:
    """What a sentence leaves to be called `it` by the next: something tried, or somebody else's taste."""
    match = re.search(
        r"\b(?:[Tt]ried|[Aa]te|eat|eating|drank|had|cooked|baked|learned|learning|took up|started|"
        r"(?:loves|likes|hates|adores|enjoys)(?: to)?(?: eating| drinking| playing)?)\s+"
        rf"(?:some |a |an |the |playing )?(?P<s>(?!{_AFTER}|to\b)[a-z'-]+(?: (?!{_AFTER})[a-z'-]+)?)",
        sentence.text.replace("’", "'"),
    )
    if match is None or sentence.question:
        return None
    subject = subject_of(match["s"])
    # `I had a call. I hate it` is no taste for calls: the thing is a food, was tried, or is another's taste.
    told = re.match(r"(?:loves|likes|hates|adores|enjoys|[Tt]ried|took up|learn)", match.group())
    return subject if subject and (told or domain_en(subject, "") is Domain.FOOD) else None


def subject_of(words: str) -> str | None:
    """The first noun phrase of some words; None when they name nothing."""
    return next(iter(_subjects(words, None)), None)


def topic_of_fragment(sentence: Sentence) -> str | None:
    """What a short fragment before a verdict names; None for full sentences."""
    return _opening(sentence.text) if len(content_words(sentence.text, Language.EN)) <= 3 else None


def _taste(op: str, polarity: Polarity, subject: str, text: str) -> Taste:
    return Taste(op, domain_en(subject, text), polarity, subject)


def domain_en(subject: str, text: str) -> Domain:
    """Food when the phrase or its head is one, or it is eaten or drunk in the same words."""
    folded = subject.casefold()
    words = folded.split()
    foods = word_set("en/food", "words")
    for size in range(min(3, len(words)), 0, -1):
        for start in range(len(words) - size + 1):
            piece = " ".join(words[start : start + size])
            head = start + size == len(words) or words[start + size] in {"on", "with", "in", "and"}
            if head and any(form in foods for form in _singulars(piece)):
                return Domain.FOOD
    return Domain.FOOD if pattern("en/food", "verbs").search(text) else Domain.TOPIC


def _singulars(word: str) -> tuple[str, ...]:
    forms = [word]
    if word.endswith("s"):
        forms.append(word[:-1])
    if word.endswith("es"):
        forms.append(word[:-2])
    if word.endswith("ies"):
        forms.append(word[:-3] + "y")
    return tuple(forms)
