"""Images (R19): real type by magic bytes, limits before decoding, descriptions that may fail."""

from __future__ import annotations

import base64
import io
import struct
import zlib

import pytest
from PIL import Image

from cocoro_ghost.errors import BadInput, Outage, TooLarge
from cocoro_ghost.hear.images import MAX_BYTES_EACH, check_images, describe
from cocoro_ghost.hear.message import hear_chat
from cocoro_ghost.model.scene import Language
from cocoro_ghost.store.ports import Database
from cocoro_ghost.testing import ScriptedMind
from tests.conftest import Figures
from tests.turning import BlindMind, parts_of, stored, turn

pytestmark = pytest.mark.anyio


def data_uri(data: bytes, kind: str = "png") -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def picture(kind: str = "PNG", size: tuple[int, int] = (8, 6)) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size, "red").save(buffer, kind)
    return buffer.getvalue()


def bomb(width: int, height: int) -> bytes:
    """A PNG whose header promises more pixels than it holds."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\0"))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_the_real_type_counts_not_the_declared_one(kind: str) -> None:
    (found,) = check_images([data_uri(picture(kind), "gif")])
    assert found is not None
    assert (found.media_type, found.width, found.height) == (f"image/{kind.lower()}", 8, 6)


def test_white_space_inside_base64_is_allowed() -> None:
    text = data_uri(picture())
    head, body = text.split(",")
    (found,) = check_images([f"{head},{body[:20]}\r\n {body[20:]}"])
    assert found is not None


@pytest.mark.parametrize(
    "image",
    [
        "",
        "nonsense",
        "data:image/png;base64,",
        "data:image/png;base64,####",
        data_uri(b"GIF89a" + b"\0" * 50),
        data_uri(b"\x89PNG\r\n\x1a\n" + b"\0" * 50),
        data_uri(picture()[:40]),
        "https://example.com/a.png",
        "data:text/html;base64,PGI+",
    ],
)
def test_what_is_no_image_is_skipped(image: str) -> None:
    assert check_images([image]) == (None,)


def test_limits_at_the_limit_and_over_it(figures: Figures) -> None:
    exact = picture() + b"\0" * (MAX_BYTES_EACH - len(picture()))
    assert check_images([data_uri(exact)])[0] is not None
    assert check_images([data_uri(exact)] * 4)[3] is not None
    for images in ([data_uri(exact + b"\0")], [data_uri(exact)] * 5, [data_uri(bomb(5000, 4001))],
                   [data_uri(bomb(60_000, 60_000))], [data_uri(bomb(2_000_000_000, 1))]):  # fmt: skip
        with pytest.raises(TooLarge) as caught:
            check_images(images)
        assert caught.value.code == "image_too_large"
    for count in (6, 100, 10_000):
        with pytest.raises(BadInput):
            check_images([""] * count)
    figures(
        "R19",
        "5 MB, 20 MB, 20 megapixels and 5 images: taken at the limit, refused at limit + 1 and far over",
    )


async def test_descriptions_keep_their_places(memory: Database) -> None:
    heard = await hear_chat("", [data_uri(picture()), "broken", data_uri(picture())], Language.JA)
    assert heard.text == "これをみて"
    mind = ScriptedMind(images=["赤い" * 500, Outage("down")], replies=["見たよ"])
    await turn(parts_of(memory, mind), heard)
    event = await stored(memory, 1)
    assert event.image_summaries == (("赤い" * 500)[:400], "", "")
    assert mind.spoken[0].scene.image_summaries == event.image_summaries


async def test_a_blind_model_does_not_hold_up_the_turn() -> None:
    checked = check_images([data_uri(picture())])
    assert await describe(BlindMind(), checked, Language.EN, 0.02) == ("",)


@pytest.mark.parametrize(("text", "images"), [("", []), ("  \n", ["broken"]), ("\0", [])])
async def test_nothing_said_and_nothing_shown_is_refused(text: str, images: list[str]) -> None:
    with pytest.raises(BadInput) as caught:
        await hear_chat(text, images, Language.JA)
    assert caught.value.code == "invalid_request"


async def test_look_at_this_in_english() -> None:
    assert (await hear_chat(None, [data_uri(picture())], Language.EN)).text == "Look at this"


async def test_a_lone_surrogate_cannot_break_the_store() -> None:
    assert (await hear_chat("a\ud800b\0c", [], Language.EN)).text == "a?bc"
