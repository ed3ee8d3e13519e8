"""Implementations against each other on generated inputs, with the reference as the third vote."""
