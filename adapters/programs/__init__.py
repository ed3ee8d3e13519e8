"""Implementations that are child processes: how they are started, spoken to line by line, and ended."""
