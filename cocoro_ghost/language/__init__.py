"""Knowledge of Japanese and English text that needs no model. `read` is the one reader of messages."""

from cocoro_ghost.language.reading import read

__all__ = ["read"]
