"""A small queue manager that can be judged: discovery, routing and ordered delivery."""

VERSION = "1.0"
