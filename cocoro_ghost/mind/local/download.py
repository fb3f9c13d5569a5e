"""Downloads of open models: with progress, taken up where they broke off, checked before they are used."""

from __future__ import annotations

import asyncio
import hashlib
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urljoin

from cocoro_ghost.errors import BadInput, DiskFull, Outage

Progress = Callable[[int, int], None]
"""bytes so far, bytes in all (0 while unknown)."""
_HASH = re.compile(r"[0-9a-f]{64}")
MOST_HOPS = 5


def half_of(target: Path) -> Path:
    """Where a file lies until it is whole."""
    return target.with_name(target.name + ".part")


async def download(url: str, target: Path, progress: Progress | None = None) -> Path:
    """The file at `target`, whole and with the checksum its server tells; a broken one goes on."""
    import httpx2

    from cocoro_ghost.outgoing.http_client import pinned_client

    part = half_of(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        async with pinned_client(httpx2.Timeout(60.0, connect=10.0)) as client:
            checksum, whole = "", 0
            for _ in range(MOST_HOPS):
                have = part.stat().st_size if part.exists() else 0
                headers = {"Range": f"bytes={have}-"} if have else {}
                async with client.stream("GET", url, headers=headers) as answer:
                    checksum = checksum or _checksum(answer.headers)
                    if 300 <= answer.status_code < 400:
                        # A hub keeps its files elsewhere; no key is sent, and every host is checked.
                        url = urljoin(url, answer.headers.get("location", ""))
                        continue
                    if answer.status_code == 416:
                        break
                    if answer.status_code >= 400:
                        raise _refused(answer.status_code)
                    resumed = answer.status_code == 206
                    whole = int(answer.headers.get("content-length") or 0) + (have if resumed else 0)
                    _check_room(part, whole - (have if resumed else 0))
                    await _write(answer, part, have if resumed else 0, whole, progress)
                    break
    except httpx2.HTTPError as error:
        raise Outage(
            f"The download broke off ({type(error).__name__}); start it again and it goes on where it was.",
            ja=f"ダウンロードが途切れました({type(error).__name__})。もう一度始めると、続きから再開します。",
        ) from error
    except OSError as error:
        raise DiskFull(
            f"The model cannot be written to {part.parent}: {error.strerror}.",
            ja=f"モデルを {part.parent} に書けません: {error.strerror}",
        ) from error
    await asyncio.to_thread(_check, part, checksum, whole)
    part.replace(target)
    return target


def _refused(status: int) -> Outage:
    return Outage(
        f"The hub answered {status} for this file; it may have moved. Choose another model or try later.",
        ja=f"配布元が {status} を返しました。別のモデルを選ぶか、あとでもう一度試してください。",
    )


def _check_room(part: Path, wanted: int) -> None:
    free = shutil.disk_usage(part.parent).free
    if wanted > free:
        raise DiskFull(
            f"{wanted / 1e9:.1f} GB are needed and {free / 1e9:.1f} GB are free; make room and start again.",
            ja=f"{wanted / 1e9:.1f} GB 要りますが、空きは {free / 1e9:.1f} GB です。空けてからもう一度。",
        )


async def _write(answer: object, part: Path, have: int, whole: int, progress: Progress | None) -> None:
    with part.open("ab" if have else "wb") as file:
        async for chunk in answer.aiter_raw():  # type: ignore[attr-defined]
            file.write(chunk)
            have += len(chunk)
            if progress is not None:
                progress(have, whole)


def _checksum(headers: object) -> str:
    for name in ("x-linked-etag", "etag"):
        found = _HASH.search(str(headers.get(name, "")))  # type: ignore[attr-defined]
        if found is not None:
            return found.group()
    return ""


def _check(part: Path, checksum: str, whole: int) -> None:
    """Half a file stays for the next attempt; a wrong one is thrown away."""
    size = part.stat().st_size if part.exists() else 0
    if whole and size < whole:
        raise Outage(
            f"{size} of {whole} bytes came; start the download again and it goes on.",
            ja=f"{whole} バイトのうち {size} バイトまで届きました。もう一度始めると続きから再開します。",
        )
    with part.open("rb") as file:
        if file.read(4) != b"GGUF":
            part.unlink()
            raise BadInput(
                "What came is no GGUF model; it was thrown away. Choose another model.",
                ja="届いたのは GGUF モデルではなかったので捨てました。別のモデルを選んでください。",
            )
        if checksum:
            file.seek(0)
            if hashlib.file_digest(file, "sha256").hexdigest() != checksum:
                part.unlink()
                raise BadInput(
                    "The file is damaged (its checksum differs) and was thrown away; download it again.",
                    ja="ファイルが壊れていた(チェックサムが違う)ので捨てました。もう一度ダウンロードしてください。",
                )
