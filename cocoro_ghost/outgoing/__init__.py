"""Calls to the world outside: which addresses are allowed, and a client that keeps to them."""
