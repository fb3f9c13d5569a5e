"""What plain words ask for: a look through screen or camera."""

from __future__ import annotations

import re
from typing import Literal

Eye = Literal["desktop", "camera"]

_SCREEN = re.compile(
    r"(?:画面|スクリーン|デスクトップ|モニター?)(?:を|も|の方を|、)?(?:ちょっと|一緒に)?(?:見て|みて|見える|みえる|見れる|見てくれ)"
    r"|(?:いま|今)の?(?:画面|スクリーン).{0,6}(?:何|なに|どう)"
    r"|\b(?:look|peek|glance)\b.{0,20}\b(?:my |the )?(?:screen|desktop|monitor)\b"
    r"|\b(?:can|do) you see my (?:screen|desktop|monitor)\b"
    r"|\bwhat(?:'s| is) on my (?:screen|desktop|monitor)\b",
    re.IGNORECASE,
)
_CAMERA = re.compile(
    r"(?:カメラ|ウェブカメラ|webカメラ)(?:で|を|から)?.{0,6}(?:見て|みて|見える|みえる|写|映)"
    r"|(?:私|わたし|僕|俺|こっち)の?(?:顔|姿|方)?(?:が|を)(?:見える|見て|みて)[？?。！!]*$"
    r"|\b(?:look|peek)\b.{0,20}\b(?:camera|webcam)\b"
    r"|\b(?:can|do) you see me\b|\blook at me\b",
    re.IGNORECASE,
)


def wish_to_be_seen(text: str) -> Eye | None:
    """Which eye a message asks for, if any."""
    if _CAMERA.search(text):
        return "camera"
    return "desktop" if _SCREEN.search(text) else None
