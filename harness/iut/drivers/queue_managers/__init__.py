"""Fault schedules of several queue managers: what they are, and how they are played to an implementation."""
