"""One engine for both languages: sentences → clauses → tables → a `Reading`."""
