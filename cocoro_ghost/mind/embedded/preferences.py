"""What a turn says about likes and dislikes, as preference updates: only the user's own words confirm."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from cocoro_ghost.language.fold import fold_key, guess_language
from cocoro_ghost.language.morphology import tokens
from cocoro_ghost.mind.embedded.lexicon import data
from cocoro_ghost.mind.embedded.nounphrase import noun_phrases_before
from cocoro_ghost.mind.embedded.preferences_en import subject_of, tastes_en, topic_of_fragment, topic_of_talk
from cocoro_ghost.mind.embedded.preferences_ja import tastes_ja
from cocoro_ghost.mind.embedded.sentences import Sentence, sentences
from cocoro_ghost.mind.embedded.taste import Taste
from cocoro_ghost.model.preference import Domain, Polarity
from cocoro_ghost.model.scene import Language

_ASKED_SELF = re.compile(
    r"^(?:(?:大好き|好き|嫌い|苦手)な[^はがを、]{1,6}|好物|趣味|推し)(?:は|って)?$|"
    r"^(?:my )?(?P<thing>(?:all-time )?(?:least )?favou?rite [\w ]{2,20})$",
    re.IGNORECASE,
)
_NO_ANSWER = re.compile(
    r"(?:no|not|none|nothing|hm+|um+|uh+|well|i|it|that|don't|depends|hard|tough|good|let|why|you|we|oh)\b",
    re.IGNORECASE,
)
_STRENGTH = {"revoke": 3, "confirm": 2, "upsert_candidate": 1}


def tastes(text: str, language: Language, topic: str | None = None) -> list[Taste]:
    """Every taste that a text states for its speaker, each subject and polarity once.

    `topic` is what was spoken of before: `大好きです` alone answers a question.
    """
    found: list[Taste] = []
    for sentence in _answered(sentences(text, language)):
        style = _style(sentence)
        if style:
            found.extend(style)
            continue
        if sentence.language is Language.JA:
            stated = tastes_ja(sentence, topic)
            topic = stated[-1].subject if stated else _topic_ja(sentence) or topic
        else:
            stated = tastes_en(sentence, topic)
            named = topic_of_talk(sentence) or topic_of_fragment(sentence)
            topic = stated[-1].subject if stated else named
        found.extend(stated)
    return _settled(found)


def _answered(told: tuple[Sentence, ...]) -> list[Sentence]:
    """The sentences, with `好きな飲み物？麦茶かな` read as one statement: who asks themselves answers."""
    found: list[Sentence] = []
    for sentence in told:
        asked = _ASKED_SELF.search(found[-1].text) if found and found[-1].question else None
        if asked is None or sentence.question or _NO_ANSWER.match(sentence.text):
            found.append(sentence)
            continue
        japanese = sentence.language is Language.JA
        said = asked.group().rstrip("はって") + "は" if japanese else f"my {asked['thing']} is "
        found[-1] = replace(sentence, text=said + sentence.text.removesuffix("一択"))
    return found


def topic_asked(reply: str) -> str | None:
    """What the last question of a reply asks the user's taste about: キャラメルは好き？ → キャラメル."""
    asked = [sentence for sentence in sentences(reply, guess_language(reply)) if sentence.question]
    if not asked:
        return None
    last = asked[-1]
    if last.language is Language.JA:
        return _topic_ja(last) if re.search(r"好き|嫌い|苦手|どう|興味", last.text) else None
    match = re.search(
        r"\b(?:like|love|enjoy|into|fan of|hate|feel about|think of)\s+(?P<s>[^?.!,]+)", last.text
    )
    return subject_of(match["s"]) if match else None


def _settled(found: list[Taste]) -> list[Taste]:
    """One update per subject and polarity; a revocation and its opposite may stand together."""
    kept: dict[tuple[str, Polarity], Taste] = {}
    for taste in found:
        key = (fold_key(taste.subject), taste.polarity)
        if key not in kept or _STRENGTH[taste.op] > _STRENGTH[kept[key].op]:
            kept[key] = taste
    return list(kept.values())


@cache
def _style_rules(language: Language) -> tuple[tuple[re.Pattern[str], Polarity], ...]:
    rules = data(f"{language.value}/preferences")["style"]
    return tuple((re.compile(rule["pattern"], re.IGNORECASE), Polarity(rule["polarity"])) for rule in rules)


def _style(sentence: Sentence) -> list[Taste]:
    """Wishes about how the ghost should talk. A polite request counts even when it is put as a question."""
    text = sentence.text.replace("’", "'")
    for rule, polarity in _style_rules(sentence.language):
        match = rule.search(text)
        if match and not _about_something_else(text, sentence.language):
            op = (
                "upsert_candidate"
                if re.search(r"かも(?!しれないけど)|\bmaybe\b|\bmight\b", text)
                else "confirm"
            )
            return [Taste(op, Domain.STYLE, polarity, _style_subject(match))]
    return []


def _about_something_else(text: str, language: Language) -> bool:
    if language is Language.JA:
        return bool(
            re.search(
                r"(?:上司|会社|職場|先生|彼女?|母|父|友達|店員|先輩|後輩|授業|学校|会議|面接|試験|海外|妹|弟|兄|姉|[々一-龥]{2}さん)(?:は|が|に|の|って|も|から)",
                text,
            )
        )
    return bool(
        re.search(
            r"\b(?:my (?:boss|mom|mum|dad|teacher|friend|brother|sister)|he|she|they|(?:him|her|them) to|"
            r"at (?:work|school))\b",
            text,
            re.IGNORECASE,
        )
    )


def _style_subject(match: re.Match[str]) -> str:
    subject = match["s"] if "s" in match.groupdict() else match["subject"]
    return re.sub(
        r"\s+(?:with me|to me|please|a bit|a little|at me)$", "", subject.strip(), flags=re.IGNORECASE
    )


def _topic_ja(sentence: Sentence) -> str | None:
    """What a sentence was about, so that `青汁？嫌いではないかな` finds its subject."""
    opening = re.match(r"([^、。はがも]{1,20}?)(?:、|は|って|も|$)", sentence.text)
    if not opening:
        return None
    phrases = noun_phrases_before(list(tokens(opening[1])))
    return phrases[-1] if phrases else None
