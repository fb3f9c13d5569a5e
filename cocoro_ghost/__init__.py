"""CocoroGhost: the memory and voice of a persistent AI companion."""

__version__ = "0.1.0"
