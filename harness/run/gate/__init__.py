"""Whether the gate opens: exit codes, expected failures, and losses that would go unnoticed."""
