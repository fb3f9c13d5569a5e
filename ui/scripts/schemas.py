"""Writes the OpenAPI document that `npm run types` reads: the app's own, made without starting a server."""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
from pathlib import Path


def from_models() -> dict[str, object]:
    """Only the components, straight from the schemas (enough for the page's types)."""
    from pydantic.json_schema import models_json_schema

    import cocoro_ghost.api.schemas as package
    from cocoro_ghost.api.schemas.parts import Wire

    found = []
    for info in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"{package.__name__}.{info.name}")
        for value in vars(module).values():
            own = isinstance(value, type) and issubclass(value, Wire) and value.__module__ == module.__name__
            if own and not value.__pydantic_generic_metadata__["parameters"]:
                found.append((value, "serialization"))
    _, top = models_json_schema(found, ref_template="#/components/schemas/{model}")
    info_part = {"title": "CocoroGhost", "version": "0"}
    return {"openapi": "3.1.0", "info": info_part, "paths": {}, "components": {"schemas": top["$defs"]}}


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(from_models(), ensure_ascii=False, indent=1), encoding="utf-8")
