"""`python -m cocoro_ghost.api.openapi [FILE]`: the OpenAPI document, from which the page's types are made."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from cocoro_ghost.api.app import create_app


def document() -> str:
    return json.dumps(create_app(None).openapi(), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(document(), encoding="utf-8")
    else:
        sys.stdout.write(document())
