"""Routers of different houses in one enterprise: messages are walked hop by hop, and each hop has its author."""
