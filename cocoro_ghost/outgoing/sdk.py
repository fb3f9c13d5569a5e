"""The openai SDK, loaded beside the loop: its import takes a second in which nobody would be answered."""

from __future__ import annotations

import asyncio
import sys
from importlib import import_module


async def sdk_loaded() -> None:
    """Returns once `import openai` costs nothing; a ghost that asks no endpoint never pays for it."""
    if "openai" not in sys.modules:
        await asyncio.to_thread(import_module, "openai")
