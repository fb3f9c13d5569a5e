"""Labelled sentences for the small heads of `language`, and the one command that trains them."""
