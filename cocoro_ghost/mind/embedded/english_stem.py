"""A light English stem by which words of talk meet: plurals, past forms, -ing."""

from __future__ import annotations


def stem_en(word: str) -> str:
    """A light stem that makes plurals and past forms of the same word meet."""
    low = word.casefold().replace("’", "'").removesuffix("'s").rstrip("'")
    for ending in ("ing", "ied", "ies", "ed", "es", "s"):
        if low.endswith(ending) and len(low) - len(ending) >= 3:
            low = low.removesuffix(ending)
            low += "y" if ending in {"ied", "ies"} else ""
            break
    low = low[:-1] if len(low) > 3 and low[-1] == low[-2] and low[-1] not in "sle" else low
    return low[:-1] if len(low) > 3 and low.endswith("e") else low
