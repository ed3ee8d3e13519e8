"""Whether the gate opens: exit codes, expected failures, and losses that nobody would see."""
