"""Text to vectors, behind one small protocol."""
