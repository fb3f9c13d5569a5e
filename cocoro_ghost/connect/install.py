"""Puts the faces on the app; what is mounted here is what other clients find."""

from __future__ import annotations

from fastapi import FastAPI

from cocoro_ghost.api.app_state import AppState
from cocoro_ghost.connect import openai_face
from cocoro_ghost.connect.talk import Talks


def install(app: FastAPI, app_state: AppState) -> None:
    """Called once, before the app serves."""
    app.state.talks = Talks(app_state)
    app.include_router(openai_face.router)
