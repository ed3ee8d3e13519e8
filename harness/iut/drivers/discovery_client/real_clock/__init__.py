"""Plays scenarios to discovery clients in real time and records what they do."""
