"""Faces for the clients people already use: thin, over the same turn; nothing of memory is written twice."""
