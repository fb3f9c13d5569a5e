"""The size budget: files of at most 400 lines, functions of at most 60, 95 of 100 within 40, none of more
than 15 ways through it by radon, which counts each `and`, `or` and condition of a comprehension."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from radon.complexity import cc_visit

ROOT = Path(__file__).resolve().parent.parent
MAX_FILE, MAX_FUNCTION, MOST_FUNCTIONS, MAX_WAYS = 400, 60, 40, 15
FORBIDDEN = {"manager", "helper", "utils", "common", "handler", "service", "mixin", "base", "misc"}


def tangled(text: str) -> Iterator[str]:
    """The functions and methods of a file with too many ways through them."""
    blocks = cc_visit(text)
    # A class stands for the mean of its methods; each of them is also listed by itself.
    for block in (block for block in blocks if block.letter in "FM"):
        if block.complexity > MAX_WAYS:
            yield f"{block.lineno} {block.name}: {block.complexity} ways through it, at most {MAX_WAYS}"


def main() -> int:
    complaints: list[str] = []
    lengths: list[int] = []
    for path in sorted(ROOT.glob("cocoro_ghost/**/*.py")):
        name, text = str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
        if set(path.stem.split("_")) & FORBIDDEN:
            complaints.append(f"{name}: the name says nothing")
        if (lines := text.count("\n")) > MAX_FILE:
            complaints.append(f"{name}: {lines} lines, at most {MAX_FILE}")
        complaints += (f"{name}:{where}" for where in tangled(text))
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                lengths.append(length)
                if length > MAX_FUNCTION:
                    where = f"{name}:{node.lineno} {node.name}"
                    complaints.append(f"{where}: {length} lines, at most {MAX_FUNCTION}")
    lengths.sort()
    p95 = lengths[int(len(lengths) * 0.95)]
    if p95 > MOST_FUNCTIONS:
        complaints.append(f"95 of 100 functions have up to {p95} lines, aim at {MOST_FUNCTIONS}")
    print(*complaints, f"{len(lengths)} functions, p95 {p95} lines, longest {lengths[-1]}", sep="\n")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
