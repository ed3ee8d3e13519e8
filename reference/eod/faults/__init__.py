"""Faults of exactly-once delivery: rows of a name, what it breaks, one sentence for people, and the changed rule."""
