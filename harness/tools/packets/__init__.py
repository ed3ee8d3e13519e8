"""Packets and captures in words and tables, for people and programs."""
