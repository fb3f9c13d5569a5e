"""Rules, no model: a message becomes a plan for remembering: mode, words, names and talk to search by.

Images never influence it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta, tzinfo
from itertools import pairwise

from cocoro_ghost.clock import local, midnight
from cocoro_ghost.language.asking import LONGEST, only_asks
from cocoro_ghost.language.fold import fold, guess_language
from cocoro_ghost.language.morphology import content_words
from cocoro_ghost.language.reading import read, times_in
from cocoro_ghost.model.event import Event
from cocoro_ghost.model.reading import Act, Period, Reading, Slot
from cocoro_ghost.model.retrieval import Mode, RetrievalPlan, TasteAsked, TimeHint
from cocoro_ghost.recall.config import RecallConfig

_BROAD_JA = re.compile(
    r"覚えて(?:い?る|い?ます|ない|い?ません)|おぼえて|前に(?:も)?(?:話|言|教)|以前|昔|むかし|かつて|この前の話"
    r"|あの(?:時|とき|話|頃|ころ)"
    r"|いつ(?:だった|だっけ|頃|ごろ)|思い出|だったっけ|だっけ|これまで|今まで"
)
_BROAD_EN = re.compile(
    r"\b(?:remember|recall|ever|used to|in the past|back then|long ago|a while ago|the other day|once told"
    r"|(?:told|said|mentioned|talked|spoke|discussed)\b.{0,30}\b(?:before|earlier|already)"
    r"|(?:have|did) (?:i|we) (?:ever|already)"
    r"|what was (?:it|that)|so far|over the years)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"[?？]|(?:っけ|かな|教えて|何|なに|どこ|いつ)|\b(?:what|when|where|who|remind me|tell me)\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"昔|むかし|以前|かつて|前は|まえは|前の(?:家|住|仕事|会社|職|学校|名)|前に(?:住|勤|働)|元々|もともと|その前"
    r"|\b(?:used to|formerly|previously|in the past|back then|before (?:that|this|now|i|we)|in old days)\b"
    r"|\b(?:previous|former|old) (?:home|house|flat|apartment|job|work|company|school|address|city|town)\b"
    r"|\b(?:live|work|do|stay|study) before\b",
    re.IGNORECASE,
)
_SPACED = r"[^\W_\u3040-\u30ff\u3400-\u9fff]"
_LATIN_WORD = re.compile(rf"(?!\d){_SPACED}(?:{_SPACED}|['’.-])*")
_NAME_RUN = re.compile(r"[\u3400-\u9fff\u30a0-\u30ffー々]{2,20}")
_KANA_RUN = re.compile(r"[\u3041-\u309fー]{2,40}")
_PARTICLES = frozenset("のはがをにともやへで")
_MOST_NAMES = 300
_BARE = 40
"""A longer message always says something of its own."""
_THREAD_CHARS = 200
_ASKING = frozenset({Act.ASK_ME, Act.ASK_PAST, Act.ASK_WORLD, Act.ASK_GHOST})
_SOCIAL = frozenset({Act.GREET, Act.FAREWELL, Act.THANK, Act.AGREE, Act.BACKCHANNEL})

_SURE = 0.5
_LONGEST_QUERY = 4000


def make_plan(
    text: str,
    now: int,
    zone: tzinfo | None,
    config: RecallConfig,
    mode: Mode | None = None,
    reading: Reading | None = None,
) -> RetrievalPlan:
    """What to look for and how widely; `mode` overrides the rules. `reading`: the message, if it was read."""
    asked = text[:_LONGEST_QUERY]
    here = local(now, zone).replace(tzinfo=None)
    reading = reading or read_to_remember(asked, here)
    hint = time_hint(asked, reading.times, here.date(), zone)
    chosen = mode or _mode(asked, hint)
    return RetrievalPlan(
        mode=chosen,
        queries=(asked,),
        time=hint if chosen is not Mode.TARGETED_BROAD else None,
        diversity=config.caps[chosen],
        max_candidates=config.candidates,
        max_selected=config.selected,
        # A question put to oneself (どこだったかな) tells, in the reading; it asks memory all the same.
        only_asks=asks_only(reading) or only_asks(asked),
        past=bool(_BEFORE.search(asked)) or (reading.question is not None and reading.question.before),
        taste=_taste(reading),
        question=_question(asked, reading),
        search=search_words(asked, reading),
    )


def _question(text: str, reading: Reading) -> str:
    """The sentences that ask for something of the person or the past."""
    if reading.question is None or reading.question.about in {"world", "ghost"}:
        return text if only_asks(text) else ""
    return " ".join(one.text for one in reading.sentences if one.acts and one.acts[0] in _ASKING) or text


def _taste(reading: Reading) -> TasteAsked | None:
    question = reading.question
    if question is None or question.slot is not Slot.TASTE or question.who.kind != "me":
        return None
    return None if question.about == "ghost" else TasteAsked(question.polarity, question.domain)


def time_hint(text: str, times: Sequence[Period], today: date, zone: tzinfo | None) -> TimeHint | None:
    """The period the words name; of several the most definite one."""
    asks = bool(_ASKS.search(text))
    mentions = [
        mention
        for mention in times
        # "See you tomorrow" looks at no period; "what was planned for tomorrow?" does.
        if _names_a_period(mention, today) and (asks or not _is_ahead(mention, today))
    ]
    if not mentions:
        return None
    best = max(mentions, key=lambda mention: (_definiteness(mention), mention.confidence))
    return _hint(best, zone)


def _mode(text: str, hint: TimeHint | None) -> Mode:
    if hint is not None:
        return Mode.EXPLICIT_ABOUT_TIME
    if _BROAD_JA.search(text) or _BROAD_EN.search(text):
        return Mode.TARGETED_BROAD
    return Mode.ASSOCIATIVE_RECENT


def _names_a_period(mention: Period, today: date) -> bool:
    """Right now is no period to look back at, nor is every Monday."""
    if mention.recurring or mention.confidence < _SURE:
        return False
    if mention.granularity == "time" or (mention.granularity == "day" and mention.start == today):
        return False
    return mention.life_stage is not None or mention.start is not None or mention.year_start is not None


def _is_ahead(mention: Period, today: date) -> bool:
    return mention.first_day is not None and mention.first_day > today


def _definiteness(mention: Period) -> int:
    if mention.start is not None:
        return 3
    return 2 if mention.year_start is not None else 1


def _hint(mention: Period, zone: tzinfo | None) -> TimeHint:
    start = None if mention.start is None else midnight(mention.start, zone)
    last = mention.end or mention.start
    end = None if last is None else midnight(last + timedelta(days=1), zone)
    return TimeHint(
        text=mention.text,
        start_ts=start,
        end_ts=end,
        year_start=mention.year_start,
        year_end=mention.year_end or mention.year_start,
        life_stage=mention.life_stage,
    )


def period_of(hint: TimeHint, zone: tzinfo | None) -> tuple[int, int] | None:
    """The hint as UTC seconds, whole years included; None for a life stage, which has no dates of its own."""
    if hint.start_ts is not None and hint.end_ts is not None:
        return hint.start_ts, hint.end_ts
    if hint.year_start is None:
        return None
    last = hint.year_end or hint.year_start
    return midnight(date(hint.year_start, 1, 1), zone), midnight(date(last, 12, 31), zone) + 86_400


def read_to_remember(text: str, here: datetime) -> Reading:
    """A message nobody has read yet; of a long one, which tells rather than asks, the times alone."""
    if len(text) <= LONGEST:
        return read(text, now=here)
    language = guess_language(text)
    return Reading(text, language, here, times=times_in(text, here, language))


def asks_only(reading: Reading) -> bool:
    """True for a message that asks, greets or agrees, and tells nothing beside it."""
    acts = [one.acts[0] for one in reading.sentences if one.acts]
    asks = any(act in _ASKING for act in acts) and all(act in _ASKING | _SOCIAL for act in acts)
    return asks and not (reading.claims or reading.tastes) and len(reading.text) <= LONGEST


def search_words(text: str, reading: Reading) -> str:
    """The message without the words of asking (`…だっけ`, `do you remember`); empty where nothing goes."""
    asked = [one for one in reading.sentences if one.acts and one.acts[0] in _ASKING]
    if reading.question is None or not asked:
        return ""
    # What is told beside the question is searched as it stands: 京都に行くんだ。前に行ったのいつだっけ？
    told = [one.text for one in reading.sentences if one is not asked[-1]]
    bare = "\n".join([*told, reading.question.search_text]).strip()
    return bare if len(bare) > 1 and bare != text else ""


def is_bare(text: str) -> bool:
    """True for a message without content of its own: `それで？`, `yes, go on`."""
    plain = text.strip()
    return len(plain) <= _BARE and not content_words(plain)


def with_thread(text: str, last: Event) -> str:
    """The message together with the turn that it hangs on."""
    parts = [last.user_text or "", (last.assistant_text or "")[:_THREAD_CHARS], text]
    return "\n".join(part for part in parts if part)


def names_in(text: str) -> list[str]:
    """Everything in a message that may be a known name: words, pairs of words, runs of kanji and kana."""
    plain = fold(text)[:2000]
    found = _LATIN_WORD.findall(plain)
    found += [" ".join(pair) for pair in pairwise(found)]
    for run in _NAME_RUN.findall(plain):
        found += _parts(run, range(len(run)))
    for run in _KANA_RUN.findall(plain):
        # A name in hiragana begins a run or follows a particle: さくらちゃんは, 昨日はさくらと.
        found += _parts(run, [at for at in range(len(run)) if at == 0 or run[at - 1] in _PARTICLES])
    return list(dict.fromkeys(found))[:_MOST_NAMES]


def _parts(run: str, starts: range | list[int]) -> list[str]:
    return [run[at:end] for at in starts for end in range(at + 2, min(len(run), at + 10) + 1)]
