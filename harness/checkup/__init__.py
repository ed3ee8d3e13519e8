"""Whether this machine and an adapter are ready: ``doctor`` and ``smoke``."""
