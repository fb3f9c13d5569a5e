"""Time expressions in Japanese and English, resolved against now; pure and deterministic."""

from cocoro_ghost.language.times.about_when import AboutDates, about_time
from cocoro_ghost.language.times.find import find_times
from cocoro_ghost.language.times.when import When, resolve_when

__all__ = ["AboutDates", "When", "about_time", "find_times", "resolve_when"]
