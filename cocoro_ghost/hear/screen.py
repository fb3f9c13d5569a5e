"""What the screen shows, in words: the user is the one who acts there, the ghost only watches."""

from __future__ import annotations

from cocoro_ghost.model.event import ClientContext

MAX_LINE = 300


def screen_line(context: ClientContext) -> str:
    """`[desktop_watch] app title`, as the client shows it and the log keeps it."""
    words = " ".join(filter(None, (context.active_app, context.window_title)))
    return f"[desktop_watch] {words}".strip()[:MAX_LINE]
