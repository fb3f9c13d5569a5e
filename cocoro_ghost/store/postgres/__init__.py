"""The engine for hosts of many ghosts: one PostgreSQL database, each ghost behind row level security."""
