"""Implementations that are Python objects, each call in a thread that may hang."""
