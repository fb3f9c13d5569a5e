"""Puts the faces on the app; what is mounted here is what other clients find."""

from __future__ import annotations

from fastapi import APIRouter, FastAPI

from cocoro_ghost.api.app_state import AppState
from cocoro_ghost.connect import ollama_face, openai_face
from cocoro_ghost.connect.talk import Talks


def install(app: FastAPI, app_state: AppState) -> None:
    """Called once, before the app serves."""
    app.state.talks = Talks(app_state)
    app.include_router(openai_face.router)
    router = APIRouter(tags=["Ollama face"])
    ollama_face.install(router)
    app.include_router(router)
    # Inside the guard, which is added after this: nothing of a body is read before its sender is known.
    app.add_middleware(ollama_face.ChatByShape)
