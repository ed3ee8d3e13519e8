"""Judges of delivery through networks that fail: schedules of faults, generated or written out."""
