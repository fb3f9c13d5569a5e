"""What memory *is*: frozen types without I/O. Everything else moves them about."""
