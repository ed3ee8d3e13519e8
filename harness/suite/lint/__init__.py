"""Integrity of the features: what makes a scenario say less than it seems to."""
