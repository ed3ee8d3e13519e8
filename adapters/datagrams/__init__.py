"""Implementations that are reached by UDP: exchanges, endpoints, and discovery clients that take no orders."""
