"""From a write plan as a model wrote it to one that may be applied: typed, bounded, trusted."""
