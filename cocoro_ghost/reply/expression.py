"""One feeling, many dialects: how an expression is written for each front end, and taken off again."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.client import EmotionTags

# Every dialect's tags in one pattern of bounded length: linear whatever the text holds.
_TAGS = re.compile(
    r"<\|(?:ACT|DELAY|CALL)\b[^|<>\n]{0,200}\|>"
    r"|\[(?:face|anim|animation|pause|vision|language):[^\[\]\n]{1,60}\]"
    r"|<face\s+name=\"[^\"<>\n]{1,40}\"\s*/>"
    r"|\[(?:neutral|joy|anger|sadness|fear|surprise|disgust|smirk)\]",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\[(neutral|joy|anger|sadness|fear|surprise|disgust|smirk)\]")
_ENOUGH_TAGS = 3
_MARKDOWN = re.compile(r"[*_`#>~|]+")
_LINK = re.compile(r"\[([^\[\]\n]{0,200})\]\([^()\s]{1,2000}\)")
_URL = re.compile(r"https?://\S{1,2000}")
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_SENTENCE_END = re.compile(r"(?<=[。！？\n])|(?<=[!?])(?=\s)|(?<=[a-z]{2}\.)(?=\s)")
"""Of `?` and `.` only with a space behind: an address has them too, and so has `Dr. Smith`."""
_LONGEST_SENTENCE = 600
_EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d]+")


_NO_FEELING = Vad()


@dataclass(frozen=True, slots=True)
class Expression:
    """What a face would show: a name of VRM's set, how strongly, and the feeling it comes from."""

    name: str = "neutral"
    intensity: float = 0.0
    vad: Vad = _NO_FEELING


_NAMES = {
    # name: AIRI, brackets, ChatdollKit's faces
    "happy": ("happy", "joy", "Joy"),
    "relaxed": ("neutral", "neutral", "Fun"),
    "sad": ("sad", "sadness", "Sorrow"),
    "angry": ("angry", "anger", "Angry"),
    "surprised": ("surprised", "surprise", "Surprised"),
    "neutral": ("neutral", "neutral", "Neutral"),
}
_FAINT = 0.15


def expression_of(vad: Vad) -> Expression:
    """From valence and arousal; faint feelings leave the face as it is."""
    strength = min(1.0, max(abs(vad.v), abs(vad.a)))
    if strength < _FAINT:
        return Expression("neutral", 0.0, vad)
    if vad.v >= _FAINT:
        name = "happy" if vad.a >= 0 else "relaxed"
    elif vad.v <= -_FAINT:
        name = "angry" if vad.a > 0.3 and vad.d > 0 else "sad"
    else:
        name = "surprised" if vad.a > 0 else "neutral"
    return Expression(name, round(strength, 2), vad)


def expression_data(expression: Expression) -> dict[str, object]:
    """As it goes over the wire."""
    vad = expression.vad
    felt = {"v": round(vad.v, 3), "a": round(vad.a, 3), "d": round(vad.d, 3)}
    return {"name": expression.name, "intensity": expression.intensity, "vad": felt}


def tag(expression: Expression, dialect: EmotionTags) -> str:
    """The tag that stands before a sentence; empty where the client wants none or nothing is felt."""
    if dialect is EmotionTags.NONE or expression.name == "neutral":
        return ""
    airi, bracket, face = _NAMES[expression.name]
    if dialect is EmotionTags.AIRI:
        act = {"emotion": {"name": airi, "intensity": expression.intensity}}
        return f"<|ACT {json.dumps(act)}|>"
    if dialect is EmotionTags.BRACKET:
        return "" if bracket == "neutral" else f"[{bracket}]"
    if dialect is EmotionTags.FACE:
        return f"[face:{face}]"
    return f'<face name="{face.lower()}" />'


def dialect_asked_for(prompt: str) -> EmotionTags | None:
    """The dialect that a client's own prompt teaches its model, by its tags; None where it teaches none."""
    named = set(_BRACKETED.findall(prompt.lower()))
    if "<|act" in prompt.lower():
        return EmotionTags.AIRI
    if "<face name=" in prompt:
        return EmotionTags.XML
    if "[face:" in prompt:
        return EmotionTags.FACE
    return EmotionTags.BRACKET if len(named) >= _ENOUGH_TAGS else None


def without_tags(text: str) -> str:
    """As it is stored and compared."""
    return _TAGS.sub("", text)


@dataclass(slots=True)
class Aloud:
    """A reply as it comes, sentence by sentence: a voice need not wait for the end."""

    _rest: str = ""

    def add(self, piece: str) -> list[str]:
        """The sentences that are whole now, as they are read aloud; code is not spoken, nor cut in two."""
        self._rest += piece
        if self._rest.count("```") % 2:
            if len(self._rest) > _LONGEST_SENTENCE:
                # Of code that goes on only its mark is kept: a piece costs the same in a long reply.
                self._rest = f"{self._rest.partition('```')[0]}```{self._rest[-2:]}"
            return []
        *whole, self._rest = _SENTENCE_END.split(_CODE.sub(" ", self._rest))
        if len(self._rest) > _LONGEST_SENTENCE:
            whole, self._rest = [*whole, self._rest], ""
        return [spoken for part in whole if (spoken := speech_text(part))]

    def end(self) -> list[str]:
        """What is left when the reply ends."""
        rest, self._rest = self._rest, ""
        return [spoken] if (spoken := speech_text(rest)) else []


def speech_text(text: str) -> str:
    """As it is read aloud: no tags, no Markdown, no emoji, no code; a link is said as such."""
    spoken = _CODE.sub(" ", without_tags(text))
    spoken = _LINK.sub(r"\1", spoken)
    spoken = _URL.sub("link", spoken)
    spoken = _EMOJI.sub("", _MARKDOWN.sub("", spoken))
    return re.sub(r"[ \t]+", " ", spoken).strip()
