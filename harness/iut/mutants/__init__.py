"""Implementations that are wrong on purpose, to test the tests; ``mutant:NAME`` on the command line."""
