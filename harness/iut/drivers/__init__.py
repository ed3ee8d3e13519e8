"""Drivers of an implementation: they observe and do not judge."""
