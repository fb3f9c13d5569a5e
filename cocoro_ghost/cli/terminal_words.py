"""What the terminal says, in Japanese and English."""

from __future__ import annotations

from dataclasses import dataclass

from cocoro_ghost.model.scene import Language


@dataclass(frozen=True, slots=True)
class Words:
    greeting: str
    memory: str
    reason: str
    reading: str
    thinking: str
    nothing_said: str
    nothing_recalled: str
    nothing_learned: str
    no_mood: str
    no_states: str
    forgotten: str
    nothing_denied: str
    brought_back: str
    incognito_on: str
    incognito_off: str
    help_lines: tuple[str, ...]


_JA = Words(
    greeting="話しかけてください。/help でできること、/quit で終わり。",
    memory="記憶",
    reason="理由",
    reading="読んでいます…",
    thinking="考えています…",
    nothing_said="まだ何も話していません。",
    nothing_recalled="さっきの返事では、何も思い出していません。",
    nothing_learned="さっきの言葉からは、まだ何も覚えていません。",
    no_mood="まだ気分はありません。",
    no_states="まだ何も覚えていません。",
    forgotten="さっきの言葉から覚えたことを、取り消しました。",
    nothing_denied="違うと言われて脇に置いた記憶は、ありません。",
    brought_back="また思い出せるようにしました:",
    incognito_on="ここからは何も残しません。",
    incognito_off="ここからは覚えます。",
    help_lines=(
        "/why       さっきの返事で思い出したこと",
        "/learned   さっきの言葉から覚えたこと",
        "/mood      今の気分",
        "/state     今そうだと思っていること",
        "/forget    さっきの言葉から覚えたことを取り消す",
        "/denied    違うと言われて脇に置いた記憶",
        "/undeny    そのいちばん新しいものを元に戻す",
        "/again     もう一度返事をもらう（前の返事も残る）",
        "/history   最近のやりとり",
        "/incognito 残さない会話に切り替える、戻す",
        "/quit      終わる",
    ),
)
_EN = Words(
    greeting="Say something. /help lists what else you can ask, /quit leaves.",
    memory="memory",
    reason="reason",
    reading="reading your message…",
    thinking="thinking…",
    nothing_said="Nothing was said yet.",
    nothing_recalled="Nothing was recalled for the last reply.",
    nothing_learned="Nothing was learned from the last message yet.",
    no_mood="There is no mood yet.",
    no_states="Nothing is known yet.",
    forgotten="What the last message taught was taken back.",
    nothing_denied="No memory is set apart.",
    brought_back="It may be recalled again:",
    incognito_on="From here on nothing is kept.",
    incognito_off="From here on things are remembered.",
    help_lines=(
        "/why       what the last reply recalled",
        "/learned   what the last message taught",
        "/mood      the present mood",
        "/state     what is held to be so",
        "/forget    take back what the last message taught",
        "/denied    memories set apart because you denied them",
        "/undeny    bring the latest of them back",
        "/again     another reply (the old one is kept)",
        "/history   the latest turns",
        "/incognito switch to a talk that is not kept, and back",
        "/quit      leave",
    ),
)


def words_for(language: Language) -> Words:
    return _JA if language is Language.JA else _EN
