"""Several ghosts in one process, from directories or from a shared database."""
