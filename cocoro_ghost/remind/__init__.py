"""Reminders: what was asked to be told, at the time it was asked for, once."""
