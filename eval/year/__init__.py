"""A scripted year of life, replayed through the public API with the domain clock, in two languages."""
