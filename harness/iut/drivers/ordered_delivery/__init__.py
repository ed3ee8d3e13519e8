"""Connects a sender and a receiver through a network with faults."""
