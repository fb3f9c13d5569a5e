"""Which scope of a client's token a native call needs; what is not named here is the owner's alone."""

from __future__ import annotations

from cocoro_ghost.model.client import Scope

FACES = ("/v1", "/ollama", "/mcp")
"""Faces for other clients check the scopes of each call themselves."""
MEMORY = frozenset({Scope.READ, Scope.WRITE, Scope.FORGET})
_TALK = ("/api/chat", "/api/v2/", "/api/events/stream", "/api/mood/debug")
_OLLAMA = {
    "/api/version", "/api/tags", "/api/ps", "/api/show", "/api/generate", "/api/pull", "/api/embed",
    "/api/embeddings",
}  # fmt: skip


def is_face(path: str) -> bool:
    """True for `/v1/…`, `/mcp`, `/ollama/…`, and Ollama's own paths beside ours."""
    return path in _OLLAMA or any(path == face or path.startswith(f"{face}/") for face in FACES)


def is_ollamas(path: str) -> bool:
    """Ollama's own calls, at the root or under their prefix; `/api/chat` at the root is ours as well."""
    return path in _OLLAMA or path == "/ollama" or path.startswith("/ollama/")


def scope_needed(method: str, path: str) -> Scope:
    if path.startswith(_TALK):
        return Scope.TALK
    if not path.startswith("/api/memory/"):
        return Scope.ADMIN
    if method == "GET" or path.endswith("/recall"):
        return Scope.READ
    if method == "DELETE" or path.endswith("/forget"):
        return Scope.FORGET
    return Scope.WRITE
