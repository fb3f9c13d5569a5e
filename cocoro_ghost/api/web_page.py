"""The page that people see, and a plain page of the calls. No script or style comes from elsewhere."""

from __future__ import annotations

import html
from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, PlainTextResponse, Response

WEB = Path(str(files("cocoro_ghost.api"))) / "web"
_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}


def install(app: FastAPI) -> None:
    """Registered last: whatever no route took is a file of the page, or the page itself."""

    @app.get("/docs", include_in_schema=False)
    async def docs() -> HTMLResponse:
        return HTMLResponse(describe(app))

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def file(request: Request, path: str) -> Response:
        return serve(path)


def serve(path: str) -> Response:
    """A built file; unknown paths without a suffix show the page (its own routing)."""
    if path == "api" or path.startswith("api/"):
        return Response('{"detail":{"code":"not_found","message":"There is no such call."}}', 404,
                        media_type="application/json")  # fmt: skip
    wanted = _file(path)
    if wanted is not None:
        cache = "public, max-age=31536000, immutable" if "/assets/" in f"/{path}" else "no-cache"
        return FileResponse(wanted, media_type=_TYPES.get(wanted.suffix), headers={"cache-control": cache})
    index = WEB / "index.html"
    if Path(path).suffix or not index.is_file():
        return PlainTextResponse("There is no such page.", 404)
    return FileResponse(index, headers={"cache-control": "no-cache"})


def _file(path: str) -> Path | None:
    """The built file of that name; a name no file system takes (NUL, too long) is just not there."""
    try:
        wanted = (WEB / path).resolve()
        return wanted if wanted.is_relative_to(WEB.resolve()) and wanted.is_file() else None
    except (ValueError, OSError):
        return None


def describe(app: FastAPI) -> str:
    """The calls as a plain table, made from the OpenAPI document."""
    rows = []
    for path, calls in app.openapi()["paths"].items():
        for method, call in calls.items():
            about = html.escape(call.get("description", call.get("summary", "")))
            rows.append(
                f"<tr><td>{method.upper()}</td><td><code>{html.escape(path)}</code></td><td>{about}</td></tr>"
            )
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>CocoroGhost: calls</title>"
        f"<h1>CocoroGhost {html.escape(app.version)}</h1><p>{html.escape(app.description)}</p>"
        '<p>Machine-readable: <a href="/openapi.json">/openapi.json</a></p>'
        f"<table><tr><th>method<th>path<th>what</tr>{''.join(rows)}</table></html>"
    )
