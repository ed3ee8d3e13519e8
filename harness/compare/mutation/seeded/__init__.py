"""Defects seeded into the suite itself, to see that our own checks find a suite that judges less than it did."""
