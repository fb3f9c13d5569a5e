"""Trust by origin, decided in code: whose words a claim rests on, and what such words may do to memory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from cocoro_ghost.language import read
from cocoro_ghost.language.fold import fold, fold_key
from cocoro_ghost.language.morphology import tokens
from cocoro_ghost.language.read.tables import table
from cocoro_ghost.language.wording import DAY_FIRST
from cocoro_ghost.model.event import Event, Origin, Source
from cocoro_ghost.model.preference import Polarity
from cocoro_ghost.model.reading import Certainty, Reading, Slot
from cocoro_ghost.model.state import StateKind

CANDIDATE_CONFIDENCE = 0.5


@dataclass(frozen=True, slots=True)
class Powers:
    """What words of one origin may do."""

    confidence_cap: float
    kinds: frozenset[StateKind]
    may_confirm: bool = False
    may_prefer: bool = True
    may_alter_user_states: bool = False
    observation: bool = False
    dated: bool = False


_GROWN = frozenset({StateKind.FACT, StateKind.RELATION, StateKind.TASK})
_CANDIDATES = Powers(CANDIDATE_CONFIDENCE, _GROWN)
POWERS: dict[Origin, Powers] = {
    Origin.USER: Powers(1.0, frozenset(StateKind), may_confirm=True, may_alter_user_states=True),
    Origin.GHOST: _CANDIDATES,
    Origin.APP: _CANDIDATES,
    Origin.SCREEN: Powers(
        CANDIDATE_CONFIDENCE, frozenset({StateKind.FACT}), may_prefer=False, observation=True
    ),
    Origin.IMPORT: Powers(0.9, _GROWN, dated=True),
}

_BY_SOURCE = {
    Source.NOTIFICATION: Origin.APP,
    Source.META_PROACTIVE: Origin.GHOST,
    Source.REMINDER: Origin.GHOST,
    Source.DESKTOP_WATCH: Origin.SCREEN,
    Source.VISION_DETAIL: Origin.SCREEN,
    Source.IMPORT: Origin.IMPORT,
    Source.LOREBOOK: Origin.IMPORT,
}

_RUN = re.compile(
    r"(?P<packed>[\u3400-\u9fff々]+|[\u30a0-\u30ffー]{2,}|[\uac00-\ud7a3]+|[\u0e00-\u0eff]+)"
    r"|(?P<kana>[\u3040-\u309fー]+)|(?P<word>[^\W\d_]{3,})|(?P<number>[0-9]+)"
)
_KANA = re.compile(r"[\u3041-\u309fー]+")
_CONTENT = {"名詞", "動詞", "形容詞", "形状詞"}
_GENERIC = {
    "私",
    "あなた",
    "貴方",
    "당신",
    "당신은",
    "you",
    "the",
    "and",
    "are",
    "have",
    "has",
    "that",
    "this",
    "with",
    "for",
    "your",
}
_YES = re.compile(
    r"^(?:うん|はい|そう|ええ|その通り|もちろん|(?:yes|yeah|yep|right|exactly|correct|of course|sure)\b)"
)
_CUE = re.compile(
    r"好き|すき|好物|好み|好ん|大好|気に入|推し|ハマ|はまっ|夢中|目がな|愛し|最高|たまらな|美味し|おいし|楽し|きらい|嫌|苦手"
    r"|無理|ダメ|だめ|飽き|うんざり|食べられ|食べれ|飲めな|受け付けな|興味|"
    r"\b(?:lik|lov|enjoy|fond|favou?r|fan\b|ador|into\b|prefer|crazy|hat[ei]|dislik|stand\b|loath|detest|"
    r"sick\b|tired\b|hooked|obsess|allerg|delicious|tast|disgust|gross|awful|best\b|worst\b|bear\b|interest)"
)
_ENDING = re.compile(
    r"終わ|おわ|済|すん|でき|やった|出し|完了|片付|やめ|辞め|止め|違う|ちがう|じゃな|ではな|なくな|変わ|取り消|忘れて"
    r"|\b(?:done|finish|complet|quit|stop|no longer|not any|gave up|cancel|changed|sent|handed|forget)"
)
_SPELLS = re.compile(r"(?:(?:no|sorry|actually),? )*(?:it's|its|it is|that's) [a-z-]+(?:, .{0,30})?[.!]?$")
_QUESTION = re.compile(r"[?？]\s*$|(?:かな|ですか|ますか|なの)[?？。]?\s*$")
_TAG = re.compile(r"(?:よね|でしょ|でしょう|だっけ)[。.]?\s*$|\bright[?.]?\s*$", re.IGNORECASE)
_BRACES = re.compile(r"{\w+}")
_SENTENCE = re.compile(r"[^。．.!！?？\n]*[。．.!！?？\n]?")


def event_origin(event: Event) -> Origin:
    """Whose words an event carries; the source can only lower what the origin column claims."""
    return _BY_SOURCE.get(event.source, event.origin)


def units(text: str) -> frozenset[str]:
    """Content units that survive rewording, in any script.

    Pairs of characters where words stand without spaces or carry their particles (kanji, katakana, Hangul,
    Thai), words by their beginning elsewhere; of hiragana only the words that carry meaning.
    """
    found: set[str] = set()
    folded = fold(text)
    for match in _RUN.finditer(folded):
        run = match.group()
        if run in _GENERIC or match.lastgroup == "kana":
            continue
        if match.lastgroup == "packed" and len(run) > 1:
            found |= {run[i : i + 2] for i in range(len(run) - 1)}
        else:
            # The beginning of a word outlives its endings: walks, walked, walking.
            found.add(run[:5] if match.lastgroup == "word" else run)
    return frozenset(found | _kana_words(folded))


def _kana_words(text: str) -> set[str]:
    """Words written in hiragana alone, by their dictionary spelling: particles and endings carry nothing."""
    if not _KANA.search(text):
        return set()
    return {
        token.normal
        for token in tokens(text)
        if _KANA.fullmatch(token.surface)
        and len(token.surface) > 1
        and token.pos[0] in _CONTENT
        and token.pos[1] != "非自立可能"
        and token.normal not in _GENERIC
    }


def grounded_in(
    claim: str, event: Event, previous_reply: str = "", *, value: str = "", others: Iterable[Event] = ()
) -> Origin:
    """Whose words a claim rests on: of a chat turn the user's, the ghost's own reply, or a picture's.

    What stands in nobody's words of this turn is not the user's: a mind may repeat what an app wrote before
    (`others`: what else it was shown), or think it up. `claim=""` asks for the turn as a whole.
    """
    origin = event_origin(event)
    if origin is not Origin.USER or not claim:
        return origin
    said = _said(event, previous_reply)
    wanted = units(_without_day(claim, event))
    # What the person said first is theirs, though the reply says it after them.
    replied = units(event.assistant_text or "") - said
    seen = units(" ".join(event.image_summaries or ())) - said
    # A name in hiragana is no word of the dictionary, but it is the person who says it first.
    by_user = len(wanted & said) or int(_holds(event.user_text, value))
    by_ghost, by_picture = len(wanted & replied), len(wanted & seen)
    if not any((by_user, by_ghost, by_picture)) and not _pairs(claim) & _pairs(event.user_text or ""):
        return _repeated_from(wanted, others)
    # A reply that says what is done or over names it as memory does; the person named it first.
    ends = by_user > 0 and _tells_an_end(event)
    if ends or corrects(event) or by_user >= max(by_ghost, by_picture):
        return Origin.USER
    return Origin.GHOST if by_ghost >= by_picture else Origin.SCREEN


def _without_day(claim: str, event: Event) -> str:
    """The claim without the day it begins with, where the person named one: 明日 became a date in memory."""
    rest = DAY_FIRST.sub("", claim)
    if not rest or rest == claim or not reading_of(event).times:
        return claim
    return rest


def _holds(text: str | None, value: str) -> bool:
    """Whether a value stands in a text; too short or too plain for units, but there to be read."""
    return bool(value) and fold_key(value) in fold_key(text or "")


def _repeated_from(wanted: frozenset[str], others: Iterable[Event]) -> Origin:
    """Whose words were repeated, if they were shown at all; what a mind adds of itself is the ghost's."""
    found: dict[Origin, int] = {}
    for other in others:
        origin = event_origin(other)
        if origin is not Origin.USER:
            found[origin] = max(found.get(origin, 0), len(wanted & units(other.user_text or "")))
    best = max(found, key=lambda origin: found[origin], default=Origin.GHOST)
    return best if found.get(best) else Origin.GHOST


def tells(event: Event, payload: Mapping[str, object], body: str) -> bool:
    """Whether the one reading finds this fact in the person's words of themselves, and the body says no more.

    How memory calls a fact (学校・学び) is nobody's word; that the reply has it too makes it not the ghost's.
    """
    slot, value = payload.get("about"), payload.get("value")
    if event_origin(event) is not Origin.USER or not isinstance(value, str) or not value:
        return False
    reading = reading_of(event)
    own = (c for c in reading.claims if c.who.kind == "me" and c.certainty is Certainty.SAID)
    if not any(c.slot == slot and fold_key(c.value) == fold_key(value) for c in own):
        return False
    form = str(table(f"{reading.language.value}/bodies")["me"].get(str(slot), ""))
    return units(body) <= units(_BRACES.sub(" ", form)) | units(value) | units(event.user_text or "")


def rests_on_user(claim: str, event: Event, previous_reply: str = "", *, value: str = "") -> bool:
    """True when the user's own words name what a claim is about: needed to end or alter what is known."""
    if event_origin(event) is not Origin.USER:
        return False
    text = event.user_text or ""
    if _holds(text, value):
        return True
    # A correction is the person's own word, whether or not it names what it corrects again.
    if corrects(event):
        return True
    context = previous_reply if _ENDING.search(fold(text)) else ""
    wanted = units(claim)
    if wanted:
        return bool(wanted & (_said(event, previous_reply) | units(context)))
    return bool(_pairs(claim) & _pairs(text + context))


def reading_of(event: Event) -> Reading:
    """What the person said, read once: every claim of a plan is held against the same words."""
    return _read_at(event.user_text or "", event.created_at)


@lru_cache(maxsize=8)
def _read_at(text: str, said_at: int) -> Reading:
    return read(text, now=datetime.fromtimestamp(said_at, UTC).replace(tzinfo=None))


def _tells_an_end(event: Event) -> bool:
    claims = reading_of(event).claims
    return any(claim.slot in {Slot.DONE, Slot.OTHER} for claim in claims)


def corrects(event: Event) -> bool:
    # It's Meghan, with an h: whose name that is stands in memory, not in the words.
    return bool(reading_of(event).corrections) or _SPELLS.match(fold(event.user_text or "")) is not None


def _said(event: Event, previous_reply: str) -> frozenset[str]:
    said = units(event.user_text or "")
    return said | units(asked_in(previous_reply)) if affirms(event.user_text or "") else said


def asked_in(reply: str) -> str:
    """The questions of a reply: these alone a plain "yes" answers."""
    sentences = _SENTENCE.findall(reply)
    return " ".join(part for part in sentences if _QUESTION.search(part) or _TAG.search(part))


def _pairs(text: str) -> set[str]:
    key = fold_key(text)
    return {key[i : i + 3] for i in range(len(key) - 2)}


def affirms(text: str) -> bool:
    return bool(_YES.match(fold(text)))


def said_outright(
    subject: str, polarity: Polarity, event: Event, previous_reply: str = "", *, cue: bool = True
) -> bool:
    """True when the user's own typed words state this liking of the subject, or affirm that it is one."""
    key, text = fold_key(subject), event.user_text or ""
    if event_origin(event) is not Origin.USER or event.source is not Source.CHAT or not key:
        return False
    if said := _liking_said(key, event):
        return polarity in said
    # Nougat, not marzipan: how one stands to it was said of the thing that was named wrongly.
    put_right = any(one.old and fold_key(one.new) == key for one in reading_of(event).corrections)
    if put_right:
        return True
    asked = asked_in(previous_reply) if affirms(text) else ""
    if cue and not _CUE.search(fold(f"{text} {asked}")):
        return False
    return key in fold_key(asked) or _is_stated(key, text)


def _liking_said(key: str, event: Event) -> set[Polarity]:
    """How the words themselves say that one stands to a thing."""
    tastes = reading_of(event).tastes
    said = (taste for taste in tastes if taste.certainty is Certainty.SAID and not taste.ended)
    return {taste.polarity for taste in said if fold_key(taste.subject) == key}


def _is_stated(key: str, text: str) -> bool:
    """Named in a sentence that is no question: who asks whether does not say so."""
    stated = (part for part in _SENTENCE.findall(text) if not _QUESTION.search(part))
    return any(key in fold_key(part) for part in stated)
