"""Implementations against each other: who works with whom, and where not, whose fault it is."""
