"""Sends requests to discovery servers and collects what comes back."""
