"""Japanese clauses out of morphemes: one pass, no pattern over raw text."""

from __future__ import annotations

from dataclasses import dataclass, field

from cocoro_ghost.language.morphology import Token, tokens_between
from cocoro_ghost.language.read.clause import Clause, Phrase
from cocoro_ghost.language.read.japanese_names import is_former, is_named_kin, is_somebody, whole_names
from cocoro_ghost.language.read.japanese_predicate import adverb_marks, continues, dictionary_form, marks_of
from cocoro_ghost.language.read.tables import entries, pairs
from cocoro_ghost.model.reading import Span

_NOMINAL = frozenset({"名詞", "代名詞", "接頭辞", "接尾辞", "形状詞", "形容詞", "連体詞", "動詞"})
_TELLING = frozenset({"持ち", "在住", "歳", "才", "生まれ", "育ち", "出身", "暮らし"})
_OWNED = frozenset({"名詞", "代名詞", "接頭辞", "形状詞", "連体詞", "形容詞"})
_WORDS = frozenset({"動詞", "形容詞", "形状詞", "名詞", "接尾辞"})
_COPULAS = frozenset({"だ", "です", "じゃ", "や", "らしい", "みたい"})
_OPEN, _CLOSE = '「『“"（(', '」』”"）)'


@dataclass(slots=True)
class _Noun:
    """A noun phrase being gathered."""

    parts: list[Token] = field(default_factory=list)
    owner: str = ""
    verb: str = ""
    before: str = ""
    start: int = -1

    def phrase(self, text: str, role: str, *, topic: bool = False) -> Phrase:
        start = self.start if self.start >= 0 else self.parts[0].start
        end = self.parts[-1].end
        head = self.parts[-1]
        if head.pos[0] == "接尾辞" and len(self.parts) > 1:
            head = self.parts[-2]
        said = text[start:end].strip("「」『』 　")
        if len(self.parts) > 1 and is_named_kin(*self.parts[-2:]):
            # 娘ひまり is 娘のひまり.
            self.owner, said = self.parts[-2].surface, f"{said[: -len(head.surface)]}の{head.surface}"
        return Phrase(
            said,
            head.normal if not head.is_proper else head.surface,
            role,
            (start, end),
            topic,
            self.owner,
            self.verb,
            any(part.is_proper for part in self.parts),
        )


def clauses(text: str, span: Span) -> list[Clause]:
    """The clauses of one sentence of a text, in order."""
    return _Reader(
        text, span, whole_names([t for t in tokens_between(text, *span) if t.surface.strip()])
    ).run()


class _Reader:
    """Walks the morphemes once; phrases pile up until a predicate closes the clause."""

    def __init__(self, text: str, span: Span, words: list[Token]) -> None:
        self._text, self._span, self._words, self._at = text, span, words, 0
        self._phrases: list[Phrase] = []
        self._noun = _Noun()
        self._adverbs: list[str] = []
        self._found: list[Clause] = []
        self._begin = words[0].start if words else span[0]
        self._base: tuple[int, str] = (-1, "")
        self._how: list[str] = []

    def run(self) -> list[Clause]:
        while self._at < len(self._words):
            token = self._words[self._at]
            if self._is_predicate(token):
                self._predicate()
            else:
                self._other(token)
                self._at += 1
        self._nominal("", len(self._words))
        if self._phrases:
            self._close((), frozenset(), None, "", len(self._words))
        return self._found

    def _peek(self, ahead: int = 1) -> Token | None:
        at = self._at + ahead
        return self._words[at] if at < len(self._words) else None

    def _is_predicate(self, token: Token) -> bool:
        kind = token.pos[0]
        if kind == "動詞":
            after = self._peek()
            # 好き may be read as the stem of 好く: a stem that something nominal follows is a noun.
            stem = token.pos[5].startswith("連用形") and token.surface != token.lemma
            nominal = after is None or after.surface in {"が", "は", "を", "の", "です", "だ", "も"}
            return not (stem and nominal and token.normal in entries("ja/words", "noun_stems"))
        if kind in {"形容詞", "形状詞"}:
            return not self._modifies() and not self._adverbial()
        if kind != "助動詞" or not self._noun.parts or (token.surface == "な" and self._next_is_noun()):
            return False
        return token.normal in _COPULAS

    def _modifies(self) -> bool:
        """高い所, 静かな店: an adjective right before its noun is part of the phrase."""
        token, after = self._words[self._at], self._peek()
        if after is None:
            return False
        if token.pos[0] == "形状詞":
            if after.surface not in {"な", "の"}:
                return False
            after = self._peek(2)
        return (
            after is not None
            and after.pos[0] in {"名詞", "代名詞"}
            and token.pos[5].startswith(("連体", "終止", "*"))
            and not any(phrase.role == "が" for phrase in self._phrases[-1:])
        )

    def _adverbial(self) -> bool:
        """短く話す, 率直に言う: it says how the verb is done."""
        token, after = self._words[self._at], self._peek()
        if token.pos[0] == "形状詞":
            if after is None or after.surface != "に":
                return False
            after = self._peek(2)
        elif not token.pos[5].startswith("連用形") or token.surface == token.lemma:
            return False
        return (
            after is not None
            and after.pos[0] == "動詞"
            and after.normal not in {"成る", "無い", "為る", "なれる", "有る"}
        )

    def _next_is_noun(self) -> bool:
        after = self._peek()
        return after is not None and after.pos[0] in {"名詞", "代名詞", "接頭辞"}

    def _other(self, token: Token) -> None:
        kind = token.pos[0]
        if kind in {"形容詞", "形状詞"} and self._adverbial():
            self._flush("")
            self._how.append(token.surface + ("に" if kind == "形状詞" else ""))
            self._at += 1 if kind == "形状詞" else 0
        elif kind in _NOMINAL or token.surface in "・&＆〜" or (token.surface == "な" and self._noun.parts):
            self._name(token)
        elif kind == "助詞":
            self._particle(token)
        elif kind in {"副詞", "接続詞", "感動詞"}:
            self._flush("")
            self._adverbs.append(token.normal)
        elif token.surface in _OPEN:
            self._flush("")
        elif token.surface not in _CLOSE:
            self._pause()

    def _says_when(self, token: Token) -> bool:
        """最近 before another noun says when; it is no part of that noun."""
        after = self._peek()
        return (
            token.pos[2:3] == ("副詞可能",)
            and after is not None
            and after.pos[0] in {"名詞", "代名詞"}
            and after.pos[1] != "数詞"
        )

    def _name(self, token: Token) -> None:
        """One more word of the noun at hand."""
        if token.normal in entries("ja/words", "time_words") and is_somebody(self._noun.parts):
            self._flush("、", topic=True)
        self._noun.parts.append(token)
        if self._says_when(token):
            self._flush("")

    def _particle(self, token: Token) -> None:
        surface, after = token.surface, self._peek()
        if not self._noun.parts:
            if surface in entries("ja/words", "topic_particles") and self._phrases:
                self._phrases[-1] = self._phrases[-1]._replace(topic=True)
            return
        if token.pos[1] == "終助詞":
            self._nominal("", self._at + 1)
        elif surface == "の" and after is not None and after.pos[0] in _OWNED:
            self._noun.owner = "".join(part.surface for part in self._noun.parts).strip()
            self._noun.parts.append(token)
        elif surface == "と" and (longer := self._longer_particle()):
            self._flush(longer, topic=longer == "とか")
            self._at += len(longer) - 1
        elif surface == "か" and after is not None and after.surface == "も":
            # 苦手かも: a noun is in doubt as a verb is.
            self._at += 1
            self._nominal("", self._at + 1, frozenset({"hedge"}))
        else:
            self._joined(token, after)

    def _joined(self, token: Token, after: Token | None) -> None:
        """The noun at hand ends with a particle: a clause, one of several things, or a phrase in its role."""
        surface = token.surface
        if self._tells_and_goes_on(surface, after):
            self._nominal("て", self._at + 1)
        elif surface in {"や", "と", "とか"} and after is not None and after.pos[0] in {"名詞", "接頭辞"}:
            self._flush("&" if surface != "と" else "と")
        elif surface == "し" or token.pos[1] == "接続助詞":
            self._nominal(surface, self._at + 1)
        else:
            self._flush(surface, topic=surface in entries("ja/words", "topic_particles"))

    def _tells_and_goes_on(self, surface: str, after: Token | None) -> bool:
        """横浜在住で、…: a nominal predicate in the middle of a sentence, not a place."""
        if surface != "で" or after is None or after.surface not in {"、", ","}:
            return False
        parts = self._noun.parts
        return is_former(parts) or parts[-1].surface in _TELLING or self._has_subject()

    def _longer_particle(self) -> str:
        """薬剤師として働く, パクチーとか無理: several morphemes that are one particle."""
        after = [token.surface for token in self._words[self._at + 1 : self._at + 3]]
        return "として" if after == ["し", "て"] else "とか" if after[:1] == ["か"] else ""

    def _has_subject(self) -> bool:
        return any(phrase.topic or phrase.role == "が" for phrase in self._phrases)

    def _pause(self) -> None:
        if self._noun.parts:
            # A noun before a comma: a topic set apart, or the end of a clause without a copula.
            if self._has_subject():
                self._nominal("、", self._at)
            else:
                self._flush("、", topic=True)
        elif self._found and not self._phrases:
            self._begin = self._words[self._at].end

    def _flush(self, role: str, *, topic: bool = False) -> None:
        if not self._noun.parts:
            return
        phrase, told = self._noun.phrase(self._text, role, topic=topic), self._phrases[-1:]
        # 西条ってとこに: the noun behind って says what kind of thing the name is.
        if told and told[0].role == "って" and phrase.text in entries("ja/words", "stands_for"):
            phrase = self._phrases.pop()._replace(role=role, topic=topic)
        self._phrases.append(phrase)
        self._noun = _Noun()

    def _nominal(self, link: str, until: int, marks: frozenset[str] = frozenset()) -> None:
        """Closes a clause whose predicate is the noun at hand."""
        if not self._noun.parts:
            return
        noun = self._noun.phrase(self._text, "=")
        words = tuple(part.normal for part in self._noun.parts)
        self._noun = _Noun()
        self._close(words, marks, noun, link, until)

    def _predicate(self) -> None:
        begin, first = self._at, self._words[self._at]
        sahen = first.normal in {"為る", "出来る", "致す"} and self._noun.parts
        copula = first.pos[0] == "助動詞"
        stem: list[str] = []
        noun: Phrase | None = None
        if not copula and not sahen:
            self._flush("")
        elif self._noun.parts:
            noun = self._noun.phrase(self._text, "=")
            stem = [part.normal for part in self._noun.parts]
        self._noun = _Noun()
        parts = self._gather()
        link = self._link(parts)
        words = (*stem, *(p.normal for p in parts if p.pos[0] in _WORDS))
        marks = marks_of(parts, link, last=self._at >= len(self._words))
        after = self._words[self._at] if self._at < len(self._words) else None
        if not link and after is not None and self._describes(parts, after):
            self._relative(words, marks, noun, begin)
            return
        self._base = (first.start, dictionary_form(parts)) if not copula else (-1, "")
        self._close(words, marks, noun, link, self._at)

    def _gather(self) -> list[Token]:
        """The predicate with everything that inflects it, て居る and the like included."""
        parts = [self._words[self._at]]
        self._at += 1
        while self._at < len(self._words):
            token, before = self._words[self._at], parts[-1]
            after = self._peek()
            if continues(before, token, after):
                parts.append(token)
            elif token.surface == "こと" and (decided := self._decided()):
                parts.extend(decided)
                self._at += len(decided) - 1
            else:
                break
            self._at += 1
        return parts

    def _decided(self) -> list[Token]:
        """ことになる, ことにする: settled, and so part of the predicate."""
        following = self._words[self._at : self._at + 3]
        fits = (
            len(following) == 3 and following[1].surface == "に" and following[2].normal in {"成る", "為る"}
        )
        return following if fits else []

    def _link(self, parts: list[Token]) -> str:
        """The particle or comma that leads on from this predicate."""
        token = self._words[self._at] if self._at < len(self._words) else None
        if token is None:
            return ""
        if token.pos[0] == "助詞" and (
            token.pos[1] == "接続助詞" or token.surface in {"から", "と", "のに", "ので"}
        ):
            self._at += 1
            return token.surface
        if (
            token.pos[1] == "準体助詞"
            and (after := self._peek()) is not None
            and after.surface in {"で", "に"}
        ):
            self._at += 2
            return f"の{after.surface}"
        if token.pos[0] == "補助記号":
            return "て" if parts[-1].pos[5].startswith("連用") else "、"
        return ""

    def _describes(self, parts: list[Token], after: Token) -> bool:
        if after.pos[0] in {"名詞", "代名詞", "接頭辞", "連体詞", "形状詞"}:
            return not parts[-1].pos[5].startswith("連用") and parts[-1].pos[0] != "助詞"
        return after.pos[1] == "準体助詞" or after.surface in {"こと", "の"}

    def _relative(
        self, words: tuple[str, ...], marks: frozenset[str], noun: Phrase | None, begin: int
    ) -> None:
        """A clause before a noun: it describes the noun, or (before の, こと) becomes a phrase itself."""
        after = self._words[self._at]
        inner = Clause(
            self._text[self._begin : self._words[self._at - 1].end],
            (self._begin, self._words[self._at - 1].end),
            tuple(self._phrases),
            words,
            marks,
            noun,
        )
        start = self._words[begin].start
        if after.pos[1] == "準体助詞" or after.surface in {"こと", "の"}:
            self._made_noun(inner, after, start)
            return
        describing = after.normal in entries("ja/words", "generic_heads") or not words
        self._noun = _Noun(start=start if describing else -1)
        head = Phrase(after.surface, after.normal, "", (after.start, after.end))
        kept = tuple(p for p in self._phrases if not (p.topic and p.role in {"は", "、"}))
        self._found.append(inner._replace(describes=head, phrases=kept))
        self._phrases = [p for p in self._phrases if p.topic and p.role in {"は", "、"}]

    def _made_noun(self, inner: Clause, after: Token, start: int) -> None:
        """コーヒーを飲むの: the clause is a phrase, and what it is about owns it."""
        core = inner.by_role("を", "に", "で", "が", "、", "") or inner.noun
        self._noun = _Noun([after], verb=inner.words[-1] if inner.words else "", start=start)
        if core is not None:
            self._noun.owner, self._noun.start = core.text, core.span[0]
        self._phrases = [p for p in self._phrases if p.topic and (core is None or p.span != core.span)]
        self._at += 1

    def _spoken_marks(self, text: str, end: int) -> frozenset[str]:
        """Marks that stand in the words around the predicate: もし, (棒読み); and quotations of others."""
        whole, first, last = self._text, *self._span
        found = {
            mark
            for cue, mark in pairs("ja/words", "cue_marks")
            if cue in text or (mark == "sarcasm" and cue in whole[first:last])
        }
        opened = max(whole.rfind("「", first, end), whole.rfind("“", first, end))
        closes = opened >= 0 and whole.find("」", end - 1, last) >= 0
        if closes and whole.rfind("」", opened, end - 1) < 0:
            found.add("quoted")
        return frozenset(found)

    def _close(
        self, words: tuple[str, ...], marks: frozenset[str], noun: Phrase | None, link: str, until: int
    ) -> None:
        end = self._words[min(until, len(self._words)) - 1].end
        adverbs = {f"adv:{word}" for word in self._adverbs} | {
            f"how:{word}" for word in (*self._how, *self._adverbs)
        }
        self._how = []
        text = self._text[self._begin : end]
        marks = marks | frozenset(adverbs) | adverb_marks(self._adverbs) | self._spoken_marks(text, end)
        self._found.append(
            Clause(
                text,
                (self._begin, end),
                tuple(self._phrases),
                words,
                marks,
                noun,
                None,
                link,
                (),
                self._base[0],
                self._base[1],
            )
        )
        self._base = (-1, "")
        self._phrases, self._adverbs, self._begin = [], [], end
