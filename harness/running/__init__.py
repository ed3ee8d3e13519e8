"""A run from the command line to its exit code."""
