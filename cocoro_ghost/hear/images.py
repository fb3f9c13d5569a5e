"""Images from a client: checked before a pixel is decoded, described in words, never stored."""

from __future__ import annotations

import asyncio
import base64
import binascii
import io
import logging
import re
from collections.abc import Sequence

import imagesize

from cocoro_ghost.errors import BadAnswer, BadInput, NotConfigured, Outage, TooLarge
from cocoro_ghost.mind.client import ImageRequest, Mind
from cocoro_ghost.mind.prompts.render import render
from cocoro_ghost.model.heard import CheckedImage
from cocoro_ghost.model.scene import Language

log = logging.getLogger(__name__)
MAX_IMAGES = 5
MAX_BYTES_EACH = 5_000_000
MAX_BYTES_TOGETHER = 20_000_000
MAX_PIXELS = 20_000_000
MAX_DESCRIPTION = 400
_SIGNS = (
    ("image/png", re.compile(rb"\x89PNG\r\n\x1a\n"), b"IEND"),
    ("image/jpeg", re.compile(rb"\xff\xd8\xff"), b"\xff\xd9"),
    ("image/webp", re.compile(rb"RIFF.{4}WEBP", re.DOTALL), b"VP8"),
)
"""What a file of each kind begins with, and what one that was cut off lacks."""
_DATA_URI = re.compile(r"\s*data:image/[\w.+-]{1,40}(?:;[\w=.+-]{1,60}){0,3};base64,", re.IGNORECASE)
_SPACE = re.compile(r"\s+")


def check_images(images: Sequence[str]) -> tuple[CheckedImage | None, ...]:
    """One entry an image, in order; None for one that is no image. Over a limit raises."""
    if len(images) > MAX_IMAGES:
        raise BadInput(f"At most {MAX_IMAGES} images a message; {len(images)} were sent.")
    bodies = [_body(image) for image in images]
    # From the length of the base64 text: what is too large is refused before it is decoded.
    sizes = [len(body) * 3 // 4 for body in bodies if body is not None]
    if any(size > MAX_BYTES_EACH + 2 for size in sizes) or sum(sizes) > MAX_BYTES_TOGETHER + 2 * MAX_IMAGES:
        raise _too_large()
    return tuple(None if body is None else _checked(body) for body in bodies)


async def describe(
    eyes: Mind, images: Sequence[CheckedImage | None], language: Language, timeout_seconds: float
) -> tuple[str, ...]:
    """A description for each image, in parallel; `""` where there is none to be had."""
    prompt = render("see", language, limit=str(MAX_DESCRIPTION)).text

    async def one(image: CheckedImage | None) -> str:
        if image is None:
            return ""
        request = ImageRequest(
            image.media_type, image.width, image.height, image.data, language, timeout_seconds, prompt
        )
        try:
            text = await asyncio.wait_for(eyes.see(request), timeout_seconds)
        except (Outage, BadAnswer, NotConfigured, TimeoutError) as error:
            log.warning("an image was not described: %s", error or "time-out")
            return ""
        return _SPACE.sub(" ", text).strip()[:MAX_DESCRIPTION]

    return tuple(await asyncio.gather(*(one(image) for image in images)))


def _body(image: str) -> str | None:
    """The base64 text of a data URI without white space, undecoded."""
    match = _DATA_URI.match(image)
    return None if match is None else _SPACE.sub("", image[match.end() :])


def _checked(body: str) -> CheckedImage | None:
    try:
        data = base64.b64decode(body, validate=True)
    except (binascii.Error, ValueError):
        return None
    if len(data) > MAX_BYTES_EACH:
        raise _too_large()
    return _identified(data)


def _identified(data: bytes) -> CheckedImage | None:
    """The real type by its magic bytes; only the header is read, so a bomb stays packed."""
    kinds = (kind for kind, begins, later in _SIGNS if begins.match(data) and later in data)
    media_type = next(kinds, None)
    if media_type is None:
        return None
    width, height = imagesize.get(io.BytesIO(data), exif_rotation=False)
    if width <= 0 or height <= 0:
        return None
    if width * height > MAX_PIXELS:
        raise _too_large()
    return CheckedImage(media_type, width, height, data)


def _too_large() -> TooLarge:
    return TooLarge(
        "An image is too large: at most 5 MB each, 20 MB together and 20 megapixels.", code="image_too_large"
    )
