"""Part-bad answers keep their good items: each bad item is dropped alone, with a reason.

Used by the plan types of answers.py before pydantic sees the whole.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

MAX_DEPTH = 12
MAX_ITEMS = 500


def scrub(value: Any, depth: int = 0) -> Any:
    """Makes any JSON-like value storable: no NUL, no lone surrogates, no NaN, bounded depth and width."""
    if depth > MAX_DEPTH:
        return None
    if isinstance(value, str):
        return value.replace("\x00", "").encode("utf-8", "ignore").decode("utf-8")
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        items = list(value.items())[:MAX_ITEMS]
        return {scrub(str(key)): scrub(item, depth + 1) for key, item in items}
    if isinstance(value, list | tuple):
        return [scrub(item, depth + 1) for item in value[:MAX_ITEMS]]
    return value


def good_items(
    value: Any, item_type: type[BaseModel], where: str, dropped: list[str], clips: Mapping[str, int]
) -> list[BaseModel]:
    """Items of a list that keep the contract; the rest is named in `dropped`."""
    if value is None:
        return []
    if not isinstance(value, list):
        dropped.append(f"{where}: not a list")
        return []
    kept: list[BaseModel] = []
    for index, item in enumerate(value):
        try:
            kept.append(item_type.model_validate(clipped(item, clips)))
        except ValidationError as error:
            dropped.append(f"{where}[{index}]: {first_reason(error)}")
    return kept


def good_fields(
    value: Any, model: type[BaseModel], where: str, dropped: list[str], clips: Mapping[str, int]
) -> BaseModel | None:
    """A single object without the members that break the contract; None when nothing is left to keep."""
    if value is None:
        return None
    data = clipped(value, clips)
    for _ in range(len(data) + 1 if isinstance(data, dict) else 1):
        try:
            return model.model_validate(data)
        except ValidationError as error:
            dropped.append(f"{where}: {first_reason(error)}")
            bad = {problem["loc"][0] for problem in error.errors() if problem["loc"]}
            if not isinstance(data, dict) or not bad:
                return None
            data = {name: member for name, member in data.items() if name not in bad}
    return None


def clipped(item: Any, clips: Mapping[str, int]) -> Any:
    """Too long texts and lists are cut rather than refused."""
    if not isinstance(item, dict):
        return item
    return {
        name: member[: clips[name]] if name in clips and isinstance(member, str | list) else member
        for name, member in item.items()
    }


def first_reason(error: ValidationError) -> str:
    problem = error.errors()[0]
    place = ".".join(str(part) for part in problem["loc"])
    return f"{place}: {problem['msg']}" if place else str(problem["msg"])
