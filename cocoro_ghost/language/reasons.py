"""Why memory changed, as a sentence: codes are kept, words are said in the language of whoever reads them."""

from __future__ import annotations

import re

from cocoro_ghost.model.revision import Why
from cocoro_ghost.model.scene import Language

_WORDS = {
    Why.TOLD: ("話してくれたことから覚えました。", "I learned it from what you said."),
    Why.FELT: ("その話を聞いて、こう感じました。", "This is how I felt when I heard it."),
    Why.MOOD_TOLD: (
        "その日に感じたことを振り返って、気分を言葉にしました。",
        "I looked back on what I felt that day and put my mood into words.",
    ),
    Why.THREAD: ("同じ流れの話だったので、つなげました。", "It belongs to the same thread of talk."),
    Why.LINKED: ("前の話とつながっていたので、結びました。", "It is connected with what was said before."),
    Why.TURN_BEFORE: ("直前の会話への返事でした。", "It answered the turn before."),
    Why.DUPLICATE: (
        "同じことを二度覚えていたので、一つにしました。",
        "The same was known twice, so one was closed.",
    ),
    Why.MERGED: ("よく似た記憶を、一つにまとめました。", "Memories that said the same were merged."),
    Why.EXPIRED: ("予定の日が過ぎたので、終わりにしました。", "Its date has passed, so the plan was closed."),
    Why.UNMENTIONED: (
        "長く話に出なかったので、予定を終わりにしました。",
        "The plan was not mentioned for a long time, so it was closed.",
    ),
    Why.THREADS_MERGED: ("同じ話の流れだったので、一つにしました。", "Two threads were one flow of talk."),
    Why.THREAD_SPLIT: (
        "話の流れが分かれたので、二つにしました。",
        "The thread had become two.",
    ),
    Why.STATES_LINKED: ("意味が近い記憶どうしを結びました。", "Memories near in meaning were connected."),
    Why.SUMMARY: ("話したことをまとめ直しました。", "What we talked about was summed up anew."),
    Why.DENIED: (
        "違うと言われたので、思い出さないようにしました。",
        "You said it was not this.",
    ),
    Why.DENIAL_UNDONE: ("取り消されたので、また思い出せるようにしました。", "The denial was taken back."),
    Why.BY_HAND: ("あなたが手で変えました。", "You changed it by hand."),
    Why.FORGOTTEN: ("忘れるように言われました。", "You asked me to forget it."),
    Why.REMEMBERED: ("また思い出せるようにしました。", "It is remembered again."),
    Why.UNDONE: ("あなたが元に戻しました。", "You undid the change."),
}
# Reasons as versions before the codes wrote them.
_EARLIER = (
    (re.compile(r"^event \d+$"), Why.TOLD),
    (re.compile(r"^the turn before$"), Why.TURN_BEFORE),
    (re.compile(r"^tidy: exact duplicate"), Why.DUPLICATE),
    (re.compile(r"^tidy: near duplicates merged$"), Why.MERGED),
    (re.compile(r"^tidy: the task expired$"), Why.EXPIRED),
    (re.compile(r"^tidy: the task was not mentioned"), Why.UNMENTIONED),
    (re.compile(r"^tidy: thread "), Why.THREADS_MERGED),
    (re.compile(r"^tidy: linked by meaning$"), Why.STATES_LINKED),
    (re.compile(r"^tidy: summary of "), Why.SUMMARY),
    (re.compile(r"^the user denied this memory$"), Why.DENIED),
    (re.compile(r"^the denial was taken back$"), Why.DENIAL_UNDONE),
    (re.compile(r"^(?:confirmed|revoked|written|merged|forgotten) by hand$|^edited$"), Why.BY_HAND),
    (re.compile(r"^forget (?:event|state|preference) \d+$"), Why.FORGOTTEN),
    (re.compile(r"^remembered again$"), Why.REMEMBERED),
    (re.compile(r"^undone(?: by hand)?$"), Why.UNDONE),
)


def reason_code(stored: str) -> Why | None:
    """The code of a reason; None for words that a mind or the person chose."""
    known = next((code for code in Why if code.value == stored), None)
    return known or next((code for pattern, code in _EARLIER if pattern.search(stored)), None)


def reason_words(stored: str, language: Language) -> str:
    """A reason as a sentence; a mind's and the person's own words are said as they are."""
    code = reason_code(stored)
    return stored if code is None else _WORDS[code][language is Language.EN]
