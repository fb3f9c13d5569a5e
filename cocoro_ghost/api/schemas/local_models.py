"""Models of this machine on the wire."""

from __future__ import annotations

from cocoro_ghost.api.schemas.parts import Wire
from cocoro_ghost.mind.local.catalogue import Kind
from cocoro_ghost.mind.local.child import ChildState
from cocoro_ghost.mind.local.shelf import ModelState


class LocalModelOut(Wire):
    id: str
    name: str
    kind: Kind
    size_bytes: int
    licence: str
    languages: str
    source: str
    memory_bytes: int
    fits: bool
    dimension: int
    model: str
    state: ModelState
    have_bytes: int
    whole_bytes: int
    in_use: bool
    child: ChildState
    problem_ja: str
    problem_en: str


class LocalModelsOut(Wire):
    memory_bytes: int
    runnable: bool
    items: list[LocalModelOut]
