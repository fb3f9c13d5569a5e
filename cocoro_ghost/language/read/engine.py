"""Clause by clause through one text: who and what was spoken of before carries on where it is left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.read import english, japanese
from cocoro_ghost.language.read.claims import claims_of
from cocoro_ghost.language.read.clause import Clause, Phrase
from cocoro_ghost.language.read.english_people import People
from cocoro_ghost.language.read.gone_by import marked
from cocoro_ghost.language.read.habits import habits_of, works
from cocoro_ghost.language.read.kinds import Context, subject_of, who_of
from cocoro_ghost.language.read.people import people_of
from cocoro_ghost.language.read.plans import day_in, plans_of
from cocoro_ghost.language.read.sentence_spans import begins_in, sentences
from cocoro_ghost.language.read.style import style_of
from cocoro_ghost.language.read.tables import either, entries
from cocoro_ghost.language.read.tastes import asked_of_self, settled, tastes_of
from cocoro_ghost.model.preference import Domain, Polarity
from cocoro_ghost.model.reading import Claim, Period, Slot, Span, Taste, Who
from cocoro_ghost.model.scene import Language


@dataclass(slots=True)
class Gathered:
    claims: list[Claim] = field(default_factory=list)
    tastes: list[Taste] = field(default_factory=list)

    def within(self, span: Span) -> list[Claim]:
        """What was claimed in a stretch of the text."""
        first, last = span
        return [claim for claim in self.claims if first <= claim.span[0] < last]


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence with its clauses."""

    span: Span
    text: str
    mark: str
    clauses: tuple[Clause, ...]
    teaches: bool = True
    heard: bool = True
    """Whether the trained heads are asked, too: of many sentences those at both ends."""

    @property
    def said(self) -> str:
        """The sentence with what closes it, but for a full stop, which says nothing."""
        return (self.text + self.mark).strip().rstrip("。.")

    @property
    def asks(self) -> bool:
        return "?" in self.mark or "？" in self.mark or any(c.has("question") for c in self.clauses[-1:])


def lines_of(text: str, language: Language, most: int | None = None) -> list[Line]:
    """The sentences of a text, each in its clauses; only the last clause of a question asks."""
    parse: Callable[[str, Span], list[Clause]] = (
        japanese.clauses if language is Language.JA else english.clauses
    )
    found = []
    for span, words, mark in sentences(text)[:most]:
        clauses = _with_tense(parse(text, (span[0], span[0] + len(words))))
        mark = "" if _is_amazed(mark, clauses) else mark
        if clauses and ("?" in mark or "？" in mark):
            clauses[-1] = clauses[-1]._replace(marks=clauses[-1].marks | {"question"})
        found.append(Line(span, words, mark, tuple(clauses)))
    return found


def _is_amazed(mark: str, clauses: Sequence[Clause]) -> bool:
    """Ellie got a hamster??, 猫飼い始めたんだけど！？: told with wonder, asked of nobody."""
    last = clauses[-1] if clauses else None
    if last is None or last.has("question"):
        return False
    if not last.places:
        return _told_with_wonder(mark, last)
    subject = last.by_role("subj")
    if mark.count("?") < 2 or subject is None:
        return False
    return subject.text.lower() not in entries("en/words", "you") and last.has("past", "perf")


def _told_with_wonder(mark: str, last: Clause) -> bool:
    """Japanese: ！ beside ？, or よね？ of oneself; who asks 何 or どこ, or of you, asks."""
    both = not {"!", "！"}.isdisjoint(mark) and not {"?", "？"}.isdisjoint(mark)
    if not both and not last.has("tag"):
        return False
    named = {p.text for p in last.phrases} | {p.head for p in last.phrases} | set(last.words)
    asks = named & either("ja/words", "asking", "you")
    return not asks and (both or bool(named & entries("ja/words", "self")))


def _with_tense(clauses: list[Clause]) -> list[Clause]:
    """A て-clause happens when its main clause does: 失敗して、落ち込んだ."""
    for index in range(len(clauses) - 2, -1, -1):
        follows = clauses[index + 1]
        # コーヒーはやめて、今は…: what is so now came after it.
        now = any(phrase.topic and phrase.text in entries("ja/words", "by_now") for phrase in follows.phrases)
        if clauses[index].link in {"て", "で"} and (now or follows.has("past", "then_past")):
            clauses[index] = clauses[index]._replace(marks=clauses[index].marks | {"then_past"})
    return clauses


def gather(lines: Sequence[Line], context: Context, today: date, topic: Phrase | None = None) -> Gathered:
    """All claims and tastes of the lines."""
    found = Gathered([] if context.japanese else _named_people(lines, context))
    people = list(found.claims)
    named = {claim.who.name or claim.value for claim in people}
    flow = _Flow(topics=(topic,) if topic is not None else ())
    for line in lines:
        flow.begin()
        for clause in (marked(one, context) for one in line.clauses):
            if line.teaches:
                _teach(clause, line, context, today, flow, found)
            else:
                flow.topics = tastes_of(clause, context, flow.topics, flow.who).topics or flow.topics
                flow.asked = asked_of_self(clause, context)
            flow.pass_on(clause, context)
    found.tastes = list(settled(_but_allergies(found, lines)))
    # Whom a sentence names beside what they are is not told again by the name alone.
    found.claims = [c for c in found.claims if c.slot is not Slot.NAME or c in people or c.value not in named]
    return found


def _but_allergies(found: Gathered, lines: Sequence[Line]) -> list[Taste]:
    """What one must not eat is no matter of taste."""
    told = [c.span for c in found.claims if c.slot is Slot.ALLERGY]
    allergic = [line.span for line in lines if any(begins_in(span, line.span) for span in told)]
    return [
        t
        for t in found.tastes
        if t.domain is not Domain.FOOD
        or t.polarity is not Polarity.DISLIKE
        or not any(begins_in(t.span, span) for span in allergic)
    ]


def _named_people(lines: Sequence[Line], context: Context) -> list[Claim]:
    """Who is named in an English message; from then on every sentence knows them by name."""
    people = People(context)
    for line in lines:
        unreal = line.asks or any(clause.has("cond", "quoted") for clause in line.clauses)
        if line.teaches and not unreal:
            people.read(line.text, line.span)
    context.beings.update({fold(name): who for name, who in people.named.items()})
    return people.claims


@dataclass(slots=True)
class _Flow:
    """What carries on from clause to clause, and from one sentence to the next."""

    topics: tuple[Phrase, ...] = ()
    who: Who | None = None
    being: Who | None = None
    """Whom the sentence before brought up: 弟がいる。名前は…"""
    named: Who | None = None
    """Whose name was just given: my best friend's called Priya and she …"""
    due: Period | None = None
    waiting: Clause | None = None
    """A taste whose thing comes after it: 大好きなんだよね、メロンパン."""
    asked: Polarity | None = None

    def begin(self) -> None:
        self.who = self.who if self.who is not None and self.who.kind == "pet" else None
        self.due = None

    def pass_on(self, clause: Clause, context: Context) -> None:
        self.due = day_in(clause, context) or self.due
        spoken, phrase = subject_of(clause, context, self.who)
        if spoken.kind == "other":
            return  # she is who was spoken of before
        if self.named is not None and spoken.role == self.named.role and not spoken.name:
            spoken = self.named
        if phrase is not None:
            self.who = spoken
        if spoken.kind in {"person", "pet"} and phrase is not None:
            self.being = spoken


def _teach(clause: Clause, line: Line, context: Context, today: date, flow: _Flow, found: Gathered) -> None:
    styled = style_of(clause, context)
    if styled:
        found.tastes.extend(styled)
        return
    clause, told = _completed(clause, flow)
    tasted = tastes_of(clause, context, flow.topics, flow.who, then=clause.has("then"), asked=flow.asked)
    flow.waiting = clause if tasted.wants and not told else None
    flow.asked = None
    found.tastes.extend(tasted.tastes)
    found.claims.extend(tasted.claims)
    if not tasted.tastes and not tasted.claims and not (tasted.topics and tasted.held):
        claims = _told(clause, context, today, flow.who, flow.due)
        claims = [*claims, *_listed(clause, context)]
        claims = _of_being(claims, clause, context, flow)
        flow.named = next((c.who for c in claims if c.slot is Slot.NAME and c.who.role), flow.named)
        found.claims.extend(_of_line(claim, line) for claim in claims if not _of_who_was_taken(claim, line))
    found.claims.extend(_named_being(clause, context, flow))
    found.claims.extend(people_of(clause, context) if not clause.has("question") else ())
    flow.topics = tasted.topics or flow.topics


def _completed(clause: Clause, flow: _Flow) -> tuple[Clause, bool]:
    """The clause before with this one's noun as its thing, where it waited for one."""
    waiting = flow.waiting
    if waiting is None or clause.noun is None or clause.phrases or clause.places:
        return clause, False
    return waiting._replace(phrases=(*waiting.phrases, clause.noun._replace(role="が"))), True


def _listed(clause: Clause, context: Context) -> list[Claim]:
    """38歳、横浜在住、経理です: what is set apart by commas tells as a predicate does."""
    found: list[Claim] = []
    if not context.japanese or clause.has("question"):
        return found
    for phrase in clause.phrases:
        if phrase.role == "、" and not _of_another(phrase, context):
            alone = Clause(
                phrase.text, phrase.span, (), (phrase.head,), frozenset(), phrase._replace(role="=")
            )
            found += [claim for claim in claims_of(alone, context) if claim.slot in _BY_COMMA]
    return found


def _of_another(phrase: Phrase, context: Context) -> bool:
    """6歳の息子、…: set apart by a comma, and somebody else; 白石かなえ、22歳です is who speaks."""
    who = who_of(phrase, context)
    return who is not None and (bool(who.role) or phrase.text.endswith(("ちゃん", "くん", "さん")))


def _brought_up(clause: Clause, context: Context) -> Who | None:
    """弟 of 弟がいる."""
    named = (who_of(phrase, context) for phrase in clause.phrases)
    return next((who for who in named if who is not None and who.kind in {"person", "pet"}), None)


def _of_being(claims: list[Claim], clause: Clause, context: Context, flow: _Flow) -> list[Claim]:
    """名前は遼, もう12歳: of whom the sentence before spoke, where this one names nobody."""
    if any(claim.slot in _BRINGS and claim.who.kind == "me" for claim in claims):
        flow.being = _brought_up(clause, context) or flow.being
    being = flow.being or context.last
    # Of whom an earlier message told only what says so: あの子.
    nobody = flow.being is not None and context.japanese and not context.introducing
    meant = {"other", "me"} if nobody and subject_of(clause, context)[1] is None else {"other"}
    found = (_said_of(claim, being) if being and claim.who.kind in meant else claim for claim in claims)
    return [claim for claim in found if claim.who.kind != "other"]


def _said_of(claim: Claim, being: Who) -> Claim:
    """What is told of her is hers; what names nobody is theirs as a name or an age, else whose it was."""
    if claim.slot is Slot.NAME:
        return replace(claim, who=replace(being, name=claim.value))
    theirs = claim.slot is Slot.AGE or claim.who.kind == "other"
    return replace(claim, who=being) if theirs else claim


def _named_being(clause: Clause, context: Context, flow: _Flow) -> list[Claim]:
    """後輩が入った。小野寺さんって人: the name of whom the sentence before brought up."""
    being, noun = flow.being, clause.noun
    if being is None or being.kind != "person" or being.name or noun is None or noun.head not in _SOMEBODY:
        return []
    said = next((p for p in clause.phrases if p.role == "って"), None)
    who = who_of(said, context) if said is not None else None
    if who is None or not who.name or who.role:
        return []
    flow.being = replace(being, name=who.name)
    return [Claim(flow.being, Slot.PERSON, being.role, clause.span, detail=clause.text)]


_SOMEBODY = frozenset({"人", "方", "子", "人物", "奴", "やつ"})
_BRINGS = frozenset({Slot.FAMILY, Slot.PET, Slot.PARTNER})
_BY_COMMA = frozenset({Slot.AGE, Slot.HOME, Slot.WORK, Slot.SCHOOL, Slot.NAME})


def _of_who_was_taken(claim: Claim, line: Line) -> bool:
    """病院連れてったら腎臓が悪いって: whose health it is was told before, and is not one's own."""
    return claim.slot is Slot.HEALTH and any("連れる" in clause.words for clause in line.clauses)


def _of_line(claim: Claim, line: Line) -> Claim:
    """What is done or over may be named anywhere in its sentence."""
    return replace(claim, detail=line.text) if claim.slot in {Slot.DONE, Slot.OTHER} else claim


def _told(clause: Clause, context: Context, today: date, who: Who | None, due: Period | None) -> list[Claim]:
    """Facts, else a plan or an ending; a fact whose day lies ahead is a plan."""
    facts = claims_of(clause, context, who) or _turned(clause, context, who)
    plans = plans_of(clause, context, today, who, due)
    ahead = next((plan for plan in plans if plan.slot is Slot.PLAN), None)
    if ahead is not None and not clause.has("past"):
        return [ahead, *(fact for fact in facts if fact.slot in _LASTING)]
    lasting = [claim for claim in (*facts, *plans) if claim.slot not in _BY_THE_WAY]
    habits = [] if lasting or works(clause) else habits_of(clause, context, who)
    # A coach on Sundays is no coach by trade.
    return [*habits, *plans] if habits else [*facts, *plans]


def _turned(clause: Clause, context: Context, who: Who | None) -> list[Claim]:
    """教えてるのはバイオリン, 住んでるのは松本: the predicate stands before what it is about."""
    topic = next((p for p in clause.phrases if p.topic and p.verb and p.text.endswith("の")), None)
    if topic is None or clause.noun is None or clause.has("neg", "question"):
        return []
    marks = {"prog"} if any(form in topic.text for form in ("てる", "でる", "ている", "でいる")) else set()
    for role in ("を", "に", "で"):
        thing = clause.noun._replace(role=role, topic=False)
        plain = clause._replace(phrases=(thing,), words=(topic.verb,), marks=frozenset(marks), noun=None)
        if found := claims_of(plain, context, who):
            return found
    return []


_BY_THE_WAY = frozenset({Slot.DONE, Slot.WORK, Slot.EMPLOYER, Slot.STUDY})
_LASTING = frozenset({Slot.NAME, Slot.AGE, Slot.FAMILY, Slot.PET, Slot.ALLERGY, Slot.BIRTHDAY})


def topic_asked(reply: str, language: Language) -> Phrase | None:
    """What the ghost's last question was about: コーヒーは好き？ → コーヒー."""
    asked = [line for line in lines_of(reply[-200:], language) if line.asks]
    if not asked:
        return None
    found = [p for clause in asked[-1].clauses for p in clause.phrases if p.topic or p.role in {"が", "obj"}]
    return found[0] if found else None
