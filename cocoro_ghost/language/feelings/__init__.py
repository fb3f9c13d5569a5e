"""How a text feels: valence, arousal, dominance, labels and the words that say so. Pure and deterministic."""

from cocoro_ghost.language.feelings.feel import arousal_class, feel, valence_class

__all__ = ["arousal_class", "feel", "valence_class"]
