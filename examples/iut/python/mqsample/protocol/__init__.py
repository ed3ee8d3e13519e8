"""The IUT protocol: what stands between the harness and the implementation, and nothing of the implementation."""
