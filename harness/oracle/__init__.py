"""Oracles: compare what an IUT did with what the reference model allows."""
