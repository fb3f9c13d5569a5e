"""Doubles for what is slow, costly or random: the model, the embeddings, the clock. The database is real."""

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.testing.hash_embedder import HashEmbedder
from cocoro_ghost.testing.scripted_mind import ScriptedMind
from cocoro_ghost.testing.temp_memory import temp_memory

__all__ = ["FrozenClock", "HashEmbedder", "ScriptedMind", "temp_memory"]
