"""Implementations in containers: the Docker engine, what a container may do, and what is left of dead harnesses."""
