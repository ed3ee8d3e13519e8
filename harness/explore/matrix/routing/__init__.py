"""Routers of different vendors in one enterprise: messages are walked hop by hop, and each hop has its author."""
