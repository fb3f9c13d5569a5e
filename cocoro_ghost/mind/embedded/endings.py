"""Which known state a sentence ends: a task reported done, a job quit, a couple parted, a plan dropped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.morphology import content_words, tokens
from cocoro_ghost.mind.embedded.lexicon import pattern
from cocoro_ghost.mind.embedded.sentences import Sentence
from cocoro_ghost.mind.embedded.voice import retell
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import State, StateKind

_JA_FAILED = re.compile(
    r"(?:なかった|ませんでした|なくて|損ね(?:た|まし)|そびれ(?:た|まし)|失敗し(?:た|まし))"
    r"(?:ん(?:だ|です)|の|です|よ|ね|な|わ|さ|けど|し|、|…|。|〜|ー)*$|半分|途中まで|一部だけ|少しだけ|あと(?:少し|ちょっと)"
)
_AT_LAST = re.compile(
    r"無事|やっと|ついに|とうとう|ようやく|なんとか|何とか|どうにか|うまく|上手く|ちゃんと|ばっちり"
)
_UNDER_WAY = re.compile(
    r"始め|始ま|はじめ|はじま|取りかか|取り掛か|着手|手を(?:つけ|付け)|決ま|見つか|思い出|届い"
)
"""What has begun or been settled is not yet done."""
_WENT = re.compile(
    r"(?:払|出|送|渡|取|買|返|届け|預け|納め|振り込|申し込|会|見|観|受け|済ませ|片付け|捨て|洗|直|替え|切|習|頼)"
    r"[っいしん]?[てで](?:き|来)(?:た|まし)"
)
_ACHIEVED = re.compile(
    "取れる|とれる|焼ける|解ける|受かる|間に合う|畳む|たたむ|捨てる|納める|預ける|取り替える|替える|運ぶ"
)


@dataclass(frozen=True, slots=True)
class Ending:
    """A known state that is over."""

    op: Literal["close", "mark_done"]
    state: State
    body: str


def ending(sentence: Sentence, whole: str, states: Sequence[State], now_ts: int, label: str) -> Ending | None:
    """What this sentence ends among the states shown, or None."""
    if sentence.question:
        return None
    active = [state for state in states if state.active_at(now_ts) and state.kind is not StateKind.LONG_MOOD]
    body = retell(sentence.raw, sentence.language, label)
    if _reports_end(sentence):
        closed = _best(sentence.raw, whole, active, _kind_hint(sentence), sentence.language)
        if closed is not None:
            return Ending("close", closed, body)
    if _reports_done(sentence):
        open_tasks = [
            state for state in active if state.kind is StateKind.TASK and not state.payload.get("done_at")
        ]
        done = _best(sentence.raw, whole, open_tasks, StateKind.TASK, sentence.language)
        if done is not None:
            return Ending("mark_done", done, body)
    return None


def _reports_done(sentence: Sentence) -> bool:
    file = f"{sentence.language.value}/tasks"
    text = sentence.text.replace("’", "'")
    if sentence.language is Language.JA and _JA_FAILED.search(text):
        return False
    match = pattern(file, "done").search(text)
    if not match:
        return sentence.language is Language.JA and _managed(text)
    if sentence.language is Language.JA:
        return not pattern(file, "not_done").search(text[max(0, match.start() - 6) :])
    clause = re.split(r",|\bbut\b|\band\b", text[: match.start()])[-1]
    return not pattern(file, "not_done").search(clause)


def _managed(text: str) -> bool:
    """家賃払えた, 無事に話した: a past that says it worked out, whatever the verb."""
    words = [token for token in tokens(text) if token.pos[0] not in {"補助記号", "助詞", "感動詞", "空白"}]
    while words and words[-1].lemma in {"だ", "です", "ん", "の"} and words[-1].surface != "だ":
        words.pop()
    if (
        pattern("ja/tasks", "not_done").search(text)
        or _UNDER_WAY.search(text)
        or not words
        or words[-1].lemma not in {"た", "だ"}
    ):
        return False
    verb = next((token for token in reversed(words) if token.is_verb), None)
    if verb is None:
        return False
    if _WENT.search(text):
        return True
    able = verb.lemma != verb.normal and verb.lemma[-2:-1] in "えけげせてねべめれ"
    return able or _ACHIEVED.fullmatch(verb.lemma) is not None or _AT_LAST.search(text) is not None


def _reports_end(sentence: Sentence) -> bool:
    file = f"{sentence.language.value}/tasks"
    text = sentence.text.replace("’", "'")
    match = pattern(file, "ending").search(text)
    if not match:
        return False
    if sentence.language is Language.EN:
        return not pattern(file, "not_ended").search(text)
    rest = text[match.end() :]
    if re.match(
        r"(?:て|たく|た(?:い|く)|よう|られな|な(?:い|く|け)|るの(?:は|が)|るなら|ろ|ま(?:す|せん)?か)", rest
    ) and not re.match(r"て(?:き|、|しま|もう)", rest):
        return False
    finished = pattern(file, "ended").search(match.group()[-2:] + rest[:8])
    return finished is not None or rest.strip("。!！〜ーよねわ") == ""


def _kind_hint(sentence: Sentence) -> StateKind:
    file = f"{sentence.language.value}/tasks"
    if pattern(file, "breakup").search(sentence.text):
        return StateKind.RELATION
    if pattern(file, "dropped").search(sentence.text) and not _membership(sentence):
        return StateKind.TASK
    return StateKind.FACT


def _membership(sentence: Sentence) -> bool:
    return (
        sentence.language is Language.EN
        and pattern("en/tasks", "membership").search(sentence.text) is not None
    )


def _best(
    text: str, whole: str, states: Iterable[State], hint: StateKind, language: Language
) -> State | None:
    """The state that shares most with the sentence; its kind must fit or its words must be named outright."""
    shown = list(states)
    alone = sum(state.kind is hint for state in shown) == 1
    scored = []
    for state in shown:
        score = overlap(text, state, language)
        score += 0.5 * overlap(whole, state, language) if score else 0.0
        if state.kind is hint:
            only = alone and hint is StateKind.RELATION
            score += 0.5 if score else 1.0 if only else _slot_score(text, state, language)
        elif hint is StateKind.RELATION or state.kind is StateKind.TASK:
            score *= 0.6
        if score >= 0.85:
            scored.append((score, state.last_confirmed_at, state.state_id, state))
    return max(scored)[-1] if scored else None


def _slot_score(text: str, state: State, language: Language) -> float:
    """Without shared words: `I quit` ends the job, `we broke up` the couple."""
    slot = state.payload.get("slot")
    file = f"{language.value}/tasks"
    if slot in {"job", "occupation"} and pattern(file, "job_end").search(text):
        return 1.0
    if (
        state.kind is StateKind.RELATION
        and slot in {"partner", "marital"}
        and pattern(file, "breakup").search(text)
    ):
        return 1.0
    return 0.0


def overlap(text: str, state: State, language: Language) -> float:
    """How many content words of the state's body (or its names) the text shares, long ones weighing more."""
    folded, body = fold(text), fold(state.body_text)
    spoken = {fold(word) for word in content_words(text, language)}
    noted = {fold(word) for word in content_words(state.body_text, language)} | {
        fold(e.name) for e in state.entities
    }
    noted |= {fold(str(state.payload[key])) for key in ("name", "value") if state.payload.get(key)}
    shared = {word for word in noted if len(word) > 1 or not word.isascii()} & spoken
    shared |= {word for word in noted if len(word) >= 2 and word in folded and not word.isascii()}
    shared |= {word for word in spoken if len(word) >= 2 and word in body and not word.isascii()}
    shared |= {
        word
        for word in noted
        if len(word) >= 4 and word.isascii() and any(w.startswith(word) for w in spoken)
    }
    return float(sum(1.0 if len(word) >= 2 else 0.5 for word in shared))
